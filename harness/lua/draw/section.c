/*
 * section.c - lab.section and lab.finding: what the page says around figures and tables.
 *
 *     lab.section("Sticky particles")
 *     lab.section{title = "Sticky particles", text = "...", order = 20}
 *     lab.section()                          -- what follows belongs to none
 *     lab.finding("At h = 1 the ball ...")   -- stands on top of the page
 *
 * What is drawn from then on belongs to the section; it lies in the registry, as a table.
 */
#include "harness/lua/draw/section.h"

#include <lauxlib.h>
#include <math.h>

#include "harness/lua/base/args.h"
#include "harness/lua/base/context.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/setfield.h"
#include "harness/lua/draw/draw.h"

static const char CURRENT[] = "impactlab.section"; /* in the registry */

int il_lua_place(const il_fields *f) {
    int place = (int)fmin((double)il_fields_count(f, "order", 0, 0), 1e9);
    return place;
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

static void begin(lua_State *L, const char *title, const char *text, int order) {
    lua_newtable(L);
    il_lua_set_text(L, "title", title);
    il_lua_set_text(L, "text", text);
    lua_pushinteger(L, order);
    lua_setfield(L, -2, "order");
    lua_setfield(L, LUA_REGISTRYINDEX, CURRENT);
}

static int section(lua_State *L) {
    static const char *const known[] = {"title", "text", "order", NULL};
    lua_settop(L, 1);
    if (lua_isnil(L, 1)) {
        lua_setfield(L, LUA_REGISTRYINDEX, CURRENT);
        return 0;
    }
    if (lua_type(L, 1) == LUA_TSTRING) {
        begin(L, lua_tostring(L, 1), NULL, 0);
        return 0;
    }
    il_lua_arena *arena = il_lua_arena_open(L);
    il_fields f = il_fields_open(L, arena, 1, "lab.section", "");
    il_fields_known(&f, 0, known);
    const char *title = il_fields_text(&f, "title", NULL);
    if (title == NULL) {
        il_fields_miss(&f, "title", "the section's heading");
    }
    begin(L, title, il_fields_text(&f, "text", NULL), il_lua_place(&f));
    return 0;
}

static int finding(lua_State *L) {
    if (lua_type(L, 1) != LUA_TSTRING) {
        char given[64];
        il_error err = {IL_OK, ""};
        il_lua_describe(L, 1, given, sizeof given);
        (void)il_fail(&err, IL_EINVAL, "text is %s; allowed: a sentence", given);
        il_lua_raise(L, "lab.finding", &err);
    }
    const char *text = lua_tostring(L, 1);
    il_lua_context *context = il_lua_context_of(L);
    il_journal_judge(context->journal, "finding", "FINDING", text);
    il_lua_say(context, "finding: %s", text);
    return 0;
}

void il_lua_add_section(lua_State *L) {
    static const luaL_Reg functions[] = {{"section", section}, {"finding", finding}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
