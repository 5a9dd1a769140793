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
 * caller, after a failure too. IL_ENOMEM. */
il_status il_plot_script_make(const il_plot_data *data, char **script, size_t *size, il_error *err);

/* A text stands so many letters beside its point, and lines above it. */
#define IL_TEXT_ASIDE 0.7
#define IL_TEXT_ABOVE 0.5

/* Its lines for the axis `name`, 'x' or 'y': scale, range and tics, those of LaTeX too if tex
 * (plot_tics.c). */
void il_plot_put_axis(FILE *out, char name, const il_plot_axis *axis, bool tex);

/* Where the legend of a panel of width x height cm goes: the panel's key, with "auto" made out
 * (plot_legend.c). Lives as long as the panel. */
const char *il_plot_legend_place(const il_plot_view *view, double width, double height);

#endif
