/*
 * present.c - r:table: a sweep's records as tables.
 *
 *     r:table{"errors" | "orders" | "summary", name =, caption =, norms = {...}, level =,
 *             formats = {...}, order =}
 *
 * Numbers are rounded in txt and tex, and have all digits in csv.
 */
#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "harness/lua/base/module.h"
#include "harness/lua/draw/draw.h"
#include "harness/lua/draw/origin.h"
#include "harness/lua/study/order_table.h"
#include "harness/lua/study/sensitivity.h"
#include "harness/lua/sweep/norms.h"
#include "harness/lua/sweep/notice.h"
#include "harness/lua/sweep/result.h"

/* ---- cells ---------------------------------------------------------------------------------- */

/* Cells as they come, row by row: for readers, and for programs. */
typedef struct {
    lua_State *L;
    il_lua_arena *arena;
    const char **cells;
    const char **csv;
    size_t n, room;
} cells;

static void put_both(cells *c, const char *text, const char *csv) {
    if (c->n < c->room) {
        c->cells[c->n] = text;
        c->csv[c->n++] = csv;
    }
}

static void put(cells *c, const char *text) {
    put_both(c, text, text);
}

/* A number for readers as "%.3e" ('e') or "%.4g" ('g'); one that is not finite leaves the cell
 * empty. */
static void put_number(cells *c, char style, double x) {
    if (!isfinite(x)) {
        put_both(c, NULL, "");
        return;
    }
    char text[64];
    (void)snprintf(text, sizeof text, style == 'e' ? "%.3e" : "%.4g", x);
    put_both(c, il_lua_copy(c->L, c->arena, text), il_lua_digits(c->L, c->arena, x));
}

static void put_count(cells *c, size_t n) {
    put(c, il_lua_print(c->L, c->arena, "%zu", n));
}

/* ---- tables --------------------------------------------------------------------------------- */

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
    c.csv = il_lua_take(f->L, f->arena, c.room, sizeof *c.csv, NULL);
    t->cells = c.cells;
    return c;
}

enum { HEADS_MAX = 24 };

static cells errors_table(const il_fields *f, const il_result *r, il_table *t) {
    const il_sweep *s = r->sweep;
    size_t nnorms = 0;
    const char **norms = il_result_norms(f, r, &nnorms);
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
        double steps = il_result_number(r, k, "steps");
        put(&c, isfinite(steps) ? il_lua_print(f->L, f->arena, "%.0f", steps) : NULL);
        put_number(&c, 'g', il_result_step(r, k));
        for (size_t i = 0; i < nnorms; i++) {
            char path[64];
            (void)snprintf(path, sizeof path, "error.%.40s", norms[i]);
            put_number(&c, 'e', il_result_number(r, k, path));
        }
        put(&c, il_result_text(r, k, "status"));
    }
    t->caption = il_lua_print(f->L, f->arena, "Errors of sweep %s, case by case.", s->name);
    return c;
}

static void put_order(cells *c, const il_order *o) {
    const double numbers[] = {o->order, o->low,    o->high,      o->octaves,
                              o->fold,  o->finest, o->floor_high};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        put_number(c, 'g', numbers[k]);
    }
    put_count(c, o->runs);
    put_count(c, o->used);
    put(c, il_verdict_name(o->verdict));
    put(c, il_lua_copy(c->L, c->arena, o->reason));
}

static cells orders_table(const il_fields *f, const il_result *r, il_table *t) {
    static const char *const heads[] = {"problem", "scheme",  "norm",    "order",  "low",
                                        "high",    "octaves", "fold",    "finest", "floor high",
                                        "runs",    "used",    "verdict", "reason"};
    const il_sweep *s = r->sweep;
    size_t nnorms = 0;
    const char **norms = il_result_norms(f, r, &nnorms);
    double level = il_result_level(f);
    cells c =
        begin(f, t, heads, sizeof heads / sizeof heads[0], s->nproblems * s->nschemes * nnorms);
    for (size_t k = 0; k < s->nproblems * s->nschemes * nnorms; k++) {
        il_order_query query = {.problem = k / nnorms / s->nschemes,
                                .scheme = k / nnorms % s->nschemes,
                                .norm = norms[k % nnorms],
                                .level = level};
        il_order order = il_result_fit(f->L, f->arena, r, &query, NULL);
        put(&c, il_result_subject(f->L, f->arena, r, query.problem, query.scheme));
        put(&c, s->schemes[query.scheme]->name);
        put(&c, query.norm);
        put_order(&c, &order);
    }
    t->caption = il_lua_print(
        f->L, f->arena,
        "Observed orders of sweep %s with %g %% intervals; over how many octaves of the step, and "
        "by what factor at least, the errors fall; the error at the finest step, and the largest "
        "floor that the errors do not exclude.",
        s->name, 100.0 * level);
    return c;
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

static cells summary_table(const il_fields *f, const il_result *r, il_table *t) {
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
            failed += !il_result_went_well(r, i);
            iterations += il_result_number(r, i, "work.projector_iterations");
            seconds += il_result_number(r, i, "work.seconds");
        }
        put(&c, s->problems[k / s->nschemes].label);
        put(&c, s->schemes[k % s->nschemes]->name);
        put_count(&c, s->nsizes);
        put_count(&c, failed);
        put_number(&c, 'e', worst(r, first, "feasibility.nodes_min", -1));
        put_number(&c, 'e', worst(r, first, "energy.largest_increase", 1));
        put_number(&c, 'e', worst(r, first, "momentum.largest_drift", 1));
        put_number(&c, 'e', worst(r, first, "certificate.complementarity", 1));
        put_number(&c, 'e', worst(r, first, "certificate.stationarity_relative", 1));
        put_number(&c, 'g', iterations);
        put_number(&c, 'g', seconds);
    }
    t->caption = il_lua_print(f->L, f->arena, "Sweep %s: the worst of every measure over its runs.",
                              s->name);
    return c;
}

static int result_table(lua_State *L) {
    static const char *const known[] = {"formats", "name",  "caption", "norms",
                                        "level",   "order", NULL};
    static const char *const kinds[] = {"errors", "orders", "summary", NULL};
    static cells (*const make[])(const il_fields *, const il_result *,
                                 il_table *) = {errors_table, orders_table, summary_table};
    const il_result *r = il_lua_check_result(L, 1);
    il_fields f = il_fields_begin(L, 2, "r:table", NULL);
    il_fields_known(&f, 1, known);
    il_result_expect_complete(L, r, f.call);
    int kind = il_result_kind(&f, kinds);
    unsigned formats = il_lua_formats(&f);
    il_table t = {.order = il_lua_place(&f), .origin = il_lua_origin(L, f.arena, r)};
    t.name = il_fields_text(&f, "name", NULL);
    if (t.name == NULL) {
        t.name = il_lua_print(L, f.arena, "%s-%s", r->sweep->name, kinds[kind]);
    }
    cells c = make[kind](&f, r, &t);
    t.caption = il_result_mark(L, f.arena, r, il_fields_text(&f, "caption", t.caption));
    il_lua_tabulate(&f, &t, c.csv, formats);
    return 1;
}

void il_lua_add_result_table(lua_State *L) {
    il_lua_result_method(L, "table", result_table);
}
