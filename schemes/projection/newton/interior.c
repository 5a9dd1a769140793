/*
 * interior.c - Mehrotra's (1992) predictor-corrector method with Gondzio's (1996) correctors on
 *
 *     M (x - t) = s B' lambda,   g(x) = a + s B x = z,   lambda_i z_i = mu -> 0,
 *
 * damped by a proximal term (Friedlander & Orban 2012),
 *
 *     g + (lambda - anchor)/sigma = z,   sigma_i = penalty/W_ii,
 *
 * which bounds lambda where the rows leave no interior (bodies that just fit between two walls) and
 * bounds the weights in H = M + s^2 B' diag(w) B, w = lambda/(z + lambda/sigma).
 *
 * The anchor follows lambda in a first phase, which then solves the problem itself. In a later one
 * it stays where the phase began: with many degenerate rows (gap and multiplier both zero), central
 * points run far along multipliers that hardly change x, and their size drowns the gaps in
 * rounding. The error left by the anchor is less than 1/penalty of lambda W, and is removed by the
 * next phase.
 *
 * A phase works with delta = lambda - base from where it began, and computes gaps as g(base) + s^2
 * B M^{-1} B' delta: what is subtracted shrinks along with the residual, so that mu can decrease to
 * what is left of that squared.
 */
#include "schemes/projection/newton/phases.h"

#include <math.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/worse.h"

/* sigma_i W_ii of the two kinds of phases. An anchored one shrinks the residual by
 * 1/(penalty w), w the least nonzero eigenvalue of the scaled B M^{-1} B', down to 1e-10 for
 * light bodies between bodies a million times as heavy; H keeps four digits. Of 10 000 degenerate
 * configurations with such masses 1e10 leaves one in 200 short of 1e-12, 1e12 and 1e13 none. */
static const double PENALTY = 1e10;          /* tuned: 1e8, 1e12 */
static const double PENALTY_ANCHORED = 1e12; /* tuned: 1e10, 1e13 */

/* A phase ends at mu = CENTRED e, e the largest off_i^2/W_ii at its start (off_i =
 * min(lambda_i W_ii, g_i)): where a row has either a multiplier or a gap of that size, its two
 * numbers then differ by twelve digits. */
static const double CENTRED = 1e-12; /* tuned: 1e-10, 1e-14 */

/* Products lambda_i z_i at the start of a phase that crosses, as a part of that energy. */
static const double NEARER = 0.1; /* tuned: 0.01, 1.0 */

/* The part of the way to the boundary that a step goes at most. */
static const double BOUNDARY = 0.99; /* tuned: 0.9, 0.999 */

/* The active rows are identified when an iteration changed at most CLOSE of them and took mu to
 * TOLD of what it was: at most as many are wrong then, and enter or leave with one factor. */
static const double TOLD = 0.1;    /* tuned: 0.01, 0.5 */
static const double CLOSE = 0.005; /* tuned: 0.0, 0.01 */

/* Gondzio's own values (1996, section 3): correctors aim a little beyond the step at hand, and draw
 * products lambda_i z_i to within SPREAD of the goal; they are tried until the step is LONG, while
 * each makes it longer by GAIN. */
static const double BEYOND = 0.1;
static const double SPREAD = 10.0;
static const double LONG = 0.9;
static const double GAIN = 1.01;
enum { CORRECTORS = 2 };

/* Iterations of a phase; without gain before it ends; between two tests whether rows contradict
 * each other. */
enum { MOST = 100, PATIENCE = 8, CHECKED = 8 };

typedef struct {
    il_dual *w;
    const il_qp *qp;
    bool anchored;
    double penalty;
    double target; /* for mu */
    double near;   /* for |g - z| */
    double least;  /* mu so far */
    int idle;      /* iterations without a smaller one */
} phase;

/* A loop over rows or coordinates at a point of the phase. */
typedef struct {
    const phase *f;
    const double *lambda;
    double *moved; /* lambda where it is written */
    double step;
    double goal; /* for lambda_i z_i */
} loop;

/* Where the phase ends, and lambda with every pair off the boundary: lambda_i z_i at least the
 * energy of the deepest violation, and of a part of the residual. Energies, not gaps, are kept
 * alike: with masses in the ratio 1e6 that is 20 iterations against some hundreds. A phase that
 * crosses keeps to what the guess as it was given says of sizes, even where the guess itself leaves
 * more undone than none: lambda_i no smaller, z_i = energy/lambda_i where that is above the gap. */
