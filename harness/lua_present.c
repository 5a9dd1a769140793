/*
 * lua_present.c - r:table and r:figure: a sweep's records for readers.
 *
 *     r:table{"errors" | "orders" | "summary", name =, caption =, norms = {...}, level =,
 *             formats = {...}, order =}
 *     r:figure{"convergence", norm =, level =}            error against h, with fitted orders
 *     r:figure{"energy"}, r:figure{"momentum"}            largest rise, largest drift against h
 *     r:figure{"field", field = "energy.final", logy =}   any number of the record against h
 *     all of them: name =, title =, caption =, key =, order =
 */
#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/lua_draw.h"
#include "harness/lua_result.h"

/* ---- tables --------------------------------------------------------------------------------- */

/* Cells as they come, row by row. */
typedef struct {
    lua_State *L;
    il_lua_arena *arena;
    const char **cells;
    size_t n, room;
} cells;

static void put(cells *c, const char *text) {
    if (c->n < c->room) {
        c->cells[c->n++] = text;
    }
}

static void put_number(cells *c, const char *format, double x) {
    char text[64];
    (void)snprintf(text, sizeof text, "%.*e", format[0] == 'e' ? 3 : 0, x);
    if (format[0] != 'e') {
        (void)snprintf(text, sizeof text, "%.4g", x);
    }
    put(c, isfinite(x) ? il_lua_copy(c->L, c->arena, text) : NULL);
}

static void put_count(cells *c, size_t n) {
    put(c, il_lua_print(c->L, c->arena, "%zu", n));
}

static const char **texts_or(const il_fields *f, const char *key, const char *const *fallback,
                             size_t nfallback, size_t *n) {
    const char **given = il_fields_texts(f, key, n);
    if (*n > 0) {
        return given;
    }
    *n = nfallback;
    const char **copy = il_lua_take(f->L, f->arena, nfallback, sizeof *copy, NULL);
    memcpy(copy, fallback, nfallback * sizeof *copy);
    return copy;
}

static const char **read_norms(const il_fields *f, size_t *n) {
    static const char *const usual[] = {"u_L1", "q_Linf"};
    static const char *const known[] = {"u_L1", "q_Linf", "final_q", "final_u"};
    const char **norms = texts_or(f, "norms", usual, 2, n);
    for (size_t k = 0; k < *n; k++) {
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
            found |= strcmp(norms[k], known[i]) == 0;
        }
        if (!found) {
            lua_pushstring(f->L, norms[k]);
            il_fields_refuse(f, "norms", -1, "u_L1, q_Linf, final_q, final_u");
        }
    }
    return norms;
}

/* The cells of nrows rows under heads; the heads are kept. */
static cells begin(const il_fields *f, il_table *t, const char *const *heads, size_t nheads,
                   size_t nrows) {
    const char **copy = il_lua_take(f->L, f->arena, nheads, sizeof *copy, NULL);
    memcpy(copy, heads, nheads * sizeof *copy);
    t->heads = copy;
    t->columns = nheads;
    t->rows = nrows;
    cells c = {.L = f->L, .arena = f->arena, .room = nheads * nrows};
    c.cells = il_lua_take(f->L, f->arena, c.room, sizeof *c.cells, NULL);
    t->cells = c.cells;
    return c;
}

enum { HEADS_MAX = 24 };

static void errors_table(const il_fields *f, const il_result *r, il_table *t) {
    const il_sweep *s = r->sweep;
    size_t nnorms = 0;
    const char **norms = read_norms(f, &nnorms);
    const char *heads[HEADS_MAX] = {"problem", "scheme", "steps", "h"};
    size_t n = 4;
    for (size_t k = 0; k < nnorms && n + 1 < HEADS_MAX; k++) {
        heads[n++] = norms[k];
    }
    nnorms = n - 4;
    heads[n++] = "status";
    cells c = begin(f, t, heads, n, il_sweep_count(s));
    for (size_t k = 0; k < il_sweep_count(s); k++) {
        il_case one = il_sweep_case(s, k);
        put(&c, one.problem->label);
        put(&c, one.scheme->name);
        put_number(&c, "g",
                   s->steps != NULL ? s->steps[k % s->nsizes] : il_result_number(r, k, "steps"));
        put_number(&c, "g", il_result_step(r, k));
        for (size_t i = 0; i < nnorms; i++) {
            char path[64];
            (void)snprintf(path, sizeof path, "error.%.40s", norms[i]);
            put_number(&c, "e", il_result_number(r, k, path));
        }
        put(&c, json_string_value(json_object_get(r->records[k], "status")));
    }
    t->caption = il_lua_print(f->L, f->arena, "Errors of sweep %s, case by case.", s->name);
}

