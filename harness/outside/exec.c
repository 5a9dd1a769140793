/*
 * exec.c - a program that makes the steps: it is told the problem, its lines are taken as steps,
 * and it is looked at to its end.
 */
#include "harness/outside/exec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/clock.h"
#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/outside/child.h"
#include "harness/outside/dynamics.h"
#include "harness/outside/exec_greeting.h"
#include "harness/outside/exec_line.h"
#include "harness/outside/exec_settings.h"
#include "harness/outside/file_scheme.h"

/* Seconds that a program has to end by itself after its last line; and after it closed its output,
 * until it is said to run on. */
static const double LAST_GRACE = 10.0;
static const double CLOSED_GRACE = 1.0;

typedef struct {
    const il_problem *problem;
    il_exec_settings settings;
    il_dynamics *dynamics;
    il_child child;
    il_exec_line line;
    double *between;           /* [d] */
    size_t steps;              /* made, */
    size_t given;              /* and those with impulses among them */
    bool from_start;           /* the first line is the start */
    il_said aside;             /* lines that do not begin with {, before the first step and behind
                                  the last */
    double began, first, last; /* when it was started, when the first and the last line came */
    double waited;             /* for lines behind the first */
    const char *end;           /* how it ended, where that is no failure; NULL: it did not yet */
    char how[IL_CHILD_HOW];
} program;

/* ---- failures ------------------------------------------------------------------------------- */

/* "the program 'COMMAND' WHAT WHERE", with what it said. */
static il_status blame(program *w, il_error *err, const char *what, const char *where) {
    char words[IL_SAID_WORDS];
    char aside[IL_SAID_WORDS];
    (void)il_child_await_end(&w->child, 0.0); /* what stands in its pipes */
    il_said_words(&w->child.said, "its last words", words);
    il_said_words(&w->aside, "what it wrote was no step", aside);
    return il_fail(err, IL_ESCRIPT, "the program '%.120s' %s%s%.240s%s", w->settings.command, what,
                   where, aside, words);
}

/* The step stands before what would be allowed. */
static il_status blame_step(program *w, il_error *err, const char *what) {
    char first[320];
    char where[320];
    const char *allowed = strstr(what, "; allowed: ");
    size_t n = allowed != NULL ? (size_t)(allowed - what) : strlen(what);
    (void)snprintf(first, sizeof first, "%.*s", (int)n, what);
    (void)snprintf(where, sizeof where, " in step %zu%s", w->steps + 1, what + n);
    return blame(w, err, first, where);
}

/* It writes no more, and there are steps left. */
static il_status blame_end(program *w, il_error *err) {
    (void)il_child_await_end(&w->child, CLOSED_GRACE);
    return blame_step(w, err, il_child_how(&w->child, w->how));
}

static il_status blame_silence(program *w, il_error *err) {
    char what[160];
    (void)snprintf(
        what, sizeof what,
        "wrote nothing for %.4g s (is its output flushed? patience=SECONDS waits longer)",
        w->settings.patience);
    return blame_step(w, err, what);
}

/* ---- the process ---------------------------------------------------------------------------- */

static void destroy(void *self) {
    program *w = self;
    if (w != NULL) {
        il_child_free(&w->child);
        il_dynamics_destroy(w->dynamics);
        il_exec_line_free(&w->line);
        free(w->between);
        free(w);
    }
}

static il_status create(void **self, const il_problem *problem, const il_scheme_options *options,
                        il_error *err) {
    program *w = il_alloc_zero(1, sizeof *w);
    *self = w;
    w->problem = w->line.problem = problem;
    w->child = (il_child){.report = -1, .in = -1, .out = -1, .err = -1};
    w->between = il_alloc_zero(problem->d, sizeof *w->between);
    il_status status = il_exec_settings_read(&w->settings, options->asked.settings, err);
    w->line.dense = w->settings.between == IL_BETWEEN_DENSE;
    if (status == IL_OK) {
        status = il_dynamics_create(&w->dynamics, problem, options, err);
    }
    if (status == IL_OK) {
        char *text = il_exec_greeting(problem, options);
        w->began = il_clock_seconds();
        status = il_child_start(&w->child, w->settings.command, text, w->settings.patience, err);
    }
    return status;
}

