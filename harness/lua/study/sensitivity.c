/*
 * sensitivity.c - who refuses to judge chaotic numbers, and why.
 */
#include "harness/lua/study/sensitivity.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#include "harness/lua/base/record.h"
#include "harness/lua/study/ensemble.h"
#include "harness/lua/sweep/notice.h"
#include "harness/study/ensemble/ensemble.h"

static const char MADE[] = "impactlab.sensitivity"; /* in the registry: ensembles of cases */

/* Push the ensemble of case k as a table. */
static void push_ensemble(lua_State *L, const il_sweep *sweep, size_t k) {
    (void)luaL_getsubtable(L, LUA_REGISTRYINDEX, MADE);
    lua_pushfstring(L, "%p %I", (const void *)sweep, (LUAI_UACINT)k);
    lua_pushvalue(L, -1);
    if (lua_rawget(L, -3) == LUA_TTABLE) {
        lua_replace(L, -3);
        lua_pop(L, 1);
        return;
    }
    lua_pop(L, 1);
    il_lua_arena *arena = il_lua_arena_new(L);
    const json_t *record = NULL;
    il_case c = il_sweep_case(sweep, k);
    il_lua_members m = {.context = il_lua_context_of(L),
                        .L = L,
                        .call = "the ensemble of a sweep",
                        .c = &c,
                        .n = sweep->ensemble};
    il_lua_push_json(L, il_lua_ensemble_of(&m, arena, IL_ENSEMBLE_SMALLEST, &record));
    lua_remove(L, -2); /* the arena */
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, -5);
    lua_replace(L, -3);
    lua_pop(L, 1);
}

/* Is the number at path of the ensemble at the top chaotic? Leaves the stack as it was. */
static bool is_chaotic(lua_State *L, const char *path) {
    bool chaotic = false;
    int top = lua_gettop(L);
    if (lua_getfield(L, top, "numbers") == LUA_TTABLE) {
        if (path == NULL || lua_getfield(L, -1, path) != LUA_TTABLE) {
            lua_settop(L, top + 1);
            (void)lua_getfield(L, -1, "final.q");
        }
        if (lua_istable(L, -1) && lua_getfield(L, -1, "class") == LUA_TSTRING) {
            chaotic = strcmp(lua_tostring(L, -1), il_sensitivity_name(IL_CHAOTIC)) == 0;
        }
    }
    lua_settop(L, top);
    return chaotic;
}

