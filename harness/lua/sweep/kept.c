/*
 * kept.c - under which keys a sweep's cases are stored, or why under none.
 */
#include "harness/lua/sweep/kept.h"

#include <lauxlib.h>
#include <stdint.h>

#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/lua/base/identity.h"

static const char TOLD[] = "impactlab.unkept";

static void identify(lua_State *L, const il_functions *functions) {
    if (functions != NULL) { /* the first member of an identity */
        il_lua_identify(L, (il_lua_identity *)(uintptr_t)functions);
    }
}

const char *il_lua_unkept(lua_State *L, const il_case *c) {
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
        const char *why = il_lua_unkept(L, &c);
        il_lua_tell_unkept(L, sweep, why != NULL ? why : "");
    }
}

/* ---- cases that are gathered ---------------------------------------------------------------- */

il_lua_checks *il_lua_why_gathers(lua_State *L) {
    il_lua_checks *checks = il_lua_context_of(L)->options->checks;
    return checks != NULL && checks->cases != NULL ? checks : NULL;
}

void il_lua_why_note(il_lua_checks *checks, const il_sweep *s, const il_case *c, const char *key,
                     json_t *needed) {
    il_json w = {false};
    char name[IL_STORE_NAME] = "";
    json_t *one = json_object();
    il_json_put_text(&w, one, "sweep", s->name);
    il_json_put_text(&w, one, "problem", c->problem->label);
    if (needed == NULL || s->reference == IL_REFERENCE_SELF) {
        il_json_put_text(&w, one, "scheme", c->scheme->name);
        if (c->steps > 0) {
            il_json_put_count(&w, one, "steps", c->steps);
        } else {
            il_json_put(&w, one, "h", c->h);
        }
    }
    if (key != NULL) {
        il_store_key_name(key, name);
        il_json_put_text(&w, one, "specification", key);
        il_json_put_text(&w, one, "name", name);
    } else {
        il_json_put_text(&w, one, "unkept", il_case_unnamed(c));
    }
    if (needed != NULL) {
        il_json_set(&w, one, "needed", needed);
    }
    il_json_append(&w, needed != NULL ? checks->references : checks->cases, one);
    checks->starved |= w.failed;
}

void il_lua_why_placeholder(lua_State *L, const il_result *result) {
    if (il_lua_why_gathers(L) != NULL && result->missing > 0) {
        (void)il_lua_push_placeholder(L);
        lua_replace(L, -2);
    }
}

int il_lua_why_compute(lua_State *L) {
    int n = lua_gettop(L);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    int code = lua_pcall(L, n, LUA_MULTRET, 0);
    if (code == LUA_OK) {
        return lua_gettop(L);
    }
    if (il_interrupted() || code == LUA_ERRMEM || il_lua_context_of(L)->raised.code == IL_ENOMEM ||
        il_lua_why_gathers(L)->placeholders == 0) {
        return lua_error(L);
    }
    return il_lua_push_placeholder(L);
}

/* The runs of limits depend on what earlier ones came to, so they are not gathered: counted. */
static int push_limits(lua_State *L) {
    il_lua_why_gathers(L)->limits++;
    return il_lua_push_placeholder(L);
}

void il_lua_why_install(lua_State *L) {
    static const luaL_Reg of_results[] = {{"table", il_lua_push_placeholder},
                                          {"figure", il_lua_push_placeholder},
                                          {"limits", push_limits},
                                          {NULL, NULL}};
    static const luaL_Reg of_sweeps[] = {{"limits", push_limits}, {NULL, NULL}};
    il_lua_push_shared(L, "result_methods");
    luaL_setfuncs(L, of_results, 0);
    il_lua_push_shared(L, "sweep_methods");
    luaL_setfuncs(L, of_sweeps, 0);
    lua_pop(L, 2);
}
