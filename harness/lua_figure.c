/*
 * lua_figure.c - lab.figure and lab.table: what a script draws and tabulates itself.
 *
 *     lab.figure{name =, caption =, width =, height =, columns =, order =, panels = {PANEL, ...}}
 *     PANEL: title =, xlabel =, ylabel =, logx =, logy =, xrange = {a, b}, yrange = {a, b},
 *            key = "top left", equal =, colorlabel =, crange = {a, b}, series = {SERIES, ...}
 *     SERIES: x = {...}, y = {...}, label =, style =, color = "#rrggbb", width =; for style "discs"
 *             radius = {...} in the units of the axes, and value = {...} that colours them
 *
 * The fields of a single panel may stand beside name. lab.figure returns the path of the PNG,
 *
 *     lab.table{name =, caption =, heads = {...}, rows = {{...}, ...}, formats = {...}, order =}
 *
 * that of the text. Files go to RESULTS/figures and RESULTS/tables. Integers are printed as they
 * are, other numbers with %.6g; a script that wants them otherwise gives texts.
 */
#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "harness/lua_args.h"
#include "harness/lua_context.h"
#include "harness/lua_draw.h"

#define PANEL_KEYS                                                                                 \
    "title", "xlabel", "ylabel", "logx", "logy", "xrange", "yrange", "key", "equal", "colorlabel", \
        "crange", "series"

/* ---- figures -------------------------------------------------------------------------------- */

/* An array that must be as long as x, or NULL. */
static const double *read_also(const il_fields *f, const char *key, size_t nx) {
    size_t n = 0;
    const double *array = il_fields_numbers(f, key, false, &n);
    if (array != NULL && n != nx) {
        char allowed[80];
        (void)snprintf(allowed, sizeof allowed, "as many numbers as x has: %zu, not %zu", nx, n);
        (void)il_fields_push(f, key);
        il_fields_refuse(f, key, -1, allowed);
    }
    return array;
}

static il_series read_series(const il_fields *f) {
    static const char *const known[] = {"label", "x",      "y",     "style", "color",
                                        "width", "radius", "value", NULL};
    static const char *const styles[] = {"lines",  "points",   "linespoints", "steps", "impulses",
                                         "dashes", "underlay", "filled",      "discs", NULL};
    il_fields_known(f, 0, known);
    size_t nx = 0;
    const double *x = il_fields_numbers(f, "x", false, &nx);
    const double *y = read_also(f, "y", nx);
    if (x == NULL || y == NULL) {
        il_fields_miss(f, x == NULL ? "x" : "y", "an array of numbers");
    }
    il_style style = (il_style)il_fields_choice(f, "style", styles, IL_LINES);
    const double *radius = read_also(f, "radius", nx);
    const double *value = read_also(f, "value", nx);
    if ((style == IL_DISCS) != (radius != NULL)) {
        il_fields_miss(f, "radius", "an array of numbers for style discs, and for no other");
    }
    return (il_series){.label = il_fields_text(f, "label", NULL),
                       .style = style,
                       .radius = radius,
                       .value = value,
                       .color = il_fields_text(f, "color", NULL),
                       .width = il_fields_positive(f, "width", 0.0),
                       .n = nx,
                       .x = x,
                       .y = y};
}

static void read_range(const il_fields *f, const char *key, double *min, double *max) {
    size_t n = 0;
    const double *range = il_fields_numbers(f, key, false, &n);
    *min = *max = NAN;
    if (range != NULL && (n != 2 || range[0] >= range[1])) {
        (void)il_fields_push(f, key);
        il_fields_refuse(f, key, -1, "{a, b} with a < b (NaN: automatic)");
    }
    if (range != NULL) {
        *min = range[0];
        *max = range[1];
    }
}

