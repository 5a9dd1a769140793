/*
 * conduct.c - runs a case: from its specification to its record and its files.
 */
#include "harness/run/conduct.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/clock.h"
#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/io/file.h"
#include "harness/io/formats/fclib_file.h"
#include "harness/io/formats/trajectory_file.h"
#include "harness/io/formats/vtk.h"
#include "harness/run/references.h"
#include "harness/run/run.h"

/* ---- files ---------------------------------------------------------------------------------- */

static il_status expect_apart(const char *a, const char *what_a, const char *b, const char *what_b,
                              il_error *err) {
    return a == NULL || b == NULL || !il_file_same(a, b)
               ? IL_OK
               : il_fail(err, IL_EINVAL, "%s and %s are the same file, '%s'; allowed: two", what_a,
                         what_b, b);
}

/* Can the files be written, and do they go together? */
static il_status check_files(const il_files *w, il_error *err) {
    il_status status = expect_apart(w->trajectory, "trajectory", w->fclib, "fclib", err);
    if (status != IL_OK) {
        return status;
    }
    if (w->trajectory != NULL) {
        status = il_trajectory_check_path(w->trajectory, err);
    }
    if (status == IL_OK && w->fclib != NULL) {
        status = il_fclib_check_path(w->fclib, err);
    }
    if (status == IL_OK && w->paraview != NULL) {
        status = il_vtk_check_path(w->paraview, err);
    }
    return status;
}

static il_status write_fclib(const il_case *c, const il_outcome *w, const char *text,
                             il_error *err) {
    char title[256];
    (void)snprintf(title, sizeof title, "%s by %s: step %zu of h = %.10g, to t = %.10g",
                   w->record.problem, w->record.scheme, w->kept.step, w->record.h, w->kept.t);
    return il_fclib_write(&w->kept, c->files.fclib, title, text, err);
}

/* An interrupted run still gives a record where writing a file takes too long: *unwritten is the
 * file's name then. */
static il_status leave_unwritten(const il_outcome *w, const char *path, const char **unwritten,
                                 il_status status) {
    if (status != IL_EINTERRUPTED || w->record.status != IL_EINTERRUPTED) {
        return status;
    }
    *unwritten = path;
    return IL_OK;
}

static il_status write_files(const il_case *c, il_outcome *w, const il_trajectory *trajectory,
                             il_error *err) {
    const il_files *files = &c->files;
    il_files *unwritten = &w->unwritten;
    il_status status = IL_OK;
    char *text = NULL; /* the record */
    if (files->trajectory != NULL || files->fclib != NULL) {
        text = il_json_text(w->json);
    }
    if (files->trajectory != NULL) {
        status = il_trajectory_write(trajectory, files->trajectory, text, err);
        status = leave_unwritten(w, files->trajectory, &unwritten->trajectory, status);
    }
    if (status == IL_OK && files->paraview != NULL) {
        status = il_vtk_write(&w->snapshots, files->paraview, err);
        status = leave_unwritten(w, files->paraview, &unwritten->paraview, status);
    }
    if (status == IL_OK && files->fclib != NULL && w->record.status == IL_OK) {
        status = write_fclib(c, w, text, err);
    }
    free(text);
    return status;
}

/* ---- constraints that become active for the first time -------------------------------------- */

static il_status begin_contacts(void *self, const il_problem *problem, size_t steps,
                                const il_state *start, il_error *err) {
    il_first_contacts *w = self;
    (void)steps;
    (void)start;
    (void)err;
    w->problem = problem;
    w->seen = il_alloc_zero(2 * problem->p, sizeof *w->seen);
    w->first = w->seen + problem->p;
    return IL_OK;
}

static il_status see_contacts(void *self, const il_watched *now, il_error *err) {
    il_first_contacts *w = self;
    const il_rows *rows = now->report->rows;
    bool any = false;
    for (size_t i = 0; i < rows->p; i++) {
        size_t id = rows->id[i];
        bool pushes = now->report->lambda[i] != 0.0 && !w->seen[id];
        w->first[id] = pushes;
        w->seen[id] |= pushes;
        any |= pushes;
    }
    if (!any) {
        return IL_OK;
    }
    il_status status =
        w->callbacks->contact(w->callbacks->self, w->problem, now->t1, now->out->q, w->first, err);
    memset(w->first, 0, w->problem->p * sizeof *w->first);
    return status;
}

/* ---- the states that a program wrote --------------------------------------------------------- */

static bool looks(const il_case *c) {
    return c->look != NULL && c->scheme->type->starts;
}

static il_status begin_states(void *self, const il_problem *problem, size_t steps,
                              const il_state *start, il_error *err) {
    il_trajectory *w = self;
    il_status status = il_trajectory_init(w, problem->d, steps + 1, err);
    if (status == IL_OK) {
        (void)il_trajectory_add(w, 0.0, start->q, start->u);
    }
    return status;
}

/* Its own velocities, not those between nodes that a trajectory has. */
static il_status see_states(void *self, const il_watched *now, il_error *err) {
    il_step_report report = *now->report;
    il_watched its = *now;
    (void)err;
    report.between = NULL;
    its.report = &report;
    il_trajectory_watch(self, &its);
    return IL_OK;
}

