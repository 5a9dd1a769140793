/*
 * origin.c - what manifests say of a figure or a table: the cases that it was made from, and the
 * section of the report that it belongs to.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/io/sealed.h"
#include "harness/lua/base/context.h"
#include "harness/lua/draw/draw.h"

/* Cases without a key are nowhere stored. */
static il_status add_result(json_t *cases, const il_result *r, il_error *err) {
    il_status status = IL_OK;
    for (size_t k = 0; status == IL_OK && k < il_sweep_count(r->sweep); k++) {
        char name[IL_STORE_NAME];
        char *key = NULL;
        il_case c = il_sweep_case(r->sweep, k);
        status = il_case_key(&c, &key, err);
        if (key != NULL) {
            il_store_key_name(key, name);
            il_json_append(cases, json_string(name));
        }
        free(key);
    }
    return status;
}

static void add_script(json_t *cases, const il_roster *roster) {
    const char *name = NULL;
    json_t *cost = NULL;
    json_object_foreach((json_t *)(uintptr_t)il_roster_cases(roster), name, cost) {
        il_json_append(cases, json_string(name));
    }
}

const json_t *il_lua_origin(lua_State *L, il_lua_arena *arena, int index) {
    const il_lua_context *context = il_lua_context_of(L);
    const il_result *result =
        index == 0 || lua_isnil(L, index) ? NULL : il_lua_check_result(L, index);
    il_error err = {IL_OK, ""};
    json_t **object = il_lua_take(L, arena, 1, sizeof *object, il_lua_close_json);
    *object = json_object();
    json_t *cases = json_array();
    il_status status = IL_OK;
    if (result != NULL) {
        status = add_result(cases, result, &err);
    } else {
        add_script(cases, context->roster);
    }
    il_json_put_text(*object, "of", result != NULL ? "result" : "script");
    il_json_put_text(*object, "script", il_text_is_utf8(context->name) ? context->name : "?");
    il_json_put_text(*object, "script_sha256", context->sum[0] != '\0' ? context->sum : NULL);
    il_json_set(*object, "cases", cases);
    il_json_put_count(*object, "runs", result != NULL ? 0 : context->outcome.runs);
    il_lua_expect(L, NULL, status, &err);
    return *object;
}

void il_lua_tell_other(lua_State *L, const char *folder, const char *name, const char *suffix) {
    const il_lua_context *context = il_lua_context_of(L);
    const char *path = lua_pushfstring(L, "%s/%s%s", folder, name, suffix);
    json_t *manifest = NULL;
    il_error none = {IL_OK, ""}; /* there is none, or it says nothing */
    (void)il_sealed_load(path, &manifest, &none);
    const char *other = il_json_get_text(json_object_get(manifest, "origin"), "script");
    if (other[0] != '\0' && strcmp(other, context->name) != 0) {
        il_lua_say(context, "%s %s was drawn by %s: this script takes its place",
                   il_json_get_text(manifest, "kind"), name, other);
    }
    json_decref(manifest);
    lua_pop(L, 1);
}

/* ---- sections -------------------------------------------------------------------------------- */

static const char CURRENT[] = "impactlab.section"; /* in the registry */

int il_lua_begin_section(lua_State *L) {
    lua_settop(L, 1);
    lua_setfield(L, LUA_REGISTRYINDEX, CURRENT);
    return 0;
}

const il_section *il_lua_section(lua_State *L, il_section *section) {
    const il_section *found = NULL;
    if (lua_getfield(L, LUA_REGISTRYINDEX, CURRENT) == LUA_TTABLE) {
        (void)lua_getfield(L, -1, "title");
        (void)lua_getfield(L, -2, "text");
        (void)lua_getfield(L, -3, "order");
        *section = (il_section){.title = lua_tostring(L, -3),
                                .text = lua_tostring(L, -2),
                                .order = (int)lua_tointeger(L, -1)};
        found = section;
        lua_pop(L, 3);
    }
    lua_pop(L, 1);
    return found;
}

int il_lua_place(const il_fields *f) {
    return (int)fmin((double)il_fields_count(f, "order", 0, 0), 1e9);
}
