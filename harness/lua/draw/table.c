/*
 * table.c - a table's cells, as the library has spelt them, into RESULTS/tables.
 */
#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#include "harness/lua/base/context.h"
#include "harness/lua/base/folder.h"
#include "harness/lua/draw/draw.h"

/* The key formats, an array of txt, csv, tex; all where it is absent. *first is the first that is
 * asked for, in this order. */
static unsigned read_formats(const il_fields *f, const char **first) {
    static const char *const names[] = {"txt", "csv", "tex"};
    static const unsigned bits[] = {IL_TABLE_TXT, IL_TABLE_CSV, IL_TABLE_TEX};
    size_t n = 0;
    const char **asked = il_fields_texts(f, "formats", &n);
    unsigned formats = n == 0 ? IL_TABLE_ALL : 0u;
    for (size_t k = 0; k < n; k++) {
        unsigned bit = 0;
        for (size_t i = 0; i < 3; i++) {
            bit |= strcmp(asked[k], names[i]) == 0 ? bits[i] : 0u;
        }
        if (bit == 0) {
            lua_pushstring(f->L, asked[k]);
            il_fields_refuse(f, "formats", -1, "txt, csv, tex");
        }
        formats |= bit;
    }
    *first = names[(formats & IL_TABLE_TXT) != 0 ? 0 : (formats & IL_TABLE_CSV) != 0 ? 1 : 2];
    return formats;
}

/* n texts of the array of that key; false there is NULL. */
static const char *const *read_cells(const il_fields *f, const char *key, size_t n) {
    const char **cells = il_lua_take(f->L, f->arena, n, sizeof *cells, NULL);
    (void)il_fields_push(f, key);
    for (size_t k = 0; k < n; k++) {
        if (lua_rawgeti(f->L, -1, (lua_Integer)k + 1) == LUA_TSTRING) {
            cells[k] = lua_tostring(f->L, -1); /* the array keeps it */
        }
        lua_pop(f->L, 1);
    }
    return cells;
}

int il_lua_write_table(lua_State *L) {
    il_error err = {IL_OK, ""};
    il_section section;
    const char *suffix = NULL;
    lua_settop(L, 3);
    il_fields f = il_fields_open(L, il_lua_arena_open(L), 2, luaL_checkstring(L, 1), "");
    il_table t = {.name = il_fields_text(&f, "name", NULL),
                  .caption = il_fields_text(&f, "caption", ""),
                  .rows = il_fields_count(&f, "rows", 0, 0),
                  .order = il_lua_place(&f),
                  .section = il_lua_section(L, &section),
                  .origin = il_lua_origin(L, f.arena, 3)};
    t.heads = il_fields_texts(&f, "heads", &t.columns);
    t.cells = read_cells(&f, "cells", t.rows * t.columns);
    t.exact = read_cells(&f, "exact", t.rows * t.columns);
    unsigned formats = read_formats(&f, &suffix);
    const char *folder = il_lua_push_folder(L, "tables");
    il_lua_tell_other(L, folder, t.name, ".table.json");
    il_lua_expect(L, f.call, il_table_write(&t, folder, formats, &err), &err);
    lua_pushfstring(L, "%s/%s.%s", folder, t.name, suffix);
    il_lua_tell(il_lua_context_of(L), "wrote %s", lua_tostring(L, -1));
    return 1;
}
