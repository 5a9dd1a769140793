/*
 * true_set.c - fixed point of linearised projections, judged by the original problem's residuals.
 *
 *     z <- q
 *     repeat
 *         x <- P_{Qtilde(t,z)}(V)                                                  (project_at)
 *         if z was mixed, and there is no x or |x - V| is above the nearest:       (dropped)
 *             z <- the nearest;  forget what was mixed;  continue
 *         take rows anew at x: stationarity, gaps, complementarity       (measure_residuals)
 *         if they are rounding, or within the tolerance: x is the answer
 *         nearest <- x
 *         convex: z <- x + beta (x - x_before), beta = m/(m + 3), while far;       (mix)
 *                 z <- Anderson's combination, once stationarity is below LOCAL
 *         else:   z <- z + theta (x - z), theta halved while |x - z| does not fall (advance)
 *
 * Nesterov 1983; Anderson 1965; Walker & Ni 2011. m is the iterations with momentum in a row.
 *
 * Between iterations `iteration` holds: `nearest`, |x - V|^2 of the last x that was not dropped,
 * whose rows and multipliers are at hand if `judged`; `way`, how far that x was from its z, which
 * bounds what inexact answers may miss and which rows come along; and `mixed`, whether z may be
 * another point than that x. After a drop z is that x and unmixed, so that its image stays: between
 * two drops at least one image was taken.
 */
#include "schemes/stepping/true_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/base/vector.h"

enum { ITERATIONS = 500 };

/* The fixed point is accepted when stationarity, as a relative displacement, is within this, and so
 * are the gaps, in units of one plus the configuration's size: ten times the rounding of a
 * gradient.
 */
static const double FIXED_POINT = 4e-15;

/* Bodies much smaller than the room have gradients that are rounded by as much more, and
 * multipliers add up: once IDLE iterations have not halved the stationarity, what is within this is
 * accepted, a hundred times better than what a certificate is asked for. */
static const double AT_REST = 1e-12;
enum { IDLE = 5 };

/* A point is dropped when its image is farther from V than the nearest so far by more than this
 * part: |x - V|^2 is a sum of squares, known to some hundred roundings. */
static const double FARTHER = 1e-13;

/* Down to a stationarity of LOCAL the iteration slides along valleys and off saddles, with
 * momentum; below it combines iterates. Sliding, answers may miss gaps by INEXACT of the last way,
 * which changes |x - V|^2 by the square of that part; so that nothing goes round in circles,
 * that ends after SLIDES iterations. On clusters of 200 to 2000 discs and of
 * 300 spheres this takes half the iterations of iterates combined from the start by exact
 * answers. */
static const double LOCAL = 1e-3;   /* tuned: 1e-4, 1e-2 */
static const double INEXACT = 1e-2; /* tuned: 1e-3, 1e-1 */
enum { SLIDES = 150 };

/* Rows that the last answer left open by at most this many times its way come along. */
static const double ALONG = 2.0; /* tuned: 0.5, 8.0 */

/* Without convexity the iteration is relaxed when the way from a point to its image does not shrink
 * by this much. */
static const double SHRINKS = 0.9;
static const double LEAST_RELAXATION = 1.0 / 256.0;

/* Where the iteration stands. */
typedef struct {
    int k;
    double theta;      /* relaxation */
    double momentum;   /* iterations with momentum in a row */
    double now;        /* stationarity in the last iteration */
    double inexact;    /* what the next answer may miss gaps by */
    double way;        /* of the last iteration, |x_k - z_k|_inf */
    double nearest;    /* |x_k - V|_M^2 of the nearest x_k */
    double stationary; /* the best so far */
    int idle;          /* iterations since that was halved */
    bool stalled;      /* the projector stopped early in the last iteration */
    bool judged;       /* rows and multipliers at hand belong to a point that was not dropped */
    bool mixed;        /* z is not simply the point before, so that it may have to be dropped */
} iteration;

il_status il_true_set_create(void **self, const il_problem *problem,
                             const il_scheme_options *options, il_error *err) {
    *self = NULL;
    il_true_set *s = il_alloc_zero(1, sizeof *s);
    il_status status = il_linear_init(&s->linear, problem, options, err);
    if (status != IL_OK) {
        free(s);
        return status;
    }
    unsigned traits = problem->traits & (IL_ROWS_AFFINE | IL_ROWS_CONVEX);
    if (traits == IL_ROWS_CONVEX) {
        s->mixing = il_anderson_create(problem->d, problem->mass);
        s->nearest = il_alloc(problem->d, sizeof *s->nearest);
    }
    *self = s;
    return IL_OK;
}

