/*
 * plot_parts.h - shared by the files that make a figure: its points, and the script that draws
 * them. Used only in harness/draw.
 */
#ifndef IL_PLOT_PARTS_H
#define IL_PLOT_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/base/status.h"
#include "harness/draw/figure.h"

/* ---- what may be asked for (plot_check.c) ---------------------------------------------------- */

/* Names, texts, colors, keys, limits and lengths of the whole figure. IL_EINVAL names what is wrong
 * and what is allowed. */
il_status il_plot_check(const il_figure *figure, il_error *err);

/* ---- points (plot_data.c) -------------------------------------------------------------------- */

typedef struct {
    double lo, hi; /* what the axis shows, lo < hi */
    bool log;
    bool binary; /* all values are powers of two */
} il_plot_axis;

typedef struct {
    const il_series *series;
    size_t shown; /* points that the axes can show */
    size_t block; /* of the data file */
} il_plot_curve;

typedef struct {
    const il_panel *panel;
    il_plot_axis x, y;
    il_plot_curve *curves; /* [panel->nseries] */
} il_plot_view;

typedef struct {
    const il_figure *figure;
    il_plot_view *views; /* [figure->npanels] */
    size_t shown;        /* points, in all */
    size_t dropped;      /* finite points that a logarithmic axis cannot show */
    size_t not_finite;   /* points with a NaN or an infinity, which break lines */
} il_plot_data;

/* Scan every point of a figure that has been checked. data borrows figure until il_plot_data_free,
 * which is needed after a failure too. IL_EINVAL when there is no point to show. */
il_status il_plot_data_make(il_plot_data *data, const il_figure *figure, il_error *err);

/* Free what data owns and leave it empty. */
void il_plot_data_free(il_plot_data *data);

/* Whether the panel's axes can show the point: both are finite, positive where the axis is
 * logarithmic, and not so near the ends of the doubles that gnuplot's arithmetic overflows. */
bool il_plot_can_show(const il_panel *panel, double x, double y);

/* Write the data file: for each series that has points one block of all of them, with 17 digits.
 * Errors stay with the stream. */
void il_plot_data_put(const il_plot_data *data, FILE *out);

/* ---- the script (plot_script.c) -------------------------------------------------------------- */

/* IL_EINVAL if the figure's size is fixed and a legend has no room in it. */
il_status il_plot_expect_room(const il_plot_data *data, il_error *err);

/* The script that draws data from NAME.dat as NAME.pdf, .svg, .png, and NAME-tex.tex if asked for,
 * all in the folder where it runs. Errors stay with the stream. */
void il_plot_put_script(FILE *out, const il_plot_data *data);

/* A text stands so many letters beside its point, and lines above it. */
#define IL_TEXT_ASIDE 0.7
#define IL_TEXT_ABOVE 0.5

/* Its lines for the axis `name`, 'x' or 'y': scale, range and tics, those of LaTeX too if tex.
 * letter: the width of a letter as a part of the axis, 0 where numbers stand above one another;
 * line: the height of a line of them there, else 0 (plot_tics.c). And the function that spells
 * numbers with a power of ten. */
void il_plot_put_axis(FILE *out, char name, const il_plot_axis *axis, double letter, double line,
                      bool tex);
void il_plot_put_power(FILE *out);

/* The colour bar's tics from lo to hi. */
void il_plot_put_bar_tics(FILE *out, double lo, double hi);

/* The width of a letter as a part of the frame of a panel that is width cm wide (plot_legend.c). */
double il_plot_letter(double width);

/* The height of a line of text as a part of the frame of a panel that is height cm high. */
double il_plot_line(double height);

/* Where the legend of a panel of width x height cm goes: the panel's key, with "auto" made out
 * (plot_legend.c). Lives as long as the panel. */
const char *il_plot_legend_place(const il_plot_view *view, double width, double height);

/* The lines of the panel's legend where a line is width cm long. */
size_t il_plot_legend_lines(const il_panel *panel, double width);

/* Has the panel of width x height cm room for its legend above the frame, if it goes there? If not,
 * *least_width and *least_height are what it needs. single: an entry a line, as in LaTeX. */
bool il_plot_legend_fits(const il_plot_view *view, double width, double height, bool single,
                         double *least_width, double *least_height);

/* ---- appearance (plot_style.c) --------------------------------------------------------------- */

/* What follows `with` for series k of the view: the curve itself, or its sample in the legend. */
void il_plot_put_style(FILE *out, const il_plot_view *view, size_t k, bool sample);

/* The line that sets the colours of values: dark for little, light for much, in print too. */
void il_plot_put_palette(FILE *out, const char *indent);

/* ---- LaTeX (plot_tex.c) ---------------------------------------------------------------------- */

/* Write text as a string of gnuplot's, its quotes included, that LaTeX sets as it stands: what it
 * reads as commands is escaped, exponents and signs that its fonts lack become mathematics. A text
 * that the figure spells otherwise is written so. figure may be NULL. */
void il_plot_put_tex(FILE *out, const il_figure *figure, const char *text);

#endif
