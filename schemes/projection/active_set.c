/*
 * active_set.c - the dual active-set method of Goldfarb & Idnani (1983) for
 *
 *     min 1/2 |y - z|^2,   a_i + <n_i, y> >= 0,   y = L' x, z = L' t, n_i = s L^{-1} b_i, M = L L'.
 *
 * It starts from the free minimiser and takes up violated rows one at a time; each full step
 * increases the dual, so it ends after finitely many. The normals of the working set are kept as
 * N = Q R with Q orthonormal (d x k, Gram-Schmidt done twice) and R triangular, updated when a row
 * enters and by Givens rotations when one leaves. A violated row that depends on the working set
 * has no primal step: its dual step drops a row (degenerate crystals), and if none can be dropped
 * the rows contradict each other.
 *
 * At the end x and lambda are computed afresh from the working set, so the answer carries the
 * rounding of one small triangular solve and not that of the path to it, and then x from lambda.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/base/vector.h"
#include "schemes/projection/projector.h"

/* A row whose part outside the span of the working set is shorter than this, relative to the row,
 * is dependent: Gram-Schmidt done twice leaves about 1e-16, and a genuine angle as small as 1e-11
 * would ask for multipliers that a double cannot hold together with a tolerance of 1e-12. */
static const double DEPENDENT = 1e-11;

/* A row is violated when a_i + s <b_i, x> is below -VIOLATED (|a_i| + s sum |b_ik| (|x_k| + m_k))
 * with m_k = |t_k| + sum_j |(L^{-T} Q_j)_k c_j|: about ten roundings of the numbers that x
 * was made from. Multipliers that cancel (a body held between two walls) leave an x_k far smaller
 * than they are, so |x_k| alone would not do. */
static const double VIOLATED = 2e-15;
static const double LOST = 1e-10;

/* Corrections of the multipliers at the end, at most. */
enum { REFINEMENTS = 8 };

typedef struct {
    size_t room_d, room_k, room_p;
    double *y;     /* [d] */
    double *z;     /* [d] L' t */
    double *n;     /* [d] normal at hand, whitened */
    double *dir;   /* [d] its part orthogonal to the working set */
    double *force; /* [d] */
    double *made;  /* [d] m_k: the size of the terms of x */
    double *q;     /* [room_k][room_d] orthonormal columns */
    double *r;     /* [room_k][room_k] R by columns: entry (i,j) at r[j * room_k + i] */
    double *u;     /* [room_k] multipliers of the working set */
    double *step;  /* [room_k] their change per unit step */
    double *coef;  /* [room_k] Q' n */
    size_t *set;   /* [room_k] working set */
    size_t *used;  /* [room_d] coordinates where some normal is not 0, `nused` of them */
    size_t nused;
    double *length; /* [room_p] |n_i| */
    bool *in;       /* [room_p] */
    size_t k;       /* size of the working set */
} active_set;

static const char *refuses(void *self, const il_qp *qp) {
    (void)self;
    (void)qp;
    return NULL;
}

static il_status create(void **self, const il_projector_options *options, il_error *err) {
    (void)options;
    (void)err;
    *self = il_alloc_zero(1, sizeof(active_set));
    return IL_OK;
}

static void destroy(void *self) {
    active_set *w = self;
    if (w == NULL) {
        return;
    }
    double **numbers[] = {&w->made, &w->y, &w->z, &w->n,    &w->dir,  &w->force,
                          &w->q,    &w->r, &w->u, &w->step, &w->coef, &w->length};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        free(*numbers[i]);
    }
    free(w->set);
    free(w->used);
    free(w->in);
    free(w);
}

/* Room for d coordinates and p rows; the working set never exceeds min(d, p). Contents are lost. */
static void reserve(active_set *w, size_t d, size_t p) {
    size_t k = (d < p ? d : p) + 1;
    size_t number = sizeof(double);
    if (d > w->room_d || k > w->room_k) {
        size_t dd = d > w->room_d ? d : w->room_d;
        size_t kk = k > w->room_k ? k : w->room_k;
        void *const of_d[] = {&w->y, &w->z, &w->n, &w->dir, &w->force, &w->made, NULL};
        void *const of_k[] = {&w->u, &w->step, &w->coef, NULL};
        il_memory_grow_all(of_d, dd, number);
        il_memory_grow_all(of_k, kk, number);
        il_memory_grow(&w->q, kk * dd, number);
        il_memory_grow(&w->r, kk * kk, number);
        il_memory_grow(&w->set, kk, sizeof *w->set);
        il_memory_grow(&w->used, dd, sizeof *w->used);
        w->room_d = dd;
        w->room_k = kk;
    }
    if (p > w->room_p) {
        il_memory_grow(&w->length, p, number);
        il_memory_grow(&w->in, p, sizeof *w->in);
        w->room_p = p;
    }
}

