/*
 * result.c - what a sweep left: r.cases, r.failed, r:records(); what its methods share. The other
 * methods are added by the files that make them.
 */
#include <lauxlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/lua/base/identity.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/record.h"
#include "harness/lua/sweep/result.h"

static const char RESULT[] = "impactlab.result";

/* ---- reading records ------------------------------------------------------------------------ */

bool il_result_is_ok(const il_result *result, size_t k) {
    return strcmp(il_json_pack_text(result->records, k, "status"), il_status_name(IL_OK)) == 0;
}

bool il_record_has_status(const json_t *record, il_status status) {
    return strcmp(il_json_get_text(record, "status"), il_status_name(status)) == 0;
}

bool il_record_is_ok(const json_t *record) {
    return il_record_has_status(record, IL_OK);
}

json_t *il_result_record(const il_result *result, size_t k) {
    il_result_open *open = result->open;
    if (!il_json_pack_has(result->records, k)) {
        return NULL;
    }
    if (open->record == NULL || open->k != k) {
        json_decref(open->record);
        *open = (il_result_open){il_json_pack_get(result->records, k), k};
    }
    return open->record;
}

void il_result_put(il_result *result, size_t k, json_t *record) {
    if (record != NULL) {
        il_json_pack_put(result->records, k, record);
        if (record != result->open->record) {
            json_decref(result->open->record);
        }
        json_decref(record);
        result->open->record = NULL;
    }
}

void il_result_expect_complete(lua_State *L, const il_result *result, const char *call) {
    if (result->missing > 0) {
        il_lua_fail(L, call, IL_EINTERRUPTED,
                    "%zu of %zu case%s of sweep %s %s missing; run the other shards, then this "
                    "script without --shard",
                    result->missing, il_sweep_count(result->sweep),
                    il_lua_plural(il_sweep_count(result->sweep)), result->sweep->name,
                    result->missing == 1 ? "is" : "are");
    }
}

size_t il_result_first(const il_result *result, size_t problem, size_t scheme) {
    return (problem * result->sweep->nschemes + scheme) * result->sweep->nsizes;
}

/* ---- the value ------------------------------------------------------------------------------ */

/* Records with what the case was: problem_label, and steps and h also where nothing ran. */
static int result_records(lua_State *L) {
    const il_result *result = il_lua_check_result(L, 1);
    const il_sweep *s = result->sweep;
    lua_Integer n = 0;
    lua_newtable(L);
    for (size_t k = 0; k < il_sweep_count(s); k++) {
        if (!il_json_pack_has(result->records, k)) {
            continue; /* another shard's */
        }
        il_case c = il_sweep_case(s, k);
        il_lua_push_json(L, il_result_record(result, k));
        il_lua_set(L, IL_SET("case", k + 1), IL_SET("label", c.problem->label));
        lua_rawseti(L, -2, ++n);
    }
    return 1;
}

il_result *il_lua_check_result(lua_State *L, int index) {
    il_result *r = il_lua_check_self(L, index, RESULT);
    if (!il_lua_arena_alive(r->arena) || !il_lua_arena_alive(r->sweep->arena)) {
        (void)luaL_error(L, "the result was closed");
    }
    return r;
}

const il_sweep *il_lua_sweep_at(lua_State *L, int index) {
    bool is_result = luaL_testudata(L, index, RESULT) != NULL;
    return is_result ? il_lua_check_result(L, index)->sweep : il_lua_check_sweep(L, index);
}

static int result_tostring(lua_State *L) {
    const il_result *r = il_lua_check_result(L, 1);
    size_t n = il_sweep_count(r->sweep);
    (void)lua_pushfstring(L, "sweep %s: %I case%s, %I failed", r->sweep->name, (LUAI_UACINT)n,
                          il_lua_plural(n), (LUAI_UACINT)r->failed);
    return 1;
}

/* r.cases and the like are numbers, the rest are methods. */
static int result_index(lua_State *L) {
    const il_result *r = il_lua_check_result(L, 1);
    const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    const struct {
        const char *key;
        size_t value;
    } counts[] = {{"cases", il_sweep_count(r->sweep)},
                  {"found", r->found},
                  {"ran", r->ran},
                  {"failed", r->failed},
                  {"missing", r->missing}};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        if (strcmp(key, counts[k].key) == 0) {
            lua_pushinteger(L, (lua_Integer)counts[k].value);
            return 1;
        }
    }
    if (strcmp(key, "name") == 0) {
        lua_pushstring(L, r->sweep->name);
        return 1;
    }
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) == LUA_TNIL) {
        return luaL_error(L,
                          "a result of a sweep has no '%s'; it has cases, found, ran, failed, "
                          "missing, name, records, order, orders, limits, table, figure",
                          key);
    }
    return 1;
}

static void close_records(void *room) {
    il_json_pack_free(*(il_json_pack **)room);
}

static void close_record(void *room) {
    json_decref(((il_result_open *)room)->record);
}

il_result *il_lua_push_result(lua_State *L, int index, const il_sweep *sweep) {
    static const luaL_Reg meta[] = {{"__tostring", result_tostring}, {NULL, NULL}};
    index = lua_absindex(L, index);
    il_result *r = lua_newuserdatauv(L, sizeof *r, 2);
    *r = (il_result){.sweep = sweep};
    lua_pushvalue(L, index);
    (void)lua_setiuservalue(L, -2, 2); /* the sweep lives as long as its result */
    r->arena = il_lua_arena_new(L);
    (void)lua_setiuservalue(L, -2, 1);
    size_t n = il_sweep_count(sweep);
    il_json_pack **records = il_lua_take(L, r->arena, 1, sizeof *records, close_records);
    r->open = il_lua_take(L, r->arena, 1, sizeof *r->open, close_record);
    *records = r->records = il_json_pack_new(n);
    r->problems = il_lua_take(L, r->arena, sweep->nproblems, sizeof *r->problems, NULL);
    if (il_lua_new_type(L, RESULT, meta)) {
        il_lua_push_shared(L, "result_methods");
        lua_pushcclosure(L, result_index, 1);
        lua_setfield(L, -2, "__index");
    }
    lua_setmetatable(L, -2);
    return r;
}

const luaL_Reg il_lua_result_methods[] = {{"records", result_records}, {NULL, NULL}};
