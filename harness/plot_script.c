/*
 * plot_script.c - the text that tells gnuplot what to draw.
 *
 * Everything that gnuplot could guess is written out. Text from outside stands in single quotes in
 * variables at the head of the script, never inside braces and never in double quotes, so that no
 * label is ever a command. Each curve's legend entry is drawn apart from the curve.
 *
 * Series that agree must all be seen: their marks lie one inside another, and a line that others
 * cover is drawn broader beneath them, unless it was given a width.
 */
#include "harness/plot_script.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DPI = 200 }; /* of the PNG */

static const double CM_PER_INCH = 2.54;
static const double WIDTH = 15.0; /* cm */
static const double FLAT =
    0.58;                       /* height of a panel over its width, where the data leave it open */
static const double DOT = 2e-4; /* of the range: a tenth of a line's width or less */

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
    LOOKS = 33 /* points at which two lines are compared */
};

static const double NEAR = 0.005;  /* of the axis: a tenth of a centimetre or less */
static const double BROADER = 1.1; /* of a line's width, for each line that covers it */

/* ---- sizes ---------------------------------------------------------------------------------- */

typedef struct {
    size_t columns, rows;
    double width, height; /* cm, of the figure */
} layout;

static double aspect(const il_plot_view *v) {
    return (v->y.hi - v->y.lo) / (v->x.hi - v->x.lo);
}

/* Whether both axes get the same scale: gnuplot refuses extreme shapes. */
static bool keeps_scale(const il_plot_view *v) {
    const il_panel *p = v->panel;
    return p->equal && !p->logx && !p->logy && aspect(v) < 100.0 && aspect(v) > 0.01;
}

static layout lay_out(const il_plot_data *data) {
    const il_figure *f = data->figure;
    layout l = {.columns = f->columns > 0 ? f->columns : 1,
                .width = f->width > 0.0 ? f->width : WIDTH};
    l.columns = l.columns < f->npanels ? l.columns : f->npanels;
    l.rows = (f->npanels + l.columns - 1) / l.columns;
    double each = l.width / (double)l.columns;
    double tallest = 0.0;
    for (size_t k = 0; k < f->npanels; k++) {
        const il_plot_view *v = &data->views[k];
        double height = 1.8 + (each - 2.2) * (keeps_scale(v) ? aspect(v) : FLAT);
        if (!keeps_scale(v) && l.columns == 1 && l.rows > 1) {
            height = 5.6; /* panels above one another are read along one time axis */
        }
        tallest = fmax(tallest, fmin(fmax(height, 4.0), 1.3 * each));
    }
    l.height = f->height > 0.0 ? f->height : fmin(tallest * (double)l.rows, 100.0);
    return l;
}

/* ---- styles --------------------------------------------------------------------------------- */

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

/* The series whose look series k has: a series without a label goes on with that of the first of
 * its kind and colour (the second coordinate of a body, say). */
static size_t lead_of(const il_panel *p, size_t k, bool (*kind)(const il_series *s)) {
    for (size_t i = 0; i < k && p->series[k].label == NULL; i++) {
        if (kind(&p->series[i]) && same_color(p->series[i].color, p->series[k].color)) {
            return i;
        }
    }
    return k;
}

/* How many looks of a kind the first n series of the panel have. */
static size_t count_looks(const il_panel *p, size_t n, bool (*kind)(const il_series *s)) {
    size_t looks = 0;
    for (size_t i = 0; i < n; i++) {
        looks += kind(&p->series[i]) && lead_of(p, i, kind) == i;
    }
    return looks;
}

static mark mark_of(const il_panel *p, size_t k) {
    bool alone = count_looks(p, p->nseries, has_marks) == 1;
    return alone ? DOT_MARK : MARK[count_looks(p, lead_of(p, k, has_marks), has_marks) % NMARK];
}

static const char *color_of(const il_series *s, size_t rank) {
    if (s->color != NULL) {
        return s->color;
    }
    return s->style == IL_UNDERLAY ? PALE : PALETTE[rank % NPALETTE];
}

/* NULL: the style has no dashes. */
static const char *dash_of(const il_panel *p, size_t k) {
    size_t rank = rank_of(p, k);
    switch (p->series[k].style) {
    case IL_LINES:
    case IL_LINESPOINTS:
    case IL_STEPS:
        return p->series[k].color != NULL || rank < SOLID_LINES
                   ? "solid"
                   : DASH[(rank - SOLID_LINES) % NDASH];
    case IL_DASHES:
        return DASH[count_looks(p, lead_of(p, k, has_dashes), has_dashes) % NDASH];
    case IL_POINTS:
    case IL_IMPULSES:
    case IL_UNDERLAY:
    case IL_FILLED:
    case IL_DISCS:
        break;
    }
    return NULL;
}

static double point_size(size_t n) {
    return n <= 60 ? 0.6 : n <= 300 ? 0.45 : n <= 2000 ? 0.3 : 0.15;
}

