/*
 * ensemble.c - what ensemble.lua and sensitivity.lua (harness/lua/library) ask of C: many runs of
 * one case on forked workers, with what a function of the script makes of each.
 *
 *     host.ensemble(spec, runs, by_seed, trajectory, of, keep) -> e, records, values
 *         e is what the numbers say of moved data, with the record of the run itself; by_seed the
 *         first seed. records[k] is a text where start k is refused, and has its status alone
 *         unless they are to be kept; values[k] is what of made of it, false where it was not asked
 *     host.ensemble_of(r, k)   that of case k, from 1, of a sweep that asks for ensembles
 *
 * Runs are handed out in their order and put back in their places: what comes back does not depend
 * on how many workers there are. The function runs in the worker, on a copy of the script's state;
 * what it changes there is lost, what it returns comes back as a plain value (record.h).
 */
#include <lauxlib.h>
#include <math.h>

#include "harness/base/json.h"
#include "harness/lua/base/context.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/record.h"
#include "harness/lua/scripted/case.h"
#include "harness/lua/sweep/result.h"
#include "harness/study/ensemble/ensemble.h"

static const char CALL[] = "lab.ensemble";

/* ---- many runs ------------------------------------------------------------------------------ */

typedef struct {
    il_lua_context *context;
    lua_State *L;
    const char *call;
    const il_case *c;
    size_t n;
    bool trajectory;  /* the script's function wants it */
    int of;           /* stack index of the script's function, or 0 */
    il_ensemble *e;   /* of moved data; NULL: over the seed */
    size_t first;     /* seed */
    json_t **results; /* [n] {record, of} or {refused}; the arena's */
} runs;

/* One run that the script's function is asked about. */
typedef struct {
    const runs *w;
    const json_t *record;
    il_trajectory *run;
    json_t *of; /* what it returned */
} question;

/* Called inside pcall with a question and the function. */
static int ask(lua_State *L) {
    question *q = lua_touserdata(L, 1);
    il_error err = {IL_OK, ""};
    il_lua_push_json(L, q->record);
    if (q->w->trajectory) {
        *il_lua_push_trajectory(L) = *q->run;
        *q->run = (il_trajectory){.d = 0};
        lua_setfield(L, -2, "trajectory");
    }
    lua_call(L, 1, 1);
    q->of = il_lua_value_take(L, -1, &err);
    if (q->of == NULL) {
        q->w->context->raised.code = err.code;
        return luaL_error(L, "%s: what 'of' returned cannot cross from a worker: %s", q->w->call,
                          err.message);
    }
    return 0;
}

static void member(void *self, size_t k, il_case *c) {
    const runs *w = self;
    if (w->e != NULL) {
        il_ensemble_member(w->e, k + 1, c);
    } else {
        c->has_seed = true;
        c->seed = w->first + k;
    }
}

static il_status add(void *self, size_t k, const json_t *record, il_trajectory *run,
                     json_t *answer) {
    const runs *w = self;
    lua_State *L = w->L;
    question q = {w, record, run, NULL};
    (void)k;
    if (w->e != NULL) {
        il_ensemble_add(w->e, answer);
    }
    if (w->of == 0) {
        return IL_OK;
    }
    lua_pushcfunction(L, ask);
    lua_pushlightuserdata(L, &q);
    lua_pushvalue(L, w->of);
    w->context->raised.code = IL_OK;
    int code = lua_pcall(L, 2, 0, 0);
    if (code == LUA_ERRMEM || w->context->raised.code == IL_ENOMEM) {
        return IL_ENOMEM;
    }
    if (code != LUA_OK) {
        const char *why = lua_tostring(L, -1);
        il_json_put_text(answer, "error", why != NULL ? why : "an error");
        lua_pop(L, 1);
    } else {
        il_json_set(answer, "of", q.of);
    }
    return IL_OK;
}

static il_status take(void *self, size_t k, json_t *answer, il_error *err) {
    const runs *w = self;
    (void)err;
    w->results[k] = json_incref(answer);
    if (w->e != NULL) {
        il_ensemble_take(w->e, k + 1, answer);
    }
    return IL_OK;
}

/* Run n of them on as many workers as the script may have; raises an error when interrupted or when
 * the script's function raises one. arena owns the results. */
