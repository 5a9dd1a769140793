/*
 * limits.c - clusters below a cut of the tree, the choice of the cut, the verdict. See limits.h.
 */
#include "harness/study/limits/limits.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/vector.h"

enum { RECURS = 3 }; /* levels at which a cluster must have runs */

/* Minimum fraction of the runs in the finer half of all levels. A limit reached from an open set of
 * phases has its fraction at every level; runs that are close only temporarily do not. */
static const double SHARE = 0.05;

/* The fraction of runs that a radius contains. */
static const double MOST = 0.9;

/* The radius of the finer half of the levels, over that of the coarser half (the level between them
 * is in both). Errors C h make it 1/2 with three levels and less with more, a drift as log h makes
 * it 1. */
static const double DECAY = 0.6;

/* Medoids are this many radii apart: the balls are disjoint with two radii between them. Two halves
 * of one sequence with errors C h are not: their distance is at most the sum of their radii. */
static const double APART = 4.0;

/* The distance of two limits stays: between the medoids of the finer halves it is at least this
 * share of that between the coarser halves'. That of two sides of one limit falls, with errors of
 * order 1/2 to 0.71 for each level between them. */
static const double STAYS = 0.8;

/* A run belongs to a medoid if it is nearer to it than half the distance to the next. */
static const double NEARER = 0.5;

il_limits_step il_limits_step_of(double h) {
    int e = 0;
    double f = frexp(h, &e);
    return (il_limits_step){.h = h, .c = 2.0 * f, .m = 1 - e};
}

/* ---- clusters ------------------------------------------------------------------------------- */

typedef struct {
    il_limits *l;
    const il_limits_step *steps;
    const double *D;
    int finest;            /* of all levels */
    int half;              /* the finer half of all levels begins here */
    size_t fine;           /* runs in it */
    size_t *parent, *size; /* [2n-1] scratch */
    size_t *list;          /* [n] runs that were selected last */
    int *levels;           /* [n] scratch */
    double *scratch;       /* [n] */
} clustering;

/* The runs of cluster k (IL_LIMITS_NONE: all) at levels from..to into w->list; how many. */
static size_t select_runs(const clustering *w, int k, int from, int to) {
    size_t n = 0;
    for (size_t i = 0; i < w->l->n; i++) {
        bool here = k == IL_LIMITS_NONE || w->l->cluster[i] == k;
        if (here && w->steps[i].m >= from && w->steps[i].m <= to) {
            w->list[n++] = i;
        }
    }
    return n;
}

/* Runs of cluster k in the finer half of all levels. */
static size_t count_fine(const clustering *w, int k) {
    return select_runs(w, k, w->half, INT_MAX);
}

static int by_level(const void *a, const void *b) {
    int x = *(const int *)a;
    int y = *(const int *)b;
    return (x > y) - (x < y);
}

/* The different levels of the runs of cluster k, ascending into w->levels; how many, and where the
 * finer half of them begins: at least two where there are three. */
static size_t list_levels(const clustering *w, int k, int *half) {
    size_t n = select_runs(w, k, INT_MIN, INT_MAX);
    size_t distinct = 0;
    for (size_t i = 0; i < n; i++) {
        w->levels[i] = w->steps[w->list[i]].m;
    }
    qsort(w->levels, n, sizeof *w->levels, by_level);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || w->levels[i] != w->levels[distinct - 1]) {
            w->levels[distinct++] = w->levels[i];
        }
    }
    *half = w->levels[distinct / 2];
    return distinct;
}

/* Do the n levels that were listed last go on to the finest of all, but for a gap no longer than
 * those between them? */
static bool goes_on(const clustering *w, size_t n) {
    int gap = 0;
    for (size_t i = 1; i < n; i++) {
        gap = w->levels[i] - w->levels[i - 1] > gap ? w->levels[i] - w->levels[i - 1] : gap;
    }
    return w->finest - w->levels[n - 1] < gap;
}

double il_limits_most(double *x, size_t n) {
    qsort(x, n, sizeof *x, il_ascending);
    return x[(size_t)ceil(MOST * (double)n) - 1];
}

/* The medoid of the runs of cluster k at levels from..to, which has the least sum of distances to
 * the others of them, and the radius about it. */
static size_t medoid_of(const clustering *w, int k, int from, int to, double *radius) {
    size_t n = select_runs(w, k, from, to);
    const double *D = w->D;
    double best = INFINITY;
    size_t medoid = w->list[0];
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < n; j++) {
            sum += D[w->list[i] * w->l->n + w->list[j]];
        }
        if (sum < best) {
            best = sum;
            medoid = w->list[i];
        }
    }
    for (size_t i = 0; i < n; i++) {
        w->scratch[i] = D[medoid * w->l->n + w->list[i]];
    }
    *radius = il_limits_most(w->scratch, n);
    return medoid;
}

