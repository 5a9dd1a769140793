/*
 * limits_figure.c - limits:figure: what the verdict was made from, as pictures.
 *
 *     limits:figure{"map"}         cluster against c and m
 *     limits:figure{"distances"}   the tree of single linkage and the matrix of distances
 *     limits:figure{"tails"}       tail diameters against h, of all runs and of each cluster
 *     all of them: name =, title =, caption =, key =, order =
 */
#include <lauxlib.h>
#include <math.h>
#include <stdio.h>

#include "harness/base/elementary.h"
#include "harness/lua/draw/draw.h"
#include "harness/lua/limits/limits.h"
#include "harness/lua/sweep/result.h"

enum { MATRIX_MAX = 72, COLORS = 6 };

/* Blue, orange, green, ...: the first two differ most in grey. */
static const char *const COLOR[COLORS] = {"#0072b2", "#e69f00", "#009e73",
                                          "#cc79a7", "#56b4e9", "#d55e00"};
static const char *const GREY = "#9a9a9a";

typedef struct {
    const il_fields *f;
    const il_lua_limits *w;
} drawing;

static double *room(const drawing *d, size_t n) {
    return il_lua_take(d->f->L, d->f->arena, n, sizeof(double), NULL);
}

static const char *color_of(int cluster) {
    return cluster == IL_LIMITS_NONE ? GREY : COLOR[cluster % COLORS];
}

/* "cluster 1 (A)" where its medoid is nearest to the exact solution A. */
static const char *label_of(const drawing *d, int cluster) {
    if (cluster == IL_LIMITS_NONE) {
        return "no cluster";
    }
    const json_t *record = d->w->records[d->w->limits.clusters[cluster].medoid];
    const json_t *nearest = json_object_get(json_object_get(record, "error"), "reference");
    return json_is_string(nearest) ? il_lua_print(d->f->L, d->f->arena, "cluster %d, nearest to %s",
                                                  cluster + 1, json_string_value(nearest))
                                   : il_lua_print(d->f->L, d->f->arena, "cluster %d", cluster + 1);
}

static il_panel plain(void) {
    return (il_panel){.xmin = NAN, .xmax = NAN, .ymin = NAN, .ymax = NAN, .key = "outside"};
}

/* ---- map ------------------------------------------------------------------------------------ */

static size_t draw_map(const drawing *d, il_panel *panel) {
    const il_lua_limits *w = d->w;
    size_t nseries = w->limits.nclusters + 1;
    il_series *series = il_lua_take(d->f->L, d->f->arena, nseries, sizeof *series, NULL);
    size_t put = 0;
    for (int k = IL_LIMITS_NONE; k < (int)w->limits.nclusters; k++) {
        double *x = room(d, 2 * w->n);
        double *y = x + w->n;
        size_t n = 0;
        for (size_t i = 0; i < w->n; i++) {
            if (w->limits.cluster[i] == k) {
                x[n] = w->steps[i].c;
                y[n++] = w->steps[i].m;
            }
        }
        if (n > 0) {
            series[put++] = (il_series){.label = label_of(d, k),
                                        .style = IL_POINTS,
                                        .color = color_of(k),
                                        .n = n,
                                        .x = x,
                                        .y = y};
        }
    }
    *panel = plain();
    panel->xlabel = "c  (h = c 2⁻ᵐ)";
    panel->ylabel = "m";
    panel->series = series;
    panel->nseries = put;
    return 1;
}

/* ---- tails ---------------------------------------------------------------------------------- */

/* Against the largest h of each level: the diameter of all runs from there on, or the radius of a
 * cluster's. */
