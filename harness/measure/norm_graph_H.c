/*
 * norm_graph_H.c - Hausdorff distance of the filled-in graphs of u_h and u (graph.h), for tau = T
 * and V = sup |u|_2 of the reference (1 if that is 0).
 */
#include <math.h>

#include "harness/measure/norm.h"

static il_status compute(il_norm_data *data, double *x, il_error *err) {
    il_status status = il_norm_need_graphs(data, err);
    if (status != IL_OK) {
        return status;
    }
    double sup = il_graph_sup(&data->graph);
    x[1] = data->T;
    x[2] = sup > 0.0 ? sup : 1.0;
    return isfinite(sup)
               ? il_graph_distance(&data->run->graph, &data->graph, x[1], x[2], &x[0], err)
               : IL_OK;
}

static const il_norm_value values[] = {
    {"graph_H", false}, {"tau", false}, {"V", false}, {NULL, false}};

const il_norm_type il_norm_graph_H = {
    .name = "graph_H",
    .text = "Hausdorff distance of the filled-in graphs of u_h and u",
    .values = values,
    .compute = compute,
};
