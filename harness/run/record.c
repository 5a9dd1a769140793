/*
 * record.c - records begin and end; their JSON.
 */
#include "harness/run/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "build_id.h"
#include "harness/base/json.h"

void il_record_count(il_record *record, const il_step_report *report) {
    record->projector_iterations += report->iterations;
    record->factorisations += report->factorisations;
    record->analyses += report->analyses;
    record->solves += report->solves;
    record->stalled += report->stalled;
    record->scans += report->scans;
    record->rows_offered += report->rows_offered;
    record->share_max = fmax(record->share_max, report->share);
    record->steps_beyond += report->share > 1.0 ? 1 : 0;
    record->steps_unknown += isnan(report->share) ? 1 : 0;
}

il_status il_record_allocate(il_record *record, size_t nsamples, size_t loads, il_error *err) {
    size_t d = record->d;
    size_t states = 2 + nsamples; /* with the final one and a best iterate */
    record->q = calloc(2 * d * states + loads * nsamples, sizeof *record->q);
    record->samples = calloc(nsamples > 0 ? nsamples : 1, sizeof *record->samples);
    if (record->q == NULL || record->samples == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for a record of size %zu", d);
    }
    record->u = record->q + d;
    record->best.q = record->u + d;
    record->best.u = record->best.q + d;
    record->nsamples = nsamples;
    for (size_t k = 0; k < nsamples; k++) {
        record->samples[k].q = record->q + 2 * d * (2 + k);
        record->samples[k].u = record->samples[k].q + d;
        record->samples[k].load = loads > 0 ? record->q + 2 * d * states + loads * k : NULL;
    }
    record->bodies = loads;
    return IL_OK;
}

void il_record_free(il_record *record) {
    free(record->q);
    free(record->samples);
    free(record->distances);
    il_params_destroy(record->scheme_params);
    il_multipliers_free(&record->multipliers);
    free(record->walls);
    json_decref(record->program);
    memset(record, 0, sizeof *record);
}

/* Nearest in u_L1 first; a NaN counts as farthest. */
static int nearer(const void *a, const void *b) {
    double x = ((const il_distance *)a)->error.u_L1;
    double y = ((const il_distance *)b)->error.u_L1;
    return isnan(x) ? !isnan(y) : isnan(y) ? -1 : (x > y) - (x < y);
}

void il_record_sort(il_record *record) {
    qsort(record->distances, record->ndistances, sizeof *record->distances, nearer);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

json_t *il_certificate_json(const il_certificate *certificate) {
    il_json w = {false};
    json_t *object = json_object();
    il_json_put(&w, object, "primal", certificate->primal);
    il_json_put(&w, object, "dual", certificate->dual);
    il_json_put(&w, object, "complementarity", certificate->complementarity);
    il_json_put(&w, object, "stationarity", certificate->stationarity);
    il_json_put(&w, object, "stationarity_relative", certificate->relative);
    return il_json_done(&w, object);
}

static json_t *state(il_json *w, double t, const double *q, const double *u, size_t d) {
    json_t *object = json_object();
    il_json_put(w, object, "t", t);
    il_json_set(w, object, "q", il_json_numbers(q, d));
    il_json_set(w, object, "u", il_json_numbers(u, d));
    return object;
}

/* The step that the projector did not finish. */
static json_t *best_iterate(il_json *w, const il_best_iterate *best, size_t d) {
    json_t *object = state(w, best->t, best->q, best->u, d);
    il_json_put_count(w, object, "step", best->step);
    il_json_put_count(w, object, "iterations", best->iterations);
    il_json_set(w, object, "certificate", il_certificate_json(&best->certificate));
    return object;
}

/* The values of a norm into object. */
static void add_values(il_json *w, json_t *object, const il_norm_type *norm, const double *x) {
    for (size_t i = 0; norm->values[i].key != NULL; i++) {
        if (norm->values[i].count && isfinite(x[i])) {
            il_json_put_count(w, object, norm->values[i].key, (size_t)x[i]);
        } else {
            il_json_put(w, object, norm->values[i].key, x[i]);
        }
    }
}

/* Null where they were not asked for. */
static void add_norms(il_json *w, json_t *object, const il_norms *norms) {
    for (size_t k = 0; il_norm_type_at(k) != NULL; k++) {
        const il_norm_type *norm = il_norm_type_at(k);
        const double *x = il_norms_of(norms, k);
        if (!norm->nested) {
            add_values(w, object, norm, x);
        } else if (isnan(x[0])) {
            il_json_set(w, object, norm->name, json_null());
        } else {
            json_t *part = json_object();
            add_values(w, part, norm, x);
            il_json_set(w, object, norm->name, part);
        }
    }
    if (norms->no_lambda != NULL) {
        il_json_put_text(w, object, "no_lambda", norms->no_lambda);
    }
}

static json_t *errors(il_json *w, const il_distance *distance) {
    json_t *object = json_object();
    il_json_put_text(w, object, "reference", distance->name);
    il_json_put_text(w, object, "origin", distance->origin);
    il_json_put(w, object, "q_Linf", distance->error.q_Linf);
    il_json_put(w, object, "u_L1", distance->error.u_L1);
    il_json_put(w, object, "final_q", distance->error.final_q);
    il_json_put(w, object, "final_u", distance->error.final_u);
    add_norms(w, object, &distance->norms);
    return object;
}

/* The nearest known solution in full, and the distances to all of them by name. */
static void add_errors(il_json *w, json_t *object, const il_record *record) {
    json_t *error = NULL;
    if (record->ndistances == 0) {
        error = json_object();
        const char *const keys[] = {"reference", "q_Linf", "u_L1", "final_q", "final_u"};
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
            il_json_set(w, error, keys[k], json_null());
        }
        const il_norms none = il_norms_none();
        add_norms(w, error, &none);
        il_json_put_text(w, error, "reason", record->no_reference);
    } else {
        error = errors(w, &record->distances[0]);
    }
    json_t *all = json_object();
    for (size_t k = 0; k < record->ndistances; k++) {
        il_json_set(w, all, record->distances[k].name, errors(w, &record->distances[k]));
    }
    il_json_set(w, error, "distances", all);
    il_json_set(w, object, "error", error);
}