static bool is_aside(const char *text) {
    return text[strspn(text, " \t\r")] != '{';
}

static void keep_aside(program *w, const char *text) {
    if (text[strspn(text, " \t\r")] != '\0') {
        il_said_add(&w->aside, text, strlen(text));
        il_said_add(&w->aside, "\n", 1);
    }
}

/* The line of the next step. */
static il_status next_line(program *w, const char **text, il_error *err) {
    il_child_event event = IL_CHILD_LINE;
    double began = il_clock_seconds();
    il_status status = il_child_line(&w->child, &event, text, err);
    while (status == IL_OK && event == IL_CHILD_LINE && w->steps == 0 && is_aside(*text)) {
        keep_aside(w, *text);
        status = il_child_line(&w->child, &event, text, err);
    }
    if (status == IL_OK && event == IL_CHILD_LAST && w->steps == 0 && is_aside(*text)) {
        keep_aside(w, *text);
        event = IL_CHILD_END;
    }
    w->last = il_clock_seconds();
    if (w->steps == 0) {
        w->first = w->last;
    } else {
        w->waited += w->last - began;
    }
    if (status != IL_OK || event == IL_CHILD_LINE || event == IL_CHILD_LAST) {
        return status;
    }
    return event == IL_CHILD_END      ? blame_end(w, err)
           : event == IL_CHILD_SILENT ? blame_silence(w, err)
                                      : blame_step(w, err, "writes a line without an end");
}

/* ---- a step --------------------------------------------------------------------------------- */

/* The velocity on the step, where it is not that at its end. */
static void move_between(program *w, double h, const il_state *in, const il_explained *e,
                         il_step_report *report) {
    if (w->settings.between == IL_BETWEEN_DENSE) {
        report->motion = &w->line.motion;
        return;
    }
    if (w->settings.between == IL_BETWEEN_AFFINE || w->problem->order != 2) {
        return;
    }
    bool flies = w->settings.between == IL_BETWEEN_BALLISTIC;
    il_metric_solve(w->problem->mass, e->mean, w->between);
    for (size_t k = 0; k < w->problem->d; k++) {
        w->between[k] = in->u[k] + (flies ? 0.5 * h * w->between[k] : 0.0);
    }
    report->between = w->between;
}

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    program *w = self;
    size_t d = w->problem->d;
    const char *text = NULL;
    il_explained e;
    il_error why = {IL_OK, ""};
    il_status status = next_line(w, &text, err);
    if (status != IL_OK) {
        return status;
    }
    status = il_exec_line_read(&w->line, text, t1, out, &why);
    if (status != IL_OK) {
        return blame_step(w, err, why.message);
    }
    if (w->steps == 0) {
        w->from_start = memcmp(out->q, w->problem->q0, d * sizeof *out->q) == 0 &&
                        memcmp(out->u, w->problem->u0, d * sizeof *out->u) == 0;
    }
    w->steps++;
    w->given += w->line.given;
    const il_interval interval = {.t0 = t0,
                                  .t1 = t1,
                                  .q0 = in->q,
                                  .u0 = in->u,
                                  .q1 = out->q,
                                  .u1 = out->u,
                                  .given = w->line.given,
                                  .n = w->line.n,
                                  .contacts = w->line.contacts,
                                  .both_signs = w->problem->gamma0 != NULL,
                                  .force = 1.0};
    status = il_dynamics_report(w->dynamics, &interval, &e, report, err);
    if (status == IL_OK) {
        move_between(w, t1 - t0, in, &e, report);
    }
    return status;
}

/* ---- the end -------------------------------------------------------------------------------- */

static il_status blame_more(program *w, const char *text, il_error *err) {
    char what[320];
    (void)snprintf(what, sizeof what, "wrote more than %zu line%s: '%.60s'%s", w->steps,
                   w->steps == 1 ? "" : "s", text,
                   w->from_start ? "; its first line is the start, which is not to be written"
                                 : "");
    return blame(w, err, what, "");
}

/* Nothing but words aside may come behind the last step; then it has time to end, by itself and
 * well. One that runs on is ended, which the record says. */
