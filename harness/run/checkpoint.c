/*
 * checkpoint.c - the state of a run, gathered and given back.
 */
#include "harness/run/checkpoint.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "harness/io/state_file.h"

/* Of the seconds between two states, what writing one may take. */
static const double SHARE = 0.02;

static void archive(const il_run_state *run, il_archive *a) {
    il_record *record = run->record;
    il_record_archive(record, a);
    il_archive_bytes(a, run->state->q, run->d * sizeof *run->state->q);
    il_archive_bytes(a, run->state->u, run->d * sizeof *run->state->u);
    il_archive_bytes(a, run->state->gamma, run->glued * sizeof *run->state->gamma);
    il_contacts_archive(run->state->contacts, a);
    il_archive_double(a, &run->gap_watch->worst);
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
    bool all = c != NULL && c->every > 0.0 && run->record->multipliers.step == 0;
    for (size_t k = 0; all && k < run->nobservers; k++) {
        all = run->observers[k].archive != NULL;
    }
    return all;
}

/* Good to some milliseconds, and cheap: it is asked in every step. */
static double now(void) {
    struct timespec t = {0};
    (void)clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

il_status il_checkpoint_load(il_checkpoint *c, const il_run_state *run, bool *went, il_error *err) {
    il_archive a = {.loading = true};
    *went = false;
    if (!possible(c, run)) {
        return IL_OK;
    }
    c->due = now() + c->every;
    il_status status = il_state_file_get(c->path, c->key, &a.bytes, &a.n, err);
    if (status == IL_OK && a.bytes != NULL) {
        archive(run, &a);
        bool whole = !a.failed && a.at == a.n;
        status = whole ? IL_OK
                 : a.starved
                     ? il_fail(err, IL_ENOMEM, "no memory for the state of a run")
                     : il_fail(err, IL_EINTERNAL,
                               "the state in '%s' does not fit its run: remove it", c->path);
        *went = whole;
        if (whole && c->went != NULL) {
            c->went(c->self, run->record->steps_done);
        }
    }
    free(a.bytes);
    return status;
}

void il_checkpoint_step(il_checkpoint *c, const il_run_state *run, double seconds) {
    if (!possible(c, run)) {
        return;
    }
    double began = now();
    bool due = began >= c->due || (c->at > 0 && c->at == run->record->steps_done);
    if (!due || (c->holds != NULL && !c->holds(c->self))) {
        return;
    }
    il_archive a = {.loading = false};
    run->record->seconds = seconds;
    archive(run, &a);
    if (!a.failed) {
        (void)il_state_file_put(c->path, c->key, a.bytes, a.n, NULL);
    }
    free(a.bytes);
    double ended = now();
    c->due = ended + fmax(c->every, (ended - began) / SHARE);
}

void il_checkpoint_remove(const il_checkpoint *c) {
    (void)unlink(c->path);
}
