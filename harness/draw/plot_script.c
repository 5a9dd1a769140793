/*
 * plot_script.c - the gnuplot script of a figure.
 *
 * Every setting is written out, none is left to gnuplot's defaults. Text from outside is put in
 * single quotes into variables at the head of the script, never inside braces and never in double
 * quotes, so no label is ever a command. Each curve's legend entry is drawn apart from the curve.
 * The style of a curve is chosen in plot_style.c.
 */
#include "harness/draw/plot_parts.h"

#include <math.h>
#include <string.h>

enum { DPI = 200 }; /* of the PNG */

static const double CM_PER_INCH = 2.54;
static const double WIDTH = 15.0; /* cm */
/* Height of a panel over its width, where the data leave it open. */
static const double FLAT = 0.58;
/* Where panels share a colour bar, cm: for the names of the axes, a title, the bar with its own. */
static const double SIDE = 1.7;
static const double FOOT = 1.3;
static const double HEAD = 0.8;
static const double BAR = 2.3; /* with numbers of five letters */
static const double GAP = 0.4;

static const double DOT = 2e-4; /* of the range: a tenth of a line's width or less */

/* ---- sizes ---------------------------------------------------------------------------------- */

typedef struct {
    size_t columns, rows;
    double width, height; /* cm, of the figure */
    double bar;           /* cm, of the bar of colours beside all panels; 0: there is none */
    size_t legend;        /* lines of a legend above all panels; 0: there is none */
} layout;

static double aspect(const il_plot_view *v) {
    return (v->y.hi - v->y.lo) / (v->x.hi - v->x.lo);
}

/* Whether both axes get the same scale: gnuplot refuses extreme shapes. */
static bool keeps_scale(const il_plot_view *v) {
    const il_panel *p = v->panel;
    return p->equal && !p->logx && !p->logy && aspect(v) < 100.0 && aspect(v) > 0.01;
}

static bool has_values(const il_panel *p) {
    for (size_t k = 0; k < p->nseries; k++) {
        if (p->series[k].style == IL_DISCS && p->series[k].value != NULL) {
            return true;
        }
    }
    return false;
}

/* Whether one colour bar beside all panels serves them: equal scales, one range, one label. */
static bool shares_bar(const il_plot_data *data) {
    const il_panel *first = data->views[0].panel;
    for (size_t k = 0; k < data->figure->npanels; k++) {
        const il_panel *p = data->views[k].panel;
        if (!keeps_scale(&data->views[k]) || !has_values(p) || p->colorlabel == NULL ||
            !(p->cmin < p->cmax) || p->cmin != first->cmin || p->cmax != first->cmax ||
            strcmp(p->colorlabel, first->colorlabel) != 0) {
            return false;
        }
    }
    return data->figure->npanels > 1;
}

static const char *legend_of(const il_plot_data *data, const layout *l, size_t k) {
    return il_plot_legend_place(&data->views[k], l->width / (double)l->columns,
                                l->height / (double)l->rows);
}

/* If one of several panels has a legend, which has no place in it, and the others have none, it
 * serves all and stands above them, so that all keep one size: how many lines it has. */
static size_t shared_legend(const il_plot_data *data, const layout *l) {
    size_t lines = 0;
    size_t outside = 0;
    for (size_t k = 0; k < data->figure->npanels; k++) {
        const char *place = legend_of(data, l, k);
        if (strcmp(place, "outside") == 0) {
            outside++;
            lines = il_plot_legend_lines(data->views[k].panel, l->width);
        } else if (strcmp(place, "off") != 0) {
            return 0;
        }
    }
    return outside == 1 && data->figure->npanels > 1 && !(l->bar > 0.0) ? lines : 0;
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
    l.bar = shares_bar(data) ? BAR : 0.0;
    l.height = f->height > 0.0 ? f->height : fmin(tallest * (double)l.rows, 100.0);
    l.legend = shared_legend(data, &l);
    return l;
}

/* ---- curves --------------------------------------------------------------------------------- */

/* `using`: what a logarithmic axis cannot show becomes NaN, which breaks the line. A step shorter
 * than a dot would not be drawn at all, though it may be a percussion: it is drawn as a dot. */
