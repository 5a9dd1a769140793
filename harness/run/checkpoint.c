/*
 * checkpoint.c - saves and restores the state of a run.
 */
#include "harness/run/checkpoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/json.h"
#include "harness/io/formats/trajectory_file.h"
#include "harness/io/store/state_file.h"
#include "harness/run/work.h"

/* The fraction of the running time that writing checkpoints may take. */
static const double SHARE = 0.02;

static void archive_state(const il_march *r, const il_state *state, il_archive *a) {
    size_t d = r->record->d;
    il_archive_bytes(a, state->q, d * sizeof *state->q);
    il_archive_bytes(a, state->u, d * sizeof *state->u);
    il_archive_bytes(a, state->gamma, r->glued * sizeof *state->gamma);
    il_contacts_archive(state->contacts, a);
}

static void archive(il_march *r, il_archive *a) {
    il_record *record = r->record;
    const il_run_spec *spec = r->spec;
    il_record_archive(record, a);
    il_archive_double(a, &r->t0);
    archive_state(r, &r->out, a);
    archive_state(r, &r->in, a);
    il_archive_double(a, &r->gap_watch.worst);
    il_archive_bytes(a, r->gap_watch.kink, sizeof r->gap_watch.kink);
    il_archive_expect(a, r->measure != NULL);
    if (r->measure != NULL) {
        il_measure_archive(r->measure, record->t, r->in.q, a);
        il_wall_forces_archive(r->walls, a);
    }
    il_archive_expect(a, record->ndistances);
    for (size_t k = 0; k < record->ndistances; k++) {
        il_deviation_archive(r->deviation[k], a);
    }
    il_archive_expect(a, spec->nobservers);
    for (size_t k = 0; k < spec->nobservers; k++) {
        spec->observers[k].archive(spec->observers[k].self, a);
    }
    il_archive_expect(a, r->trajectory != NULL);
    if (r->trajectory != NULL) {
        il_trajectory_archive(r->trajectory, a);
    }
}

static bool possible(const il_march *r) {
    const il_run_spec *spec = r->spec;
    const il_checkpoint *c = spec->checkpoint;
    bool all = c->every > 0.0 && !spec->scheme->outside && r->record->multipliers.step == 0 &&
               (spec->keep == NULL || !spec->keep->kept);
    for (size_t k = 0; all && k < spec->nobservers; k++) {
        all = spec->observers[k].archive != NULL;
    }
    return all;
}

/* The nodes so far. A failure to write them does not end the run. */
static void write_nodes(const il_march *r) {
    const il_record *record = r->record;
    if (r->spec->checkpoint->growing == NULL || r->trajectory == NULL) {
        return;
    }
    json_t *json =
        json_pack("{s:s, s:s, s:s, s:I}", "problem", record->problem, "scheme", record->scheme,
                  "status", "running", "steps", (json_int_t)record->steps);
    char *text = il_json_text(json);
    if (text != NULL) {
        (void)il_trajectory_write(r->trajectory, r->spec->checkpoint->growing, text, NULL);
    }
    free(text);
    json_decref(json);
}

/* Repeat the last step: does it give the same end? */
static il_status repeat(il_march *r, bool *same, il_error *err) {
    size_t d = r->record->d;
    il_contacts contacts = {.n = 0};
    il_step_report report = {.rows = NULL};
    double *buffer = malloc((2 * d + r->glued + 1) * sizeof *buffer);
    *same = false;
    if (buffer == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for a state of size %zu", d);
    }
    il_state out = {.q = buffer,
                    .u = buffer + d,
                    .gamma = r->glued > 0 ? buffer + 2 * d : NULL,
                    .contacts = &contacts};
    il_status status =
        r->spec->scheme->step(r->scheme, r->t0, r->record->t, &r->out, &out, &report, err);
    *same = status == IL_OK && memcmp(out.q, r->in.q, d * sizeof *out.q) == 0 &&
            memcmp(out.u, r->in.u, d * sizeof *out.u) == 0;
    il_contacts_free(&contacts);
    free(buffer);
    return status == IL_ENOMEM || status == IL_EINTERRUPTED ? status : IL_OK;
}

/* Restore the run from these bytes. */
static il_status take_in(il_march *r, il_archive *a, il_error *err) {
    archive(r, a);
    bool whole = !a->failed && a->at == a->n;
    if (a->starved) {
        return il_fail(err, IL_ENOMEM, "no memory for the state of a run");
    }
    il_status status = whole ? repeat(r, &whole, err) : IL_OK;
    if (status == IL_OK && !whole) {
        il_checkpoint_remove(r->spec->checkpoint);
        status = il_fail(err, IL_EINTERNAL,
                         "the state in '%s' did not fit its run; without it, the run begins anew",
                         r->spec->checkpoint->path);
    }
    return status;
}

il_status il_checkpoint_load(il_march *r, bool *went, il_error *err) {
    il_checkpoint *c = r->spec->checkpoint;
    il_archive a = {.loading = true};
    *went = false;
    if (!possible(r)) {
        return IL_OK;
    }
    c->due = il_clock_seconds_coarse() + c->every;
    il_status status = il_state_file_get(c->path, c->key, &a.bytes, &a.n, err);
    if (status == IL_OK && a.bytes != NULL) {
        status = take_in(r, &a, err);
        *went = status == IL_OK;
    }
    if (*went) {
        write_nodes(r);
        if (c->went != NULL) {
            c->went(c->self, r->record->steps_done);
        }
    }
    free(a.bytes);
    return status;
}

void il_checkpoint_step(il_march *r) {
    il_checkpoint *c = r->spec->checkpoint;
    if (!possible(r) || r->record->steps_done == r->record->steps) {
        return;
    }
    double began = il_clock_seconds_coarse();
    bool due = began >= c->due || (c->at > 0 && c->at == r->record->steps_done);
    if (!due || (c->holds != NULL && !c->holds(c->self))) {
        return;
    }
    il_archive a = {.loading = false};
    r->record->seconds = il_clock_seconds() - r->began;
    archive(r, &a);
    if (!a.failed && il_state_file_put(c->path, c->results, c->key, a.bytes, a.n, NULL) == IL_OK) {
        write_nodes(r);
    }
    free(a.bytes);
    double ended = il_clock_seconds_coarse();
    c->due = ended + fmax(c->every, (ended - began) / SHARE);
}

void il_checkpoint_remove(const il_checkpoint *c) {
    struct stat info;
    if (lstat(c->path, &info) == 0 && S_ISREG(info.st_mode)) {
        (void)unlink(c->path);
    }
}