/* Measure component k; is it a cluster? */
static bool measure(const clustering *w, size_t index) {
    int k = (int)index;
    il_limits_cluster *c = &w->l->clusters[index];
    *c = (il_limits_cluster){.separation = INFINITY, .orbit = IL_LIMITS_NONE};
    c->levels = list_levels(w, k, &c->half);
    if (c->levels < RECURS || !goes_on(w, c->levels) ||
        (double)count_fine(w, k) < SHARE * (double)w->fine) {
        return false;
    }
    c->coarse = medoid_of(w, k, INT_MIN, c->half, &c->radius);
    c->medoid = medoid_of(w, k, c->half, INT_MAX, &c->tail);
    return c->tail <= DECAY * c->radius;
}

/* Number the components below the cut, the clusters alone, and measure them. */
static void number_components(clustering *w, size_t joins) {
    il_limits *l = w->l;
    for (size_t i = 0; i < 2 * l->n - 1; i++) {
        w->parent[i] = i;
        w->size[i] = i < l->n;
    }
    for (size_t k = 0; k < joins; k++) {
        const il_linkage_join *join = &l->joins[k];
        w->parent[join->a] = w->parent[join->b] = l->n + k;
        w->size[l->n + k] = w->size[join->a] + w->size[join->b];
    }
    for (size_t i = 0; i < l->n; i++) {
        l->cluster[i] = IL_LIMITS_NONE;
    }
    l->nclusters = 0;
    for (size_t root = 0; root < l->n + joins; root++) {
        if (w->parent[root] != root || w->size[root] < RECURS) {
            continue;
        }
        for (size_t i = 0; i < l->n; i++) {
            l->cluster[i] =
                il_linkage_root(w->parent, i) == root ? (int)l->nclusters : l->cluster[i];
        }
        bool keep = measure(w, l->nclusters);
        for (size_t i = 0; i < l->n && !keep; i++) {
            l->cluster[i] = l->cluster[i] == (int)l->nclusters ? IL_LIMITS_NONE : l->cluster[i];
        }
        l->nclusters += keep;
    }
}

/* Do the present clusters stand for several limits? Also their widest tail, and the least distance
 * of their medoids. */
static bool several(const clustering *w, double *widest, double *least) {
    il_limits *l = w->l;
    size_t fine = 0;
    bool stay = true;
    *widest = 0.0;
    *least = INFINITY;
    for (size_t k = 0; k < l->nclusters; k++) {
        il_limits_cluster *c = &l->clusters[k];
        for (size_t i = 0; i < l->nclusters; i++) {
            double d = w->D[c->medoid * l->n + l->clusters[i].medoid];
            c->separation = i != k ? fmin(c->separation, d) : c->separation;
            stay = stay && d >= STAYS * w->D[c->coarse * l->n + l->clusters[i].coarse];
        }
        *widest = fmax(*widest, c->tail);
        *least = fmin(*least, c->separation);
        fine += count_fine(w, (int)k);
    }
    return l->nclusters >= 2 && stay && *least >= APART * *widest && 2 * fine > w->fine;
}

/* The highest of the cuts that count and have the most clusters. */
static bool find_cut(clustering *w, double *widest, double *least) {
    il_limits *l = w->l;
    size_t most = 0;
    size_t best = 0;
    for (size_t joins = l->n - 1; joins > 0; joins--) {
        number_components(w, joins);
        if (l->nclusters > most && several(w, widest, least)) {
            most = l->nclusters;
            best = joins;
        }
    }
    if (most == 0) {
        return false;
    }
    number_components(w, best);
    l->cut = 0.5 * (l->joins[best - 1].height + l->joins[best].height);
    return several(w, widest, least);
}

/* Everything is one cluster, if that shrinks; else nothing is. */
static bool take_all(clustering *w) {
    il_limits *l = w->l;
    l->cut = INFINITY;
    for (size_t i = 0; i < l->n; i++) {
        l->cluster[i] = 0;
    }
    l->nclusters = measure(w, 0);
    for (size_t i = 0; i < l->n && l->nclusters == 0; i++) {
        l->cluster[i] = IL_LIMITS_NONE;
    }
    return l->nclusters == 1;
}

/* ---- members -------------------------------------------------------------------------------- */

/* Runs that linkage left out go to a medoid that is clearly the nearest. */
static void adopt(const clustering *w) {
    il_limits *l = w->l;
    for (size_t i = 0; i < l->n; i++) {
        l->linked[i] = l->cluster[i] != IL_LIMITS_NONE;
        double first = INFINITY;
        double second = INFINITY;
        int nearest = IL_LIMITS_NONE;
        for (size_t k = 0; k < l->nclusters; k++) {
            double d = w->D[i * l->n + l->clusters[k].medoid];
            second = fmin(second, fmax(first, d));
            nearest = d < first ? (int)k : nearest;
            first = fmin(first, d);
        }
        if (!l->linked[i] && first <= NEARER * second && isfinite(second)) {
            l->cluster[i] = nearest;
        }
    }
    for (size_t i = 0; i < l->n; i++) {
        if (l->cluster[i] != IL_LIMITS_NONE) {
            l->clusters[l->cluster[i]].size++;
        }
    }
}

