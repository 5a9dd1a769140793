/*
 * norms.c - norms that are asked of a result: by their names, or a script's own, for which the
 * cases run once more.
 */
#include "harness/lua/sweep/norms.h"

#include <stdint.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/lua/sweep/execute.h"
#include "harness/lua/sweep/kept.h"
#include "harness/lua/sweep/notice.h"

static const char WHAT[] = "the name of a norm, or {name =, of = function(run, reference) ... end}";

/* ---- norms of the script's own --------------------------------------------------------------- */

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

/* ---- by their names, and a script's own ------------------------------------------------------ */

static const char *const norms[] = {"u_L1",    "q_Linf",      "final_q",         "final_u",
                                    "graph_H", "flat_lambda", "flat_lambda_max", "TV",
                                    NULL};

/* The name of the norm at the top of the stack, which stays and is called what in messages. One of
 * the script's own the result's records then have. */
static const char *norm_at_top(const il_fields *f, const char *what, const il_result *result) {
    lua_State *L = f->L;
    int top = lua_gettop(L);
    if (lua_istable(L, top)) {
        il_fields inner = il_fields_open(L, f->arena, top, f->call, what);
        const il_lua_norm *norm = il_lua_norm_declare(&inner);
        lua_settop(L, top);
        measure(L, result, norm);
        return norm->name;
    }
    char allowed[256] = "";
    const char *name = lua_type(L, top) == LUA_TSTRING ? lua_tostring(L, top) : NULL;
    for (size_t k = 0; norms[k] != NULL; k++) {
        if (name != NULL && strcmp(name, norms[k]) == 0) {
            return norms[k];
        }
        il_text_append(allowed, sizeof allowed, "%s%s", k == 0 ? "" : ", ", norms[k]);
    }
    il_fields_refuse(f, what, -1, name != NULL ? allowed : WHAT);
}

const char *il_result_norm(const il_fields *f, const il_result *result) {
    const char *name = il_fields_push(f, "norm") ? norm_at_top(f, "norm", result) : norms[0];
    lua_pop(f->L, 1);
    return name;
}

const char **il_result_norms(const il_fields *f, const il_result *result, size_t *n) {
    lua_State *L = f->L;
    bool given = il_fields_push(f, "norms");
    bool table = given && lua_istable(L, -1);
    size_t many = table ? (size_t)lua_rawlen(L, -1) : 0;
    if (table && many == 0) { /* one of the script's own; {} stands for the usual */
        lua_pushnil(L);
        given = lua_next(L, -2) != 0;
        lua_pop(L, given ? 2 : 0);
    }
    *n = many > 0 ? many : given ? 1 : 2;
    const char **asked = il_lua_take(L, f->arena, *n, sizeof *asked, NULL);
    if (!given) { /* the usual: velocities and positions */
        memcpy(asked, norms, *n * sizeof *asked);
    } else if (many == 0) {
        asked[0] = norm_at_top(f, "norms", result);
    }
    for (size_t k = 0; k < many; k++) {
        (void)lua_rawgeti(L, -1, (lua_Integer)k + 1);
        asked[k] = norm_at_top(f, "norms", result);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return asked;
}
