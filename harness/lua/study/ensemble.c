/*
 * ensemble.c - what ensemble.lua and sensitivity.lua (harness/lua/library) ask of C: many runs of
 * one case on forked workers, with what a function of the script makes of each.
 *
 *     host.ensemble(spec, runs, by_seed, trajectory, of, keep) -> e, records, values
 *         e is what the numbers say of moved data, with the record of the run itself; by_seed the
 *         first seed. records[k] is a text where start k is refused, and has its status alone
 *         unless they are to be kept; values[k] is what of made of it, false where it was not asked
 *     host.ensembles(r)        of how many runs the ensembles of a sweep are; 0: none are asked for
 *     host.ensemble_of(r, k)   that of case k, from 1; made once
 *
 * Runs are handed out in their order and put back in their places: what comes back does not depend
 * on how many workers there are. The function runs in the worker, on a copy of the script's state;
 * what it changes there is lost, what it returns crosses as a plain value (record.h).
 */
#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/io/workers/jobs.h"
#include "harness/io/workers/pool.h"
#include "harness/lua/base/context.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/record.h"
#include "harness/lua/scripted/case.h"
#include "harness/lua/sweep/notice.h"
#include "harness/study/ensemble/ensemble.h"

static const char CALL[] = "lab.ensemble";

/* ---- many runs ------------------------------------------------------------------------------ */

/* Runs of one case, shared by workers: what each is to be, and what came back. */
typedef struct {
    il_lua_context *context;
    lua_State *L;
    const char *call;
    const il_case *c;
    size_t n;
    bool trajectory; /* the script's function wants it */
    int of;          /* stack index of the script's function, or 0 */
    /* Case k into *c; scratch that must live as long as the run is the callee's. */
    void (*member)(void *data, size_t k, il_case *c);
    /* In the worker, after run k: put what else is to cross into *cross, an object. NULL: nothing.
     */
    void (*add)(void *data, size_t k, il_json *w, json_t *cross);
    void *data;
    json_t **results; /* [n] {record: {...}, of: VALUE, refused: TEXT}; the arena's */
    il_jobs *jobs;    /* shows how far they are; or NULL */
} members;

typedef struct {
    members *m;
    size_t k;
    json_t *record, *of;
    il_status status;
    il_error err;
} job;

