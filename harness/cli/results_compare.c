/*
 * results_compare.c - `impactlab results compare`: errors of the same cases under two versions of
 * the program.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/base/json.h"
#include "harness/cli/judge_figure.h"
#include "harness/cli/results.h"
#include "harness/results/results.h"
#include "harness/study/order/order.h"

enum { NORMS = 2 };

static const char *const norms[NORMS] = {"q_Linf", "u_L1"};
static const char *const folders[2] = {"first", "second"};

/* Cases first .. first + n - 1 of those that are matched: one problem and scheme, several steps. */
typedef struct {
    const json_t *matched;
    size_t first, n;
    double *h; /* [n], and behind it the errors of each folder and norm */
    il_order order[2][NORMS];
} study;

static double *errors_of(const study *s, size_t folder, size_t norm) {
    return s->h + (1 + folder * NORMS + norm) * s->n;
}

static double number_at(const study *s, size_t k, const char *key) {
    const json_t *x = json_object_get(json_array_get(s->matched, s->first + k), key);
    return json_is_number(x) ? json_number_value(x) : NAN;
}

static const char *text_at(const study *s, const char *key) {
    return il_json_get_text(json_array_get(s->matched, s->first), key);
}

static il_status read_study(study *s, const json_t *matched, size_t first, il_error *err) {
    *s = (study){.matched = matched, .first = first, .n = 1};
    while (strcmp(text_at(s, "study"),
                  il_json_get_text(json_array_get(matched, first + s->n), "study")) == 0) {
        s->n++;
    }
    s->h = malloc((1 + 2 * NORMS) * s->n * sizeof *s->h);
    il_status status = IL_OK;
    if (s->h == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for %zu errors", s->n);
    }
    for (size_t i = 0; i < 2 * (size_t)NORMS; i++) {
        char key[32];
        double *x = errors_of(s, i / NORMS, i % NORMS);
        (void)snprintf(key, sizeof key, "%s_%s", folders[i / NORMS], norms[i % NORMS]);
        for (size_t k = 0; k < s->n; k++) {
            s->h[k] = number_at(s, k, "h");
            x[k] = number_at(s, k, key);
        }
        const il_order_data data = {.n = s->n, .h = s->h, .error = x};
        if (status == IL_OK) {
            status = il_order_fit(&data, 0.95, NULL, &s->order[i / NORMS][i % NORMS], err);
        }
    }
    return status;
}

/* ---- ratios --------------------------------------------------------------------------------- */

/* Ratios of the errors, second over first. */
typedef struct {
    size_t n;
    double least, mean, most; /* the mean is geometric */
} ratios;

static ratios compare(const study *s, size_t norm) {
    ratios r = {0, INFINITY, 0.0, 0.0};
    for (size_t k = 0; k < s->n; k++) {
        double x = errors_of(s, 1, norm)[k] / errors_of(s, 0, norm)[k];
        if (x > 0.0 && isfinite(x)) {
            r.n++;
            r.least = fmin(r.least, x);
            r.most = fmax(r.most, x);
            r.mean += il_log(x);
        }
    }
    r.mean = r.n > 0 ? il_exp(r.mean / (double)r.n) : NAN;
    return r;
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static json_t *norm_json(il_json *w, const study *s, size_t norm, const ratios *r) {
    json_t *object = json_object();
    il_json_put(w, object, "ratio", r->mean);
    il_json_put(w, object, "least", r->least);
    il_json_put(w, object, "most", r->most);
    for (size_t i = 0; i < 2; i++) {
        const il_order *o = &s->order[i][norm];
        il_json_set(w, object, folders[i],
                    json_pack("{s:o, s:o, s:o}", "order", il_json_number(o->order), "low",
                              il_json_number(o->low), "high", il_json_number(o->high)));
    }
    return object;
}

static json_t *cases_json(il_json *w, const study *s) {
    json_t *list = json_array();
    for (size_t k = 0; k < s->n; k++) {
        json_t *object = json_object();
        il_json_put(w, object, "steps", number_at(s, k, "steps"));
        il_json_put(w, object, "h", s->h[k]);
        for (size_t i = 0; i < NORMS; i++) {
            double x = errors_of(s, 0, i)[k];
            double y = errors_of(s, 1, i)[k];
            il_json_set(w, object, norms[i],
                        json_pack("{s:o, s:o, s:o}", "first", il_json_number(x), "second",
                                  il_json_number(y), "ratio", il_json_number(y / x)));
        }
        il_json_append(w, list, object);
    }
    return list;
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* u_L1 of both folders; the second study and later ones in files of their own. */
static il_status draw(const il_cli_results *q, const study *s, size_t number, il_error *err) {
    char name[512];
    char caption[320];
    const il_judge_errors drawn[2] = {
        {"first: u_L1", s->n, s->h, errors_of(s, 0, 1), &s->order[0][1]},
        {"second: u_L1", s->n, s->h, errors_of(s, 1, 1), &s->order[1][1]}};
    (void)snprintf(name, sizeof name, number == 0 ? "%s" : "%s-%zu", q->figure, number + 1);
    (void)snprintf(caption, sizeof caption, "%s on %s in two folders.", text_at(s, "scheme"),
                   text_at(s, "problem"));
    il_status status = il_judge_figure(name, caption, drawn, 2, err);
    if (status == IL_OK && !q->json) {
        il_cli_say(stdout, "wrote %s.png", name);
    }
    return status;
}

/* One study into list; drawn where a figure is asked for. */
static il_status tell(const il_cli_results *q, const study *s, size_t number, il_json *w,
                      json_t *list, il_error *err) {
    json_t *object = json_object();
    il_json_put_text(w, object, "problem", text_at(s, "problem"));
    il_json_put_text(w, object, "scheme", text_at(s, "scheme"));
    for (size_t k = 0; k < NORMS; k++) {
        ratios r = compare(s, k);
        if (r.n > 0) {
            il_json_set(w, object, norms[k], norm_json(w, s, k, &r));
        }
    }
    il_json_set(w, object, "cases", cases_json(w, s));
    il_json_append(w, list, object);
    return q->figure != NULL && s->n > 1 ? draw(q, s, number, err) : IL_OK;
}

il_status il_cli_results_compare(const il_cli_results *q, il_index *index, il_error *err) {
    il_json w = {false};
    json_t *list = json_array();
    json_t *matched = NULL;
    json_t *counts = NULL;
    il_status status = il_results_compare(q->word, q->second, &matched, &counts, err);
    size_t studies = 0;
    (void)index;
    for (size_t k = 0; status == IL_OK && k < json_array_size(matched); studies++) {
        study s;
        status = read_study(&s, matched, k, err);
        status = status == IL_OK ? tell(q, &s, studies, &w, list, err) : status;
        k += s.n;
        free(s.h);
    }
    json_t *all = json_object();
    il_json_set(&w, all, "studies", list);
    il_json_put_count(&w, all, "matched", json_array_size(matched));
    il_json_merge(&w, all, json_array_get(counts, 0));
    all = il_json_done(&w, all);
    status = status == IL_OK ? il_cli_report_print(all, "compare", q->json, err) : status;
    json_decref(all);
    json_decref(matched);
    json_decref(counts);
    return status;
}