bool il_sweep_doubts(lua_State *L, const il_sweep *sweep, size_t coarse, size_t fine,
                     const char *path, char *why, size_t capacity) {
    bool chaotic = false;
    const size_t cases[] = {coarse, fine};
    for (int i = 0; i < 2 && sweep->ensemble > 0 && !chaotic; i++) {
        push_ensemble(L, sweep, cases[i]);
        chaotic = is_chaotic(L, path);
        if (chaotic) {
            (void)lua_getfield(L, -1, "reason");
            (void)snprintf(why, capacity, "chaotic at the %s step, nothing is judged: %.180s",
                           i == 0 ? "coarsest" : "finest", lua_tostring(L, -1));
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    return chaotic;
}

/* The cases from `first` with the coarsest and the finest step whose runs went well. False if there
 * is none, or the sweep asks for no ensembles. */
static bool find_ends(const il_result *result, size_t first, size_t *coarse, size_t *fine) {
    size_t end = first + result->sweep->nsizes;
    *coarse = *fine = end;
    for (size_t k = first; k < end && result->sweep->ensemble > 0; k++) {
        double h = il_result_step(result, k);
        bool well = il_result_went_well(result, k);
        *coarse = well && (*coarse == end || h > il_result_step(result, *coarse)) ? k : *coarse;
        *fine = well && (*fine == end || h < il_result_step(result, *fine)) ? k : *fine;
    }
    return *fine != end;
}

void il_result_doubt(lua_State *L, const il_result *result, const il_order_query *query,
                     il_order *order) {
    size_t first = il_result_first(result, query->problem, query->scheme);
    size_t coarse = 0;
    size_t fine = 0;
    char path[64];
    char why[sizeof order->reason];
    if (!find_ends(result, first, &coarse, &fine)) {
        return; /* nothing is asked for, or no run can be repeated: the order says why */
    }
    (void)snprintf(path, sizeof path, "error.%.40s", query->norm);
    if (il_sweep_doubts(L, result->sweep, coarse, fine, path, why, sizeof why)) {
        order->verdict = IL_ORDER_INCONCLUSIVE;
        memcpy(order->reason, why, sizeof why);
    }
}

/* ---- checks --------------------------------------------------------------------------------- */

void il_lua_push_doubt(lua_State *L, int index) {
    static const char *const known[] = {"ensemble", "numbers", NULL};
    il_lua_arena *arena = il_lua_arena_new(L);
    il_fields f = il_fields_open(L, arena, index, "lab.check", "");
    il_fields_known(&f, 0, known);
    size_t n = 0;
    const char **numbers = il_fields_texts(&f, "numbers", &n);
    if (!il_fields_push(&f, "ensemble") || !lua_istable(L, -1)) {
        il_fields_refuse(&f, "ensemble", -1, "what lab.ensemble returned with vary = \"data\"");
    }
    for (size_t k = 0; k < n; k++) {
        (void)lua_getfield(L, -1, "numbers");
        if (!lua_istable(L, -1) || lua_getfield(L, -1, numbers[k]) != LUA_TTABLE) {
            lua_pushstring(L, numbers[k]);
            il_fields_refuse(&f, "numbers", -1, "names in the ensemble's numbers");
        }
        lua_pop(L, 2);
        if (is_chaotic(L, numbers[k])) {
            lua_pushfstring(L, "%s is chaotic", numbers[k]);
            return;
        }
    }
    (void)lua_getfield(L, -1, "class");
    if (n == 0 && lua_type(L, -1) == LUA_TSTRING &&
        strcmp(lua_tostring(L, -1), il_sensitivity_name(IL_CHAOTIC)) == 0) {
        lua_pushliteral(L, "the run is chaotic");
        return;
    }
    lua_pushnil(L);
}

/* ---- figures and tables --------------------------------------------------------------------- */

const char *il_lua_mark(const il_fields *f, const char *caption) {
    lua_State *L = f->L;
    const char *out = caption;
    if (il_fields_push(f, "ensemble")) {
        if (!lua_istable(L, -1) || lua_getfield(L, -1, "class") != LUA_TSTRING ||
            lua_getfield(L, -2, "reason") != LUA_TSTRING) {
            il_fields_refuse(f, "ensemble", -1, "what lab.ensemble returned with vary = \"data\"");
        }
        const char *class = lua_tostring(L, -2);
        if (strcmp(class, il_sensitivity_name(IL_ROBUST)) != 0) {
            out = il_lua_print(L, f->arena, "%s%sNot robust but %s: %s.", caption ? caption : "",
                               caption ? " " : "", class, lua_tostring(L, -1));
        }
        lua_pop(L, 2);
    }
    lua_pop(L, 1);
    return out;
}

/* The class of case k, as static text. */
static const char *class_of_case(lua_State *L, const il_sweep *sweep, size_t k) {
    push_ensemble(L, sweep, k);
    (void)lua_getfield(L, -1, "class");
    const char *text = lua_tostring(L, -1);
    il_sensitivity class = IL_ROBUST;
    while (text != NULL && class < IL_CHAOTIC && strcmp(text, il_sensitivity_name(class)) != 0) {
        class ++;
    }
    lua_pop(L, 2);
    return il_sensitivity_name(class);
}

const char *il_result_mark(lua_State *L, il_lua_arena *arena, const il_result *result,
                           const char *caption) {
    const il_sweep *s = result->sweep;
    const char *robust = il_sensitivity_name(IL_ROBUST);
    const char *out = caption;
    for (size_t k = 0; k < il_sweep_count(s); k += s->nsizes) {
        size_t ends[2] = {0, 0};
        bool has = find_ends(result, k, &ends[0], &ends[1]);
        for (int i = 0; i < 2 && has; i++) {
            const char *class = class_of_case(L, s, ends[i]);
            il_case c = il_sweep_case(s, k);
            if (strcmp(class, robust) != 0) {
                out =
                    il_lua_print(L, arena, "%s%sNot robust but %s: %s by %s at h = %.3g.",
                                 out != NULL ? out : "", out != NULL ? " " : "", class,
                                 c.problem->label, c.scheme->name, il_result_step(result, ends[i]));
            }
        }
    }
    return out;
}
