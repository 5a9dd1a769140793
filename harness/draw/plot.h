/*
 * plot.h - a figure's files, drawn by gnuplot from a script and data that are kept beside the
 * picture (harness/lua/library/plot.lua writes them).
 */
#ifndef IL_PLOT_H
#define IL_PLOT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"
#include "harness/draw/section.h"

typedef struct {
    const char *name;    /* of its files: il_text_is_file_name */
    const char *caption; /* for reports */
    const char *shows;   /* in words */
    const char *script;  /* draws NAME.pdf, .svg, .png from NAME.dat where it runs */
    const char *data;    /* [size] bytes of NAME.dat */
    size_t size;
    bool tex;                   /* also NAME-tex.tex with NAME-tex.pdf, whose texts LaTeX sets */
    size_t dropped, not_finite; /* points that a logarithmic axis, that no axis could show */
    int order;                  /* place in its section of the report; 0: by name */
    const il_section *section;  /* NULL: none */
    const json_t *origin;       /* what it was made from, for its manifest; NULL: unknown */
} il_figure;

/* Write DIR/NAME.dat, DIR/NAME.gp (`gnuplot NAME.gp` in that folder redraws everything by hand)
 * and, by `gnuplot -d`, the pictures. All are renamed into place only after gnuplot succeeded
 * without a message. DIR/NAME.json describes the figure for reports.
 *
 * IL_EIO when a file cannot be written (nothing is left half-written), IL_EPLOT when gnuplot is
 * missing, fails or complains, IL_EINVAL where the path is too long; err says which. */
il_status il_figure_draw(const il_figure *figure, const char *dir, il_error *err);

#endif
