/*
 * gnuplot.c - starting gnuplot, talking with it, and judging what it did.
 *
 * gnuplot goes on after an error in piped input and may still end with status 0, so that its exit
 * status alone proves little: whatever it says on its error stream is a failure too. popen would
 * hide both, wait for ever on a full pipe, and die of SIGPIPE when gnuplot ends early.
 */
#include "harness/draw/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/interrupt.h"
#include "harness/base/text.h"

enum {
    TIME_LIMIT = 60, /* seconds */
    GLANCE = 100,    /* milliseconds between looks at signals */
    COMPLAINT_MAX = 8192
};

typedef struct {
    const char *program, *figure;
    pid_t pid;
    int input, errors;     /* our ends; -1: closed */
    il_gnuplot_pipe *pipe; /* what it draws into, or one that is closed */
    double deadline;
    char complaint[COMPLAINT_MAX];
    size_t ncomplaint;
    bool late,
        deaf; /* over its time, or we are asked to stop; closed its input before it had read all */
} process;

static void shut(int *fd) {
    if (*fd >= 0) {
        (void)close(*fd);
    }
    *fd = -1;
}

/* ---- starting ------------------------------------------------------------------------------- */

static const char UTF8_LOCALE[] = "LC_ALL=C.UTF-8";

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* Our environment with a locale that is the same everywhere: scripts are UTF-8, and in the C locale
 * gnuplot complains of characters that it cannot convert. A terminal that somebody chose, and this
 * gnuplot may not have, is ours to choose. The caller frees the array; the strings are the
 * environment's own. */
static char **own_environment(void) {
    size_t n = 0;
    size_t kept = 0;
    while (environ[n] != NULL) {
        n++;
    }
    char **copy = calloc(n + 2, sizeof *copy);
    for (size_t k = 0; copy != NULL && k < n; k++) {
        if (!begins(environ[k], "LC_ALL=") && !begins(environ[k], "GNUTERM=")) {
            copy[kept++] = environ[k];
        }
    }
    if (copy != NULL) {
        copy[kept] = (char *)UTF8_LOCALE; /* execvpe's type; it writes to none of them */
    }
    return copy;
}

/* What becomes of a child: gnuplot, or the errno of what failed, sent through report. It is in a
 * process group of its own, so that a kill reaches what a wrapper script started and an interrupt
 * meant for us does not; it has no signal blocked or ignored, and dies with us. */
static _Noreturn void become_gnuplot(char *path, char *const environment[], const char *folder,
                                     const int fds[3], int report, pid_t parent) {
    static const int usual[] = {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    char *const argv[] = {path, (char[]){"-d"}, NULL};
    sigset_t none;
    (void)sigemptyset(&none);
    for (size_t k = 0; k < sizeof usual / sizeof usual[0]; k++) {
        (void)signal(usual[k], SIG_DFL);
    }
    bool ready = setpgid(0, 0) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 &&
                 getppid() == parent && sigprocmask(SIG_SETMASK, &none, NULL) == 0;
    for (int k = 0; ready && k < 3; k++) {
        ready = dup2(fds[k], k) == k;
    }
    if (ready && chdir(folder) == 0) {
        (void)execvpe(path, argv, environment);
    }
    int code = errno;
    (void)!write(report, &code, sizeof code);
    _exit(1);
}

/* Not posix_spawn, which cannot ask for a signal at the death of the parent; nothing is allocated
 * between fork and exec. Returns an errno. */
static int spawn(pid_t *pid, char *path, const char *folder, int input, int errors) {
    int report[2] = {-1, -1};
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    pid_t parent = getpid();
    int code = nowhere < 0 || pipe2(report, O_CLOEXEC) != 0 ? errno : 0;
    char **environment = own_environment();
    if (code == 0 && environment == NULL) {
        code = ENOMEM;
    }
    if (code == 0) {
        *pid = fork();
        if (*pid == 0) {
            become_gnuplot(path, environment, folder, (int[]){input, nowhere, errors}, report[1],
                           parent);
        }
        code = *pid < 0 ? errno : 0;
    }
    free(environment);
    shut(&report[1]);
    shut(&nowhere);
    if (code == 0 && read(report[0], &code, sizeof code) == sizeof code) {
        (void)waitpid(*pid, NULL, 0); /* it did not become gnuplot */
    }
    shut(&report[0]);
    return code;
}

/* The child's input is a socket, whose writer can ask for no SIGPIPE without touching the process's
 * signal handlers. Returns an errno. */
static int connect_and_spawn(process *g, char *path, const char *folder) {
    int input[2] = {-1, -1}; /* ours, the child's */
    int errors[2] = {-1, -1};
    int code = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input) != 0 ||
        pipe2(errors, O_CLOEXEC) != 0) {
        code = errno;
    } else {
        code = spawn(&g->pid, path, folder, input[1], errors[1]);
    }
    shut(&input[1]);
    shut(&errors[1]);
    if (code != 0) {
        shut(&input[0]);
        shut(&errors[0]);
    }
    g->input = input[0];
    g->errors = errors[0];
    return code;
}