void il_true_set_destroy(void *self) {
    il_true_set *s = self;
    if (s == NULL) {
        return;
    }
    il_linear_free(&s->linear);
    il_anderson_destroy(s->mixing);
    free(s->nearest);
    free(s);
}

/* By how much the projector itself may miss a gap. */
static double projector_room(const il_scheme_options *options) {
    double tolerance = options->projection.tolerance;
    return tolerance > 0.0 || options->projector->finite ? tolerance : IL_PROJECTOR_TOLERANCE;
}

/* The largest |g_i| among the active rows, complementarity, in the units of the gaps. */
static double active_gap(const il_step_report *report) {
    double largest = 0.0;
    for (size_t i = 0; i < report->rows->p; i++) {
        if (report->lambda[i] > 0.0) {
            largest = fmax(largest, fabs(report->rows->value[i]));
        }
    }
    return largest;
}

/* Is the displacement w->x an answer to the original problem? Rows are taken anew there. */
static il_status measure_residuals(il_linear *w, double t, const double *q, il_step_report *report,
                                   iteration *at, bool *answers, il_error *err) {
    size_t d = w->problem->d;
    double gap = 0.0;
    for (size_t k = 0; k < d; k++) {
        w->y[k] = q[k] + w->x[k];
    }
    il_status status = il_correct_refresh(w->correct, t, w->y, &gap, err);
    report->scans++;
    if (status != IL_OK) {
        return status;
    }
    report->certificate = il_correct_certify_true(w->correct, w->v, w->x);
    report->certificate.primal = gap;
    report->certificate.residual = fmax(-gap, active_gap(report));
    report->certificate.size = 1.0 + il_largest(w->y, d);
    double stationary = report->certificate.relative;
    at->idle = stationary < 0.5 * at->stationary ? 0 : at->idle + 1;
    at->now = stationary;
    at->stationary = fmin(at->stationary, stationary);
    double missed = report->certificate.residual / report->certificate.size;
    double fixed = at->idle < IDLE ? FIXED_POINT : AT_REST;
    double room = projector_room(&w->options);
    at->judged = true;
    *answers =
        stationary <= fmax(fixed, w->options.projection.tolerance) && missed <= fmax(fixed, room);
    return IL_OK;
}

/* Solve at the point of linearisation w->z. */
static il_status project_at(il_linear *w, double t, const double *q, iteration *at,
                            il_step_report *report, il_error *err) {
    bool before = report->stalled;
    report->stalled = false;
    il_correction correction = {.t = t,
                                .y = w->z,
                                .q = q,
                                .scale = 1.0,
                                .target = w->v,
                                .inexact = at->inexact,
                                .resume = at->judged,
                                .near = ALONG * at->way};
    il_status status = il_correct_solve(w->correct, &correction, w->x, report, err);
    at->stalled = report->stalled;
    report->stalled |= before;
    return status;
}

/* |x - V|_M^2; scratch[d]. */
static double distance2(const il_linear *w, double *scratch) {
    for (size_t k = 0; k < w->problem->d; k++) {
        scratch[k] = w->x[k] - w->v[k];
    }
    return il_metric_inner(w->problem->mass, scratch, scratch);
}

/* True when the image w->x of w->z, or the failure to find one, means that w->z leads nowhere. It
 * is then the nearest point so far again, which leads on. */
static bool dropped(il_true_set *s, il_status status, iteration *at) {
    il_linear *w = &s->linear;
    size_t bytes = w->problem->d * sizeof *w->z;
    if (s->mixing == NULL || !at->mixed || status == IL_ENOMEM || il_interrupted()) {
        return false;
    }
    if (status == IL_OK &&
        distance2(w, w->y) <=
            at->nearest * (1.0 + (at->inexact > 0.0 ? INEXACT * INEXACT : FARTHER))) {
        return false;
    }
    memcpy(w->z, s->nearest, bytes);
    il_anderson_restart(s->mixing);
    at->mixed = false;
    at->momentum = 0.0;
    at->judged = false;
    return true;
}

