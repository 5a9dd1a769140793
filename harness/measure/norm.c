/*
 * norm.c - norms of whole runs: the data that they share, the norms, and the generated list of all.
 */
#include "harness/measure/norm.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/measure/impacts.h"

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
    il_norm_reference *other = w->other;
    il_status status = graph_run(w->run, w->query->run, err);
    if (status == IL_OK && !other->graphed) {
        status = il_graph_of_exact(&other->graph, w->query->reference, w->query->run->d, w->T, err);
        other->graphed = status == IL_OK;
    }
    return status;
}

static void pulse_run(il_norm_run *w, const il_norms_query *query) {
    if (!w->pulsed) {
        il_pulses_of_run(&w->pulses, query->run, query->problem, query->projector);
        w->pulsed = true;
    }
}

il_status il_norm_need_loads(il_norm_data *w, il_error *err) {
    const il_norms_query *query = w->query;
    const il_trajectory *other = query->reference_run;
    if (other == NULL && query->reference->impulse == NULL) {
        w->no_lambda = "the contact impulses of the reference are not known";
        return IL_OK;
    }
    pulse_run(w->run, query);
    if (w->other->pulsed) {
        return IL_OK;
    }
    il_pulses *pulses = &w->other->pulses;
    il_status status = IL_OK;
    if (other != NULL) {
        il_pulses_of_run(pulses, other, query->problem, query->projector);
    } else {
        status = il_pulses_of_exact(pulses, query->reference, query->problem->p, w->T, err);
    }
    w->other->pulsed = status == IL_OK;
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

static void free_reference(il_norm_reference *w) {
    il_graph_free(&w->graph);
    il_pulses_free(&w->pulses);
}

void il_norm_kept_free(il_norm_kept *w) {
    for (size_t k = 0; k < w->n; k++) {
        free_reference(&w->of[k]);
    }
    free(w->of);
    *w = (il_norm_kept){.n = 0};
}

void il_norm_kept_open(il_norm_kept *w, double T, size_t n) {
    if (w->n == n && w->T == T) {
        return;
    }
    il_norm_kept_free(w);
    w->of = il_alloc_zero(n, sizeof *w->of);
    w->n = n;
    w->T = T;
}

/* ---- members -------------------------------------------------------------------------------- */

/* | TV(u_h) - TV(u) |, both from the initial velocity on. */
static il_status compute_tv(il_norm_data *data, double *x, il_error *err) {
    il_status status = il_norm_need_graphs(data, err);
    if (status == IL_OK) {
        const double *u0 = data->query->run->u;
        const il_norm_run *run = data->run;
        x[1] =
            il_graph_variation(&data->other->graph) + il_norm_first_jump(&data->other->graph, u0);
        x[0] = fabs(run->variation + il_norm_first_jump(&run->graph, u0) - x[1]);
    }
    return status;
}

static const il_field values_tv[] = {
    {"TV", IL_NORM_VALUE(0), IL_SPEED}, {"TV_reference", IL_NORM_VALUE(1)}, {.path = NULL}};

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
        status = il_pulses_distance(&data->run->pulses, &data->other->pulses, data->T, &flat, err);
    }
    x[0] = flat.sum;
    x[1] = flat.most;
    return status;
}

static const il_field values_flat_lambda[] = {{"flat_lambda", IL_NORM_VALUE(0), IL_IMPULSE},
                                              {"flat_lambda_max", IL_NORM_VALUE(1), IL_IMPULSE},
                                              {.path = NULL}};

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
    double sup = il_graph_sup(&data->other->graph);
    x[1] = data->T;
    x[2] = sup > 0.0 ? sup : 1.0;
    return isfinite(sup) ? il_graph_distance(&data->run->graph, &data->other->graph, x[1], x[2],
                                             &x[0], NULL, err)
                         : IL_OK;
}

