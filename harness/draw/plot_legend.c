/*
 * plot_legend.c - a place for the legend where it hides nothing.
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/base/text.h"
#include "harness/draw/plot_script.h"

/* A legend in a corner of the panel, whose sides have length 1. */
typedef struct {
    bool right, top;
    double w, h;
} patch;

static double along(const il_plot_axis *a, double value) {
    return a->log ? il_log(value / a->lo) / il_log(a->hi / a->lo)
                  : (value - a->lo) / (a->hi - a->lo);
}

/* Whether the segment from a to b, in coordinates of the panel, passes under the patch: looked up
 * at points of it that are closer than any legend is small. */
static bool passes_under(const patch *c, const double a[2], const double b[2]) {
    for (int k = 0; k <= 16; k++) {
        double x = a[0] + (b[0] - a[0]) * k / 16.0;
        double y = a[1] + (b[1] - a[1]) * k / 16.0;
        if ((c->right ? x >= 1.0 - c->w : x <= c->w) && (c->top ? y >= 1.0 - c->h : y <= c->h)) {
            return true;
        }
    }
    return false;
}

/* Whether any of the series is drawn under the patch. */
static bool covered(const il_plot_view *v, const patch *c, const il_series *s) {
    double zero = v->y.log ? 0.0 : along(&v->y, 0.0);
    bool before = false;
    double from[2] = {0.0, 0.0};
    for (size_t i = 0; i < s->n; i++) {
        if (!il_plot_can_show(v->panel, s->x[i], s->y[i])) {
            before = false;
            continue;
        }
        const double here[2] = {along(&v->x, s->x[i]), along(&v->y, s->y[i])};
        double to[2] = {here[0], here[1]};
        if (s->style == IL_POINTS || !before) {
            memcpy(from, here, sizeof from);
        }
        if (s->style == IL_STEPS) { /* the step before ended here */
            to[1] = from[1];
        } else if (s->style == IL_IMPULSES || s->style == IL_FILLED) {
            from[0] = here[0];
            from[1] = zero;
        }
        if (passes_under(c, from, to)) {
            return true;
        }
        before = true;
        memcpy(from, here, sizeof from);
    }
    return false;
}

/* In cm, for text of 9 pt, in the smallest frame that any format leaves: titles and numbers take
 * most in svg. */
static patch legend_size(const il_panel *p, double width, double height) {
    size_t lines = 0;
    size_t longest = 0;
    for (size_t k = 0; k < p->nseries; k++) {
        const char *label = p->series[k].label;
        if (label != NULL) {
            size_t n = il_text_letters(label, strlen(label));
            longest = n > longest ? n : longest;
            lines++;
        }
    }
    return (patch){.w = (1.9 + 0.19 * (double)longest) / fmax(width - 2.7, 1.0),
                   .h = (0.35 + 0.42 * (double)lines) / fmax(height - 3.1, 1.0)};
}

const char *il_plot_legend_place(const il_plot_view *view, double width, double height) {
    static const char *const corner[] = {"top right", "top left", "bottom right", "bottom left"};
    const il_panel *p = view->panel;
    if (p->key == NULL) {
        return corner[0];
    }
    if (strcmp(p->key, "auto") != 0) {
        return p->key;
    }
    patch at = legend_size(p, width, height);
    for (unsigned c = 0; c < 4 && at.w <= 1.0 && at.h <= 1.0; c++) {
        bool hides = false;
        at.right = c % 2 == 0;
        at.top = c < 2;
        for (size_t k = 0; k < p->nseries && !hides; k++) {
            hides = covered(view, &at, &p->series[k]);
        }
        if (!hides) {
            return corner[c];
        }
    }
    return "outside";
}