static void run_all(runs *w, size_t n, il_lua_arena *arena) {
    il_error err = {IL_OK, ""};
    w->results = il_lua_take(w->L, arena, n, sizeof(json_t *), il_lua_close_json);
    w->context->L = w->L;
    const il_members members = {.title = w->call,
                                .progress = il_lua_waiting(w->context),
                                .what = w->c,
                                .n = n,
                                .workers = w->context->options->workers,
                                .nodes = w->trajectory,
                                .self = w,
                                .member = member,
                                .add = add,
                                .take = take};
    il_lua_expect(w->L, w->call, il_members_run(&members, &err), &err);
}

/* ---- over the data -------------------------------------------------------------------------- */

static void close_ensemble(void *room) {
    il_ensemble_destroy(*(il_ensemble **)room);
}

/* The ensemble of w->n runs of w->c from moved data, as il_ensemble_json has it, and the record of
 * the run itself, of which nothing is asked; the arena's. Raises an error where the run fails or
 * all starts are refused. */
static const json_t *ensemble_from(runs *w, il_lua_arena *arena, double perturb,
                                   const json_t **record) {
    lua_State *L = w->L;
    il_error err = {IL_OK, ""};
    il_ensemble **e = il_lua_take(L, arena, 1, sizeof *e, close_ensemble);
    json_t **out = il_lua_take(L, arena, 1, sizeof *out, il_lua_close_json);
    il_case base = *w->c;
    il_lua_expect(L, w->call, il_ensemble_create(e, w->c->problem->type, w->n, perturb, &err),
                  &err);
    il_ensemble_member(*e, 0, &base);
    *record = il_lua_run_case(L, w->call, arena, &base, NULL)->json;
    il_lua_expect(L, w->call, il_ensemble_base(*e, *record, base.projection.tolerance, &err), &err);
    w->e = *e;
    run_all(w, il_ensemble_count(*e) - 1, arena);
    il_lua_expect(L, w->call, il_ensemble_json(*e, out, &err), &err);
    return *out;
}

/* ---- host.ensemble -------------------------------------------------------------------------- */

/* Push the first seed. */
static void vary_seed(const il_fields *f, runs *w) {
    if (!il_problem_draws(w->c->problem->type)) {
        lua_pushliteral(f->L, "seed");
        il_fields_refuse(f, "vary", -1, "\"data\"; the problem draws no numbers");
    }
    w->first = w->c->has_seed ? w->c->seed : 1;
    run_all(w, w->n, f->arena);
    lua_pushinteger(f->L, (lua_Integer)w->first);
}

/* Push what the numbers say. */
static void vary_data(const il_fields *f, runs *w) {
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
    il_lua_push_json(L, ensemble_from(w, f->arena, perturb, &record));
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
        il_lua_make(L, IL_SET("status", il_json_get_text(record, "status")));
    }
}

/* Push the arrays of records and of what the function made of them; failed runs are reported. */
static void push_results(lua_State *L, const runs *m, bool keep) {
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
    runs m = {.context = il_lua_context_of(L),
              .L = L,
              .call = CALL,
              .c = &c,
              .n = (size_t)luaL_checkinteger(L, 2),
              .trajectory = lua_toboolean(L, 4),
              .of = lua_isfunction(L, 5) ? 5 : 0};
    if (lua_toboolean(L, 3)) {
        vary_seed(&f, &m);
    } else {
        vary_data(&f, &m);
    }
    push_results(L, &m, lua_toboolean(L, 6));
    return 3;
}

/* ---- the cases of a sweep ------------------------------------------------------------------- */

static int ensemble_of(lua_State *L) {
    const il_sweep *sweep = il_lua_sweep_at(L, 1);
    const json_t *record = NULL;
    il_case c = il_sweep_case(sweep, (size_t)luaL_checkinteger(L, 2) - 1);
    il_lua_arena *arena = il_lua_arena_open(L);
    runs m = {.context = il_lua_context_of(L),
              .L = L,
              .call = "the ensemble of a sweep",
              .c = &c,
              .n = sweep->ensemble};
    il_lua_push_json(L, ensemble_from(&m, arena, IL_ENSEMBLE_SMALLEST, &record));
    return 1;
}

const luaL_Reg il_lua_host_ensemble[] = {
    {"ensemble", ensemble}, {"ensemble_of", ensemble_of}, {NULL, NULL}};
