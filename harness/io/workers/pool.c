/*
 * pool.c - forked workers, each at one end of a socket pair.
 *
 * Parent to worker: the number of a job. Worker to parent: the length of the text with its NUL, and
 * the text. A worker that finds no memory ends with IL_MEMORY_STATUS. Others are ended by SIGKILL:
 * by the parent, or by the kernel when the parent dies. The parent receives signals through a
 * signalfd, so it handles them at a place of its choice.
 */
#include "harness/io/workers/pool.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/interrupt.h"
#include "harness/base/memory.h"

enum { TICK = 250 };             /* milliseconds */
static const double RETRY = 0.5; /* seconds between two tries of jobs that others have */

typedef struct {
    pid_t pid; /* 0: not started, or ended */
    int socket;
    bool busy;
    size_t job;
    bool again;   /* the job is tried again: the worker that had it died */
    double began; /* when it got the job */
} worker;

typedef struct {
    const il_pool *pool;
    worker *workers;
    struct pollfd *polled; /* [workers + 1] the last is the signals' */
    size_t next;           /* job to hand out */
    size_t done;
    size_t *elsewhere; /* [nelsewhere] jobs deferred because another process works on them */
    size_t nelsewhere;
    double retry_at; /* when to try them again */
    int signals;
    pid_t parent;
    sigset_t before; /* signal mask of the caller */
} pool_run;

/* ---- both ends ------------------------------------------------------------------------------ */

/* MSG_NOSIGNAL: the other end may be dead, and that is no reason to die. */
static bool put(int socket, const void *bytes, size_t n) {
    const char *at = bytes;
    while (n > 0) {
        ssize_t sent = send(socket, at, n, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR) {
            return false;
        }
        at += sent > 0 ? sent : 0;
        n -= sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

static bool get(int socket, void *bytes, size_t n) {
    char *at = bytes;
    while (n > 0) {
        ssize_t got = recv(socket, at, n, 0);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return false;
        }
        at += got > 0 ? got : 0;
        n -= got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* ---- a worker ------------------------------------------------------------------------------- */

static _Noreturn void serve(const pool_run *c, int socket) {
    const il_pool *pool = c->pool;
    size_t job = 0;
    while (get(socket, &job, sizeof job) && job < pool->jobs) {
        char *text = pool->work(pool->data, job);
        (void)fflush(stdout);
        if (text == NULL) {
            _exit(IL_MEMORY_STATUS);
        }
        size_t n = strlen(text) + 1;
        bool sent = put(socket, &n, sizeof n) && put(socket, text, n);
        free(text);
        if (!sent || pool->alone) {
            break;
        }
    }
    _exit(0); /* the parent's buffers and exit handlers are not ours */
}

/* The child keeps none of the parent's sockets: a worker would not see the parent's end while
 * another one holds it open. */
static void become_worker(const pool_run *c, int socket) {
    for (size_t k = 0; k < c->pool->workers; k++) {
        if (c->workers[k].pid != 0) {
            (void)close(c->workers[k].socket);
        }
    }
    (void)close(c->signals);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != c->parent) {
        _exit(1); /* the parent died before it could be told from another one */
    }
    il_interrupt_leave();
    (void)sigprocmask(SIG_SETMASK, &c->before, NULL);
    if (c->pool->alone) {
        il_memory_end_quietly(); /* the parent records it as a loss */
    }
    serve(c, socket);
}

static il_status start(pool_run *c, worker *w, il_error *err) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        return il_fail(err, IL_EINTERNAL, "no worker can be started: %s", strerror(errno));
    }
    (void)fflush(NULL); /* or the child would hold a copy of what is not yet written */
    pid_t pid = fork();
    if (pid == 0) {
        (void)close(ends[0]);
        become_worker(c, ends[1]);
    }
    (void)close(ends[1]);
    if (pid < 0) {
        (void)close(ends[0]);
        return il_fail(err, IL_EINTERNAL, "no worker can be started: %s", strerror(errno));
    }
    *w = (worker){.pid = pid, .socket = ends[0]};
    return IL_OK;
}

