/*
 * consistency_exact.c - checks an exact solution against the differential inclusion.
 *
 * K = {sum lambda_i M^{-1} grad g_i, lambda_i >= 0, g_i = 0} and the tangent cone T = {v : <grad
 * g_i, v> >= 0} are polar to each other up to sign: w = P_T(w) + P_{-K}(w) in the metric of M. So
 * M^{-1} f - q'' lies in -K exactly where its projection onto T vanishes.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/study/hypotheses/consistency.h"
#include "harness/study/hypotheses/derivatives.h"
#include "harness/study/hypotheses/feasible.h"

enum { LEVELS = 8, DEEP = 4, SAMPLES = 7, JUMPS_MAX = 2 };

static const double PLACES[SAMPLES] = {0.06, 0.17, 0.31, 0.5, 0.69, 0.83, 0.94};

/* Relative to the size of coordinates, velocities and accelerations: what is contact, what a
 * solution of a formula is exact to. */
static const double CONTACT = 1e-8;

/* A gap is contact or is none by any of these: a solution that was computed touches to a few
 * digits only, and one whose impacts accumulate comes nearer than that without a touch. */
enum { TOUCH = 3 };
static const double TOUCHES[TOUCH] = {1e-8, 1e-12, 0.0};

/* A part of the horizon: of shorter pieces only the ends are looked at. */
static const double SHORT = 1e-6;
static const double EXACT = 1e-7;

/* The estimated error of differences is multiplied by this; a relative error of velocities above
 * ROUGH means that there is no derivative. */
static const double SAFETY = 10.0;
static const double ROUGH = 1e-3;

/* The worst of one check. */
typedef struct {
    double measured, allowed, t;
    double excess; /* measured/allowed */
} worst;

enum { START, SMOOTH, VELOCITY, FEASIBLE, MOTION, IMPACTS, CHECKS };

typedef struct {
    const il_problem *problem;
    const il_exact *exact;
    il_feasible *set;
    double qsize, usize;
    double *q, *u, *dq, *du, *f, *w, *out; /* [d] */
    double *tableau;                       /* [2 * 2 d * DEEP] */
    double eq, eu;                         /* what dq and du may be off by */
    worst check[CHECKS];
} study;

static void note(worst *x, double t, double measured, double allowed) {
    double excess = allowed > 0.0 ? measured / allowed : measured > 0.0 ? INFINITY : 0.0;
    excess = isnan(measured) || isnan(allowed) || isnan(excess) ? INFINITY : excess;
    if (excess > x->excess) {
        *x = (worst){measured, allowed, t, excess};
    }
}

static double largest(const double *x, size_t d) {
    double most = 0.0;
    for (size_t k = 0; k < d; k++) {
        if (isnan(x[k])) {
            return NAN;
        }
        most = fmax(most, fabs(x[k]));
    }
    return most;
}

static double distance(const double *x, const double *y, size_t d) {
    double most = 0.0;
    for (size_t k = 0; k < d; k++) {
        most = isnan(x[k] - y[k]) ? INFINITY : fmax(most, fabs(x[k] - y[k]));
    }
    return most;
}

/* ---- derivatives of the solution ------------------------------------------------------------ */

/* dq and du at t by differences over at most room to both sides. */
static void derive(study *s, double t, double room) {
    size_t d = s->problem->d;
    double *error = s->out; /* [2d] with w behind it */
    double *lower = s->f;
    for (size_t k = 0; k < 2 * d; k++) {
        error[k] = INFINITY;
    }
    for (int l = 0; l < LEVELS; l++) {
        double step = ldexp(room, -2 * l - 1);
        s->exact->eval(s->exact, t + step, 0, s->q, s->u);
        s->exact->eval(s->exact, t - step, 0, lower, lower + d);
        for (size_t k = 0; k < 2 * d; k++) {
            double up = k < d ? s->q[k] : s->u[k - d];
            double *tableau = s->tableau + 2 * k * DEEP;
            il_derivatives_extrapolate((up - lower[k]) / (2.0 * step), 0.0, l,
                                       tableau + (size_t)(l % 2) * DEEP,
                                       tableau + (size_t)((l + 1) % 2) * DEEP,
                                       k < d ? &s->dq[k] : &s->du[k - d], &error[k]);
        }
    }
    s->eq = largest(error, d);
    s->eu = largest(error + d, d);
}

/* ---- inside a piece ------------------------------------------------------------------------- */

/* min g_i, each relative to its gradient; the largest gradient into size. NaN where one is none. */
static il_status least_gap(study *s, double t, const double *q, double *least, double *size,
                           il_error *err) {
    const il_rows *rows = NULL;
    il_status status = il_feasible_rows(s->set, t, q, INFINITY, &rows, err);
    *least = INFINITY;
    *size = 0.0;
    for (size_t i = 0; status == IL_OK && i < rows->p; i++) {
        double g = largest(rows->coef + rows->start[i], rows->start[i + 1] - rows->start[i]);
        double gap = rows->value[i] / g;
        *least = isnan(gap) || isnan(*least) ? NAN : fmin(*least, gap);
        *size = isnan(g) || isnan(*size) ? NAN : fmax(*size, g);
    }
    return status;
}

