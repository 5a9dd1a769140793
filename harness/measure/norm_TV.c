/*
 * norm_TV.c - | TV(u_h) - TV(u) |, both from the initial velocity on.
 */
#include <math.h>

#include "harness/measure/norm.h"

static il_status compute(il_norm_data *data, double *x, il_error *err) {
    il_status status = il_norm_need_graphs(data, err);
    if (status == IL_OK) {
        const double *u0 = data->query->run->u;
        const il_norm_run *run = data->run;
        x[1] = il_graph_variation(&data->graph) + il_norm_first_jump(&data->graph, u0);
        x[0] = fabs(run->variation + il_norm_first_jump(&run->graph, u0) - x[1]);
    }
    return status;
}

static const il_norm_value values[] = {{"TV", false}, {"TV_reference", false}, {NULL, false}};

const il_norm_type il_norm_TV = {
    .name = "TV",
    .text = "difference of the total variations of u_h and u",
    .values = values,
    .compute = compute,
};