/* ---- progress ------------------------------------------------------------------------------- */

static const double LOOK = 0.05; /* seconds between two readings of the clock */

static il_status begin_pace(void *self, const il_problem *problem, size_t steps,
                            const il_state *start, il_error *err) {
    il_pace *p = self;
    (void)problem;
    (void)start;
    (void)err;
    p->steps = steps;
    p->look = 0;
    p->began = il_clock_seconds();
    return IL_OK;
}

static void show_pace(const il_pace *p, const il_watched *now) {
    char what[96];
    (void)snprintf(what, sizeof what, "step %zu of %zu, t = %.4g", now->n, p->steps, now->t1);
    il_progress_show(p->progress, (double)now->n / (double)p->steps, what,
                     now->n == p->steps ? "measuring" : NULL);
}

static il_status see_pace(void *self, const il_watched *now, il_error *err) {
    il_pace *p = self;
    (void)err;
    if (now->n < p->look && now->n < p->steps) {
        return IL_OK;
    }
    /* as many steps as fit at the mean pace; few at first, as the first steps are slower */
    double passed = il_clock_seconds() - p->began;
    double made = (double)now->n;
    double fit = passed > 0.0 ? LOOK * made / passed : 1.0;
    p->look = now->n + 1 + (size_t)fmin(fit, 0.125 * made);
    if (p->share != NULL) {
        *p->share = (double)now->n / (double)p->steps;
    }
    if (p->progress != NULL && il_progress_due(p->progress)) {
        show_pace(p, now);
    }
    return IL_OK;
}

/* ---- the run -------------------------------------------------------------------------------- */

enum { OWN_OBSERVERS = 5 }; /* that gather adds at most */

/* The observers: the case's own, and those that fill the members of outcome. */
static size_t gather(const il_case *c, il_outcome *w, il_observer *observers) {
    size_t n = 0;
    assert(c->nobservers <= IL_CASE_OBSERVERS_MAX);
    for (size_t k = 0; k < c->nobservers; k++) {
        observers[n++] = c->observers[k];
    }
    if (c->files.paraview != NULL) {
        w->snapshots.every = c->files.every > 0 ? c->files.every : 1;
        observers[n++] = il_snapshots_observer(&w->snapshots);
    }
    if (c->series) {
        observers[n++] = il_history_observer(&w->history);
    }
    if (looks(c)) {
        observers[n++] =
            (il_observer){.self = &w->states, .begin = begin_states, .step = see_states};
    }
    if (c->problem->callbacks != NULL && c->problem->callbacks->contact != NULL) {
        w->contacts.callbacks = c->problem->callbacks;
        observers[n++] = (il_observer){
            .self = &w->contacts, .begin = begin_contacts, .step = see_contacts, .content = true};
    }
    if (c->progress != NULL || c->share != NULL) {
        w->pace.progress = c->progress;
        w->pace.share = c->share;
        observers[n++] =
            (il_observer){.self = &w->pace, .begin = begin_pace, .step = see_pace, .content = true};
    }
    return n;
}

static il_run_spec specify(const il_case *c, il_outcome *w, const il_observer *observers,
                           size_t nobservers) {
    w->kept.step = c->files.fclib_step;
    il_run_spec spec = {.problem = c->problem->type,
                        .params = w->params,
                        .scheme = c->scheme->type,
                        .scheme_name = c->scheme->name,
                        .scheme_settings = c->scheme->settings,
                        .asked = c->asked,
                        .keep = c->files.fclib != NULL ? &w->kept : NULL};
    spec.observers = observers;
    spec.nobservers = nobservers;
    if (w->events != NULL) {
        spec.event_driven = false;
        spec.reference = il_event_driven_exact(w->events);
    }
    return spec;
}

/* A callback that failed returned NaN; its error takes precedence over the consequences. */
static void blame_callbacks(const il_callbacks *callbacks, il_record *record) {
    const il_error *why = callbacks != NULL ? callbacks->failure(callbacks->self) : NULL;
    if (why == NULL) {
        return;
    }
    record->status = why->code;
    memcpy(record->message, why->message, sizeof record->message);
    for (size_t k = 0; k < record->ndistances; k++) {
        record->distances[k].error = (il_deviation_result){NAN, NAN, NAN, NAN};
        record->distances[k].norms = il_norms_none();
    }
}

/* The same run in exact arithmetic. */
static il_status prove(const il_case *c, il_outcome *w, const il_trajectory *trajectory,
                       il_error *err) {
    il_proof_query query = {.problem = c->problem->type,
                            .params = w->params,
                            .scheme = c->scheme->type,
                            .h = c->h,
                            .horizon = c->horizon,
                            .h_text = c->h_text,
                            .horizon_text = c->horizon_text,
                            .steps = w->record.steps_done,
                            .trajectory = trajectory};
    return il_proof_run(&w->proof, &query, err);
}