static void orders_table(const il_fields *f, const il_result *r, il_table *t) {
    static const char *const heads[] = {"problem", "scheme", "norm",    "order", "low",
                                        "high",    "runs",   "verdict", "reason"};
    const il_sweep *s = r->sweep;
    size_t nnorms = 0;
    const char **norms = read_norms(f, &nnorms);
    double level = il_result_level(f);
    cells c =
        begin(f, t, heads, sizeof heads / sizeof heads[0], s->nproblems * s->nschemes * nnorms);
    for (size_t k = 0; k < s->nproblems * s->nschemes * nnorms; k++) {
        il_order_query query = {.problem = k / nnorms / s->nschemes,
                                .scheme = k / nnorms % s->nschemes,
                                .norm = norms[k % nnorms],
                                .level = level,
                                .claimed = NAN};
        il_order order = il_result_fit(f->L, f->arena, r, &query);
        put(&c, s->problems[query.problem].label);
        put(&c, s->schemes[query.scheme]->name);
        put(&c, query.norm);
        put_number(&c, "g", order.slope);
        put_number(&c, "g", order.low);
        put_number(&c, "g", order.high);
        put_count(&c, order.n);
        put(&c, il_verdict_name(order.verdict));
        put(&c, il_lua_copy(f->L, f->arena, order.reason));
    }
    t->caption =
        il_lua_print(f->L, f->arena,
                     "Observed orders of sweep %s: least squares over all runs, with %g %% "
                     "confidence intervals.",
                     s->name, 100.0 * level);
}

/* The worst of a record's number over the sizes; sign -1: the least. A NaN among them wins. */
static double worst(const il_result *r, size_t first, const char *path, int sign) {
    double most = -INFINITY;
    for (size_t k = first; k < first + r->sweep->nsizes; k++) {
        double x = sign * il_result_number(r, k, path);
        most = isnan(x) || isnan(most) ? NAN : fmax(most, x);
    }
    return sign * most;
}

static void summary_table(const il_fields *f, const il_result *r, il_table *t) {
    static const char *const heads[] = {
        "problem",        "scheme",          "cases",        "failed",     "least g", "energy rise",
        "momentum drift", "complementarity", "stationarity", "iterations", "seconds"};
    const il_sweep *s = r->sweep;
    cells c = begin(f, t, heads, sizeof heads / sizeof heads[0], s->nproblems * s->nschemes);
    for (size_t k = 0; k < s->nproblems * s->nschemes; k++) {
        size_t first = il_result_first(r, k / s->nschemes, k % s->nschemes);
        size_t failed = 0;
        double iterations = 0.0;
        double seconds = 0.0;
        for (size_t i = first; i < first + s->nsizes; i++) {
            const char *status = json_string_value(json_object_get(r->records[i], "status"));
            failed += status == NULL || strcmp(status, "ok") != 0;
            iterations += il_result_number(r, i, "work.projector_iterations");
            seconds += il_result_number(r, i, "work.seconds");
        }
        put(&c, s->problems[k / s->nschemes].label);
        put(&c, s->schemes[k % s->nschemes]->name);
        put_count(&c, s->nsizes);
        put_count(&c, failed);
        put_number(&c, "e", worst(r, first, "feasibility.nodes_min", -1));
        put_number(&c, "e", worst(r, first, "energy.largest_increase", 1));
        put_number(&c, "e", worst(r, first, "momentum.largest_drift", 1));
        put_number(&c, "e", worst(r, first, "certificate.complementarity", 1));
        put_number(&c, "e", worst(r, first, "certificate.stationarity_relative", 1));
        put_number(&c, "g", iterations);
        put_number(&c, "g", seconds);
    }
    t->caption = il_lua_print(f->L, f->arena, "Sweep %s: the worst of every measure over its runs.",
                              s->name);
}

