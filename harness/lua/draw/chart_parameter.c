/*
 * chart_parameter.c - r:figure{"parameter"}: a number of the records across a sweep's problems.
 *
 *     r:figure{"parameter", x = "parameters.N" | {x_1, ..., x_n}, norm = | field =, xlabel =,
 *              logx =, logy =, name =, title =, caption =, key =, order =, mm =, tex =}
 *
 * x is the path of a number in a record, such as a parameter that the problems differ in, or one
 * number a problem. Each scheme has a curve for each size of its steps.
 */
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/lua/draw/draw.h"
#include "harness/lua/draw/origin.h"
#include "harness/lua/study/sensitivity.h"
#include "harness/lua/sweep/norms.h"
#include "harness/lua/sweep/result.h"

typedef struct {
    const char *path;  /* of the number in a record */
    const char *label; /* of its axis */
    const char *xpath; /* or NULL: */
    const double *x;   /* [nproblems] */
    const char *xlabel;
    bool logx, logy;
} across;

typedef struct {
    double x, y;
} point;

static int by_x(const void *a, const void *b) {
    const point *p = a;
    const point *q = b;
    return (p->x > q->x) - (p->x < q->x);
}

static bool showable(bool log, double x) {
    return isfinite(x) && (!log || x > 0.0);
}

static il_series curve(const il_fields *f, const il_result *r, const across *what, size_t scheme,
                       size_t size) {
    const il_sweep *s = r->sweep;
    point *points = il_lua_take(f->L, f->arena, s->nproblems, sizeof *points, NULL);
    double *x = il_lua_take(f->L, f->arena, 2 * s->nproblems, sizeof *x, NULL);
    size_t n = 0;
    for (size_t i = 0; i < s->nproblems; i++) {
        size_t k = il_result_first(r, i, scheme) + size;
        point p = {what->x != NULL ? what->x[i] : il_result_number(r, k, what->xpath),
                   il_result_number(r, k, what->path)};
        if (showable(what->logx, p.x) && showable(what->logy, p.y)) {
            points[n++] = p;
        }
    }
    qsort(points, n, sizeof *points, by_x);
    for (size_t k = 0; k < n; k++) {
        x[k] = points[k].x;
        x[s->nproblems + k] = points[k].y;
    }
    const char *name = s->schemes[scheme]->name;
    const char *label = s->nsizes == 1 ? name
                        : s->steps != NULL
                            ? il_lua_print(f->L, f->arena, "%s, %.0f steps", name, s->steps[size])
                            : il_lua_print(f->L, f->arena, "%s, h = %.4g", name, s->hs[size]);
    return (il_series){.label = label,
                       .style = IL_LINESPOINTS,
                       .color = s->colors[scheme],
                       .n = n,
                       .x = x,
                       .y = x + s->nproblems};
}

static void read_x(const il_fields *f, const il_sweep *s, across *what) {
    size_t n = 0;
    if (!il_fields_push(f, "x")) {
        il_fields_miss(f, "x",
                       "the path of a number in a record, such as \"parameters.N\", or one "
                       "number a problem");
    }
    if (lua_type(f->L, -1) == LUA_TSTRING) {
        what->xpath = what->xlabel = il_fields_text(f, "x", NULL);
    } else {
        what->x = il_fields_numbers(f, "x", true, &n);
        what->xlabel = "";
        if (n != s->nproblems) {
            il_fields_refuse(
                f, "x", -1,
                il_lua_print(f->L, f->arena, "%zu numbers, one a problem", s->nproblems));
        }
    }
    lua_pop(f->L, 1);
    what->xlabel = il_fields_text(f, "xlabel", what->xlabel);
}

static across choose(const il_fields *f, const il_result *r) {
    across what = {.logx = il_fields_flag(f, "logx", false)};
    const char *field = il_fields_text(f, "field", NULL);
    read_x(f, r->sweep, &what);
    if (field != NULL && il_fields_push(f, "norm")) {
        il_fields_refuse(f, "norm", -1, "a norm or a field, one of them");
    }
    if (field != NULL) {
        what.path = what.label = field;
        what.logy = il_fields_flag(f, "logy", false);
    } else {
        const char *norm = il_result_norm(f, r);
        what.path = il_lua_print(f->L, f->arena, "error.%s", norm);
        what.label = il_lua_print(f->L, f->arena, "error, %s", norm);
        what.logy = il_fields_flag(f, "logy", true);
    }
    return what;
}

int il_result_parameter_figure(const il_fields *f, const il_result *r) {
    static const char *const known[] = {"x",     "xlabel", "norm",    "field", "logx",
                                        "logy",  "name",   "caption", "title", "key",
                                        "order", "mm",     "tex",     NULL};
    lua_State *L = f->L;
    const il_sweep *s = r->sweep;
    il_fields_known(f, 1, known);
    il_result_expect_complete(L, r, f->call);
    across what = choose(f, r);
    size_t n = s->nschemes * s->nsizes;
    size_t shown = 0;
    il_series *series = il_lua_take(L, f->arena, n, sizeof *series, NULL);
    for (size_t k = 0; k < n; k++) {
        series[k] = curve(f, r, &what, k / s->nsizes, k % s->nsizes);
        shown += series[k].n;
    }
    if (shown == 0) {
        il_error err = {IL_OK, ""};
        (void)il_fail(&err, IL_EINVAL, "no run has a point of %s at %s", what.path,
                      what.xpath != NULL ? what.xpath : "the numbers of x");
        il_lua_raise(L, f->call, &err);
    }
    il_panel panel = {.title = il_fields_text(f, "title", NULL),
                      .xlabel = what.xlabel,
                      .ylabel = what.label,
                      .logx = what.logx,
                      .logy = what.logy,
                      .xmin = NAN,
                      .xmax = NAN,
                      .ymin = NAN,
                      .ymax = NAN,
                      .key = il_fields_text(f, "key", NULL),
                      .nseries = n,
                      .series = series};
    const char *caption = il_lua_print(L, f->arena, "%s across %zu problems of sweep %s.",
                                       what.label, s->nproblems, s->name);
    il_figure figure = {
        .name = il_fields_text(f, "name", il_lua_print(L, f->arena, "%s-parameter", s->name)),
        .caption = il_result_mark(L, f->arena, r, il_fields_text(f, "caption", caption)),
        .order = il_lua_place(f),
        .origin = il_lua_origin(L, f->arena, r),
        .npanels = 1,
        .panels = &panel};
    il_lua_figure_paper(f, &figure);
    il_lua_draw(f, &figure);
    return 1;
}
