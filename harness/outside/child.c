/*
 * child.c - this process' end of another program: its pipes and what it says.
 */
#include "harness/outside/child.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/outside/guard.h"

enum {
    LINE_MAX_BYTES = 1 << 28,
    CHUNK = 1 << 16,
    TICK = 200,  /* milliseconds between two looks at signals */
    HURRY = 150, /* that a process which is asked to stop gives to its guard */
    PIPE_BYTES = 1 << 20
};

/* ---- pipes ---------------------------------------------------------------------------------- */

static void close_one(int *fd) {
    if (*fd >= 0) {
        (void)close(*fd);
    }
    *fd = -1;
}

/* own: this process' end, which does not block. */
static bool open_pipe(int ends[2], int own) {
    return pipe2(ends, O_CLOEXEC) == 0 && fcntl(ends[own], F_SETFL, O_NONBLOCK) == 0;
}

il_status il_child_start(il_child *w, const char *command, char *line, double patience,
                         il_error *err) {
    int ends[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}}; /* of its input, output and errors */
    int report[2] = {-1, -1};
    memset(w, 0, sizeof *w);
    w->first = line;
    w->unsent = strlen(line) + 1;
    line[w->unsent - 1] = '\n'; /* its length is known */
    w->patience = patience;
    bool good = open_pipe(ends[0], 1) && open_pipe(ends[1], 0) && open_pipe(ends[2], 0) &&
                socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, report) == 0;
    int code = errno;
    if (good) {
        const int its[3] = {ends[0][0], ends[1][1], ends[2][1]};
        (void)fcntl(its[1], F_SETPIPE_SZ, PIPE_BYTES); /* long lines in fewer pieces */
        w->guard = il_guard_start(command, its, report[1]);
        code = errno;
    }
    for (int k = 0; k < 3; k++) {
        close_one(&ends[k][k > 0]);
    }
    close_one(&report[1]);
    w->out = ends[0][1];
    w->in = ends[1][0];
    w->err = ends[2][0];
    w->report = report[0];
    return good && w->guard > 0
               ? IL_OK
               : il_fail(err, IL_EIO, "cannot start '%.120s': %s", command, strerror(code));
}

