/*
 * record_json.c - records as JSON.
 */
#include "harness/run/record_json.h"

#include <math.h>

#include "build_id.h"

#include "harness/base/json.h"

static void put(json_t *object, const char *key, double x) {
    (void)json_object_set_new(object, key, il_json_number(x));
}

static void put_count(json_t *object, const char *key, size_t n) {
    (void)json_object_set_new(object, key, json_integer((json_int_t)n));
}

static void put_text(json_t *object, const char *key, const char *text) {
    (void)json_object_set_new(object, key, text != NULL ? json_string(text) : json_null());
}

json_t *il_params_json(const il_params *params) {
    json_t *object = json_object();
    for (size_t k = 0; il_params_spec(params, k) != NULL; k++) {
        const il_param_spec *spec = il_params_spec(params, k);
        size_t n = 0;
        const double *x = il_params_values(params, k, &n);
        json_t *value = NULL;
        if (!il_params_has(params, spec->key)) {
            value = json_null();
        } else if (spec->kind == IL_PARAM_CHOICE) {
            value = json_string(il_params_choice(params, spec->key));
        } else if (spec->kind == IL_PARAM_VECTOR) {
            value = il_json_numbers(x, n);
        } else if (spec->kind == IL_PARAM_INTEGER) {
            value = json_integer((json_int_t)x[0]);
        } else {
            value = il_json_number(x[0]);
        }
        (void)json_object_set_new(object, spec->key, value);
    }
    return object;
}

json_t *il_certificate_json(const il_certificate *certificate) {
    json_t *object = json_object();
    put(object, "primal", certificate->primal);
    put(object, "dual", certificate->dual);
    put(object, "complementarity", certificate->complementarity);
    put(object, "stationarity", certificate->stationarity);
    put(object, "stationarity_relative", certificate->relative);
    return object;
}

static json_t *state(double t, const double *q, const double *u, size_t d) {
    json_t *object = json_object();
    put(object, "t", t);
    (void)json_object_set_new(object, "q", il_json_numbers(q, d));
    (void)json_object_set_new(object, "u", il_json_numbers(u, d));
    return object;
}

/* What the step that a projector did not finish had come to. */
static json_t *best_iterate(const il_best_iterate *best, size_t d) {
    json_t *object = state(best->t, best->q, best->u, d);
    put_count(object, "step", best->step);
    put_count(object, "iterations", best->iterations);
    (void)json_object_set_new(object, "certificate", il_certificate_json(&best->certificate));
    return object;
}

/* The values of a norm into object. */
static void add_values(json_t *object, const il_norm_type *norm, const double *x) {
    for (size_t i = 0; norm->values[i].key != NULL; i++) {
        if (norm->values[i].count && isfinite(x[i])) {
            put_count(object, norm->values[i].key, (size_t)x[i]);
        } else {
            put(object, norm->values[i].key, x[i]);
        }
    }
}

/* Null where they were not asked for. */
static void add_norms(json_t *object, const il_norms *norms) {
    for (size_t k = 0; il_norm_type_at(k) != NULL; k++) {
        const il_norm_type *norm = il_norm_type_at(k);
        const double *x = il_norms_of(norms, k);
        if (!norm->nested) {
            add_values(object, norm, x);
        } else if (isnan(x[0])) {
            (void)json_object_set_new(object, norm->name, json_null());
        } else {
            json_t *part = json_object();
            add_values(part, norm, x);
            (void)json_object_set_new(object, norm->name, part);
        }
    }
    if (norms->no_lambda != NULL) {
        put_text(object, "no_lambda", norms->no_lambda);
    }
}

static json_t *errors(const il_distance *distance) {
    json_t *object = json_object();
    put_text(object, "reference", distance->name);
    put_text(object, "origin", distance->origin);
    put(object, "q_Linf", distance->error.q_Linf);
    put(object, "u_L1", distance->error.u_L1);
    put(object, "final_q", distance->error.final_q);
    put(object, "final_u", distance->error.final_u);
    add_norms(object, &distance->norms);
    return object;
}

/* The nearest known solution in full, and the distances to all of them by name. */
static void add_errors(json_t *object, const il_record *record) {
    json_t *error = NULL;
    if (record->ndistances == 0) {
        error = json_object();
        const char *const keys[] = {"reference", "q_Linf", "u_L1", "final_q", "final_u"};
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
            (void)json_object_set_new(error, keys[k], json_null());
        }
        const il_norms none = il_norms_none();
        add_norms(error, &none);
        put_text(error, "reason", record->no_reference);
    } else {
        error = errors(&record->distances[0]);
    }
    json_t *all = json_object();
    for (size_t k = 0; k < record->ndistances; k++) {
        (void)json_object_set_new(all, record->distances[k].name, errors(&record->distances[k]));
    }
    (void)json_object_set_new(error, "distances", all);
    (void)json_object_set_new(object, "error", error);
}

/* Energies of order 2; a drift has none. */
static void add_energy(json_t *object, const il_measure_result *m, bool has) {
    json_t *part = json_object();
    put(part, "initial", has ? m->energy_initial : NAN);
    put(part, "final", has ? m->energy_final : NAN);
    put(part, "largest_increase", has ? m->energy_largest_increase : NAN);
    put(part, "largest_increase_beyond_work", has ? m->energy_beyond_work : NAN);
    (void)json_object_set_new(object, "energy", part);
}

