/*
 * plot.c - figures through gnuplot.
 *
 * A figure is made in a scratch folder beside its place: the data file, the script, and what
 * gnuplot draws when the same script is fed to it there. Nothing leaves that folder before the exit
 * status, the error text, and the head, tail and size of every picture have been looked at, because
 * gnuplot goes on after an error in piped input and writes a file all the same. Then the files are
 * renamed into place, the manifest last.
 *
 * Ranges and logarithmic tics are computed here and written out, so that gnuplot has nothing to
 * guess or to warn about: whatever it says counts as a failure. Text from outside stands in single
 * quotes at the head of the script, never inside braces and never in double quotes.
 */
#include "harness/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/text.h"
#include "harness/file.h"

enum {
    DRAWN_MAX = 20000, /* a longer series is drawn through extreme points: SVG stays readable */
    BIN_KEEPS = 5,     /* points kept of each bin of a long series, at most */
    TIME_LIMIT = 60,   /* seconds for gnuplot */
    COMPLAINT_MAX = 8192,
    SMALLEST_PICTURE = 512, /* bytes: an empty frame takes more in every format */
    DPI = 200               /* of the PNG */
};

static const double CM_PER_INCH = 2.54;
static const double WIDTH = 15.0;     /* cm */
static const double MARGIN = 0.04;    /* of the range, between the data and the frame */
static const double THINNEST = 8.0;   /* ratio of the sides of a panel with equal scales, at most */
static const double LARGEST = 1e300;  /* what an axis can show */
static const double DOT = 2e-4;       /* of the range: a tenth of a line's width or less */
static const double RESOLVED = 1e-12; /* a relative range below this is a constant */
static const char *const SUFFIX[] = {"dat", "gp", "pdf", "svg", "png"};
enum { NSUFFIX = sizeof SUFFIX / sizeof *SUFFIX, FIRST_PICTURE = 2 };

/* Okabe and Ito's colours, ordered so that the first three differ most in grey (luminance 0, 0.40,
 * 0.68); later ones are told apart by dash patterns too. */
static const char *const PALETTE[] = {"#000000", "#e69f00", "#0072b2", "#d55e00",
                                      "#009e73", "#cc79a7", "#56b4e9", "#7f7f7f"};
enum { NPALETTE = sizeof PALETTE / sizeof *PALETTE, SOLID_LINES = 3 };
static const char *const PALE = "#b9cfe4";

static const char *const DASH[] = {"(8,7)", "(12,6,1,6)", "(1,5)", "(18,7)", "(8,6,1,6,1,6)"};
static const int POINT[] = {7, 4, 9, 12, 5, 6, 8, 13};
enum { NDASH = sizeof DASH / sizeof *DASH, NPOINT = sizeof POINT / sizeof *POINT };

typedef struct {
    double lo, hi; /* what the axis shows */
    bool log;
    bool binary; /* all values are powers of two */
} axis;

typedef struct {
    const il_series *series;
    const char *color;
    int rank;       /* among the curves of its panel that take the next colour */
    size_t shown;   /* points that the axes can show */
    size_t block;   /* block of the data file that is drawn */
    size_t npicked; /* points of a long series that are drawn; 0: all */
    size_t *picked;
} curve;

typedef struct {
    const il_panel *panel;
    axis x, y;
    curve *curves;      /* [panel->nseries] */
    const char *corner; /* where the legend goes */
} view;

typedef struct {
    const il_figure *figure;
    size_t columns, rows;
    double width, height; /* cm */
    view *views;          /* [figure->npanels] */
    size_t dropped, shown;
    char note[256];
    char *caption; /* the figure's, and what was left out */
    char *script;
    size_t script_size;
    char *folder; /* scratch */
} drawing;

/* ---- what may be asked for ------------------------------------------------------------------ */

static bool name_allowed(const char *name) {
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    return name != NULL && name[0] != '\0' && name[0] != '.' && name[0] != '-' &&
           strspn(name, allowed) == strlen(name);
}

static bool color_allowed(const char *color) {
    return color == NULL || (color[0] == '#' && strlen(color) == 7 &&
                             strspn(color + 1, "0123456789abcdefABCDEF") == 6);
}

static bool key_allowed(const char *key) {
    static const char *const allowed[] = {
        "top left", "top right",    "top center",  "bottom left", "bottom right", "bottom center",
        "left top", "right top",    "center top",  "left bottom", "right bottom", "center bottom",
        "center",   "center right", "center left", "left center", "right center", "outside",
        "off",      "auto",         "left",        "right",       "top",          "bottom"};
    for (size_t k = 0; key != NULL && k < sizeof allowed / sizeof *allowed; k++) {
        if (strcmp(key, allowed[k]) == 0) {
            return true;
        }
    }
    return key == NULL;
}

static bool text_allowed(const char *text) {
    json_t *value = text == NULL ? NULL : json_string(text);
    bool allowed = text == NULL || value != NULL; /* jansson refuses what is not UTF-8 */
    json_decref(value);
    return allowed;
}

static bool limits_allowed(double lo, double hi, bool log) {
    bool finite = !isinf(lo) && !isinf(hi);
    bool positive = !log || (!(lo <= 0.0) && !(hi <= 0.0));
    return finite && positive && !(lo >= hi);
}

static il_status series_check(const il_figure *figure, size_t panel, size_t k, il_error *err) {
    const il_series *s = &figure->panels[panel].series[k];
    if (!color_allowed(s->color)) {
        return il_fail(err, IL_EINVAL,
                       "figure '%s', panel %zu, series %zu: the colour is '%s'; "
                       "allowed is #rrggbb",
                       figure->name, panel + 1, k + 1, s->color);
    }
    if (!text_allowed(s->label)) {
        return il_fail(err, IL_EINVAL, "figure '%s', panel %zu, series %zu: the label is not UTF-8",
                       figure->name, panel + 1, k + 1);
    }
    if ((unsigned)s->style > IL_FILLED || !(s->width >= 0.0 && s->width <= 100.0)) {
        return il_fail(err, IL_EINVAL,
                       "figure '%s', panel %zu, series %zu: style %d, width %g; "
                       "allowed are styles 0 to %d and widths 0 to 100",
                       figure->name, panel + 1, k + 1, (int)s->style, s->width, (int)IL_FILLED);
    }
    return IL_OK;
}

static il_status panel_check(const il_figure *figure, size_t k, il_error *err) {
    const il_panel *p = &figure->panels[k];
    if (!key_allowed(p->key)) {
        return il_fail(err, IL_EINVAL,
                       "figure '%s', panel %zu: the legend's place is '%s'; allowed "
                       "are corners like 'top left', 'center right', 'auto', 'outside' and 'off'",
                       figure->name, k + 1, p->key);
    }
    if (!limits_allowed(p->xmin, p->xmax, p->logx) || !limits_allowed(p->ymin, p->ymax, p->logy)) {
        return il_fail(err, IL_EINVAL,
                       "figure '%s', panel %zu: the ranges are [%g, %g] and "
                       "[%g, %g]; they must increase and be positive on a logarithmic axis",
                       figure->name, k + 1, p->xmin, p->xmax, p->ymin, p->ymax);
    }
    if (!text_allowed(p->title) || !text_allowed(p->xlabel) || !text_allowed(p->ylabel)) {
        return il_fail(err, IL_EINVAL, "figure '%s', panel %zu: a title or axis label is not UTF-8",
                       figure->name, k + 1);
    }
    for (size_t i = 0; i < p->nseries; i++) {
        il_status status = series_check(figure, k, i, err);
        if (status != IL_OK) {
            return status;
        }
    }
    return IL_OK;
}