/* End a worker and say in loss how it ended by itself, if it did. */
static void end_worker(worker *w, bool kill_it, il_pool_loss *loss) {
    int status = 0;
    if (kill_it) {
        (void)kill(w->pid, SIGKILL);
    }
    (void)close(w->socket);
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status)) {
        loss->signal = WTERMSIG(status);
        (void)snprintf(loss->why, sizeof loss->why,
                       "the worker process was ended by signal %d (%s)", loss->signal,
                       strsignal(loss->signal));
    } else {
        loss->exit = WEXITSTATUS(status);
        loss->memory = loss->exit == IL_MEMORY_STATUS;
        (void)snprintf(loss->why, sizeof loss->why, "the worker process ended with status %d",
                       loss->exit);
    }
    w->pid = 0;
    w->busy = false;
}

/* ---- the parent ----------------------------------------------------------------------------- */

/* Ask what to do with job. */
static il_status ask(pool_run *c, size_t job, il_pool_turn *turn, il_error *err) {
    il_status status = IL_OK;
    *turn = IL_POOL_RUN;
    if (c->pool->take != NULL) {
        status = c->pool->take(c->pool->data, job, turn, err);
    }
    c->done += status == IL_OK && *turn == IL_POOL_DONE;
    return status;
}

/* The next job to run here; pool->jobs if there is none now. */
static il_status next_job(pool_run *c, size_t *job, il_error *err) {
    il_pool_turn turn = IL_POOL_RUN;
    il_status status = IL_OK;
    while (status == IL_OK && c->next < c->pool->jobs) {
        *job = c->next++;
        status = ask(c, *job, &turn, err);
        if (turn == IL_POOL_RUN) {
            return status;
        }
        if (turn == IL_POOL_ELSEWHERE) {
            c->elsewhere[c->nelsewhere++] = *job;
        }
    }
    *job = c->pool->jobs;
    if (status != IL_OK || c->nelsewhere == 0 || il_clock_seconds() < c->retry_at) {
        return status;
    }
    for (size_t k = 0; status == IL_OK && k < c->nelsewhere;) {
        size_t one = c->elsewhere[k];
        status = ask(c, one, &turn, err);
        if (turn == IL_POOL_ELSEWHERE) {
            k++;
            continue;
        }
        c->nelsewhere--; /* the others keep their order */
        memmove(&c->elsewhere[k], &c->elsewhere[k + 1], (c->nelsewhere - k) * sizeof *c->elsewhere);
        if (turn == IL_POOL_RUN) {
            *job = one;
            return status;
        }
    }
    c->retry_at = il_clock_seconds() + RETRY;
    return status;
}

static il_status give(pool_run *c, worker *w, size_t job, bool again, il_error *err) {
    if (w->pid == 0) {
        il_status status = start(c, w, err);
        if (status != IL_OK) {
            return status;
        }
    }
    w->job = job;
    w->busy = true;
    w->again = again;
    w->began = il_clock_seconds();
    (void)put(w->socket, &w->job, sizeof w->job); /* if it is dead, poll will say so */
    return IL_OK;
}

/* A job for every worker that has none; workers that are missing are started first. */
static il_status hand_out(pool_run *c, il_error *err) {
    il_status status = IL_OK;
    for (size_t k = 0; status == IL_OK && k < c->pool->workers; k++) {
        worker *w = &c->workers[k];
        size_t job = c->pool->jobs;
        if (!w->busy) {
            status = next_job(c, &job, err);
        }
        if (status == IL_OK && job < c->pool->jobs) {
            status = give(c, w, job, false, err);
        }
    }
    return status;
}

/* The result of the job that w had, or how it was lost. */
static il_status pass_on(pool_run *c, size_t job, const char *text, const il_pool_loss *loss,
                         il_error *err) {
    c->done++;
    c->retry_at = 0.0; /* others may have waited for this one */
    return c->pool->receive(c->pool->data, job, text, loss, err);
}

/* Worker w has spoken or died. */
static il_status collect(pool_run *c, worker *w, il_error *err) {
    il_pool_loss loss = {.why = ""};
    char *text = NULL;
    size_t job = w->job;
    size_t n = 0;
    bool spoke = get(w->socket, &n, sizeof n);
    if (spoke) {
        text = il_alloc(n, 1);
        spoke = get(w->socket, text, n);
    }
    if (!spoke) {
        free(text);
        text = NULL;
    }
    if (!spoke || c->pool->alone) {
        end_worker(w, !spoke, &loss);
    }
    if (loss.memory && !c->pool->alone) {
        return il_fail(err, IL_ENOMEM, "a worker ran out of memory in job %zu of %zu", job + 1,
                       c->pool->jobs);
    }
    if (!spoke && !loss.memory && !w->again) {
        return give(c, w, job, true, err); /* the system or a user may have killed it */
    }
    w->busy = false;
    il_status status = pass_on(c, job, text, &loss, err);
    free(text);
    return status;
}

