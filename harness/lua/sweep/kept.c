/*
 * kept.c - identities of the functions that cases depend on, and those that do not hold.
 */
#include "harness/lua/sweep/kept.h"

#include <lauxlib.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/lua/scripted/scheme.h"

static const char MARK[] = "unkept"; /* of a record on its way from a worker */
static const char TOLD[] = "impactlab.unkept";

static void identify(lua_State *L, const il_functions *functions) {
    if (functions != NULL) { /* the first member of an identity */
        il_lua_identify(L, (il_lua_identity *)(uintptr_t)functions);
    }
}

void il_lua_identify_case(lua_State *L, const il_case *c) {
    const il_callbacks *problem = c->problem->callbacks;
    const il_callbacks *reference = c->reference_callbacks;
    identify(L, problem != NULL ? problem->functions : NULL);
    identify(L, c->scheme->functions);
    identify(L, reference != NULL ? reference->functions : NULL);
    identify(L, c->norms_functions);
}

/* A line on the messages, unless this sweep has said so. */
void il_lua_tell_unkept(lua_State *L, const il_sweep *sweep, const char *why) {
    if (why[0] == '\0') {
        return;
    }
    (void)luaL_getsubtable(L, LUA_REGISTRYINDEX, TOLD);
    lua_pushfstring(L, "%s: %s", sweep->name, why);
    lua_pushvalue(L, -1);
    bool told = lua_rawget(L, -3) != LUA_TNIL;
    lua_pop(L, 1);
    if (!told) {
        il_lua_say(il_lua_context_of(L), "sweep %s: results are not kept: %s", sweep->name, why);
        lua_pushboolean(L, 1);
        lua_rawset(L, -3);
        lua_pop(L, 1);
    } else {
        lua_pop(L, 2);
    }
}

bool il_lua_has_functions(const il_sweep *sweep) {
    bool has = false;
    for (size_t k = 0; k < il_sweep_count(sweep); k += sweep->nsizes) {
        il_case c = il_sweep_case(sweep, k);
        has = has || c.problem->callbacks != NULL || c.scheme->functions != NULL ||
              c.reference_callbacks != NULL || c.norms_functions != NULL;
    }
    return has;
}

void il_lua_identify_sweep(lua_State *L, const il_sweep *sweep) {
    for (size_t k = 0; k < il_sweep_count(sweep); k += sweep->nsizes) {
        il_case c = il_sweep_case(sweep, k);
        il_lua_identify_case(L, &c);
        const char *why = il_case_unnamed(&c);
        if (why != NULL) {
            il_lua_tell_unkept(L, sweep, why);
        }
    }
}

il_status il_lua_mark_unkept(lua_State *L, const il_case *c, json_t *record, il_error *err) {
    il_json w = {false};
    il_lua_identify_case(L, c);
    const char *why = il_case_unnamed(c);
    if (why != NULL) {
        il_json_put_text(&w, record, MARK, why);
    }
    return w.failed ? il_fail(err, IL_ENOMEM, "no memory for a record") : IL_OK;
}

bool il_lua_is_unkept(const json_t *record) {
    return json_object_get(record, MARK) != NULL;
}

bool il_lua_take_unkept(json_t *record, char *why) {
    const char *text = json_string_value(json_object_get(record, MARK));
    if (text != NULL) {
        (void)snprintf(why, IL_FUNCTIONS_WHY, "%s", text);
        (void)json_object_del(record, MARK);
    }
    return text != NULL;
}
