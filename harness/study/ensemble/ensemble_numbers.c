/*
 * ensemble_numbers.c - the spread of every number of a record, each with its scale.
 *
 * With Q and U the largest position and velocity of the run, a perturbation of the data by E moves
 *
 *     a length   by E (Q + T U)         a velocity acts over the time T
 *     a speed    by E (U + Q/h)         a position is divided by h where it is projected
 *
 * times an amplification by the problem, which is the condition number. All other numbers have
 * scales made of these two. Rounding adds eight units in the last place per step, as for orders;
 * the projector violates constraints by its tolerance in every step.
 */
#include "harness/study/ensemble/ensemble_numbers.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/text.h"

static const double ROUNDINGS = 8.0;

typedef enum { OWN, LENGTH, SPEED, RATIO, IMPULSE, FORCE, WORK, TIME, POWER, ONE } kind;

/* The last name of a path, and what stands there. Others are compared with themselves. */
static const struct {
    const char *leaf;
    kind kind;
    bool quality; /* measures the accuracy of a computation, is no result */
} leaves[] = {
    {"q", LENGTH, false},
    {"u", SPEED, false},
    {"load", IMPULSE, false},
    {"q_Linf", LENGTH, false},
    {"u_L1", LENGTH, false},
    {"final_q", LENGTH, false},
    {"final_u", SPEED, false},
    {"graph_H", RATIO, false},
    {"flat_lambda", IMPULSE, false},
    {"flat_lambda_max", IMPULSE, false},
    {"TV", SPEED, false},
    {"time_error", TIME, false},
    {"impulse_error", IMPULSE, false},
    {"law_residual", SPEED, true},
    {"nodes_min", LENGTH, true},
    {"between_min", LENGTH, true},
    {"initial", WORK, false},
    {"final", WORK, false},
    {"energy", WORK, false},
    {"largest_increase", WORK, false},
    {"largest_increase_beyond_work", WORK, false},
    {"largest_drift", IMPULSE, true},
    {"momentum_drift", IMPULSE, true},
    {"centre_of_mass_drift", LENGTH, true},
    {"total_variation", SPEED, false},
    {"primal", LENGTH, true},
    {"dual", FORCE, true},
    {"complementarity", POWER, true},
    {"stationarity", POWER, true},
    {"stationarity_relative", ONE, true},
    {"impulse_total", IMPULSE, false},
    {"force_mean_last", FORCE, false},
    {"weight", FORCE, false},
};

/* Fields that are no results: options, costs, and repetitions of other fields. */
static const char *const skipped[] = {"parameters",   "scheme_parameters",
                                      "order",        "dimension",
                                      "steps",        "h",
                                      "horizon",      "problem_horizon",
                                      "seed",         "work",
                                      "multipliers",  "exact",
                                      "best_iterate", "t",
                                      "tau",          "V",
                                      "TV_reference", "threshold",
                                      "distances",    "last_steps",
                                      "series",       "reference_error",
                                      "provenance"};

static bool is_skipped(const char *key) {
    for (size_t k = 0; k < sizeof skipped / sizeof skipped[0]; k++) {
        if (strcmp(skipped[k], key) == 0) {
            return true;
        }
    }
    return false;
}

typedef struct {
    const il_ensemble_members *m;
    il_ensemble_result *r;
    il_error *err;
    bool any;
    il_json json; /* of r->numbers */
} walk;

/* ---- scales --------------------------------------------------------------------------------- */

static double length_of(const il_ensemble_scales *s) {
    return s->q + s->T * s->u;
}

static double scale_of(const il_ensemble_scales *s, kind what) {
    double length = length_of(s);
    double speed = s->u + s->q / s->h;
    double ratio = s->u > 0.0 ? speed / s->u : 1.0;
    switch (what) {
    case LENGTH:
        return length;
    case SPEED:
        return speed;
    case RATIO:
        return ratio;
    case TIME:
        return s->T * ratio;
    case IMPULSE:
        return s->mass * speed;
    case FORCE:
        return s->mass * speed / s->h;
    case WORK:
        return s->mass * s->u * speed;
    case POWER:
        return s->mass * speed * fmax(1.0, length / s->h);
    case ONE:
        return 1.0;
    default:
        return 0.0;
    }
}

/* The entry of leaves for the path, or -1. */
static int leaf_of(const char *path) {
    const char *dot = strrchr(path, '.');
    const char *name = dot != NULL ? dot + 1 : path;
    for (size_t k = 0; k < sizeof leaves / sizeof leaves[0]; k++) {
        if (strcmp(leaves[k].leaf, name) == 0) {
            return (int)k;
        }
    }
    return -1;
}

/* ---- one number ----------------------------------------------------------------------------- */

static bool worse(const il_spread *a, const il_spread *b) {
    return a->class != b->class ? a->class > b->class : a->condition > b->condition;
}

static il_status spread_of(const walk *w, const char *path, const json_t *base,
                           const json_t *const *members, il_spread *out) {
    const il_ensemble_members *m = w->m;
    double *x = malloc((m->n > 0 ? m->n : 1) * sizeof *x);
    if (x == NULL) {
        return il_fail(w->err, IL_ENOMEM, "no memory for %zu numbers", m->n);
    }
    for (size_t k = 0; k < m->n; k++) {
        x[k] = json_is_number(members[k]) ? json_number_value(members[k]) : NAN;
    }
    int leaf = leaf_of(path);
    double value = json_number_value(base);
    double scale = fmax(scale_of(&m->scales, leaf >= 0 ? leaves[leaf].kind : OWN), fabs(value));
    double missed = m->scales.tolerance / fmax(length_of(&m->scales), DBL_MIN);
    il_spread_query query = {.value = value,
                             .n = m->n,
                             .x = x,
                             .size = m->size,
                             .scale = scale > 0.0 ? scale : 1.0,
                             .count = json_is_integer(base),
                             .parting = !isnan(w->r->typical.rate)};
    query.noise = query.scale * m->scales.steps * (ROUNDINGS * DBL_EPSILON + missed);
    il_status status = il_spread_of(&query, out, NULL);
    free(x);
    return status;
}