/* The panel whose fields are f's; the keys have been checked. */
static il_panel read_panel(const il_fields *f) {
    lua_State *L = f->L;
    il_panel p = {.title = il_fields_text(f, "title", NULL),
                  .xlabel = il_fields_text(f, "xlabel", NULL),
                  .ylabel = il_fields_text(f, "ylabel", NULL),
                  .logx = il_fields_flag(f, "logx", false),
                  .logy = il_fields_flag(f, "logy", false),
                  .key = il_fields_text(f, "key", NULL),
                  .colorlabel = il_fields_text(f, "colorlabel", NULL),
                  .equal = il_fields_flag(f, "equal", false)};
    read_range(f, "xrange", &p.xmin, &p.xmax);
    read_range(f, "yrange", &p.ymin, &p.ymax);
    read_range(f, "crange", &p.cmin, &p.cmax);
    p.cmin = isnan(p.cmin) ? 0.0 : p.cmin;
    p.cmax = isnan(p.cmax) ? 0.0 : p.cmax;
    if (!il_fields_push(f, "series") || !lua_istable(L, -1)) {
        il_fields_refuse(f, "series", -1, "an array of {x = {...}, y = {...}}");
    }
    p.nseries = (size_t)lua_rawlen(L, -1);
    il_series *series = il_lua_take(L, f->arena, p.nseries, sizeof *series, NULL);
    for (size_t k = 0; k < p.nseries; k++) {
        char path[160];
        (void)snprintf(path, sizeof path, "%.120sseries[%zu]", f->path, k + 1);
        (void)lua_rawgeti(L, -1, (lua_Integer)k + 1);
        il_fields inner = il_fields_open(L, f->arena, -1, f->call, path);
        series[k] = read_series(&inner);
        lua_pop(L, 1);
    }
    p.series = series;
    lua_pop(L, 1);
    return p;
}

