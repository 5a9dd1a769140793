/*
 * ensemble.c - lab.ensemble: one run many times.
 *
 *     lab.ensemble{runs =, vary = "data" | "seed", perturb =, of = function(run) ... end,
 *                  trajectory = false, records = true, and what lab.run takes}
 *
 * vary = "seed": runs from as many starts as the problem draws with seeds first, first + 1, ...
 */
#include <lauxlib.h>
#include <string.h>

#include "harness/lua/ensemble.h"
#include "harness/lua/module.h"
#include "harness/lua/notice.h"
#include "harness/lua/record.h"
#include "harness/lua/value.h"

static const char CALL[] = "lab.ensemble";
static const size_t RUNS_MAX = 100000;

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

/* ---- what all have -------------------------------------------------------------------------- */

/* Set field key of the table at the top: what the function made of each run, false where it was not
 * asked. */
static void set_values(lua_State *L, const il_lua_members *m, size_t from) {
    lua_createtable(L, (int)(m->n - from), 0);
    for (size_t k = from; k < m->n; k++) {
        const json_t *of = json_object_get(m->results[k], "of");
        if (of != NULL && !json_is_null(of)) {
            il_lua_value_push(L, of);
        } else {
            lua_pushboolean(L, false); /* no holes in an array */
        }
        lua_rawseti(L, -2, (lua_Integer)(k - from) + 1);
    }
    lua_setfield(L, -2, "of");
}

/* Records, and counts of what failed and what was refused. */
static void set_records(lua_State *L, const il_lua_members *m, bool keep) {
    lua_Integer failed = 0;
    lua_Integer refused = 0;
    lua_createtable(L, (int)m->n, 0);
    for (size_t k = 0; k < m->n; k++) {
        const json_t *record = json_object_get(m->results[k], "record");
        il_case c = *m->c;
        m->member(m->data, k, &c);
        if (record != NULL) {
            il_lua_notice_run(L, m->call, &c, record);
        }
        failed += record != NULL && !il_record_went_well(record);
        refused += record == NULL;
        if (keep && record != NULL) {
            il_lua_push_json(L, record);
        } else {
            lua_pushboolean(L, false);
        }
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    if (keep) {
        lua_setfield(L, -2, "records");
    } else {
        lua_pop(L, 1);
    }
    lua_pushinteger(L, failed);
    lua_setfield(L, -2, "failed");
    lua_pushinteger(L, refused);
    lua_setfield(L, -2, "refused");
}

/* Refuse an ensemble none of whose starts the problem takes. */
static void expect_some(const il_fields *f, const il_lua_members *m) {
    size_t refused = 0;
    const char *why = "";
    for (size_t k = 0; k < m->n; k++) {
        const char *text = json_string_value(json_object_get(m->results[k], "refused"));
        refused += text != NULL;
        why = text != NULL ? text : why;
    }
    if (refused == m->n) {
        il_error err = {IL_OK, ""};
        (void)il_fail(&err, IL_EINVAL, "all %zu starts are refused: %.800s", m->n, why);
        il_lua_raise(f->L, f->call, &err);
    }
}

static size_t read_runs(const il_fields *f) {
    size_t runs = il_fields_count(f, "runs", 0, 0);
    if (runs < 2 || runs > RUNS_MAX) {
        if (!il_fields_push(f, "runs")) {
            il_fields_miss(f, "runs", "an integer >= 2");
        }
        il_fields_refuse(f, "runs", -1, "an integer from 2 to 100000");
    }
    return runs;
}

static int read_function(const il_fields *f) {
    bool given = il_fields_push(f, "of");
    if (given && !lua_isfunction(f->L, -1)) {
        il_fields_refuse(f, "of", -1, "a function of the run's record");
    }
    return given ? lua_gettop(f->L) : 0;
}

static void vary_seed(const il_fields *f, il_lua_members *m, const il_case *c, bool keep) {
    lua_State *L = f->L;
    size_t first = c->has_seed ? c->seed : 1;
    expect_seed(f, c);
    m->member = seed_member;
    m->data = &first;
    il_lua_members_run(m, f->arena);
    expect_some(f, m);
    lua_createtable(L, 0, 8);
    lua_pushinteger(L, (lua_Integer)m->n);
    lua_setfield(L, -2, "runs");
    lua_createtable(L, (int)m->n, 0);
    for (size_t k = 0; k < m->n; k++) {
        lua_pushinteger(L, (lua_Integer)(first + k));
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_setfield(L, -2, "seeds");
    set_records(L, m, keep);
    if (m->of != 0) {
        set_values(L, m, 0);
    }
}

static int ensemble(lua_State *L) {
    static const char *const own[] = {"runs",       "vary",    "perturb", "of",
                                      "trajectory", "records", NULL};
    static const char *const what[] = {"data", "seed", NULL};
    lua_settop(L, 1);
    il_lua_arena *arena = il_lua_arena_open(L);
    lua_newtable(L); /* keeps the problem alive */
    int keeper = lua_gettop(L);
    il_fields f = il_fields_open(L, arena, 1, CALL, "");
    il_case_known(&f, IL_WHERE_CASE, own);
    il_choice problem = {0};
    il_case c = il_case_read_run(&f, 0, &problem, keeper);
    il_lua_members m = {.context = il_lua_context_of(L), .L = L, .call = CALL, .c = &c};
    m.n = read_runs(&f);
    m.trajectory = il_fields_flag(&f, "trajectory", false);
    bool keep = il_fields_flag(&f, "records", true);
    m.of = read_function(&f);
    if (il_fields_choice(&f, "vary", what, 0) == 1) {
        vary_seed(&f, &m, &c, keep);
    } else {
        return luaL_error(L, "vary = \"data\" is not written yet");
    }
    return 1;
}

void il_lua_add_ensemble(lua_State *L) {
    static const luaL_Reg functions[] = {{"ensemble", ensemble}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