/* write(2), where a signal for a closed pipe is no one's: it is blocked, and taken off again. */
static ssize_t write_quietly(int fd, const char *text, size_t n) {
    const struct timespec now = {0, 0};
    sigset_t pipe;
    sigset_t before;
    sigset_t pending;
    (void)sigemptyset(&pipe);
    (void)sigaddset(&pipe, SIGPIPE);
    (void)sigpending(&pending);
    (void)pthread_sigmask(SIG_BLOCK, &pipe, &before);
    ssize_t done = write(fd, text, n);
    int code = errno;
    if (done < 0 && code == EPIPE && sigismember(&pending, SIGPIPE) == 0) {
        while (sigtimedwait(&pipe, NULL, &now) < 0 && errno == EINTR) {
        }
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = code;
    return done;
}

/* Behind the line its input ends, and where it reads no more. */
static void send_some(il_child *w) {
    ssize_t n = write_quietly(w->out, w->first + w->sent, w->unsent);
    bool later = n < 0 && (errno == EAGAIN || errno == EINTR);
    if (n > 0) {
        w->sent += (size_t)n;
        w->unsent -= (size_t)n;
    }
    if (w->unsent == 0 || (n < 0 && !later)) {
        close_one(&w->out);
    }
}

/* The number of bytes, 0 where there are none now; the stream is closed at its end. */
static size_t read_some(int *fd, char *text, size_t room) {
    ssize_t n = read(*fd, text, room);
    bool later = n < 0 && (errno == EAGAIN || errno == EINTR);
    if (n <= 0 && !later) {
        close_one(fd);
    }
    return n > 0 ? (size_t)n : 0;
}

static bool listen_to(il_child *w) {
    char text[4096];
    size_t n = read_some(&w->err, text, sizeof text);
    il_said_add(&w->said, text, n);
    return n > 0;
}

static void take_report(il_child *w) {
    ssize_t n = recv(w->report, &w->how, sizeof w->how, MSG_DONTWAIT);
    bool later = n < 0 && (errno == EAGAIN || errno == EINTR);
    w->ended = w->ended || n == (ssize_t)sizeof w->how;
    if (n != (ssize_t)sizeof w->how && !later) { /* the guard was killed */
        w->ended = true;
        w->how = SIGKILL;
    }
}

/* Room for a chunk more behind what was read. */
static void make_room(il_child *w) {
    if (w->from > 0 && w->to - w->from <= w->from) { /* what is moved was read once */
        memmove(w->text, w->text + w->from, w->to - w->from);
        w->to -= w->from;
        w->seen -= w->from;
        w->from = 0;
    }
    if (w->to + CHUNK < w->room) {
        return;
    }
    size_t room = 2 * w->room + 2 * CHUNK;
    il_memory_grow(&w->text, room, 1);
    w->room = room;
}

/* Wait, at most so many milliseconds, until something can be sent or read, and do so; *n receives
 * the bytes of the first line that were taken, and of its output. IL_EIO. */
static il_status exchange(il_child *w, int wait, size_t *n, il_error *err) {
    struct pollfd of[4] = {{.fd = w->out, .events = POLLOUT}, /* those below 0 are left out */
                           {.fd = w->in, .events = POLLIN},
                           {.fd = w->err, .events = POLLIN},
                           {.fd = w->ended ? -1 : w->report, .events = POLLIN}};
    size_t sent = w->sent;
    *n = 0;
    int some = poll(of, 4, wait);
    if (some < 0 && errno != EINTR) {
        return il_fail(err, IL_EIO, "cannot wait for a program: %s", strerror(errno));
    }
    if (some <= 0) {
        return IL_OK;
    }
    if (of[0].revents != 0) {
        send_some(w);
    }
    if (of[1].revents != 0) {
        make_room(w);
        *n = read_some(&w->in, w->text + w->to, w->room - w->to - 1);
        w->to += *n;
    }
    if (of[2].revents != 0) {
        (void)listen_to(w);
    }
    if (of[3].revents != 0) {
        take_report(w);
    }
    *n += w->sent - sent;
    return IL_OK;
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* A whole line of what was read. */
static bool find_line(il_child *w, const char **line) {
    char *end = w->to > w->seen ? memchr(w->text + w->seen, '\n', w->to - w->seen) : NULL;
    w->seen = w->to;
    if (end == NULL) {
        return false;
    }
    *end = '\0';
    *line = w->text + w->from;
    w->from = w->seen = (size_t)(end - w->text) + 1;
    return true;
}

/* The line that is left behind the last newline. */
static il_child_event rest(il_child *w, const char **line) {
    if (w->from == w->to) {
        return IL_CHILD_END;
    }
    w->text[w->to] = '\0';
    *line = w->text + w->from;
    w->from = w->to;
    return IL_CHILD_LAST;
}

il_status il_child_line(il_child *w, il_child_event *event, const char **line, il_error *err) {
    double until = il_clock_seconds() + w->patience;
    *event = IL_CHILD_LINE;
    *line = "";
    while (!find_line(w, line)) {
        size_t n = 0;
        bool over = w->ended; /* what it wrote is there; others may hold its output open */
        il_status status = w->in >= 0 ? exchange(w, over ? 0 : TICK, &n, err) : IL_OK;
        if (status == IL_OK && il_interrupted()) {
            status = il_fail(err, IL_EINTERRUPTED, "%s", il_interrupt_reason());
        }
        if (status != IL_OK) {
            return status;
        }
        double now = il_clock_seconds();
        until = n > 0 ? now + w->patience : until;
        if (w->in < 0 || (over && n == 0)) {
            *event = rest(w, line);
            return IL_OK;
        }
        if (w->to - w->from > LINE_MAX_BYTES || now > until) {
            *event = now > until ? IL_CHILD_SILENT : IL_CHILD_ENDLESS;
            return IL_OK;
        }
    }
    return IL_OK;
}

/* ---- its end -------------------------------------------------------------------------------- */

bool il_child_await_end(il_child *w, double seconds) {
    double until = il_clock_seconds() + seconds;
    while (!w->ended && !il_interrupted() && il_clock_seconds() < until) {
        size_t n = 0;
        double left = 1e3 * (until - il_clock_seconds());
        if (exchange(w, (int)fmin(TICK, fmax(1.0, left)), &n, NULL) != IL_OK) {
            return false;
        }
    }
    for (int k = 0; w->err >= 0 && k < 64 && listen_to(w); k++) { /* a pipe holds no more */
    }
    return w->ended;
}

const char *il_child_how(const il_child *w, char out[IL_CHILD_HOW]) {
    int how = w->how;
    int status = WIFEXITED(how) ? WEXITSTATUS(how) : 0;
    int number = WIFSIGNALED(how) ? WTERMSIG(how) : status > 128 ? status - 128 : 0;
    const char *name = number > 0 && number < NSIG ? sigdescr_np(number) : NULL;
    name = name != NULL ? name : "?";
    if (!w->ended) {
        (void)snprintf(out, IL_CHILD_HOW, "closed its output, and wrote no more");
    } else if (WIFSIGNALED(how)) {
        (void)snprintf(out, IL_CHILD_HOW, "was ended by signal %d (%s)", number, name);
    } else if (number > 0 && name[0] != '?') { /* as a shell tells of what it ran */
        (void)snprintf(out, IL_CHILD_HOW, "ended with status %d (signal %d, %s)", status, number,
                       name);
    } else {
        (void)snprintf(out, IL_CHILD_HOW, "ended with status %d", status);
    }
    return out;
}

/* Read what it still writes, so that it meets no closed pipe, until its guard has ended; where this
 * process is asked to stop, not for long. */
static void see_off(il_child *w) {
    char text[4096];
    double until = INFINITY;
    close_one(&w->out);
    (void)shutdown(w->report, SHUT_WR); /* the guard sees it, and ends the program */
    while (w->report >= 0 && il_clock_seconds() < until) {
        struct pollfd of[3] = {{.fd = w->in, .events = POLLIN},
                               {.fd = w->err, .events = POLLIN},
                               {.fd = w->report, .events = POLLIN}};
        if (poll(of, 3, HURRY) < 0 && errno != EINTR) {
            break;
        }
        (void)(of[0].revents != 0 && read_some(&w->in, text, sizeof text) > 0);
        (void)(of[1].revents != 0 && read_some(&w->err, text, sizeof text) > 0);
        (void)(of[2].revents != 0 && read_some(&w->report, text, sizeof text) > 0);
        if (il_interrupted() && isinf(until)) {
            until = il_clock_seconds() + 1e-3 * HURRY;
        }
    }
    while (waitpid(w->guard, NULL, w->report < 0 ? 0 : WNOHANG) < 0 && errno == EINTR) {
    }
}

void il_child_free(il_child *w) {
    if (w->guard > 0) {
        see_off(w);
    }
    close_one(&w->out);
    close_one(&w->in);
    close_one(&w->err);
    close_one(&w->report);
    free(w->first);
    free(w->text);
    w->first = w->text = NULL;
    w->guard = 0;
}