/* n = s L^{-1} b_i, dense. */
static void normal(const il_qp *qp, size_t i, double *n) {
    memset(n, 0, qp->d * sizeof *n);
    il_rows_axpy(qp->rows, i, qp->scale, n);
    il_metric_whiten(qp->mass, n, n);
}

/* Which coordinates are used: those of the rows, or all where M is not diagonal. A few rows among
 * many bodies use few. */
static void find_used(active_set *w, const il_qp *qp) {
    const il_rows *rows = qp->rows;
    bool diagonal = il_metric_masses(qp->mass) != NULL;
    w->nused = 0;
    for (size_t c = 0; c < qp->d; c++) {
        w->made[c] = 0.0; /* not yet */
        w->used[c] = c;
    }
    for (size_t e = 0; diagonal && e < rows->nnz; e++) {
        if (w->made[rows->col[e]] == 0.0) {
            w->made[rows->col[e]] = 1.0;
            w->used[w->nused++] = rows->col[e];
        }
    }
    w->nused = diagonal ? w->nused : qp->d;
}

/* dir = part of n orthogonal to Q, coef = Q' n; Gram-Schmidt twice. Returns |dir|. */
static double split(active_set *w, size_t d) {
    memcpy(w->dir, w->n, d * sizeof *w->dir);
    memset(w->coef, 0, (w->k + 1) * sizeof *w->coef);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t j = 0; j < w->k; j++) {
            const double *column = w->q + j * w->room_d;
            double c = il_dot(column, w->dir, d);
            w->coef[j] += c;
            for (size_t e = 0; e < w->nused; e++) {
                w->dir[w->used[e]] -= c * column[w->used[e]];
            }
        }
    }
    return sqrt(il_dot(w->dir, w->dir, d));
}

/* x = R^{-1} b and x = R^{-T} b, in place, for the leading k x k block. */
static void solve_upper(const active_set *w, double *b) {
    for (size_t j = w->k; j-- > 0;) {
        b[j] /= w->r[j * w->room_k + j];
        for (size_t i = 0; i < j; i++) {
            b[i] -= w->r[j * w->room_k + i] * b[j];
        }
    }
}

static void solve_upper_transposed(const active_set *w, double *b) {
    for (size_t j = 0; j < w->k; j++) {
        for (size_t i = 0; i < j; i++) {
            b[j] -= w->r[j * w->room_k + i] * b[i];
        }
        b[j] /= w->r[j * w->room_k + j];
    }
}

/* Row i, split by `split`, enters with multiplier u. */
static void enter(active_set *w, size_t d, size_t i, double length, double u) {
    double *column = w->q + w->k * w->room_d;
    double *r = w->r + w->k * w->room_k;
    for (size_t j = 0; j < d; j++) {
        column[j] = w->dir[j] / length;
    }
    memcpy(r, w->coef, w->k * sizeof *r);
    r[w->k] = length;
    w->u[w->k] = u;
    w->set[w->k] = i;
    w->in[i] = true;
    w->k++;
}

/* Place j leaves: columns move up and Givens rotations make R triangular again. */
static void leave(active_set *w, size_t d, size_t j) {
    w->in[w->set[j]] = false;
    for (size_t c = j; c + 1 < w->k; c++) {
        double *r = w->r + c * w->room_k;
        memcpy(r, r + w->room_k, (c + 2) * sizeof *r);
        w->u[c] = w->u[c + 1];
        w->set[c] = w->set[c + 1];
    }
    w->k--;
    for (size_t c = j; c < w->k; c++) {
        double a = w->r[c * w->room_k + c];
        double b = w->r[c * w->room_k + c + 1];
        double length = il_hypot(a, b);
        double cosine = a / length;
        double sine = b / length;
        for (size_t e = c; e < w->k; e++) {
            double *r = w->r + e * w->room_k;
            double upper = r[c];
            r[c] = cosine * upper + sine * r[c + 1];
            r[c + 1] = -sine * upper + cosine * r[c + 1];
        }
        double *p = w->q + c * w->room_d;
        double *q = p + w->room_d;
        for (size_t i = 0; i < d; i++) {
            double upper = p[i];
            p[i] = cosine * upper + sine * q[i];
            q[i] = -sine * upper + cosine * q[i];
        }
    }
}

/* a_i + s <b_i, x>, and the size of the numbers that its rounding comes from. */
static double value(const active_set *w, const il_qp *qp, size_t i, const double *x, double *size) {
    double g = qp->a[i];
    *size = fabs(g);
    for (size_t e = qp->rows->start[i]; e < qp->rows->start[i + 1]; e++) {
        double c = qp->scale * qp->rows->coef[e];
        size_t k = qp->rows->col[e];
        g += c * x[k];
        *size += fabs(c) * (fabs(x[k]) + w->made[k]);
    }
    return g;
}

