/*
 * norms.c - norms of a script's own in the records of a result, for which its cases run once more.
 *
 *     host.measure(r, call, t, what) -> the name of the norm that t, which messages call what, is
 */
#include <lauxlib.h>
#include <stdint.h>

#include "harness/base/json.h"
#include "harness/lua/base/module.h"
#include "harness/lua/sweep/execute.h"
#include "harness/lua/sweep/kept.h"
#include "harness/lua/sweep/notice.h"

/* The norm's value out of each record of `from`, and of a self reference's own error; one that its
 * function failed in is an error. */
static void take_values(lua_State *L, il_result *to, const il_result *from, const char *name) {
    il_error err = {IL_OK, ""};
    il_json w = {false};
    for (size_t k = 0; k < il_sweep_count(to->sweep); k++) {
        const json_t *record = il_result_record(L, from, k);
        const json_t *measured = json_object_get(record, "error");
        json_t *mine = il_result_record(L, to, k);
        json_t *error = json_object_get(mine, "error");
        json_t *own = json_object_get(error, "reference_error");
        json_t *value = json_object_get(measured, name);
        json_t *its = json_object_get(json_object_get(measured, "reference_error"), name);
        if (value == NULL && il_execution_has_status(record, IL_ESCRIPT) &&
            !il_execution_has_status(mine, IL_ESCRIPT)) {
            (void)il_fail(&err, IL_ESCRIPT, "%s", il_json_get_text(record, "message"));
            il_lua_raise(L, NULL, &err);
        }
        if (!json_is_object(error)) {
            continue;
        }
        il_json_set(&w, error, name, value != NULL ? json_incref(value) : json_null());
        if (json_is_object(own) && its != NULL) {
            il_json_set(&w, own, name, json_incref(its));
        }
        il_lua_expect(L, NULL, il_result_put(to, k, mine, &err), &err);
    }
    il_lua_expect(L, NULL, w.failed ? il_fail(&err, IL_ENOMEM, "no memory for a norm") : IL_OK,
                  &err);
}

/* Measure what the result's records do not have of the norm yet, through the store and the
 * workers. */
static void measure(lua_State *L, const il_result *result, const il_lua_norm *norm) {
    const il_sweep *sweep = result->sweep;
    il_lua_identity *identity = (il_lua_identity *)(uintptr_t)&norm->identity;
    bool all = true;
    for (size_t k = 0; k < il_sweep_count(sweep); k++) {
        const json_t *error = json_object_get(il_result_record(L, result, k), "error");
        all = all && (!json_is_object(error) || json_object_get(error, norm->name) != NULL);
    }
    if (all) {
        return;
    }
    il_lua_identify(L, identity);
    il_lua_tell_unkept(L, sweep, identity->now.why);
    (void)lua_getiuservalue(L, 1, 2); /* the sweep; the result is what the method was called on */
    const il_result *measured = il_lua_execute(L, -1, norm);
    take_values(L, (il_result *)(uintptr_t)result, measured, norm->name);
    lua_pop(L, 2);
}

static int measure_norm(lua_State *L) {
    const il_result *result = il_lua_check_result(L, 1);
    il_fields f =
        il_fields_open(L, il_lua_arena_open(L), 3, luaL_checkstring(L, 2), luaL_checkstring(L, 4));
    const il_lua_norm *norm = il_lua_norm_declare(&f);
    measure(L, result, norm);
    lua_pushstring(L, norm->name);
    return 1;
}

void il_lua_add_norms(lua_State *L) {
    lua_pushcfunction(L, measure_norm);
    lua_setfield(L, -2, "measure");
}
