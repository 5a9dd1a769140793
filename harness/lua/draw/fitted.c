/*
 * fitted.c - the curve of an order, what lies beyond the steps used, and its slope.
 */
#include "harness/lua/draw/fitted.h"

#include <math.h>

#include "harness/base/elementary.h"

enum { POINTS = 33 };

/* The triangle stands so far below the curve. */
static const double BELOW = 0.4;

static const char *color_of(il_verdict verdict) {
    static const char *const colors[] = {[IL_ORDER_PASS] = "#2ca02c",
                                         [IL_ORDER_FAIL] = "#d62728",
                                         [IL_ORDER_INCONCLUSIVE] = "#ff7f0e",
                                         [IL_ORDER_REPORTED] = "#555555"};
    return colors[verdict];
}

/* The curve from step `from` to step `to`. */
static il_series trace(const il_fields *f, const il_order *o, double from, double to) {
    double *x = il_lua_take(f->L, f->arena, 2 * (size_t)POINTS, sizeof *x, NULL);
    double *y = x + POINTS;
    for (int k = 0; k < POINTS; k++) {
        x[k] = from * il_pow(to / from, (double)k / (POINTS - 1));
        y[k] = il_curve_at(&o->curve, x[k] / o->h_max);
    }
    return (il_series){.style = IL_LINES,
                       .color = color_of(o->verdict),
                       .n = from < to ? POINTS : 0,
                       .x = x,
                       .y = y};
}

/* An octave wide, with the slope of the order. */
static il_series triangle(const il_fields *f, const il_order *o) {
    enum { CORNERS = 4 };
    double *x = il_lua_take(f->L, f->arena, 2 * (size_t)CORNERS, sizeof *x, NULL);
    double *y = x + CORNERS;
    double left = sqrt(o->h_min * o->h_max / 2.0);
    double low = BELOW * il_curve_at(&o->curve, left / o->h_max);
    x[0] = x[3] = left;
    x[1] = x[2] = 2.0 * left;
    y[0] = y[1] = y[3] = low;
    y[2] = low * il_pow(2.0, o->order);
    return (il_series){.style = IL_LINES,
                       .color = "#7f7f7f",
                       .n = o->order > 0.0 ? (size_t)CORNERS : 0,
                       .x = x,
                       .y = y};
}

il_lua_fitted il_lua_fit(const il_fields *f, const il_result *r, const il_order_query *query) {
    const il_sweep *s = r->sweep;
    const char *name = s->schemes[query->scheme]->name;
    il_order o = il_result_fit(f->L, f->arena, r, query, NULL);
    if (!isfinite(o.order)) {
        return (il_lua_fitted){.legend = il_lua_print(f->L, f->arena, "%s: no order", name)};
    }
    size_t first = il_result_first(r, query->problem, query->scheme);
    double finest = o.h_min;
    for (size_t k = first; k < first + s->nsizes; k++) {
        finest = fmin(finest, il_result_step(r, k));
    }
    il_lua_fitted fitted = {.curve = trace(f, &o, o.h_min, o.h_max),
                            .beyond = trace(f, &o, finest, o.h_min),
                            .triangle = triangle(f, &o),
                            .legend = il_lua_print(f->L, f->arena, "%s: %.2f [%.2f, %.2f]", name,
                                                   o.order, o.low, o.high)};
    fitted.beyond.style = IL_DASHES;
    return fitted;
}
