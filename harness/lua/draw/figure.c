/*
 * figure.c - a figure from the table that describes it, which README.md of scripts spells, into
 * RESULTS/figures.
 */
#include <lauxlib.h>
#include <math.h>

#include "harness/lua/base/context.h"
#include "harness/lua/draw/draw.h"

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
        il_fields_refuse_key(f, key, allowed);
    }
    return array;
}

static il_series read_series(const il_fields *f) {
    static const char *const known[] = {"label", "x",      "y",     "style", "color",
                                        "width", "radius", "value", "text",  NULL};
    static const char *const styles[] = {"lines",    "points", "linespoints", "steps",
                                         "impulses", "dashes", "underlay",    "filled",
                                         "discs",    "arrows", "texts",       NULL};
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
    size_t ntext = 0;
    const char **text = il_fields_texts(f, "text", &ntext);
    if ((style == IL_TEXTS && text == NULL) || (text != NULL && ntext != nx)) {
        il_fields_miss(f, "text", "as many strings as x has numbers");
    }
    return (il_series){.label = il_fields_text(f, "label", NULL),
                       .style = style,
                       .text = text,
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
        il_fields_refuse_key(f, key, "{a, b} with a < b (NaN: automatic)");
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
    int top = lua_gettop(L);
    p.nseries = (size_t)lua_rawlen(L, -1);
    if (p.nseries == 0 && lua_getfield(L, -1, "x") != LUA_TNIL) { /* one brace too few */
        il_fields_miss(f, "series",
                       "an array of {x = {...}, y = {...}}; for one: {{x = ..., y = ...}}");
    }
    lua_settop(L, top);
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

/* Of the key panels, or the one panel whose fields stand beside the figure's. */
static const il_panel *read_panels(const il_fields *f, size_t *n) {
    static const char *const known[] = {PANEL_KEYS, NULL};
    lua_State *L = f->L;
    bool several = il_fields_push(f, "panels");
    for (size_t k = 0; several && known[k] != NULL; k++) {
        if (il_fields_push(f, known[k])) {
            il_fields_refuse(f, known[k], -1, "it inside a panel, where there are panels");
        }
        lua_pop(L, 1);
    }
    if (several && !lua_istable(L, -1)) {
        il_fields_refuse(f, "panels", -1, "an array of panels");
    }
    *n = several ? (size_t)lua_rawlen(L, -1) : 1;
    il_panel *panels = il_lua_take(L, f->arena, *n, sizeof *panels, NULL);
    for (size_t k = 0; k < *n && several; k++) {
        char path[40];
        (void)snprintf(path, sizeof path, "panels[%zu]", k + 1);
        (void)lua_rawgeti(L, -1, (lua_Integer)k + 1);
        il_fields inner = il_fields_open(L, f->arena, -1, f->call, path);
        il_fields_known(&inner, 0, known);
        panels[k] = read_panel(&inner);
        lua_pop(L, 1);
    }
    if (!several) {
        panels[0] = read_panel(f);
    }
    lua_pop(L, 1);
    return panels;
}

/* Draw into RESULTS/figures and push the path of the PNG; raises an error if it cannot be drawn. */
static void draw(const il_fields *f, il_figure *figure) {
    lua_State *L = f->L;
    il_error err = {IL_OK, ""};
    il_figure_report report = {0};
    il_section section;
    figure->section = il_lua_section(L, &section);
    figure->origin = il_lua_origin(L, f->arena, 3);
    const char *folder = il_lua_push_folder(L, "figures");
    il_lua_tell_other(L, folder, figure->name, ".json");
    il_lua_expect(L, f->call, il_figure_draw(figure, folder, &report, &err), &err);
    const il_lua_context *context = il_lua_context_of(L);
    if (report.message[0] != '\0') {
        il_lua_say(context, "%s/%s.png: %s", folder, figure->name, report.message);
    }
    lua_pushfstring(L, "%s/%s.png", folder, figure->name);
    lua_remove(L, -2);
    il_lua_tell(context, "wrote %s", lua_tostring(L, -1));
}

/* tex = true, or texts and what LaTeX is to set in their place. */
static void read_tex(const il_fields *f, il_figure *figure) {
    lua_State *L = f->L;
    size_t n = 0;
    if (!il_fields_push(f, "tex") || !lua_istable(L, -1)) {
        lua_pop(L, 1);
        figure->tex = il_fields_flag(f, "tex", false);
        return;
    }
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        n++;
    }
    il_figure_tex *spelt = il_lua_take(L, f->arena, n, sizeof *spelt, NULL);
    figure->tex = true;
    figure->spelt = spelt;
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TSTRING) {
            il_fields_refuse(f, "tex", -1, "true, or {[\"a text of the figure\"] = \"its LaTeX\"}");
        }
        spelt[figure->nspelt++] = (il_figure_tex){il_lua_copy(L, f->arena, lua_tostring(L, -2)),
                                                  il_lua_copy(L, f->arena, lua_tostring(L, -1))};
    }
    lua_pop(L, 1);
}

/* The keys mm, {width, height} in millimetres, and tex; the figure stays where they are absent. */
static void read_paper(const il_fields *f, il_figure *figure) {
    read_tex(f, figure);
    size_t n = 0;
    const double *mm = il_fields_numbers(f, "mm", true, &n);
    if (mm == NULL) {
        return;
    }
    bool right = n == 2 && mm[0] > 0.0 && mm[0] <= 1000.0 && mm[1] > 0.0 && mm[1] <= 1000.0;
    if (!right) {
        il_fields_refuse_key(f, "mm", "{width, height} in millimetres, above 0, at most 1000");
    }
    figure->width = mm[0] / 10.0;
    figure->height = mm[1] / 10.0;
    figure->fixed = true;
}

int il_lua_draw_figure(lua_State *L) {
    static const char *const known[] = {"name",  "caption", "width",    "height",
                                        "order", "columns", "panels",   "ensemble",
                                        "mm",    "tex",     PANEL_KEYS, NULL};
    lua_settop(L, 3);
    il_fields f = il_fields_open(L, il_lua_arena_open(L), 2, luaL_checkstring(L, 1), "");
    il_fields_known(&f, 0, known);
    il_figure fig = {.name = il_fields_text(&f, "name", NULL),
                     .caption = il_fields_text(&f, "caption", NULL),
                     .width = il_fields_positive(&f, "width", 0.0),
                     .height = il_fields_positive(&f, "height", 0.0),
                     .columns = il_fields_count(&f, "columns", 1, 0),
                     .order = il_lua_place(&f)};
    read_paper(&f, &fig);
    if (fig.name == NULL) {
        il_fields_miss(&f, "name", "the file's name without extension");
    }
    fig.panels = read_panels(&f, &fig.npanels);
    draw(&f, &fig);
    return 1;
}
