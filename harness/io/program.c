/*
 * program.c - fork, exec; its input and its errors go through pipes while it is waited for.
 */
#include "harness/io/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/interrupt.h"
#include "harness/base/memory.h"

/* Our ends of the pipes to a child and from it, -1 when closed, and the bytes that went through. */
typedef struct {
    int input, said;
    size_t written, kept;
} pipes;

static void shut(int *fd) {
    if (*fd >= 0) {
        (void)close(*fd);
    }
    *fd = -1;
}

/* Make a child the program, or send the errno of what failed through report. It is in a process
 * group of its own, so that a kill reaches what it started and a Ctrl-C meant for us does not.
 * path: of a program that is named by a path, which holds before the folder changes. */
static _Noreturn void become(const il_program *p, const char *path, const int theirs[2], int report,
                             pid_t parent) {
    static const int usual[] = {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigset_t none;
    (void)sigemptyset(&none);
    for (size_t k = 0; k < sizeof usual / sizeof usual[0]; k++) {
        (void)signal(usual[k], SIG_DFL);
    }
    bool ready = setpgid(0, 0) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 &&
                 getppid() == parent && sigprocmask(SIG_SETMASK, &none, NULL) == 0 &&
                 chdir(p->folder) == 0;
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    ready = ready && dup2(theirs[0] >= 0 ? theirs[0] : nowhere, 0) == 0 && dup2(nowhere, 1) == 1 &&
            dup2(theirs[1] >= 0 ? theirs[1] : nowhere, 2) == 2;
    for (size_t k = 0; ready && p->settings != NULL && p->settings[k] != NULL; k++) {
        ready = putenv(p->settings[k]) == 0;
    }
    if (ready) {
        (void)execvp(path, (char *const *)p->argv);
    }
    int code = errno;
    (void)!write(report, &code, sizeof code);
    _exit(127);
}

/* The pipes that p asks for: ours, which do not block, and the child's ends. Returns an errno. */
static int lay(const il_program *p, pipes *ours, int theirs[2]) {
    int in[2] = {-1, -1};
    int out[2] = {-1, -1};
    int code = (p->input != NULL && pipe2(in, O_CLOEXEC) != 0) ||
                       (p->said != NULL && pipe2(out, O_CLOEXEC) != 0)
                   ? errno
                   : 0;
    *ours = (pipes){.input = in[1], .said = out[0]};
    theirs[0] = in[0];
    theirs[1] = out[1];
    if (ours->input >= 0) {
        (void)fcntl(ours->input, F_SETFL, O_NONBLOCK);
    }
    if (ours->said >= 0) {
        (void)fcntl(ours->said, F_SETFL, O_NONBLOCK);
    }
    return code;
}

/* Returns an errno. */
static int start(const il_program *p, pipes *ours, pid_t *pid) {
    int report[2] = {-1, -1};
    int theirs[2];
    pid_t parent = getpid();
    bool named = strchr(p->argv[0], '/') == NULL; /* and sought in PATH */
    char *path = named ? il_alloc_text(p->argv[0]) : realpath(p->argv[0], NULL);
    int code = path == NULL ? errno : 0;
    int laid = lay(p, ours, theirs);
    code = code == 0 ? laid : code;
    code = code == 0 && pipe2(report, O_CLOEXEC) != 0 ? errno : code;
    if (code == 0) {
        *pid = fork();
        if (*pid == 0) {
            become(p, path, theirs, report[1], parent);
        }
        code = *pid < 0 ? errno : 0;
    }
    shut(&theirs[0]);
    shut(&theirs[1]);
    shut(&report[1]);
    if (code == 0 && read(report[0], &code, sizeof code) == sizeof code) {
        (void)waitpid(*pid, NULL, 0); /* it did not become the program */
    }
    shut(&report[0]);
    free(path);
    return code;
}

/* A write that fails with EPIPE leaves no SIGPIPE behind, whatever the process does with it. */
static ssize_t write_quietly(int fd, const char *bytes, size_t n) {
    const struct timespec none = {0};
    sigset_t pipe;
    sigset_t before;
    (void)sigemptyset(&pipe);
    (void)sigaddset(&pipe, SIGPIPE);
    (void)pthread_sigmask(SIG_BLOCK, &pipe, &before);
    ssize_t got = write(fd, bytes, n);
    int reason = errno;
    if (got < 0 && reason == EPIPE) {
        (void)sigtimedwait(&pipe, NULL, &none);
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return got;
}

static void feed(il_program *p, pipes *io) {
    ssize_t got = write_quietly(io->input, p->input + io->written, p->length - io->written);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    io->written += got > 0 ? (size_t)got : 0;
    if (got < 0 || io->written == p->length) {
        shut(&io->input);
    }
}

/* Read what it said since; what has no room is dropped. */
static void drain(il_program *p, pipes *io) {
    char bytes[1024];
    ssize_t got = 0;
    while ((got = read(io->said, bytes, sizeof bytes)) > 0) {
        size_t left = p->room - 1 - io->kept;
        size_t n = (size_t)got < left ? (size_t)got : left;
        memcpy(p->said + io->kept, bytes, n);
        io->kept += n;
        p->said[io->kept] = '\0';
    }
    if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        shut(&io->said);
    }
}

/* Write and read what can be, or wait for it a moment. */
static void exchange(il_program *p, pipes *io) {
    enum { MOMENT = 20 /* ms */, NAP = 2 /* ms */ };
    struct pollfd fds[2] = {{.fd = io->input, .events = POLLOUT},
                            {.fd = io->said, .events = POLLIN}};
    bool open = io->input >= 0 || io->said >= 0;
    if (poll(fds, 2, open ? MOMENT : NAP) > 0) {
        if (fds[0].revents != 0) {
            feed(p, io);
        }
        if (fds[1].revents != 0) {
            drain(p, io);
        }
    }
}

/* Serve it until its end, stored in p->state; kill it when its time is over or we are asked to
 * stop. */
static void await(il_program *p, pipes *io, pid_t pid, double deadline) {
    bool stop = false;
    p->state = -1;
    while (true) {
        p->late = il_clock_seconds() >= deadline;
        stop = p->late || il_interrupted();
        if (stop) {
            (void)kill(-pid, SIGKILL);
        }
        pid_t got = waitpid(pid, &p->state, stop ? 0 : WNOHANG);
        if (got == pid || (got < 0 && errno != EINTR)) {
            break;
        }
        exchange(p, io);
    }
    if (io->said >= 0) {
        drain(p, io);
    }
    p->unread = p->input != NULL && io->written < p->length;
}

il_status il_program_run(il_program *p, il_error *err) {
    double deadline = il_clock_seconds() + p->seconds;
    pipes io = {-1, -1, 0, 0};
    pid_t pid = 0;
    if (p->said != NULL) {
        p->said[0] = '\0';
    }
    int code = start(p, &io, &pid);
    if (code == 0) {
        await(p, &io, pid, deadline);
    }
    shut(&io.input);
    shut(&io.said);
    if (code != 0) {
        return il_fail(err, code == ENOMEM ? IL_ENOMEM : IL_EPLOT, "'%s': %s", p->argv[0],
                       strerror(code));
    }
    return il_interrupted() ? il_fail(err, IL_EINTERRUPTED, "%s", il_interrupt_reason()) : IL_OK;
}