static void centre(phase *f, const il_interior_goal *goal, double *lambda, double *x) {
    il_dual *w = f->w;
    double deepest = 0.0;
    double off = 0.0;
    double widest = 0.0;
    double violation = 0.0;
    double residual = il_dual_evaluate(w, f->qp, lambda, x, &violation);
    for (size_t i = 0; i < f->qp->rows->p; i++) {
        double g = il_lesser(lambda[i] * w->delassus[i], w->g[i]);
        off = il_greater(g * g / w->delassus[i], off);
        deepest = il_greater(g < 0.0 ? g * g / w->delassus[i] : 0.0, deepest);
        widest = il_greater(w->delassus[i], widest);
    }
    double reached = fmax(goal->tolerance, w->rounding);
    f->target = fmax(CENTRED * off, reached * reached / widest);
    f->near = fmax(1e-4 * residual, reached);
    double energy = fmax(deepest, off) * (goal->crosses ? NEARER : 1.0);
    for (size_t i = 0; i < f->qp->rows->p; i++) {
        double most = goal->crosses ? il_greater(lambda[i], w->given[i]) : lambda[i];
        lambda[i] = il_greater(most, sqrt(energy / w->delassus[i]));
    }
    (void)il_dual_evaluate(w, f->qp, lambda, x, &violation);
    for (size_t i = 0; i < f->qp->rows->p; i++) {
        double least = goal->crosses ? energy / lambda[i] : sqrt(energy * w->delassus[i]);
        w->z[i] = il_greater(w->g[i], least);
        w->base[i] = lambda[i];
        w->base_g[i] = w->g[i];
        w->delta[i] = 0.0;
        w->compliance[i] = w->delassus[i] / f->penalty;
    }
}

/* mu, the mean of lambda_i z_i; *gap is the largest defect. */
static double centrality(const il_dual *w, size_t p, const double *lambda, double *gap) {
    double mu = 0.0;
    *gap = 0.0;
    for (size_t i = 0; i < p; i++) {
        double defect = fabs(w->g[i] - w->z[i]);
        *gap = defect > *gap ? defect : *gap;
        mu += lambda[i] * w->z[i];
    }
    return mu / (double)p;
}

/* A direction. With the defect r = g - z and v = z + lambda/sigma,
 *     H dx = s B' (c - lambda r)/v,   dlambda = (c - lambda (r + s B dx))/v,
 *     dz = s B dx + dlambda/sigma + r,
 * c[p] what the products lambda_i z_i are to change by to first order. First the right-hand side,
 * into w->r. */
static void demand_rows(void *context, size_t part, size_t first, size_t last) {
    const loop *l = context;
    il_dual *w = l->f->w;
    (void)part;
    for (size_t i = first; i < last; i++) {
        w->dl[i] = (w->c[i] - l->lambda[i] * (w->g[i] - w->z[i])) * w->inverse[i];
    }
}

/* `demand` leaves what the coordinates are to take in dl. */
static void right_hand_side(const phase *f, const double *lambda, il_dual_items demand,
                            double goal) {
    il_dual *w = f->w;
    loop l = {.f = f, .lambda = lambda, .goal = goal};
    (void)il_dual_each(w, f->qp->rows->p, demand, &l);
    il_dual_pull(w, f->qp, &(il_dual_sum){.c = w->dl, .y = w->r}, NULL, NULL);
}

/* Then dlambda and dz, from dx in w->r. */
static void follow_rows(void *context, size_t part, size_t first, size_t last) {
    const loop *l = context;
    const il_qp *qp = l->f->qp;
    il_dual *w = l->f->w;
    (void)part;
    for (size_t i = first; i < last; i++) {
        double dg = qp->scale * il_rows_dot(qp->rows, i, w->r);
        double dl = w->dl[i] - l->lambda[i] * dg * w->inverse[i];
        w->dl[i] = dl;
        w->dz[i] = dg + dl * w->compliance[i] + (w->g[i] - w->z[i]);
    }
}

/* Returns the largest step that keeps lambda and z at least 0. */
static double follow(const phase *f, const double *lambda) {
    const il_dual *w = f->w;
    loop l = {.f = f, .lambda = lambda};
    double limit = 1e300;
    (void)il_dual_each(w, f->qp->rows->p, follow_rows, &l);
    for (size_t i = 0; i < f->qp->rows->p; i++) {
        if (w->z[i] + limit * w->dz[i] < 0.0) { /* seldom: the quotient only where it counts */
            limit = -w->z[i] / w->dz[i];
        }
        if (lambda[i] + limit * w->dl[i] < 0.0) {
            limit = -lambda[i] / w->dl[i];
        }
    }
    return limit;
}

