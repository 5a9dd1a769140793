/*
 * plot.h - figures, drawn by gnuplot from files that are kept beside the picture.
 *
 * il_figure_draw writes DIR/NAME.dat (the data), DIR/NAME.gp (the script; `gnuplot NAME.gp` in that
 * folder redraws everything by hand) and, by `gnuplot -d`, DIR/NAME.pdf, .svg and .png. All are
 * renamed into place only after gnuplot succeeded without a message. DIR/NAME.json describes the
 * figure for reports.
 */
#ifndef IL_PLOT_H
#define IL_PLOT_H

#include <stddef.h>

#include "harness/base/status.h"
#include "harness/draw/figure.h"

typedef struct {
    size_t dropped;    /* finite points that a logarithmic axis could not show (also said in the
                          caption) */
    size_t not_finite; /* points with a NaN or an infinity: breaks in lines, on any axis */
    char message[256]; /* empty, or what a reader should know */
} il_figure_report;

/* Draw. IL_EINVAL for a bad name or no points, IL_EIO when a file cannot be written (nothing is
 * left half-written), IL_EPLOT when gnuplot is missing, fails or complains; err says which. report
 * may be NULL. The environment variable IMPACTLAB_GNUPLOT names another program to run. */
il_status il_figure_draw(const il_figure *figure, const char *dir, il_figure_report *report,
                         il_error *err);

#endif
