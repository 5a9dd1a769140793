/*
 * record.c - records begin and end; their JSON.
 */
#include "harness/run/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "build_id.h"
#include "harness/base/field.h"
#include "harness/base/memory.h"

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

void il_record_allocate(il_record *record, size_t nsamples, size_t loads) {
    size_t d = record->d;
    size_t states = 2 + nsamples; /* with the final one and a best iterate */
    record->q = il_alloc_zero(2 * d * states + loads * nsamples, sizeof *record->q);
    record->samples = il_alloc_zero(nsamples, sizeof *record->samples);
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
    return il_field_json(il_certificate_fields, certificate);
}

/* Numbers of states, of which a record knows how many there are. */
static const il_field state_fields[] = {{"q", .quantity = IL_LENGTH},
                                        {"u", .quantity = IL_SPEED},
                                        {"load", .quantity = IL_IMPULSE},
                                        {.path = NULL}};

static json_t *state(double t, const double *q, const double *u, size_t d) {
    json_t *object = json_object();
    il_json_put(object, "t", t);
    il_json_set(object, "q", il_json_numbers(q, d));
    il_json_set(object, "u", il_json_numbers(u, d));
    return object;
}

/* The last one, the step that the projector did not finish, and what was asked for. */
static void add_states(json_t *object, const char *key, const void *record) {
    const il_record *r = record;
    const il_best_iterate *best = &r->best;
    il_json_set(object, key, state(r->t, r->q, r->u, r->d));
    if (best->step > 0) {
        json_t *iterate = state(best->t, best->q, best->u, r->d);
        il_json_put_count(iterate, "step", best->step);
        il_json_put_count(iterate, "iterations", best->iterations);
        il_json_set(iterate, "certificate", il_certificate_json(&best->certificate));
        il_json_set(object, "best_iterate", iterate);
    }
    json_t *samples = json_array();
    for (size_t k = 0; k < r->nsamples; k++) {
        const il_sample *s = &r->samples[k];
        json_t *sample = state(s->t, s->q, s->u, r->d);
        if (s->load != NULL) {
            il_json_set(sample, "load", il_json_numbers(s->load, r->bodies));
        }
        il_json_append(samples, sample);
    }
    il_json_set(object, "samples", samples);
}

/* Null where they were not asked for. */
static void add_norms(json_t *object, const char *key, const void *norms) {
    (void)key;
    for (size_t k = 0; il_norm_type_at(k) != NULL; k++) {
        const il_norm_type *norm = il_norm_type_at(k);
        const double *x = il_norms_of(norms, k);
        if (!norm->nested) {
            il_field_put(object, norm->values, x);
        } else {
            il_json_set(object, norm->name,
                        isnan(x[0]) ? json_null() : il_field_json(norm->values, x));
        }
    }
}

const il_field il_distance_fields[] = {
    {"reference", IL_TEXT(il_distance, name)},
    {"origin", IL_NOTE(il_distance, origin)},
    {"q_Linf", IL_REAL(il_distance, error.q_Linf), IL_LENGTH},
    {"u_L1", IL_REAL(il_distance, error.u_L1), IL_LENGTH},
    {"final_q", IL_REAL(il_distance, error.final_q), IL_LENGTH},
    {"final_u", IL_REAL(il_distance, error.final_u), IL_SPEED},
    {"norms", .kind = IL_FIELD_ADDED, .at = offsetof(il_distance, norms), .add = add_norms},
    {"no_lambda", IL_NOTE(il_distance, norms.no_lambda)},
    {.path = "reason"},
    {.path = "distances"},
    {.path = "reference_error"},
    {.path = NULL}};

/* The nearest known solution in full, and the distances to all of them by name. */
static json_t *errors(const il_record *record) {
    const il_distance none = {.error = {NAN, NAN, NAN, NAN}, .norms = il_norms_none()};
    const il_distance *all = record->distances;
    json_t *error = il_field_json(il_distance_fields, record->ndistances > 0 ? all : &none);
    if (record->ndistances == 0) {
        il_json_put_text(error, "reason", record->no_reference);
    }
    json_t *distances = json_object();
    for (size_t k = 0; k < record->ndistances; k++) {
        il_json_set(distances, all[k].name, il_field_json(il_distance_fields, &all[k]));
    }
    il_json_set(error, "distances", distances);
    return error;
}

/* Each null in a run that only kept its final state. */
static void add_measured(json_t *object, const char *key, const void *record) {
    const il_record *r = record;
    json_t *walls = json_array();
    for (size_t k = 0; k < r->nwalls; k++) {
        il_json_append(walls, il_field_json(il_wall_force_fields, &r->walls[k]));
    }
    json_t *part = json_object();
    json_t *item = NULL;
    il_json_set(part, "error", errors(r));
    il_field_put(part, il_measure_fields, &r->measure);
    il_json_set(part, "walls", walls);
    json_object_foreach(part, key, item) {
        il_json_set(object, key, r->measured ? json_incref(item) : json_null());
    }
    json_decref(part);
}

