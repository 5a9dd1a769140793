/*
 * plot_style.c - the style of curves in gnuplot: colours, dashes, marks, widths.
 *
 * Series with equal values must all be visible: their marks fit inside one another, and a line that
 * others cover is drawn broader beneath them, unless its width was given.
 */
#include "harness/draw/plot_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/base/elementary.h"

/* Okabe and Ito's colours, ordered so that the first three differ most in grey (luminance 0, 0.40,
 * 0.68); later ones are told apart by dash patterns too. */
static const char *const PALETTE[] = {"#000000", "#e69f00", "#0072b2", "#d55e00",
                                      "#009e73", "#cc79a7", "#56b4e9", "#7f7f7f"};
static const char *const PALE = "#b9cfe4";
static const char *const DASH[] = {"(8,7)", "(12,6,1,6)", "(1,5)", "(18,7)", "(8,6,1,6,1,6)"};

/* gnuplot's point types, and sizes such that each of the first three fits into the one before. The
 * third is filled: the lines of small marks are faint in SVG, where they shrink with the mark. */
typedef struct {
    int type;
    double size;
} mark;
static const mark DOT_MARK = {7, 1.0};
static const mark MARK[] = {{6, 2.1},  {4, 1.25}, {9, 0.7}, {12, 2.6},
                            {10, 1.6}, {14, 2.0}, {2, 1.1}, {1, 1.6}};
enum {
    NPALETTE = sizeof PALETTE / sizeof *PALETTE,
    NDASH = sizeof DASH / sizeof *DASH,
    NMARK = sizeof MARK / sizeof *MARK,
    SOLID_LINES = 3,
    SOLID = NDASH,   /* instead of a pattern */
    TOLD_APART = 32, /* lines of a legend; more are solid */
    EDGED_MAX = 500, /* discs; of more the edges would be all that is seen */
    COMPARED = 33    /* points at which two lines are compared */
};

/* Of a lightness of 100: told apart on grey paper, about a fifth. */
static const double GREY = 20.0;
static const double THICKER = 1.5; /* the ratio of two widths that is seen */
static const double NEAR = 0.005;  /* of the axis: a tenth of a centimetre or less */
static const double BROADER = 1.1; /* of a line's width, for each line that covers it */

/* How each style is drawn, how its legend shows it, and its own width. */
static const struct {
    const char *with, *sample;
    double width;
} STYLE[] = {
    [IL_LINES] = {"lines", "lines", 1.4},
    [IL_POINTS] = {"points", "points", 1.2},
    [IL_LINESPOINTS] = {"linespoints", "linespoints", 1.2},
    [IL_STEPS] = {"vectors nohead", "lines", 1.6},
    [IL_IMPULSES] = {"impulses", "lines", 1.2},
    [IL_DASHES] = {"lines", "lines", 1.4},
    [IL_UNDERLAY] = {"lines", "lines", 5.0},
    [IL_FILLED] = {"filledcurves", "filledcurves", 1.2},
    [IL_DISCS] = {"circles", "points pt 7", 0.3},
    [IL_ARROWS] = {"vectors head filled size screen 0.012,20", "lines", 1.4},
    [IL_TEXTS] = {"points pt -1", "points pt -1", 1.0},
};

/* The place of series k among those of its panel that take the next colour. */
static size_t rank_of(const il_panel *p, size_t k) {
    size_t rank = 0;
    for (size_t i = 0; i < k; i++) {
        rank += p->series[i].color == NULL && p->series[i].style != IL_UNDERLAY;
    }
    return rank;
}

static bool has_marks(const il_series *s) {
    return s->style == IL_POINTS || s->style == IL_LINESPOINTS;
}

static bool has_dashes(const il_series *s) {
    return s->style == IL_DASHES;
}

static bool same_color(const char *a, const char *b) {
    return a != NULL && b != NULL && strcasecmp(a, b) == 0;
}

/* The series that series k is drawn as: a series without a label goes on with that of the first of
 * its kind and colour (the second coordinate of a body, say). */
static size_t lead_of(const il_panel *p, size_t k, bool (*kind)(const il_series *s)) {
    for (size_t i = 0; i < k && p->series[k].label == NULL; i++) {
        if (kind(&p->series[i]) && same_color(p->series[i].color, p->series[k].color)) {
            return i;
        }
    }
    return k;
}