static il_series tail_of(const drawing *d, int cluster) {
    const il_lua_limits *w = d->w;
    double *x = room(d, 3 * w->n);
    double *y = x + w->n;
    size_t n = 0;
    int low = w->steps[0].m;
    int high = low;
    for (size_t i = 0; i < w->n; i++) {
        low = w->steps[i].m < low ? w->steps[i].m : low;
        high = w->steps[i].m > high ? w->steps[i].m : high;
    }
    for (int m = low; m <= high && n < w->n; m++) {
        double most = 0.0;
        for (size_t i = 0; i < w->n; i++) {
            bool here = w->steps[i].m == m &&
                        (cluster == IL_LIMITS_NONE || w->limits.cluster[i] == cluster);
            most = here ? fmax(most, w->steps[i].h) : most;
        }
        double size = cluster == IL_LIMITS_NONE ? il_limits_diameter(&w->limits, w->steps, w->D, m)
                                                : il_limits_radius(&w->limits, w->steps, w->D,
                                                                   (size_t)cluster, m, y + w->n);
        if (most > 0.0 && size > 0.0) {
            x[n] = most;
            y[n++] = size;
        }
    }
    return (il_series){.label = cluster == IL_LIMITS_NONE ? "diameter of all runs"
                                                          : label_of(d, cluster),
                       .style = IL_LINESPOINTS,
                       .color = cluster == IL_LIMITS_NONE ? "#000000" : color_of(cluster),
                       .n = n,
                       .x = x,
                       .y = y};
}

static size_t draw_tails(const drawing *d, il_panel *panel) {
    size_t nseries = 1 + d->w->limits.nclusters;
    il_series *series = il_lua_take(d->f->L, d->f->arena, nseries, sizeof *series, NULL);
    for (size_t k = 0; k < nseries; k++) {
        series[k] = tail_of(d, k == 0 ? IL_LIMITS_NONE : (int)k - 1);
    }
    *panel = plain();
    panel->xlabel = "h";
    panel->ylabel = il_lua_print(d->f->L, d->f->arena, "size of the tail, %s",
                                 il_lua_limits_norm_name(d->w->norm));
    panel->logx = panel->logy = true;
    panel->series = series;
    panel->nseries = nseries;
    return 1;
}

/* ---- distances ------------------------------------------------------------------------------ */

/* The tree over the places 0.5, 1.5, ... of the leaves: each join a bracket. */
static il_series tree_of(const drawing *d, double floor) {
    const il_lua_limits *w = d->w;
    const il_limits *l = &w->limits;
    double *place = room(d, 4 * l->n);
    double *height = place + 2 * l->n;
    double *x = room(d, 10 * l->n);
    double *y = x + 5 * l->n;
    size_t n = 0;
    for (size_t i = 0; i < l->n; i++) {
        place[l->leaves[i]] = (double)i + 0.5;
        height[i] = floor;
    }
    for (size_t k = 0; k + 1 < l->n; k++) {
        const il_linkage_join *join = &l->joins[k];
        double top = fmax(join->height, floor);
        const double xs[5] = {place[join->a], place[join->a], place[join->b], place[join->b], NAN};
        const double ys[5] = {height[join->a], top, top, height[join->b], NAN};
        for (int i = 0; i < 5; i++) {
            x[n] = xs[i];
            y[n++] = ys[i];
        }
        place[l->n + k] = 0.5 * (place[join->a] + place[join->b]);
        height[l->n + k] = top;
    }
    return (il_series){.style = IL_LINES, .color = "#404040", .n = n, .x = x, .y = y, .width = 1.0};
}

/* The leaves of a cluster, at the foot of the tree. */
static il_series leaves_of(const drawing *d, int cluster, double floor) {
    const il_limits *l = &d->w->limits;
    double *x = room(d, 2 * l->n);
    double *y = x + l->n;
    size_t n = 0;
    for (size_t i = 0; i < l->n; i++) {
        if (l->cluster[l->leaves[i]] == cluster) {
            x[n] = (double)i + 0.5;
            y[n++] = floor;
        }
    }
    return (il_series){.label = label_of(d, cluster),
                       .style = IL_POINTS,
                       .color = color_of(cluster),
                       .n = n,
                       .x = x,
                       .y = y};
}

/* log10 D over pairs of leaves, every stride-th. */
static il_series matrix_of(const drawing *d, double floor, size_t stride) {
    const il_lua_limits *w = d->w;
    size_t side = (w->n + stride - 1) / stride;
    double *x = room(d, 4 * side * side);
    double *y = x + side * side;
    double *radius = y + side * side;
    double *value = radius + side * side;
    for (size_t k = 0; k < side * side; k++) {
        size_t i = k / side * stride;
        size_t j = k % side * stride;
        x[k] = (double)j + 0.5 * (double)stride;
        y[k] = (double)i + 0.5 * (double)stride;
        radius[k] = 0.5 * (double)stride;
        value[k] = il_log10(fmax(w->D[w->limits.leaves[i] * w->n + w->limits.leaves[j]], floor));
    }
    return (il_series){.style = IL_DISCS,
                       .n = side * side,
                       .x = x,
                       .y = y,
                       .radius = radius,
                       .value = value,
                       .width = 0.01};
}

