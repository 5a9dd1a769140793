/*
 * limits.c - distances of runs, the tree of single linkage, the cut, the verdict. See limits.h for
 * the rule.
 */
#include "harness/limits.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/sum.h"

enum { RECURS = 3 }; /* levels at which a cluster must have runs */

/* The finer half of the levels has at most this share of the diameter of all. With first-order
 * errors and three levels or more it is a quarter. */
static const double DECAY = 0.5;

/* Clusters are this many times farther apart than they are wide: two halves of one sequence with
 * errors C h are not (their widths are C h of the coarsest runs in the tails, their distance at
 * most that). */
static const double APART = 4.0;

/* A run belongs to a medoid that is nearer than half the way to the next. */
static const double NEARER = 0.5;

/* ---- distances ------------------------------------------------------------------------------ */

/* |q_a - q_b| at t inside (or at the end of) the steps that end at nodes i and j. */
static double apart_at(const il_trajectory *a, const il_trajectory *b, size_t i, size_t j,
                       double t) {
    double sum = 0.0;
    double x = (t - a->t[i - 1]) / (a->t[i] - a->t[i - 1]);
    double y = (t - b->t[j - 1]) / (b->t[j] - b->t[j - 1]);
    for (size_t k = 0; k < a->d; k++) {
        const double *qa = a->q + (i - 1) * a->d + k;
        const double *qb = b->q + (j - 1) * b->d + k;
        double p = (1.0 - x) * qa[0] + x * qa[a->d];
        double q = (1.0 - y) * qb[0] + y * qb[b->d];
        sum += (p - q) * (p - q);
    }
    return sqrt(sum);
}

static double apart_u(const il_trajectory *a, const il_trajectory *b, size_t i, size_t j) {
    double sum = 0.0;
    for (size_t k = 0; k < a->d; k++) {
        double difference = a->u[i * a->d + k] - b->u[j * b->d + k];
        sum += difference * difference;
    }
    return sqrt(sum);
}

double il_limits_distance(const il_trajectory *a, const il_trajectory *b, double T,
                          il_limits_norm norm) {
    il_sum sum = {0.0, 0.0};
    double sup = 0.0;
    double t = 0.0;
    for (size_t k = 0; k < a->d; k++) { /* both begin at t = 0 */
        sup += (a->q[k] - b->q[k]) * (a->q[k] - b->q[k]);
    }
    sup = sqrt(sup);
    for (size_t i = 1, j = 1; i < a->nodes && j < b->nodes && t < T;) {
        double next = fmin(T, fmin(a->t[i], b->t[j]));
        if (norm == IL_LIMITS_U_L1) {
            il_sum_add(&sum, (next - t) * apart_u(a, b, i, j));
        } else {
            double apart = apart_at(a, b, i, j, next); /* convex on the piece: largest at an end */
            sup = isnan(apart) || isnan(sup) ? NAN : fmax(sup, apart);
        }
        t = next;
        i += a->t[i] <= t;
        j += b->t[j] <= t;
    }
    return norm == IL_LIMITS_U_L1 ? il_sum_value(&sum) : sup;
}

il_limits_step il_limits_step_of(double h) {
    int e = 0;
    double f = frexp(h, &e);
    return (il_limits_step){.h = h, .c = 2.0 * f, .m = 1 - e};
}

/* ---- the tree ------------------------------------------------------------------------------- */

typedef struct {
    size_t i, j;
    double length;
} edge;

static int by_length(const void *a, const void *b) {
    const edge *x = a;
    const edge *y = b;
    if (x->length != y->length) {
        return x->length < y->length ? -1 : 1;
    }
    return x->i != y->i ? (x->i > y->i) - (x->i < y->i) : (x->j > y->j) - (x->j < y->j);
}

/* The minimal spanning tree by Prim's algorithm: cutting its edges is single linkage. */
static void span(const double *D, size_t n, edge *edges, double *least, size_t *from) {
    for (size_t i = 0; i < n; i++) {
        least[i] = i == 0 ? -1.0 : D[i]; /* -1: in the tree */
        from[i] = 0;
    }
    for (size_t k = 0; k + 1 < n; k++) {
        size_t best = n;
        for (size_t i = 0; i < n; i++) {
            if (least[i] >= 0.0 && (best == n || least[i] < least[best])) {
                best = i;
            }
        }
        edges[k] = (edge){from[best], best, least[best]};
        least[best] = -1.0;
        for (size_t i = 0; i < n; i++) {
            if (least[i] > D[best * n + i]) {
                least[i] = D[best * n + i];
                from[i] = best;
            }
        }
    }
}

