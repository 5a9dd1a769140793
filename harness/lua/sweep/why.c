/*
 * why.c - a sweep's cases as they would be looked for.
 */
#include "harness/lua/sweep/why.h"

#include "harness/base/interrupt.h"
#include "harness/base/json.h"

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

void il_lua_why_hollow(lua_State *L, const il_result *result) {
    if (il_lua_why_gathers(L) != NULL && result->missing > 0) {
        (void)il_lua_push_hollow(L);
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
        il_lua_why_gathers(L)->hollow == 0) {
        return lua_error(L);
    }
    return il_lua_push_hollow(L);
}

/* The runs of limits depend on what earlier ones came to, so they are not gathered: counted. */
static int push_limits(lua_State *L) {
    il_lua_why_gathers(L)->limits++;
    return il_lua_push_hollow(L);
}

void il_lua_why_install(lua_State *L) {
    il_lua_result_method(L, "table", il_lua_push_hollow);
    il_lua_result_method(L, "figure", il_lua_push_hollow);
    il_lua_result_method(L, "limits", push_limits);
    il_lua_sweep_method(L, "limits", push_limits);
}
