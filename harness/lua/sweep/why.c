/*
 * why.c - a sweep's cases as they would be looked for.
 */
#include "harness/lua/sweep/why.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/lua/sweep/kept.h"
#include "harness/lua/sweep/notice.h"
#include "harness/run/references.h"

static const char CALL[] = "sweep:run";

static il_lua_checks *checks_of(lua_State *L) {
    il_lua_checks *checks = il_lua_context_of(L)->options->checks;
    return checks != NULL && checks->cases != NULL ? checks : NULL;
}

static void append(il_lua_checks *checks, const il_sweep *sweep, const il_case *c,
                   const char *key) {
    il_json w = {false};
    char name[IL_STORE_NAME] = "";
    json_t *one = json_object();
    il_json_put_text(&w, one, "sweep", sweep->name);
    il_json_put_text(&w, one, "problem", c->problem->label);
    il_json_put_text(&w, one, "scheme", c->scheme->name);
    if (c->steps > 0) {
        il_json_put_count(&w, one, "steps", c->steps);
    } else {
        il_json_put(&w, one, "h", c->h);
    }
    if (key != NULL) {
        il_store_key_name(key, name);
        il_json_put_text(&w, one, "specification", key);
        il_json_put_text(&w, one, "name", name);
    } else {
        il_json_put_text(&w, one, "unkept", il_case_unnamed(c));
    }
    il_json_append(&w, checks->cases, one);
    checks->starved |= w.failed;
}

/* Reference i of a sweep, by its key; needed where one of its cases has no record. */
static void append_reference(il_lua_checks *checks, const il_result *result, size_t i,
                             const char *key) {
    il_json w = {false};
    char name[IL_STORE_NAME] = "";
    const il_sweep *s = result->sweep;
    bool needed = false;
    json_t *one = json_object();
    for (size_t k = 0; k < il_sweep_count(s); k++) {
        needed = needed || (!il_result_has(result, k) &&
                            il_sweep_reference_of(s, k / s->nsizes / s->nschemes) == i);
    }
    il_store_key_name(key, name);
    il_json_put_text(&w, one, "sweep", s->name);
    il_json_put_text(&w, one, "problem", s->problems[i].label);
    if (s->reference == IL_REFERENCE_SELF) {
        il_json_put_text(&w, one, "scheme", s->reference_scheme->name);
        il_json_put_count(&w, one, "steps", s->reference_steps);
    }
    il_json_put_text(&w, one, "specification", key);
    il_json_put_text(&w, one, "name", name);
    il_json_set(&w, one, "needed", json_boolean(needed));
    il_json_append(&w, checks->references, one);
    checks->starved |= w.failed;
}

static void gather_references(lua_State *L, il_lua_checks *checks, const il_sweep *s,
                              il_result *result) {
    bool events = s->reference == IL_REFERENCE_EVENTS;
    if (events ? il_lua_has_functions(s) : s->reference != IL_REFERENCE_SELF) {
        return;
    }
    char **key = il_lua_take(L, result->arena, 1, sizeof *key, il_lua_close_text);
    for (size_t i = 0; i < s->nproblems; i++) {
        il_error err = {IL_OK, ""};
        if (il_sweep_reference_of(s, i) == i) {
            free(*key);
            il_case c = il_sweep_reference_case(s, i, false);
            il_lua_expect(L, CALL,
                          events ? il_reference_key(&c, key, &err) : il_case_key(&c, key, &err),
                          &err);
            if (*key != NULL) { /* else its functions are not trusted */
                append_reference(checks, result, i, *key);
            }
        }
    }
}

bool il_lua_why_gather(lua_State *L, const il_sweep *sweep, const il_lua_norm *norm,
                       il_result *result) {
    il_lua_checks *checks = checks_of(L);
    if (checks == NULL) {
        return false;
    }
    il_error err = {IL_OK, ""};
    char **key = il_lua_take(L, result->arena, 1, sizeof *key, il_lua_close_text);
    for (size_t k = 0; k < il_sweep_count(sweep); k++) {
        il_case c = il_sweep_case(sweep, k);
        il_lua_norm_key(norm, &c);
        free(*key);
        il_lua_expect(L, CALL, il_case_key(&c, key, &err), &err);
        append(checks, sweep, &c, *key);
        if (*key != NULL) {
            const il_lua_finder *finder = &checks->finder;
            json_t *record = NULL;
            il_lua_expect(L, CALL, finder->find(finder->self, *key, &record, &err), &err);
            il_lua_expect(L, CALL, il_result_put(result, k, record, &err), &err);
        }
        bool has = il_result_has(result, k);
        result->found += has;
        result->missing += !has;
        result->failed += has && !il_result_went_well(result, k);
    }
    if (norm == NULL) {
        gather_references(L, checks, sweep, result);
    }
    return true;
}

void il_lua_why_hollow(lua_State *L, const il_result *result) {
    if (checks_of(L) != NULL && result->missing > 0) {
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
        checks_of(L)->hollow == 0) {
        return lua_error(L);
    }
    return il_lua_push_hollow(L);
}

void il_lua_why_install(lua_State *L) {
    il_lua_result_method(L, "table", il_lua_push_hollow);
    il_lua_result_method(L, "figure", il_lua_push_hollow);
    il_lua_result_method(L, "limits", il_lua_push_hollow);
    il_lua_sweep_method(L, "limits", il_lua_push_hollow);
}