/* The record and the additional outputs. */
static json_t *make_json(const il_case *c, il_outcome *w) {
    json_t *json = il_record_json(&w->record);
    if (c->reference_error != NULL) {
        il_json_set(json_object_get(json, "error"), "reference_error",
                    il_json_copy(c->reference_error));
    }
    if (w->proof.d > 0) {
        il_json_set(json, "exact", il_proof_json(&w->proof, w->record.q, w->record.u));
    }
    if (c->series) {
        il_json_set(json, "series", il_history_json(&w->history));
    }
    if (c->problem->callbacks != NULL && c->problem->callbacks->derivatives != NULL) {
        il_json_put_text(json, "derivatives",
                         c->problem->callbacks->derivatives(c->problem->callbacks->self));
    }
    il_json_set(json, "provenance", il_provenance_json(c, w->record.seconds));
    return json;
}

il_status il_case_conduct(const il_case *c, il_trajectory *trajectory, il_outcome *w,
                          il_error *err) {
    memset(w, 0, sizeof *w);
    il_observer observers[IL_CASE_OBSERVERS_MAX + OWN_OBSERVERS];
    bool keep = trajectory != NULL || c->exact || c->files.trajectory != NULL;
    trajectory = trajectory != NULL ? trajectory : &w->trajectory;
    size_t nobservers = gather(c, w, observers);
    if (c->reference_callbacks != NULL && c->reference_callbacks->begin != NULL) {
        c->reference_callbacks->begin(c->reference_callbacks->self);
    }
    il_status status = check_files(&c->files, err);
    if (status == IL_OK) {
        status = il_case_params(c, &w->params, err);
    }
    if (status == IL_OK && c->exact) {
        status = il_proof_admits(c->problem->type, c->scheme->type, err);
    }
    if (status == IL_OK && c->event_driven && !c->final_only && il_reference_keeps(c)) {
        status = il_reference_events(&w->events, c, false, err);
    }
    if (status == IL_OK) {
        il_run_spec spec = specify(c, w, observers, nobservers);
        status = il_run(&spec, &w->record, keep ? trajectory : NULL, err);
        status = status == IL_OK ? IL_OK : il_choice_verdict(c->problem, status, err);
    }
    if (status == IL_OK && w->record.status != IL_ENOMEM) {
        if (c->substitutes != NULL && c->substitutes->record != NULL) {
            c->substitutes->record(&w->record);
        }
        blame_callbacks(c->reference_callbacks, &w->record);
        blame_callbacks(c->problem->callbacks, &w->record);
    }
    if (status == IL_OK && w->record.status == IL_ENOMEM) { /* says nothing of problem or scheme */
        status = il_fail(err, IL_ENOMEM, "%s", w->record.message);
    }
    if (status != IL_OK) {
        return il_fail_with(err, status);
    }
    w->proved = c->exact && w->record.status == IL_OK;
    if (w->proved) {
        if (c->progress != NULL && il_progress_due(c->progress)) {
            il_progress_show(c->progress, NAN, "once more in exact arithmetic", NULL);
        }
        status = prove(c, w, trajectory, err);
    }
    if (status == IL_OK) {
        w->json = make_json(c, w);
    }
    if (status == IL_OK && looks(c) && w->record.status == IL_OK) {
        status = c->look(c, &w->states, w->json, err);
    }
    if (status == IL_OK && c->addition.add != NULL && w->record.status == IL_OK) {
        status = c->addition.add(c->addition.self, w->json, err);
    }
    status = status == IL_OK ? write_files(c, w, trajectory, err) : status;
    return il_fail_with(err, status);
}

void il_outcome_free(il_outcome *w) {
    json_decref(w->json);
    if (w->proved) {
        il_proof_free(&w->proof);
    }
    il_trajectory_free(&w->trajectory);
    il_trajectory_free(&w->states);
    if (w->snapshots.every > 0) {
        il_snapshots_free(&w->snapshots);
    }
    if (w->history.room > 0) {
        il_history_free(&w->history);
    }
    free(w->contacts.seen);
    if (w->kept.d > 0) {
        il_step_problem_free(&w->kept);
    }
    il_record_free(&w->record);
    if (w->events != NULL) {
        il_event_driven_destroy(w->events);
    }
    il_params_destroy(w->params);
    memset(w, 0, sizeof *w);
}

il_status il_case_run(const il_case *c, il_trajectory *trajectory, json_t **record, il_error *err) {
    il_outcome outcome;
    il_status status = il_case_conduct(c, trajectory, &outcome, err);
    *record = status == IL_OK ? json_incref(outcome.json) : NULL;
    il_outcome_free(&outcome);
    return status;
}

json_t *il_case_lost(const il_case *c, il_status status, const char *message) {
    return json_pack(
        "{s:s, s:s, s:s, s:I, s:o, s:n, s:s, s:o, s:{s:n, s:n, s:n, s:n, s:n}, s:o}", "problem",
        c->problem->type->name, "scheme", c->scheme->name, "projector", c->projector->name, "steps",
        (json_int_t)c->steps, "h", il_json_number(c->h > 0.0 ? c->h : NAN), "final", "status",
        il_status_name(status), "message", il_json_text_new(message), "error", "reference",
        "q_Linf", "u_L1", "final_q", "final_u", "provenance", il_provenance_json(c, NAN));
}
