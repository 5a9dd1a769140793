/*
 * plot_words.h - what a figure shows, in words for who cannot see it. Between harness/draw only.
 */
#ifndef IL_PLOT_WORDS_H
#define IL_PLOT_WORDS_H

#include "harness/draw/figure.h"

/* One sentence a panel: its title, what it has against what, on which scales, and the labels of its
 * curves. To be freed; NULL when memory is out. */
char *il_plot_words(const il_figure *figure);

#endif
