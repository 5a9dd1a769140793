/*
 * table.c - lab.table: what a script tabulates itself, and tables into the results folder.
 *
 *     lab.table{name =, caption =, heads = {...}, rows = {{...}, ...}, formats = {...}, order =}
 *
 * Files go to RESULTS/tables; lab.table returns the path of the first format. Integers are printed
 * as they are. Other numbers are rounded (%.6g) for readers, in txt and tex, and keep all their
 * digits for programs, in csv. A script that wants them otherwise gives texts.
 */
#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/lua/base/context.h"
#include "harness/lua/base/folder.h"
#include "harness/lua/base/module.h"
#include "harness/lua/draw/draw.h"
#include "harness/lua/draw/origin.h"
#include "harness/lua/draw/section.h"
#include "harness/lua/study/sensitivity.h"

unsigned il_lua_formats(const il_fields *f) {
    static const struct {
        const char *name;
        unsigned bit;
    } formats[] = {{"txt", IL_TABLE_TXT}, {"csv", IL_TABLE_CSV}, {"tex", IL_TABLE_TEX}};
    size_t n = 0;
    const char **asked = il_fields_texts(f, "formats", &n);
    unsigned bits = n == 0 ? IL_TABLE_ALL : 0u;
    for (size_t k = 0; k < n; k++) {
        unsigned bit = 0;
        for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
            bit |= strcmp(asked[k], formats[i].name) == 0 ? formats[i].bit : 0u;
        }
        if (bit == 0) {
            lua_pushstring(f->L, asked[k]);
            il_fields_refuse(f, "formats", -1, "txt, csv, tex");
        }
        bits |= bit;
    }
    return bits;
}

const char *il_lua_digits(lua_State *L, il_lua_arena *arena, double x) {
    char text[40];
    if (!isfinite(x)) {
        return isnan(x) ? "nan" : x > 0.0 ? "inf" : "-inf";
    }
    for (int digits = 1; digits <= 17; digits++) { /* 17 are always enough */
        (void)snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x) {
            break;
        }
    }
    return il_lua_copy(L, arena, text);
}

void il_lua_tabulate(const il_fields *f, const il_table *table, const char *const *csv,
                     unsigned formats) {
    static const char *const suffix[] = {"txt", "csv", "tex"};
    lua_State *L = f->L;
    il_error err = {IL_OK, ""};
    il_section section;
    il_table placed = *table;
    placed.section = il_lua_section(L, &section);
    placed.origin = table->origin != NULL ? table->origin : il_lua_origin(L, f->arena, NULL);
    const char *folder = il_lua_push_folder(L, "tables");
    placed.exact = csv;
    il_lua_tell_other(L, folder, table->name, ".table.json", "table");
    il_lua_expect(L, f->call, il_table_write(&placed, folder, formats, &err), &err);
    int first = 0;
    while (first < 2 && (formats & 1u << first) == 0) {
        first++;
    }
    lua_pushfstring(L, "%s/%s.%s", folder, table->name, suffix[first]);
    lua_remove(L, -2);
    il_lua_tell(il_lua_context_of(L), "wrote %s", lua_tostring(L, -1));
}

/* The cell at the top of the stack as text, with all digits or rounded; NULL for nil. */
static const char *read_cell(const il_fields *f, size_t row, size_t column, bool exact) {
    lua_State *L = f->L;
    switch (lua_type(L, -1)) {
    case LUA_TSTRING:
        return il_lua_copy(L, f->arena, lua_tostring(L, -1));
    case LUA_TNUMBER:
        if (lua_isinteger(L, -1)) {
            return il_lua_print(L, f->arena, "%lld", (long long)lua_tointeger(L, -1));
        }
        return exact || !isfinite(lua_tonumber(L, -1))
                   ? il_lua_digits(L, f->arena, lua_tonumber(L, -1))
                   : il_lua_print(L, f->arena, "%.6g", lua_tonumber(L, -1));
    case LUA_TBOOLEAN:
        return lua_toboolean(L, -1) ? "yes" : "no";
    case LUA_TNIL:
        return NULL;
    default: {
        char what[64];
        (void)snprintf(what, sizeof what, "rows[%zu][%zu]", row + 1, column + 1);
        il_fields_refuse(f, what, -1, "a string, a number, a boolean, nil");
    }
    }
}

/* The cells, rounded, and in *csv with all digits. */
static const char *const *read_rows(const il_fields *f, il_table *table, const char *const **csv) {
    lua_State *L = f->L;
    if (!il_fields_push(f, "rows") || !lua_istable(L, -1)) {
        il_fields_refuse(f, "rows", -1, "an array of rows, each an array");
    }
    table->rows = (size_t)lua_rawlen(L, -1);
    size_t n = table->rows * table->columns;
    const char **cells = il_lua_take(L, f->arena, n, sizeof *cells, NULL);
    const char **exact = il_lua_take(L, f->arena, n, sizeof *exact, NULL);
    for (size_t i = 0; i < table->rows; i++) {
        (void)lua_rawgeti(L, -1, (lua_Integer)i + 1);
        if (!lua_istable(L, -1) || lua_rawlen(L, -1) > table->columns) {
            char what[40];
            (void)snprintf(what, sizeof what, "rows[%zu]", i + 1);
            il_fields_refuse(f, what, -1, "an array with at most as many cells as there are heads");
        }
        for (size_t j = 0; j < table->columns; j++) {
            (void)lua_rawgeti(L, -1, (lua_Integer)j + 1);
            cells[i * table->columns + j] = read_cell(f, i, j, false);
            exact[i * table->columns + j] = read_cell(f, i, j, true);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    *csv = exact;
    return cells;
}

static int table(lua_State *L) {
    static const char *const known[] = {"name",    "caption", "heads",    "rows",
                                        "formats", "order",   "ensemble", NULL};
    il_fields f = il_fields_begin(L, 1, "lab.table", known);
    il_table t = {.name = il_fields_text(&f, "name", NULL),
                  .caption = il_lua_mark(&f, il_fields_text(&f, "caption", "")),
                  .order = il_lua_place(&f)};
    if (t.name == NULL) {
        il_fields_miss(&f, "name", "the file's name without extension");
    }
    t.heads = il_fields_texts(&f, "heads", &t.columns);
    if (t.columns == 0) {
        il_fields_miss(&f, "heads", "an array of strings");
    }
    const char *const *csv = NULL;
    t.cells = read_rows(&f, &t, &csv);
    il_lua_tabulate(&f, &t, csv, il_lua_formats(&f));
    return 1;
}

void il_lua_add_table(lua_State *L) {
    static const luaL_Reg functions[] = {{"table", table}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
