/*
 * ensemble.c - the members of --ensemble, run in parallel.
 */
#include "harness/cli/ensemble.h"

#include <stdio.h>
#include <unistd.h>

#include "harness/base/json.h"
#include "harness/io/workers/jobs.h"
#include "harness/io/workers/pool.h"
#include "harness/run/conduct.h"

enum { WORKERS_MAX = 64 };

/* ---- members -------------------------------------------------------------------------------- */

typedef struct {
    il_ensemble *ensemble;
    const il_case *what;
    il_jobs *jobs; /* shows how far they are; or NULL */
} members;

/* In a worker: member `job` + 1. */
static char *work(void *data, size_t job) {
    const members *c = data;
    il_observer observer = il_ensemble_observer(c->ensemble, job + 1);
    il_choice problem = *c->what->problem;
    il_case member = *c->what;
    json_t *json = NULL;
    il_error err = {IL_OK, ""};
    problem.type = il_ensemble_problem(c->ensemble, job + 1);
    member.problem = &problem;
    member.observers = &observer;
    member.nobservers = 1;
    member.multipliers = 0;
    member.exact = false;
    member.progress = NULL;
    member.share = il_jobs_begin(c->jobs, job);
    member.files = (il_files){.every = 0};
    member.addition = (il_addition){.self = NULL};
    if (il_case_run(&member, NULL, &json, &err) == IL_ENOMEM) {
        return NULL;
    }
    json_t *packed = il_ensemble_pack(c->ensemble, job + 1, json, err.message);
    char *text = packed != NULL ? il_json_text(packed) : NULL;
    json_decref(packed);
    json_decref(json);
    return text;
}

static il_status receive(void *data, size_t job, const char *text, const il_pool_loss *loss,
                         il_error *err) {
    members *c = data;
    json_t *packed = NULL;
    if (text != NULL && il_json_parse(text, &packed, err) == IL_ENOMEM) {
        return IL_ENOMEM;
    }
    il_jobs_end(c->jobs, job);
    if (packed == NULL) {
        return il_fail(err, IL_EINTERNAL, "member %zu of the ensemble is lost: %s", job + 1,
                       loss->why);
    }
    il_status status = il_ensemble_take(c->ensemble, job + 1, packed, err);
    json_decref(packed);
    return status;
}

static void tick(void *data) {
    const members *c = data;
    il_jobs_show(c->jobs, "", NULL, NULL);
}

static size_t workers(size_t jobs) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    size_t most = n < 1 ? 1 : n > WORKERS_MAX ? WORKERS_MAX : (size_t)n;
    return most < jobs ? most : jobs;
}

/* After the run: the members, and field "ensemble". */
static il_status add(void *self, json_t *record, il_error *err) {
    il_cli_ensemble *w = self;
    members c = {.ensemble = w->ensemble, .what = w->what};
    size_t jobs = il_ensemble_count(w->ensemble) - 1;
    FILE *waiting = w->what->progress != NULL ? w->what->progress->out : NULL;
    if (waiting != NULL) {
        il_progress_clear(w->what->progress);
    }
    c.jobs = il_jobs_create(waiting, "ensemble", jobs, 1, workers(jobs));
    il_pool pool = {.workers = workers(jobs),
                    .jobs = jobs,
                    .work = work,
                    .receive = receive,
                    .tick = tick,
                    .data = &c};
    json_t *out = NULL;
    il_status status = il_ensemble_base(w->ensemble, record, w->what->projection.tolerance, err);
    if (status == IL_OK) {
        status = il_pool_run(&pool, err);
    }
    il_jobs_destroy(c.jobs);
    if (status == IL_OK) {
        status = il_ensemble_json(w->ensemble, &out, err);
    }
    il_json b = {false};
    if (status == IL_OK) {
        il_json_set(&b, record, "ensemble", out);
    }
    if (b.failed) {
        status = il_fail(err, IL_ENOMEM, "no memory for a record");
    }
    return status;
}

il_status il_cli_ensemble_begin(il_cli_ensemble *w, il_case *what, il_error *err) {
    double perturb = what->perturb;
    *w = (il_cli_ensemble){.what = what};
    if (what->ensemble == 0) {
        return IL_OK;
    }
    il_status status = il_ensemble_check("--ensemble", (double)what->ensemble, "--perturb",
                                         perturb > 0.0 ? &perturb : NULL, err);
    if (status == IL_OK) {
        status =
            il_ensemble_create(&w->ensemble, what->problem->type, what->ensemble, perturb, err);
    }
    if (status == IL_OK) {
        w->observer = il_ensemble_observer(w->ensemble, 0);
        what->observers = &w->observer;
        what->nobservers = 1;
        what->addition = (il_addition){.self = w, .add = add};
    }
    return status;
}

void il_cli_ensemble_free(il_cli_ensemble *w) {
    il_ensemble_destroy(w->ensemble);
    w->ensemble = NULL;
}
