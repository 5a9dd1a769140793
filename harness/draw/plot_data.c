/*
 * plot_data.c - a figure's points: ranges of the axes, the data file.
 *
 * Ranges are computed here and not by gnuplot, which would warn of empty and constant ones.
 */
#include "harness/draw/plot_parts.h"

#include <math.h>
#include <stdlib.h>

#include "harness/base/elementary.h"

static const double MARGIN = 0.04;    /* of the range, between the data and the frame */
static const double THINNEST = 8.0;   /* ratio of the sides of a panel with equal scales, at most */
static const double LARGEST = 1e300;  /* what an axis can show */
static const double RESOLVED = 1e-12; /* a relative range below this is a constant */

/* NaN and infinity fail. */
static bool on_axis(double value, bool log) {
    return fabs(value) <= LARGEST && (!log || value >= 1.0 / LARGEST);
}

bool il_plot_can_show(const il_panel *panel, double x, double y) {
    return on_axis(x, panel->logx) && on_axis(y, panel->logy);
}

/* ---- ranges --------------------------------------------------------------------------------- */

static bool power_of_two(double value) {
    int e = 0;
    return value > 0.0 && frexp(value, &e) == 0.5;
}

static void stretch(il_plot_axis *a, double value) {
    a->lo = fmin(a->lo, value);
    a->hi = fmax(a->hi, value);
    a->binary = a->binary && power_of_two(value);
}

/* A range where there is nothing to show: it obeys the limits that the caller set (not NaN). */
static void invent(il_plot_axis *a, double min, double max) {
    if (a->log) {
        a->lo = max > 0.0 ? max / 10.0 : 0.1;
        a->hi = min > 0.0 ? min * 10.0 : 1.0;
    } else {
        a->lo = isnan(max) ? 0.0 : max - 1.0;
        a->hi = isnan(min) ? 1.0 : min + 1.0;
    }
    a->binary = false;
}

/* Room around the data, in powers of ten on a logarithmic axis. A constant gets some on both sides
 * too. */
static void pad(il_plot_axis *a, double margin) {
    double lo = a->log ? il_log10(a->lo) : a->lo;
    double hi = a->log ? il_log10(a->hi) : a->hi;
    double scale = fmax(fabs(lo), fabs(hi));
    double room = margin * (hi - lo);
    if (hi - lo <= RESOLVED * scale || hi == lo) {
        room = a->log || scale == 0.0 ? 0.5 : 0.05 * scale;
    }
    a->lo = a->log ? il_pow(10.0, lo - room) : lo - room;
    a->hi = a->log ? il_pow(10.0, hi + room) : hi + room;
}

/* The range that holds the data with a margin, or as the caller set it (min, max not NaN). */
static void settle(il_plot_axis *a, double min, double max, double margin) {
    if (!(a->lo <= a->hi)) {
        invent(a, min, max);
    }
    pad(a, margin);
    a->lo = isnan(min) ? a->lo : min;
    a->hi = isnan(max) ? a->hi : max;
    if (!(a->lo < a->hi)) { /* the data lie beyond a limit that the caller set on one side */
        double gap = fabs(a->lo) > 0.0 ? fabs(a->lo) : 1.0;
        a->lo = isnan(min) ? (a->log ? a->hi / 10.0 : a->hi - gap) : a->lo;
        a->hi = isnan(max) ? (a->log ? a->lo * 10.0 : a->lo + gap) : a->hi;
    }
}

/* Widen a to at least `least`, about its middle. */
static void widen(il_plot_axis *a, double least) {
    double more = 0.5 * (least - (a->hi - a->lo));
    if (more > 0.0) {
        a->lo -= more;
        a->hi += more;
    }
}

/* Equal scales make a strip of a long thin set, and gnuplot warns of the extreme ones. */
static void fatten(il_plot_view *v) {
    const il_panel *p = v->panel;
    double dx = v->x.hi - v->x.lo;
    double dy = v->y.hi - v->y.lo;
    if (!p->equal || p->logx || p->logy) {
        return;
    }
    if (isnan(p->xmin) && isnan(p->xmax)) {
        widen(&v->x, dy / THINNEST);
    }
    if (isnan(p->ymin) && isnan(p->ymax)) {
        widen(&v->y, dx / THINNEST);
    }
}

/* Scan the points of a series: how many can be shown, how many are left out and why, and the range
 * within the limits of the other axis. */
static void curve_measure(il_plot_curve *c, il_plot_view *v, il_plot_data *data) {
    const il_panel *p = v->panel;
    const il_series *s = c->series;
    for (size_t i = 0; i < s->n; i++) {
        double x = s->x[i];
        double y = s->y[i];
        if (!il_plot_can_show(p, x, y)) {
            bool finite = isfinite(x) && isfinite(y);
            data->not_finite += !finite;
            data->dropped += finite && (p->logx || p->logy);
            continue;
        }
        c->shown++;
        double r = s->style == IL_DISCS && isfinite(s->radius[i]) ? s->radius[i] : 0.0;
        if (!(y < p->ymin) && !(y > p->ymax)) {
            stretch(&v->x, x - r);
            stretch(&v->x, x + r);
        }
        if (!(x < p->xmin) && !(x > p->xmax)) {
            stretch(&v->y, y - r);
            stretch(&v->y, y + r);
        }
    }
}

