/*
 * limits_run.c - the runs that limits are judged by: jobs of a pool.
 *
 * Workers leave each run's nodes in RESULTS/references and its record among the cases, until the
 * study is stored as a whole: one that was ended goes on where it was. Where nothing is stored, or
 * functions of the script decide, runs are made one after the other, and nothing is left.
 */
#include <stdlib.h>

#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/io/workers/pool.h"
#include "harness/lua/limits/limits.h"
#include "harness/lua/sweep/kept.h"
#include "harness/lua/sweep/notice.h"
#include "harness/run/stored.h"

static const char CALL[] = "sweep:limits";

static il_case case_of(const il_lua_limits *w, size_t k) {
    il_case c = il_sweep_case(w->sweep, w->cases[k]);
    c.final_only = false;
    return c;
}

/* ---- one after the other -------------------------------------------------------------------- */

static void run_here(lua_State *L, il_lua_limits *w, il_trajectory *traj) {
    for (size_t k = 0; k < w->n; k++) {
        il_error err = {IL_OK, ""};
        il_case c = case_of(w, k);
        il_status status = il_case_run(&c, &traj[k], &w->records[k], &err);
        if (status == IL_OK && il_interrupted()) {
            status = il_fail(&err, IL_EINTERRUPTED, "%s", il_interrupt_reason());
        }
        if (status == IL_ENOMEM || status == IL_EINTERRUPTED || status == IL_ETOOLONG) {
            il_lua_raise(L, CALL, &err);
        }
    }
}

/* ---- in a pool ------------------------------------------------------------------------------ */

typedef struct {
    il_lua_context *context;
    il_lua_limits *w;
} study;

static char *work(void *data, size_t k) {
    const study *s = data;
    il_error err = {IL_OK, ""};
    il_case c = case_of(s->w, k);
    il_trajectory run = {.d = 0};
    json_t *record = NULL;
    char *key = NULL;
    il_status status = il_case_run(&c, &run, &record, &err);
    if (status == IL_OK && il_record_went_well(record)) {
        status = il_case_key(&c, &key, &err);
        status = status == IL_OK ? il_kept_run_put(s->context, key, &run, record, &err) : status;
    }
    if (status != IL_OK) {
        json_decref(record);
        record = status != IL_ENOMEM ? il_case_lost(&c, status, err.message) : NULL;
    }
    char *text = il_json_text(record);
    json_decref(record);
    il_trajectory_free(&run);
    free(key);
    return text;
}

/* The lease of case k goes back. */
static void give(const study *s, const char *key) {
    char name[IL_STORE_NAME];
    il_store_key_name(key, name);
    il_leases_give(s->context->leases, name);
}

static il_status receive(void *data, size_t k, const char *text, const il_pool_loss *loss,
                         il_error *err) {
    const study *s = data;
    il_case c = case_of(s->w, k);
    char *key = NULL;
    json_t **record = &s->w->records[k];
    il_status status = text != NULL ? il_json_parse(text, record, err) : IL_OK;
    static const il_status ends[] = {IL_EIO, IL_ETOOLONG}; /* nowhere to keep it; not asked for */
    for (size_t i = 0; status == IL_OK && i < sizeof ends / sizeof ends[0]; i++) {
        if (il_execution_has_status(*record, ends[i])) {
            status =
                il_fail(err, ends[i], "%s", json_string_value(json_object_get(*record, "message")));
        }
    }
    if (status == IL_OK && *record == NULL) {
        *record = il_case_lost(&c, IL_ECRASHED, loss->why);
        status = *record != NULL ? IL_OK : il_fail(err, IL_ENOMEM, "no memory for a record");
    }
    if (status == IL_OK) {
        status = il_case_key(&c, &key, err);
    }
    if (status == IL_OK && il_record_went_well(*record)) {
        status = il_store_put(s->context->store, key, *record, err);
    }
    if (status == IL_OK) {
        give(s, key);
    }
    free(key);
    return status;
}

