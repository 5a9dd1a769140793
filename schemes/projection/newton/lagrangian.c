/*
 * lagrangian.c - the augmented Lagrangian, its inner problem by semismooth Newton.
 *
 *     lambda <- of each pair (lambda_i, g_i) the smaller is taken for zero
 *     repeat until |min(lambda_i W_ii, g_i)| is rounding, or no longer halves              (outer)
 *         raise sigma if the last outer iteration gained less than two digits
 *         repeat until no row comes or goes                                                (inner)
 *             solve (M + s^2 B' diag(w) B) dy = -gradient, w_i = sigma_i on active rows
 *             y <- y + alpha dy, alpha = 1 while few rows change (primal-dual active sets,
 *                 Hintermueller, Ito & Kunisch 2003), else by exact line search (Li, Sun & Toh
 *                 2018)
 *         lambda <- max(0, lambda - sigma g(y))
 *
 * The inner problem is piecewise quadratic and strictly convex; with exact line searches Newton's
 * method ends after finitely many steps (Sun 1997). A singular B M^{-1} B' (more contacts than
 * unknowns) costs nothing: the outer iteration is a proximal step on the dual and moves within its
 * range. Every outer iteration starts from x(lambda) = t + s M^{-1} B' lambda and works with the
 * displacement from there, so that what is subtracted shrinks along with the error and the last
 * digits are those of g.
 */
#include "schemes/projection/newton/phases.h"

#include <math.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/worse.h"

/* sigma_i W_ii, the penalty relative to the compliance of a row on its own. An outer iteration
 * shrinks the error by 1/(sigma w), w the least nonzero eigenvalue of the scaled B M^{-1} B': about
 * 1e-4 for 2000 packed discs, but down to the ratio of masses where a light body is squeezed
 * between heavy ones. So the penalty starts small, which keeps H well conditioned, and is raised
 * while an outer iteration gains less than two digits. */
static const double PENALTY_FIRST = 1e6;   /* tuned: 1e4, 1e8 */
static const double PENALTY_SET = 1e8;     /* of an identified set: three digits an iteration */
static const double PENALTY_MOST = 1e13;   /* leaves three digits of H */
static const double PENALTY_GROWTH = 30.0; /* tuned: 5.0, 200.0 */
static const double GAIN = 1e-2;           /* tuned: 1e-3, 1e-1 */

/* Where the factor at hand is that of the active rows, an iteration costs a solve, and a larger
 * penalty a factorisation: only once iterations gain no more than this. */
static const double GAIN_KEPT = 0.3; /* tuned: 0.1, 0.6 */

/* Outer iterations go on while they halve the residual, as multipliers of light bodies between
 * heavy ones may improve with it; once it is within SETTLED of rounding, no longer than that: a
 * guess that is the answer is then seen to be (tests/projection/test_newton.c). */
static const double SETTLED = 4.0; /* tuned: 1.0, 16.0 */

/* Gaps of discs at rest are the rounding of their places, which no multipliers mend: iterations
 * then no longer halve what they leave. That is an answer where it is so much better than any must
 * be: 1e-14, the rounding of places up to 45. */
static const double PLACES = 0.01;

/* The first Newton step is taken in full if it changes at most one row in so many: else a guess
 * that is nearly the answer misleads. */
enum { FULL = 100 }; /* tuned: 25, 400 */

/* Outer iterations; Newton steps of one; and how many of those may be taken in full. */
enum { MAX_OUTER = 60, MAX_STEPS = 60, MAX_FULL = 10 };

double il_lagrangian_first_penalty(void) {
    return PENALTY_FIRST;
}

void il_lagrangian_start_from_set(il_lagrangian *self) {
    self->from_set = true;
    self->penalty = fmax(self->penalty, PENALTY_SET);
}

double il_lagrangian_larger_penalty(double penalty) {
    return fmin(PENALTY_MOST, PENALTY_GROWTH * penalty);
}

/* dl, the weights of H and the negative gradient -M y + s B' dl at the point at hand; of a start
 * from a set, as if the active rows in lambda were the active ones. Returns how many rows are
 * active that were not, or the reverse. */
static size_t gradient(const il_lagrangian *self, const il_qp *qp, const double *lambda) {
    il_dual *w = self->dual;
    size_t changes = 0;
    for (size_t k = 0; k < qp->d; k++) {
        w->r[k] = -w->mass[k] * w->y[k];
    }
    for (size_t i = 0; i < qp->rows->p; i++) {
        double sigma = self->penalty / w->delassus[i];
        bool on = self->from_set ? lambda[i] > 0.0 : lambda[i] - sigma * w->g[i] > 0.0;
        w->dl[i] = on ? -sigma * w->g[i] : -lambda[i];
        w->w[i] = on ? qp->scale * qp->scale * sigma : 0.0;
        changes += on != w->active[i];
        w->active[i] = on;
    }
    il_dual_push(w, qp, qp->scale, w->dl, w->dl, w->r);
    return changes;
}