static il_status figure_check(const il_figure *figure, il_error *err) {
    if (!name_allowed(figure->name)) {
        return il_fail(err, IL_EINVAL,
                       "the figure's name is '%s'; allowed are letters, digits and "
                       "._- and it starts with a letter, a digit or _",
                       figure->name == NULL ? "" : figure->name);
    }
    if (figure->npanels == 0) {
        return il_fail(err, IL_EINVAL, "figure '%s' has no panels", figure->name);
    }
    if (!(figure->width >= 0.0 && figure->width <= 100.0) ||
        !(figure->height >= 0.0 && figure->height <= 100.0)) {
        return il_fail(err, IL_EINVAL, "figure '%s' is to be %g x %g cm; allowed are 0 to 100",
                       figure->name, figure->width, figure->height);
    }
    if (!text_allowed(figure->caption)) {
        return il_fail(err, IL_EINVAL, "figure '%s': the caption is not UTF-8", figure->name);
    }
    for (size_t k = 0; k < figure->npanels; k++) {
        il_status status = panel_check(figure, k, err);
        if (status != IL_OK) {
            return status;
        }
    }
    return IL_OK;
}

/* ---- ranges --------------------------------------------------------------------------------- */

/* NaN and infinity fail. Near the ends of the doubles gnuplot's own arithmetic overflows. */
static bool on_axis(double value, bool log) {
    return fabs(value) <= LARGEST && (!log || value >= 1.0 / LARGEST);
}

static bool can_show(const il_panel *p, double x, double y) {
    return on_axis(x, p->logx) && on_axis(y, p->logy);
}

static bool power_of_two(double value) {
    int e = 0;
    return value > 0.0 && frexp(value, &e) == 0.5;
}

static void stretch(axis *a, double value) {
    a->lo = fmin(a->lo, value);
    a->hi = fmax(a->hi, value);
    a->binary = a->binary && power_of_two(value);
}

/* The range that holds the data with a margin, or as the caller set it (min, max not NaN). */
static void settle(axis *a, double min, double max, double margin) {
    if (!(a->lo <= a->hi)) {
        a->lo = a->log ? (max > 0.0 ? max / 10.0 : 0.1) : (isnan(max) ? 0.0 : max - 1.0);
        a->hi = a->log ? (min > 0.0 ? min * 10.0 : 1.0) : (isnan(min) ? 1.0 : min + 1.0);
        a->binary = false;
    }
    double lo = a->log ? log10(a->lo) : a->lo;
    double hi = a->log ? log10(a->hi) : a->hi;
    double scale = fmax(fabs(lo), fabs(hi));
    if (hi - lo <= RESOLVED * scale || hi == lo) {
        double half = a->log ? 0.5 : scale > 0.0 ? 0.05 * scale : 0.5;
        lo -= half;
        hi += half;
    } else {
        double pad = margin * (hi - lo);
        lo -= pad;
        hi += pad;
    }
    a->lo = isnan(min) ? (a->log ? pow(10.0, lo) : lo) : min;
    a->hi = isnan(max) ? (a->log ? pow(10.0, hi) : hi) : max;
    if (!(a->lo < a->hi)) { /* the data lie beyond a limit that the caller set on one side */
        double gap = fabs(a->lo) > 0.0 ? fabs(a->lo) : 1.0;
        a->lo = isnan(min) ? (a->log ? a->hi / 10.0 : a->hi - gap) : a->lo;
        a->hi = isnan(max) ? (a->log ? a->lo * 10.0 : a->lo + gap) : a->hi;
    }
}

/* Widen a to at least `least`, about its middle. */
static void widen(axis *a, double least) {
    double more = 0.5 * (least - (a->hi - a->lo));
    if (more > 0.0) {
        a->lo -= more;
        a->hi += more;
    }
}

/* Equal scales make a strip of a long thin set, and gnuplot warns of the extreme ones. */
static void fatten(view *v) {
    const il_panel *p = v->panel;
    if (p->equal && !p->logx && !p->logy) {
        double dx = v->x.hi - v->x.lo;
        double dy = v->y.hi - v->y.lo;
        if (isnan(p->xmin) && isnan(p->xmax)) {
            widen(&v->x, dy / THINNEST);
        }
        if (isnan(p->ymin) && isnan(p->ymax)) {
            widen(&v->y, dx / THINNEST);
        }
    }
}

static bool keeps_scale(const view *v) {
    double aspect = (v->y.hi - v->y.lo) / (v->x.hi - v->x.lo);
    return v->panel->equal && !v->panel->logx && !v->panel->logy && aspect < 100.0 && aspect > 0.01;
}

/* Look at every point once: what can be shown, what is lost, how far the data reach. */
static void view_measure(view *v, drawing *d) {
    const il_panel *p = v->panel;
    v->x = (axis){INFINITY, -INFINITY, p->logx, true};
    v->y = (axis){INFINITY, -INFINITY, p->logy, true};
    bool touches_zero = false;
    bool only_points = true;
    for (size_t k = 0; k < p->nseries; k++) {
        const il_series *s = &p->series[k];
        touches_zero |= s->style == IL_IMPULSES || s->style == IL_FILLED;
        only_points &= s->style == IL_POINTS || s->style == IL_LINESPOINTS;
        for (size_t i = 0; i < s->n; i++) {
            double x = s->x[i];
            double y = s->y[i];
            if (!can_show(p, x, y)) {
                d->dropped += p->logx || p->logy;
                continue;
            }
            v->curves[k].shown++;
            if (!(y < p->ymin) && !(y > p->ymax)) {
                stretch(&v->x, x);
            }
            if (!(x < p->xmin) && !(x > p->xmax)) {
                stretch(&v->y, y);
            }
        }
        d->shown += v->curves[k].shown;
    }
    if (touches_zero && !p->logy && v->y.lo <= v->y.hi) {
        stretch(&v->y, 0.0);
    }
    settle(&v->x, p->xmin, p->xmax, p->logx || only_points || p->equal ? MARGIN : 0.0);
    settle(&v->y, p->ymin, p->ymax, MARGIN);
    fatten(v);
}

/* ---- the legend ----------------------------------------------------------------------------- */

static size_t letters(const char *text) {
    size_t n = 0;
    for (; *text != '\0'; text++) {
        n += ((unsigned char)*text & 0xc0u) != 0x80u;
    }
    return n;
}

static double along(const axis *a, double value) {
    return a->log ? log(value / a->lo) / log(a->hi / a->lo) : (value - a->lo) / (a->hi - a->lo);
}

/* A legend of relative size (w, h) in a corner of the panel. */
typedef struct {
    bool right, top;
    double w, h;
} patch;

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
static bool covered(const view *v, const patch *c, const il_series *s) {
    double zero = v->y.log ? 0.0 : along(&v->y, 0.0);
    bool before = false;
    double from[2] = {0.0, 0.0};
    for (size_t i = 0; i < s->n; i++) {
        if (!can_show(v->panel, s->x[i], s->y[i])) {
            before = false;
            continue;
        }
        double to[2] = {along(&v->x, s->x[i]), along(&v->y, s->y[i])};
        if (s->style == IL_POINTS || !before) {
            memcpy(from, to, sizeof from);
        }
        if (s->style == IL_STEPS) { /* the step before ended here */
            from[1] = before ? from[1] : to[1];
            to[1] = from[1];
        } else if (s->style == IL_IMPULSES || s->style == IL_FILLED) {
            from[0] = to[0];
            from[1] = zero;
        }
        if (passes_under(c, from, to)) {
            return true;
        }
        before = true;
        from[0] = to[0];
        from[1] = along(&v->y, s->y[i]);
    }
    return false;
}