/* End what takes too long. */
static il_status end_late(pool_run *c, il_error *err) {
    il_status status = IL_OK;
    double limit = c->pool->seconds;
    double now = limit > 0.0 ? il_clock_seconds() : 0.0;
    for (size_t k = 0; limit > 0.0 && status == IL_OK && k < c->pool->workers; k++) {
        worker *w = &c->workers[k];
        if (w->busy && now - w->began > limit) {
            il_pool_loss loss = {.why = ""};
            end_worker(w, true, &loss);
            loss.late = true;
            loss.memory = false;
            (void)snprintf(loss.why, sizeof loss.why, "it took more than %g s", limit);
            status = pass_on(c, w->job, NULL, &loss, err);
        }
    }
    return status;
}

/* A signal has arrived; il_interrupted reports it from now on. */
static il_status interrupted(const pool_run *c, il_error *err) {
    struct signalfd_siginfo info = {0};
    (void)!read(c->signals, &info, sizeof info);
    il_interrupt_note((int)info.ssi_signo);
    return il_fail(err, IL_EINTERRUPTED, "%s; %zu of %zu jobs were done", il_interrupt_reason(),
                   c->done, c->pool->jobs);
}

static il_status watch(pool_run *c, il_error *err) {
    const il_pool *pool = c->pool;
    for (size_t k = 0; k < pool->workers; k++) {
        worker *w = &c->workers[k];
        c->polled[k] = (struct pollfd){.fd = w->busy ? w->socket : -1, .events = POLLIN};
    }
    c->polled[pool->workers] = (struct pollfd){.fd = c->signals, .events = POLLIN};
    int ready = poll(c->polled, pool->workers + 1, TICK);
    if (ready < 0 && errno != EINTR) {
        return il_fail(err, IL_EINTERNAL, "waiting for workers failed: %s", strerror(errno));
    }
    if (ready > 0 && c->polled[pool->workers].revents != 0) {
        return interrupted(c, err);
    }
    for (size_t k = 0; ready > 0 && k < pool->workers; k++) {
        if (c->polled[k].revents != 0) {
            il_status status = collect(c, &c->workers[k], err);
            if (status != IL_OK) {
                return status;
            }
        }
    }
    il_status status = end_late(c, err);
    if (pool->tick != NULL) {
        pool->tick(pool->data);
    }
    return status;
}

il_status il_pool_run(const il_pool *asked, il_error *err) {
    il_pool all = *asked;
    const il_pool *pool = &all;
    size_t most = all.jobs > 0 ? all.jobs : 1;
    all.workers = all.workers == 0 ? 1 : all.workers < most ? all.workers : most;
    pool_run c = {.pool = pool, .signals = -1, .parent = getpid()};
    il_status status = IL_OK;
    sigset_t caught;
    (void)sigemptyset(&caught);
    for (size_t k = 0; il_interrupt_signal(k) != 0; k++) {
        (void)sigaddset(&caught, il_interrupt_signal(k));
    }
    (void)sigprocmask(SIG_BLOCK, &caught, &c.before);
    c.workers = il_alloc_zero(pool->workers, sizeof *c.workers);
    c.polled = il_alloc_zero(pool->workers + 1, sizeof *c.polled);
    c.elsewhere = il_alloc_zero(pool->jobs, sizeof *c.elsewhere);
    c.signals = signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK);
    if (c.signals < 0) {
        status = il_fail(err, IL_EINTERNAL, "no worker can be started: %s", strerror(errno));
    } else if (il_interrupted()) { /* before its signals were ours: no worker would see it */
        status = il_fail(err, IL_EINTERRUPTED, "%s; 0 of %zu jobs were done", il_interrupt_reason(),
                         pool->jobs);
    }
    while (status == IL_OK && c.done < pool->jobs) {
        status = hand_out(&c, err);
        if (status == IL_OK && c.done < pool->jobs) {
            status = watch(&c, err);
        }
    }
    for (size_t k = 0; k < pool->workers; k++) {
        il_pool_loss loss;
        if (c.workers[k].pid != 0) {
            end_worker(&c.workers[k], true, &loss);
        }
    }
    if (c.signals >= 0) {
        (void)close(c.signals);
    }
    (void)sigprocmask(SIG_SETMASK, &c.before, NULL);
    free(c.workers);
    free(c.polled);
    free(c.elsewhere);
    return status;
}
