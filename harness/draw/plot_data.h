/*
 * plot_data.h - a figure's points: which can be shown, which are drawn, how far they reach, and the
 * data file that holds them. Between harness/draw/plot*.c only.
 */
#ifndef IL_PLOT_DATA_H
#define IL_PLOT_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/base/status.h"
#include "harness/draw/figure.h"

typedef struct {
    double lo, hi; /* what the axis shows, lo < hi */
    bool log;
    bool binary; /* all values are powers of two */
} il_plot_axis;

typedef struct {
    const il_series *series;
    size_t shown;   /* points that the axes can show */
    size_t block;   /* block of the data file that is drawn */
    size_t npicked; /* points of a long series that are drawn; 0: all */
    size_t *picked; /* [npicked] increasing */
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

/* Look at every point of a figure that has been checked. data borrows figure until
 * il_plot_data_free, which is needed after a failure too. IL_EINVAL when there is no point to
 * show. */
il_status il_plot_data_make(il_plot_data *data, const il_figure *figure, il_error *err);

/* Free what data owns and leave it empty. */
void il_plot_data_free(il_plot_data *data);

/* Whether the panel's axes can show the point: both are finite, positive where the axis is
 * logarithmic, and not so near the ends of the doubles that gnuplot's arithmetic overflows. */
bool il_plot_can_show(const il_panel *panel, double x, double y);

/* Write the data file: for each series that has points one block of all of them, with 17 digits,
 * and after a long one a second block of those that are drawn. Errors stay with the stream. */
void il_plot_data_put(const il_plot_data *data, FILE *out);

#endif
