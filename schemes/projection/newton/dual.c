/*
 * dual.c - buffers, gaps and residuals on the dual of min 1/2 |x - t|_M^2, a + s B x >= 0.
 */
#include "schemes/projection/newton/dual.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/worse.h"

/* A gap is known to this many roundings of the numbers that it is made of. */
static const double ROUNDING = 8.0 * 2.2e-16;

/* No x nearer than this times the violations satisfies the rows: they contradict each other. Such
 * multipliers could not be held together with any tolerance in double precision. */
static const double FAR = 1e8;
static const double CANCELS = 1e-6; /* what cancels does so to some 1e-10 */

/* A factorisation is expensive when it multiplies this often for a number in the factor: solving
 * with it takes two, that wait for memory. */
static const double DEAR = 100.0; /* tuned: 25.0, 400.0 */

enum { OF_D = 3, OF_P = 16 };

/* The places of the buffers with d and with p numbers. */
static void list_buffers(il_dual *w, double **of_d[OF_D], double **of_p[OF_P]) {
    double **d[OF_D] = {&w->force, &w->y, &w->r};
    double **p[OF_P] = {&w->g,        &w->dg,         &w->z,       &w->dz,   &w->dl,   &w->c,
                        &w->delassus, &w->w,          &w->kept,    &w->best, &w->base, &w->base_g,
                        &w->delta,    &w->compliance, &w->inverse, &w->given};
    memcpy(of_d, d, sizeof d);
    memcpy(of_p, p, sizeof p);
}

void il_dual_init(il_dual *w) {
    *w = (il_dual){.factor = il_sparse_create()};
}

void il_dual_share(il_dual *w, il_team *team) {
    w->team = team;
    il_sparse_share(w->factor, team);
}

void il_dual_free(il_dual *w) {
    double **of_d[OF_D];
    double **of_p[OF_P];
    list_buffers(w, of_d, of_p);
    for (size_t k = 0; k < OF_D; k++) {
        free(*of_d[k]);
    }
    for (size_t k = 0; k < OF_P; k++) {
        free(*of_p[k]);
    }
    free(w->which);
    free(w->from);
    free(w->of);
    free(w->active);
    il_sparse_destroy(w->factor);
}

/* Half as much again as is asked for: rows come in rounds. */
static void reserve(il_dual *w, size_t d, size_t p) {
    double **of_d[OF_D];
    double **of_p[OF_P];
    size_t room = p + p / 2;
    list_buffers(w, of_d, of_p);
    if (d > w->room_d) {
        for (size_t k = 0; k < OF_D; k++) {
            il_memory_grow(of_d[k], d, sizeof(double));
        }
        il_memory_grow(&w->from, d + 2, sizeof *w->from);
        il_memory_grow(&w->which, d, sizeof *w->which);
        w->room_d = d;
    }
    if (p <= w->room_p) {
        return;
    }
    for (size_t k = 0; k < OF_P; k++) {
        il_memory_grow(of_p[k], room, sizeof(double));
    }
    il_memory_grow(&w->active, room, sizeof(bool));
    w->room_p = room;
}

/* ---- loops that a team shares ---------------------------------------------------------------- */

enum { GRAIN = 1024 }; /* rows or coordinates: some microseconds */

size_t il_dual_each(const il_dual *w, size_t n, il_dual_items work, void *context) {
    return il_team_loop(w->team, n, GRAIN, work, context);
}

/* The rows by coordinates. */
static void transpose(il_dual *w, const il_qp *qp) {
    const il_rows *rows = qp->rows;
    size_t *from = w->from;
    if (rows->nnz > w->room_nnz) {
        il_memory_grow(&w->of, rows->nnz + rows->nnz / 2, sizeof *w->of);
        w->room_nnz = rows->nnz + rows->nnz / 2;
    }
    memset(from, 0, (qp->d + 2) * sizeof *from);
    for (size_t e = 0; e < rows->nnz; e++) {
        from[rows->col[e] + 2]++;
    }
    for (size_t k = 2; k < qp->d + 2; k++) {
        from[k] += from[k - 1];
    }
    for (size_t i = 0; i < rows->p; i++) {
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            w->of[from[rows->col[e] + 1]++] = (il_dual_entry){i, rows->coef[e]};
        }
    }
    w->touched = 0;
    for (size_t k = 0; k < qp->d; k++) { /* from[touched] is no later than from[k] */
        if (from[k + 1] > from[k]) {
            from[w->touched] = from[k];
            w->which[w->touched++] = k;
        }
    }
    from[w->touched] = rows->nnz;
}