/* Called inside pcall with a job: run, and ask the script's function. */
static int run_member(lua_State *L) {
    job *j = lua_touserdata(L, 1);
    members *m = j->m;
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
    members *m = data;
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

static il_status receive(void *data, size_t k, const char *text, const il_pool_loss *loss,
                         il_error *err) {
    members *m = data;
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
    const members *m = data;
    il_jobs_show(m->jobs, "", NULL, NULL);
}

/* Run them all on as many workers as the script may have; raises an error when interrupted or when
 * the script's function raises one. arena owns the results. */
static void run_members(members *m, il_lua_arena *arena) {
    il_error err = {IL_OK, ""};
    m->results = il_lua_take(m->L, arena, m->n, sizeof(json_t *), il_lua_close_json);
    m->context->L = m->L;
    size_t workers = m->context->options->workers;
    m->jobs = il_jobs_create(il_lua_waiting(m->context), m->call, m->n, 1, workers);
    il_pool pool = {.workers = workers,
                    .jobs = m->n,
                    .work = work,
                    .receive = receive,
                    .tick = tick,
                    .data = m};
    il_status status = il_interrupted()
                           ? il_fail(&err, IL_EINTERRUPTED, "%s", il_interrupt_reason())
                           : il_pool_run(&pool, &err);
    il_jobs_destroy(m->jobs);
    m->jobs = NULL;
    il_lua_expect(m->L, m->call, status, &err);
}

/* ---- over the seed -------------------------------------------------------------------------- */

static void seed_member(void *data, size_t k, il_case *c) {
    const size_t *first = data;
    c->has_seed = true;
    c->seed = *first + k;
}

static void expect_seed(const il_fields *f, const il_case *c) {
    const il_param_spec *spec = c->problem->type->params;
    while (spec->key != NULL && strcmp(spec->key, "seed") != 0) {
        spec++;
    }
    if (spec->key == NULL) {
        lua_pushliteral(f->L, "seed");
        il_fields_refuse(f, "vary", -1, "\"data\"; the problem draws no numbers");
    }
}

/* ---- over the data -------------------------------------------------------------------------- */

typedef struct {
    il_ensemble *e;
    il_choice choice; /* the problem that stands in for the case's */
    il_observer observer;
    size_t shift; /* member k of the workers is run k + shift of the ensemble */
} moved;

static void close_ensemble(void *room) {
    il_ensemble_destroy(*(il_ensemble **)room);
}

static void data_member(void *data, size_t k, il_case *c) {
    moved *m = data;
    m->choice = *c->problem;
    m->choice.type = il_ensemble_problem(m->e, k + m->shift);
    m->observer = il_ensemble_observer(m->e, k + m->shift);
    c->problem = &m->choice;
    c->observers = &m->observer;
    c->nobservers = 1;
}

static void data_add(void *data, size_t k, il_json *w, json_t *cross) {
    const moved *m = data;
    json_t *packed = il_ensemble_pack(m->e, k + m->shift, json_object_get(cross, "record"), "");
    (void)json_object_del(packed, "record");
    il_json_merge(w, cross, packed);
    json_decref(packed);
}

/* The run itself, and its record; what `of` makes of it is not asked for. */
static const json_t *run_base(const members *m, il_lua_arena *arena, moved *w) {
    il_error err = {IL_OK, ""};
    il_case base = *m->c;
    w->shift = 0;
    data_member(w, 0, &base);
    const json_t *record = il_lua_run_case(m->L, m->call, arena, &base, NULL)->json;
    il_lua_expect(m->L, m->call, il_ensemble_base(w->e, record, m->c->projection.tolerance, &err),
                  &err);
    w->shift = 1;
    return record;
}

/* The ensemble of m->n runs of m->c from moved data, as il_ensemble_json has it, and the record of
 * the run itself; the arena's. L, call, context, c, n, of and trajectory of m are given. Raises an
 * error where the run fails or all starts are refused. */
static const json_t *ensemble_from(members *m, il_lua_arena *arena, double perturb,
                                   const json_t **record) {
    lua_State *L = m->L;
    il_error err = {IL_OK, ""};
    moved w = {.shift = 1};
    size_t runs = m->n;
    il_ensemble **e = il_lua_take(L, arena, 1, sizeof *e, close_ensemble);
    il_lua_expect(L, m->call, il_ensemble_create(e, m->c->problem->type, runs, perturb, &err),
                  &err);
    w.e = *e;
    *record = run_base(m, arena, &w);
    m->n = il_ensemble_count(w.e) - 1;
    m->member = data_member;
    m->add = data_add;
    m->data = &w;
    run_members(m, arena);
    for (size_t k = 0; k < m->n; k++) {
        il_lua_expect(L, m->call, il_ensemble_take(w.e, k + 1, m->results[k], &err), &err);
    }
    json_t **out = il_lua_take(L, arena, 1, sizeof *out, il_lua_close_json);
    il_lua_expect(L, m->call, il_ensemble_json(w.e, out, &err), &err);
    m->n = runs; /* probes are not told */
    m->data = NULL;
    return *out;
}

/* ---- host.ensemble -------------------------------------------------------------------------- */

/* Push the first seed. */
static void vary_seed(const il_fields *f, members *m, const il_case *c) {
    size_t first = c->has_seed ? c->seed : 1;
    expect_seed(f, c);
    m->member = seed_member;
    m->data = &first;
    run_members(m, f->arena);
    m->data = NULL;
    lua_pushinteger(f->L, (lua_Integer)first);
}

/* Push what the numbers say. */
static void vary_data(const il_fields *f, members *m) {
    lua_State *L = f->L;
    il_error err = {IL_OK, ""};
    double perturb = IL_ENSEMBLE_SMALLEST;
    if (il_fields_push(f, "perturb")) {
        perturb = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
        il_status status = il_ensemble_check("runs", 2.0, "perturb", &perturb, &err);
        il_lua_expect(L, f->call, status, &err);
    }
    lua_pop(L, 1);
    const json_t *record = NULL;
    il_lua_push_json(L, ensemble_from(m, f->arena, perturb, &record));
    il_lua_push_json(L, record);
    lua_setfield(L, -2, "record");
}

static void push_record(lua_State *L, const json_t *result, bool keep) {
    const json_t *record = json_object_get(result, "record");
    if (record == NULL) {
        lua_pushstring(L, il_json_get_text(result, "refused"));
    } else if (keep) {
        il_lua_push_json(L, record);
    } else {
        lua_createtable(L, 0, 1);
        il_lua_set_text(L, "status", il_json_get_text(record, "status"));
    }
}

/* Push the arrays of records and of what the function made of them; runs that failed are told. */
static void push_results(lua_State *L, const members *m, bool keep) {
    lua_createtable(L, (int)m->n, 0);
    lua_createtable(L, (int)m->n, 0);
    for (size_t k = 0; k < m->n; k++) {
        const json_t *record = json_object_get(m->results[k], "record");
        const json_t *of = json_object_get(m->results[k], "of");
        if (record != NULL) {
            il_lua_notice_run(L, m->call, m->c, record);
        }
        push_record(L, m->results[k], keep);
        lua_rawseti(L, -3, (lua_Integer)k + 1);
        if (of != NULL && !json_is_null(of)) {
            il_lua_push_json(L, of);
        } else {
            lua_pushboolean(L, false); /* no holes in an array */
        }
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
}

static int ensemble(lua_State *L) {
    static const char *const own[] = {"runs",       "vary",    "perturb", "of",
                                      "trajectory", "records", NULL};
    lua_settop(L, 6);
    lua_newtable(L); /* keeps the problem alive */
    int keeper = lua_gettop(L);
    il_fields f = il_fields_open(L, il_lua_arena_open(L), 1, CALL, "");
    il_case_known(&f, IL_WHERE_CASE, own);
    il_choice problem = {0};
    il_case c = il_case_read_run(&f, IL_WHERE_CASE, &problem, keeper);
    members m = {.context = il_lua_context_of(L),
                 .L = L,
                 .call = CALL,
                 .c = &c,
                 .n = (size_t)luaL_checkinteger(L, 2),
                 .trajectory = lua_toboolean(L, 4),
                 .of = lua_isfunction(L, 5) ? 5 : 0};
    if (lua_toboolean(L, 3)) {
        vary_seed(&f, &m, &c);
    } else {
        vary_data(&f, &m);
    }
    push_results(L, &m, lua_toboolean(L, 6));
    return 3;
}

/* ---- the cases of a sweep ------------------------------------------------------------------- */

static const char MADE[] = "impactlab.ensembles"; /* in the registry, by sweep and case */

/* The sweep at index 1, or that of the result there. */
static const il_sweep *sweep_at(lua_State *L) {
    bool is_result = luaL_testudata(L, 1, "impactlab.result") != NULL;
    return is_result ? il_lua_check_result(L, 1)->sweep : il_lua_check_sweep(L, 1);
}

static int ensembles(lua_State *L) {
    lua_pushinteger(L, (lua_Integer)sweep_at(L)->ensemble);
    return 1;
}

static int ensemble_of(lua_State *L) {
    const il_sweep *sweep = sweep_at(L);
    size_t k = (size_t)luaL_checkinteger(L, 2) - 1;
    lua_settop(L, 2);
    (void)luaL_getsubtable(L, LUA_REGISTRYINDEX, MADE);
    lua_pushfstring(L, "%p %I", (const void *)sweep, (LUAI_UACINT)k);
    lua_pushvalue(L, -1);
    if (lua_rawget(L, -3) == LUA_TTABLE) {
        return 1;
    }
    lua_pop(L, 1);
    il_lua_arena *arena = il_lua_arena_open(L);
    const json_t *record = NULL;
    il_case c = il_sweep_case(sweep, k);
    members m = {.context = il_lua_context_of(L),
                 .L = L,
                 .call = "the ensemble of a sweep",
                 .c = &c,
                 .n = sweep->ensemble};
    il_lua_push_json(L, ensemble_from(&m, arena, IL_ENSEMBLE_SMALLEST, &record));
    lua_pushvalue(L, 4); /* its name */
    lua_pushvalue(L, -2);
    lua_rawset(L, 3);
    return 1;
}

void il_lua_add_ensemble(lua_State *L) {
    static const luaL_Reg functions[] = {{"ensemble", ensemble},
                                         {"ensembles", ensembles},
                                         {"ensemble_of", ensemble_of},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
