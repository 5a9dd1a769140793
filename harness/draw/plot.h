/*
 * plot.h - figures, drawn by gnuplot from files that stay beside the picture. Nobody who asks for
 * one needs to know gnuplot.
 *
 * il_figure_draw writes DIR/NAME.dat (the data), DIR/NAME.gp (the script; `gnuplot NAME.gp` in that
 * folder redraws everything by hand) and, through a pipe to `gnuplot -d`, DIR/NAME.pdf, .svg and
 * .png; each output is renamed into place only when gnuplot's exit status, its error text and the
 * size of the file say that it was drawn. DIR/NAME.json says what it is, for reports.
 */
#ifndef IL_PLOT_H
#define IL_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"

typedef enum {
    IL_LINES,
    IL_POINTS,
    IL_LINESPOINTS,
    IL_STEPS, /* y[k] holds from x[k] to x[k+1]; drawn without vertical joins */
    IL_IMPULSES,
    IL_DASHES,
    IL_UNDERLAY, /* a broad pale line, to lie beneath others: exact solutions */
    IL_FILLED,   /* area between y and zero */
    IL_DISCS     /* discs to scale: centres, radii, and values that colour them */
} il_style;

typedef struct {
    const char *label; /* NULL: no entry in the legend */
    il_style style;
    const char *color; /* "#rrggbb"; NULL: next of a palette that survives grey print */
    double width;      /* line width; 0: the style's own, broader where other lines cover it */
    size_t n;
    const double *x, *y;  /* [n]; a NaN in y breaks the line */
    const double *radius; /* [n] discs: radii, in the units of the axes; else NULL */
    const double *value;  /* [n] discs: what colours them; NULL: color does */
} il_series;

typedef struct {
    const char *title; /* NULL: none */
    const char *xlabel, *ylabel;
    bool logx, logy;
    double xmin, xmax, ymin, ymax; /* NaN: automatic */
    const char *key;               /* the legend: "top left", "center right", ..., "outside" (above
                                      the frame), "off", or "auto": the first corner under which
                                      nothing is drawn, else outside; NULL: top right */
    bool equal;                    /* same scale on both axes */
    const char *colorlabel;        /* what the values of discs are; NULL: no colour bar */
    double cmin, cmax; /* range of the colours, cmin < cmax; both 0: that of the values */
    size_t nseries;
    const il_series *series;
} il_panel;

typedef struct {
    const char *name;     /* file name without extension: il_text_is_file_name */
    const char *caption;  /* for reports */
    double width, height; /* centimetres; 0: 15 and a height that suits the panels */
    size_t columns;       /* panels a row; 0: 1 */
    size_t npanels;
    const il_panel *panels;
    int order; /* place in the report; 0: by name */
} il_figure;

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