typedef struct {
    const il_dual *w;
    double scale;
    const double *c, *skip;
    double *y;
    il_dual_items then;
    void *context;
} push;

static void push_items(void *context, size_t part, size_t first, size_t last) {
    const push *s = context;
    (void)part;
    for (size_t t = first; t < last; t++) {
        double y = s->y[s->w->which[t]];
        for (size_t e = s->w->from[t]; e < s->w->from[t + 1]; e++) {
            size_t i = s->w->of[e].row;
            if (s->skip == NULL || s->skip[i] != 0.0) {
                y += s->scale * s->c[i] * s->w->of[e].coef;
            }
        }
        s->y[s->w->which[t]] = y;
    }
}

static void push_rows(const push *s, const il_rows *rows) {
    for (size_t i = 0; i < rows->p; i++) {
        if (s->skip == NULL || s->skip[i] != 0.0) {
            // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there are p of c
            il_rows_axpy(rows, i, s->scale * s->c[i], s->y);
        }
    }
}

void il_dual_push(const il_dual *w, const il_qp *qp, double scale, const double *c,
                  // NOLINTNEXTLINE(readability-non-const-parameter): push_items() writes y
                  const double *skip, double *y) {
    push s = {.w = w, .scale = scale, .c = c, .skip = skip, .y = y};
    if (w->team != NULL) {
        (void)il_dual_each(w, w->touched, push_items, &s);
    } else {
        push_rows(&s, qp->rows);
    }
}

/* How many of the coordinates that rows touch are less than k. */
static size_t touched_before(const il_dual *w, size_t k) {
    size_t low = 0;
    size_t high = w->touched;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (w->which[middle] < k) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void pull_items(void *context, size_t part, size_t first, size_t last) {
    push *s = context;
    memset(s->y + first, 0, (last - first) * sizeof *s->y);
    push_items(s, part, touched_before(s->w, first), touched_before(s->w, last));
    if (s->then != NULL) {
        s->then(s->context, part, first, last);
    }
}

/* One after the other on one thread: by rows is faster than by coordinates. */
void il_dual_pull(const il_dual *w, const il_qp *qp, const il_dual_sum *sum, il_dual_items then,
                  void *context) {
    push s = {w, qp->scale, sum->c, sum->skip, sum->y, then, context};
    if (w->team != NULL) {
        (void)il_dual_each(w, qp->d, pull_items, &s);
        return;
    }
    memset(sum->y, 0, qp->d * sizeof *sum->y);
    push_rows(&s, qp->rows);
    if (then != NULL) {
        then(context, 0, 0, qp->d);
    }
}

/* ---- gaps and residuals ---------------------------------------------------------------------- */

il_status il_dual_begin(il_dual *w, const il_qp *qp) {
    const il_rows *rows = qp->rows;
    w->iterations = 0;
    w->mass = il_metric_masses(qp->mass);
    if (w->mass == NULL) {
        return IL_EUNSUPPORTED;
    }
    reserve(w, qp->d, rows->p);
    if (w->team != NULL) {
        transpose(w, qp);
    }
    il_projection_delassus(qp, w->mass, w->delassus);
    if (rows->p > 0) { /* else there may be no array */
        memset(w->active, 0, rows->p * sizeof *w->active);
    }
    w->analysed = false;
    w->factored = false;
    w->changed = 0;
    return IL_OK;
}

il_status il_dual_analyse(il_dual *w, const il_qp *qp) {
    if (w->analysed) {
        return IL_OK;
    }
    il_status status = il_sparse_analyse(w->factor, qp->d, qp->rows);
    w->analysed = status == IL_OK;
    return status;
}

/* The extremes of the gaps of some rows. */
typedef struct {
    double residual, size, scaled, deepest;
    bool lost; /* a gap is NaN */
} gaps;

typedef struct {
    il_dual *w;
    const il_qp *qp;
    const double *lambda;
    double *x;
    gaps of[IL_TEAM_LOOP];
} evaluation;

static void displace(void *context, size_t part, size_t first, size_t last) {
    const evaluation *s = context;
    (void)part;
    for (size_t k = first; k < last; k++) {
        s->x[k] = s->w->force[k] / s->w->mass[k] + s->qp->target[k];
    }
}

static void evaluate(void *context, size_t part, size_t first, size_t last) {
    evaluation *s = context;
    const il_rows *rows = s->qp->rows;
    gaps most = {0.0, 0.0, 0.0, 0.0, false};
    for (size_t i = first; i < last; i++) {
        double g = s->qp->a[i];
        double sum = fabs(g);
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            double c = s->qp->scale * rows->coef[e] * s->x[rows->col[e]];
            g += c;
            sum += fabs(c);
        }
        s->w->g[i] = g;
        double alone = s->lambda[i] * s->w->delassus[i];
        double off = fabs(il_lesser(alone, g));
        most.residual = off > most.residual ? off : most.residual;
        most.scaled = alone > most.scaled ? alone : most.scaled;
        most.size = sum > most.size ? sum : most.size;
        most.deepest = -g > most.deepest ? -g : most.deepest;
        most.lost = most.lost || isnan(g);
    }
    s->of[part] = most;
}