/* "auto": the first corner where nothing is drawn, else outside. Sizes in cm at 9 pt. */
static const char *legend_place(const view *v, double width, double height) {
    static const char *const corner[] = {"top right", "top left", "bottom right", "bottom left"};
    const char *key = v->panel->key;
    if (key != NULL && strcmp(key, "auto") != 0) {
        return key;
    }
    if (key == NULL) {
        return corner[0];
    }
    size_t lines = 0;
    size_t longest = 0;
    for (size_t k = 0; k < v->panel->nseries; k++) {
        if (v->panel->series[k].label != NULL) {
            size_t n = letters(v->panel->series[k].label);
            longest = n > longest ? n : longest;
            lines++;
        }
    }
    double w = (1.9 + 0.19 * (double)longest) / fmax(width - 2.0, 1.0);
    double h = (0.35 + 0.5 * (double)lines) / fmax(height - 1.8, 1.0);
    for (unsigned c = 0; c < 4; c++) {
        patch at = {.right = c % 2 == 0, .top = c < 2, .w = w, .h = h};
        bool free_of_all = w <= 1.0 && h <= 1.0;
        for (size_t k = 0; k < v->panel->nseries && free_of_all; k++) {
            free_of_all = !covered(v, &at, &v->panel->series[k]);
        }
        if (free_of_all) {
            return corner[c];
        }
    }
    return "outside";
}

/* ---- from the figure to views --------------------------------------------------------------- */

/* Of each bin of a long series its first point and those where y, and x or a step's length, is
 * extreme: what is left out lies within the band that these draw. */
