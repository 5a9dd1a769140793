/*
 * scheme.c - lab.scheme: a scheme written in Lua.
 *
 *     lab.scheme{name =, order = 1 | 2 | {1, 2}, restitution = false, title =, statement =,
 *                source =, color = "#rrggbb", version =, step = function(s) ... return q, u end}
 *
 * It stands wherever the name of a scheme does, by its value or its name, once it is declared; a
 * name is declared once. What a step is given and may ask is in scheme_step.c.
 */
#include "harness/lua/scripted/scheme.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/lua/base/color.h"
#include "harness/lua/base/module.h"

static const char CALL[] = "lab.scheme";
static const char SCHEME[] = "impactlab.scheme";
static const char DECLARED[] = "impactlab.schemes"; /* in the registry: name to value */

il_lua_scheme *il_lua_scheme_test(lua_State *L, int index) {
    return luaL_testudata(L, index, SCHEME);
}

il_lua_scheme *il_lua_scheme_find(lua_State *L, const char *name) {
    (void)luaL_getsubtable(L, LUA_REGISTRYINDEX, DECLARED);
    (void)lua_getfield(L, -1, name);
    il_lua_scheme *scheme = il_lua_scheme_test(L, -1);
    lua_pop(L, 2);
    return scheme;
}

static int scheme_text(lua_State *L) {
    const il_lua_scheme *w = luaL_checkudata(L, 1, SCHEME);
    bool alive = il_lua_arena_alive(w->arena);
    lua_pushfstring(L, "scheme '%s' (lab.scheme)", alive ? w->type.name : "?");
    return 1;
}

static il_lua_scheme *push_handle(lua_State *L) {
    static const il_claim claims[] = {{.norm = NULL}};
    il_lua_scheme *w = lua_newuserdatauv(L, sizeof *w, 1);
    *w = (il_lua_scheme){.type = {.claims = claims},
                         .context = il_lua_context_of(L),
                         .step = LUA_NOREF,
                         .class = LUA_NOREF};
    if (luaL_newmetatable(L, SCHEME)) {
        lua_pushcfunction(L, scheme_text);
        lua_setfield(L, -2, "__tostring");
        lua_pushliteral(L, "impactlab");
        lua_setfield(L, -2, "__metatable");
    }
    lua_setmetatable(L, -2);
    w->arena = il_lua_arena_new(L);
    (void)lua_setiuservalue(L, -2, 1);
    return w;
}

static const char *read_name(const il_fields *f) {
    const char *name = il_fields_text(f, "name", NULL);
    if (name == NULL) {
        il_fields_miss(f, "name", "letters, digits and ._-, as tables and legends call it");
    }
    if (!il_text_is_file_name(name)) {
        il_fields_refuse_key(f, "name", "letters, digits and ._-, a letter, digit or _ first");
    }
    for (size_t k = 0; il_scheme_type_at(k) != NULL; k++) {
        if (strcmp(name, il_scheme_type_at(k)->name) == 0) {
            il_fields_refuse_key(f, "name", "a name that no built-in scheme has");
        }
    }
    if (il_lua_scheme_find(f->L, name) != NULL) {
        il_fields_refuse_key(f, "name", "a name that no scheme of this script has");
    }
    return name;
}

/* Bits of the orders; both without a word. */
static unsigned read_orders(const il_fields *f) {
    size_t n = 0;
    const double *orders = il_fields_numbers(f, "order", true, &n);
    unsigned bits = 0;
    for (size_t k = 0; k < n; k++) {
        bits |= orders[k] == 1.0 ? 1u : orders[k] == 2.0 ? 2u : 4u;
    }
    if (orders != NULL && (bits == 0 || bits > 3u)) {
        il_fields_refuse_key(
            f, "order", "1 (sweeping process), 2 (contact dynamics), or {1, 2}, as without it");
    }
    return orders != NULL ? bits : 3u;
}

static const char *read_color(const il_fields *f) {
    const char *color = il_fields_text(f, "color", NULL);
    bool right = color == NULL || (strlen(color) == 7 && color[0] == '#' &&
                                   strspn(color + 1, "0123456789abcdefABCDEF") == 6);
    if (!right) {
        il_fields_refuse_key(f, "color", "\"#rrggbb\"");
    }
    return color;
}

static int scheme(lua_State *L) {
    static const char *const known[] = {"name",   "order", "restitution", "title", "statement",
                                        "source", "color", "version",     "step",  NULL};
    lua_settop(L, 1);
    il_lua_scheme *w = push_handle(L);
    il_fields f = il_fields_open(L, w->arena, 1, CALL, "");
    il_fields_known(&f, 0, known);
    w->type.name = read_name(&f);
    w->type.title = il_fields_text(&f, "title", "a scheme written in Lua");
    w->type.statement = il_fields_text(&f, "statement", "given by its script");
    w->type.source = il_fields_text(&f, "source", "a Lua script");
    w->type.orders = read_orders(&f);
    w->type.restitution = il_fields_flag(&f, "restitution", false);
    w->type.color = read_color(&f);
    if (!il_fields_push(&f, "step")) {
        il_fields_miss(&f, "step", "a function(s) that returns q, u");
    }
    if (!lua_isfunction(L, -1)) {
        il_fields_refuse(&f, "step", -1, "a function(s) that returns q, u");
    }
    w->step = luaL_ref(L, LUA_REGISTRYINDEX);
    il_lua_identity_declare(&w->identity, &f,
                            il_lua_print(L, w->arena, "scheme '%s'", w->type.name));
    w->choice =
        (il_scheme_choice){.name = w->type.name, .type = &w->type, .functions = &w->identity.now};
    il_lua_scheme_bind(L, 2, w);
    (void)luaL_getsubtable(L, LUA_REGISTRYINDEX, DECLARED);
    lua_pushvalue(L, 2);
    lua_setfield(L, -2, w->type.name);
    lua_settop(L, 2);
    return 1;
}

void il_lua_add_scheme(lua_State *L) {
    lua_pushcfunction(L, scheme);
    lua_setfield(L, -2, "scheme");
}
