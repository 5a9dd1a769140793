/*
 * failure.c - counts of a projector's calls, and the words for one that refused or failed.
 */
#include "schemes/stepping/failure.h"

void il_step_count(const il_projection_info *info, il_step_report *report) {
    report->iterations += info->iterations;
    report->factorisations += info->factorisations;
    report->analyses += info->analyses;
    report->solves++;
}

il_status il_step_projected(const il_scheme_options *options, void *self, const il_qp *qp, double t,
                            il_status status, size_t iterations, il_step_report *report,
                            il_error *err) {
    const il_projector_type *type = options->projector;
    report->stalled |= status == IL_ESTALLED;
    if (status == IL_OK || (status == IL_ESTALLED && options->accept_stalled)) {
        return IL_OK;
    }
    if (status == IL_EUNSUPPORTED) {
        const char *why = type->refuses(self, qp);
        return il_fail(err, status, "projector '%s' cannot solve this step: %s", type->name,
                       why != NULL ? why : "the rows close a ring");
    }
    return il_fail(err, status, "projector '%s' failed at t = %.10g after %zu iterations: %s",
                   type->name, t, iterations, il_status_text(status));
}