static const il_field values_graph_h[] = {{"graph_H", IL_NORM_VALUE(0), IL_RATIO},
                                          {"tau", IL_NORM_VALUE(1)},
                                          {"V", IL_NORM_VALUE(2)},
                                          {.path = NULL}};

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
    double other_h = other != NULL && !data->other->pulses.atomic ? other->t[1] : 0.0;
    il_impacts_match(&m, &data->run->pulses, query->run->t[1], data->T, &data->other->pulses,
                     other_h);
    if (query->projector != NULL) {
        status = il_impacts_law(&m, query->problem, query->projector, query->run,
                                &data->run->pulses, err);
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

static const il_field values_impacts[] = {{"events", IL_NORM_COUNT(0), IL_OWN},
                                          {"matched", IL_NORM_COUNT(1), IL_OWN},
                                          {"missed", IL_NORM_COUNT(2), IL_OWN},
                                          {"spurious", IL_NORM_COUNT(3), IL_OWN},
                                          {"threshold", IL_NORM_VALUE(4)},
                                          {"time_error", IL_NORM_VALUE(5), IL_TIME},
                                          {"impulse_error", IL_NORM_VALUE(6), IL_IMPULSE},
                                          {"law_events", IL_NORM_COUNT(7), IL_OWN},
                                          {"law_residual", IL_NORM_VALUE(8), IL_SPEED, true},
                                          {.path = NULL}};

const il_norm_type il_norm_impacts = {
    .name = "impacts",
    .text = "impacts matched with percussions of the reference, and the impact law across them",
    .nested = true,
    .values = values_impacts,
    .compute = compute_impacts,
};

/* ---- the norms that the build found --------------------------------------------------------- */

#define X(name) extern const il_norm_type il_norm_##name;
#include "norms.def"
#undef X

#define X(name) &il_norm_##name,
static const il_norm_type *const norms[] = {
#include "norms.def"
};
#undef X

enum { NORMS = sizeof norms / sizeof norms[0] };
_Static_assert(NORMS < 30, "a norm is a bit of an unsigned, and one is IL_NORM_AUTO");

const il_norm_type *il_norm_type_at(size_t k) {
    return k < NORMS ? norms[k] : NULL;
}

unsigned il_norm_all(void) {
    return (1u << NORMS) - 1u;
}

bool il_norm_bits(const char *name, unsigned *bits) {
    for (size_t k = 0; k < NORMS; k++) {
        if (strcmp(norms[k]->name, name) == 0) {
            *bits = 1u << k;
            return true;
        }
    }
    *bits = strcmp(name, "all") == 0 ? il_norm_all() : IL_NORM_NONE;
    return strcmp(name, "all") == 0 || strcmp(name, "none") == 0;
}

void il_norm_names(char *out, size_t capacity) {
    out[0] = '\0';
    for (size_t k = 0; k < NORMS; k++) {
        il_text_append(out, capacity, "%s, ", norms[k]->name);
    }
    il_text_append(out, capacity, "all, none");
}

il_norms il_norms_none(void) {
    il_norms none = {.no_lambda = NULL};
    for (size_t k = 0; k < IL_NORMS_VALUES_MAX; k++) {
        none.x[k] = NAN;
    }
    return none;
}

static size_t count(const il_norm_type *norm) {
    size_t n = 0;
    while (norm->values[n].path != NULL) {
        n++;
    }
    return n;
}

/* Where the values of norm k begin. */
static size_t place(size_t k) {
    size_t at = 0;
    for (size_t i = 0; i < k; i++) {
        at += count(norms[i]);
    }
    assert(at + count(norms[k]) <= IL_NORMS_VALUES_MAX);
    return at;
}

const double *il_norms_of(const il_norms *w, size_t k) {
    return w->x + place(k);
}

double il_norms_value(const il_norms *w, const char *name, const char *key) {
    for (size_t k = 0; k < NORMS; k++) {
        for (size_t i = 0; strcmp(norms[k]->name, name) == 0 && norms[k]->values[i].path != NULL;
             i++) {
            if (key == NULL || strcmp(norms[k]->values[i].path, key) == 0) {
                return w->x[place(k) + i];
            }
        }
    }
    return NAN;
}

il_status il_norms_compute(il_norms *w, const il_norms_query *query, unsigned bits, il_error *err) {
    il_norm_run alone = {.graphed = false};
    il_norm_reference once = {.graphed = false};
    il_norm_data data = {.query = query,
                         .T = query->run->t[query->run->nodes - 1],
                         .run = query->kept != NULL ? query->kept : &alone,
                         .other = query->known != NULL ? query->known : &once};
    il_status status = IL_OK;
    *w = il_norms_none();
    for (size_t k = 0; status == IL_OK && k < NORMS; k++) {
        if ((bits & 1u << k) != 0) {
            status = norms[k]->compute(&data, w->x + place(k), err);
        }
    }
    w->no_lambda = data.no_lambda;
    free_reference(&once);
    il_norm_run_free(&alone);
    return status;
}
