/*
 * norm.c - what norms of whole runs share.
 */
#include "harness/measure/norm.h"

#include <math.h>

/* A failure leaves nothing made. */
static il_status graph_run(il_norm_run *w, const il_trajectory *run, il_error *err) {
    if (w->graphed) {
        return IL_OK;
    }
    il_status status = il_graph_of_run(&w->graph, run, err);
    if (status == IL_OK) {
        w->graphed = true;
        w->variation = il_graph_variation(&w->graph);
    }
    return status;
}

il_status il_norm_need_graphs(il_norm_data *w, il_error *err) {
    if (w->graphed) {
        return IL_OK;
    }
    w->graphed = true;
    il_status status = graph_run(w->run, w->query->run, err);
    if (status == IL_OK) {
        status = il_graph_of_exact(&w->graph, w->query->reference, w->query->run->d, w->T, err);
    }
    return status;
}

static il_status pulse_run(il_norm_run *w, const il_trajectory *run, il_error *err) {
    if (w->pulsed) {
        return IL_OK;
    }
    il_status status = il_pulses_of_run(&w->pulses, run, err);
    w->pulsed = status == IL_OK;
    return status;
}

il_status il_norm_need_loads(il_norm_data *w, il_error *err) {
    const il_norms_query *query = w->query;
    const il_trajectory *other = query->reference_run;
    if (w->pulsed) {
        return IL_OK;
    }
    w->pulsed = true;
    if (other == NULL && query->reference->impulse == NULL) {
        w->no_lambda = "the contact impulses of the reference are not known";
        return IL_OK;
    }
    il_status status = pulse_run(w->run, query->run, err);
    if (status == IL_OK) {
        status = other != NULL ? il_pulses_of_run(&w->pulses, other, err)
                               : il_pulses_of_exact(&w->pulses, query->reference, query->problem->p,
                                                    w->T, err);
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

void il_norm_run_free(il_norm_run *w) {
    if (w != NULL) {
        il_graph_free(&w->graph);
        il_pulses_free(&w->pulses);
        *w = (il_norm_run){.graphed = false};
    }
}

void il_norm_data_free(il_norm_data *w) {
    il_graph_free(&w->graph);
    il_pulses_free(&w->pulses);
}