static double direction(const phase *f, const double *lambda, il_dual_items demand, double goal) {
    right_hand_side(f, lambda, demand, goal);
    il_sparse_solve(f->w->factor, f->w->r);
    return follow(f, lambda);
}

/* Weights, and what a direction to products of 0 asks for. */
static void weigh_rows(void *context, size_t part, size_t first, size_t last) {
    const loop *l = context;
    il_dual *w = l->f->w;
    double s2 = l->f->qp->scale * l->f->qp->scale;
    for (size_t i = first; i < last; i++) {
        w->inverse[i] = 1.0 / (w->z[i] + l->lambda[i] * w->compliance[i]);
        w->w[i] = s2 * l->lambda[i] * w->inverse[i];
        w->c[i] = -l->lambda[i] * w->z[i];
    }
    demand_rows(context, part, first, last);
}

/* The factor for the point at hand, and the predictor with it, which aims at products of 0; *limit
 * is its largest step. */
static il_status predict(const phase *f, const double *lambda, double *limit) {
    il_dual *w = f->w;
    w->iterations++;
    right_hand_side(f, lambda, weigh_rows, 0.0);
    il_status status = il_sparse_factor(w->factor, w->mass, f->qp->rows, w->w, w->r);
    *limit = status == IL_OK ? follow(f, lambda) : 0.0;
    return status;
}

/* Where mu is to go, from how far the predictor would bring it: Mehrotra's centring. */
static double aim(const il_dual *w, size_t p, const double *lambda, double mu, double step) {
    double sum = 0.0;
    for (size_t i = 0; i < p; i++) {
        sum += (lambda[i] + step * w->dl[i]) * (w->z[i] + step * w->dz[i]);
    }
    double ratio = sum / (double)p / mu;
    return mu * fmin(1.0, ratio * ratio * ratio);
}

/* Gondzio's corrector: the products that a longer step would bring far from the goal are drawn
 * towards it. The change of c is left in w. */
static void correct(il_dual *w, size_t p, const double *lambda, double goal, double step) {
    for (size_t i = 0; i < p; i++) {
        double product = (lambda[i] + step * w->dl[i]) * (w->z[i] + step * w->dz[i]);
        double wanted = il_lesser(il_greater(product, goal / SPREAD), goal * SPREAD);
        w->w[i] = il_greater(wanted - product, -goal * SPREAD);
        w->c[i] += w->w[i];
    }
}

/* Products that aim at the goal, with what the predictor leaves to second order. */
static void aim_rows(void *context, size_t part, size_t first, size_t last) {
    const loop *l = context;
    il_dual *w = l->f->w;
    for (size_t i = first; i < last; i++) {
        w->c[i] = l->goal - l->lambda[i] * w->z[i] - w->dl[i] * w->dz[i];
    }
    demand_rows(context, part, first, last);
}

/* Corrector, and more correctors where a factor costs more than they do, after a predictor that
 * could go to `limit`. Returns the step to take. */
static double choose_direction(const phase *f, const double *lambda, double mu, double limit) {
    il_dual *w = f->w;
    size_t p = f->qp->rows->p;
    int correctors = il_dual_factor_is_dear(w) ? CORRECTORS : 0;
    double goal = aim(w, p, lambda, mu, fmin(1.0, limit));
    limit = direction(f, lambda, aim_rows, goal);
    for (int k = 0; k < correctors && limit < LONG; k++) {
        double before = limit;
        correct(w, p, lambda, goal, fmin(1.0, limit + BEYOND));
        limit = direction(f, lambda, demand_rows, goal);
        for (size_t i = 0; limit < before && i < p; i++) { /* a step back */
            w->c[i] -= w->w[i];
        }
        if (limit < GAIN * before) {
            limit = limit < before ? direction(f, lambda, demand_rows, goal) : limit;
            break;
        }
    }
    return fmin(1.0, BOUNDARY * limit);
}

static void accelerate(void *context, size_t part, size_t first, size_t last) {
    const loop *l = context;
    il_dual *w = l->f->w;
    (void)part;
    for (size_t k = first; k < last; k++) {
        w->force[k] /= w->mass[k];
    }
}