/* The row violated most, measured along its normal; p if none is. *bad if a value is NaN. */
static size_t most_violated(const active_set *w, const il_qp *qp, const double *x, bool *bad) {
    size_t worst = qp->rows->p;
    double depth = 0.0;
    for (size_t i = 0; i < qp->rows->p; i++) {
        double size = 0.0;
        double g = value(w, qp, i, x, &size);
        *bad |= isnan(g);
        if (w->in[i] || !(g < -VIOLATED * size)) {
            continue;
        }
        double d = w->length[i] > 0.0 ? -g / w->length[i] : INFINITY;
        if (d > depth) {
            depth = d;
            worst = i;
        }
    }
    return worst;
}

/* How far the multipliers allow: the least u_j / step_j over shrinking ones; *place is that j. */
static double dual_limit(const active_set *w, size_t *place) {
    double t = INFINITY;
    for (size_t j = 0; j < w->k; j++) {
        if (w->step[j] > 0.0 && w->u[j] / w->step[j] < t) {
            t = w->u[j] / w->step[j];
            *place = j;
        }
    }
    return t;
}

/* Take up row i: steps and drops until it holds. */
static il_status take_up(active_set *w, const il_qp *qp, size_t i, size_t *iterations,
                         size_t limit) {
    size_t d = qp->d;
    double u = 0.0;
    normal(qp, i, w->n);
    for (;;) {
        if (++*iterations > limit) {
            return IL_ESTALLED;
        }
        double outside = split(w, d);
        memcpy(w->step, w->coef, w->k * sizeof *w->step);
        solve_upper(w, w->step);
        size_t place = 0;
        double t_dual = dual_limit(w, &place);
        double t_primal = INFINITY;
        if (outside > DEPENDENT * w->length[i]) {
            double g = qp->a[i] + il_dot(w->n, w->y, d);
            t_primal = fmax(0.0, -g) / (outside * outside);
        }
        double t = fmin(t_dual, t_primal);
        if (!isfinite(t)) {
            return isnan(t) ? IL_ENUMERIC : IL_EINFEASIBLE;
        }
        for (size_t j = 0; j < w->k; j++) {
            w->u[j] -= t * w->step[j];
        }
        u += t;
        if (isfinite(t_primal)) {
            for (size_t c = 0; c < d; c++) {
                w->y[c] += t * w->dir[c];
            }
        }
        if (t_primal <= t_dual) {
            enter(w, d, i, outside, u);
            return IL_OK;
        }
        leave(w, d, place);
    }
}

/* x = t + L^{-T} Q c, and m_k = |t_k| + |x - t|_inf + sum_j |(L^{-T} Q_j)_k c_j| (for a mass matrix
 * that is not diagonal with absolute values inside L^{-T}: an estimate). */
static void move(active_set *w, const il_qp *qp, const double *c, double *x) {
    memset(w->force, 0, qp->d * sizeof *w->force);
    memset(w->made, 0, qp->d * sizeof *w->made);
    for (size_t j = 0; j < w->k; j++) {
        const double *column = w->q + j * w->room_d;
        for (size_t e = 0; e < w->nused; e++) {
            size_t i = w->used[e];
            w->force[i] += column[i] * c[j];
            w->made[i] += fabs(column[i] * c[j]);
        }
    }
    il_metric_unwhiten(qp->mass, w->force, w->force);
    il_metric_unwhiten(qp->mass, w->made, w->made);
    double moved = 0.0;
    for (size_t i = 0; i < qp->d; i++) {
        x[i] = qp->target[i] + w->force[i];
        moved = fmax(moved, fabs(w->force[i]));
    }
    for (size_t i = 0; i < qp->d; i++) {
        w->made[i] = fabs(w->made[i]) + fabs(qp->target[i]) + moved;
    }
}

/* On the working set: R' c = -(a + N' z), x from c, u = R^{-1} c. x goes by the orthonormal columns
 * and not by the multipliers, which nearly dependent rows make large and uncertain: the rows then
 * hold to rounding all the same. */
static void polish(active_set *w, const il_qp *qp, double *x, double *lambda) {
    for (size_t i = 0; i < qp->rows->p; i++) {
        lambda[i] = 0.0;
    }
    for (size_t j = 0; j < w->k; j++) {
        w->coef[j] = -(qp->a[w->set[j]] + qp->scale * il_rows_dot(qp->rows, w->set[j], qp->target));
    }
    solve_upper_transposed(w, w->coef);
    move(w, qp, w->coef, x);
    solve_upper(w, w->coef);
    for (size_t j = 0; j < w->k; j++) {
        w->u[j] = fmax(0.0, w->coef[j]);
        lambda[w->set[j]] = w->u[j];
    }
}

