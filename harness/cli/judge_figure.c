/*
 * judge_figure.c - errors against their steps on logarithmic axes, with the curves that were
 * fitted.
 */
#include "harness/cli/judge_figure.h"

#include <math.h>
#include <stdio.h>

#include "harness/base/elementary.h"
#include "harness/base/json.h"
#include "harness/lua/present.h"

enum { CURVE = 33, LABEL = 96 };

/* A series of the points that are finite. */
static void add(json_t *list, const char *style, const char *label, size_t n, const double *x,
                const double *y) {
    json_t *series = json_object();
    json_t *xs = json_array();
    json_t *ys = json_array();
    for (size_t k = 0; k < n; k++) {
        if (isfinite(x[k]) && isfinite(y[k])) {
            il_json_append(xs, json_real(x[k]));
            il_json_append(ys, json_real(y[k]));
        }
    }
    il_json_set(series, "x", xs);
    il_json_set(series, "y", ys);
    il_json_put_text(series, "style", style);
    il_json_put_text(series, "label", label);
    il_json_append(list, series);
}

static void add_curve(json_t *list, const il_order *o) {
    double x[CURVE];
    double y[CURVE];
    for (size_t k = 0; k < CURVE; k++) {
        x[k] = o->h_min * il_pow(o->h_max / o->h_min, (double)k / (CURVE - 1));
        y[k] = il_curve_at(&o->curve, x[k] / o->h_min);
    }
    add(list, "lines", NULL, CURVE, x, y);
}

il_status il_judge_figure(const char *path, const char *caption, const il_judge_errors *errors,
                          size_t n, il_error *err) {
    json_t *list = json_array();
    for (size_t k = 0; k < n; k++) {
        const il_judge_errors *e = &errors[k];
        bool fitted = isfinite(e->order->order);
        const char *verdict = il_verdict_name(e->order->verdict);
        char label[LABEL];
        (void)snprintf(label, LABEL, "%s: %s", e->norm, verdict);
        if (fitted) {
            (void)snprintf(label, LABEL, "%s: %.2f [%.2f, %.2f] %s", e->norm, e->order->order,
                           e->order->low, e->order->high, verdict);
        }
        add(list, "points", label, e->n, e->h, e->error);
        if (fitted) {
            add_curve(list, e->order);
        }
    }
    json_t *figure = json_pack("{s:s, s:s, s:b, s:b, s:o}", "xlabel", "h", "ylabel", "error",
                               "logx", true, "logy", true, "series", list);
    il_json_put_text(figure, "caption", caption);
    return il_lua_draw(figure, path, err);
}
