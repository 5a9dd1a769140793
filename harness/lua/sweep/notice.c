/*
 * notice.c - failures are handed to notice.lua (harness/lua/library), which says what to tell.
 */
#include "harness/lua/sweep/result.h"

#include <lauxlib.h>

#include "harness/base/json.h"
#include "harness/lua/base/identity.h"
#include "harness/lua/base/record.h"

/* Push {status =, message =, problem =, scheme =, steps = | h =} of a failure. */
static void push_failure(lua_State *L, const il_case *c, const json_t *record) {
    il_lua_make(L, IL_SET("status", il_json_get_text(record, "status")),
                IL_SET("message", il_json_get_text(record, "message")),
                IL_SET("problem", c->problem->label), IL_SET("scheme", c->scheme->name));
    if (c->steps > 0) {
        il_lua_set(L, IL_SET("steps", c->steps));
    }
    if (c->h > 0.0) {
        il_lua_set(L, IL_SET("h", c->h));
    }
}

/* Tell the failures in the array at the top of the stack, which is popped, each line after the
 * text at index `before`. */
static void tell(lua_State *L, int before, const char *kind) {
    il_lua_push_shared(L, "notice");
    lua_insert(L, -2);
    lua_call(L, 1, 1);
    lua_Integer n = (lua_Integer)lua_rawlen(L, -1);
    for (lua_Integer k = 1; k <= n; k++) {
        (void)lua_rawgeti(L, -1, k);
        il_lua_note(L, kind, lua_tostring(L, -1));
        il_lua_say(il_lua_context_of(L), "%s: %s", lua_tostring(L, before), lua_tostring(L, -1));
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

void il_lua_notice_run(lua_State *L, const char *call, const il_case *c, const json_t *record) {
    il_lua_outcome *outcome = &il_lua_context_of(L)->outcome;
    outcome->runs++;
    if (!il_record_is_ok(record)) {
        outcome->runs_failed++;
        il_lua_where(L);
        lua_pushstring(L, call);
        lua_concat(L, 2);
        lua_newtable(L);
        push_failure(L, c, record);
        lua_rawseti(L, -2, 1);
        tell(L, lua_gettop(L) - 1, "run");
        lua_pop(L, 1);
    }
}

void il_lua_notice_sweep(lua_State *L, const il_result *result) {
    lua_Integer n = 0;
    (void)lua_pushfstring(L, "sweep %s", result->sweep->name);
    lua_newtable(L);
    for (size_t k = 0; k < il_sweep_count(result->sweep); k++) {
        if (il_json_pack_has(result->records, k) && !il_result_is_ok(result, k)) {
            il_case c = il_sweep_case(result->sweep, k);
            push_failure(L, &c, il_result_record(result, k));
            lua_rawseti(L, -2, ++n);
        }
    }
    tell(L, lua_gettop(L) - 1, "case");
    lua_pop(L, 1);
}

/* Programs that made the steps of scheme k: what is wrong with their motions, once a scheme. */
static void notice_findings(lua_State *L, const il_result *result, size_t scheme) {
    const il_sweep *s = result->sweep;
    size_t looked = 0;
    size_t wrong = 0;
    const char *name = "";
    const char *text = "";
    for (size_t k = 0; k < il_sweep_count(s); k++) {
        if (k / s->nsizes % s->nschemes != scheme || !il_json_pack_has(result->records, k)) {
            continue;
        }
        const json_t *record = il_result_record(result, k);
        const json_t *list = json_object_get(json_object_get(record, "program"), "findings");
        const json_t *first = json_array_get(list, 0);
        looked += json_is_array(list);
        wrong += first != NULL;
        if (wrong == 1 && first != NULL) {
            name = lua_pushstring(L, il_json_get_text(first, "name"));
            text = lua_pushstring(L, il_json_get_text(first, "text"));
        }
    }
    if (wrong > 0) {
        il_lua_say(il_lua_context_of(L), "sweep %s: %s: found in %d of %d cases: %s: %s", s->name,
                   s->schemes[scheme]->name, (int)wrong, (int)looked, name, text);
    }
}

void il_lua_notice_programs(lua_State *L, const il_result *result) {
    const il_sweep *s = result->sweep;
    int top = lua_gettop(L);
    for (size_t k = 0; k < s->nschemes; k++) {
        const il_case c = {.scheme = s->schemes[k]};
        if (!c.scheme->type->starts) {
            continue;
        }
        notice_findings(L, result, k);
        if (result->found > 0 && il_case_imports_unseen(&c)) {
            il_lua_tell(il_lua_context_of(L),
                        "sweep %s: what %s imports is not looked at: stored cases are of its "
                        "command and the files that it names; files=, version=, or --fresh",
                        s->name, c.scheme->name);
        }
        lua_settop(L, top);
    }
}
