/*
 * exec.c - a child process that makes the steps, and the lines exchanged with it.
 */
#include "harness/outside/exec.h"

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
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/params.h"
#include "harness/base/text.h"
#include "harness/io/sealed.h"
#include "harness/outside/dynamics.h"
#include "harness/outside/file_scheme.h"

enum { PATIENCE = 60, LINE_MAX_BYTES = 1 << 26, LAST_WORDS = 160 };

typedef struct {
    const il_problem *problem;
    const char *command;
    il_dynamics *dynamics;
    pid_t pid;
    int in, err; /* what it writes; its standard error, a file without a name */
    char *text;  /* [room] bytes that were read and not used, text[from, to) */
    size_t room, from, to;
    size_t steps; /* made */
    size_t n, listed;
    il_contact *contacts; /* [n] that the last line names; room for `listed` */
} program;

static il_status starved(il_error *err) {
    return il_fail(err, IL_ENOMEM, "no memory for a step of another program");
}

/* ---- the process ---------------------------------------------------------------------------- */

/* The end of what it wrote to standard error, in one line. */
static void last_words(const program *w, char out[LAST_WORDS + 32]) {
    char text[LAST_WORDS + 1] = "";
    off_t size = lseek(w->err, 0, SEEK_END);
    off_t from = size > LAST_WORDS ? size - LAST_WORDS : 0;
    ssize_t n = size > 0 ? pread(w->err, text, LAST_WORDS, from) : 0;
    text[n > 0 ? n : 0] = '\0';
    while (n > 0 && (text[n - 1] == '\n' || text[n - 1] == ' ')) {
        text[--n] = '\0';
    }
    il_text_make_printable(text, false);
    (void)snprintf(out, LAST_WORDS + 32, "%s%s", n > 0 ? "; its last words: " : "", text);
}

static il_status blame(const program *w, il_error *err, const char *what) {
    char words[LAST_WORDS + 32];
    last_words(w, words);
    return il_fail(err, IL_ESCRIPT, "the program '%.120s' %s in step %zu%s", w->command, what,
                   w->steps + 1, words);
}

static void stop(program *w) {
    if (w->pid > 0) {
        (void)kill(-w->pid, SIGKILL);
        (void)waitpid(w->pid, NULL, 0);
    }
    if (w->in >= 0) {
        (void)close(w->in);
    }
    if (w->err >= 0) {
        (void)close(w->err);
    }
}

/* How it ended, in words. One that has closed its streams may still run: it is given a second. */
static const char *ending(program *w, char out[64]) {
    int how = 0;
    pid_t ended = 0;
    for (int k = 0; k < 100 && w->pid > 0 && ended == 0; k++) {
        ended = waitpid(w->pid, &how, WNOHANG);
        (void)poll(NULL, 0, ended == 0 ? 10 : 0);
    }
    (void)snprintf(out, 64, "wrote no more");
    if (ended > 0) {
        w->pid = 0;
        (void)snprintf(out, 64,
                       WIFSIGNALED(how) ? "was ended by signal %d" : "ended with status %d",
                       WIFSIGNALED(how) ? WTERMSIG(how) : WEXITSTATUS(how));
    }
    return out;
}

static il_status start(program *w, il_error *err) {
    int ends[2];
    char name[] = "/tmp/impactlab-exec-XXXXXX";
    w->err = mkostemp(name, O_CLOEXEC);
    if (w->err < 0 || unlink(name) != 0 ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        return il_fail(err, IL_EIO, "cannot start '%.120s': %s", w->command, strerror(errno));
    }
    w->in = ends[0];
    w->pid = fork();
    if (w->pid == 0) {
        (void)setpgid(0, 0);
        (void)dup2(ends[1], STDIN_FILENO);
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)dup2(w->err, STDERR_FILENO);
        (void)execl("/bin/sh", "sh", "-c", w->command, (char *)NULL);
        _exit(127);
    }
    (void)close(ends[1]);
    return w->pid > 0
               ? IL_OK
               : il_fail(err, IL_EIO, "cannot start '%.120s': %s", w->command, strerror(errno));
}

/* Wait until it can be read or written. */
static il_status await(program *w, short what, il_error *err) {
    double until = il_clock_seconds() + PATIENCE;
    for (;;) {
        struct pollfd one = {.fd = w->in, .events = what};
        int n = poll(&one, 1, 200);
        if (il_interrupted()) {
            return il_fail(err, IL_EINTERRUPTED, "%s", il_interrupt_reason());
        }
        if (n > 0) {
            return IL_OK;
        }
        if (n < 0 && errno != EINTR) {
            return il_fail(err, IL_EIO, "cannot wait for '%.120s': %s", w->command,
                           strerror(errno));
        }
        if (il_clock_seconds() > until) {
            return blame(w, err, "wrote nothing for a minute");
        }
    }
}