/* How many different marks or dash patterns the first n series of the panel have. */
static size_t count_kinds(const il_panel *p, size_t n, bool (*kind)(const il_series *s)) {
    size_t kinds = 0;
    for (size_t i = 0; i < n; i++) {
        kinds += kind(&p->series[i]) && lead_of(p, i, kind) == i;
    }
    return kinds;
}

static mark mark_of(const il_panel *p, size_t k) {
    bool alone = count_kinds(p, p->nseries, has_marks) == 1;
    return alone ? DOT_MARK : MARK[count_kinds(p, lead_of(p, k, has_marks), has_marks) % NMARK];
}

static const char *color_of(const il_series *s, size_t rank) {
    if (s->color != NULL) {
        return s->color;
    }
    return s->style == IL_UNDERLAY ? PALE : PALETTE[rank % NPALETTE];
}

/* One size for all marks of a panel, the same in all figures but for clouds of points. */
static const double POINT_SIZE = 0.5;

static double point_size(const il_plot_view *v) {
    size_t most = 0;
    for (size_t k = 0; k < v->panel->nseries; k++) {
        size_t n = v->curves[k].shown;
        most = has_marks(&v->panel->series[k]) && n > most ? n : most;
    }
    return most <= 600 ? POINT_SIZE : most <= 2000 ? 0.3 : 0.15;
}

static bool near(const il_plot_axis *a, double p, double q) {
    double apart = a->log ? il_log(p / q) / il_log(a->hi / a->lo) : (p - q) / (a->hi - a->lo);
    return fabs(apart) <= NEAR;
}

/* Whether two lines agree over half of their length. */
static bool agree(const il_plot_view *v, const il_series *a, const il_series *b) {
    size_t same = 0;
    if (a->n != b->n || a->n < 2) {
        return false;
    }
    for (size_t j = 0; j < COMPARED; j++) {
        size_t i = j * (a->n - 1) / (COMPARED - 1);
        same += near(&v->x, a->x[i], b->x[i]) && near(&v->y, a->y[i], b->y[i]);
    }
    return 2 * same >= COMPARED;
}

/* Lines of other colours that come after line k, above it, and agree with it. */
static size_t covers_of(const il_plot_view *v, size_t k) {
    const il_panel *p = v->panel;
    const il_series *s = &p->series[k];
    const char *color = color_of(s, rank_of(p, k));
    size_t covers = 0;
    for (size_t i = k + 1; i < p->nseries && s->style == IL_LINES; i++) {
        const il_series *above = &p->series[i];
        covers += above->style == IL_LINES && !same_color(color, color_of(above, rank_of(p, i))) &&
                  agree(v, s, above);
    }
    return covers;
}

static double width_of(const il_plot_view *v, size_t k) {
    const il_series *s = &v->panel->series[k];
    double own = STYLE[s->style].width * (1.0 + BROADER * (double)covers_of(v, k));
    return s->width > 0.0 ? s->width : own;
}

/* ---- dashes ---------------------------------------------------------------------------------- */

/* CIE's L* of "#rrggbb", 0 to 100: what is left of a colour on grey paper. */
static double lightness(const char *color) {
    static const double weight[] = {0.0722, 0.7152, 0.2126};
    unsigned long value = strtoul(color + 1, NULL, 16);
    double y = 0.0;
    for (int k = 0; k < 3; k++) {
        double c = (double)((value >> (8 * k)) & 0xffu) / 255.0;
        y += weight[k] * (c <= 0.04045 ? c / 12.92 : il_pow((c + 0.055) / 1.055, 2.4));
    }
    return y > 216.0 / 24389.0 ? 116.0 * il_pow(y, 1.0 / 3.0) - 16.0 : y * 24389.0 / 27.0;
}

static bool is_line(const il_series *s) {
    return s->style == IL_LINES || s->style == IL_STEPS;
}

static bool is_alike(const il_plot_view *v, size_t i, size_t k) {
    const il_panel *p = v->panel;
    double wide = width_of(v, i) / width_of(v, k);
    const char *a = color_of(&p->series[i], rank_of(p, i));
    const char *b = color_of(&p->series[k], rank_of(p, k));
    return wide < THICKER && wide > 1.0 / THICKER && fabs(lightness(a) - lightness(b)) < GREY;
}