static size_t bin_pick(const il_panel *p, const il_series *s, size_t from, size_t to,
                       size_t *picked) {
    size_t keep[BIN_KEEPS] = {from, from, from, from, from};
    double at[BIN_KEEPS] = {0.0, INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (size_t i = from; i < to; i++) {
        double length = s->style == IL_STEPS && i + 1 < s->n ? s->x[i + 1] - s->x[i] : s->x[i];
        const double value[BIN_KEEPS] = {0.0, s->y[i], s->y[i], length, length};
        if (!can_show(p, s->x[i], s->y[i])) { /* a break stays a break */
            keep[0] = i;
            continue;
        }
        for (int c = 1; c < BIN_KEEPS; c++) {
            if (c % 2 == 1 ? value[c] < at[c] : value[c] > at[c]) {
                at[c] = value[c];
                keep[c] = i;
            }
        }
    }
    size_t n = 0;
    for (size_t i = from; i < to; i++) {
        bool kept = i == from;
        for (int c = 0; c < BIN_KEEPS; c++) {
            kept |= keep[c] == i;
        }
        if (kept) {
            picked[n++] = i;
        }
    }
    return n;
}

static il_status curve_thin(curve *c, const il_panel *p, il_error *err) {
    const il_series *s = c->series;
    if (s->n <= DRAWN_MAX) {
        return IL_OK;
    }
    size_t bins = DRAWN_MAX / (BIN_KEEPS + 1);
    c->picked = malloc((DRAWN_MAX + 1) * sizeof *c->picked);
    if (c->picked == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory to thin out %zu points", s->n);
    }
    size_t wide = s->n / bins;
    size_t rest = s->n % bins;
    size_t from = 0;
    for (size_t b = 0; b < bins; b++) {
        size_t to = from + wide + (b < rest);
        c->npicked += bin_pick(p, s, from, to, c->picked + c->npicked);
        from = to;
    }
    c->picked[c->npicked++] = s->n - 1;
    return IL_OK;
}

static il_status view_make(view *v, drawing *d, size_t *block, il_error *err) {
    const il_panel *p = v->panel;
    int rank = 0;
    v->curves = calloc(p->nseries > 0 ? p->nseries : 1, sizeof *v->curves);
    if (v->curves == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for %zu series", p->nseries);
    }
    for (size_t k = 0; k < p->nseries; k++) {
        curve *c = &v->curves[k];
        c->series = &p->series[k];
        il_status status = curve_thin(c, p, err);
        if (status != IL_OK) {
            return status;
        }
        c->block = *block + (c->npicked > 0);
        *block += c->series->n == 0 ? 0 : c->npicked > 0 ? 2 : 1;
        c->color = c->series->color;
        c->rank = rank;
        if (c->color == NULL) {
            bool pale = c->series->style == IL_UNDERLAY;
            c->color = pale ? PALE : PALETTE[rank % NPALETTE];
            rank += !pale;
        }
    }
    view_measure(v, d);
    return IL_OK;
}

/* Width and height over the same units: for panels that keep the scale of both axes. */
static double panel_aspect(const view *v) {
    return keeps_scale(v) ? (v->y.hi - v->y.lo) / (v->x.hi - v->x.lo) : 0.58;
}

static void size_choose(drawing *d) {
    const il_figure *f = d->figure;
    d->columns = f->columns > 0 ? f->columns : 1;
    d->columns = d->columns < f->npanels ? d->columns : f->npanels;
    d->rows = (f->npanels + d->columns - 1) / d->columns;
    d->width = f->width > 0.0 ? f->width : WIDTH;
    double each = d->width / (double)d->columns;
    double tallest = 0.0;
    for (size_t k = 0; k < f->npanels; k++) {
        double height = 1.8 + (each - 2.2) * panel_aspect(&d->views[k]);
        if (!keeps_scale(&d->views[k]) && d->columns == 1 && d->rows > 1) {
            height = 5.6; /* panels above one another are read along one time axis */
        }
        tallest = fmax(tallest, fmin(fmax(height, 4.0), 1.3 * each));
    }
    d->height = f->height > 0.0 ? f->height : fmin(tallest * (double)d->rows, 100.0);
    for (size_t k = 0; k < f->npanels; k++) {
        d->views[k].corner = legend_place(&d->views[k], each, d->height / (double)d->rows);
    }
}

static void notes_take(drawing *d) {
    if (d->dropped > 0) {
        il_text_append(d->note, sizeof d->note,
                       d->dropped == 1
                           ? "%zu point that a logarithmic axis cannot show is left out."
                           : "%zu points that a logarithmic axis cannot show are left out.",
                       d->dropped);
    }
    for (size_t k = 0; k < d->figure->npanels; k++) {
        for (size_t i = 0; i < d->views[k].panel->nseries; i++) {
            if (d->views[k].curves[i].shown == 0) {
                il_text_append(d->note, sizeof d->note,
                               "%sSeries %zu of panel %zu has no point to show.",
                               d->note[0] == '\0' ? "" : " ", i + 1, k + 1);
            }
        }
    }
}

/* The caption, then the note as sentences of their own. */
static il_status caption_make(drawing *d, il_error *err) {
    const char *caption = d->figure->caption != NULL ? d->figure->caption : "";
    size_t n = strlen(caption);
    const char *glue = n == 0 ? "" : strchr(".!?", caption[n - 1]) != NULL ? " " : ". ";
    if (asprintf(&d->caption, "%s%s%s", caption, d->note[0] != '\0' ? glue : "", d->note) < 0) {
        d->caption = NULL;
        return il_fail(err, IL_ENOMEM, "no memory for the caption of '%s'", d->figure->name);
    }
    return IL_OK;
}

static il_status drawing_plan(drawing *d, il_error *err) {
    const il_figure *f = d->figure;
    size_t block = 0;
    d->views = calloc(f->npanels, sizeof *d->views);
    if (d->views == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for %zu panels", f->npanels);
    }
    for (size_t k = 0; k < f->npanels; k++) {
        d->views[k].panel = &f->panels[k];
        il_status status = view_make(&d->views[k], d, &block, err);
        if (status != IL_OK) {
            return status;
        }
    }
    if (d->shown == 0) {
        return il_fail(err, IL_EINVAL, "figure '%s' has no point to show: %s", f->name,
                       d->dropped > 0 ? "none is positive and finite on its logarithmic axes"
                                      : "its series are empty or not finite");
    }
    size_choose(d);
    notes_take(d);
    return caption_make(d, err);
}

/* ---- the data file -------------------------------------------------------------------------- */

/* One line of text from outside, for a comment: control characters become blanks. */
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

/* Row i; a step of it lasts until row `next`, which closes the gap that skipped rows would leave.
 */
static void put_row(FILE *out, const il_series *s, size_t i, size_t next) {
    put_number(out, s->x[i]);
    (void)fputc(' ', out);
    put_number(out, s->y[i]);
    if (s->style == IL_STEPS) {
        (void)fputc(' ', out);
        put_number(out, next < s->n ? s->x[next] : s->x[i]);
    }
    (void)fputc('\n', out);
}

static void put_block_head(FILE *out, const view *v, size_t panel, const curve *c, size_t block) {
    const il_panel *p = v->panel;
    (void)fprintf(out, "# block %zu: panel %zu, ", block, panel + 1);
    put_line(out, c->series->label != NULL ? c->series->label : "no label");
    (void)fputs("\n# columns: 1 x = ", out);
    put_line(out, p->xlabel != NULL ? p->xlabel : "x");
    (void)fputs(", 2 y = ", out);
    put_line(out, p->ylabel != NULL ? p->ylabel : "y");
    (void)fputs(c->series->style == IL_STEPS ? ", 3 x up to which y holds\n" : "\n", out);
}

static void put_series(FILE *out, const view *v, size_t panel, const curve *c) {
    const il_series *s = c->series;
    if (s->n == 0) {
        return;
    }
    put_block_head(out, v, panel, c, c->block - (c->npicked > 0));
    for (size_t i = 0; i < s->n; i++) {
        put_row(out, s, i, i + 1);
    }
    (void)fputs("\n\n", out);
    if (c->npicked > 0) {
        (void)fprintf(out, "# of the %zu points above, the %zu that are drawn\n", s->n, c->npicked);
        put_block_head(out, v, panel, c, c->block);
        for (size_t i = 0; i < c->npicked; i++) {
            put_row(out, s, c->picked[i], i + 1 < c->npicked ? c->picked[i + 1] : s->n);
        }
        (void)fputs("\n\n", out);
    }
}

static void put_data(FILE *out, const drawing *d) {
    (void)fprintf(out, "# data of figure %s; blocks are separated by two blank lines\n",
                  d->figure->name);
    for (size_t k = 0; k < d->figure->npanels; k++) {
        for (size_t i = 0; i < d->views[k].panel->nseries; i++) {
            put_series(out, &d->views[k], k, &d->views[k].curves[i]);
        }
    }
}

/* ---- the script: tics ----------------------------------------------------------------------- */

/* base^k with the exponent in Unicode superscripts: legible without gnuplot's markup. */
static void put_power(FILE *out, int base, int k) {
    static const char *const digit[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char text[16];
    (void)snprintf(text, sizeof text, "%d", abs(k));
    (void)fprintf(out, "%d%s", base, k < 0 ? "⁻" : "");
    for (const char *c = text; *c != '\0'; c++) {
        (void)fputs(digit[*c - '0'], out);
    }
}

static void put_tic(FILE *out, bool *first, double at, int level) {
    (void)fprintf(out, "%s'' %.17g %d", *first ? "" : ", ", at, level);
    *first = false;
}

/* Powers of two: plain numbers up to 2^14 (numbers of steps), 2⁻ᵏ otherwise (steps). */
static void put_tics_binary(FILE *out, const axis *a) {
    int lo = (int)ceil(log2(a->lo));
    int hi = (int)floor(log2(a->hi));
    int stride = (hi - lo) / 8 + 1;
    bool first = true;
    for (int k = lo; k <= hi; k++) {
        if (((k % stride) + stride) % stride != 0) {
            put_tic(out, &first, ldexp(1.0, k), 1);
            continue;
        }
        (void)fputs(first ? "'" : ", '", out);
        if (lo >= 0 && hi <= 14) {
            (void)fprintf(out, "%.0f", ldexp(1.0, k));
        } else {
            put_power(out, 2, k);
        }
        (void)fprintf(out, "' %.17g", ldexp(1.0, k));
        first = false;
    }
}

/* Powers of ten, at most eight labelled; 2..9 between them while there is room. */
static void put_tics_decimal(FILE *out, const axis *a, int lo, int hi) {
    int stride = (hi - lo) / 8 + 1;
    bool plain = lo >= -2 && hi <= 4;
    bool first = true;
    for (int k = lo - 1; k <= hi; k++) {
        double power = pow(10.0, k);
        if (k >= lo && ((k % stride) + stride) % stride == 0) {
            (void)fputs(first ? "'" : ", '", out);
            if (plain) {
                (void)fprintf(out, "%g", power);
            } else {
                put_power(out, 10, k);
            }
            (void)fprintf(out, "' %.17g", power);
            first = false;
        } else if (k >= lo) {
            put_tic(out, &first, power, 1);
        }
        for (int m = 2; stride == 1 && m <= 9; m++) {
            if (m * power >= a->lo && m * power <= a->hi) {
                put_tic(out, &first, m * power, 1);
            }
        }
    }
}

static void put_plain_tic(FILE *out, bool *first, double at) {
    int k = (int)floor(log10(at) + 1e-9);
    (void)fputs(*first ? "'" : ", '", out);
    if (k >= -3 && k <= 5) {
        (void)fprintf(out, "%.6g", at);
    } else {
        (void)fprintf(out, "%.4g·", at / pow(10.0, k));
        put_power(out, 10, k);
    }
    (void)fprintf(out, "' %.17g", at);
    *first = false;
}

/* Less than three powers of ten: 1, 2, 5 of each, and when that gives fewer than three tics too,
 * equal distances. */
static void put_tics_narrow(FILE *out, const axis *a, int lo, int hi) {
    static const int leading[] = {1, 2, 5};
    int n = 0;
    bool first = true;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = lo - 1; k <= hi && (pass == 0 || n >= 3); k++) {
            for (int m = 0; m < 3; m++) {
                double at = leading[m] * pow(10.0, k);
                bool inside = at >= a->lo && at <= a->hi;
                n += inside && pass == 0;
                if (inside && pass == 1) {
                    put_plain_tic(out, &first, at);
                }
            }
        }
    }
    if (n < 3) {
        double raw = (a->hi - a->lo) / 4.0;
        double unit = pow(10.0, floor(log10(raw)));
        double step = raw >= 5.0 * unit ? 5.0 * unit : raw >= 2.0 * unit ? 2.0 * unit : unit;
        for (double m = ceil(a->lo / step); m * step <= a->hi && n < 50; m += 1.0, n++) {
            put_plain_tic(out, &first, m * step);
        }
    }
}