static void view_measure(il_plot_view *v, il_plot_data *data) {
    const il_panel *p = v->panel;
    bool touches_zero = false;
    bool only_points = true;
    v->x = (il_plot_axis){INFINITY, -INFINITY, p->logx, true};
    v->y = (il_plot_axis){INFINITY, -INFINITY, p->logy, true};
    for (size_t k = 0; k < p->nseries; k++) {
        il_style style = p->series[k].style;
        touches_zero |= style == IL_IMPULSES || style == IL_FILLED;
        only_points &= style == IL_POINTS || style == IL_LINESPOINTS;
        curve_measure(&v->curves[k], v, data);
        data->shown += v->curves[k].shown;
    }
    if (touches_zero && !p->logy && v->y.lo <= v->y.hi) {
        stretch(&v->y, 0.0);
    }
    settle(&v->x, p->xmin, p->xmax, p->logx || only_points || p->equal ? MARGIN : 0.0);
    settle(&v->y, p->ymin, p->ymax, MARGIN);
    fatten(v);
}

/* ---- from the figure to views --------------------------------------------------------------- */

static il_status view_make(il_plot_view *v, il_plot_data *data, size_t *block, il_error *err) {
    const il_panel *p = v->panel;
    v->curves = calloc(p->nseries > 0 ? p->nseries : 1, sizeof *v->curves);
    if (v->curves == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for %zu series", p->nseries);
    }
    for (size_t k = 0; k < p->nseries; k++) {
        v->curves[k] = (il_plot_curve){.series = &p->series[k], .block = *block};
        *block += p->series[k].n > 0; /* so many blocks of the data file so far */
    }
    view_measure(v, data);
    return IL_OK;
}

il_status il_plot_data_make(il_plot_data *data, const il_figure *figure, il_error *err) {
    size_t block = 0;
    *data = (il_plot_data){.figure = figure};
    data->views = calloc(figure->npanels, sizeof *data->views);
    if (data->views == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for %zu panels", figure->npanels);
    }
    for (size_t k = 0; k < figure->npanels; k++) {
        data->views[k].panel = &figure->panels[k];
        il_status status = view_make(&data->views[k], data, &block, err);
        if (status != IL_OK) {
            return status;
        }
    }
    if (data->shown == 0) {
        return il_fail(err, IL_EINVAL, "figure '%s' has no point to show: %s", figure->name,
                       data->dropped > 0 ? "none is positive and finite on its logarithmic axes"
                                         : "its series are empty or not finite");
    }
    return IL_OK;
}

void il_plot_data_free(il_plot_data *data) {
    for (size_t k = 0; data->views != NULL && k < data->figure->npanels; k++) {
        free(data->views[k].curves);
    }
    free(data->views);
    *data = (il_plot_data){0};
}

/* ---- the data file -------------------------------------------------------------------------- */

/* Text from outside, for a comment of one line: control characters become blanks. */
static void put_line(FILE *out, const char *text) {
    for (; *text != '\0'; text++) {
        (void)fputc((unsigned char)*text < 0x20 || *text == 0x7f ? ' ' : *text, out);
    }
}

static void put_number(FILE *out, double value) {
    if (isfinite(value)) {
        (void)fprintf(out, "%.17g", value);
    } else {
        (void)fputs("NaN", out); /* gnuplot would stretch an axis to infinity */
    }
}

static void put_row(FILE *out, const il_series *s, size_t i) {
    put_number(out, s->x[i]);
    (void)fputc(' ', out);
    put_number(out, s->y[i]);
    if (s->style == IL_STEPS) {
        (void)fputc(' ', out);
        put_number(out, i + 1 < s->n ? s->x[i + 1] : s->x[i]);
    }
    if (s->style == IL_DISCS) {
        (void)fputc(' ', out);
        put_number(out, s->radius[i]);
        (void)fputc(' ', out);
        put_number(out, s->value != NULL ? s->value[i] : 0.0);
    }
    if (s->style == IL_ARROWS) {
        (void)fputc(' ', out);
        put_number(out, i % 2 == 0 ? s->x[i + 1] - s->x[i] : NAN);
        (void)fputc(' ', out);
        put_number(out, i % 2 == 0 ? s->y[i + 1] - s->y[i] : NAN);
    }
    (void)fputc('\n', out);
}

static void put_block_head(FILE *out, const il_panel *p, size_t panel, const il_series *s,
                           size_t block) {
    (void)fprintf(out, "# block %zu: panel %zu, ", block, panel + 1);
    put_line(out, s->label != NULL ? s->label : "no label");
    (void)fputs("\n# columns: 1 x = ", out);
    put_line(out, p->xlabel != NULL ? p->xlabel : "x");
    (void)fputs(", 2 y = ", out);
    put_line(out, p->ylabel != NULL ? p->ylabel : "y");
    (void)fputs(s->style == IL_STEPS    ? ", 3 x up to which y holds\n"
                : s->style == IL_DISCS  ? ", 3 radius, 4 value\n"
                : s->style == IL_ARROWS ? ", 3 and 4 the arrow from there\n"
                                        : "\n",
                out);
}

static void put_curve(FILE *out, const il_panel *p, size_t panel, const il_plot_curve *c) {
    const il_series *s = c->series;
    if (s->n == 0) {
        return;
    }
    put_block_head(out, p, panel, s, c->block);
    for (size_t i = 0; i < s->n; i++) {
        put_row(out, s, i);
    }
    (void)fputs("\n\n", out);
}

void il_plot_data_put(const il_plot_data *data, FILE *out) {
    (void)fprintf(out, "# data of figure %s; blocks are separated by two blank lines\n",
                  data->figure->name);
    for (size_t k = 0; k < data->figure->npanels; k++) {
        const il_plot_view *v = &data->views[k];
        for (size_t i = 0; i < v->panel->nseries; i++) {
            put_curve(out, v->panel, k, &v->curves[i]);
        }
    }
}
