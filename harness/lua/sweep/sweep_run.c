/*
 * sweep_run.c - sweep:run, and norms of a script's own, for which the cases run once more.
 */
#include <stdint.h>

#include "harness/base/json.h"
#include "harness/lua/base/module.h"
#include "harness/lua/sweep/execute.h"
#include "harness/lua/sweep/notice.h"
#include "harness/lua/sweep/why.h"

/* Where nothing is run, the cases are gathered. */
static void run_or_gather(lua_State *L, il_execution *e) {
    e->context->L = L;
    il_lua_identify_sweep(L, e->sweep);
    if (!il_lua_why_gather(L, e->sweep, e->norm, e->result)) {
        il_execution_run(L, e);
    }
}

/* sweep:run(): every case, through the store and the workers. */
static int sweep_run(lua_State *L) {
    const il_sweep *sweep = il_lua_check_sweep(L, 1);
    lua_settop(L, 1);
    il_execution e = {.context = il_lua_context_of(L), .sweep = sweep, .title = sweep->name};
    e.result = il_lua_push_result(L, 1, sweep);
    run_or_gather(L, &e);
    il_lua_why_hollow(L, e.result);
    return 1;
}

/* ---- norms of the script's own --------------------------------------------------------------- */

/* The same of a self reference's own error, beside those in the program's norms. */
static void take_reference_error(il_json *w, json_t *error, const json_t *from, const char *name) {
    json_t *own = json_object_get(error, "reference_error");
    json_t *value = json_object_get(json_object_get(from, "reference_error"), name);
    if (json_is_object(own) && value != NULL) {
        il_json_set(w, own, name, json_incref(value));
    }
}

/* The norm's value out of each record of `from`; one that its function failed in is an error. */
static void take_values(lua_State *L, const il_result *to, const il_result *from,
                        const il_lua_norm *norm) {
    il_error err = {IL_OK, ""};
    il_json w = {false};
    for (size_t k = 0; k < il_sweep_count(to->sweep); k++) {
        const json_t *record = from->records[k];
        json_t *error = json_object_get(to->records[k], "error");
        json_t *value = json_object_get(json_object_get(record, "error"), norm->name);
        if (value == NULL && il_execution_has_status(record, IL_ESCRIPT) &&
            !il_execution_has_status(to->records[k], IL_ESCRIPT)) {
            (void)il_fail(&err, IL_ESCRIPT, "%s",
                          json_string_value(json_object_get(record, "message")));
            il_lua_raise(L, NULL, &err);
        }
        if (json_is_object(error)) {
            il_json_set(&w, error, norm->name, value != NULL ? json_incref(value) : json_null());
            take_reference_error(&w, error, json_object_get(record, "error"), norm->name);
        }
    }
    il_lua_expect(L, NULL, w.failed ? il_fail(&err, IL_ENOMEM, "no memory for a norm") : IL_OK,
                  &err);
}

void il_sweep_measure(lua_State *L, const il_result *result, const il_lua_norm *norm) {
    const il_sweep *sweep = result->sweep;
    il_lua_identity *identity = (il_lua_identity *)(uintptr_t)&norm->identity;
    bool all = true;
    for (size_t k = 0; k < il_sweep_count(sweep); k++) {
        const json_t *error = json_object_get(result->records[k], "error");
        all = all && (!json_is_object(error) || json_object_get(error, norm->name) != NULL);
    }
    if (all) {
        return;
    }
    il_execution e = {.context = il_lua_context_of(L), .sweep = sweep, .norm = norm};
    (void)lua_getiuservalue(L, 1, 2); /* the sweep; the result is what the method was called on */
    e.result = il_lua_push_result(L, -1, sweep);
    e.title = il_lua_print(L, e.result->arena, "%s, norm %s", sweep->name, norm->name);
    il_lua_identify(L, identity);
    il_lua_tell_unkept(L, sweep, identity->now.why);
    run_or_gather(L, &e);
    take_values(L, result, e.result, norm);
    lua_pop(L, 2);
}

void il_lua_add_sweep_run(lua_State *L) {
    il_lua_sweep_method(L, "run", sweep_run);
}