static void put_axis(FILE *out, char name, const axis *a) {
    if (a->log) {
        int lo = (int)ceil(log10(a->lo) - 1e-9);
        int hi = (int)floor(log10(a->hi) + 1e-9);
        bool binary = a->binary && log2(a->hi / a->lo) >= 2.0;
        (void)fprintf(out, "    set logscale %c\n", name);
        (void)fprintf(out, "    set %crange [%.17g:%.17g]\n    set %ctics (", name, a->lo, a->hi,
                      name);
        if (binary) {
            put_tics_binary(out, a);
        } else if (hi - lo >= 2) {
            put_tics_decimal(out, a, lo, hi);
        } else {
            put_tics_narrow(out, a, lo, hi);
        }
        (void)fputs(")\n", out);
    } else {
        (void)fprintf(out,
                      "    set %crange [%.17g:%.17g]\n    set %ctics autofreq\n"
                      "    set format %c '%%h'\n",
                      name, a->lo, a->hi, name, name);
    }
}

/* ---- the script: curves --------------------------------------------------------------------- */

static double line_width(const il_series *s) {
    static const double own[] = {
        [IL_LINES] = 1.4,    [IL_POINTS] = 1.2, [IL_LINESPOINTS] = 1.2, [IL_STEPS] = 1.6,
        [IL_IMPULSES] = 1.2, [IL_DASHES] = 1.4, [IL_UNDERLAY] = 5.0,    [IL_FILLED] = 1.2};
    return s->width > 0.0 ? s->width : own[s->style];
}

static double point_size(size_t n) {
    return n <= 60 ? 0.6 : n <= 300 ? 0.45 : n <= 2000 ? 0.3 : 0.15;
}

/* "#rrggbb" mixed with white. */
static unsigned paler(const char *color, double share) {
    unsigned long value = strtoul(color + 1, NULL, 16);
    unsigned mixed = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        double part = (double)((value >> shift) & 0xffu);
        mixed = mixed << 8 | (unsigned)lround(255.0 - share * (255.0 - part));
    }
    return mixed;
}

/* What follows `with`: also the sample in the legend. */
static void put_style(FILE *out, const curve *c, const axis *y, bool sample) {
    const il_series *s = c->series;
    double lw = line_width(s);
    const char *dash = c->rank < SOLID_LINES ? "solid" : DASH[(c->rank - SOLID_LINES) % NDASH];
    int point = POINT[c->rank % NPOINT];
    switch (s->style) {
    case IL_LINES:
        (void)fprintf(out, "lines lc rgb '%s' lw %g dt %s", c->color, lw, dash);
        break;
    case IL_POINTS:
        (void)fprintf(out, "points pt %d ps %g lc rgb '%s' lw %g", point,
                      sample ? 0.6 : point_size(c->shown), c->color, lw);
        break;
    case IL_LINESPOINTS:
        (void)fprintf(out, "linespoints pt %d ps %g lc rgb '%s' lw %g dt %s", point,
                      sample ? 0.6 : point_size(c->shown), c->color, lw, dash);
        break;
    case IL_STEPS:
        (void)fprintf(out, "%s lc rgb '%s' lw %g dt %s", sample ? "lines" : "vectors nohead",
                      c->color, lw, dash);
        break;
    case IL_IMPULSES:
        (void)fprintf(out, "%s lc rgb '%s' lw %g", sample ? "lines" : "impulses", c->color, lw);
        break;
    case IL_DASHES:
        (void)fprintf(out, "lines lc rgb '%s' lw %g dt %s", c->color, lw, DASH[c->rank % NDASH]);
        break;
    case IL_UNDERLAY:
        (void)fprintf(out, "lines lc rgb '#%06x' lw %g", paler(c->color, s->color ? 0.4 : 1.0), lw);
        break;
    case IL_FILLED:
        (void)fprintf(out, "filledcurves y1=%.17g fc rgb '#%06x' fs solid 1 noborder",
                      y->log ? y->lo : 0.0, paler(c->color, 0.35));
        break;
    }
}

/* `using`: what a logarithmic axis cannot show becomes NaN, which breaks the line. A step shorter
 * than a dot would not be drawn at all, though it may be a percussion: it is drawn as a dot. */
static void put_using(FILE *out, const curve *c, const view *v) {
    const char *x = v->x.log ? "($1>0?$1:NaN)" : "1";
    const char *y = v->y.log ? "($2>0?$2:NaN)" : "2";
    (void)fprintf(out, "using %s:%s", x, y);
    if (c->series->style == IL_STEPS && v->x.log) {
        (void)fputs(":($3-$1):(0)", out);
    } else if (c->series->style == IL_STEPS) {
        double dot = DOT * (v->x.hi - v->x.lo);
        (void)fprintf(out, ":($3>$1&&$3-$1<%.3g?%.3g:$3-$1):(0)", dot, dot);
    }
}

/* One curve, and its legend entry apart: the sample is then the same size whatever the data. */
static void put_curve(FILE *out, const char *name, const view *v, size_t panel, size_t k,
                      const char **glue) {
    const curve *c = &v->curves[k];
    if (c->shown > 0) {
        (void)fprintf(out, "%s'%s.dat' index %zu ", *glue, name, c->block);
        put_using(out, c, v);
        (void)fputs(" with ", out);
        put_style(out, c, &v->y, false);
        (void)fputs(" notitle", out);
        *glue = ", \\\n         ";
    }
    if (c->series->label != NULL && c->series->label[0] != '\0') {
        (void)fprintf(out, "%skeyentry with ", *glue);
        put_style(out, c, &v->y, true);
        (void)fprintf(out, " title label%zu_%zu", panel + 1, k + 1);
        *glue = ", \\\n         ";
    }
}

static void put_plot(FILE *out, const char *name, const view *v, size_t panel) {
    const char *glue = "    plot ";
    for (int pass = 0; pass < 2; pass++) { /* broad and filled curves lie beneath the others */
        for (size_t k = 0; k < v->panel->nseries; k++) {
            il_style style = v->panel->series[k].style;
            if ((style == IL_UNDERLAY || style == IL_FILLED) == (pass == 0)) {
                put_curve(out, name, v, panel, k, &glue);
            }
        }
    }
    (void)fprintf(out, "%sNaN notitle\n", glue); /* an empty panel keeps its frame */
}

/* ---- the script: the whole ------------------------------------------------------------------ */

/* A string of gnuplot's. Single quotes stand apart as "'", joined by dots: gnuplot misreads doubled
 * quotes when several follow one another. Control characters become blanks. */
static void put_text(FILE *out, const char *variable, size_t panel, size_t k, const char *text) {
    (void)fprintf(out, "%s%zu", variable, panel + 1);
    if (k > 0) {
        (void)fprintf(out, "_%zu", k);
    }
    (void)fputs(" = '", out);
    for (const char *c = text != NULL ? text : ""; *c != '\0'; c++) {
        if (*c == '\'') {
            (void)fputs("'.\"'\".'", out);
        } else {
            (void)fputc((unsigned char)*c < 0x20 || *c == 0x7f ? ' ' : *c, out);
        }
    }
    (void)fputs("'\n", out);
}

