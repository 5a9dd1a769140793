/*
 * conduct.c - a case from its specification to its record and its files.
 */
#include "harness/run/conduct.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/io/file.h"
#include "harness/io/formats/fclib_file.h"
#include "harness/io/formats/growing.h"
#include "harness/io/formats/trajectory_file.h"
#include "harness/io/formats/vtk.h"
#include "harness/run/checkpoint.h"
#include "harness/run/provenance.h"
#include "harness/run/record_json.h"
#include "harness/run/references.h"
#include "harness/run/run.h"

/* ---- files ---------------------------------------------------------------------------------- */

/* Do FILE.pvd's folder FILE and the frames' go by one name? */
static bool same_folder(const char *paraview, const char *frames) {
    size_t n = strlen(paraview) - strlen(".pvd");
    return strncmp(paraview, frames, n) == 0 && frames[n + strspn(frames + n, "/")] == '\0';
}

static il_status expect_apart(const char *a, const char *what_a, const char *b, const char *what_b,
                              il_error *err) {
    return a == NULL || b == NULL || !il_file_same(a, b)
               ? IL_OK
               : il_fail(err, IL_EINVAL, "%s and %s are the same file, '%s'; allowed: two", what_a,
                         what_b, b);
}

il_status il_files_check(const il_files *w, il_error *err) {
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
    if (status == IL_OK && w->frames != NULL) {
        status = il_movie_check(w->frames, err);
    }
    if (status == IL_OK && w->paraview != NULL && w->frames != NULL &&
        same_folder(w->paraview, w->frames)) {
        status =
            il_fail(err, IL_EINVAL, "frames and paraview both need the folder '%s'", w->frames);
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

/* A run that was interrupted has a record all the same where a file of it takes too long:
 * *unwritten is its name then. */
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
        status = text != NULL ? IL_OK : il_fail(err, IL_ENOMEM, "no memory for the record");
    }
    if (status == IL_OK && files->trajectory != NULL) {
        status = il_trajectory_write(trajectory, files->trajectory, text, err);
        status = leave_unwritten(w, files->trajectory, &unwritten->trajectory, status);
    }
    if (status == IL_OK && files->paraview != NULL) {
        status = il_vtk_write(&w->snapshots, files->paraview, err);
        status = leave_unwritten(w, files->paraview, &unwritten->paraview, status);
    }
    if (status == IL_OK && files->frames != NULL) {
        status = il_movie_write(&w->snapshots, files->color, files->frames, c->progress, err);
        status = leave_unwritten(w, files->frames, &unwritten->frames, status);
    }
    if (status == IL_OK && files->fclib != NULL && w->record.status == IL_OK) {
        status = write_fclib(c, w, text, err);
    }
    free(text);
    return status;
}

typedef struct {
    const il_case *c;
    il_growing growing;
} growth;

/* The nodes so far, beside a state that the run has left or goes on from. That they cannot be
 * written is no reason to end it. */
static void write_so_far(void *files, const il_run_state *run) {
    growth *w = files;
    json_t *json =
        json_pack("{s:s, s:s, s:s, s:I}", "problem", w->c->problem->type->name, "scheme",
                  w->c->scheme->name, "status", "running", "steps", (json_int_t)run->record->steps);
    char *text = il_json_text(json);
    json_decref(json);
    if (text != NULL && run->trajectory != NULL) {
        (void)il_growing_follow(&w->growing, run->trajectory, text, NULL);
    }
    free(text);
}

/* A trajectory grows where states are left. */
static il_status begin_growth(const il_case *c, growth *w, il_error *err) {
    const il_files *files = &c->files;
    *w = (growth){.c = c};
    if (c->checkpoint == NULL) {
        return IL_OK;
    }
    const char *state = c->checkpoint->path;
    il_status status = expect_apart(state, "checkpoint", files->fclib, "fclib", err);
    if (status == IL_OK) {
        status = expect_apart(state, "checkpoint", files->paraview, "paraview", err);
    }
    if (status != IL_OK || files->trajectory == NULL) {
        return status;
    }
    status = expect_apart(state, "checkpoint", files->trajectory, "trajectory", err);
    if (status == IL_OK) {
        status = il_growing_open(&w->growing, files->trajectory, err);
    }
    if (status == IL_OK) {
        status =
            expect_apart(state, "checkpoint", w->growing.path, "what the trajectory grows in", err);
    }
    if (status == IL_OK) {
        c->checkpoint->left = write_so_far;
        c->checkpoint->files = w;
    }
    return status;
}

static void end_growth(growth *w, bool written) {
    if (written) {
        il_growing_remove(&w->growing);
    }
    if (w->c->checkpoint != NULL && w->c->checkpoint->files == w) {
        w->c->checkpoint->left = NULL;
        w->c->checkpoint->files = NULL;
    }
    il_growing_close(&w->growing);
}

/* ---- the run -------------------------------------------------------------------------------- */

enum { OWN_OBSERVERS = 4 }; /* that gather adds at most */

/* Those who watch: the case's own, and those that fill what outcome keeps. */
static size_t gather(const il_case *c, il_outcome *w, il_observer *observers) {
    size_t n = 0;
    assert(c->nobservers <= IL_CASE_OBSERVERS_MAX);
    for (size_t k = 0; k < c->nobservers; k++) {
        observers[n++] = c->observers[k];
    }
    if (c->files.paraview != NULL || c->files.frames != NULL) {
        w->snapshots.every = c->files.every > 0 ? c->files.every : 1;
        observers[n++] = il_snapshots_observer(&w->snapshots);
    }
    if (c->series) {
        observers[n++] = il_history_observer(&w->history);
    }
    if (c->problem->callbacks != NULL && c->problem->callbacks->contact != NULL) {
        w->contacts.callbacks = c->problem->callbacks;
        observers[n++] = il_first_contacts_observer(&w->contacts);
    }
    if (c->progress != NULL || c->share != NULL) {
        w->pace.progress = c->progress;
        w->pace.share = c->share;
        observers[n++] = il_pace_observer(&w->pace);
    }
    return n;
}