static il_status start(process *g, const char *folder, il_error *err) {
    bool named = strchr(g->program, '/') != NULL; /* the child changes its folder before it looks */
    char *path = named ? realpath(g->program, NULL) : strdup(g->program);
    int code = path == NULL ? errno : connect_and_spawn(g, path, folder);
    free(path);
    if (code == ENOMEM) {
        return il_fail(err, IL_ENOMEM, "no memory to start gnuplot ('%s')", g->program);
    }
    if (code != 0) {
        return il_fail(err, IL_EPLOT, "gnuplot could not be started ('%s': %s)%s", g->program,
                       strerror(code), code == ENOENT ? "; install the package gnuplot-nox" : "");
    }
    return IL_OK;
}

/* ---- talking -------------------------------------------------------------------------------- */

/* Send what is left of the script. */
static void feed(process *g, const char **text, size_t *left) {
    ssize_t sent = send(g->input, *text, *left, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
        *text += sent;
        *left -= (size_t)sent;
    } else if (sent < 0 && errno != EAGAIN && errno != EINTR) {
        g->deaf = true;
    }
    if (*left == 0 || g->deaf) {
        shut(&g->input);
    }
}

/* Keep the beginning of what gnuplot says, read on to its end. */
static void listen_to(process *g) {
    char buffer[1024];
    ssize_t got = read(g->errors, buffer, sizeof buffer);
    if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) {
        shut(&g->errors);
    }
    for (ssize_t i = 0; i < got && g->ncomplaint + 1 < sizeof g->complaint; i++) {
        char *next = &g->complaint[g->ncomplaint++];
        *next = buffer[i];
        if (*next == '\0') { /* would end what is kept */
            *next = ' ';
        }
    }
}

/* Is there no more time for it? */
static bool is_over(process *g) {
    g->late = g->late || il_clock_seconds() >= g->deadline || il_interrupted();
    return g->late;
}

/* Write and read at once: neither side ever waits for the other with a full pipe. */
static void talk(process *g, const char *text, size_t left) {
    while (g->input >= 0 || g->errors >= 0) {
        struct pollfd fds[3] = {{.fd = g->input, .events = POLLOUT},
                                {.fd = g->errors, .events = POLLIN},
                                {.fd = g->pipe->done ? -1 : g->pipe->fd, .events = POLLIN}};
        if (is_over(g)) {
            break;
        }
        if (poll(fds, 3, GLANCE) < 0) {
            if (errno == EINTR) {
                continue;
            }
            break;
        }
        if (fds[0].revents != 0) {
            feed(g, &text, &left);
        }
        if (fds[1].revents != 0) {
            listen_to(g);
        }
        if (fds[2].revents != 0) {
            il_gnuplot_pipe_read(g->pipe);
            g->pipe->done = (fds[2].revents & POLLHUP) != 0; /* its writer has gone */
        }
    }
    shut(&g->input);
    shut(&g->errors);
}