static il_status finish(void *self, il_error *err) {
    program *w = self;
    il_child_event event = IL_CHILD_LINE;
    const char *text = NULL;
    il_status status = IL_OK;
    w->child.patience = LAST_GRACE;
    while (status == IL_OK && (event == IL_CHILD_LINE || event == IL_CHILD_LAST)) {
        status = il_child_line(&w->child, &event, &text, err);
        bool line = status == IL_OK && (event == IL_CHILD_LINE || event == IL_CHILD_LAST);
        if (line && !is_aside(text)) {
            return blame_more(w, text, err);
        }
        if (line) {
            keep_aside(w, text);
        }
    }
    if (status == IL_OK && event == IL_CHILD_ENDLESS) {
        return blame(w, err, "writes a line without an end", " after its last step");
    }
    bool ended =
        status == IL_OK && event == IL_CHILD_END && il_child_await_end(&w->child, LAST_GRACE);
    if (status == IL_OK && il_interrupted()) {
        return il_fail(err, IL_EINTERRUPTED, "%s", il_interrupt_reason());
    }
    w->end = ended ? il_child_how(&w->child, w->how)
                   : "still ran 10 s after its last line, and was ended";
    return status == IL_OK && ended && w->child.how != 0
               ? blame(w, err, w->end, " after its last step")
               : status;
}

static json_t *account(void *self) {
    program *w = self;
    json_t *object = json_object();
    json_t *times = json_object();
    double now = il_clock_seconds();
    double first = w->first > 0.0 ? w->first : now;
    double last = w->last > first ? w->last : first;
    (void)il_child_await_end(&w->child, 0.0);
    il_json_put_text(object, "command", w->settings.command);
    il_json_put_text(object, "between", il_between_name(w->settings.between));
    il_json_put_text(object, "impulses",
                     w->given == 0          ? "least residual"
                     : w->given == w->steps ? "given"
                                            : "given in some steps");
    il_json_put_text(object, "end", w->end);
    il_json_set(object, "stderr", il_said_json(&w->child.said));
    il_json_set(object, "aside", il_said_json(&w->aside));
    il_json_put(times, "start", first - w->began);
    il_json_put(times, "steps", w->waited);
    il_json_put(times, "measuring", last - first - w->waited);
    il_json_set(object, "times", times);
    return object;
}

/* ---- what it is called, and which program it is --------------------------------------------- */

static il_status read_name(const char *text, char label[IL_SCHEME_LABEL], il_error *err) {
    il_exec_settings settings;
    il_status status = il_exec_settings_read(&settings, text, err);
    memcpy(label, settings.name, IL_SCHEME_LABEL);
    return status;
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
    .read = read_name,
    .create = create,
    .step = step,
    .finish = finish,
    .account = account,
    .destroy = destroy};

/* The bytes of files that words of text name, behind the *n of *all; false where one is too large,
 * and, where all of them must be there, where one is not. */
static bool append_files(const char *text, bool strict, char **all, size_t *n, bool *found) {
    char *words = il_alloc_text(text);
    char *rest = NULL;
    bool whole = true;
    for (char *word = strtok_r(words, " \t", &rest); whole && word != NULL;
         word = strtok_r(NULL, " \t", &rest)) {
        bool there = false;
        whole = il_file_scheme_append(all, n, word, &there) && (there || !strict);
        *found |= there;
    }
    free(words);
    return whole;
}

bool il_exec_sum(const char *text, char sum[IL_SEALED_SUM]) {
    il_exec_settings settings;
    char *all = il_alloc_text(text);
    size_t n = strlen(text);
    bool found = false;
    bool whole = il_exec_settings_read(&settings, text, NULL) == IL_OK &&
                 append_files(settings.command, false, &all, &n, &found) &&
                 append_files(settings.files, true, &all, &n, &found);
    found = found || (whole && settings.versioned);
    if (whole && found) {
        il_sealed_sum(all, n, sum);
    }
    free(all);
    return whole && found;
}

bool il_exec_is_versioned(const char *text) {
    il_exec_settings settings;
    return il_exec_settings_read(&settings, text, NULL) == IL_OK &&
           (settings.versioned || settings.files[0] != '\0');
}