/* The next point of linearisation from the image w->y = q + w->x of w->z. */
static void mix(il_true_set *s, iteration *at) {
    il_linear *w = &s->linear;
    at->way = 0.0;
    for (size_t k = 0; k < w->problem->d; k++) {
        at->way = fmax(at->way, fabs(w->y[k] - w->z[k]));
    }
    if (at->now <= LOCAL) {
        memcpy(s->nearest, w->y, w->problem->d * sizeof *w->y);
        il_anderson_next(s->mixing, w->y, w->z);
        at->momentum = 0.0;
    } else {
        double beta = at->momentum / (at->momentum + 3.0); /* Nesterov 1983 */
        for (size_t k = 0; k < w->problem->d; k++) {
            double last = at->mixed ? s->nearest[k] : w->y[k];
            s->nearest[k] = w->y[k];
            w->z[k] = w->y[k] + beta * (w->y[k] - last);
        }
        at->momentum += 1.0;
        il_anderson_restart(s->mixing);
    }
    at->inexact = at->now > LOCAL && at->k < SLIDES ? INEXACT * at->way : 0.0;
    at->nearest = distance2(w, w->y);
    at->mixed = true;
}

/* Move the point of linearisation towards its image q + w->x, by theta of the way. */
static void advance(il_linear *w, const double *q, iteration *at) {
    double before = at->way;
    at->way = 0.0;
    for (size_t k = 0; k < w->problem->d; k++) {
        at->way = fmax(at->way, fabs(q[k] + w->x[k] - w->z[k]));
    }
    if (at->way > SHRINKS * before && at->theta > LEAST_RELAXATION) {
        at->theta *= 0.5;
    }
    for (size_t k = 0; k < w->problem->d; k++) {
        w->z[k] += at->theta * (q[k] + w->x[k] - w->z[k]);
    }
}

double il_nearest_share(const il_problem *problem, double t, const il_rows *rows,
                        const double *lambda, double *work) {
    const double *mass = il_metric_masses(problem->mass);
    double largest = 0.0;
    memset(work, 0, problem->d * sizeof *work);
    for (size_t i = 0; i < rows->p; i++) {
        double rho = lambda[i] > 0.0 ? il_problem_rolling(problem, t, rows->id[i]) : INFINITY;
        if (isinf(rho)) {
            continue;
        }
        if (isnan(rho) || mass == NULL) {
            return NAN;
        }
        double bends = lambda[i] * il_rows_norm2(rows, i, mass) / rho;
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            work[rows->col[e]] += bends;
            largest = fmax(largest, work[rows->col[e]]);
        }
    }
    return largest;
}

/* The worst share of the step so far; it is unknown for a point that is not stationary. */
static void weigh(const il_linear *w, double t, bool answers, il_step_report *report) {
    double share =
        answers ? il_nearest_share(w->problem, t, report->rows, report->lambda, w->y) : NAN;
    if (!isnan(report->share) && !(share <= report->share)) {
        report->share = share;
    }
}

il_status il_true_set_project(il_true_set *s, double t, const double *q, il_step_report *report,
                              il_error *err) {
    il_linear *w = &s->linear;
    bool affine = (w->problem->traits & IL_ROWS_AFFINE) != 0;
    iteration at = {.theta = 1.0, .way = INFINITY, .nearest = INFINITY, .stationary = INFINITY};
    memcpy(w->z, q, w->problem->d * sizeof *w->z);
    if (s->mixing != NULL) {
        il_anderson_restart(s->mixing);
    }
    for (; at.k < ITERATIONS; at.k++) {
        bool answers = affine;
        il_status status = project_at(w, t, q, &at, report, err);
        bool ends = at.stalled && w->options.first_stall;
        if (!ends && dropped(s, status, &at)) {
            continue;
        }
        if (status == IL_OK && (!affine || w->options.certify)) {
            status = measure_residuals(w, t, q, report, &at, &answers, err);
        }
        if (status == IL_OK && !affine && (answers || ends)) {
            weigh(w, t, answers, report);
        }
        if (status != IL_OK || affine || answers || ends) {
            return status;
        }
        if (s->mixing != NULL) {
            mix(s, &at);
        } else {
            advance(w, q, &at);
        }
    }
    if (at.stalled) {
        weigh(w, t, false, report);
        return IL_OK; /* the projector's best iterate was accepted, and is no better than this */
    }
    return il_fail(
        err, IL_ESTALLED,
        "the iteration for the projection onto the true set did not settle in %d rounds "
        "at t = %.10g: stationarity %.3g relative, least gap %.3g; a smaller step brings "
        "the prediction nearer to the set",
        ITERATIONS, t, report->certificate.relative, report->certificate.primal);
}
