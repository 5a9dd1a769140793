/*
 * true_set.c - fixed point of linearised projections, judged by the original problem's residuals.
 */
#include "schemes/stepping/true_set.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROUNDS = 500 };

/* The fixed point is accepted when stationarity, as a relative displacement, is within this, and so
 * are the gaps, in units of one plus the configuration's size: ten times the rounding of a
 * gradient.
 */
static const double FIXED_POINT = 4e-15;

/* A point rounded to doubles turns the gradient of a constraint of curvature radius rho by its
 * rounding over rho, which for small rho is more than that. So the iteration has settled too when
 * its next step would move the point by no more than this many roundings; stationarity is then
 * asked for to what certificates promise.
 */
static const double STANDSTILL = 4.0 * DBL_EPSILON;
static const double CERTIFIED = 5e-13;

/* The iteration is relaxed when the way from a point to its image does not shrink by this much. */
static const double SHRINKS = 0.9;
static const double LEAST_RELAXATION = 1.0 / 256.0;

static double size_of(const double *x, size_t d) {
    double size = 0.0;
    for (size_t k = 0; k < d; k++) {
        size = fmax(size, fabs(x[k]));
    }
    return size;
}

/* By how much the projector itself may miss a gap. */
static double projector_room(const il_scheme_options *options) {
    if (options->projector->exact) {
        return 0.0;
    }
    double tolerance = options->projection.tolerance;
    return tolerance > 0.0 ? tolerance : IL_PROJECTOR_TOLERANCE;
}

/* The largest |g_i| among the rows that push: complementarity, in the units of the gaps. */
static double pushing_gap(const il_step_report *report) {
    double largest = 0.0;
    for (size_t i = 0; i < report->rows->p; i++) {
        if (report->lambda[i] > 0.0) {
            largest = fmax(largest, fabs(report->rows->value[i]));
        }
    }
    return largest;
}

/* From the point of linearisation w->z to its image q + w->x. */
static double way_left(const il_linear *w, const double *q) {
    double way = 0.0;
    for (size_t k = 0; k < w->problem->d; k++) {
        way = fmax(way, fabs(q[k] + w->x[k] - w->z[k]));
    }
    return way;
}

/* Is the displacement w->x an answer to the original problem? Rows are taken anew there. theta: by
 * how much the next step is relaxed. */
static il_status judge(il_linear *w, double t, const double *q, double theta,
                       il_step_report *report, bool *answers, il_error *err) {
    size_t d = w->problem->d;
    double gap = 0.0;
    for (size_t k = 0; k < d; k++) {
        w->y[k] = q[k] + w->x[k];
    }
    il_status status = il_correct_refresh(w->correct, t, w->y, &gap, err);
    if (status != IL_OK) {
        return status;
    }
    report->certificate = il_correct_certify_true(w->correct, w->v, w->x);
    report->certificate.primal = gap;
    double room = fmax(FIXED_POINT * (1.0 + size_of(w->y, d)), projector_room(&w->options));
    bool still = theta * way_left(w, q) <= STANDSTILL * (1.0 + size_of(w->y, d));
    *answers = report->certificate.relative <= (still ? CERTIFIED : FIXED_POINT) && gap >= -room &&
               pushing_gap(report) <= room;
    return IL_OK;
}

/* Solve at the point of linearisation w->z; *stalled tells of this solve alone. */
static il_status project_at(il_linear *w, double t, const double *q, il_step_report *report,
                            bool *stalled, il_error *err) {
    bool before = report->stalled;
    report->stalled = false;
    il_correction correction = {.t = t, .y = w->z, .q = q, .scale = 1.0, .target = w->v};
    il_status status = il_correct_solve(w->correct, &correction, w->x, report, err);
    *stalled = report->stalled;
    report->stalled |= before;
    return status;
}

/* Move the point of linearisation towards its image q + w->x, by theta of the way; returns the
 * way's length. */
static double advance(il_linear *w, const double *q, double *theta, double before) {
    double way = way_left(w, q);
    if (way > SHRINKS * before && *theta > LEAST_RELAXATION) {
        *theta *= 0.5;
    }
    for (size_t k = 0; k < w->problem->d; k++) {
        w->z[k] += *theta * (q[k] + w->x[k] - w->z[k]);
    }
    return way;
}

il_status il_true_set_project(il_linear *w, double t, const double *q, il_step_report *report,
                              il_error *err) {
    bool affine = (w->problem->traits & IL_ROWS_AFFINE) != 0;
    bool stalled = false;
    double theta = 1.0;
    double way = INFINITY;
    memcpy(w->z, q, w->problem->d * sizeof *w->z);
    for (int round = 0; round < ROUNDS; round++) {
        bool answers = affine;
        il_status status = project_at(w, t, q, report, &stalled, err);
        if (status == IL_OK && (!affine || w->options.certify)) {
            status = judge(w, t, q, theta, report, &answers, err);
        }
        if (status != IL_OK || affine || answers) {
            return status;
        }
        way = advance(w, q, &theta, way);
    }
    if (stalled) {
        return IL_OK; /* the projector's best iterate was accepted, and is no better than this */
    }
    return il_fail(
        err, IL_ESTALLED,
        "the iteration for the projection onto the true set did not settle in %d rounds "
        "at t = %.17g: stationarity %.3g relative, least gap %.3g; a smaller step brings "
        "the prediction nearer to the set",
        ROUNDS, t, report->certificate.relative, report->certificate.primal);
}
