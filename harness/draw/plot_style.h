/*
 * plot_style.h - how curves look in gnuplot. Between harness/draw/plot*.c and harness/draw/movie.c
 * only.
 */
#ifndef IL_PLOT_STYLE_H
#define IL_PLOT_STYLE_H

#include <stdbool.h>
#include <stdio.h>

#include "harness/draw/plot_data.h"

/* What follows `with` for series k of the view: the curve itself, or its sample in the legend. */
void il_plot_put_style(FILE *out, const il_plot_view *view, size_t k, bool sample);

/* The line that sets the colours of values: dark for little, light for much, in print too. */
void il_plot_put_palette(FILE *out, const char *indent);

#endif
