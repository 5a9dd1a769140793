/*
 * norm_flat_lambda.c - flat distance of the contact forces lambda_h and lambda (flat.h), tau = T,
 * summed over contacts, and the largest of any.
 */
#include <math.h>

#include "harness/measure/norm.h"

static il_status compute(il_norm_data *data, double *x, il_error *err) {
    il_pulses_distance_result flat = {NAN, NAN};
    il_status status = il_norm_need_loads(data, err);
    if (status == IL_OK && data->no_lambda == NULL) {
        status = il_pulses_distance(&data->run->pulses, &data->pulses, data->T, &flat, err);
    }
    x[0] = flat.sum;
    x[1] = flat.most;
    return status;
}

static const il_norm_value values[] = {
    {"flat_lambda", false}, {"flat_lambda_max", false}, {NULL, false}};

const il_norm_type il_norm_flat_lambda = {
    .name = "flat_lambda",
    .text = "flat distance of the contact forces, summed over contacts",
    .values = values,
    .compute = compute,
};