/* The factor for the active rows at hand, and the direction r = H^{-1} r. */
static il_status factorise(il_dual *w, const il_qp *qp) {
    il_status status = il_dual_analyse(w, qp);
    if (status != IL_OK) {
        return status;
    }
    w->changed = 0;
    w->iterations++;
    status = il_sparse_factor(w->factor, w->mass, qp->rows, w->w, w->r);
    w->factored = status == IL_OK;
    return status;
}

/* The Newton direction, from the negative gradient in r: by the factor at hand where it is that of
 * the active rows, else by a new one. IL_ESTALLED when that would be one more than the limit. */
static il_status direct(il_dual *w, const il_qp *qp, size_t limit) {
    if (w->factored && w->changed == 0) {
        il_sparse_solve(w->factor, w->r);
        return IL_OK;
    }
    return w->iterations < limit ? factorise(w, qp) : IL_ESTALLED;
}

/* The derivative of the augmented Lagrangian at y + alpha dy (dy in r), and its slope there. */
static double derivative(const il_lagrangian *self, const il_qp *qp, const double *lambda,
                         double alpha, double linear, double square, double *slope) {
    const il_dual *w = self->dual;
    double d = linear + alpha * square;
    *slope = square;
    for (size_t i = 0; i < qp->rows->p; i++) {
        double sigma = self->penalty / w->delassus[i];
        double g = w->g[i] + alpha * w->dg[i];
        if (lambda[i] - sigma * g > 0.0) {
            d += sigma * g * w->dg[i];
            *slope += sigma * w->dg[i] * w->dg[i];
        } else {
            d += lambda[i] * w->dg[i];
        }
    }
    return d;
}

/* Exact line search: the derivative is continuous, increasing and piecewise linear in alpha, so
 * Newton's method kept inside a bracket ends on the piece that holds the zero. */
static double search(const il_lagrangian *self, const il_qp *qp, const double *lambda) {
    const il_dual *w = self->dual;
    static const double FLAT =
        0.1; /* of the derivative at 0, as is usual (Nocedal & Wright 2006) */
    double linear = 0.0;
    double square = 0.0;
    for (size_t k = 0; k < qp->d; k++) {
        linear += w->mass[k] * w->y[k] * w->r[k];
        square += w->mass[k] * w->r[k] * w->r[k];
    }
    double slope = 0.0;
    double start = fabs(derivative(self, qp, lambda, 0.0, linear, square, &slope));
    double low = 0.0;
    double high = INFINITY;
    double alpha = 1.0;
    for (int k = 0; k < 40; k++) {
        double d = derivative(self, qp, lambda, alpha, linear, square, &slope);
        if (!(fabs(d) > FLAT * start)) {
            break;
        }
        if (d > 0.0) {
            high = alpha;
        } else {
            low = alpha;
        }
        double next = alpha - d / slope;
        bool inside = next > low && next < high;
        alpha = inside ? next : high < INFINITY ? 0.5 * (low + high) : 2.0 * alpha;
    }
    return alpha;
}

/* max_k |r_k|/M_k. */
static double drift_of(const il_dual *w, size_t d) {
    double drift = 0.0;
    for (size_t k = 0; k < d; k++) {
        drift = il_greater(fabs(w->r[k]) / w->mass[k], drift);
    }
    return drift;
}

/* One outer iteration: lambda <- lambda + dl at the minimiser. IL_ESTALLED when iterations reach
 * the limit before the set of active rows has settled; lambda is then as it was. */
