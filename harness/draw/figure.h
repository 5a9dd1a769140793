/*
 * figure.h - the description of a figure: panels with axes, series of points. plot.h draws it.
 */
#ifndef IL_FIGURE_H
#define IL_FIGURE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/draw/section.h"

typedef enum {
    IL_LINES,
    IL_POINTS,
    IL_LINESPOINTS,
    IL_STEPS, /* y[k] holds from x[k] to x[k+1]; drawn without vertical joins */
    IL_IMPULSES,
    IL_DASHES,
    IL_UNDERLAY, /* a broad pale line, to lie beneath others: exact solutions */
    IL_FILLED,   /* area between y and zero */
    IL_DISCS,    /* discs to scale: centres, radii, and values that colour them */
    IL_ARROWS,   /* from each point of even index to the one after it */
    IL_TEXTS     /* a text beside each point */
} il_style;

typedef struct {
    const char *label; /* NULL: no entry in the legend */
    il_style style;
    const char *color; /* "#rrggbb"; NULL: next of a palette that survives grey print */
    double width;      /* line width; 0: the style's own, broader where other lines cover it */
    size_t n;
    const double *x, *y;     /* [n]; a NaN in y breaks the line */
    const double *radius;    /* [n] discs: radii, in the units of the axes; else NULL */
    const double *value;     /* [n] discs: what colours them; NULL: color does */
    const char *const *text; /* [n] texts: what stands beside the points, or ""; of other styles
                                too, or NULL */
} il_series;

typedef struct {
    const char *title; /* NULL: none */
    const char *xlabel, *ylabel;
    bool logx, logy;
    double xmin, xmax, ymin, ymax; /* NaN: automatic */
    const char *key;               /* the legend: "top left", "center right", ..., "outside" (above
                                      the frame), "off", or "auto": the first corner or side under
                                      which nothing is drawn, else outside; NULL: "auto" */
    bool equal;                    /* same scale on both axes */
    const char *colorlabel;        /* what the values of discs are; NULL: no colour bar */
    double cmin, cmax; /* range of the colours, cmin < cmax; both 0: that of the values */
    size_t nseries;
    const il_series *series;
} il_panel;

/* A text of a figure, and what LaTeX is to set in its place. */
typedef struct {
    const char *text, *tex;
} il_figure_tex;

typedef struct {
    const char *name;     /* file name without extension: il_text_is_file_name */
    const char *caption;  /* for reports */
    double width, height; /* centimetres; 0: 15 and a height that suits the panels */
    bool fixed;           /* they are a journal's: refused where a legend has no room in them */
    size_t columns;       /* panels a row; 0: 1 */
    size_t npanels;
    const il_panel *panels;
    int order;                 /* place in its section of the report; 0: by name */
    const il_section *section; /* NULL: none */
    const json_t *origin;      /* what it was made from, for its manifest; NULL: unknown */
    bool tex; /* also NAME-tex.tex with NAME-tex.pdf, whose texts a paper's LaTeX sets */
    size_t nspelt;
    const il_figure_tex *spelt; /* [nspelt] texts that LaTeX spells otherwise */
} il_figure;

#endif