static void put_using(FILE *out, const il_plot_view *v, il_style style) {
    const char *x = v->x.log ? "($1>0?$1:NaN)" : "1";
    const char *y = v->y.log ? "($2>0?$2:NaN)" : "2";
    (void)fprintf(out, "using %s:%s", x, y);
    if (style == IL_DISCS || style == IL_ARROWS) {
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
        il_plot_put_style(out, v, k, false);
        (void)fputs(" notitle", out);
        *glue = next;
    }
    if (c->series->label != NULL && c->series->label[0] != '\0') {
        (void)fprintf(out, "%skeyentry with ", *glue);
        il_plot_put_style(out, v, k, true);
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
static void put_key(FILE *out, const char *place, size_t panel, size_t shared, bool tex) {
    if (strcmp(place, "off") == 0) {
        (void)fputs("    set key off\n", out);
    } else if (shared > 0) {
        (void)fprintf(out,
                      "    set key on at screen 0.5,screen 0.995 center top vertical maxrows %zu "
                      "Left reverse noopaque\n    set key title ''\n",
                      shared);
    } else if (strcmp(place, "outside") == 0) {
        (void)fprintf(out,
                      "    set key on tmargin center horizontal Left reverse noopaque\n"
                      "    set key title title%zu noenhanced\n    set title ''\n",
                      panel + 1);
        /* gnuplot does not know how wide LaTeX's texts are */
        (void)fputs(tex ? "    if (format eq 'tex') { set key vertical maxcols 1 }\n" : "", out);
    } else {
        (void)fprintf(
            out, "    set key on inside %s vertical Left reverse opaque\n    set key title ''\n",
            place);
    }
}

/* The colour bar of discs. */
static void put_colors(FILE *out, const il_panel *p, size_t k, const layout *l) {
    if (!has_values(p)) {
        (void)fputs("    unset colorbox\n", out);
        return;
    }
    il_plot_put_palette(out, "    ");
    if (p->cmin < p->cmax) {
        (void)fprintf(out, "    set cbrange [%.17g:%.17g]\n", p->cmin, p->cmax);
        il_plot_put_bar_tics(out, p->cmin, p->cmax);
    }
    if (p->colorlabel == NULL || (l->bar > 0.0 && k > 0)) {
        (void)fputs("    unset colorbox\n", out);
    } else if (l->bar > 0.0) {
        (void)fprintf(out,
                      "    set colorbox vertical user origin screen %.3f,0.25 size screen "
                      "0.02,0.5\n    set cblabel colorlabel1 noenhanced\n",
                      1.0 - l->bar / l->width);
    } else {
        (void)fprintf(
            out, "    set colorbox\n    set cblabel colorlabel%zu noenhanced\n    set rmargin 12\n",
            k + 1);
    }
}

/* The texts of panel k, beside their points: what each says stands in a variable. */
static void put_labels(FILE *out, const il_plot_view *v, size_t k) {
    for (size_t i = 0; i < v->panel->nseries; i++) {
        const il_series *s = &v->panel->series[i];
        for (size_t j = 0; s->text != NULL && j < s->n; j++) {
            if (s->text[j][0] != '\0' && il_plot_can_show(v->panel, s->x[j], s->y[j])) {
                (void)fprintf(out,
                              "    set label text%zu_%zu_%zu at first %.17g,%.17g left offset "
                              "character %g,%g front noenhanced textcolor rgb '%s'\n",
                              k + 1, i + 1, j + 1, s->x[j], s->y[j], IL_TEXT_ASIDE, IL_TEXT_ABOVE,
                              s->color != NULL ? s->color : "#000000");
            }
        }
    }
}

static void put_panel(FILE *out, const il_plot_data *data, const layout *l, size_t k) {
    const il_plot_view *v = &data->views[k];
    (void)fputs("\n    unset logscale\n    set autoscale\n    unset label\n", out);
    put_labels(out, v, k);
    (void)fprintf(out,
                  "    set title title%zu noenhanced\n    set xlabel xlabel%zu noenhanced\n    set "
                  "ylabel ylabel%zu noenhanced\n",
                  k + 1, k + 1, k + 1);
    double letter = il_plot_letter(l->width / (double)l->columns);
    double line = il_plot_line(l->height / (double)l->rows);
    il_plot_put_axis(out, 'x', &v->x, letter, 0.0, data->figure->tex);
    il_plot_put_axis(out, 'y', &v->y, 0.0, line, data->figure->tex);
    put_key(out, legend_of(data, l, k), k, l->legend, data->figure->tex);
    (void)fputs(keeps_scale(v) ? "    set size ratio -1\n" : "    set size noratio\n", out);
    put_colors(out, v->panel, k, l);
    put_plot(out, data->figure->name, v, k);
}

/* ---- texts ---------------------------------------------------------------------------------- */

/* A string of gnuplot's, of LaTeX's where tex is the figure. Single quotes stand apart as "'",
 * joined by dots: gnuplot misreads doubled quotes when several follow one another. Control
 * characters become blanks. */
static void put_string(FILE *out, const il_figure *tex, const char *text) {
    if (tex != NULL) {
        (void)fputs(" = ", out);
        il_plot_put_tex(out, tex, text);
        (void)fputc('\n', out);
        return;
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

static void put_texts(FILE *out, const il_plot_data *data, const il_figure *tex) {
    for (size_t k = 0; k < data->figure->npanels; k++) {
        const il_panel *p = data->views[k].panel;
        (void)fprintf(out, "title%zu", k + 1);
        put_string(out, tex, p->title);
        (void)fprintf(out, "xlabel%zu", k + 1);
        put_string(out, tex, p->xlabel);
        (void)fprintf(out, "ylabel%zu", k + 1);
        put_string(out, tex, p->ylabel);
        if (p->colorlabel != NULL) {
            (void)fprintf(out, "colorlabel%zu", k + 1);
            put_string(out, tex, p->colorlabel);
        }
        for (size_t i = 0; i < p->nseries; i++) {
            if (p->series[i].label != NULL && p->series[i].label[0] != '\0') {
                (void)fprintf(out, "label%zu_%zu", k + 1, i + 1);
                put_string(out, tex, p->series[i].label);
            }
            for (size_t j = 0; p->series[i].text != NULL && j < p->series[i].n; j++) {
                if (p->series[i].text[j][0] != '\0') {
                    (void)fprintf(out, "text%zu_%zu_%zu", k + 1, i + 1, j + 1);
                    put_string(out, tex, p->series[i].text[j]);
                }
            }
        }
    }
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* Last in the loop: its texts replace the others. */
static void put_tex_terminal(FILE *out, const il_plot_data *data, const layout *l) {
    if (data->figure->tex) {
        (void)fprintf(out,
                      "    if (format eq 'tex') {\n"
                      "        set terminal cairolatex pdf input color rounded linewidth 2 size "
                      "%gcm,%gcm\n"
                      "        unset minussign\n",
                      l->width, l->height);
        put_texts(out, data, data->figure);
        (void)fputs("    }\n", out);
    }
}

/* Lines are measured in points in all three formats, text is 9 pt (cairo counts letters at 96 dots
 * an inch, svg in pixels of 1/96 inch). */
static void put_terminals(FILE *out, const il_plot_data *data, const layout *l) {
    double wi = l->width / CM_PER_INCH;
    double hi = l->height / CM_PER_INCH;
    (void)fprintf(out,
                  "    if (format eq 'pdf') {\n"
                  "        set terminal pdfcairo color rounded font 'Sans,9' fontscale "
                  "0.75 linewidth 2 size %gcm,%gcm\n"
                  "    }\n",
                  l->width, l->height);
    (void)fprintf(out,
                  "    if (format eq 'svg') {\n"
                  "        set terminal svg rounded font 'Sans,12' linewidth 1.333 "
                  "size %.0f,%.0f background '#ffffff'\n"
                  "    }\n",
                  96.0 * wi, 96.0 * hi);
    (void)fprintf(out,
                  "    if (format eq 'png') {\n"
                  "        set terminal pngcairo color rounded font 'Sans,9' fontscale "
                  "%.4g linewidth %.4g pointscale %.4g size %.0f,%.0f background '#ffffff'\n"
                  "    }\n",
                  DPI / 96.0, DPI / 72.0, DPI / 72.0, DPI * wi, DPI * hi);
    put_tex_terminal(out, data, l);
    /* svg leaves more between lines; a legend has one size, so that it hides nothing in any. */
    (void)fputs("    set key spacing (format eq 'svg' ? 0.8 : 1.05)\n", out);
}

static void put_head(FILE *out, const il_plot_data *data) {
    const char *name = data->figure->name;
    (void)fprintf(out, "# `gnuplot %s.gp` in this folder draws %s.pdf, %s.svg and %s.png.\n", name,
                  name, name, name);
    (void)fputs("\nset encoding utf8\n"
                "set minussign\n"
                "set clip two\n"
                "set border 3 lw 0.7 lc rgb '#404040'\n"
                "set tics out nomirror scale 0.6,0.3\n"
                "set grid lt 1 lc rgb '#e4e4e4' lw 0.5 dt solid\n"
                "set key noenhanced samplen 2.2\n",
                out);
    il_plot_put_power(out);
    (void)fputc('\n', out);
}

/* Of a multiplot with one colour bar: room for it on the right and for the axes' names between the
 * panels. */
static void put_margins(FILE *out, const layout *l) {
    (void)fprintf(out, " margins screen %.3f,%.3f,%.3f,%.3f spacing screen %.3f,%.3f",
                  SIDE / l->width, 1.0 - (l->bar + GAP) / l->width, FOOT / l->height,
                  1.0 - HEAD / l->height, SIDE / l->width, (FOOT + HEAD) / l->height);
    /* svg's lines are higher: titles and names would leave that room */
    (void)fputs("\n    set title offset 0,(format eq 'svg' ? -0.45 : 0)"
                "\n    set xlabel offset 0,(format eq 'svg' ? 0.6 : 0)"
                "\n    set cblabel offset (format eq 'svg' ? -0.8 : 0),0",
                out);
}

void il_plot_put_script(FILE *out, const il_plot_data *data) {
    layout l = lay_out(data);
    bool several = data->figure->npanels > 1;
    put_head(out, data);
    put_texts(out, data, NULL);
    (void)fprintf(out, "\ndo for [format in 'pdf svg png%s'] {\n", data->figure->tex ? " tex" : "");
    put_terminals(out, data, &l);
    (void)fprintf(out, "    set output '%s%s.'.format\n", data->figure->name,
                  data->figure->tex ? "'.(format eq 'tex' ? '-tex' : '').'" : "");
    if (several) {
        (void)fprintf(out, "    set multiplot layout %zu,%zu", l.rows, l.columns);
    }
    if (l.legend > 0) { /* room for it above the panels */
        (void)fputs(" title \" ", out);
        for (size_t k = 1; k < l.legend; k++) {
            (void)fputs("\\n", out);
        }
        (void)fputs("\"", out);
    }
    if (l.bar > 0.0) {
        put_margins(out, &l);
    }
    (void)fputs(several ? "\n" : "", out);
    if (l.rows > 1 && !(l.bar > 0.0)) {
        (void)fputs("    set lmargin 10\n    set rmargin 2\n", out);
    }
    for (size_t k = 0; k < data->figure->npanels; k++) {
        put_panel(out, data, &l, k);
    }
    (void)fputs(several ? "\n    unset multiplot\n" : "\n", out);
    (void)fputs("    set output\n}\n", out);
}

/* A size that is given cannot grow if a legend would cover what it explains. */
il_status il_plot_expect_room(const il_plot_data *data, il_error *err) {
    const il_figure *f = data->figure;
    layout l = lay_out(data);
    double wide = l.width / (double)l.columns;
    double high = l.height / (double)l.rows;
    for (size_t k = 0; f->fixed && k < f->npanels; k++) {
        double least_wide = 0.0;
        double least_high = 0.0;
        if (!il_plot_legend_fits(&data->views[k], wide, high, f->tex, &least_wide, &least_high)) {
            return il_fail(err, IL_EINVAL,
                           "figure '%s' has %g x %g mm, and its panel %zu no room for its legend; "
                           "allowed: at least %.0f x %.0f mm for %zu panel%s a row, fewer or "
                           "shorter labels, or the key \"off\"",
                           f->name, 10.0 * l.width, 10.0 * l.height, k + 1,
                           ceil(10.0 * (double)l.columns * fmax(wide, least_wide)),
                           ceil(10.0 * (double)l.rows * fmax(high, least_high)), l.columns,
                           l.columns == 1 ? "" : "s");
        }
    }
    return IL_OK;
}