static il_status send_line(program *w, const char *text, il_error *err) {
    size_t n = strlen(text);
    size_t done = 0;
    while (done <= n) {
        il_status status = await(w, POLLOUT, err);
        if (status != IL_OK) {
            return status;
        }
        const char *at = done < n ? text + done : "\n";
        ssize_t sent = send(w->in, at, done < n ? n - done : 1, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR) {
            return IL_OK; /* it has ended: what it wrote before is read first */
        }
        done += sent > 0 ? (size_t)sent : 0;
    }
    (void)shutdown(w->in, SHUT_WR);
    return IL_OK;
}

/* The next line without its end, the program's until the next call. */
static il_status read_line(program *w, const char **line, il_error *err) {
    char how[64];
    size_t seen = w->from;
    for (;;) {
        char *end = w->to > seen ? memchr(w->text + seen, '\n', w->to - seen) : NULL;
        if (end != NULL) {
            *end = '\0';
            *line = w->text + w->from;
            w->from = (size_t)(end - w->text) + 1;
            return IL_OK;
        }
        if (w->from > 0) {
            memmove(w->text, w->text + w->from, w->to - w->from);
            w->to -= w->from;
            w->from = 0;
        }
        seen = w->to;
        if (w->to == w->room) {
            size_t room = 2 * w->room + 4096;
            if (room > LINE_MAX_BYTES) {
                return blame(w, err, "writes a line without an end");
            }
            if (!il_memory_grow(&w->text, room, 1)) {
                return starved(err);
            }
            w->room = room;
        }
        il_status status = await(w, POLLIN, err);
        if (status != IL_OK) {
            return status;
        }
        ssize_t n = recv(w->in, w->text + w->to, w->room - w->to, 0);
        if (n == 0 || (n < 0 && errno != EINTR)) {
            return blame(w, err, ending(w, how));
        }
        w->to += n > 0 ? (size_t)n : 0;
    }
}

/* ---- the scheme ----------------------------------------------------------------------------- */

static void destroy(void *self) {
    program *w = self;
    if (w != NULL) {
        stop(w);
        il_dynamics_destroy(w->dynamics);
        free(w->text);
        free(w->contacts);
        free(w);
    }
}

static json_t *mass_json(il_json *json, const il_problem *problem) {
    size_t d = problem->d;
    const double *diagonal = il_metric_masses(problem->mass);
    if (diagonal != NULL) {
        return il_json_numbers(diagonal, d);
    }
    json_t *rows = json_array();
    double *unit = calloc(2 * d, sizeof *unit);
    json->failed = json->failed || unit == NULL;
    for (size_t k = 0; unit != NULL && k < d; k++) {
        unit[k] = 1.0;
        il_metric_mul(problem->mass, unit, unit + d);
        unit[k] = 0.0;
        il_json_append(json, rows, il_json_numbers(unit + d, d));
    }
    free(unit);
    return rows;
}

/* Radii and walls of bodies in space, for programs that find contacts by themselves. */
static void add_bodies(il_json *w, json_t *line, const il_problem *problem) {
    size_t space = problem->space;
    size_t bodies = space > 0 ? problem->d / space : 0;
    double *r = calloc(bodies + 1, sizeof *r);
    json_t *walls = json_array();
    w->failed = w->failed || r == NULL;
    if (r != NULL && bodies > 0 && problem->type->radii != NULL) {
        problem->type->radii(problem, 0.0, r);
    }
    for (size_t k = 0; k < problem->nwalls; k++) {
        json_t *wall = json_object();
        il_json_put_text(w, wall, "name", problem->walls[k].name);
        il_json_set(w, wall, "normal", il_json_numbers(problem->walls[k].n, space));
        il_json_put(w, wall, "offset", problem->walls[k].c);
        il_json_append(w, walls, wall);
    }
    il_json_put_count(w, line, "space", space);
    if (r != NULL) {
        il_json_set(w, line, "radii", il_json_numbers(r, bodies));
    }
    il_json_set(w, line, "walls", walls);
    free(r);
}

static char *greeting(const il_problem *problem, const il_scheme_options *options) {
    il_json w = {false};
    json_t *line = json_object();
    il_json_put_text(&w, line, "problem", problem->type->name);
    il_json_set(&w, line, "parameters", il_params_json(options->asked.params));
    il_json_put_count(&w, line, "order", (size_t)problem->order);
    il_json_put_count(&w, line, "dimension", problem->d);
    il_json_put_count(&w, line, "constraints", problem->p);
    il_json_put_count(&w, line, "steps", options->asked.steps);
    il_json_put(&w, line, "h", options->asked.h);
    il_json_put(&w, line, "horizon", options->asked.horizon);
    il_json_put(&w, line, "restitution", problem->restitution);
    il_json_put(&w, line, "t", 0.0);
    il_json_set(&w, line, "q", il_json_numbers(problem->q0, problem->d));
    il_json_set(&w, line, "u", il_json_numbers(problem->u0, problem->d));
    il_json_set(&w, line, "mass", mass_json(&w, problem));
    add_bodies(&w, line, problem);
    line = il_json_done(&w, line);
    char *text = line != NULL ? il_json_text(line) : NULL;
    json_decref(line);
    return text;
}