static void put_texts(FILE *out, const drawing *d) {
    for (size_t k = 0; k < d->figure->npanels; k++) {
        const il_panel *p = d->views[k].panel;
        put_text(out, "title", k, 0, p->title);
        put_text(out, "xlabel", k, 0, p->xlabel);
        put_text(out, "ylabel", k, 0, p->ylabel);
        for (size_t i = 0; i < p->nseries; i++) {
            if (p->series[i].label != NULL && p->series[i].label[0] != '\0') {
                put_text(out, "label", k, i + 1, p->series[i].label);
            }
        }
    }
}

/* Lines are measured in points in all three formats, text is 9 pt (cairo counts letters at 96 dots
 * an inch, svg in pixels of 1/96 inch). */
static void put_terminals(FILE *out, const drawing *d) {
    double wi = d->width / CM_PER_INCH;
    double hi = d->height / CM_PER_INCH;
    (void)fprintf(out,
                  "    if (format eq 'pdf') {\n"
                  "        set terminal pdfcairo noenhanced color rounded font 'Sans,9' fontscale "
                  "%.4g linewidth 2 size %gcm,%gcm\n"
                  "    }\n",
                  0.75, d->width, d->height);
    (void)fprintf(out,
                  "    if (format eq 'svg') {\n"
                  "        set terminal svg noenhanced rounded font 'Sans,12' linewidth 1.333 "
                  "size %.0f,%.0f background '#ffffff'\n"
                  "    }\n",
                  96.0 * wi, 96.0 * hi);
    (void)fprintf(out,
                  "    if (format eq 'png') {\n"
                  "        set terminal pngcairo noenhanced color rounded font 'Sans,9' fontscale "
                  "%.4g linewidth %.4g pointscale %.4g size %.0f,%.0f background '#ffffff'\n"
                  "    }\n",
                  DPI / 96.0, DPI / 72.0, DPI / 72.0, DPI * wi, DPI * hi);
}

/* Above the panel the legend stands between the title and the frame, so the title is its own. */
static void put_key(FILE *out, const view *v, size_t panel) {
    if (strcmp(v->corner, "off") == 0) {
        (void)fputs("    set key off\n", out);
    } else if (strcmp(v->corner, "outside") == 0) {
        (void)fprintf(out,
                      "    set key on tmargin center horizontal Left reverse noopaque\n"
                      "    set key title title%zu\n    set title ''\n",
                      panel + 1);
    } else {
        (void)fprintf(
            out, "    set key on inside %s vertical Left reverse opaque\n    set key title ''\n",
            v->corner);
    }
}

static void put_panel(FILE *out, const drawing *d, size_t k) {
    const view *v = &d->views[k];
    (void)fprintf(out, "\n    unset logscale\n    set autoscale\n");
    (void)fprintf(out,
                  "    set title title%zu\n    set xlabel xlabel%zu\n    set ylabel ylabel%zu\n",
                  k + 1, k + 1, k + 1);
    put_axis(out, 'x', &v->x);
    put_axis(out, 'y', &v->y);
    put_key(out, v, k);
    (void)fputs(keeps_scale(v) ? "    set size ratio -1\n" : "    set size noratio\n", out);
    put_plot(out, d->figure->name, v, k);
}

static void put_script(FILE *out, const drawing *d) {
    const char *name = d->figure->name;
    (void)fprintf(out, "# `gnuplot %s.gp` in this folder draws %s.pdf, %s.svg and %s.png.\n", name,
                  name, name, name);
    for (size_t k = 0; k < d->figure->npanels; k++) {
        for (size_t i = 0; i < d->views[k].panel->nseries; i++) {
            const curve *c = &d->views[k].curves[i];
            if (c->npicked > 0) {
                (void)fprintf(
                    out,
                    "# Panel %zu, series %zu: block %zu of the data has %zu points; "
                    "drawn are %zu of them (block %zu),\n# the extremes of each stretch.\n",
                    k + 1, i + 1, c->block - 1, c->series->n, c->npicked, c->block);
            }
        }
    }
    (void)fputs("\nset encoding utf8\n"
                "set minussign\n"
                "set clip two\n"
                "set border 3 lw 0.7 lc rgb '#404040'\n"
                "set tics out nomirror scale 0.6,0.3\n"
                "set grid lc rgb '#d9d9d9' lw 0.5 dt solid\n"
                "set key samplen 2.2 spacing 1.05\n\n",
                out);
    put_texts(out, d);
    (void)fputs("\ndo for [format in 'pdf svg png'] {\n", out);
    put_terminals(out, d);
    (void)fprintf(out, "    set output '%s.'.format\n", name);
    if (d->figure->npanels > 1) {
        (void)fprintf(out, "    set multiplot layout %zu,%zu\n", d->rows, d->columns);
    }
    if (d->rows > 1) {
        (void)fputs("    set lmargin 10\n    set rmargin 2\n", out);
    }
    for (size_t k = 0; k < d->figure->npanels; k++) {
        put_panel(out, d, k);
    }
    (void)fputs(d->figure->npanels > 1 ? "\n    unset multiplot\n" : "\n", out);
    (void)fputs("    set output\n}\n", out);
}

static il_status script_make(drawing *d, il_error *err) {
    FILE *out = open_memstream(&d->script, &d->script_size);
    if (out == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for the script of '%s'", d->figure->name);
    }
    put_script(out, d);
    int failed = ferror(out);
    if (fclose(out) != 0 || failed) {
        return il_fail(err, IL_ENOMEM, "no memory for the script of '%s'", d->figure->name);
    }
    return IL_OK;
}

/* ---- gnuplot -------------------------------------------------------------------------------- */

typedef struct {
    const char *program;
    pid_t pid;
    int input, errors; /* our ends */
    char complaint[COMPLAINT_MAX];
    size_t ncomplaint;
    bool late, deaf; /* over its time; closed its input before it had read all */
} gnuplot;

static double seconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void close_all(int *fd, int n) {
    for (int k = 0; k < n; k++) {
        if (fd[k] >= 0) {
            (void)close(fd[k]);
        }
        fd[k] = -1;
    }
}

/* In a process group of its own, so that a kill reaches what a wrapper script started and an
 * interrupt meant for us does not; with no signal blocked or ignored. fd[0] is its input, fd[1] its
 * errors. posix_spawn is fork and exec that returns the child's errno. */
static int spawn(gnuplot *g, const char *folder, const int fd[2]) {
    char *const argv[] = {(char *)(uintptr_t)g->program, (char[]){"-d"}, NULL};
    posix_spawn_file_actions_t acts;
    posix_spawnattr_t attr;
    sigset_t none;
    sigset_t usual;
    (void)sigemptyset(&none);
    (void)sigemptyset(&usual);
    (void)sigaddset(&usual, SIGPIPE);
    (void)sigaddset(&usual, SIGINT);
    (void)sigaddset(&usual, SIGTERM);
    int code = posix_spawn_file_actions_init(&acts);
    if (code != 0) {
        return code;
    }
    code = posix_spawnattr_init(&attr);
    if (code != 0) {
        (void)posix_spawn_file_actions_destroy(&acts);
        return code;
    }
    code |= posix_spawn_file_actions_adddup2(&acts, fd[0], STDIN_FILENO);
    code |= posix_spawn_file_actions_addopen(&acts, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    code |= posix_spawn_file_actions_adddup2(&acts, fd[1], STDERR_FILENO);
    code |= posix_spawn_file_actions_addchdir_np(&acts, folder);
    code |= posix_spawnattr_setsigmask(&attr, &none);
    code |= posix_spawnattr_setsigdefault(&attr, &usual);
    code |= posix_spawnattr_setpgroup(&attr, 0);
    code |= posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                POSIX_SPAWN_SETPGROUP);
    code = code != 0 ? ENOMEM : posix_spawnp(&g->pid, g->program, &acts, &attr, argv, environ);
    (void)posix_spawnattr_destroy(&attr);
    (void)posix_spawn_file_actions_destroy(&acts);
    return code;
}