static il_status proximal(il_lagrangian *self, const il_qp *qp, double *lambda, size_t limit) {
    il_dual *w = self->dual;
    size_t p = qp->rows->p;
    memset(w->y, 0, qp->d * sizeof *w->y);
    w->changed += gradient(self, qp, lambda);
    bool settled = false;
    bool full = true;
    /* In full, as primal-dual active sets are, while no more rows come or go than in the step
     * before: close to the solution these are a handful of steps, where a search would stop at
     * every row on the way. */
    size_t few = p / FULL;
    for (int step = 0; !settled; step++) {
        il_status status = il_interrupted()   ? IL_EINTERRUPTED
                           : step < MAX_STEPS ? direct(w, qp, limit)
                                              : IL_ESTALLED;
        if (status != IL_OK) {
            return status;
        }
        for (size_t i = 0; i < p; i++) {
            w->dg[i] = qp->scale * il_rows_dot(qp->rows, i, w->r);
        }
        double alpha = full ? 1.0 : search(self, qp, lambda);
        for (size_t i = 0; i < p; i++) {
            w->g[i] += alpha * w->dg[i];
        }
        for (size_t k = 0; k < qp->d; k++) {
            w->y[k] += alpha * w->r[k];
        }
        bool first = self->from_set;
        self->from_set = false;
        size_t changes = gradient(self, qp, lambda);
        w->changed += changes;
        full = full && step + 1 < MAX_FULL && (first || changes <= few);
        few = changes;
        settled = changes == 0 || 2.0 * qp->scale * drift_of(w, qp->d) <= w->rounding;
    }
    for (size_t i = 0; i < p; i++) {
        lambda[i] = il_greater(lambda[i] + w->dl[i], 0.0);
    }
    return IL_OK;
}

/* The smaller of each pair (lambda_i, g_i) is taken for zero, unless that would lose a tolerance
 * that lambda keeps as it is. */
static void choose(il_dual *w, const il_qp *qp, double tolerance, double *lambda, double *x) {
    size_t bytes = qp->rows->p * sizeof *lambda;
    double deepest = 0.0;
    bool keeps = il_dual_evaluate(w, qp, lambda, x, &deepest) <= tolerance;
    memcpy(w->best, lambda, bytes);
    for (size_t i = 0; i < qp->rows->p; i++) {
        lambda[i] = lambda[i] * w->delassus[i] < w->g[i] ? 0.0 : lambda[i];
    }
    if (keeps && !(il_dual_evaluate(w, qp, lambda, x, &deepest) <= tolerance)) {
        memcpy(lambda, w->best, bytes);
    }
}

/* Outer iterations until the residual is at most the tolerance or down to rounding. At the end
 * lambda is the best there was, and x belongs to it. */
il_status il_lagrangian_run(il_lagrangian *self, const il_qp *qp, size_t limit, double *lambda,
                            double *x) {
    il_dual *w = self->dual;
    double tolerance = self->tolerance;
    double accepted = tolerance > 0.0 ? tolerance : IL_PROJECTOR_TOLERANCE;
    size_t bytes = qp->rows->p * sizeof *lambda;
    double best = INFINITY;
    double deepest = 0.0;
    int idle = 0;
    il_status status = IL_OK;
    double before = INFINITY;
    bool from_set = self->from_set;
    if (!from_set) {
        choose(w, qp, tolerance, lambda, x);
    }
    for (int k = 0; k < MAX_OUTER && status == IL_OK; k++) {
        double residual = il_dual_evaluate(w, qp, lambda, x, &deepest);
        if (residual <= fmax(tolerance, w->rounding)) {
            return IL_OK;
        }
        if (!isfinite(residual)) {
            status = IL_ENUMERIC;
            break;
        }
        idle = residual < 0.5 * best ? 0 : idle + 1;
        if (residual < best) {
            best = residual;
            memcpy(w->best, lambda, bytes);
        }
        if (idle >= 3 && il_dual_contradictory(w, qp, lambda)) {
            return IL_EINFEASIBLE;
        }
        double noise = self->last_digits ? w->rounding : w->noise;
        bool settled = best <= fmin(SETTLED * noise, accepted);
        int patience = settled ? 1 : best <= accepted ? 3 : 8;
        if (idle >= patience) {
            break;
        }
        double gain = w->changed == 0 && w->factored ? GAIN_KEPT : GAIN;
        bool lost = best <= SETTLED * w->noise; /* no penalty reduces this further */
        if (!lost && residual > gain * before && self->penalty < PENALTY_MOST) {
            self->penalty *= PENALTY_GROWTH;
            w->factored = false;
        }
        before = residual;
        status = proximal(self, qp, lambda, limit);
    }
    if (best < INFINITY) {
        memcpy(lambda, w->best, bytes);
        (void)il_dual_evaluate(w, qp, lambda, x, &deepest);
    }
    if (from_set && status != IL_OK) { /* another method goes on, and goes further, if one can */
        accepted = fmin(accepted, idle > 0 ? PLACES * IL_PROJECTOR_TOLERANCE : SETTLED * w->noise);
    }
    return best <= accepted ? IL_OK : status == IL_OK ? IL_ESTALLED : status;
}
