/*
 * norm_impacts.c - impacts of the run against percussions of the reference (impacts.h).
 */
#include <math.h>

#include "harness/measure/impacts.h"
#include "harness/measure/norm.h"

static il_status compute(il_norm_data *data, double *x, il_error *err) {
    const il_norms_query *query = data->query;
    const il_trajectory *other = query->reference_run;
    il_impacts m = il_impacts_none();
    il_status status = il_norm_need_loads(data, err);
    if (status != IL_OK || data->no_lambda != NULL || query->problem->order != 2) {
        return status;
    }
    double other_h = other != NULL ? other->t[1] : 0.0;
    status = il_impacts_match(&m, &data->run->pulses, query->run->t[1], data->T, &data->pulses,
                              other_h, err);
    if (status == IL_OK && query->projector != NULL) {
        status = il_impacts_law(&m, query->problem, query->projector, query->run, err);
    }
    if (status != IL_OK || isnan(m.threshold)) {
        return status;
    }
    x[0] = (double)m.events;
    x[1] = (double)m.matched;
    x[2] = (double)m.missed;
    x[3] = (double)m.spurious;
    x[4] = m.threshold;
    x[5] = m.time_error;
    x[6] = m.impulse_error;
    x[7] = (double)m.law_events;
    x[8] = m.law_residual;
    return IL_OK;
}

static const il_norm_value values[] = {
    {"events", true},        {"matched", true},     {"missed", true},         {"spurious", true},
    {"threshold", false},    {"time_error", false}, {"impulse_error", false}, {"law_events", true},
    {"law_residual", false}, {NULL, false}};

const il_norm_type il_norm_impacts = {
    .name = "impacts",
    .text = "impacts matched with percussions of the reference, and the impact law across them",
    .nested = true,
    .values = values,
    .compute = compute,
};