static void add_parameters(json_t *object, const char *key, const void *at) {
    const il_params *params = *(il_params *const *)at;
    if (params != NULL) {
        il_json_set(object, key, il_params_json(params));
    }
}

/* The seed, the program, and how the run ended. */
static void add_ending(json_t *object, const char *key, const void *record) {
    const il_record *r = record;
    il_json_set(object, key, r->has_seed ? json_integer((json_int_t)r->seed) : json_null());
    il_json_put_text(object, "version", IL_VERSION);
    il_json_put_text(object, "build", IL_BUILD_ID);
    il_json_put_text(object, "status", il_status_name(r->status));
    il_json_put_text(object, "message", r->message);
}

static void add_asked(json_t *object, const char *key, const void *record) {
    const il_record *r = record;
    if (r->program != NULL) {
        il_json_set(object, key, il_json_copy(r->program));
    }
    if (r->multipliers.step > 0) {
        il_json_set(object, "multipliers", il_multipliers_json(&r->multipliers));
    }
}

#define REAL(member) IL_REAL(il_record, member)
#define COUNT(member) IL_COUNT(il_record, member)
#define TEXT(member) IL_TEXT(il_record, member)
#define ADDED(adder) .kind = IL_FIELD_ADDED, .add = (adder)

static const il_field record_fields[] = {
    {"problem", TEXT(problem)},
    {"scheme", TEXT(scheme)},
    {"scheme_parameters", ADDED(add_parameters), .at = offsetof(il_record, scheme_params)},
    {"projector", TEXT(projector)},
    {"order", COUNT(order)},
    {"dimension", COUNT(d)},
    {"steps", COUNT(steps)},
    {"h", REAL(h)},
    {"horizon", REAL(horizon)},
    {"problem_horizon", REAL(problem_horizon)},
    {"parameters", ADDED(add_parameters), .at = offsetof(il_record, params)},
    {"seed", ADDED(add_ending)},
    {"final", ADDED(add_states)},
    {"error", ADDED(add_measured)},
    {"prox_regularity.share_max", REAL(share_max), IL_OWN},
    {"prox_regularity.steps_beyond", COUNT(steps_beyond), IL_OWN},
    {"prox_regularity.steps_unknown", COUNT(steps_unknown), IL_OWN},
    {"work.steps", COUNT(steps_done)},
    {"work.projector_iterations", COUNT(projector_iterations)},
    {"work.factorisations", COUNT(factorisations)},
    {"work.analyses", COUNT(analyses)},
    {"work.projections", COUNT(solves)},
    {"work.stalled", COUNT(stalled)},
    {"work.scans", COUNT(scans)},
    {"work.rows_offered", COUNT(rows_offered)},
    {"work.rows_solved", COUNT(rows_solved)},
    {"work.seconds", REAL(seconds)},
    {"program", ADDED(add_asked)},
    {.path = NULL}};

/* The rest of path behind prefix, which may end in "[", any item; NULL: it begins otherwise. */
static const char *behind(const char *path, const char *prefix) {
    size_t n = strlen(prefix);
    if (strncmp(path, prefix, n) != 0) {
        return NULL;
    }
    const char *dot = n > 0 && prefix[n - 1] == '[' ? strchr(path, '.') : NULL;
    return dot != NULL ? dot + 1 : path + n;
}

const il_field *il_record_field(const char *path) {
    static const struct {
        const char *prefix;
        const il_field *fields;
    } parts[] = {{"", record_fields},
                 {"", il_measure_fields},
                 {"error.", il_distance_fields},
                 {"certificate.", il_certificate_fields},
                 {"walls[", il_wall_force_fields},
                 {"final.", state_fields},
                 {"samples[", state_fields}};
    const il_field *found = NULL;
    for (size_t k = 0; found == NULL && k < sizeof parts / sizeof parts[0]; k++) {
        const char *rest = behind(path, parts[k].prefix);
        found = rest != NULL ? il_field_find(parts[k].fields, rest) : NULL;
    }
    const char *value = behind(path, "error.");
    for (size_t k = 0; found == NULL && value != NULL && il_norm_type_at(k) != NULL; k++) {
        const il_norm_type *norm = il_norm_type_at(k);
        const char *rest = norm->nested ? behind(value, norm->name) : value;
        rest += rest != NULL && norm->nested && *rest == '.' ? 1 : 0;
        found = rest != NULL ? il_field_find(norm->values, rest) : NULL;
    }
    return found;
}

json_t *il_record_json(const il_record *record) {
    return il_field_json(record_fields, record);
}