static void add_measures(json_t *object, const il_measure_result *m, int order) {
    json_t *part = json_object();
    put(part, "nodes_min", m->nodes_min);
    put(part, "between_min", m->between_min);
    (void)json_object_set_new(object, "feasibility", part);
    add_energy(object, m, order == 2);
    part = json_object();
    put(part, "largest_drift", m->momentum_drift);
    put(part, "centre_of_mass_drift", m->centre_drift);
    (void)json_object_set_new(object, "momentum", part);
    put(object, "total_variation", m->total_variation);
    (void)json_object_set_new(object, "certificate", il_certificate_json(&m->certificate));
    part = json_object();
    put_count(part, "active_max", m->active_max);
    put(part, "impulse_total", m->impulse_total);
    (void)json_object_set_new(object, "contacts", part);
}

static void add_series(json_t *object, const il_drifts *s, int order) {
    json_t *part = json_object();
    (void)json_object_set_new(part, "t", il_json_numbers(s->t, s->n));
    (void)json_object_set_new(part, "energy",
                              order == 2 ? il_json_numbers(s->energy, s->n) : json_null());
    (void)json_object_set_new(part, "momentum_drift", il_json_numbers(s->momentum_drift, s->n));
    (void)json_object_set_new(part, "centre_of_mass_drift", il_json_numbers(s->centre_drift, s->n));
    (void)json_object_set_new(object, "series", part);
}

/* The same keys, all null, for a run that only kept its final state. */
static void add_no_measures(json_t *object) {
    const char *const keys[] = {"error",           "feasibility", "energy",   "momentum",
                                "total_variation", "certificate", "contacts", "walls"};
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        (void)json_object_set_new(object, keys[k], json_null());
    }
}

/* What each wall carried; empty where the problem has none. */
static json_t *walls(const il_record *record) {
    json_t *array = json_array();
    for (size_t k = 0; k < record->nwalls; k++) {
        const il_wall_force *wall = &record->walls[k];
        json_t *object = json_object();
        put_text(object, "name", wall->name);
        put(object, "impulse_total", wall->impulse_total);
        put(object, "force_mean_last", wall->force_mean);
        put(object, "weight", wall->pressing_mean);
        put_count(object, "last_steps", wall->last_steps);
        (void)json_array_append_new(array, object);
    }
    return array;
}

static json_t *work(const il_record *record) {
    json_t *object = json_object();
    put_count(object, "steps", record->steps_done);
    put_count(object, "projector_iterations", record->projector_iterations);
    put_count(object, "projections", record->solves);
    put_count(object, "stalled", record->stalled);
    put_count(object, "rows_offered", record->rows_offered);
    put_count(object, "rows_solved", record->rows_solved);
    put(object, "seconds", record->seconds);
    return object;
}

json_t *il_record_json(const il_record *record, const il_params *params) {
    json_t *object = json_object();
    put_text(object, "problem", record->problem);
    put_text(object, "scheme", record->scheme);
    if (record->scheme_params != NULL) {
        (void)json_object_set_new(object, "scheme_parameters",
                                  il_params_json(record->scheme_params));
    }
    put_text(object, "projector", record->projector);
    put_count(object, "order", (size_t)record->order);
    put_count(object, "dimension", record->d);
    put_count(object, "steps", record->steps);
    put(object, "h", record->h);
    put(object, "horizon", record->horizon);
    put(object, "problem_horizon", record->problem_horizon);
    (void)json_object_set_new(object, "parameters", il_params_json(params));
    (void)json_object_set_new(
        object, "seed", record->has_seed ? json_integer((json_int_t)record->seed) : json_null());
    put_text(object, "version", IL_VERSION);
    put_text(object, "build", IL_BUILD_ID);
    put_text(object, "status", il_status_name(record->status));
    put_text(object, "message", record->message);
    (void)json_object_set_new(object, "final", state(record->t, record->q, record->u, record->d));
    if (record->best.step > 0) {
        (void)json_object_set_new(object, "best_iterate", best_iterate(&record->best, record->d));
    }
    json_t *samples = json_array();
    for (size_t k = 0; k < record->nsamples; k++) {
        const il_sample *s = &record->samples[k];
        json_t *sample = state(s->t, s->q, s->u, record->d);
        if (s->load != NULL) {
            (void)json_object_set_new(sample, "load", il_json_numbers(s->load, record->bodies));
        }
        (void)json_array_append_new(samples, sample);
    }
    (void)json_object_set_new(object, "samples", samples);
    if (record->measured) {
        add_errors(object, record);
        add_measures(object, &record->measure, record->order);
        if (record->series.room > 0) {
            add_series(object, &record->series, record->order);
        }
        (void)json_object_set_new(object, "walls", walls(record));
    } else {
        add_no_measures(object);
    }
    (void)json_object_set_new(object, "work", work(record));
    if (record->multipliers.step > 0) {
        (void)json_object_set_new(object, "multipliers", il_multipliers_json(&record->multipliers));
    }
    return object;
}
