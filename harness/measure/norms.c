/*
 * norms.c - the norms of whole runs.
 */
#include <math.h>

#include "harness/measure/impacts.h"
#include "harness/measure/norm.h"

/* | TV(u_h) - TV(u) |, both from the initial velocity on. */
static il_status compute_tv(il_norm_data *data, double *x, il_error *err) {
    il_status status = il_norm_need_graphs(data, err);
    if (status == IL_OK) {
        const double *u0 = data->query->run->u;
        const il_norm_run *run = data->run;
        x[1] = il_graph_variation(&data->graph) + il_norm_first_jump(&data->graph, u0);
        x[0] = fabs(run->variation + il_norm_first_jump(&run->graph, u0) - x[1]);
    }
    return status;
}

static const il_norm_value values_tv[] = {{"TV", false}, {"TV_reference", false}, {NULL, false}};

const il_norm_type il_norm_TV = {
    .name = "TV",
    .text = "difference of the total variations of u_h and u",
    .values = values_tv,
    .compute = compute_tv,
};

/* Flat distance of the contact forces lambda_h and lambda (flat.h), tau = T, summed over contacts,
 * and the largest of any. */
static il_status compute_flat_lambda(il_norm_data *data, double *x, il_error *err) {
    il_pulses_distance_result flat = {NAN, NAN};
    il_status status = il_norm_need_loads(data, err);
    if (status == IL_OK && data->no_lambda == NULL) {
        status = il_pulses_distance(&data->run->pulses, &data->pulses, data->T, &flat, err);
    }
    x[0] = flat.sum;
    x[1] = flat.most;
    return status;
}

static const il_norm_value values_flat_lambda[] = {
    {"flat_lambda", false}, {"flat_lambda_max", false}, {NULL, false}};

const il_norm_type il_norm_flat_lambda = {
    .name = "flat_lambda",
    .text = "flat distance of the contact forces, summed over contacts",
    .values = values_flat_lambda,
    .compute = compute_flat_lambda,
};

/* Hausdorff distance of the filled-in graphs of u_h and u (graph.h), for tau = T and V = sup |u|_2
 * of the reference (1 if that is 0). */
static il_status compute_graph_h(il_norm_data *data, double *x, il_error *err) {
    il_status status = il_norm_need_graphs(data, err);
    if (status != IL_OK) {
        return status;
    }
    double sup = il_graph_sup(&data->graph);
    x[1] = data->T;
    x[2] = sup > 0.0 ? sup : 1.0;
    return isfinite(sup)
               ? il_graph_distance(&data->run->graph, &data->graph, x[1], x[2], &x[0], NULL, err)
               : IL_OK;
}

static const il_norm_value values_graph_h[] = {
    {"graph_H", false}, {"tau", false}, {"V", false}, {NULL, false}};

const il_norm_type il_norm_graph_H = {
    .name = "graph_H",
    .text = "Hausdorff distance of the filled-in graphs of u_h and u",
    .values = values_graph_h,
    .compute = compute_graph_h,
};

/* Impacts of the run against percussions of the reference (impacts.h). */
static il_status compute_impacts(il_norm_data *data, double *x, il_error *err) {
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

static const il_norm_value values_impacts[] = {
    {"events", true},        {"matched", true},     {"missed", true},         {"spurious", true},
    {"threshold", false},    {"time_error", false}, {"impulse_error", false}, {"law_events", true},
    {"law_residual", false}, {NULL, false}};

const il_norm_type il_norm_impacts = {
    .name = "impacts",
    .text = "impacts matched with percussions of the reference, and the impact law across them",
    .nested = true,
    .values = values_impacts,
    .compute = compute_impacts,
};