/* The input is a socket, whose writer can ask for no SIGPIPE without touching the process's signal
 * handlers. */
static il_status gnuplot_start(gnuplot *g, const char *folder, il_error *err) {
    int fd[4] = {-1, -1, -1, -1};
    char *resolved = NULL;
    int code = 0;
    const char *asked = g->program;
    if (strchr(asked, '/') != NULL) { /* the child changes its folder before it looks */
        resolved = realpath(asked, NULL);
        code = resolved != NULL ? 0 : errno != 0 ? errno : ENOENT;
        g->program = resolved != NULL ? resolved : asked;
    }
    if (code == 0 && (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) != 0 ||
                      pipe2(fd + 2, O_CLOEXEC) != 0)) {
        code = errno;
    }
    if (code == 0) {
        code = spawn(g, folder, (int[]){fd[1], fd[3]});
    }
    g->program = asked;
    free(resolved);
    if (code != 0) {
        close_all(fd, 4);
        return il_fail(err, IL_EPLOT,
                       "gnuplot could not be started ('%s': %s); install the package gnuplot-nox",
                       asked, strerror(code));
    }
    close_all(fd + 1, 1);
    close_all(fd + 3, 1);
    g->input = fd[0];
    g->errors = fd[2];
    return IL_OK;
}

/* Send what is left of the script. */
static void feed(gnuplot *g, const char **text, size_t *left) {
    ssize_t sent = send(g->input, *text, *left, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
        *text += sent;
        *left -= (size_t)sent;
    } else if (sent < 0 && errno != EAGAIN && errno != EINTR) {
        g->deaf = true;
    }
    if (*left == 0 || g->deaf) {
        close_all(&g->input, 1);
    }
}

/* Keep the beginning of what gnuplot says, read on to its end. */
static void listen_to(gnuplot *g) {
    char buffer[1024];
    ssize_t got = read(g->errors, buffer, sizeof buffer);
    if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) {
        close_all(&g->errors, 1);
    }
    for (ssize_t i = 0; i < got && g->ncomplaint + 1 < sizeof g->complaint; i++) {
        g->complaint[g->ncomplaint++] = buffer[i] == '\0' ? ' ' : buffer[i];
    }
}

/* Write and read at once: neither side ever waits for the other with a full pipe. */
static void gnuplot_talk(gnuplot *g, const char *text, size_t left, double deadline) {
    while (g->input >= 0 || g->errors >= 0) {
        struct pollfd fds[2] = {{.fd = g->input, .events = POLLOUT},
                                {.fd = g->errors, .events = POLLIN}};
        double rest = deadline - seconds();
        if (rest <= 0.0) {
            g->late = true;
            break;
        }
        if (poll(fds, 2, (int)(1000.0 * rest) + 1) < 0 && errno != EINTR) {
            break;
        }
        if (fds[0].revents != 0) {
            feed(g, &text, &left);
        }
        if (fds[1].revents != 0) {
            listen_to(g);
        }
    }
    close_all(&g->input, 1);
    close_all(&g->errors, 1);
}

/* The wait status, -1 when there is none. Kills the group when the time is over. */
static int gnuplot_end(gnuplot *g, double deadline) {
    const struct timespec nap = {.tv_nsec = 5000000L};
    int state = -1;
    while (true) {
        if (seconds() >= deadline || g->late) {
            g->late = true;
            (void)kill(-g->pid, SIGKILL);
        }
        pid_t got = waitpid(g->pid, &state, g->late ? 0 : WNOHANG);
        if (got == g->pid) {
            return state;
        }
        if (got < 0 && errno != EINTR) {
            return -1;
        }
        (void)nanosleep(&nap, NULL);
    }
}

/* A font cache that cannot be written slows gnuplot down and changes no picture. All else counts.
 */
static bool harmless(const char *line) {
    static const char *const known[] = {"Fontconfig warning",
                                        "Fontconfig error: No writable cache"};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (strncmp(line, known[k], strlen(known[k])) == 0) {
            return true;
        }
    }
    return line[strspn(line, " \t\r")] == '\0';
}

/* What gnuplot complained of, on one line; empty when it said nothing that counts. */
static void complaint_read(gnuplot *g, char *out, size_t room) {
    char *rest = NULL;
    out[0] = '\0';
    g->complaint[g->ncomplaint] = '\0';
    for (char *line = strtok_r(g->complaint, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        if (!harmless(line)) {
            line += strspn(line, " \t\r");
            il_text_append(out, room, "%s%s", out[0] == '\0' ? "" : " ", line);
        }
    }
}

static il_status gnuplot_judge(gnuplot *g, int state, const char *name, il_error *err) {
    char said[512];
    complaint_read(g, said, sizeof said);
    const char *colon = said[0] == '\0' ? "" : ": ";
    if (g->late) {
        return il_fail(err, IL_EPLOT, "gnuplot ('%s') did not finish figure '%s' in %d s%s%s",
                       g->program, name, TIME_LIMIT, colon, said);
    }
    if (state == -1 || WIFSIGNALED(state)) {
        return il_fail(err, IL_EPLOT, "gnuplot ('%s') ended by signal %d in figure '%s'%s%s",
                       g->program, state == -1 ? 0 : WTERMSIG(state), name, colon, said);
    }
    if (WEXITSTATUS(state) != 0) {
        return il_fail(err, IL_EPLOT,
                       "gnuplot ('%s') failed with exit status %d in figure '%s'%s%s", g->program,
                       WEXITSTATUS(state), name, colon, said);
    }
    if (said[0] != '\0') {
        return il_fail(err, IL_EPLOT, "gnuplot ('%s') complained of figure '%s': %s", g->program,
                       name, said);
    }
    if (g->deaf) {
        return il_fail(err, IL_EPLOT, "gnuplot ('%s') did not read the whole script of figure '%s'",
                       g->program, name);
    }
    return IL_OK;
}

static il_status gnuplot_run(const drawing *d, il_error *err) {
    const char *chosen = getenv("IMPACTLAB_GNUPLOT");
    gnuplot *g = calloc(1, sizeof *g);
    if (g == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory to run gnuplot");
    }
    g->program = chosen != NULL && chosen[0] != '\0' ? chosen : "gnuplot";
    il_status status = gnuplot_start(g, d->folder, err);
    if (status == IL_OK) {
        double deadline = seconds() + TIME_LIMIT;
        gnuplot_talk(g, d->script, d->script_size, deadline);
        int state = gnuplot_end(g, deadline);
        status = gnuplot_judge(g, state, d->figure->name, err);
    }
    free(g);
    return status;
}

/* ---- pictures into place -------------------------------------------------------------------- */

/* folder/name.suffix; NULL when memory is out. The caller frees. */
static char *path_make(const char *folder, const char *name, const char *suffix) {
    char *path = NULL;
    return asprintf(&path, "%s/%s.%s", folder, name, suffix) < 0 ? NULL : path;
}

/* A picture that is whole begins and ends as its format says. */
static bool picture_whole(FILE *in, const char *suffix, long size) {
    static const struct {
        const char *suffix, *head, *tail;
    } format[] = {
        {"pdf", "%PDF-", "%%EOF"}, {"svg", "<?xml", "</svg>"}, {"png", "\x89PNG\r\n", "IEND"}};
    char head[8] = {0};
    char tail[33] = {0};
    for (size_t k = 0; k < sizeof format / sizeof *format; k++) {
        if (strcmp(suffix, format[k].suffix) == 0) {
            size_t n = strlen(format[k].head);
            return fread(head, 1, n, in) == n && memcmp(head, format[k].head, n) == 0 &&
                   fseek(in, size - 32, SEEK_SET) == 0 && fread(tail, 1, 32, in) == 32 &&
                   memmem(tail, 32, format[k].tail, strlen(format[k].tail)) != NULL;
        }
    }
    return false;
}

static il_status picture_check(const drawing *d, const char *suffix, il_error *err) {
    const char *name = d->figure->name;
    char *path = path_make(d->folder, name, suffix);
    if (path == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for a file name");
    }
    FILE *in = fopen(path, "rb");
    struct stat info = {0};
    il_status status = IL_OK;
    if (in == NULL || fstat(fileno(in), &info) != 0) {
        status = il_fail(err, IL_EPLOT, "gnuplot wrote no %s.%s", name, suffix);
    } else if (info.st_size < SMALLEST_PICTURE || !picture_whole(in, suffix, (long)info.st_size)) {
        status = il_fail(err, IL_EPLOT, "gnuplot's %s.%s is not a whole picture (%lld bytes)", name,
                         suffix, (long long)info.st_size);
    }
    if (in != NULL) {
        (void)fclose(in);
    }
    free(path);
    return status;
}

/* A folder in the way of a rename would leave the figure half new, half old: look before. */
static il_status place_check(const char *dir, const char *name, il_error *err) {
    for (int k = 0; k <= NSUFFIX; k++) {
        char *path = path_make(dir, name, k < NSUFFIX ? SUFFIX[k] : "json");
        struct stat info;
        if (path == NULL) {
            return il_fail(err, IL_ENOMEM, "no memory for a file name");
        }
        if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
            il_status status = il_fail(err, IL_EIO, "cannot write '%s': it is a folder", path);
            free(path);
            return status;
        }
        free(path);
    }
    return IL_OK;
}

