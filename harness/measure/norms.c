/*
 * norms.c - the norms that need the whole run.
 */
#include "harness/measure/norms.h"

#include <math.h>
#include <string.h>

#include "harness/measure/graph.h"
#include "harness/measure/loads.h"

const char il_norm_names[] = "graph_H, flat_lambda, TV, impacts, all, none";

static const struct {
    const char *name;
    unsigned bits;
} names[] = {{"graph_H", IL_NORM_GRAPH},   {"flat_lambda", IL_NORM_FLAT}, {"TV", IL_NORM_TV},
             {"impacts", IL_NORM_IMPACTS}, {"all", IL_NORM_ALL},          {"none", 0u}};

bool il_norm_bits(const char *name, unsigned *bits) {
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (strcmp(name, names[k].name) == 0) {
            *bits = names[k].bits;
            return true;
        }
    }
    return false;
}

il_norms il_norms_none(void) {
    return (il_norms){.graph_H = NAN,
                      .tau = NAN,
                      .V = NAN,
                      .flat_lambda = NAN,
                      .flat_lambda_max = NAN,
                      .TV = NAN,
                      .TV_reference = NAN,
                      .impacts = il_impacts_none()};
}

/* |u(0+) - u_0|, the jump at the start, which graphs leave out. */
static double first_jump(const il_graph *g, const double *u0) {
    double sum = 0.0;
    for (size_t k = 0; k < g->d; k++) {
        double jump = g->p[1 + k] - u0[k];
        sum += jump * jump;
    }
    return sqrt(sum);
}

static il_status by_graphs(il_norms *norms, const il_norms_query *query, unsigned bits,
                           il_error *err) {
    const il_trajectory *run = query->run;
    double T = run->t[run->nodes - 1];
    il_graph ours = {0};
    il_graph theirs = {0};
    il_status status = il_graph_of_run(&ours, run, err);
    if (status == IL_OK) {
        status = il_graph_of_exact(&theirs, query->reference, run->d, T, err);
    }
    if (status == IL_OK && (bits & IL_NORM_TV) != 0) {
        norms->TV_reference = il_graph_variation(&theirs) + first_jump(&theirs, run->u);
        norms->TV =
            fabs(il_graph_variation(&ours) + first_jump(&ours, run->u) - norms->TV_reference);
    }
    if (status == IL_OK && (bits & IL_NORM_GRAPH) != 0) {
        double sup = il_graph_sup(&theirs);
        norms->V = sup > 0.0 ? sup : 1.0;
        norms->tau = T;
        if (isfinite(sup)) {
            status = il_graph_distance(&ours, &theirs, T, norms->V, &norms->graph_H, err);
        }
    }
    il_graph_free(&ours);
    il_graph_free(&theirs);
    return status;
}

static il_status by_loads(il_norms *norms, const il_norms_query *query, unsigned bits,
                          il_error *err) {
    const il_trajectory *run = query->run;
    const il_trajectory *other = query->reference_run;
    double T = run->t[run->nodes - 1];
    if (other == NULL && query->reference->impulse == NULL) {
        norms->no_lambda = "the contact impulses of the reference are not known";
        return IL_OK;
    }
    il_loads ours = {0};
    il_loads theirs = {0};
    il_status status = il_loads_of_run(&ours, run, err);
    if (status == IL_OK) {
        status = other != NULL
                     ? il_loads_of_run(&theirs, other, err)
                     : il_loads_of_exact(&theirs, query->reference, query->problem->p, T, err);
    }
    if (status == IL_OK && (bits & IL_NORM_FLAT) != 0) {
        il_loads_distance_result flat = {NAN, NAN};
        status = il_loads_distance(&ours, &theirs, T, &flat, err);
        norms->flat_lambda = flat.sum;
        norms->flat_lambda_max = flat.most;
    }
    if (status == IL_OK && (bits & IL_NORM_IMPACTS) != 0 && query->problem->order == 2) {
        double h = run->t[1];
        double other_h = other != NULL ? other->t[1] : 0.0;
        status = il_impacts_match(&norms->impacts, &ours, h, T, &theirs, other_h, err);
        if (status == IL_OK && query->projector != NULL) {
            status = il_impacts_law(&norms->impacts, query->problem, query->projector, run, err);
        }
    }
    il_loads_free(&ours);
    il_loads_free(&theirs);
    return status;
}

il_status il_norms_compute(il_norms *norms, const il_norms_query *query, unsigned bits,
                           il_error *err) {
    *norms = il_norms_none();
    il_status status = IL_OK;
    if ((bits & (IL_NORM_GRAPH | IL_NORM_TV)) != 0) {
        status = by_graphs(norms, query, bits, err);
    }
    if (status == IL_OK && (bits & (IL_NORM_FLAT | IL_NORM_IMPACTS)) != 0) {
        status = by_loads(norms, query, bits, err);
    }
    return status;
}