/* at: the coordinate, from 1; 0 for what is no vector. */
static void add(walk *w, const char *path, const il_spread *s, size_t at) {
    json_t *object = json_object();
    il_json_put(&w->json, object, "value", s->value);
    il_json_put(&w->json, object, "median", s->median);
    il_json_put(&w->json, object, "low", s->low);
    il_json_put(&w->json, object, "high", s->high);
    il_json_put(&w->json, object, "spread", s->spread);
    il_json_put(&w->json, object, "condition", s->condition);
    il_json_put(&w->json, object, "slope", s->slope);
    il_json_put_text(&w->json, object, "class", il_sensitivity_name(s->class));
    il_json_put_count(&w->json, object, "values", s->values);
    if (at > 0) {
        il_json_put_count(&w->json, object, "at", at);
    }
    il_json_set(&w->json, w->r->numbers, path, object);
    int leaf = leaf_of(path);
    bool result = leaf >= 0 && !leaves[leaf].quality;
    if (result && (!w->any || worse(s, &w->r->spread))) {
        w->any = true;
        w->r->spread = *s;
        w->r->class = s->class;
        (void)snprintf(w->r->name, sizeof w->r->name, "%s", path);
    }
}

/* ---- the record ----------------------------------------------------------------------------- */

static il_status visit(walk *w, const char *path, const json_t *base, const json_t *const *members);

/* An array of numbers is represented by its worst coordinate. */
static il_status visit_vector(walk *w, const char *path, const json_t *base,
                              const json_t *const *members) {
    size_t n = w->m->n;
    const json_t **items = malloc((n > 0 ? n : 1) * sizeof *items);
    if (items == NULL) {
        return il_fail(w->err, IL_ENOMEM, "no memory for %zu numbers", n);
    }
    il_spread worst = {0};
    size_t at = 0;
    il_status status = IL_OK;
    for (size_t i = 0; i < json_array_size(base) && status == IL_OK; i++) {
        il_spread s = {0};
        for (size_t k = 0; k < n; k++) {
            items[k] = json_array_get(members[k], i);
        }
        if (!json_is_number(json_array_get(base, i))) {
            continue;
        }
        status = spread_of(w, path, json_array_get(base, i), items, &s);
        if (status == IL_OK && (at == 0 || worse(&s, &worst))) {
            worst = s;
            at = i + 1;
        }
        status = status == IL_EINVAL ? IL_OK : status; /* no member has it */
    }
    if (at > 0) {
        add(w, path, &worst, at);
    }
    free(items);
    return status;
}

/* Key of an object, or item k of an array of objects, of all. */
static il_status visit_part(walk *w, const char *path, const char *key, size_t k,
                            const json_t *base, const json_t *const *members) {
    size_t n = w->m->n;
    char inner[96] = "";
    const json_t **parts = calloc(n > 0 ? n : 1, sizeof *parts);
    if (parts == NULL) {
        return il_fail(w->err, IL_ENOMEM, "no memory for %zu records", n);
    }
    if (key != NULL) {
        il_text_append(inner, sizeof inner, "%s%s%s", path, path[0] != '\0' ? "." : "", key);
    } else {
        il_text_append(inner, sizeof inner, "%s[%zu]", path, k + 1);
    }
    for (size_t i = 0; i < n; i++) {
        parts[i] = key != NULL ? json_object_get(members[i], key) : json_array_get(members[i], k);
    }
    il_status status = visit(w, inner, base, parts);
    free(parts);
    return status;
}

static il_status visit(walk *w, const char *path, const json_t *base,
                       const json_t *const *members) {
    il_status status = IL_OK;
    if (json_is_object(base)) {
        const char *key = NULL;
        json_t *item = NULL;
        json_object_foreach((json_t *)(uintptr_t)base, key, item) {
            if (status == IL_OK && !is_skipped(key)) {
                status = visit_part(w, path, key, 0, item, members);
            }
        }
    } else if (json_is_array(base) && json_is_object(json_array_get(base, 0))) {
        for (size_t k = 0; k < json_array_size(base) && status == IL_OK; k++) {
            status = visit_part(w, path, NULL, k, json_array_get(base, k), members);
        }
    } else if (json_is_array(base)) {
        status = visit_vector(w, path, base, members);
    } else if (json_is_number(base)) {
        il_spread s = {0};
        status = spread_of(w, path, base, members, &s);
        if (status == IL_OK) {
            add(w, path, &s, 0);
        }
        status = status == IL_EINVAL ? IL_OK : status;
    }
    return status;
}

il_status il_ensemble_numbers(const il_ensemble_members *members, il_ensemble_result *r,
                              il_error *err) {
    walk w = {.m = members, .r = r, .err = err};
    r->numbers = json_object();
    if (r->numbers == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for the numbers of an ensemble");
    }
    il_status status = visit(&w, "", members->base, members->record);
    if (status == IL_OK && w.json.failed) {
        status = il_fail(err, IL_ENOMEM, "no memory for the numbers of an ensemble");
    }
    if (status == IL_OK && !w.any) {
        status = il_fail(err, IL_EINVAL, "no run from moved data has a number to compare");
    }
    return status;
}
