/*
 * plot_tex.h - texts of a figure for LaTeX. Between harness/draw/plot*.c only.
 */
#ifndef IL_PLOT_TEX_H
#define IL_PLOT_TEX_H

#include <stdio.h>

#include "harness/draw/figure.h"

/* Write text as a string of gnuplot's, its quotes included, that LaTeX sets as it stands: what it
 * reads as commands is escaped, exponents and signs that its fonts lack become mathematics. A text
 * that the figure spells otherwise is written so. figure may be NULL. */
void il_plot_put_tex(FILE *out, const il_figure *figure, const char *text);

#endif
