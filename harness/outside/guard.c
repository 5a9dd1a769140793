/*
 * guard.c - between two forks only functions that are safe in a signal handler are called, as the
 * process that forks may have threads.
 */
#include "harness/outside/guard.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    GRACE = 2000, /* milliseconds between SIGTERM and SIGKILL */
    STRAY = 300,  /* the same for what a program leaves behind in its group */
    NAP = 10,
    ASK_AGAIN = 10 /* naps */
};

static const int asking[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { ASKING = sizeof asking / sizeof asking[0] };

static void nap(void) {
    const struct timespec time = {.tv_nsec = 1000000L * NAP};
    (void)nanosleep(&time, NULL);
}

/* ---- the program ---------------------------------------------------------------------------- */

static _Noreturn void become_program(const char *command, const int streams[3], pid_t guard) {
    sigset_t none;
    (void)sigemptyset(&none);
    for (size_t k = 0; k < ASKING; k++) {
        (void)signal(asking[k], SIG_DFL);
    }
    (void)signal(SIGPIPE, SIG_DFL);
    (void)signal(SIGXFSZ, SIG_DFL);
    bool ready = setpgid(0, 0) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 &&
                 getppid() == guard && sigprocmask(SIG_SETMASK, &none, NULL) == 0;
    for (int k = 0; ready && k < 3; k++) {
        ready = dup2(streams[k], k) == k;
    }
    if (ready) {
        (void)execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    }
    _exit(127);
}

/* ---- the guard ------------------------------------------------------------------------------ */

/* Has the program ended, and how? It stays a zombie, whose group is still its own. */
static bool has_ended(pid_t program, int *how) {
    siginfo_t info = {.si_pid = 0};
    if (waitid(P_PID, (id_t)program, &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
        *how = SIGKILL;
        return true;
    }
    bool exited = info.si_code == CLD_EXITED;
    *how = exited ? (info.si_status & 0xff) << 8 : info.si_status & 0x7f;
    return info.si_pid == program;
}

/* Until the program has ended (true), or its owner lets go. */
static bool watch(pid_t program, int children, int report, int *how) {
    bool ended = has_ended(program, how);
    while (!ended) {
        struct signalfd_siginfo info;
        struct pollfd of[2] = {{.fd = children, .events = POLLIN},
                               {.fd = report, .events = POLLIN}};
        int n = poll(of, 2, -1);
        if (n > 0 && of[1].revents != 0) {
            return has_ended(program, how);
        }
        if (n > 0) {
            (void)!read(children, &info, sizeof info);
        }
        ended = has_ended(program, how);
    }
    return true;
}

/* The program's group is asked to end, and what is left of it after so many milliseconds is killed.
 * This process reaps what the program leaves behind. */
static void end_group(pid_t program, int milliseconds) {
    (void)kill(-program, SIGTERM);
    for (int k = 0; k < milliseconds / NAP; k++) {
        while (waitpid(-1, NULL, WNOHANG) > 0) {
        }
        if (kill(-program, 0) != 0) {
            return;
        }
        nap();
    }
    (void)kill(-program, SIGKILL);
}

/* To every child of this process: those that left the group are, once their parents have ended.
 * False where there is none, or where /proc does not list them. */
static bool signal_children(int number) {
    char list[4096]; /* "PID PID ... ", the rest comes the next time */
    int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, list, sizeof list) : 0;
    pid_t pid = 0;
    for (ssize_t k = 0; k < n; k++) {
        if (list[k] != ' ') {
            pid = 10 * pid + (list[k] - '0');
        } else {
            (void)(number != 0 && kill(pid, number));
            pid = 0;
        }
    }
    (void)close(fd);
    return n > 0;
}

/* End what left the group and goes on without it; the children of one that ends come next. */
static void end_children(void) {
    for (int k = 0; k < (STRAY + GRACE) / NAP; k++) {
        while (waitpid(-1, NULL, WNOHANG) > 0) {
        }
        if (!signal_children(k >= STRAY / NAP ? SIGKILL : k % ASK_AGAIN == 0 ? SIGTERM : 0)) {
            return;
        }
        nap();
    }
}

static _Noreturn void guard_it(const char *command, const int streams[3], int report) {
    sigset_t child;
    int how = 0;
    pid_t self = getpid();
    for (size_t k = 0; k < ASKING; k++) {
        (void)signal(asking[k], SIG_IGN);
    }
    (void)signal(SIGCHLD, SIG_DFL);
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
    (void)setpgid(0, 0); /* a signal to its owner's group is none to it */
    (void)sigemptyset(&child);
    (void)sigaddset(&child, SIGCHLD);
    (void)sigprocmask(SIG_BLOCK, &child, NULL);
    pid_t program = fork();
    if (program == 0) {
        become_program(command, streams, self);
    }
    /* all that its owner has open closes with its owner: pipes, sockets, locks */
    (void)dup2(report, 0);
    (void)close_range(1, ~0U, 0);
    int children = signalfd(-1, &child, SFD_CLOEXEC);
    if (program < 0 || children < 0) {
        how = 127 << 8;
        (void)send(0, &how, sizeof how, MSG_NOSIGNAL);
        _exit(1);
    }
    (void)setpgid(program, program); /* whichever of the two comes first */
    bool ended = watch(program, children, 0, &how);
    if (ended) {
        (void)send(0, &how, sizeof how, MSG_NOSIGNAL);
    }
    end_group(program, ended ? STRAY : GRACE);
    end_children();
    _exit(0);
}

/* ---- its owner ------------------------------------------------------------------------------ */

pid_t il_guard_start(const char *command, const int streams[3], int report) {
    pid_t guard = fork();
    if (guard == 0) {
        guard_it(command, streams, report);
    }
    return guard;
}
