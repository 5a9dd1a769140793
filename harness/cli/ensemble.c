/*
 * ensemble.c - the members of --ensemble, run in parallel.
 */
#include "harness/cli/ensemble.h"

#include <unistd.h>

#include "harness/base/json.h"

enum { WORKERS_MAX = 64 };

static size_t workers(size_t jobs) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    size_t most = n < 1 ? 1 : n > WORKERS_MAX ? WORKERS_MAX : (size_t)n;
    return most < jobs ? most : jobs;
}

/* After the run: the members, which write no files, and field "ensemble". */
static il_status add(void *self, json_t *record, il_error *err) {
    il_cli_ensemble *w = self;
    il_progress *progress = w->what->progress;
    il_case member = *w->what;
    member.multipliers = 0;
    member.exact = false;
    member.progress = NULL;
    member.files = (il_files){.every = 0};
    member.addition = (il_addition){.self = NULL};
    il_members members = il_ensemble_runs(w->ensemble);
    members.title = "ensemble";
    members.progress = progress != NULL ? progress->out : NULL;
    members.what = &member;
    members.workers = workers(members.n);
    if (members.progress != NULL) {
        il_progress_clear(progress);
    }
    json_t *out = NULL;
    il_status status = il_ensemble_base(w->ensemble, record, member.projection.tolerance, err);
    if (status == IL_OK) {
        status = il_members_run(&members, err);
    }
    if (status == IL_OK) {
        status = il_ensemble_json(w->ensemble, &out, err);
    }
    if (status == IL_OK) {
        il_json_set(record, "ensemble", out);
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
        il_ensemble_member(w->ensemble, 0, what);
        what->addition = (il_addition){.self = w, .add = add};
    }
    return status;
}

void il_cli_ensemble_free(il_cli_ensemble *w) {
    il_ensemble_destroy(w->ensemble);
    w->ensemble = NULL;
}
