/*
 * certify.c - the certificate of a step against what its projector promises.
 */
#include "harness/run/certify.h"

il_status il_run_certify(const il_run_spec *spec, size_t n, double t, const il_step_report *report,
                         il_error *err) {
    const il_certificate *c = &report->certificate;
    double tolerance = spec->projection.tolerance;
    if (report->stalled || il_certificate_holds(c, spec->projector->finite, tolerance)) {
        return IL_OK;
    }
    return il_fail(
        err, IL_ENOTCERTIFIED,
        "step %zu, t = %.17g: projector '%s' left a residual of %.3g in gaps of size %.3g, "
        "stationarity %.3g relative, least gap %.3g; allowed is what it promises: %.3g, or "
        "%.3g of the size",
        n, t, spec->projector->name, c->residual, c->size, c->relative, c->primal, tolerance,
        IL_PROJECTOR_EXACT);
}
