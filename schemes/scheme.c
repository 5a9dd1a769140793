/*
 * scheme.c - whether a scheme is defined for a problem.
 */
#include "schemes/scheme.h"

il_status il_scheme_admits(const il_scheme_type *scheme, const il_problem *problem, il_error *err) {
    if ((scheme->orders & 1u << (problem->order - 1)) == 0) {
        return il_fail(err, IL_EUNSUPPORTED,
                       "scheme '%s' has no meaning on problem '%s', which is of order %d: %s",
                       scheme->name, problem->type->name, problem->order, scheme->title);
    }
    if (problem->restitution > 0.0 && !scheme->restitution) {
        return il_fail(err, IL_EUNSUPPORTED,
                       "scheme '%s' has no impact law but the inelastic one, and problem '%s' has "
                       "restitution e = %g; set e=0 or take a scheme with restitution",
                       scheme->name, problem->type->name, problem->restitution);
    }
    if (scheme->open_start && !(problem->start_gap > 0.0)) {
        return il_fail(err, IL_EUNSUPPORTED,
                       "scheme '%s' keeps gaps positive, and problem '%s' starts with a gap of %g",
                       scheme->name, problem->type->name, problem->start_gap);
    }
    if (scheme->open_start && (problem->traits & IL_ROWS_FIXED) == 0) {
        return il_fail(err, IL_EUNSUPPORTED,
                       "scheme '%s' knows constraints that are fixed in time, and those of problem "
                       "'%s' move, or are not known not to",
                       scheme->name, problem->type->name);
    }
    if (problem->gamma0 != NULL && !scheme->glue) {
        return il_fail(err, IL_EUNSUPPORTED,
                       "scheme '%s' knows only active contacts, and those of problem '%s' also "
                       "hold (gamma < 0); take a scheme that knows glue (gluey: or glue=off)",
                       scheme->name, problem->type->name);
    }
    return IL_OK;
}
