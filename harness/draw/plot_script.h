/*
 * plot_script.h - the text that tells gnuplot what to draw. Between harness/draw/plot*.c only.
 */
#ifndef IL_PLOT_SCRIPT_H
#define IL_PLOT_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/base/status.h"
#include "harness/draw/plot_data.h"

/* The script that draws data from NAME.dat as NAME.pdf, .svg, .png, and NAME-tex.tex if asked for,
 * all in the folder where it runs. *script receives its *size bytes and a NUL, to be freed by the
 * caller, after a failure too. IL_EINVAL where a legend has no room in a size that is fixed;
 * IL_ENOMEM. */
il_status il_plot_script_make(const il_plot_data *data, char **script, size_t *size, il_error *err);

/* A text stands so many letters beside its point, and lines above it. */
#define IL_TEXT_ASIDE 0.7
#define IL_TEXT_ABOVE 0.5

/* Its lines for the axis `name`, 'x' or 'y': scale, range and tics, those of LaTeX too if tex.
 * letter: the width of a letter as a part of the axis, 0 where numbers stand above one another
 * (plot_tics.c). */
void il_plot_put_axis(FILE *out, char name, const il_plot_axis *axis, double letter, bool tex);

/* The colour bar's from lo to hi, and how many letters its longest number has. */
void il_plot_put_bar_tics(FILE *out, double lo, double hi);
size_t il_plot_bar_letters(double lo, double hi);

/* The width of a letter as a part of the frame of a panel that is width cm wide (plot_legend.c). */
double il_plot_letter(double width);

/* Where the legend of a panel of width x height cm goes: the panel's key, with "auto" made out
 * (plot_legend.c). Lives as long as the panel. */
const char *il_plot_legend_place(const il_plot_view *view, double width, double height);

/* Has the panel of width x height cm room for its legend above the frame, if it goes there? If not,
 * *least_width and *least_height are what it needs. single: an entry a line, as in LaTeX. */
bool il_plot_legend_fits(const il_plot_view *view, double width, double height, bool single,
                         double *least_width, double *least_height);

#endif