static il_run_spec specify(const il_case *c, il_outcome *w, const il_observer *observers,
                           size_t nobservers) {
    w->kept.step = c->files.fclib_step;
    return (il_run_spec){.problem = c->problem->type,
                         .params = w->params,
                         .scheme = c->scheme->type,
                         .scheme_name = c->scheme->name,
                         .scheme_settings = c->scheme->settings,
                         .projector = c->projector,
                         .projection = c->projection,
                         .accept_stalled = c->accept_stalled,
                         .threads = c->threads,
                         .seed = c->seed,
                         .has_seed = c->has_seed,
                         .steps = c->steps,
                         .h = c->h,
                         .horizon = c->horizon,
                         .samples = c->samples,
                         .nsamples = c->nsamples,
                         .loads = c->loads,
                         .observers = observers,
                         .nobservers = nobservers,
                         .patience = c->patience,
                         .final_only = c->final_only,
                         .event_driven = c->event_driven && w->events == NULL,
                         .multipliers = c->multipliers,
                         .reference =
                             w->events != NULL ? il_event_driven_exact(w->events) : c->reference,
                         .reference_run = c->reference_run,
                         .norms = c->norms,
                         .checkpoint = c->checkpoint,
                         .keep = c->files.fclib != NULL ? &w->kept : NULL};
}

/* A callback that failed made NaN of a number: whatever came of that, its author is to blame. */
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

/* The record, and beside it what was made besides. */
static il_status make_json(const il_case *c, il_outcome *w, il_error *err) {
    il_json b = {false};
    json_t *json = il_record_json(&w->record, w->params);
    if (c->reference_error != NULL) {
        il_json_set(&b, json_object_get(json, "error"), "reference_error",
                    il_json_copy(c->reference_error));
    }
    if (w->proof.d > 0) {
        il_json_set(&b, json, "exact", il_proof_json(&w->proof, w->record.q, w->record.u));
    }
    if (c->series) {
        il_json_set(&b, json, "series", il_history_json(&w->history));
    }
    if (c->problem->callbacks != NULL && c->problem->callbacks->derivatives != NULL) {
        il_json_put_text(&b, json, "derivatives",
                         c->problem->callbacks->derivatives(c->problem->callbacks->self));
    }
    il_json_set(&b, json, "provenance", il_provenance_json(c, w->record.seconds));
    w->json = il_json_done(&b, json);
    return w->json != NULL ? IL_OK : il_fail(err, IL_ENOMEM, "no memory for the record");
}

/* As il_case_conduct, but for the file that grows. */
static il_status conduct(const il_case *c, il_trajectory *trajectory, il_outcome *w,
                         il_error *err) {
    il_observer observers[IL_CASE_OBSERVERS_MAX + OWN_OBSERVERS];
    bool keep = trajectory != NULL || c->exact || c->files.trajectory != NULL;
    trajectory = trajectory != NULL ? trajectory : &w->trajectory;
    size_t nobservers = gather(c, w, observers);
    if (c->reference_callbacks != NULL && c->reference_callbacks->begin != NULL) {
        c->reference_callbacks->begin(c->reference_callbacks->self);
    }
    il_status status = il_files_check(&c->files, err);
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
        return il_told(err, status);
    }
    if (c->exact && w->record.status == IL_OK) {
        if (c->progress != NULL && il_progress_due(c->progress)) {
            il_progress_show(c->progress, NAN, NAN, "once more in exact arithmetic", NULL);
        }
        status = prove(c, w, trajectory, err);
    }
    if (status == IL_OK) {
        status = make_json(c, w, err);
    }
    if (status == IL_OK && c->addition.add != NULL && w->record.status == IL_OK) {
        status = c->addition.add(c->addition.self, w->json, err);
    }
    status = status == IL_OK ? write_files(c, w, trajectory, err) : status;
    return il_told(err, status);
}

il_status il_case_conduct(const il_case *c, il_trajectory *trajectory, il_outcome *w,
                          il_error *err) {
    growth grows;
    memset(w, 0, sizeof *w);
    il_status status = begin_growth(c, &grows, err);
    status = status == IL_OK ? conduct(c, trajectory, w, err) : status;
    end_growth(&grows, status == IL_OK && w->unwritten.trajectory == NULL);
    return status;
}

void il_outcome_free(il_outcome *w) {
    json_decref(w->json);
    il_proof_free(&w->proof);
    il_trajectory_free(&w->trajectory);
    il_snapshots_free(&w->snapshots);
    il_history_free(&w->history);
    il_first_contacts_free(&w->contacts);
    il_step_problem_free(&w->kept);
    il_record_free(&w->record);
    il_event_driven_destroy(w->events);
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
    return json_pack("{s:s, s:s, s:s, s:I, s:o, s:n, s:s, s:s, s:{s:n, s:n, s:n, s:n, s:n}, s:o}",
                     "problem", c->problem->type->name, "scheme", c->scheme->name, "projector",
                     c->projector->name, "steps", (json_int_t)c->steps, "h",
                     il_json_number(c->h > 0.0 ? c->h : NAN), "final", "status",
                     il_status_name(status), "message", message, "error", "reference", "q_Linf",
                     "u_L1", "final_q", "final_u", "provenance", il_provenance_json(c, NAN));
}
