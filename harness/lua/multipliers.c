/*
 * multipliers.c - host.multipliers(spec): the set of all multipliers of one step, as the record of
 * its run has it (multipliers.lua in harness/lua/library), or nil and why the run failed.
 */
#include <lauxlib.h>

#include "harness/lua/base/context.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/record.h"
#include "harness/lua/scripted/case.h"

static const char CALL[] = "lab.multipliers";

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
    il_lua_push_json(L, set);
    return 1;
}

void il_lua_add_multipliers(lua_State *L) {
    lua_pushcfunction(L, multipliers);
    lua_setfield(L, -2, "multipliers");
}
