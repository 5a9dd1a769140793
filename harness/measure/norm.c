/*
 * norm.c - what norms of whole runs share, and the generated list of them.
 */
#include "harness/measure/norm.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "harness/base/text.h"

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
    while (norm->values[n].key != NULL) {
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
        for (size_t i = 0; strcmp(norms[k]->name, name) == 0 && norms[k]->values[i].key != NULL;
             i++) {
            if (key == NULL || strcmp(norms[k]->values[i].key, key) == 0) {
                return w->x[place(k) + i];
            }
        }
    }
    return NAN;
}

il_status il_norms_compute(il_norms *w, const il_norms_query *query, unsigned bits, il_error *err) {
    il_norm_run alone = {.graphed = false};
    il_norm_data data = {.query = query,
                         .T = query->run->t[query->run->nodes - 1],
                         .run = query->kept != NULL ? query->kept : &alone};
    il_status status = IL_OK;
    *w = il_norms_none();
    for (size_t k = 0; status == IL_OK && k < NORMS; k++) {
        if ((bits & 1u << k) != 0) {
            status = norms[k]->compute(&data, w->x + place(k), err);
        }
    }
    w->no_lambda = data.no_lambda;
    il_norm_data_free(&data);
    il_norm_run_free(&alone);
    return status;
}
