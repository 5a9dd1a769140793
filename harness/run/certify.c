/*
 * certify.c - the certificate of a step against what its projector promises.
 *
 * The projector is judged by the numbers that it was given. Those of a step are gaps, which were
 * rounded when they were computed from positions: so the size that a residual is compared with is
 * that of the certificate and max_i sum_k |b_ik| |q_k|. A pile of small spheres far from the origin
 * has small gaps, which nobody knows to 1e-12 of themselves.
 */
#include "harness/run/certify.h"

#include <math.h>

static double reach_of(const il_rows *rows, const double *q) {
    double reach = 0.0;
    for (size_t i = 0; i < rows->p; i++) {
        double sum = 0.0;
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            sum += fabs(rows->coef[e]) * fabs(q[rows->col[e]]);
        }
        reach = fmax(reach, sum);
    }
    return reach;
}

il_status il_run_certify(const il_run_spec *spec, size_t n, double t, const double *q,
                         const il_step_report *report, il_error *err) {
    il_certificate c = report->certificate;
    double tolerance = spec->projection.tolerance;
    if (report->stalled || il_certificate_holds(&c, spec->projector->finite, tolerance)) {
        return IL_OK;
    }
    c.size += reach_of(report->rows, q);
    if (il_certificate_holds(&c, spec->projector->finite, tolerance)) {
        return IL_OK;
    }
    return il_fail(
        err, IL_ENOTCERTIFIED,
        "step %zu, t = %.10g: projector '%s' left a residual of %.3g in gaps of size %.3g, "
        "stationarity %.3g relative, least gap %.3g; allowed is what it promises: %.3g, or "
        "%.3g of the size",
        n, t, spec->projector->name, c.residual, c.size, c.relative, c.primal, tolerance,
        IL_PROJECTOR_EXACT);
}