/* The pattern of a line with a colour of its own or one of the first: of those in the legend before
 * it that differ from it too little on grey paper, none has it. */
static size_t pattern_of(const il_plot_view *v, size_t k) {
    const il_panel *p = v->panel;
    size_t line[TOLD_APART] = {0};
    size_t pattern[TOLD_APART] = {0};
    size_t n = 0;
    for (size_t i = 0; i <= k && n < TOLD_APART; i++) {
        const il_series *s = &p->series[i];
        unsigned taken = 0;
        if (!is_line(s) || s->label == NULL || s->label[0] == '\0') {
            continue;
        }
        for (size_t j = 0; j < n; j++) {
            taken |= is_alike(v, line[j], i) ? 1u << pattern[j] : 0u;
        }
        line[n] = i;
        pattern[n] = SOLID;
        if ((taken & 1u << SOLID) != 0) {
            pattern[n] = 0;
            while (pattern[n] + 1 < NDASH && (taken & 1u << pattern[n]) != 0) {
                pattern[n]++;
            }
        }
        n++;
    }
    return n > 0 && line[n - 1] == k ? pattern[n - 1] : SOLID;
}

/* NULL: the style has no dashes. */
static const char *dash_of(const il_plot_view *v, size_t k) {
    const il_panel *p = v->panel;
    size_t rank = rank_of(p, k);
    size_t pattern = SOLID;
    switch (p->series[k].style) {
    case IL_LINES:
    case IL_STEPS:
    case IL_LINESPOINTS:
        if (p->series[k].color == NULL && rank >= SOLID_LINES) {
            return DASH[(rank - SOLID_LINES) % NDASH];
        }
        pattern = is_line(&p->series[k]) ? pattern_of(v, lead_of(p, k, is_line)) : SOLID;
        return pattern == SOLID ? "solid" : DASH[pattern];
    case IL_DASHES:
        return DASH[count_kinds(p, lead_of(p, k, has_dashes), has_dashes) % NDASH];
    case IL_POINTS:
    case IL_IMPULSES:
    case IL_UNDERLAY:
    case IL_FILLED:
    case IL_DISCS:
    case IL_ARROWS:
    case IL_TEXTS:
        break;
    }
    return NULL;
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

void il_plot_put_style(FILE *out, const il_plot_view *v, size_t k, bool sample) {
    const il_series *s = v->curves[k].series;
    size_t rank = rank_of(v->panel, k);
    const char *color = color_of(s, rank);
    const char *dash = dash_of(v, k);
    (void)fputs(sample ? STYLE[s->style].sample : STYLE[s->style].with, out);
    if (s->style == IL_FILLED) {
        (void)fprintf(out, " y1=%.17g fc rgb '#%06x' fs solid 1 noborder", v->y.log ? v->y.lo : 0.0,
                      paler(color, 0.35));
        return;
    }
    if (s->style == IL_DISCS && !sample) {
        if (s->value != NULL) {
            (void)fputs(" lc palette", out);
        } else {
            (void)fprintf(out, " lc rgb '%s'", color);
        }
        if (v->curves[k].shown > EDGED_MAX) {
            (void)fputs(" fs solid 1 noborder", out);
        } else {
            (void)fprintf(out, " lw %g fs solid 1 border lc rgb '#303030'", width_of(v, k));
        }
        return;
    }
    if (has_marks(s)) {
        mark m = mark_of(v->panel, k);
        (void)fprintf(out, " pt %d ps %g", m.type, m.size * (sample ? POINT_SIZE : point_size(v)));
    }
    if (s->style == IL_UNDERLAY) {
        (void)fprintf(out, " lc rgb '#%06x'", paler(color, s->color != NULL ? 0.4 : 1.0));
    } else {
        (void)fprintf(out, " lc rgb '%s'", color);
    }
    (void)fprintf(out, " lw %g", width_of(v, k));
    if (dash != NULL) {
        (void)fprintf(out, " dt %s", dash);
    }
}

void il_plot_put_palette(FILE *out, const char *indent) {
    (void)fprintf(out,
                  "%sset palette defined (0 '#2d1160', 0.25 '#721f81', 0.5 '#b73779', 0.75 "
                  "'#f1605d', 1 '#fcfdbf')\n",
                  indent);
}