/* f at (t,q), or its mean over a moment where only means are known. */
static void force(const study *s, double t, double *f) {
    const il_problem *problem = s->problem;
    double moment = 1e-7 * problem->horizon;
    memset(f, 0, problem->d * sizeof *f);
    if (problem->type->force != NULL) {
        problem->type->force(problem, t, s->q, f);
    } else if (problem->type->force_mean != NULL) {
        problem->type->force_mean(problem, t - moment, t + moment, s->q, f);
    }
}

static il_status sample(study *s, double t, double room, il_error *err) {
    const il_problem *problem = s->problem;
    size_t d = problem->d;
    double least = 0.0;
    double size = 0.0;
    derive(s, t, room);
    s->exact->eval(s->exact, t, 0, s->q, s->u);
    double rate = s->usize / problem->horizon;
    note(&s->check[SMOOTH], t, s->eq, ROUGH * s->usize);
    note(&s->check[SMOOTH], t, s->eu, 10.0 * ROUGH * fmax(largest(s->du, d), rate));
    note(&s->check[VELOCITY], t, distance(s->dq, s->u, d), SAFETY * s->eq + EXACT * s->usize);
    il_status status = least_gap(s, t, s->q, &least, &size, err);
    if (status != IL_OK) {
        return status;
    }
    note(&s->check[FEASIBLE], t, isnan(least) ? NAN : fmax(0.0, -least), CONTACT * s->qsize);
    force(s, t, s->f);
    memcpy(s->w, s->f, d * sizeof *s->w);
    if (problem->order == 2) {
        il_metric_solve(problem->mass, s->f, s->w);
    }
    double forces = largest(s->w, d);
    const double *moved = problem->order == 2 ? s->du : s->dq;
    for (size_t k = 0; k < d; k++) {
        s->w[k] -= moved[k];
    }
    double off = INFINITY;
    for (size_t n = 0; status == IL_OK && n < TOUCH; n++) {
        double active = TOUCHES[n] * s->qsize * fmax(size, 1e-300);
        status = il_feasible_velocity(s->set, t, s->q, s->w, active, true, s->out, err);
        off = fmin(off, largest(s->out, d));
    }
    double scale = fmax(forces, fmax(largest(moved, d), problem->order == 2 ? rate : s->usize));
    note(&s->check[MOTION], t, off,
         SAFETY * (problem->order == 2 ? s->eu : s->eq) + SAFETY * EXACT * scale);
    return status;
}

/* ---- at breaks ------------------------------------------------------------------------------ */

/* The distance of s->u from u+ of the law, from u- at (t, s->q). */
static il_status strike(study *s, double t, const double *before, il_error *err) {
    double least = 0.0;
    double size = 0.0;
    double e = s->problem->restitution;
    double off = INFINITY;
    il_status status = least_gap(s, t, s->q, &least, &size, err);
    for (size_t n = 0; status == IL_OK && n < TOUCH; n++) {
        double active = TOUCHES[n] * s->qsize * fmax(size, 1e-300);
        status = il_feasible_velocity(s->set, t, s->q, before, active, false, s->out, err);
        for (size_t k = 0; status == IL_OK && k < s->problem->d; k++) {
            s->out[k] = (1.0 + e) * s->out[k] - e * before[k];
        }
        off = fmin(off, distance(s->u, s->out, s->problem->d));
    }
    note(&s->check[IMPACTS], t, off, EXACT * s->usize);
    return status;
}

static il_status look_at_start(study *s, il_error *err) {
    const il_problem *problem = s->problem;
    s->exact->eval(s->exact, 0.0, 1, s->q, s->u);
    note(&s->check[START], 0.0, distance(s->q, problem->q0, problem->d), EXACT * s->qsize);
    if (problem->order == 1) {
        return IL_OK;
    }
    return strike(s, 0.0, problem->u0, err);
}

