/*
 * multipliers.c - lab.multipliers: the set of all multipliers of one step.
 *
 *     lab.multipliers{problem =, scheme =, steps =, h =, step = the last, ... as lab.run}
 *         -> {step =, t =, contacts =, unknowns =, rank =, dimension =, extent =,
 *             total = {min =, max =}, bound = {constant =, force =, total =}, residual =,
 *             id = {...}, name = {...}, min = {...}, max = {...}, chosen = {...}}
 *
 * What has no bound is math.huge. A run that fails gives nil and its message.
 */
#include <lauxlib.h>
#include <math.h>

#include "harness/lua/base/context.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/record.h"
#include "harness/lua/scripted/case.h"

static const char CALL[] = "lab.multipliers";

/* In the table at the top: null, which JSON has for infinity, becomes math.huge. */
static void restore_infinity(lua_State *L, const char *key) {
    if (lua_getfield(L, -1, key) == LUA_TNIL) {
        lua_pushnumber(L, INFINITY);
        lua_setfield(L, -3, key);
    }
    lua_pop(L, 1);
}

static void push_set(lua_State *L, const json_t *set) {
    il_lua_push_json(L, set);
    restore_infinity(L, "extent");
    (void)lua_getfield(L, -1, "total");
    restore_infinity(L, "max");
    lua_pop(L, 1);
    (void)lua_getfield(L, -1, "bound");
    restore_infinity(L, "constant");
    restore_infinity(L, "total");
    lua_pop(L, 1);
    (void)lua_getfield(L, -1, "max");
    lua_Integer n = json_integer_value(json_object_get(set, "contacts"));
    for (lua_Integer i = 1; i <= n; i++) {
        if (lua_rawgeti(L, -1, i) == LUA_TNIL) {
            lua_pushnumber(L, INFINITY);
            lua_rawseti(L, -3, i);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static int multipliers(lua_State *L) {
    static const char *const own[] = {"step", NULL};
    il_fields f = il_fields_begin(L, 1, CALL, NULL);
    lua_newtable(L); /* keeps the problem alive */
    int keeper = lua_gettop(L);
    il_case_known(&f, IL_WHERE_CASE, own);
    il_choice problem = {0};
    il_case c = il_case_read_run(&f, 0, &problem, keeper);
    c.multipliers = il_fields_count(&f, "step", 1, IL_STEP_LAST);
    const json_t *record = il_lua_run_case(L, CALL, f.arena, &c, NULL)->json;
    const json_t *set = json_object_get(record, "multipliers");
    if (set == NULL) {
        lua_pushnil(L);
        lua_pushstring(L, json_string_value(json_object_get(record, "message")));
        return 2;
    }
    push_set(L, set);
    return 1;
}

void il_lua_add_multipliers(lua_State *L) {
    static const luaL_Reg functions[] = {{"multipliers", multipliers}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