/* Both the record and the nodes are stored. */
static il_status look(const study *s, size_t k, const char *key, bool *there, il_error *err) {
    il_trajectory run = {.d = 0};
    json_t **record = &s->w->records[k];
    il_status status = il_kept_run_get(s->context, key, &run, there, err);
    if (status == IL_OK && *there) {
        status = il_store_find(s->context->store, key, il_stored_judge, record, err);
        *there = *record != NULL;
    }
    il_trajectory_free(&run);
    return status;
}

static il_status take(void *data, size_t k, il_pool_turn *turn, il_error *err) {
    const study *s = data;
    il_case c = case_of(s->w, k);
    char name[IL_STORE_NAME];
    char holder[IL_LEASE_HOLDER];
    char *key = NULL;
    bool ours = true;
    bool there = false;
    il_status status = il_case_key(&c, &key, err);
    if (status == IL_OK) {
        il_store_key_name(key, name);
        status = il_leases_take(s->context->leases, name, c.problem->label, &ours, holder, err);
    }
    if (status == IL_OK && ours && !s->context->options->fresh) {
        status = look(s, k, key, &there, err);
    }
    if (status == IL_OK && there) {
        give(s, key);
    }
    *turn = !ours ? IL_POOL_ELSEWHERE : there ? IL_POOL_DONE : IL_POOL_RUN;
    free(key);
    return status;
}

static void tick(void *data) {
    const study *s = data;
    il_leases_refresh(s->context->leases);
}

static void run_in_pool(lua_State *L, il_lua_limits *w, il_trajectory *traj) {
    il_error err = {IL_OK, ""};
    study s = {.context = il_lua_context_of(L), .w = w};
    size_t workers = s.context->options->workers > 0 ? s.context->options->workers : 1;
    il_pool pool = {.workers = workers < w->n ? workers : w->n,
                    .jobs = w->n,
                    .take = take,
                    .work = work,
                    .receive = receive,
                    .tick = tick,
                    .data = &s};
    il_status status = il_pool_run(&pool, &err);
    for (size_t k = 0; status == IL_OK && k < w->n; k++) {
        il_case c = case_of(w, k);
        char *key = NULL;
        bool found = true;
        if (il_record_went_well(w->records[k])) {
            status = il_case_key(&c, &key, &err);
            status =
                status == IL_OK ? il_kept_run_get(s.context, key, &traj[k], &found, &err) : status;
        }
        if (status == IL_OK && !found) {
            status = il_fail(&err, IL_EIO, "a run is no longer where it was stored");
        }
        free(key);
    }
    il_lua_expect(L, CALL, status, &err);
}

/* ---- all ------------------------------------------------------------------------------------ */

static bool pooled(const il_lua_context *context, const il_lua_limits *w) {
    bool can = context->store != NULL;
    for (size_t k = 0; can && k < w->n; k++) {
        il_case c = case_of(w, k);
        can = c.problem->callbacks == NULL && c.scheme->functions == NULL;
    }
    return can;
}

void il_lua_limits_run(lua_State *L, il_lua_limits *w, il_trajectory *traj) {
    il_lua_context *context = il_lua_context_of(L);
    size_t kept = 0;
    context->L = L;
    if (pooled(context, w)) {
        run_in_pool(L, w, traj);
    } else {
        run_here(L, w, traj);
    }
    for (size_t k = 0; k < w->n; k++) { /* those that failed are left out and counted */
        json_t *record = w->records[k];
        il_trajectory run = traj[k];
        bool well = il_record_went_well(record);
        w->records[k] = NULL;
        traj[k] = (il_trajectory){.d = 0};
        if (!well) {
            w->failed++;
            json_decref(record);
            il_trajectory_free(&run);
            continue;
        }
        w->records[kept] = record;
        traj[kept] = run;
        w->cases[kept++] = w->cases[k];
    }
    w->n = kept;
}

void il_lua_limits_forget_runs(lua_State *L, const il_lua_limits *w) {
    const il_lua_context *context = il_lua_context_of(L);
    for (size_t k = 0; pooled(context, w) && k < w->n; k++) {
        il_case c = case_of(w, k);
        il_error err = {IL_OK, ""};
        char *key = NULL;
        il_status status = il_case_key(&c, &key, &err);
        if (key != NULL) {
            status = il_kept_run_remove(context, key, &err);
        }
        free(key);
        il_lua_expect(L, CALL, status, &err);
    }
}
