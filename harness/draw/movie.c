/*
 * movie.c - numbered pictures of snapshots by gnuplot, a batch of frames per process: starting a
 * process costs more than drawing a small frame, and a process has a time limit.
 */
#include "harness/draw/movie.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/clock.h"
#include "harness/draw/gnuplot.h"
#include "harness/draw/plot_parts.h"
#include "harness/io/output_folder.h"

enum {
    BATCH = 16, /* frames a process */
    LONG_SIDE = 900,
    SHORTEST_SIDE = 240, /* pixels of the frame around the bodies */
    BORDER_X = 200,      /* pixels for axes and colour bar */
    BORDER_Y = 90
};

static const char SUFFIX[] = ".png";
static const double MARGIN = 0.04; /* of the range */

/* Of the loads, the share that the colours tell apart: one first impact in a thousand may be a
 * hundred times what comes later. */
static const double TOLD = 0.99;

typedef struct {
    const il_snapshots *snapshots;
    il_movie_color color;
    double lo[2], hi[2]; /* of the picture */
    double most;         /* value at which the colours end */
    bool points;         /* no body has a radius */
    size_t width, height;
    il_output_folder output;
} movie;

/* ---- what is shown --------------------------------------------------------------------------- */

/* Coordinate c = 0, 1 of body i in the picture. */
static double shown_at(const il_snapshots *snapshots, const il_snapshot *f, size_t i, size_t c) {
    size_t last = snapshots->space > 1 ? snapshots->space - 1 : 1;
    return il_snapshots_at(snapshots, f->q, i, c == 0 ? 0 : last);
}

static double value_of(const movie *m, const il_snapshot *f, size_t i) {
    return m->color == IL_COLOR_SPEED ? il_snapshot_speed(m->snapshots, f, i) : f->load[i];
}

static void measure_frame(movie *m, const il_snapshot *f) {
    for (size_t i = 0; i < m->snapshots->bodies; i++) {
        double r = f->radius[i];
        m->points = m->points && r == 0.0;
        for (size_t c = 0; c < 2; c++) {
            m->lo[c] = fmin(m->lo[c], shown_at(m->snapshots, f, i, c) - r);
            m->hi[c] = fmax(m->hi[c], shown_at(m->snapshots, f, i, c) + r);
        }
    }
}

