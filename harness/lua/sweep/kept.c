/*
 * kept.c - under which keys a sweep's cases are stored, or why under none.
 */
#include "harness/lua/sweep/kept.h"

#include <lauxlib.h>
#include <stdint.h>

#include "harness/lua/base/identity.h"

static const char TOLD[] = "impactlab.unkept";

static void identify(lua_State *L, const il_functions *functions) {
    if (functions != NULL) { /* the first member of an identity */
        il_lua_identify(L, (il_lua_identity *)(uintptr_t)functions);
    }
}

static const char *unkept(lua_State *L, const il_case *c) {
    const il_callbacks *problem = c->problem->callbacks;
    const il_callbacks *reference = c->reference_callbacks;
    identify(L, problem != NULL ? problem->functions : NULL);
    identify(L, c->scheme->functions);
    identify(L, reference != NULL ? reference->functions : NULL);
    identify(L, c->norms_functions);
    return il_case_unnamed(c);
}

void il_lua_tell_unkept(lua_State *L, const il_sweep *sweep, const char *why) {
    if (why[0] == '\0') {
        return;
    }
    (void)luaL_getsubtable(L, LUA_REGISTRYINDEX, TOLD);
    const char *line = lua_pushfstring(L, "sweep %s: results are not kept: %s", sweep->name, why);
    if (lua_getfield(L, -2, line) == LUA_TNIL) {
        il_lua_say(il_lua_context_of(L), "%s", line);
        lua_pushboolean(L, true);
        lua_setfield(L, -4, line);
    }
    lua_pop(L, 3);
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
        const char *why = unkept(L, &c);
        il_lua_tell_unkept(L, sweep, why != NULL ? why : "");
    }
}
