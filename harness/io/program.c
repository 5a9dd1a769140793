/*
 * program.c - fork, exec, wait.
 */
#include "harness/io/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/interrupt.h"

/* What becomes of a child: the program, or the errno of what failed, sent through report. It is in
 * a process group of its own, so that a kill reaches what it started and a Ctrl-C meant for us does
 * not. path: of a program that is named by a path, which holds before the folder changes. */
static _Noreturn void become(const il_program *p, const char *path, int report, pid_t parent) {
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
    int said =
        p->said != NULL ? open(p->said, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : nowhere;
    ready =
        ready && said >= 0 && dup2(nowhere, 0) == 0 && dup2(nowhere, 1) == 1 && dup2(said, 2) == 2;
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

/* Returns an errno. */
static int start(const il_program *p, pid_t *pid) {
    int report[2];
    int code = 0;
    char *path = strchr(p->argv[0], '/') != NULL ? realpath(p->argv[0], NULL) : strdup(p->argv[0]);
    pid_t parent = getpid();
    if (path == NULL || pipe2(report, O_CLOEXEC) != 0) {
        code = errno;
        free(path);
        return code;
    }
    *pid = fork();
    if (*pid == 0) {
        become(p, path, report[1], parent);
    }
    code = *pid < 0 ? errno : 0;
    (void)close(report[1]);
    if (code == 0 && read(report[0], &code, sizeof code) == sizeof code) {
        (void)waitpid(*pid, NULL, 0); /* it did not become the program */
    }
    (void)close(report[0]);
    free(path);
    return code;
}

/* Wait for its end, stored in p->state; kill it when its time is over or we are asked to stop. */
static void await(il_program *p, pid_t pid, double deadline) {
    const struct timespec nap = {.tv_nsec = 2000000L};
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
            return;
        }
        (void)nanosleep(&nap, NULL);
    }
}

il_status il_program_run(il_program *p, il_error *err) {
    double deadline = il_clock_seconds() + p->seconds;
    pid_t pid = 0;
    int code = start(p, &pid);
    if (code != 0) {
        return il_fail(err, code == ENOMEM ? IL_ENOMEM : IL_EPLOT, "'%s': %s", p->argv[0],
                       strerror(code));
    }
    await(p, pid, deadline);
    return il_interrupted() ? il_fail(err, IL_EINTERRUPTED, "%s", il_interrupt_reason()) : IL_OK;
}
