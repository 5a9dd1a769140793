/*
 * true_set.c - fixed point of linearised projections, judged by the original problem's residuals.
 */
#include "schemes/stepping/true_set.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 500 };

/* The fixed point is accepted when stationarity, relative to |M x|, and feasibility, relative to
 * the configuration's size, are within this: ten times the rounding of a gradient. */
static const double FIXED_POINT = 4e-15;

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

/* The residuals of the original problem at the displacement w->x, with rows taken anew there. */
static il_status judge(il_linear *w, double t, const double *q, il_certificate *c, double *room,
                       il_error *err) {
    size_t d = w->problem->d;
    double gap = 0.0;
    for (size_t k = 0; k < d; k++) {
        w->y[k] = q[k] + w->x[k];
    }
    il_status status = il_correct_refresh(w->correct, t, w->y, &gap, err);
    if (status != IL_OK) {
        return status;
    }
    *c = il_correct_certify_true(w->correct, w->v, w->x);
    c->primal = gap;
    *room = fmax(FIXED_POINT * (1.0 + size_of(w->y, d)), projector_room(&w->options));
    return IL_OK;
}

il_status il_true_set_project(il_linear *w, double t, const double *q, il_step_report *report,
                              il_error *err) {
    size_t d = w->problem->d;
    bool affine = (w->problem->traits & IL_ROWS_AFFINE) != 0;
    memcpy(w->y, q, d * sizeof *w->y);
    il_certificate c = il_certificate_best();
    for (int round = 0; round < ROUNDS; round++) {
        il_correction correction = {.t = t, .y = w->y, .q = q, .scale = 1.0, .target = w->v};
        il_status status = il_correct_solve(w->correct, &correction, w->x, report, err);
        double room = 0.0;
        if (status == IL_OK && affine && !w->options.certify) {
            return IL_OK;
        }
        if (status == IL_OK) {
            status = judge(w, t, q, &c, &room, err);
        }
        if (status != IL_OK) {
            return status;
        }
        report->certificate = c;
        if (affine || (c.stationarity <= FIXED_POINT * c.scale && c.primal >= -room)) {
            return IL_OK;
        }
    }
    if (report->stalled) {
        return IL_OK; /* the projector's tolerance is looser than ours and was accepted */
    }
    return il_fail(err, IL_ESTALLED,
                   "the projection onto the true set did not settle in %d rounds at t = %.17g: "
                   "stationarity %.3g of %.3g, least gap %.3g; a smaller step brings the "
                   "prediction within the prox-regularity radius",
                   ROUNDS, t, c.stationarity, c.scale, c.primal);
}