static void move_rows(void *context, size_t part, size_t first, size_t last) {
    const loop *l = context;
    const phase *f = l->f;
    il_dual *w = f->w;
    (void)part;
    for (size_t i = first; i < last; i++) {
        w->g[i] = w->base_g[i] + f->qp->scale * il_rows_dot(f->qp->rows, i, w->force);
        w->g[i] += f->anchored ? w->compliance[i] * w->delta[i] : 0.0;
    }
}

static void step_rows(void *context, size_t part, size_t first, size_t last) {
    const loop *l = context;
    il_dual *w = l->f->w;
    (void)part;
    for (size_t i = first; i < last; i++) {
        w->delta[i] += l->step * w->dl[i];
        w->z[i] += l->step * w->dz[i];
        l->moved[i] = w->base[i] + w->delta[i];
    }
}

/* lambda = base + delta and its gaps, with what the anchor adds to them. */
static void move(const phase *f, double step, double *lambda) {
    il_dual *w = f->w;
    loop l = {.f = f, .lambda = lambda, .step = step};
    l.moved = lambda;
    (void)il_dual_each(w, f->qp->rows->p, step_rows, &l);
    il_dual_pull(w, f->qp, &(il_dual_sum){.c = w->delta, .y = w->force}, accelerate, &l);
    (void)il_dual_each(w, f->qp->rows->p, move_rows, &l);
}

/* True when the phase is over. A lambda that is not finite is replaced by the one before. */
static bool over(phase *f, double mu, double gap, double *lambda) {
    il_dual *w = f->w;
    if (!isfinite(mu)) {
        memcpy(lambda, w->best, f->qp->rows->p * sizeof *lambda);
        return true;
    }
    f->idle = mu < 0.9 * f->least || gap > f->near ? 0 : f->idle + 1;
    f->least = fmin(f->least, mu);
    return (mu <= f->target && gap <= f->near) || f->idle >= PATIENCE || w->iterations >= w->limit;
}

/* The rows where lambda_i W_ii > z_i; true when these are as they were, but for few. */
static bool set_stays(const phase *f, const double *lambda) {
    il_dual *w = f->w;
    size_t changes = 0;
    for (size_t i = 0; i < f->qp->rows->p; i++) {
        bool active = lambda[i] * w->delassus[i] > w->z[i];
        changes += active != w->active[i];
        w->active[i] = active;
    }
    return (double)changes <= CLOSE * (double)f->qp->rows->p;
}

/* The active rows alone remain: the others get lambda_i = 0. */
static void cross(const il_dual *w, size_t p, double *lambda) {
    for (size_t i = 0; i < p; i++) {
        lambda[i] = w->active[i] ? lambda[i] : 0.0;
    }
}

il_status il_interior_run(il_dual *w, const il_qp *qp, const il_interior_goal *goal, double *lambda,
                          double *x) {
    size_t p = qp->rows->p;
    phase f = {.w = w,
               .qp = qp,
               .anchored = goal->anchored,
               .penalty = goal->anchored ? PENALTY_ANCHORED : PENALTY,
               .least = INFINITY};
    il_status status = il_dual_analyse(w, qp);
    if (status != IL_OK) {
        return status;
    }
    w->factored = false;
    centre(&f, goal, lambda, x);
    memcpy(w->best, lambda, p * sizeof *lambda);
    double before = 0.0; /* mu */
    for (int k = 0; k < MOST; k++) {
        double gap = 0.0;
        double mu = centrality(w, p, lambda, &gap);
        bool steady = set_stays(&f, lambda) && mu < TOLD * before;
        if (over(&f, mu, gap, lambda) || (goal->crosses && steady)) {
            break;
        }
        before = mu;
        if (k % CHECKED == CHECKED - 1 && il_dual_contradictory(w, qp, lambda)) {
            return IL_EINFEASIBLE;
        }
        memcpy(w->best, lambda, p * sizeof *lambda);
        double limit = 0.0;
        status = il_interrupted() ? IL_EINTERRUPTED : predict(&f, lambda, &limit);
        if (status == IL_ENUMERIC) {
            break;
        }
        if (status != IL_OK) {
            return status;
        }
        move(&f, choose_direction(&f, lambda, mu, limit), lambda);
    }
    if (goal->crosses) {
        cross(w, p, lambda);
    }
    return IL_OK;
}