/* The kind, given as the first value of the table. */
static int read_kind(const il_fields *f, const char *const *kinds) {
    lua_State *L = f->L;
    char allowed[128] = "";
    int found = -1;
    (void)lua_rawgeti(L, f->table, 1);
    for (int k = 0; kinds[k] != NULL; k++) {
        bool same = lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), kinds[k]) == 0;
        found = same ? k : found;
        il_text_append(allowed, sizeof allowed, "%s\"%s\"", k == 0 ? "" : ", ", kinds[k]);
    }
    if (found < 0) {
        il_fields_refuse(f, "[1]", -1, allowed);
    }
    lua_pop(L, 1);
    return found;
}

int il_result_table(lua_State *L) {
    static const char *const known[] = {"formats", "name",  "caption", "norms",
                                        "level",   "order", NULL};
    static const char *const kinds[] = {"errors", "orders", "summary", NULL};
    static void (*const make[])(const il_fields *, const il_result *,
                                il_table *) = {errors_table, orders_table, summary_table};
    const il_result *r = il_lua_check_result(L, 1);
    lua_settop(L, 2);
    il_lua_arena *arena = il_lua_arena_open(L);
    il_fields f = il_fields_open(L, arena, 2, "r:table", "");
    il_fields_known(&f, 1, known);
    il_result_expect_complete(L, r, f.call);
    int kind = read_kind(&f, kinds);
    unsigned formats = il_lua_formats(&f);
    il_table t = {.order = il_lua_place(&f)};
    t.name = il_fields_text(&f, "name", NULL);
    if (t.name == NULL) {
        t.name = il_lua_print(L, arena, "%s-%s", r->sweep->name, kinds[kind]);
    }
    make[kind](&f, r, &t);
    t.caption = il_fields_text(&f, "caption", t.caption);
    il_lua_tabulate(L, f.call, &t, formats);
    return 1;
}

/* ---- figures -------------------------------------------------------------------------------- */

typedef struct {
    const char *path;  /* of the number in a record */
    const char *norm;  /* or NULL: nothing is fitted */
    const char *label; /* of the axis */
    double level;
} quantity;

/* The palette of harness/plot.c: the line through a scheme's points takes their colour. */
static const char *const COLORS[] = {"#000000", "#e69f00", "#0072b2", "#d55e00",
                                     "#009e73", "#cc79a7", "#56b4e9", "#7f7f7f"};
enum { NCOLORS = sizeof COLORS / sizeof COLORS[0] };

/* The fitted line over the range of h, and its slope for the legend. */
static il_series fit_series(const il_fields *f, const il_result *r, const quantity *what,
                            size_t problem, size_t scheme, const char **legend) {
    const il_sweep *s = r->sweep;
    il_order_query query = {.problem = problem,
                            .scheme = scheme,
                            .norm = what->norm,
                            .level = what->level,
                            .claimed = NAN};
    il_order order = il_result_fit(f->L, f->arena, r, &query);
    double *x = il_lua_take(f->L, f->arena, 4, sizeof *x, NULL);
    size_t first = il_result_first(r, problem, scheme);
    x[0] = INFINITY;
    for (size_t k = first; k < first + s->nsizes; k++) {
        x[0] = fmin(x[0], il_result_step(r, k));
        x[1] = fmax(x[1], il_result_step(r, k));
    }
    x[2] = order.constant * pow(x[0], order.slope);
    x[3] = order.constant * pow(x[1], order.slope);
    bool drawn = isfinite(x[2]) && isfinite(x[3]) && isfinite(order.slope);
    const char *name = s->schemes[scheme]->name;
    *legend = drawn ? il_lua_print(f->L, f->arena, "%s: %.2f [%.2f, %.2f]", name, order.slope,
                                   order.low, order.high)
                    : il_lua_print(f->L, f->arena, "%s: no order", name);
    return (il_series){.style = IL_LINES,
                       .width = 1.0,
                       .color = COLORS[scheme % NCOLORS],
                       .n = drawn ? 2 : 0,
                       .x = x,
                       .y = x + 2};
}

