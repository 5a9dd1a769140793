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

/* Cases first .. end - 1 of a comparison: one problem, one scheme, several steps. */
typedef struct {
    const il_compared *list;
    size_t n;
} study;

/* Ratios of the errors, second over first. */
typedef struct {
    size_t n;
    double least, mean, most; /* the mean is geometric */
} ratios;

static ratios compare(const study *s, size_t norm) {
    ratios r = {0, INFINITY, 0.0, 0.0};
    for (size_t k = 0; k < s->n; k++) {
        double x = s->list[k].error[1][norm] / s->list[k].error[0][norm];
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

static il_status fit(const study *s, size_t folder, size_t norm, double *work, il_order *order,
                     il_error *err) {
    for (size_t k = 0; k < s->n; k++) {
        work[k] = s->list[k].h;
        work[s->n + k] = s->list[k].error[folder][norm];
    }
    const il_order_data data = {.n = s->n, .h = work, .error = work + s->n};
    return il_order_fit(&data, 0.95, NULL, order, err);
}

static json_t *case_json(il_json *w, const il_compared *one) {
    json_t *object = json_object();
    il_json_put(w, object, "steps", one->steps);
    il_json_put(w, object, "h", one->h);
    for (size_t k = 0; k < IL_COMPARED_NORMS; k++) {
        json_t *part = json_object();
        il_json_put(w, part, "first", one->error[0][k]);
        il_json_put(w, part, "second", one->error[1][k]);
        il_json_put(w, part, "ratio", one->error[1][k] / one->error[0][k]);
        il_json_set(w, object, il_compared_norm(k), part);
    }
    return object;
}

static json_t *order_json(il_json *w, const il_order *o) {
    json_t *object = json_object();
    il_json_put(w, object, "order", o->order);
    il_json_put(w, object, "low", o->low);
    il_json_put(w, object, "high", o->high);
    return object;
}

static void print_order(const char *what, const il_order *o) {
    if (isfinite(o->order)) {
        (void)printf("%s %.3f [%.3f, %.3f]", what, o->order, o->low, o->high);
    } else {
        (void)printf("%s not told", what);
    }
}

static void print_study(const study *s, size_t norm, const ratios *r, const il_order orders[2]) {
    (void)printf("  %-6s  %zu cases, ratio %.6g (%.6g to %.6g)", il_compared_norm(norm), r->n,
                 r->mean, r->least, r->most);
    if (s->n >= 5) {
        print_order(", order", &orders[1]);
        print_order(", was", &orders[0]);
    }
    (void)printf("\n");
}

/* One study: printed, or into list; drawn where a figure is asked for. */
static il_status tell(const il_cli_results *q, const study *s, size_t number, il_json *w,
                      json_t *list, il_error *err) {
    il_order orders[IL_COMPARED_NORMS][2];
    il_judge_errors drawn[2];
    json_t *object = json_object();
    double *work = malloc(8 * s->n * sizeof *work);
    il_status status = IL_OK;
    if (work == NULL) {
        json_decref(object);
        return il_fail(err, IL_ENOMEM, "no memory for errors");
    }
    il_json_put_text(w, object, "problem", s->list[0].problem);
    il_json_put_text(w, object, "scheme", s->list[0].scheme);
    if (!q->json) {
        il_cli_say(stdout, "%s on %s", s->list[0].scheme, s->list[0].problem);
    }
    for (size_t k = 0; status == IL_OK && k < IL_COMPARED_NORMS; k++) {
        ratios r = compare(s, k);
        for (size_t folder = 0; status == IL_OK && folder < 2; folder++) {
            double *own = work + (2 * k + folder) * 2 * s->n;
            status = fit(s, folder, k, own, &orders[k][folder], err);
            if (k == 1) { /* u_L1 is drawn */
                drawn[folder] = (il_judge_errors){folder == 0 ? "first: u_L1" : "second: u_L1",
                                                  s->n, own, own + s->n, &orders[k][folder]};
            }
        }
        if (status != IL_OK || r.n == 0) {
            continue;
        }
        json_t *part = json_object();
        il_json_put(w, part, "ratio", r.mean);
        il_json_put(w, part, "least", r.least);
        il_json_put(w, part, "most", r.most);
        il_json_set(w, part, "first", order_json(w, &orders[k][0]));
        il_json_set(w, part, "second", order_json(w, &orders[k][1]));
        il_json_set(w, object, il_compared_norm(k), part);
        if (!q->json) {
            print_study(s, k, &r, orders[k]);
        }
    }
    json_t *cases = json_array();
    for (size_t k = 0; k < s->n; k++) {
        il_json_append(w, cases, case_json(w, &s->list[k]));
    }
    il_json_set(w, object, "cases", cases);
    il_json_append(w, list, object);
    if (status == IL_OK && q->figure != NULL && s->n > 1) {
        char name[512];
        char caption[320];
        (void)snprintf(name, sizeof name, number == 0 ? "%s" : "%s-%zu", q->figure, number + 1);
        (void)snprintf(caption, sizeof caption, "%s on %s in two folders.", s->list[0].scheme,
                       s->list[0].problem);
        status = il_judge_figure(name, caption, drawn, 2, err);
        if (status == IL_OK && !q->json) {
            il_cli_say(stdout, "wrote %s.png", name);
        }
    }
    free(work);
    return status;
}

il_status il_cli_results_compare(const il_cli_results *q, il_index *index, il_error *err) {
    il_comparison c;
    il_json w = {false};
    json_t *list = json_array();
    il_status status = il_results_compare(q->word, q->second, &c, err);
    size_t studies = 0;
    for (size_t first = 0; status == IL_OK && first < c.n; studies++) {
        study s = {c.list + first, 1};
        while (first + s.n < c.n && strcmp(s.list[0].study, s.list[s.n].study) == 0) {
            s.n++;
        }
        status = tell(q, &s, studies, &w, list, err);
        first += s.n;
    }
    json_t *all = json_object();
    il_json_set(&w, all, "studies", list);
    il_json_put_count(&w, all, "matched", c.n);
    il_json_put_count(&w, all, "first_alone", c.alone[0]);
    il_json_put_count(&w, all, "second_alone", c.alone[1]);
    all = il_json_done(&w, all);
    (void)index;
    if (status == IL_OK && (q->json || all == NULL)) {
        status = il_json_print(all, 0, stdout, err);
    } else if (status == IL_OK) {
        (void)printf("%zu cases in both folders, %zu in the first alone, %zu in the second alone\n",
                     c.n, c.alone[0], c.alone[1]);
    }
    json_decref(all);
    il_comparison_free(&c);
    return status;
}