/* Energies of order 2; a drift has none (its balance is NaN). */
static void add_energy(il_json *w, json_t *object, const il_measure_result *m, bool has) {
    json_t *part = json_object();
    il_json_put(w, part, "initial", has ? m->energy_initial : NAN);
    il_json_put(w, part, "final", has ? m->energy_final : NAN);
    il_json_put(w, part, "largest_increase", has ? m->energy_largest_increase : NAN);
    json_t *balance = json_object();
    il_json_put(w, balance, "final", m->balance.final);
    il_json_put(w, balance, "largest", m->balance.largest);
    il_json_put(w, balance, "largest_step", m->balance.largest_step);
    il_json_set(w, part, "balance", balance);
    json_t *impacts = json_object();
    il_json_put_count(w, impacts, "events", m->balance.events);
    il_json_put(w, impacts, "gained_most", m->balance.gained_most);
    il_json_put(w, impacts, "lost_least", m->balance.lost_least);
    il_json_set(w, part, "impacts", impacts);
    il_json_set(w, object, "energy", part);
}

static void add_measures(il_json *w, json_t *object, const il_measure_result *m, int order) {
    json_t *part = json_object();
    il_json_put(w, part, "nodes_min", m->nodes_min);
    il_json_put(w, part, "between_min", m->between_min);
    il_json_set(w, object, "feasibility", part);
    add_energy(w, object, m, order == 2);
    part = json_object();
    il_json_put(w, part, "largest_drift", m->momentum_drift);
    il_json_put(w, part, "centre_of_mass_drift", m->centre_drift);
    il_json_set(w, object, "momentum", part);
    il_json_put(w, object, "total_variation", m->total_variation);
    il_json_set(w, object, "certificate", il_certificate_json(&m->certificate));
    part = json_object();
    il_json_put_count(w, part, "active_max", m->active_max);
    il_json_put(w, part, "impulse_total", m->impulse_total);
    il_json_set(w, object, "contacts", part);
}

/* The same keys, all null, for a run that only kept its final state. */
static void add_no_measures(il_json *w, json_t *object) {
    const char *const keys[] = {"error",           "feasibility", "energy",   "momentum",
                                "total_variation", "certificate", "contacts", "walls"};
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        il_json_set(w, object, keys[k], json_null());
    }
}