/* Rows of the working set hold by construction; nearly parallel ones may lose that to rounding, and
 * then the answer is not one. LOST is what an ill-conditioned set may keep of sixteen digits. */
static bool set_holds(const active_set *w, const il_qp *qp, const double *x) {
    for (size_t j = 0; j < w->k; j++) {
        double size = 0.0;
        if (!(fabs(value(w, qp, w->set[j], x, &size)) <= LOST * size) && w->u[j] > 0.0) {
            return false;
        }
    }
    return true;
}

/* y = L' x: L' = L^{-1} M. */
static void whitened_point(const il_qp *qp, const double *x, double *y) {
    il_metric_mul(qp->mass, x, y);
    il_metric_whiten(qp->mass, y, y);
}

/* The answer once more, by its multipliers: x = t + s M^{-1} B' lambda to rounding, whatever
 * lambda, while nearly dependent rows leave lambda, and so the gaps, uncertain. What the gaps of
 * the working set then miss is taken back by corrections R' R du = -g, each of which leaves
 * cond(R)^2 roundings of the last. The best is kept. */
static void belong(active_set *w, const il_qp *qp, double *x, double *lambda) {
    double best = INFINITY;
    memcpy(w->step, w->u, w->k * sizeof *w->u);
    for (int pass = 0; pass < REFINEMENTS; pass++) {
        double missed = 0.0;
        il_projection_from_multipliers(qp, lambda, w->force, x);
        for (size_t j = 0; j < w->k; j++) {
            double size = 0.0;
            w->coef[j] = -value(w, qp, w->set[j], x, &size);
            missed = w->u[j] > 0.0 ? fmax(missed, fabs(w->coef[j]) / size) : missed;
        }
        if (!(missed < best)) {
            break;
        }
        best = missed;
        memcpy(w->step, w->u, w->k * sizeof *w->u);
        solve_upper_transposed(w, w->coef);
        solve_upper(w, w->coef);
        for (size_t j = 0; j < w->k; j++) {
            w->u[j] = fmax(0.0, w->u[j] + w->coef[j]);
            lambda[w->set[j]] = w->u[j];
        }
    }
    for (size_t j = 0; j < w->k; j++) {
        lambda[w->set[j]] = w->u[j] = w->step[j];
    }
    il_projection_from_multipliers(qp, lambda, w->force, x);
}

static il_status solve(void *self, const il_qp *qp, double *x, double *lambda,
                       il_projection_info *info) {
    active_set *w = self;
    size_t p = qp->rows->p;
    *info = (il_projection_info){.method = "active_set"};
    reserve(w, qp->d, p);
    w->k = 0;
    find_used(w, qp);
    for (size_t i = 0; i < p; i++) {
        normal(qp, i, w->n);
        w->length[i] = sqrt(il_dot(w->n, w->n, qp->d));
        w->in[i] = false;
    }
    whitened_point(qp, qp->target, w->z);
    size_t limit = 100 + 20 * (p + qp->d); /* far above what finite termination has ever needed */
    for (;;) {
        polish(w, qp, x, lambda);
        bool bad = false;
        size_t i = most_violated(w, qp, x, &bad);
        if (bad) {
            return IL_ENUMERIC;
        }
        if (i == p) {
            belong(w, qp, x, lambda);
            if (!set_holds(w, qp, x)) { /* forces of heavy bodies that cancel on a light one */
                polish(w, qp, x, lambda);
            }
            return il_projection_finite(qp, x, lambda, set_holds(w, qp, x) ? IL_OK : IL_ESTALLED);
        }
        whitened_point(qp, x, w->y);
        il_status status =
            il_interrupted() ? IL_EINTERRUPTED : take_up(w, qp, i, &info->iterations, limit);
        if (status != IL_OK) {
            polish(w, qp, x, lambda);
            il_projection_from_multipliers(qp, lambda, w->force, x);
            return il_projection_finite(qp, x, lambda, status);
        }
    }
}

const il_projector_type il_projector_active_set = {
    .name = "active_set",
    .title = "dual active-set method, exact for small and medium problems",
    .statement =
        "Goldfarb & Idnani's method on the dual with an updated QR factorisation: finite, to\n"
        "rounding, degenerate and dependent rows handled, contradictory rows detected. Memory\n"
        "d min(d,p), a few hundred active rows at ease.",
    .source = "Goldfarb & Idnani 1983, Mathematical Programming 27",
    .finite = true,
    .untolerant = true,
    .refuses = refuses,
    .create = create,
    .solve = solve,
    .destroy = destroy};