static const il_panel *read_panels(const il_fields *f, size_t *n) {
    static const char *const known[] = {PANEL_KEYS, NULL};
    lua_State *L = f->L;
    if (!il_fields_push(f, "panels")) {
        il_panel *one = il_lua_take(L, f->arena, 1, sizeof *one, NULL);
        *one = read_panel(f);
        *n = 1;
        lua_pop(L, 1);
        return one;
    }
    for (size_t k = 0; known[k] != NULL; k++) {
        if (il_fields_push(f, known[k])) {
            il_fields_refuse(f, known[k], -1, "it inside a panel, where there are panels");
        }
        lua_pop(L, 1);
    }
    if (!lua_istable(L, -1)) {
        il_fields_refuse(f, "panels", -1, "an array of panels");
    }
    *n = (size_t)lua_rawlen(L, -1);
    il_panel *panels = il_lua_take(L, f->arena, *n, sizeof *panels, NULL);
    for (size_t k = 0; k < *n; k++) {
        char path[40];
        (void)snprintf(path, sizeof path, "panels[%zu]", k + 1);
        (void)lua_rawgeti(L, -1, (lua_Integer)k + 1);
        il_fields inner = il_fields_open(L, f->arena, -1, f->call, path);
        il_fields_known(&inner, 0, known);
        panels[k] = read_panel(&inner);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return panels;
}

void il_lua_draw(lua_State *L, const char *call, const il_figure *figure) {
    il_error err = {IL_OK, ""};
    il_figure_report report = {0, ""};
    const char *folder = il_lua_push_folder(L, "figures");
    il_lua_expect(L, call, il_figure_draw(figure, folder, &report, &err), &err);
    const il_lua_context *context = il_lua_context_of(L);
    if (report.message[0] != '\0') {
        il_lua_say(context, "%s/%s.png: %s", folder, figure->name, report.message);
    }
    lua_pushfstring(L, "%s/%s.png", folder, figure->name);
    lua_remove(L, -2);
    il_lua_say(context, "wrote %s", lua_tostring(L, -1));
}

int il_lua_place(const il_fields *f) {
    int place = (int)fmin((double)il_fields_count(f, "order", 0, 0), 1e9);
    return place;
}

static int figure(lua_State *L) {
    static const char *const known[] = {"name",  "caption", "width",    "height", "columns",
                                        "order", "panels",  PANEL_KEYS, NULL};
    lua_settop(L, 1);
    il_lua_arena *arena = il_lua_arena_open(L);
    il_fields f = il_fields_open(L, arena, 1, "lab.figure", "");
    il_fields_known(&f, 0, known);
    il_figure fig = {.name = il_fields_text(&f, "name", NULL),
                     .caption = il_fields_text(&f, "caption", NULL),
                     .width = il_fields_positive(&f, "width", 0.0),
                     .height = il_fields_positive(&f, "height", 0.0),
                     .columns = il_fields_count(&f, "columns", 1, 0),
                     .order = il_lua_place(&f)};
    if (fig.name == NULL) {
        il_fields_miss(&f, "name", "the file's name without extension");
    }
    fig.panels = read_panels(&f, &fig.npanels);
    il_lua_draw(L, f.call, &fig);
    return 1;
}

/* ---- tables --------------------------------------------------------------------------------- */

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

void il_lua_tabulate(lua_State *L, const char *call, const il_table *table, unsigned formats) {
    static const char *const suffix[] = {"txt", "csv", "tex"};
    il_error err = {IL_OK, ""};
    const char *folder = il_lua_push_folder(L, "tables");
    il_lua_expect(L, call, il_table_write(table, folder, formats, &err), &err);
    int first = 0;
    while ((formats & 1u << first) == 0) {
        first++;
    }
    lua_pushfstring(L, "%s/%s.%s", folder, table->name, suffix[first]);
    lua_remove(L, -2);
    il_lua_say(il_lua_context_of(L), "wrote %s", lua_tostring(L, -1));
}

/* The cell at the top of the stack as text; NULL for nil. */
static const char *read_cell(const il_fields *f, size_t row, size_t column) {
    lua_State *L = f->L;
    switch (lua_type(L, -1)) {
    case LUA_TSTRING:
        return il_lua_copy(L, f->arena, lua_tostring(L, -1));
    case LUA_TNUMBER:
        return lua_isinteger(L, -1)
                   ? il_lua_print(L, f->arena, "%lld", (long long)lua_tointeger(L, -1))
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

static const char *const *read_rows(const il_fields *f, il_table *table) {
    lua_State *L = f->L;
    if (!il_fields_push(f, "rows") || !lua_istable(L, -1)) {
        il_fields_refuse(f, "rows", -1, "an array of rows, each an array");
    }
    table->rows = (size_t)lua_rawlen(L, -1);
    const char **cells =
        il_lua_take(L, f->arena, table->rows * table->columns, sizeof *cells, NULL);
    for (size_t i = 0; i < table->rows; i++) {
        (void)lua_rawgeti(L, -1, (lua_Integer)i + 1);
        if (!lua_istable(L, -1) || lua_rawlen(L, -1) > table->columns) {
            char what[40];
            (void)snprintf(what, sizeof what, "rows[%zu]", i + 1);
            il_fields_refuse(f, what, -1, "an array with at most as many cells as there are heads");
        }
        for (size_t j = 0; j < table->columns; j++) {
            (void)lua_rawgeti(L, -1, (lua_Integer)j + 1);
            cells[i * table->columns + j] = read_cell(f, i, j);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return cells;
}

static int table(lua_State *L) {
    static const char *const known[] = {"name",    "caption", "heads", "rows",
                                        "formats", "order",   NULL};
    lua_settop(L, 1);
    il_lua_arena *arena = il_lua_arena_open(L);
    il_fields f = il_fields_open(L, arena, 1, "lab.table", "");
    il_fields_known(&f, 0, known);
    il_table t = {.name = il_fields_text(&f, "name", NULL),
                  .caption = il_fields_text(&f, "caption", ""),
                  .order = il_lua_place(&f)};
    if (t.name == NULL) {
        il_fields_miss(&f, "name", "the file's name without extension");
    }
    t.heads = il_fields_texts(&f, "heads", &t.columns);
    if (t.columns == 0) {
        il_fields_miss(&f, "heads", "an array of strings");
    }
    t.cells = read_rows(&f, &t);
    il_lua_tabulate(L, f.call, &t, il_lua_formats(&f));
    return 1;
}

void il_lua_add_figure(lua_State *L) {
    static const luaL_Reg functions[] = {{"figure", figure}, {"table", table}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
