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

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/run/record.h"

static const double ROUNDINGS = 8.0;

/* Records are some four levels deep. */
enum { DEPTH = 8 };

typedef struct {
    const il_ensemble_members *m;
    il_ensemble_result *r;
    bool any;
    struct {
        const char *key; /* of an object; NULL: an item */
        size_t item;
    } path[DEPTH]; /* to what is looked at now */
    size_t depth;
    double *x, *scratch; /* [n], [n + 1] */
} walk;

/* ---- scales --------------------------------------------------------------------------------- */

static double length_of(const il_ensemble_scales *s) {
    return s->q + s->T * s->u;
}

static double scale_of(const il_ensemble_scales *s, il_quantity what) {
    double length = length_of(s);
    double speed = s->u + s->q / s->h;
    double ratio = s->u > 0.0 ? speed / s->u : 1.0;
    const double scales[] = {[IL_LENGTH] = length,
                             [IL_SPEED] = speed,
                             [IL_RATIO] = ratio,
                             [IL_TIME] = s->T * ratio,
                             [IL_IMPULSE] = s->mass * speed,
                             [IL_FORCE] = s->mass * speed / s->h,
                             [IL_WORK] = s->mass * s->u * speed,
                             [IL_POWER] = s->mass * speed * fmax(1.0, length / s->h),
                             [IL_ONE] = 1.0};
    return scales[what];
}

/* ---- one number ----------------------------------------------------------------------------- */

static bool worse(const il_spread *a, const il_spread *b) {
    return a->class != b->class ? a->class > b->class : a->condition > b->condition;
}

/* The value at the path in a record; NULL for nothing. */
static const json_t *follow(const walk *w, const json_t *record) {
    for (size_t k = 0; k < w->depth; k++) {
        record = w->path[k].key != NULL ? json_object_get(record, w->path[k].key)
                                        : json_array_get(record, w->path[k].item);
    }
    return record;
}

/* The spread of the number at the path, which base is in the run itself. False where no member has
 * it. */
static bool spread_of(walk *w, const il_field *field, const json_t *base, il_spread *out) {
    const il_ensemble_members *m = w->m;
    for (size_t k = 0; k < m->n; k++) {
        const json_t *x = follow(w, m->record[k]);
        w->x[k] = json_is_number(x) ? json_number_value(x) : NAN;
    }
    double value = json_number_value(base);
    double scale = fmax(scale_of(&m->scales, field->quantity), fabs(value));
    double missed = m->scales.tolerance / fmax(length_of(&m->scales), DBL_MIN);
    il_spread_query query = {.value = value,
                             .n = m->n,
                             .x = w->x,
                             .size = m->size,
                             .scale = scale > 0.0 ? scale : 1.0,
                             .count = json_is_integer(base),
                             .parting = !isnan(w->r->typical.rate)};
    query.noise = query.scale * m->scales.steps * (ROUNDINGS * DBL_EPSILON + missed);
    return il_spread_of(&query, w->scratch, out);
}

/* at: the coordinate, from 1; 0 for what is no vector. */
static void add(walk *w, const char *path, const il_field *field, const il_spread *s, size_t at) {
    json_t *object = json_object();
    il_json_put(object, "value", s->value);
    il_json_put(object, "median", s->median);
    il_json_put(object, "low", s->low);
    il_json_put(object, "high", s->high);
    il_json_put(object, "spread", s->spread);
    il_json_put(object, "condition", s->condition);
    il_json_put(object, "slope", s->slope);
    il_json_put_text(object, "class", il_sensitivity_name(s->class));
    il_json_put_count(object, "values", s->values);
    if (at > 0) {
        il_json_put_count(object, "at", at);
    }
    il_json_set(w->r->numbers, path, object);
    bool result = field->quantity != IL_OWN && !field->quality;
    if (result && (!w->any || worse(s, &w->r->spread))) {
        w->any = true;
        w->r->spread = *s;
        w->r->class = s->class;
        (void)snprintf(w->r->name, sizeof w->r->name, "%s", path);
    }
}

/* ---- the record ----------------------------------------------------------------------------- */

/* An array of numbers is represented by its worst coordinate. */
static void visit_vector(walk *w, const char *name, const il_field *field, const json_t *base) {
    il_spread worst = {0};
    size_t at = 0;
    size_t level = w->depth++;
    assert(level < DEPTH);
    w->path[level].key = NULL;
    for (size_t i = 0; i < json_array_size(base); i++) {
        const json_t *x = json_array_get(base, i);
        il_spread s;
        w->path[level].item = i;
        if (json_is_number(x) && spread_of(w, field, x, &s) && (at == 0 || worse(&s, &worst))) {
            worst = s;
            at = i + 1;
        }
    }
    w->depth--;
    if (at > 0) {
        add(w, name, field, &worst, at);
    }
}

/* All numbers in base, which is at the path and has that name, that are results. */
static void visit(walk *w, const char *name, const json_t *base) {
    char inner[96] = "";
    size_t level = w->depth;
    const il_field *field = il_record_field(name);
    bool tells = field != NULL && field->quantity != IL_NO_RESULT;
    il_spread s;
    assert(level < DEPTH);
    if (tells && json_is_number(base) && spread_of(w, field, base, &s)) {
        add(w, name, field, &s, 0);
    } else if (tells && json_is_array(base)) {
        visit_vector(w, name, field, base);
    } else if (json_is_object(base) || json_is_array(base)) {
        const char *key = NULL;
        json_t *item = NULL;
        w->depth++;
        json_object_foreach((json_t *)(uintptr_t)base, key, item) {
            w->path[level].key = key;
            (void)snprintf(inner, sizeof inner, "%s%s%s", name, name[0] != '\0' ? "." : "", key);
            visit(w, inner, item);
        }
        for (size_t k = 0; k < json_array_size(base); k++) {
            w->path[level].key = NULL;
            w->path[level].item = k;
            (void)snprintf(inner, sizeof inner, "%s[%zu]", name, k + 1);
            visit(w, inner, json_array_get(base, k));
        }
        w->depth--;
    }
}

il_status il_ensemble_numbers(const il_ensemble_members *members, il_ensemble_result *r,
                              il_error *err) {
    walk w = {.m = members, .r = r, .x = il_alloc(2 * members->n + 1, sizeof *w.x)};
    r->numbers = json_object();
    w.scratch = w.x + members->n;
    visit(&w, "", members->base);
    free(w.x);
    return w.any ? IL_OK
                 : il_fail(err, IL_EINVAL, "no run from moved data has a number to compare");
}
