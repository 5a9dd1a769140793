/*
 * norm.c - what norms of whole runs share.
 */
#include "harness/measure/norm.h"

#include <math.h>

il_status il_norm_need_graphs(il_norm_data *w, il_error *err) {
    if (w->graphs) {
        return IL_OK;
    }
    w->graphs = true;
    il_status status = il_graph_of_run(&w->graph[0], w->query->run, err);
    if (status == IL_OK) {
        status = il_graph_of_exact(&w->graph[1], w->query->reference, w->query->run->d, w->T, err);
    }
    return status;
}

il_status il_norm_need_loads(il_norm_data *w, il_error *err) {
    const il_norms_query *query = w->query;
    const il_trajectory *other = query->reference_run;
    if (w->pulses) {
        return IL_OK;
    }
    w->pulses = true;
    if (other == NULL && query->reference->impulse == NULL) {
        w->no_lambda = "the contact impulses of the reference are not known";
        return IL_OK;
    }
    il_status status = il_pulses_of_run(&w->pulse[0], query->run, err);
    if (status == IL_OK) {
        status = other != NULL ? il_pulses_of_run(&w->pulse[1], other, err)
                               : il_pulses_of_exact(&w->pulse[1], query->reference,
                                                    query->problem->p, w->T, err);
    }
    return status;
}

double il_norm_first_jump(const il_graph *g, const double *u0) {
    double sum = 0.0;
    for (size_t k = 0; k < g->d; k++) {
        double jump = g->p[1 + k] - u0[k];
        sum += jump * jump;
    }
    return sqrt(sum);
}

void il_norm_data_free(il_norm_data *w) {
    for (size_t k = 0; k < 2; k++) {
        il_graph_free(&w->graph[k]);
        il_pulses_free(&w->pulse[k]);
    }
}