static size_t root_of(size_t *parent, size_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* Joins from edges sorted by length; parent is scratch [2n-1]. */
static void join_all(il_limits *l, const edge *edges, size_t *parent) {
    for (size_t i = 0; i < 2 * l->n - 1; i++) {
        parent[i] = i;
    }
    for (size_t k = 0; k + 1 < l->n; k++) {
        size_t a = root_of(parent, edges[k].i);
        size_t b = root_of(parent, edges[k].j);
        l->joins[k] = (il_limits_join){a, b, edges[k].length};
        parent[a] = parent[b] = l->n + k;
    }
}

/* Runs from left to right, without crossing branches; stack is scratch [2n-1]. */
static void order_leaves(il_limits *l, size_t *stack) {
    size_t depth = 0;
    size_t put = 0;
    stack[depth++] = 2 * l->n - 2;
    while (depth > 0) {
        size_t node = stack[--depth];
        if (node < l->n) {
            l->leaves[put++] = node;
        } else {
            stack[depth++] = l->joins[node - l->n].b;
            stack[depth++] = l->joins[node - l->n].a;
        }
    }
}

static il_status make_tree(il_limits *l, const double *D, il_error *err) {
    size_t n = l->n;
    edge *edges = malloc(n * sizeof *edges);
    double *least = malloc(n * sizeof *least);
    size_t *work = malloc(2 * n * sizeof *work);
    il_status status = IL_OK;
    if (edges == NULL || least == NULL || work == NULL) {
        status = il_fail(err, IL_ENOMEM, "no memory for a tree of %zu runs", n);
    } else {
        span(D, n, edges, least, work);
        qsort(edges, n - 1, sizeof *edges, by_length);
        join_all(l, edges, work);
        order_leaves(l, work);
    }
    free(edges);
    free(least);
    free(work);
    return status;
}

/* ---- clusters ------------------------------------------------------------------------------- */

typedef struct {
    il_limits *l;
    const il_limits_step *steps;
    const double *D;
    size_t *parent; /* [2n-1] scratch */
    int *levels;    /* [n] scratch */
    int *tail_from; /* [n] per cluster: the level at which its finer half begins */
} judge;

static int by_level(const void *a, const void *b) {
    int x = *(const int *)a;
    int y = *(const int *)b;
    return (x > y) - (x < y);
}

/* How many different levels the runs of a cluster (IL_LIMITS_NONE: all) have, and where the finer
 * half of them begins: at least two where there are three. */
static size_t count_levels(const judge *w, int cluster, int *half) {
    size_t n = 0;
    for (size_t i = 0; i < w->l->n; i++) {
        if (cluster == IL_LIMITS_NONE || w->l->cluster[i] == cluster) {
            w->levels[n++] = w->steps[i].m;
        }
    }
    if (n == 0) {
        return 0;
    }
    qsort(w->levels, n, sizeof *w->levels, by_level);
    size_t distinct = 1;
    for (size_t i = 1; i < n; i++) {
        if (w->levels[i] != w->levels[distinct - 1]) {
            w->levels[distinct++] = w->levels[i];
        }
    }
    *half = w->levels[distinct / 2];
    return distinct;
}

double il_limits_tail(const il_limits *l, const il_limits_step *steps, const double *D, int cluster,
                      int m) {
    double most = 0.0;
    for (size_t i = 0; i < l->n; i++) {
        for (size_t j = 0; j < i; j++) {
            bool both =
                cluster == IL_LIMITS_NONE || (l->cluster[i] == cluster && l->cluster[j] == cluster);
            if (both && steps[i].m >= m && steps[j].m >= m) {
                most = fmax(most, D[i * l->n + j]);
            }
        }
    }
    return most;
}

/* Number the components below the cut, those that recur alone; returns how many there are. */
static size_t number_components(judge *w, size_t joins) {
    il_limits *l = w->l;
    for (size_t i = 0; i < 2 * l->n - 1; i++) {
        w->parent[i] = i;
    }
    for (size_t k = 0; k < joins; k++) {
        w->parent[l->joins[k].a] = w->parent[l->joins[k].b] = l->n + k;
    }
    size_t clusters = 0;
    for (size_t i = 0; i < l->n; i++) {
        l->cluster[i] = IL_LIMITS_NONE;
    }
    for (size_t i = 0; i < l->n; i++) {
        size_t root = root_of(w->parent, i);
        if (root < l->n) {
            continue; /* alone */
        }
        size_t first = 0;
        while (root_of(w->parent, first) != root) {
            first++;
        }
        if (first < i) {
            continue; /* seen */
        }
        for (size_t j = i; j < l->n; j++) {
            if (root_of(w->parent, j) == root) {
                l->cluster[j] = (int)clusters;
            }
        }
        int half = 0;
        if (count_levels(w, (int)clusters, &half) >= RECURS) {
            w->tail_from[clusters++] = half;
        } else {
            for (size_t j = i; j < l->n; j++) {
                l->cluster[j] = l->cluster[j] == (int)clusters ? IL_LIMITS_NONE : l->cluster[j];
            }
        }
    }
    return clusters;
}

/* Is run i in the finer half of its cluster? */
static bool in_tail(const judge *w, size_t i) {
    int k = w->l->cluster[i];
    return k != IL_LIMITS_NONE && w->steps[i].m >= w->tail_from[k];
}

static void measure_clusters(const judge *w) {
    il_limits *l = w->l;
    for (size_t k = 0; k < l->nclusters; k++) {
        int half = 0;
        l->clusters[k] = (il_limits_cluster){.separation = INFINITY};
        l->clusters[k].levels = count_levels(w, (int)k, &half);
        l->clusters[k].diameter = il_limits_tail(l, w->steps, w->D, (int)k, INT32_MIN);
        l->clusters[k].tail = il_limits_tail(l, w->steps, w->D, (int)k, w->tail_from[k]);
    }
    for (size_t i = 0; i < l->n; i++) {
        for (size_t j = 0; j < l->n; j++) {
            if (l->cluster[i] != l->cluster[j] && in_tail(w, i) && in_tail(w, j)) {
                il_limits_cluster *c = &l->clusters[l->cluster[i]];
                c->separation = fmin(c->separation, w->D[i * l->n + j]);
            }
        }
    }
}

/* Do the clusters at hand stand for several limits? */
static bool several(const il_limits *l) {
    bool good = l->nclusters >= 2;
    for (size_t k = 0; k < l->nclusters && good; k++) {
        const il_limits_cluster *c = &l->clusters[k];
        good = c->tail <= DECAY * c->diameter;
        for (size_t i = 0; i < l->nclusters && good; i++) {
            good = c->separation >= APART * l->clusters[i].tail;
        }
    }
    return good;
}

/* The highest cut that counts. */
static bool find_cut(judge *w) {
    il_limits *l = w->l;
    for (size_t joins = l->n - 1; joins > 0; joins--) {
        l->nclusters = number_components(w, joins);
        if (l->nclusters < 2) {
            continue;
        }
        measure_clusters(w);
        if (several(l)) {
            l->cut = 0.5 * (l->joins[joins - 1].height + l->joins[joins].height);
            return true;
        }
    }
    return false;
}

/* Everything is one cluster, or nothing is. */
static void take_all(judge *w, bool one) {
    il_limits *l = w->l;
    for (size_t i = 0; i < l->n; i++) {
        l->cluster[i] = one ? 0 : IL_LIMITS_NONE;
    }
    l->cut = INFINITY;
    l->nclusters = one ? 1 : 0;
    (void)count_levels(w, IL_LIMITS_NONE, &w->tail_from[0]);
    if (one) {
        measure_clusters(w);
    }
}

/* ---- members -------------------------------------------------------------------------------- */

static void find_medoids(const judge *w) {
    il_limits *l = w->l;
    for (size_t k = 0; k < l->nclusters; k++) {
        double best = INFINITY;
        for (size_t i = 0; i < l->n; i++) {
            double sum = 0.0;
            for (size_t j = 0; j < l->n && l->cluster[i] == (int)k && in_tail(w, i); j++) {
                sum += l->cluster[j] == (int)k && in_tail(w, j) ? w->D[i * l->n + j] : 0.0;
            }
            if (l->cluster[i] == (int)k && in_tail(w, i) && sum < best) {
                best = sum;
                l->clusters[k].medoid = i;
            }
        }
    }
}

/* Runs that linkage left out go to a medoid that is clearly the nearest. */
static void adopt(const judge *w) {
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

static void conclude(judge *w) {
    il_limits *l = w->l;
    double all = il_limits_tail(l, w->steps, w->D, IL_LIMITS_NONE, INT32_MIN);
    int half = 0;
    size_t levels = count_levels(w, IL_LIMITS_NONE, &half);
    double tail = il_limits_tail(l, w->steps, w->D, IL_LIMITS_NONE, half);
    if (levels < RECURS) {
        l->verdict = IL_LIMITS_INCONCLUSIVE;
        take_all(w, false);
        (void)snprintf(l->evidence, sizeof l->evidence,
                       "the runs have %zu level%s m of h = c 2^-m, and a limit needs %d", levels,
                       levels == 1 ? "" : "s", RECURS);
    } else if (find_cut(w)) {
        l->verdict = IL_LIMITS_SEVERAL;
        double widest = 0.0;
        double least = INFINITY;
        for (size_t k = 0; k < l->nclusters; k++) {
            widest = fmax(widest, l->clusters[k].tail);
            least = fmin(least, l->clusters[k].separation);
        }
        (void)snprintf(l->evidence, sizeof l->evidence,
                       "evidence of %zu limits: clusters that recur at three levels or more are at "
                       "least %.3g apart, and the finer halves of their levels at most %.3g wide",
                       l->nclusters, least, widest);
    } else if (tail <= DECAY * all) {
        l->verdict = IL_LIMITS_ONE;
        take_all(w, true);
        (void)snprintf(
            l->evidence, sizeof l->evidence,
            "evidence of one limit: the diameter falls from %.3g over all levels to %.3g "
            "over the finer half of them, and no cut leaves two clusters apart",
            all, tail);
    } else {
        l->verdict = IL_LIMITS_INCONCLUSIVE;
        take_all(w, false);
        (void)snprintf(
            l->evidence, sizeof l->evidence,
            "no evidence of one limit, for the diameter is %.3g over all levels and %.3g "
            "over the finer half of them; none of several, for no cut leaves two "
            "clusters that recur at three levels, shrink, and stay apart",
            all, tail);
    }
}

const char *il_limits_verdict_name(il_limits_verdict verdict) {
    static const char *const names[] = {"one limit", "several limits", "inconclusive"};
    return names[verdict];
}

static il_status check(const judge *w, il_error *err) {
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
    judge w = {.l = l, .steps = steps, .D = D};
    il_status status = IL_OK;
    *l = (il_limits){.n = n};
    l->joins = calloc(n, sizeof *l->joins);
    l->leaves = calloc(n, sizeof *l->leaves);
    l->cluster = calloc(n, sizeof *l->cluster);
    l->linked = calloc(n, sizeof *l->linked);
    l->clusters = calloc(n, sizeof *l->clusters);
    w.parent = malloc(2 * n * sizeof *w.parent);
    w.levels = malloc(n * sizeof *w.levels);
    w.tail_from = calloc(n, sizeof *w.tail_from);
    if (l->joins == NULL || l->leaves == NULL || l->cluster == NULL || l->linked == NULL ||
        l->clusters == NULL || w.parent == NULL || w.levels == NULL || w.tail_from == NULL) {
        status = il_fail(err, IL_ENOMEM, "no memory for the limits of %zu runs", n);
        goto done;
    }
    status = check(&w, err);
    if (status == IL_OK) {
        status = make_tree(l, D, err);
    }
    if (status == IL_OK) {
        conclude(&w);
        find_medoids(&w);
        adopt(&w);
        sort_clusters(l);
    }
done:
    free(w.parent);
    free(w.levels);
    free(w.tail_from);
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
