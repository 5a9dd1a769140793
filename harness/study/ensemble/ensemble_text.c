/*
 * ensemble_text.c - the results of an ensemble as JSON and as text.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/study/ensemble/ensemble.h"
#include "harness/study/ensemble/ensemble_numbers.h"

enum { HEAD_ROOM = 4096, LINE_ROOM = 160 };

/* ---- reasons -------------------------------------------------------------------------------- */

static void tell_growth(const il_growth *g, char *out, size_t capacity) {
    if (!isnan(g->jump)) {
        il_text_append(out, capacity, "; the runs part at once at t = %.4g, a discontinuity",
                       g->jump);
    } else if (isnan(g->rate)) {
        il_text_append(out, capacity, "; no exponential growth is seen between the times compared");
    } else {
        il_text_append(out, capacity,
                       "; runs part like exp(%.3g t) between t = %.4g and %.4g, by a factor %.1e",
                       g->rate, g->from, g->to, g->rise);
    }
}

static void tell_number(const il_ensemble_result *r, char *out, size_t capacity) {
    const il_spread *s = &r->spread;
    bool few = s->values <= 2 || 4 * s->values <= r->runs;
    if (r->class == IL_ROBUST) {
        il_text_append(out, capacity,
                       "no number moves by more than %.3g times what its size and the perturbation "
                       "make (at most %g is explained), %s most",
                       s->condition, IL_SPREAD_AMPLIFICATION, r->name);
    } else if (r->class == IL_CHAOTIC) {
        il_text_append(out, capacity,
                       "%s has lost its digits: it spreads over [%.6g, %.6g] under the least "
                       "perturbation",
                       r->name, s->low, s->high);
    } else if (!few && s->slope < 0.5) {
        il_text_append(out, capacity,
                       "%s moves by %.3g whatever the perturbation: an iteration's tolerance or a "
                       "border",
                       r->name, s->spread);
    } else if (few && s->spread > 0.0 && s->slope < 0.5) {
        il_text_append(out, capacity,
                       "%s jumps between %zu values from %.10g to %.10g: the data lie on a border",
                       r->name, s->values, s->low, s->high);
    } else {
        il_text_append(out, capacity,
                       "%s moves by %.3g times what its size and the perturbation make (at most %g "
                       "is explained)",
                       r->name, s->condition, IL_SPREAD_AMPLIFICATION);
    }
}

static void tell(const il_ensemble_result *r, char *out, size_t capacity) {
    out[0] = '\0';
    tell_number(r, out, capacity);
    if (r->class != IL_ROBUST) {
        tell_growth(&r->typical, out, capacity);
    }
    if (r->refused > 0) {
        il_text_append(out, capacity, "; %zu of %zu starts are refused", r->refused, r->runs);
    }
    if (r->failed > 0) {
        il_text_append(out, capacity, "; %zu of %zu runs fail", r->failed, r->runs);
    }
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static json_t *digits(const il_growth *g) {
    json_t *array = json_array();
    for (int k = 0; k < IL_DIGITS; k++) {
        json_t *object = json_object();
        il_json_put_count(object, "left", (size_t)il_digits_left[k]);
        il_json_put(object, "t", g->time[k]);
        il_json_append(array, object);
    }
    return array;
}

json_t *il_ensemble_result_json(const il_ensemble_result *r) {
    char reason[1024];
    json_t *object = json_object();
    tell(r, reason, sizeof reason);
    il_json_put_count(object, "runs", r->runs);
    il_json_put(object, "perturbation", r->perturbation);
    il_json_put_text(object, "class", il_sensitivity_name(r->class));
    il_json_put_text(object, "number", r->name);
    il_json_put_text(object, "reason", reason);
    il_json_put_count(object, "refused", r->refused);
    il_json_put_count(object, "refused_probes", r->refused_probes);
    il_json_put_count(object, "failed", r->failed);
    il_json_put(object, "moved_q", r->perturbation * r->q_size);
    il_json_put(object, "moved_u", r->perturbation * r->u_size);
    il_json_put(object, "growth_rate", r->typical.rate);
    il_json_put(object, "growth_from", r->typical.from);
    il_json_put(object, "growth_to", r->typical.to);
    il_json_put(object, "jump", r->typical.jump);
    il_json_put(object, "digits_left", r->worst.left);
    il_json_set(object, "digits", digits(&r->worst));
    il_json_put(object, "time_digits_lost", r->worst.time[IL_DIGITS - 1]);
    il_json_set(object, "numbers", json_incref(r->numbers));
    return object;
}

/* ---- words ---------------------------------------------------------------------------------- */

static double number(const json_t *object, const char *key) {
    const json_t *x = json_object_get(object, key);
    return json_is_number(x) ? json_number_value(x) : NAN;
}

/* "digits of q: fewer than 12 from t = 3.1, 8 from 20.2; 5.4 at the end" */
static void tell_digits(const json_t *ensemble, char *out, size_t capacity) {
    const json_t *list = json_object_get(ensemble, "digits");
    bool any = false;
    size_t k = 0;
    const json_t *item = NULL;
    il_text_append(out, capacity, "    digits of q: ");
    json_array_foreach((json_t *)(uintptr_t)list, k, item) {
        double t = number(item, "t");
        if (!isnan(t)) {
            il_text_append(out, capacity, "%s%g from t = %.4g", any ? ", " : "fewer than ",
                           number(item, "left"), t);
            any = true;
        }
    }
    il_text_append(out, capacity, "%s%.1f are left at least\n",
                   any ? "; " : "none go: ", number(ensemble, "digits_left"));
}

static void tell_numbers(const json_t *numbers, char *out, size_t capacity) {
    const char *key = NULL;
    json_t *item = NULL;
    json_object_foreach((json_t *)(uintptr_t)numbers, key, item) {
        const char *class = json_string_value(json_object_get(item, "class"));
        if (class != NULL && strcmp(class, "robust") != 0) {
            il_text_append(out, capacity, "    %-28s %-16s %.6g in [%.6g, %.6g], condition %.1e\n",
                           key, class, number(item, "value"), number(item, "low"),
                           number(item, "high"), number(item, "condition"));
        }
    }
}

char *il_ensemble_text(const json_t *ensemble) {
    const json_t *numbers = json_object_get(ensemble, "numbers");
    size_t room = HEAD_ROOM + LINE_ROOM * json_object_size(numbers);
    if (ensemble == NULL) {
        return NULL;
    }
    char *out = il_alloc_zero(1, room);
    const char *class = json_string_value(json_object_get(ensemble, "class"));
    const char *reason = json_string_value(json_object_get(ensemble, "reason"));
    il_text_append(out, room, "  ensemble of %g runs, data moved by %.2g: %s\n    %s\n",
                   number(ensemble, "runs"), number(ensemble, "perturbation"), class, reason);
    tell_digits(ensemble, out, room);
    tell_numbers(numbers, out, room);
    return out;
}