static bool near(const il_plot_axis *a, double p, double q) {
    double apart = a->log ? log(p / q) / log(a->hi / a->lo) : (p - q) / (a->hi - a->lo);
    return fabs(apart) <= NEAR;
}

/* Whether two lines look the same over half of their length. */
static bool agree(const il_plot_view *v, const il_series *a, const il_series *b) {
    size_t same = 0;
    if (a->n != b->n || a->n < 2) {
        return false;
    }
    for (size_t look = 0; look < LOOKS; look++) {
        size_t i = look * (a->n - 1) / (LOOKS - 1);
        same += near(&v->x, a->x[i], b->x[i]) && near(&v->y, a->y[i], b->y[i]);
    }
    return 2 * same >= LOOKS;
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
static void put_style(FILE *out, const il_plot_view *v, size_t k, bool sample) {
    const il_series *s = v->curves[k].series;
    size_t rank = rank_of(v->panel, k);
    const char *color = color_of(s, rank);
    const char *dash = dash_of(v->panel, k);
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
        (void)fprintf(out, " lw %g fs solid 1 border lc rgb '#303030'", width_of(v, k));
        return;
    }
    if (has_marks(s)) {
        mark m = mark_of(v->panel, k);
        (void)fprintf(out, " pt %d ps %g", m.type,
                      m.size * (sample ? 0.6 : point_size(v->curves[k].shown)));
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

/* ---- curves --------------------------------------------------------------------------------- */

/* `using`: what a logarithmic axis cannot show becomes NaN, which breaks the line. A step shorter
 * than a dot would not be drawn at all, though it may be a percussion: it is drawn as a dot. */
static void put_using(FILE *out, const il_plot_view *v, il_style style) {
    const char *x = v->x.log ? "($1>0?$1:NaN)" : "1";
    const char *y = v->y.log ? "($2>0?$2:NaN)" : "2";
    (void)fprintf(out, "using %s:%s", x, y);
    if (style == IL_DISCS) {
        (void)fputs(":3:4", out);
    } else if (style == IL_STEPS && v->x.log) {
        (void)fputs(":($3-$1):(0)", out);
    } else if (style == IL_STEPS) {
        double dot = DOT * (v->x.hi - v->x.lo);
        (void)fprintf(out, ":($3>$1&&$3-$1<%.3g?%.3g:$3-$1):(0)", dot, dot);
    }
}

/* One curve, and its legend entry apart: the sample is then the same size whatever the data. */
static void put_curve(FILE *out, const char *name, const il_plot_view *v, size_t panel, size_t k,
                      const char **glue) {
    static const char next[] = ", \\\n         ";
    const il_plot_curve *c = &v->curves[k];
    if (c->shown > 0) {
        (void)fprintf(out, "%s'%s.dat' index %zu ", *glue, name, c->block);
        put_using(out, v, c->series->style);
        (void)fputs(" with ", out);
        put_style(out, v, k, false);
        (void)fputs(" notitle", out);
        *glue = next;
    }
    if (c->series->label != NULL && c->series->label[0] != '\0') {
        (void)fprintf(out, "%skeyentry with ", *glue);
        put_style(out, v, k, true);
        (void)fprintf(out, " title label%zu_%zu", panel + 1, k + 1);
        *glue = next;
    }
}

static void put_plot(FILE *out, const char *name, const il_plot_view *v, size_t panel) {
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

/* ---- panels --------------------------------------------------------------------------------- */

/* Above the panel the legend stands between the title and the frame, so the title is its own. */
static void put_key(FILE *out, const char *place, size_t panel) {
    if (strcmp(place, "off") == 0) {
        (void)fputs("    set key off\n", out);
    } else if (strcmp(place, "outside") == 0) {
        (void)fprintf(out,
                      "    set key on tmargin center horizontal Left reverse noopaque\n"
                      "    set key title title%zu\n    set title ''\n",
                      panel + 1);
    } else {
        (void)fprintf(
            out, "    set key on inside %s vertical Left reverse opaque\n    set key title ''\n",
            place);
    }
}

static bool has_values(const il_panel *p) {
    for (size_t k = 0; k < p->nseries; k++) {
        if (p->series[k].style == IL_DISCS && p->series[k].value != NULL) {
            return true;
        }
    }
    return false;
}

/* The colour bar of discs: dark for little, light for much, in print too. */
static void put_colors(FILE *out, const il_panel *p, size_t k) {
    if (!has_values(p)) {
        (void)fputs("    unset colorbox\n", out);
        return;
    }
    (void)fputs("    set palette defined (0 '#2d1160', 0.25 '#721f81', 0.5 '#b73779', 0.75 "
                "'#f1605d', 1 '#fcfdbf')\n",
                out);
    if (p->cmin < p->cmax) {
        (void)fprintf(out, "    set cbrange [%.17g:%.17g]\n", p->cmin, p->cmax);
    }
    if (p->colorlabel == NULL) {
        (void)fputs("    unset colorbox\n", out);
    } else {
        (void)fprintf(out, "    set colorbox\n    set cblabel colorlabel%zu\n    set rmargin 12\n",
                      k + 1);
    }
}

static void put_panel(FILE *out, const il_plot_data *data, const layout *l, size_t k) {
    const il_plot_view *v = &data->views[k];
    (void)fputs("\n    unset logscale\n    set autoscale\n", out);
    (void)fprintf(out,
                  "    set title title%zu\n    set xlabel xlabel%zu\n    set ylabel ylabel%zu\n",
                  k + 1, k + 1, k + 1);
    il_plot_put_axis(out, 'x', &v->x);
    il_plot_put_axis(out, 'y', &v->y);
    put_key(out,
            il_plot_legend_place(v, l->width / (double)l->columns, l->height / (double)l->rows), k);
    (void)fputs(keeps_scale(v) ? "    set size ratio -1\n" : "    set size noratio\n", out);
    put_colors(out, v->panel, k);
    put_plot(out, data->figure->name, v, k);
}

/* ---- texts ---------------------------------------------------------------------------------- */

/* A string of gnuplot's. Single quotes stand apart as "'", joined by dots: gnuplot misreads doubled
 * quotes when several follow one another. Control characters become blanks. */
static void put_string(FILE *out, const char *text) {
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

static void put_texts(FILE *out, const il_plot_data *data) {
    for (size_t k = 0; k < data->figure->npanels; k++) {
        const il_panel *p = data->views[k].panel;
        (void)fprintf(out, "title%zu", k + 1);
        put_string(out, p->title);
        (void)fprintf(out, "xlabel%zu", k + 1);
        put_string(out, p->xlabel);
        (void)fprintf(out, "ylabel%zu", k + 1);
        put_string(out, p->ylabel);
        if (p->colorlabel != NULL) {
            (void)fprintf(out, "colorlabel%zu", k + 1);
            put_string(out, p->colorlabel);
        }
        for (size_t i = 0; i < p->nseries; i++) {
            if (p->series[i].label != NULL && p->series[i].label[0] != '\0') {
                (void)fprintf(out, "label%zu_%zu", k + 1, i + 1);
                put_string(out, p->series[i].label);
            }
        }
    }
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* Lines are measured in points in all three formats, text is 9 pt (cairo counts letters at 96 dots
 * an inch, svg in pixels of 1/96 inch). */
static void put_terminals(FILE *out, const layout *l) {
    double wi = l->width / CM_PER_INCH;
    double hi = l->height / CM_PER_INCH;
    (void)fprintf(out,
                  "    if (format eq 'pdf') {\n"
                  "        set terminal pdfcairo noenhanced color rounded font 'Sans,9' fontscale "
                  "0.75 linewidth 2 size %gcm,%gcm\n"
                  "    }\n",
                  l->width, l->height);
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
    /* svg leaves more between lines; a legend has one size, so that it hides nothing in any. */
    (void)fputs("    set key spacing (format eq 'svg' ? 0.8 : 1.05)\n", out);
}

static void put_head(FILE *out, const il_plot_data *data) {
    const char *name = data->figure->name;
    (void)fprintf(out, "# `gnuplot %s.gp` in this folder draws %s.pdf, %s.svg and %s.png.\n", name,
                  name, name, name);
    for (size_t k = 0; k < data->figure->npanels; k++) {
        for (size_t i = 0; i < data->views[k].panel->nseries; i++) {
            const il_plot_curve *c = &data->views[k].curves[i];
            if (c->npicked > 0) {
                (void)fprintf(out,
                              "# Panel %zu, series %zu: block %zu of the data has %zu points; "
                              "drawn are %zu of them (block %zu),\n# the extremes of each "
                              "stretch.\n",
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
                "set key samplen 2.2\n\n",
                out);
}

static void put_script(FILE *out, const il_plot_data *data) {
    layout l = lay_out(data);
    bool several = data->figure->npanels > 1;
    put_head(out, data);
    put_texts(out, data);
    (void)fputs("\ndo for [format in 'pdf svg png'] {\n", out);
    put_terminals(out, &l);
    (void)fprintf(out, "    set output '%s.'.format\n", data->figure->name);
    if (several) {
        (void)fprintf(out, "    set multiplot layout %zu,%zu\n", l.rows, l.columns);
    }
    if (l.rows > 1) {
        (void)fputs("    set lmargin 10\n    set rmargin 2\n", out);
    }
    for (size_t k = 0; k < data->figure->npanels; k++) {
        put_panel(out, data, &l, k);
    }
    (void)fputs(several ? "\n    unset multiplot\n" : "\n", out);
    (void)fputs("    set output\n}\n", out);
}

il_status il_plot_script_make(const il_plot_data *data, char **script, size_t *size,
                              il_error *err) {
    *script = NULL;
    FILE *out = open_memstream(script, size);
    bool whole = out != NULL;
    if (whole) {
        put_script(out, data);
        whole = !ferror(out);
        whole = fclose(out) == 0 && whole;
    }
    return whole ? IL_OK
                 : il_fail(err, IL_ENOMEM, "no memory for the script of '%s'", data->figure->name);
}