// NOLINTNEXTLINE(readability-non-const-parameter): displace() writes x
double il_dual_evaluate(il_dual *w, const il_qp *qp, const double *lambda, double *x,
                        double *deepest) {
    evaluation s = {.w = w, .qp = qp, .lambda = lambda, .x = x};
    gaps most = {0.0, 0.0, 0.0, 0.0, false};
    const il_dual_sum force = {.c = lambda, .skip = lambda, .y = w->force};
    il_dual_pull(w, qp, &force, displace, &s);
    size_t parts = il_dual_each(w, qp->rows->p, evaluate, &s);
    for (size_t k = 0; k < parts; k++) {
        most.residual = fmax(most.residual, s.of[k].residual);
        most.scaled = fmax(most.scaled, s.of[k].scaled);
        most.size = fmax(most.size, s.of[k].size);
        most.deepest = fmax(most.deepest, s.of[k].deepest);
        most.lost = most.lost || s.of[k].lost;
    }
    *deepest = most.deepest;
    if (most.lost) {
        return NAN;
    }
    w->rounding = ROUNDING * most.size;
    w->noise = fmax(w->rounding, ROUNDING * most.scaled);
    return most.residual;
}

/* For any lambda >= 0 a point x that satisfies the rows has
 * |x - t|_M |s B' lambda|_{M^-1} >= -lambda' (a + s B t): beyond reach, and none at all where
 * B' lambda = 0 (Farkas), which it is to a part CANCELS of its terms. Heavy bodies may have to be
 * far away in the norm of M alone. */
bool il_dual_contradictory(il_dual *w, const il_qp *qp, const double *lambda) {
    double pull = 0.0;
    double reach = 0.0;
    double force2 = 0.0;
    double terms2 = 0.0;
    const il_rows *rows = qp->rows;
    double *terms = w->y;
    memset(terms, 0, qp->d * sizeof *terms);
    for (size_t i = 0; i < rows->p; i++) {
        double g = qp->a[i] + qp->scale * il_rows_dot(rows, i, qp->target);
        pull -= lambda[i] * g;
        reach = fmax(reach, -g / sqrt(w->delassus[i]));
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            terms[rows->col[e]] += fabs(qp->scale * rows->coef[e]) * lambda[i];
        }
    }
    const il_dual_sum force = {.c = lambda, .y = w->force};
    il_dual_pull(w, qp, &force, NULL, NULL);
    for (size_t k = 0; k < qp->d; k++) {
        force2 += w->force[k] * w->force[k] / w->mass[k];
        terms2 += terms[k] * terms[k] / w->mass[k];
    }
    return pull > FAR * reach * sqrt(force2) && sqrt(force2) <= CANCELS * sqrt(terms2);
}

bool il_dual_factor_is_dear(const il_dual *w) {
    return il_sparse_work(w->factor) > DEAR * (double)il_sparse_size(w->factor);
}
