/*
 * members.c - many runs of one case on forked workers, with what a function of the script makes of
 * each.
 *
 * Runs are handed out in their order and put back in their places: what comes back does not depend
 * on how many workers there are. The function runs in the worker, on a copy of the script's state;
 * what it changes there is lost, what it returns crosses as a plain value (value.h).
 */
#include <lauxlib.h>
#include <stdlib.h>

#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/io/workers/pool.h"
#include "harness/lua/base/record.h"
#include "harness/lua/study/ensemble.h"

/* ---- in a worker ---------------------------------------------------------------------------- */

typedef struct {
    il_lua_members *m;
    size_t k;
    json_t *record, *of;
    il_status status;
    il_error err;
} job;

/* Called inside pcall with a job: run, and ask the script's function. */
static int run_member(lua_State *L) {
    job *j = lua_touserdata(L, 1);
    il_lua_members *m = j->m;
    il_case c = *m->c;
    m->member(m->data, j->k, &c);
    c.share = il_jobs_begin(m->jobs, j->k);
    il_trajectory *trajectory = il_lua_push_trajectory(L);
    int handle = lua_gettop(L);
    j->status = il_case_run(&c, m->trajectory ? trajectory : NULL, &j->record, &j->err);
    if (j->status != IL_OK || m->of == 0) {
        return 0;
    }
    lua_pushvalue(L, 2); /* the function */
    il_lua_push_json(L, j->record);
    if (m->trajectory) {
        lua_pushvalue(L, handle);
        lua_setfield(L, -2, "trajectory");
    }
    lua_call(L, 1, 1);
    j->of = il_lua_value_take(L, -1, &j->err);
    if (j->of == NULL) {
        return luaL_error(L, "%s: what 'of' returned cannot cross from a worker: %s", m->call,
                          j->err.message);
    }
    return 0;
}

static void put_text(il_json *w, json_t *object, const char *key, const char *text) {
    il_json_put_text(w, object, key, text != NULL ? text : "an error");
}

static char *work(void *data, size_t k) {
    il_lua_members *m = data;
    lua_State *L = m->L;
    job j = {.m = m, .k = k, .err = {IL_OK, ""}};
    json_t *cross = json_object();
    il_json w = {false};
    lua_pushcfunction(L, run_member);
    lua_pushlightuserdata(L, &j);
    if (m->of != 0) {
        lua_pushvalue(L, m->of);
    } else {
        lua_pushnil(L);
    }
    m->context->raised.code = IL_OK;
    int code = lua_pcall(L, 2, 0, 0);
    bool starved = code == LUA_ERRMEM || m->context->raised.code == IL_ENOMEM ||
                   j.status == IL_ENOMEM || j.err.code == IL_ENOMEM;
    if (code != LUA_OK) {
        put_text(&w, cross, "error", lua_tostring(L, -1));
        lua_pop(L, 1);
    } else if (j.status == IL_ETOOLONG) {
        put_text(&w, cross, "error", j.err.message);
    } else if (j.status != IL_OK) {
        put_text(&w, cross, "refused", j.err.message);
    }
    if (j.record != NULL) {
        il_json_set(&w, cross, "record", json_incref(j.record));
    }
    if (j.of != NULL) {
        il_json_set(&w, cross, "of", json_incref(j.of));
    }
    if (m->add != NULL && j.record != NULL) {
        m->add(m->data, k, &w, cross);
    }
    char *text = starved || w.failed ? NULL : il_json_text(cross);
    json_decref(j.of);
    json_decref(j.record);
    json_decref(cross);
    return text;
}

/* ---- in the parent -------------------------------------------------------------------------- */

static il_status receive(void *data, size_t k, const char *text, const il_pool_loss *loss,
                         il_error *err) {
    il_lua_members *m = data;
    if (text != NULL && il_json_parse(text, &m->results[k], err) == IL_ENOMEM) {
        return IL_ENOMEM;
    }
    il_jobs_end(m->jobs, k);
    if (m->results[k] == NULL) {
        return il_fail(err, IL_EINTERNAL, "run %zu is lost: %s", k + 1, loss->why);
    }
    const char *error = json_string_value(json_object_get(m->results[k], "error"));
    return error == NULL ? IL_OK : il_fail(err, IL_ESCRIPT, "run %zu: %s", k + 1, error);
}

static void tick(void *data) {
    const il_lua_members *m = data;
    il_jobs_show(m->jobs, "", NULL, NULL);
}

static void close_jobs(void *room) {
    il_jobs_destroy(*(il_jobs **)room);
}

typedef struct {
    size_t n;
    json_t **list;
} results;

static void close_results(void *room) {
    results *r = room;
    for (size_t k = 0; k < r->n; k++) {
        json_decref(r->list[k]);
    }
}

void il_lua_members_run(il_lua_members *m, il_lua_arena *arena) {
    il_error err = {IL_OK, ""};
    m->results = il_lua_take(m->L, arena, m->n, sizeof(json_t *), NULL);
    results *owned = il_lua_take(m->L, arena, 1, sizeof *owned, close_results);
    *owned = (results){m->n, m->results};
    m->context->L = m->L;
    size_t workers = m->context->options->workers;
    workers = workers > 0 ? workers : 1;
    il_jobs **jobs = il_lua_take(m->L, arena, 1, sizeof(il_jobs *), close_jobs);
    *jobs = m->jobs = il_jobs_create(il_lua_waiting(m->context), m->call, m->n, 1, workers);
    il_pool pool = {.workers = workers < m->n ? workers : m->n,
                    .jobs = m->n,
                    .work = work,
                    .receive = receive,
                    .tick = tick,
                    .data = m};
    il_status status = il_interrupted()
                           ? il_fail(&err, IL_EINTERRUPTED, "%s", il_interrupt_reason())
                           : il_pool_run(&pool, &err);
    il_jobs_destroy(m->jobs);
    *jobs = m->jobs = NULL;
    il_lua_expect(m->L, m->call, status, &err);
}
