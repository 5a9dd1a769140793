/*
 * identity.c - the sum of a declaration: SHA-256 of the script, its arguments, which declaration of
 * the script it is, and which of its sweeps asks; or of the version and the data that stand beside
 * the functions.
 */
#include "harness/lua/base/identity.h"

#include <jansson.h>
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/lua/base/context.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/record.h"

void il_lua_push_shared(lua_State *L, const char *name) {
    (void)lua_getfield(L, LUA_REGISTRYINDEX, IL_LUA_HOST);
    (void)lua_getfield(L, -1, name);
    lua_remove(L, -2);
}

static void refuse(il_lua_identity *identity, const char *why) {
    (void)snprintf(identity->now.why, sizeof identity->now.why,
                   "%.100s: %.200s; version = \"...\" "
                   "stands for its functions",
                   identity->what, why);
}

/* The sum of the text on top of the stack, which is popped. */
static void sum(lua_State *L, char hex[IL_FUNCTIONS_SUM]) {
    size_t n = 0;
    const char *text = lua_tolstring(L, -1, &n);
    il_sealed_sum(text, n, hex);
    lua_pop(L, 1);
}

/* Push what stands beside the functions in the table of f, as JSON; nil, and the reason, where a
 * part of it has no text. */
static void push_data(const il_fields *f, il_error *err) {
    lua_State *L = f->L;
    lua_newtable(L);
    for (lua_pushnil(L); lua_next(L, f->table) != 0; lua_pop(L, 1)) {
        if (!lua_isfunction(L, -1)) {
            lua_pushvalue(L, -2);
            lua_pushvalue(L, -2);
            lua_rawset(L, -5);
        }
    }
    json_t *data = il_lua_value_take(L, -1, err);
    size_t flags = JSON_SORT_KEYS | JSON_COMPACT | JSON_REAL_PRECISION(17);
    char *text = data != NULL ? il_json_text_as(data, flags) : NULL;
    lua_pop(L, 1);
    lua_pushstring(L, text);
    free(text);
    json_decref(data);
}

static void sum_versioned(il_lua_identity *identity, const il_fields *f) {
    il_error err = {IL_OK, ""};
    push_data(f, &err);
    if (lua_isnil(f->L, -1)) {
        (void)snprintf(identity->now.why, sizeof identity->now.why, "%.100s: %.200s",
                       identity->what, err.message);
        lua_pop(f->L, 1);
        return;
    }
    sum(f->L, identity->now.sum);
}

static void sum_script(lua_State *L, il_lua_identity *identity) {
    il_lua_context *context = il_lua_context_of(L);
    if (context->options->trusted) {
        refuse(identity, "a trusted script may read what changes");
        return;
    }
    if (context->text == NULL || strstr(context->text, "clock") != NULL) {
        refuse(identity,
               context->text == NULL ? "its script is not known" : "its script names the clock");
        return;
    }
    lua_pushfstring(L, "%s\n%d", context->sum, (int)++context->declared);
    for (size_t k = 0; k < context->options->nargs; k++) {
        lua_pushfstring(L, "%s\n%s", lua_tostring(L, -1), context->options->args[k]);
        lua_remove(L, -2);
    }
    sum(L, identity->now.sum);
}

void il_lua_identity_declare(il_lua_identity *identity, const il_fields *f, const char *what) {
    *identity = (il_lua_identity){.what = what};
    identity->versioned = il_fields_text(f, "version", NULL) != NULL;
    if (identity->versioned) {
        sum_versioned(identity, f);
    } else {
        sum_script(f->L, identity);
    }
    memcpy(identity->declared, identity->now.sum, sizeof identity->declared);
}

void il_lua_identify(lua_State *L, il_lua_identity *identity) {
    if (!identity->versioned && identity->declared[0] != '\0') {
        lua_pushfstring(L, "%s %d", identity->declared, (int)il_lua_context_of(L)->sweeps);
        sum(L, identity->now.sum);
    }
}