static il_status place(const drawing *d, const char *dir, const char *suffix, il_error *err) {
    char *from = path_make(d->folder, d->figure->name, suffix);
    char *to = path_make(dir, d->figure->name, suffix);
    il_status status = IL_OK;
    if (from == NULL || to == NULL) {
        status = il_fail(err, IL_ENOMEM, "no memory for a file name");
    } else if (rename(from, to) != 0) {
        status = il_fail(err, IL_EIO, "cannot write '%s': %s", to, strerror(errno));
    }
    free(from);
    free(to);
    return status;
}

static il_status manifest_write(const drawing *d, const char *dir, il_error *err) {
    const char *name = d->figure->name;
    il_file file = {0};
    json_t *files = json_array();
    for (int k = NSUFFIX - 1; k >= 0; k--) {
        (void)json_array_append_new(files, json_sprintf("%s.%s", name, SUFFIX[k]));
    }
    json_t *root = json_pack("{s:s, s:s, s:s, s:o, s:I, s:i}", "kind", "figure", "name", name,
                             "caption", d->caption, "files", files, "dropped",
                             (json_int_t)d->dropped, "order", d->figure->order);
    char *path = path_make(dir, name, "json");
    il_status status = root == NULL || path == NULL
                           ? il_fail(err, IL_ENOMEM, "no memory for the manifest of '%s'", name)
                           : il_file_open(&file, path, err);
    if (status == IL_OK) {
        if (json_dumpf(root, file.stream, JSON_INDENT(2)) != 0 || fputc('\n', file.stream) == EOF) {
            il_file_abandon(&file);
            status = il_fail(err, IL_EIO, "cannot write '%s'", path);
        } else {
            status = il_file_commit(&file, err);
        }
    }
    free(path);
    json_decref(root);
    return status;
}

/* ---- the way through ------------------------------------------------------------------------ */

static il_status scratch_make(drawing *d, const char *dir, il_error *err) {
    il_status status = il_folder_make(dir, err);
    if (status != IL_OK) {
        return status;
    }
    if (asprintf(&d->folder, "%s/.%s.XXXXXX", dir, d->figure->name) < 0) {
        d->folder = NULL;
        return il_fail(err, IL_ENOMEM, "no memory for a file name");
    }
    if (mkdtemp(d->folder) == NULL) {
        free(d->folder);
        d->folder = NULL;
        return il_fail(err, IL_EIO, "cannot write in the folder '%s': %s", dir, strerror(errno));
    }
    return IL_OK;
}

static il_status scratch_fill(const drawing *d, bool data, il_error *err) {
    il_file file = {0};
    char *path = path_make(d->folder, d->figure->name, data ? "dat" : "gp");
    if (path == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for a file name");
    }
    il_status status = il_file_open(&file, path, err);
    if (status == IL_OK) {
        if (data) {
            put_data(file.stream, d);
        } else {
            (void)fwrite(d->script, 1, d->script_size, file.stream);
        }
        status = il_file_commit(&file, err);
    }
    free(path);
    return status;
}

static void drawing_free(drawing *d) {
    for (int k = 0; d->folder != NULL && k < NSUFFIX; k++) {
        char *path = path_make(d->folder, d->figure->name, SUFFIX[k]);
        if (path != NULL) {
            (void)remove(path);
        }
        free(path);
    }
    if (d->folder != NULL) {
        (void)rmdir(d->folder);
    }
    for (size_t k = 0; d->views != NULL && k < d->figure->npanels; k++) {
        for (size_t i = 0; d->views[k].curves != NULL && i < d->figure->panels[k].nseries; i++) {
            free(d->views[k].curves[i].picked);
        }
        free(d->views[k].curves);
    }
    free(d->views);
    free(d->caption);
    free(d->script);
    free(d->folder);
}

static il_status draw(drawing *d, const char *dir, il_error *err) {
    il_status status = drawing_plan(d, err);
    if (status == IL_OK) {
        status = script_make(d, err);
    }
    if (status == IL_OK) {
        status = scratch_make(d, dir, err);
    }
    for (int data = 0; status == IL_OK && data < 2; data++) {
        status = scratch_fill(d, data == 1, err);
    }
    if (status == IL_OK) {
        status = gnuplot_run(d, err);
    }
    for (int k = FIRST_PICTURE; status == IL_OK && k < NSUFFIX; k++) {
        status = picture_check(d, SUFFIX[k], err);
    }
    if (status == IL_OK) {
        status = place_check(dir, d->figure->name, err);
    }
    for (int k = 0; status == IL_OK && k < NSUFFIX; k++) {
        status = place(d, dir, SUFFIX[k], err);
    }
    return status == IL_OK ? manifest_write(d, dir, err) : status;
}

il_status il_figure_draw(const il_figure *figure, const char *dir, il_figure_report *report,
                         il_error *err) {
    drawing d = {.figure = figure};
    if (report != NULL) {
        memset(report, 0, sizeof *report);
    }
    il_status status = figure_check(figure, err);
    if (status != IL_OK) {
        return status;
    }
    status = draw(&d, dir, err);
    if (report != NULL) {
        report->dropped = d.dropped;
        (void)snprintf(report->message, sizeof report->message, "%s", d.note);
    }
    drawing_free(&d);
    return status;
}