static il_panel make_panel(const il_fields *f, const il_result *r, const quantity *what,
                           size_t problem) {
    const il_sweep *s = r->sweep;
    il_series *series = il_lua_take(f->L, f->arena, 2 * s->nschemes, sizeof *series, NULL);
    size_t drawn = 0;
    for (size_t i = 0; i < s->nschemes; i++) {
        size_t first = il_result_first(r, problem, i);
        double *x = il_lua_take(f->L, f->arena, 2 * s->nsizes, sizeof *x, NULL);
        double *y = x + s->nsizes;
        for (size_t k = 0; k < s->nsizes; k++) {
            x[k] = il_result_step(r, first + k);
            y[k] = il_result_number(r, first + k, what->path);
        }
        const char *legend = s->schemes[i]->name;
        il_series line = {.n = 0};
        if (what->norm != NULL) {
            line = fit_series(f, r, what, problem, i, &legend);
        }
        series[drawn++] = (il_series){.label = legend,
                                      .style = IL_POINTS, /* colour and shape: the plot's i-th */
                                      .n = s->nsizes,
                                      .x = x,
                                      .y = y};
        if (line.n > 0) {
            series[drawn++] = line;
        }
    }
    return (il_panel){.title = s->nproblems > 1 ? s->problems[problem].label
                                                : il_fields_text(f, "title", NULL),
                      .xlabel = "h",
                      .ylabel = what->label,
                      .logx = true,
                      .logy = il_fields_flag(f, "logy", what->norm != NULL),
                      .xmin = NAN,
                      .xmax = NAN,
                      .ymin = NAN,
                      .ymax = NAN,
                      .key = il_fields_text(f, "key", what->norm != NULL ? "top left" : "auto"),
                      .nseries = drawn,
                      .series = series};
}

static quantity choose_quantity(const il_fields *f, int kind) {
    if (kind == 0) {
        const char *norm = il_result_norm(f);
        return (quantity){.path = il_lua_print(f->L, f->arena, "error.%s", norm),
                          .norm = norm,
                          .label = il_lua_print(f->L, f->arena, "error, %s", norm),
                          .level = il_result_level(f)};
    }
    if (kind == 1) {
        return (quantity){"energy.largest_increase", NULL, "largest rise of the kinetic energy", 0};
    }
    if (kind == 2) {
        return (quantity){"momentum.largest_drift", NULL, "largest drift of the momentum", 0};
    }
    const char *field = il_fields_text(f, "field", NULL);
    if (field == NULL) {
        il_fields_miss(f, "field", "the path of a number in a record, such as \"energy.final\"");
    }
    return (quantity){field, NULL, field, 0};
}

static const char *caption(const il_fields *f, const il_sweep *s, const quantity *what) {
    const char *on = s->nproblems == 1 ? s->problems[0].label : "each problem";
    return what->norm != NULL
               ? il_lua_print(
                     f->L, f->arena,
                     "Error %s against the step h on %s, %zu runs a scheme; lines and "
                     "orders by least squares over all runs, intervals at %g %% confidence.",
                     what->norm, on, s->nsizes, 100.0 * what->level)
               : il_lua_print(f->L, f->arena, "%s against the step h on %s, %zu runs a scheme.",
                              what->label, on, s->nsizes);
}

int il_result_figure(lua_State *L) {
    static const char *const known[] = {"norm", "level", "name", "title", "caption",
                                        "key",  "field", "logy", "order", NULL};
    static const char *const kinds[] = {"convergence", "energy", "momentum", "field", NULL};
    const il_result *r = il_lua_check_result(L, 1);
    const il_sweep *s = r->sweep;
    lua_settop(L, 2);
    il_lua_arena *arena = il_lua_arena_open(L);
    il_fields f = il_fields_open(L, arena, 2, "r:figure", "");
    il_fields_known(&f, 1, known);
    il_result_expect_complete(L, r, f.call);
    int kind = read_kind(&f, kinds);
    quantity what = choose_quantity(&f, kind);
    il_panel *panels = il_lua_take(L, arena, s->nproblems, sizeof *panels, NULL);
    for (size_t k = 0; k < s->nproblems; k++) {
        panels[k] = make_panel(&f, r, &what, k);
    }
    const char *name = il_fields_text(&f, "name", NULL);
    if (name == NULL) {
        const char *tail = kind == 0 ? what.norm : kind == 3 ? what.path : NULL;
        name = il_lua_print(L, arena, "%s-%s%s%s", s->name, kinds[kind], tail != NULL ? "-" : "",
                            tail != NULL ? tail : "");
    }
    il_figure figure = {.name = name,
                        .caption = il_fields_text(&f, "caption", caption(&f, s, &what)),
                        .columns = s->nproblems > 1 ? 2 : 1,
                        .npanels = s->nproblems,
                        .panels = panels,
                        .order = il_lua_place(&f)};
    il_lua_draw(L, f.call, &figure);
    return 1;
}
