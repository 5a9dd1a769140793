/*
 * checkpoint.c - the state of a run, gathered and given back.
 */
#include "harness/run/checkpoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/io/store/state_file.h"

/* Of the seconds between two states, what writing one may take. */
static const double SHARE = 0.02;

static void archive_state(const il_run_state *run, const il_state *state, il_archive *a) {
    il_archive_bytes(a, state->q, run->d * sizeof *state->q);
    il_archive_bytes(a, state->u, run->d * sizeof *state->u);
    il_archive_bytes(a, state->gamma, run->glued * sizeof *state->gamma);
    il_contacts_archive(state->contacts, a);
}

static void archive(il_run_state *run, il_archive *a) {
    il_record *record = run->record;
    il_record_archive(record, a);
    il_archive_double(a, &run->t0);
    archive_state(run, run->before, a);
    archive_state(run, run->state, a);
    il_archive_double(a, &run->gap_watch->worst);
    il_archive_bytes(a, run->gap_watch->kink, sizeof run->gap_watch->kink);
    il_archive_expect(a, run->measure != NULL);
    if (run->measure != NULL) {
        il_measure_archive(run->measure, record->t, run->state->q, a);
        il_wall_forces_archive(run->walls, a);
    }
    il_archive_expect(a, record->ndistances);
    for (size_t k = 0; k < record->ndistances; k++) {
        il_deviation_archive(run->deviation[k], a);
    }
    il_archive_expect(a, run->nobservers);
    for (size_t k = 0; k < run->nobservers; k++) {
        run->observers[k].archive(run->observers[k].self, a);
    }
    il_archive_expect(a, run->trajectory != NULL);
    if (run->trajectory != NULL) {
        il_trajectory_archive(run->trajectory, a);
    }
}

static bool possible(const il_checkpoint *c, const il_run_state *run) {
    bool all = c != NULL && c->every > 0.0 && run->record->multipliers.step == 0 &&
               (run->keep == NULL || !run->keep->kept);
    for (size_t k = 0; all && k < run->nobservers; k++) {
        all = run->observers[k].archive != NULL;
    }
    return all;
}

/* Make the last step once more: to the same end? */
static il_status repeat(const il_run_state *run, bool *same, il_error *err) {
    size_t d = run->d;
    il_contacts contacts = {.n = 0};
    il_step_report report = {.rows = NULL};
    double *buffer = malloc((2 * d + run->glued + 1) * sizeof *buffer);
    *same = false;
    if (buffer == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for a state of size %zu", d);
    }
    il_state out = {.q = buffer,
                    .u = buffer + d,
                    .gamma = run->glued > 0 ? buffer + 2 * d : NULL,
                    .contacts = &contacts};
    il_status status =
        run->scheme->step(run->self, run->t0, run->record->t, run->before, &out, &report, err);
    *same = status == IL_OK && memcmp(out.q, run->state->q, d * sizeof *out.q) == 0 &&
            memcmp(out.u, run->state->u, d * sizeof *out.u) == 0;
    il_contacts_free(&contacts);
    free(buffer);
    return status == IL_ENOMEM || status == IL_EINTERRUPTED ? status : IL_OK;
}

/* The state in bytes, into the run. */
static il_status take_in(const il_checkpoint *c, il_run_state *run, il_archive *a, il_error *err) {
    archive(run, a);
    bool whole = !a->failed && a->at == a->n;
    if (a->starved) {
        return il_fail(err, IL_ENOMEM, "no memory for the state of a run");
    }
    il_status status = whole ? repeat(run, &whole, err) : IL_OK;
    if (status == IL_OK && !whole) {
        il_checkpoint_remove(c);
        status = il_fail(err, IL_EINTERNAL,
                         "the state in '%s' did not fit its run; without it, the run begins anew",
                         c->path);
    }
    return status;
}

il_status il_checkpoint_load(il_checkpoint *c, il_run_state *run, bool *went, il_error *err) {
    il_archive a = {.loading = true};
    *went = false;
    if (!possible(c, run)) {
        return IL_OK;
    }
    c->due = il_clock_seconds_coarse() + c->every;
    il_status status = il_state_file_get(c->path, c->key, &a.bytes, &a.n, err);
    if (status == IL_OK && a.bytes != NULL) {
        status = take_in(c, run, &a, err);
        *went = status == IL_OK;
        if (*went && c->left != NULL) {
            c->left(c->files, run);
        }
        if (*went && c->went != NULL) {
            c->went(c->self, run->record->steps_done);
        }
    }
    free(a.bytes);
    return status;
}

void il_checkpoint_step(il_checkpoint *c, il_run_state *run, double t0) {
    if (!possible(c, run) || run->record->steps_done == run->record->steps) {
        return;
    }
    double began = il_clock_seconds_coarse();
    bool due = began >= c->due || (c->at > 0 && c->at == run->record->steps_done);
    if (!due || (c->holds != NULL && !c->holds(c->self))) {
        return;
    }
    il_archive a = {.loading = false};
    run->t0 = t0;
    run->record->seconds = run->seconds + il_patience_passed(run->patience);
    archive(run, &a);
    bool left =
        !a.failed && il_state_file_put(c->path, c->results, c->key, a.bytes, a.n, NULL) == IL_OK;
    free(a.bytes);
    if (left && c->left != NULL) {
        c->left(c->files, run);
    }
    double ended = il_clock_seconds_coarse();
    c->due = ended + fmax(c->every, (ended - began) / SHARE);
}

void il_checkpoint_remove(const il_checkpoint *c) {
    struct stat info;
    if (lstat(c->path, &info) == 0 && S_ISREG(info.st_mode)) {
        (void)unlink(c->path);
    }
}