/* What each wall carried; empty where the problem has none. */
static json_t *walls(il_json *w, const il_record *record) {
    json_t *array = json_array();
    for (size_t k = 0; k < record->nwalls; k++) {
        const il_wall_force *wall = &record->walls[k];
        json_t *object = json_object();
        il_json_put_text(w, object, "name", wall->name);
        il_json_put(w, object, "impulse_total", wall->impulse_total);
        il_json_put(w, object, "force_mean_last", wall->force_mean);
        il_json_put(w, object, "weight", wall->pressing_mean);
        il_json_put_count(w, object, "last_steps", wall->last_steps);
        il_json_append(w, array, object);
    }
    return array;
}

/* Is every projection onto Q(t) known to be the nearest point? */
static json_t *prox_regularity(il_json *w, const il_record *record) {
    json_t *object = json_object();
    il_json_put(w, object, "share_max", record->share_max);
    il_json_put_count(w, object, "steps_beyond", record->steps_beyond);
    il_json_put_count(w, object, "steps_unknown", record->steps_unknown);
    return object;
}

static json_t *work(il_json *w, const il_record *record) {
    json_t *object = json_object();
    il_json_put_count(w, object, "steps", record->steps_done);
    il_json_put_count(w, object, "projector_iterations", record->projector_iterations);
    il_json_put_count(w, object, "factorisations", record->factorisations);
    il_json_put_count(w, object, "analyses", record->analyses);
    il_json_put_count(w, object, "projections", record->solves);
    il_json_put_count(w, object, "stalled", record->stalled);
    il_json_put_count(w, object, "scans", record->scans);
    il_json_put_count(w, object, "rows_offered", record->rows_offered);
    il_json_put_count(w, object, "rows_solved", record->rows_solved);
    il_json_put(w, object, "seconds", record->seconds);
    return object;
}

json_t *il_record_json(const il_record *record, const il_params *params) {
    il_json w = {false};
    json_t *object = json_object();
    il_json_put_text(&w, object, "problem", record->problem);
    il_json_put_text(&w, object, "scheme", record->scheme);
    if (record->scheme_params != NULL) {
        il_json_set(&w, object, "scheme_parameters", il_params_json(record->scheme_params));
    }
    il_json_put_text(&w, object, "projector", record->projector);
    il_json_put_count(&w, object, "order", (size_t)record->order);
    il_json_put_count(&w, object, "dimension", record->d);
    il_json_put_count(&w, object, "steps", record->steps);
    il_json_put(&w, object, "h", record->h);
    il_json_put(&w, object, "horizon", record->horizon);
    il_json_put(&w, object, "problem_horizon", record->problem_horizon);
    il_json_set(&w, object, "parameters", il_params_json(params));
    il_json_set(&w, object, "seed",
                record->has_seed ? json_integer((json_int_t)record->seed) : json_null());
    il_json_put_text(&w, object, "version", IL_VERSION);
    il_json_put_text(&w, object, "build", IL_BUILD_ID);
    il_json_put_text(&w, object, "status", il_status_name(record->status));
    il_json_put_text(&w, object, "message", record->message);
    il_json_set(&w, object, "final", state(&w, record->t, record->q, record->u, record->d));
    if (record->best.step > 0) {
        il_json_set(&w, object, "best_iterate", best_iterate(&w, &record->best, record->d));
    }
    json_t *samples = json_array();
    for (size_t k = 0; k < record->nsamples; k++) {
        const il_sample *s = &record->samples[k];
        json_t *sample = state(&w, s->t, s->q, s->u, record->d);
        if (s->load != NULL) {
            il_json_set(&w, sample, "load", il_json_numbers(s->load, record->bodies));
        }
        il_json_append(&w, samples, sample);
    }
    il_json_set(&w, object, "samples", samples);
    if (record->measured) {
        add_errors(&w, object, record);
        add_measures(&w, object, &record->measure, record->order);
        il_json_set(&w, object, "walls", walls(&w, record));
    } else {
        add_no_measures(&w, object);
    }
    il_json_set(&w, object, "prox_regularity", prox_regularity(&w, record));
    il_json_set(&w, object, "work", work(&w, record));
    if (record->program != NULL) {
        il_json_set(&w, object, "program", il_json_copy(record->program));
    }
    if (record->multipliers.step > 0) {
        il_json_set(&w, object, "multipliers", il_multipliers_json(&record->multipliers));
    }
    return il_json_done(&w, object);
}