static il_status create(void **self, const il_problem *problem, const il_scheme_options *options,
                        il_error *err) {
    program *w = calloc(1, sizeof *w);
    *self = w;
    if (w == NULL) {
        return starved(err);
    }
    w->problem = problem;
    w->command = options->asked.settings;
    w->in = w->err = -1;
    char *text = greeting(problem, options);
    il_status status =
        text != NULL ? il_dynamics_create(&w->dynamics, problem, options, err) : starved(err);
    status = status == IL_OK ? start(w, err) : status;
    status = status == IL_OK ? send_line(w, text, err) : status;
    free(text);
    return status;
}

/* x[d] of a line; false where it has no such numbers. */
static bool take(const json_t *line, const char *key, double *x, size_t d) {
    const json_t *list = json_object_get(line, key);
    bool good = json_array_size(list) == d;
    for (size_t k = 0; good && k < d; k++) {
        const json_t *one = json_array_get(list, k);
        x[k] = json_number_value(one);
        good = json_is_number(one) && isfinite(x[k]);
    }
    return good;
}

/* [[id, impulse], ...] */
static il_status take_impulses(program *w, const json_t *list, bool *good, il_error *err) {
    w->n = json_array_size(list);
    if (w->n > w->listed) {
        if (!il_memory_grow(&w->contacts, 2 * w->n, sizeof *w->contacts)) {
            return starved(err);
        }
        w->listed = 2 * w->n;
    }
    for (size_t k = 0; *good && k < w->n; k++) {
        const json_t *pair = json_array_get(list, k);
        const json_t *id = json_array_get(pair, 0);
        const json_t *impulse = json_array_get(pair, 1);
        *good = json_is_integer(id) && json_integer_value(id) >= 0 &&
                (size_t)json_integer_value(id) < w->problem->p && json_is_number(impulse) &&
                isfinite(json_number_value(impulse));
        w->contacts[k] = (il_contact){.id = *good ? (size_t)json_integer_value(id) : 0,
                                      .impulse = json_number_value(impulse)};
    }
    return IL_OK;
}

static il_status take_state(program *w, const char *text, il_state *out, bool *given,
                            il_error *err) {
    json_t *line = NULL;
    char what[160];
    il_status status = il_json_parse(text, &line, NULL);
    if (status == IL_ENOMEM) {
        return starved(err);
    }
    bool good = status == IL_OK && take(line, "q", out->q, w->problem->d) &&
                take(line, "u", out->u, w->problem->d);
    const json_t *impulses = json_object_get(line, "impulses");
    *given = json_is_array(impulses);
    status = good && *given ? take_impulses(w, impulses, &good, err) : IL_OK;
    json_decref(line);
    if (status == IL_OK && !good) {
        (void)snprintf(what, sizeof what,
                       "wrote '%.60s', and not {\"q\": [%zu numbers], \"u\": ...}", text,
                       w->problem->d);
        status = blame(w, err, what);
    }
    return status;
}

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    program *w = self;
    const char *text = NULL;
    il_explained e;
    bool given = false;
    il_status status = read_line(w, &text, err);
    status = status == IL_OK ? take_state(w, text, out, &given, err) : status;
    if (status != IL_OK) {
        return status;
    }
    w->steps++;
    const il_interval interval = {.t0 = t0,
                                  .t1 = t1,
                                  .q0 = in->q,
                                  .u0 = in->u,
                                  .q1 = out->q,
                                  .u1 = out->u,
                                  .given = given,
                                  .n = w->n,
                                  .contacts = w->contacts,
                                  .both_signs = w->problem->gamma0 != NULL,
                                  .force = 1.0};
    return il_dynamics_report(w->dynamics, &interval, &e, report, err);
}

static const il_claim claims[] = {{.norm = NULL}};

const il_scheme_type il_scheme_exec = {
    .name = "exec",
    .title = "another program",
    .statement =
        "exec:COMMAND is told the problem as a line of JSON, and writes a line for each step",
    .source = "a program",
    .orders = 3u,
    .restitution = true,
    .outside = true,
    .verbatim = true,
    .starts = true,
    .claims = claims,
    .create = create,
    .step = step,
    .destroy = destroy};

bool il_exec_sum(const char *command, char sum[IL_SEALED_SUM]) {
    char *words = strdup(command);
    char *all = strdup(command);
    size_t n = strlen(command);
    char *rest = NULL;
    bool found = false;
    bool whole = words != NULL && all != NULL;
    for (char *word = whole ? strtok_r(words, " \t", &rest) : NULL; whole && word != NULL;
         word = strtok_r(NULL, " \t", &rest)) {
        bool there = false;
        whole = il_file_scheme_append(&all, &n, word, &there);
        found |= there;
    }
    if (whole && found) {
        il_sealed_sum(all, n, sum);
    }
    free(all);
    free(words);
    return whole && found;
}