static il_status look_at_break(study *s, double t, il_error *err) {
    size_t d = s->problem->d;
    s->exact->eval(s->exact, t, -1, s->dq, s->du);
    s->exact->eval(s->exact, t, 1, s->q, s->u);
    note(&s->check[SMOOTH], t, distance(s->q, s->dq, d), EXACT * s->qsize);
    if (s->problem->order == 1) {
        return IL_OK;
    }
    return strike(s, t, s->du, err);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static bool velocity_at(void *self, double t, double *x) {
    study *s = self;
    s->exact->eval(s->exact, t, 0, s->q, x);
    return isfinite(largest(x, s->problem->d));
}

/* Largest coordinates and velocities over all samples. */
static void find_sizes(study *s) {
    const il_exact *exact = s->exact;
    s->qsize = largest(s->problem->q0, s->problem->d);
    s->usize = s->problem->order == 2 ? largest(s->problem->u0, s->problem->d) : 0.0;
    for (size_t n = 0; n + 1 < exact->nbreaks; n++) {
        for (size_t k = 0; k < SAMPLES; k++) {
            double a = exact->breaks[n];
            exact->eval(exact, a + PLACES[k] * (exact->breaks[n + 1] - a), 0, s->q, s->u);
            s->qsize = fmax(s->qsize, largest(s->q, s->problem->d));
            s->usize = fmax(s->usize, largest(s->u, s->problem->d));
        }
    }
    s->qsize = s->qsize > 0.0 ? s->qsize : 1.0;
    s->usize = fmax(s->usize, 1e-6 * s->qsize / s->problem->horizon);
}

static void look_for_jumps(study *s, double a, double b) {
    double at[JUMPS_MAX];
    double size[JUMPS_MAX];
    double inset = 1e-9 * (b - a);
    il_jump_query query = {.eval = velocity_at, .self = s, .d = s->problem->d, .work = s->tableau};
    if (il_check_jumps(&query, a + inset, b - inset, JUMPS_MAX, at, size) > 0) {
        note(&s->check[SMOOTH], at[0], size[0], EXACT * s->usize);
    }
}

static void tell_all(const study *s, il_check_lines *lines) {
    bool second = s->problem->order == 2;
    const struct {
        const char *name, *good, *bad;
        bool given;
    } words[CHECKS] = {
        {"exact: start", "|q(0) - q0|", "the exact solution does not begin at q0", true},
        {"exact: smooth", "q continuous, u smooth between exact_breaks",
         "the exact solution jumps or bends where exact_breaks names no time, or q jumps", true},
        {"exact: velocity", "|q' - u|", "the exact solution's u is not the derivative of its q",
         true},
        {"exact: feasible", "overlap", "the exact solution violates a constraint",
         s->problem->p > 0},
        {"exact: motion",
         second ? "M q'' - f is a reaction of active constraints, to" : "f - q' is normal to Q, to",
         second ? "the exact solution does not solve the inclusion: M q'' - f is no reaction of "
                  "active constraints"
                : "the exact solution does not solve the inclusion: f - q' is not normal to Q",
         true},
        {"exact: impacts", "u+ = (1 + e) P_C(u-) - e u-, from u0 on",
         "the exact solution breaks the impact law u+ = (1 + e) P_C(u-) - e u-", second}};
    for (size_t k = 0; k < CHECKS; k++) {
        const worst *x = &s->check[k];
        bool holds = x->measured <= x->allowed;
        if (words[k].given) {
            il_check_add(lines, words[k].name, holds ? IL_CHECK_OK : IL_CHECK_FAIL, x->measured,
                         x->allowed, "%s: %.3g at t = %.6g, allowed %.2g",
                         holds ? words[k].good : words[k].bad, x->measured, x->t, x->allowed);
        }
    }
}

static il_status walk(study *s, il_error *err) {
    const il_exact *exact = s->exact;
    il_status status = look_at_start(s, err);
    for (size_t n = 0; status == IL_OK && n + 1 < exact->nbreaks; n++) {
        double a = exact->breaks[n];
        double length = exact->breaks[n + 1] - a;
        bool brief = length < SHORT * s->problem->horizon;
        if (!brief) {
            look_for_jumps(s, a, a + length);
        }
        for (size_t k = 0; status == IL_OK && !brief && k < SAMPLES; k++) {
            double room = fmin(PLACES[k], 1.0 - PLACES[k]);
            status = sample(s, a + PLACES[k] * length, room * length, err);
        }
        if (status == IL_OK && n > 0) {
            status = look_at_break(s, a, err);
        }
    }
    return status;
}

il_status il_check_exact(const il_problem *problem, const il_exact *exact, il_check_lines *lines,
                         il_error *err) {
    size_t d = problem->d;
    study s = {.problem = problem, .exact = exact};
    for (size_t k = 0; k < CHECKS; k++) {
        s.check[k].excess = -1.0;
    }
    double *room = il_alloc_zero(8 * d + 4 * d * DEEP, sizeof *room);
    s.q = room;
    s.u = room + d;
    s.dq = room + 2 * d;
    s.du = room + 3 * d;
    s.f = room + 4 * d;   /* and one more d behind it */
    s.out = room + 6 * d; /* the same: w */
    s.w = room + 7 * d;
    s.tableau = room + 8 * d;
    s.set = il_feasible_create(problem);
    find_sizes(&s);
    il_status status = walk(&s, err);
    if (status == IL_OK) {
        tell_all(&s, lines);
    }
    il_feasible_destroy(s.set);
    free(room);
    return status;
}