static size_t draw_distances(const drawing *d, il_panel *panels) {
    const il_lua_limits *w = d->w;
    double least = INFINITY;
    for (size_t k = 0; k < w->n * w->n; k++) {
        least = w->D[k] > 0.0 ? fmin(least, w->D[k]) : least;
    }
    double floor = isfinite(least) ? least : 1e-16;
    size_t nseries = w->limits.nclusters + 2;
    il_series *tree = il_lua_take(d->f->L, d->f->arena, nseries + 1, sizeof *tree, NULL);
    size_t put = 0;
    tree[put++] = tree_of(d, floor);
    for (int k = IL_LIMITS_NONE; k < (int)w->limits.nclusters; k++) {
        tree[put] = leaves_of(d, k, floor);
        put += tree[put].n > 0;
    }
    panels[0] = plain();
    panels[0].xlabel = "run, in the order of the tree";
    panels[0].ylabel =
        il_lua_print(d->f->L, d->f->arena, "distance, %s", il_lua_limits_norm_name(w->norm));
    panels[0].logy = true;
    panels[0].xmin = 0.0;
    panels[0].xmax = (double)w->n;
    panels[0].series = tree;
    panels[0].nseries = put;
    tree[nseries] = matrix_of(d, floor, (w->n + MATRIX_MAX - 1) / MATRIX_MAX);
    panels[1] = plain();
    panels[1].xlabel = panels[1].ylabel = "run, in the order of the tree";
    panels[1].colorlabel = "log10 of the distance";
    panels[1].key = "off";
    panels[1].equal = true;
    panels[1].series = tree + nseries;
    panels[1].nseries = 1;
    return 2;
}

/* ---- the figure ----------------------------------------------------------------------------- */

static const char *caption_of(const drawing *d, int kind) {
    static const char *const texts[] = {
        "Which cluster the run with h = c 2^-m belongs to.",
        "The tree of single linkage, and the distances of the runs in its order, dark for near.",
        "Of the runs with steps up to h: the diameter of all, and the radius that holds nine "
        "tenths "
        "of each cluster. It decays where they tend to one limit."};
    const il_lua_limits *w = d->w;
    return il_lua_print(d->f->L, d->f->arena, "%s %s, %zu runs, distances in %s on [0, %g]: %s.",
                        texts[kind], w->problem->label, w->n, il_lua_limits_norm_name(w->norm),
                        w->T, w->limits.evidence);
}

int il_lua_limits_figure(lua_State *L) {
    static const char *const known[] = {"name", "title", "caption", "key", "order", NULL};
    static const char *const kinds[] = {"map", "distances", "tails", NULL};
    static size_t (*const draw[])(const drawing *, il_panel *) = {draw_map, draw_distances,
                                                                  draw_tails};
    const il_lua_limits *w = il_lua_limits_check(L, 1, "limits:figure");
    il_fields f = il_fields_begin(L, 2, "limits:figure", NULL);
    il_fields_known(&f, 1, known);
    int kind = il_result_kind(&f, kinds);
    drawing d = {&f, w};
    il_panel panels[2];
    il_figure figure = {.panels = panels, .columns = 1, .order = il_lua_place(&f)};
    figure.npanels = draw[kind](&d, panels);
    panels[0].title = il_fields_text(&f, "title", NULL);
    panels[0].key = il_fields_text(&f, "key", panels[0].key);
    figure.height = figure.npanels == 2 ? 19.0 : 0.0;
    figure.name = il_fields_text(&f, "name", NULL);
    if (figure.name == NULL) {
        figure.name = il_lua_print(L, f.arena, "%s-limits-%s", w->sweep->name, kinds[kind]);
    }
    figure.caption = il_fields_text(&f, "caption", caption_of(&d, kind));
    il_lua_draw(&f, &figure);
    return 1;
}