static int increasing(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The largest speed; of loads that are not zero, the one that the share TOLD does not exceed. */
static il_status measure_values(movie *m, il_error *err) {
    size_t n = 0;
    double *values = malloc(m->snapshots->n * m->snapshots->bodies * sizeof *values);
    if (values == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for the colours of %zu frames", m->snapshots->n);
    }
    for (size_t k = 0; k < m->snapshots->n; k++) {
        for (size_t i = 0; i < m->snapshots->bodies; i++) {
            double value = value_of(m, &m->snapshots->frames[k], i);
            values[n] = value;
            n += value > 0.0;
        }
    }
    qsort(values, n, sizeof *values, increasing);
    double share = m->color == IL_COLOR_LOAD ? TOLD : 1.0;
    m->most = n > 0 ? values[(size_t)(share * (double)(n - 1))] : 1.0;
    free(values);
    return IL_OK;
}

/* An even number of pixels, as video codecs want. */
static size_t even(double pixels) {
    return 2 * (size_t)lround(0.5 * pixels);
}

/* Ranges over all snapshots, equal scales, and the size that suits them. */
static void lay_out(movie *m) {
    m->lo[0] = m->lo[1] = INFINITY;
    m->hi[0] = m->hi[1] = -INFINITY;
    m->points = true;
    for (size_t k = 0; k < m->snapshots->n; k++) {
        measure_frame(m, &m->snapshots->frames[k]);
    }
    double size[2];
    for (size_t c = 0; c < 2; c++) {
        size[c] = m->hi[c] - m->lo[c];
    }
    double larger = fmax(fmax(size[0], size[1]), 1e-300);
    double side[2];
    for (size_t c = 0; c < 2; c++) {
        double least = larger * SHORTEST_SIDE / LONG_SIDE;
        double room = MARGIN * larger + 0.5 * fmax(0.0, least - size[c]);
        m->lo[c] -= room;
        m->hi[c] += room;
        side[c] = m->hi[c] - m->lo[c];
    }
    double pixels = LONG_SIDE / fmax(side[0], side[1]);
    m->width = even(pixels * side[0]) + BORDER_X;
    m->height = even(pixels * side[1]) + BORDER_Y;
}

/* ---- data ------------------------------------------------------------------------------------ */

typedef struct {
    double depth;
    size_t body;
} placed;

/* Larger second coordinate first; ties by number, so that pictures repeat. */
static int behind(const void *a, const void *b) {
    const placed *x = a;
    const placed *y = b;
    if (x->depth != y->depth) {
        return x->depth > y->depth ? -1 : 1;
    }
    return (x->body > y->body) - (x->body < y->body);
}

/* $frameK: x, y, radius, value of each body, those behind first. */
static il_status put_frame(FILE *out, const movie *m, size_t k, il_error *err) {
    const il_snapshot *f = &m->snapshots->frames[k];
    size_t n = m->snapshots->bodies;
    placed *order = malloc(n * sizeof *order);
    if (order == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for a frame of %zu bodies", n);
    }
    for (size_t i = 0; i < n; i++) {
        order[i] =
            (placed){m->snapshots->space == 3 ? il_snapshots_at(m->snapshots, f->q, i, 1) : 0.0, i};
    }
    qsort(order, n, sizeof *order, behind);
    (void)fprintf(out, "$frame%zu << END\n", k);
    for (size_t b = 0; b < n; b++) {
        size_t i = order[b].body;
        (void)fprintf(out, "%.17g %.17g %.17g %.17g\n", shown_at(m->snapshots, f, i, 0),
                      shown_at(m->snapshots, f, i, 1), f->radius[i], value_of(m, f, i));
    }
    (void)fputs("END\n", out);
    free(order);
    return IL_OK;
}

/* ---- the script ------------------------------------------------------------------------------ */

static const char *axis_name(const il_snapshots *snapshots, size_t c) {
    static const char *const names[] = {"x", "y", "z"};
    return c == 0 ? "x" : snapshots->space < 2 ? "" : names[snapshots->space - 1];
}

/* Walls that stand upright on the picture, as $walls: lines across it. A point that is not
 * drawn comes first, so that there is always one. */
static void put_walls(FILE *out, const movie *m) {
    double reach = (m->hi[0] - m->lo[0]) + (m->hi[1] - m->lo[1]);
    (void)fputs("$walls << END\nNaN NaN\n", out);
    for (size_t k = 0; k < m->snapshots->nwalls && m->snapshots->space > 1; k++) {
        const il_plane *wall = &m->snapshots->walls[k];
        double n[2] = {wall->n[0], wall->n[m->snapshots->space - 1]};
        double square = n[0] * n[0] + n[1] * n[1];
        if (fabs(square - 1.0) > 1e-12) {
            continue;
        }
        /* the point of the wall nearest to the middle of the picture */
        double mid[2] = {0.5 * (m->lo[0] + m->hi[0]), 0.5 * (m->lo[1] + m->hi[1])};
        double off = n[0] * mid[0] + n[1] * mid[1] - wall->c;
        double x = mid[0] - off * n[0];
        double y = mid[1] - off * n[1];
        (void)fprintf(out, "\n%.17g %.17g\n%.17g %.17g\n", x + reach * n[1], y - reach * n[0],
                      x - reach * n[1], y + reach * n[0]);
    }
    (void)fputs("END\n", out);
}

static void put_head(FILE *out, const movie *m) {
    (void)fprintf(out,
                  "set encoding utf8\nset minussign\nset clip two\nset terminal pngcairo "
                  "noenhanced color font 'Sans,11' size %zu,%zu background '#ffffff'\n"
                  "set xrange [%.17g:%.17g]\nset yrange [%.17g:%.17g]\nset cbrange [0:%.17g]\n"
                  "set size ratio -1\nset border 3 lw 0.7 lc rgb '#404040'\n"
                  "set tics out nomirror\nset xlabel '%s'\nset ylabel '%s'\nset cblabel '%s'\n"
                  "unset key\n",
                  m->width, m->height, m->lo[0], m->hi[0], m->lo[1], m->hi[1], m->most,
                  axis_name(m->snapshots, 0), axis_name(m->snapshots, 1),
                  m->color == IL_COLOR_SPEED
                      ? "speed"
                      : "load: contact impulses of the step in units of m v");
    il_plot_put_palette(out, "");
    put_walls(out, m);
}

static void put_picture(FILE *out, const movie *m, size_t k) {
    const il_snapshot *f = &m->snapshots->frames[k];
    (void)fprintf(out,
                  "set title 't = %.6g (step %zu)'\nset output 'frame-%06zu.png'\nplot $frame%zu ",
                  f->t, f->step, k, k);
    (void)fputs(m->points ? "using 1:2:4 with points pt 7 ps 0.8 lc palette"
                          : "using 1:2:3:4 with circles lc palette lw 0.4 fs solid 1 border lc "
                            "rgb '#303030'",
                out);
    (void)fputs(", $walls with lines lc rgb '#404040' lw 2\nset output\n", out);
}

/* The script of frames first..last-1, which the caller frees. */
static il_status make_script(const movie *m, size_t first, size_t last, char **text, size_t *length,
                             il_error *err) {
    FILE *out = open_memstream(text, length);
    if (out == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for the script of a movie");
    }
    il_status status = IL_OK;
    put_head(out, m);
    for (size_t k = first; status == IL_OK && k < last; k++) {
        status = put_frame(out, m, k, err);
        put_picture(out, m, k);
    }
    bool failed = ferror(out) != 0;
    failed = fclose(out) != 0 || failed;
    return status == IL_OK && failed
               ? il_fail(err, IL_ENOMEM, "no memory for the script of a movie")
               : status;
}

/* Frames first..last-1 through one process. */
static il_status draw(const movie *m, size_t first, size_t last, il_error *err) {
    char name[BATCH][64];
    const char *pictures[BATCH];
    char *text = NULL;
    size_t length = 0;
    for (size_t k = first; k < last; k++) {
        (void)snprintf(name[k - first], sizeof name[0], "frame-%06zu%s", k, SUFFIX);
        pictures[k - first] = name[k - first];
    }
    il_status status = make_script(m, first, last, &text, &length, err);
    if (status == IL_OK) {
        status = il_gnuplot_run(m->output.scratch, text, length, pictures, last - first,
                                "of a movie", err);
    }
    free(text);
    return status;
}

/* Frame k is next of those that began to be drawn then. */
static void tell(const movie *m, size_t k, double began, il_progress *progress) {
    char what[64];
    if (progress == NULL || !il_progress_due(progress)) {
        return;
    }
    size_t all = m->snapshots->n;
    double left = (il_clock_seconds() - began) * (double)(all - k) / (double)k; /* NaN of none */
    (void)snprintf(what, sizeof what, "frame %zu of %zu", k + 1, all);
    il_progress_show(progress, (double)k / (double)all, k > 0 ? left : (double)INFINITY, what,
                     NULL);
}

il_status il_movie_check(const char *dir, il_error *err) {
    return il_output_folder_check(dir, SUFFIX, err);
}

il_status il_movie_write(const il_snapshots *snapshots, il_movie_color color, const char *dir,
                         il_progress *progress, il_error *err) {
    movie m = {.snapshots = snapshots, .color = color};
    il_status status = il_output_folder_open(&m.output, dir, SUFFIX, err);
    if (status != IL_OK) {
        return status;
    }
    double began = il_clock_seconds();
    lay_out(&m);
    status = measure_values(&m, err);
    for (size_t k = 0; status == IL_OK && k < snapshots->n; k += BATCH) {
        tell(&m, k, began, progress);
        status = draw(&m, k, k + BATCH < snapshots->n ? k + BATCH : snapshots->n, err);
    }
    if (status == IL_OK) {
        status = il_output_folder_commit(&m.output, err);
    }
    il_output_folder_abandon(&m.output);
    return status;
}