/* The wait status, -1 when there is none. Kills the group when the time is over. */
static int await(process *g) {
    const struct timespec nap = {.tv_nsec = 5000000L};
    int state = -1;
    while (true) {
        if (is_over(g)) {
            (void)kill(-g->pid, SIGKILL);
        }
        pid_t got = waitpid(g->pid, &state, g->late ? 0 : WNOHANG);
        il_gnuplot_pipe_read(g->pipe); /* it may close its error stream before it has drawn */
        if (got == g->pid) {
            return state;
        }
        if (got < 0 && errno != EINTR) {
            return -1;
        }
        (void)nanosleep(&nap, NULL);
    }
}

/* ---- judging -------------------------------------------------------------------------------- */

/* A font cache that cannot be written slows gnuplot down and changes no picture; a legend larger
 * than its panel is cut, and the curves are right. All else counts. */
static bool harmless(const char *line) {
    static const char *const known[] = {"Fontconfig warning", "Fontconfig error: No writable cache",
                                        "difficulty fitting plot titles into key"};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (strstr(line, known[k]) != NULL) {
            return true;
        }
    }
    return line[strspn(line, " \t\r")] == '\0';
}

/* What gnuplot complained of, on one line; empty when it said nothing that counts. */
static void complaint_read(process *g, char *out, size_t room) {
    char *rest = NULL;
    out[0] = '\0';
    g->complaint[g->ncomplaint] = '\0';
    for (char *line = strtok_r(g->complaint, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        if (!harmless(line)) {
            line += strspn(line, " \t\r");
            bool says = strncmp(line, "line ", 5) == 0; /* the others repeat the script */
            if (out[0] == '\0' || says) {
                out[0] = '\0';
                il_text_append(out, room, "%s", line);
            }
        }
    }
}

static il_status status_of_end(process *g, int state, il_error *err) {
    char said[512];
    complaint_read(g, said, sizeof said);
    const char *colon = said[0] == '\0' ? "" : ": ";
    if (g->late && il_interrupted()) {
        return il_fail(err, IL_EINTERRUPTED, "%s while gnuplot drew figure '%s'",
                       il_interrupt_reason(), g->figure);
    }
    if (g->late) {
        return il_fail(err, IL_EPLOT, "gnuplot ('%s') did not finish figure '%s' in %d s%s%s",
                       g->program, g->figure, TIME_LIMIT, colon, said);
    }
    if (state == -1 || WIFSIGNALED(state)) {
        return il_fail(err, IL_EPLOT, "gnuplot ('%s') ended by signal %d in figure '%s'%s%s",
                       g->program, state == -1 ? 0 : WTERMSIG(state), g->figure, colon, said);
    }
    if (WEXITSTATUS(state) != 0) {
        return il_fail(err, IL_EPLOT,
                       "gnuplot ('%s') failed with exit status %d in figure '%s'%s%s", g->program,
                       WEXITSTATUS(state), g->figure, colon, said);
    }
    if (said[0] != '\0') {
        return il_fail(err, IL_EPLOT, "gnuplot ('%s') complained of figure '%s': %s", g->program,
                       g->figure, said);
    }
    if (g->deaf) {
        return il_fail(err, IL_EPLOT, "gnuplot ('%s') did not read the whole script of figure '%s'",
                       g->program, g->figure);
    }
    return IL_OK;
}

il_status il_gnuplot_run(const char *folder, const char *script, size_t size, const char *figure,
                         il_gnuplot_pipe *pipe, il_error *err) {
    const char *chosen = getenv("IMPACTLAB_GNUPLOT");
    il_gnuplot_pipe none = {.fd = -1};
    process g = {.program = chosen != NULL && chosen[0] != '\0' ? chosen : "gnuplot",
                 .figure = figure,
                 .pipe = pipe != NULL ? pipe : &none,
                 .deadline = il_clock_seconds() + TIME_LIMIT};
    il_status status = start(&g, folder, err);
    if (status != IL_OK) {
        return status;
    }
    talk(&g, script, size);
    return status_of_end(&g, await(&g), err);
}