/* The largest first; equal ones in the order of their first runs. */
static void sort_clusters(il_limits *l) {
    for (size_t pass = 0; pass + 1 < l->nclusters; pass++) {
        for (size_t k = 0; k + 1 < l->nclusters; k++) {
            if (l->clusters[k].size >= l->clusters[k + 1].size) {
                continue;
            }
            il_limits_cluster swap = l->clusters[k];
            l->clusters[k] = l->clusters[k + 1];
            l->clusters[k + 1] = swap;
            for (size_t i = 0; i < l->n; i++) {
                int at = l->cluster[i];
                l->cluster[i] = at == (int)k ? at + 1 : at == (int)k + 1 ? at - 1 : at;
            }
        }
    }
}

/* ---- the verdict ---------------------------------------------------------------------------- */

static void conclude(clustering *w) {
    il_limits *l = w->l;
    double widest;
    double least;
    if (find_cut(w, &widest, &least)) {
        l->verdict = IL_LIMITS_SEVERAL;
        l->nlimits = l->nclusters;
        (void)snprintf(l->evidence, sizeof l->evidence,
                       "evidence of %zu limits: clusters that recur at three levels or more and "
                       "shrink are at least %.3g apart, and in the finer halves of their levels "
                       "nine tenths of their runs lie within %.3g",
                       l->nclusters, least, widest);
        return;
    }
    bool one = take_all(w);
    const il_limits_cluster *c = &l->clusters[0];
    l->verdict = one ? IL_LIMITS_ONE : IL_LIMITS_INCONCLUSIVE;
    l->nlimits = one;
    if (c->levels < RECURS) {
        (void)snprintf(l->evidence, sizeof l->evidence,
                       "no evidence of a limit: the runs have %zu level%s m of h = c 2^-m, and it "
                       "takes %d",
                       c->levels, c->levels == 1 ? "" : "s", RECURS);
    } else {
        (void)snprintf(
            l->evidence, sizeof l->evidence,
            "%s: the radius of nine tenths of the runs %s from %.3g over the coarser half of the "
            "levels to %.3g over the finer, and no cut leaves clusters that recur, "
            "shrink, and stay apart",
            one ? "evidence of one limit" : "no evidence of a limit", one ? "falls" : "only goes",
            c->radius, c->tail);
    }
}

const char *il_limits_verdict_name(il_limits_verdict verdict) {
    static const char *const names[] = {"one limit", "several limits", "inconclusive"};
    return names[verdict];
}

static il_status check(const clustering *w, il_error *err) {
    size_t n = w->l->n;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            if (!(w->D[i * n + j] >= 0.0 && isfinite(w->D[i * n + j]))) {
                return il_fail(err, IL_EINVAL,
                               "the distance of the runs with h = %.17g and h = %.17g is %g; "
                               "allowed: a finite number >= 0",
                               w->steps[i].h, w->steps[j].h, w->D[i * n + j]);
            }
        }
    }
    return IL_OK;
}

il_status il_limits_analyse(il_limits *l, const il_limits_step *steps, const double *D, size_t n,
                            il_error *err) {
    clustering w = {.l = l, .steps = steps, .D = D};
    *l = (il_limits){.n = n};
    l->joins = il_alloc_zero(n, sizeof *l->joins);
    l->leaves = il_alloc_zero(6 * n, sizeof *l->leaves);
    l->cluster = il_alloc_zero(2 * n, sizeof *l->cluster);
    l->linked = il_alloc_zero(n, sizeof *l->linked);
    l->clusters = il_alloc_zero(n, sizeof *l->clusters);
    w.scratch = il_alloc_zero(n, sizeof *w.scratch);
    w.parent = l->leaves + n;
    w.size = w.parent + 2 * n;
    w.list = w.size + 2 * n;
    w.levels = l->cluster + n;
    w.finest = w.levels[list_levels(&w, IL_LIMITS_NONE, &w.half) - 1];
    w.fine = count_fine(&w, IL_LIMITS_NONE);
    il_status status = check(&w, err);
    if (status == IL_OK) {
        il_linkage_make(l->joins, l->leaves, D, n);
        conclude(&w);
        adopt(&w);
        sort_clusters(l);
    }
    free(w.scratch);
    return status;
}

void il_limits_free(il_limits *l) {
    free(l->joins);
    free(l->leaves);
    free(l->cluster);
    free(l->linked);
    free(l->clusters);
    memset(l, 0, sizeof *l);
}
