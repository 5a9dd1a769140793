/*
 * results_compare.c - `impactlab results compare`: errors of the same cases under two versions of
 * the program, and verdicts that got worse: those on "the errors converge", fitted here, and those
 * that scripts and `verify` left in both folders.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/cli/cli.h"
#include "harness/cli/judge_figure.h"
#include "harness/cli/results.h"
#include "harness/io/file.h"
#include "harness/io/store/journal.h"
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
    s->h = il_alloc((1 + 2 * NORMS) * s->n, sizeof *s->h);
    il_status status = IL_OK;
    for (size_t i = 0; i < 2 * (size_t)NORMS; i++) {
        char key[32];
        double *x = errors_of(s, i / NORMS, i % NORMS);
        (void)snprintf(key, sizeof key, "%s_%s", folders[i / NORMS], norms[i % NORMS]);
        for (size_t k = 0; k < s->n; k++) {
            s->h[k] = number_at(s, k, "h");
            x[k] = number_at(s, k, key);
        }
        const il_order_data data = {.n = s->n, .h = s->h, .error = x};
        const il_claim claim = {
            .norm = norms[i % NORMS], .kind = IL_CLAIM_CONVERGES, .factor = IL_ORDER_FACTOR};
        if (status == IL_OK) {
            status = il_order_fit(&data, 0.95, &claim, &s->order[i / NORMS][i % NORMS], err);
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

static json_t *norm_json(const study *s, size_t norm, const ratios *r) {
    json_t *object = json_object();
    il_json_put(object, "ratio", r->mean);
    il_json_put(object, "least", r->least);
    il_json_put(object, "most", r->most);
    for (size_t i = 0; i < 2; i++) {
        const il_order *o = &s->order[i][norm];
        il_json_set(object, folders[i],
                    json_pack("{s:o, s:o, s:o, s:s}", "order", il_json_number(o->order), "low",
                              il_json_number(o->low), "high", il_json_number(o->high), "verdict",
                              il_verdict_name(o->verdict)));
    }
    return object;
}

static json_t *cases_json(const study *s) {
    json_t *list = json_array();
    for (size_t k = 0; k < s->n; k++) {
        json_t *object = json_object();
        il_json_put(object, "steps", number_at(s, k, "steps"));
        il_json_put(object, "h", s->h[k]);
        for (size_t i = 0; i < NORMS; i++) {
            double x = errors_of(s, 0, i)[k];
            double y = errors_of(s, 1, i)[k];
            il_json_set(object, norms[i],
                        json_pack("{s:o, s:o, s:o}", "first", il_json_number(x), "second",
                                  il_json_number(y), "ratio", il_json_number(y / x)));
        }
        il_json_append(list, object);
    }
    return list;
}

/* ---- verdicts ------------------------------------------------------------------------------- */

/* The rank of a verdict, which may get worse: 2, 1, 0; -1: a word that says nothing of how good it
 * is. */
static int rank(const char *verdict) {
    static const char *const words[] = {"FAIL", "INCONCLUSIVE", "PASS", "EVIDENCE", "FINDING"};
    for (int k = 0; k < 5; k++) {
        if (strcmp(verdict, words[k]) == 0) {
            return k < 2 ? k : 2;
        }
    }
    return -1;
}

/* A verdict that got worse goes into list. */
static void judge_change(json_t *list, const char *what, const char *first, const char *second) {
    if (rank(second) >= 0 && rank(second) < rank(first)) {
        il_json_append(
            list, json_pack("{s:s, s:s, s:s}", "what", what, "first", first, "second", second));
    }
}

static void put_verdict(json_t *all, const char *key, const json_t *one) {
    if (json_object_get(all, key) == NULL) { /* two of one name: the first */
        il_json_put_text(all, key, il_json_get_text(one, "verdict"));
    }
}

/* The claims that `verify --json` left beside the cases; NULL where it did not. */
static json_t *read_claims(const char *folder) {
    char path[4096];
    json_t *root = NULL;
    char *text = NULL;
    size_t n = 0;
    il_error none = {IL_OK, ""};
    (void)snprintf(path, sizeof path, "%s/verify.json", folder);
    (void)(il_file_load(path, &text, &n, &none) == IL_OK && text != NULL &&
           il_json_parse(text, &root, &none) == IL_OK);
    json_t *claims = json_incref(json_object_get(root, "claims"));
    json_decref(root);
    free(text);
    return claims;
}

/* {WHAT: VERDICT} of the orders that scripts judged in the folder, and of verify's claims. */
static json_t *stored_verdicts(const il_cli_results *q, const char *folder) {
    json_t *all = json_object();
    json_t *troubles = json_array();
    json_t *journals = il_journal_all(folder, troubles);
    json_t *claims = read_claims(folder);
    size_t k = 0;
    size_t i = 0;
    const json_t *journal = NULL;
    const json_t *one = NULL;
    char key[600];
    json_array_foreach(journals, k, journal) {
        json_array_foreach(json_object_get(journal, "judged"), i, one) {
            const char *norm = il_json_get_text(one, "norm");
            if (strcmp(il_json_get_text(one, "kind"), "order") == 0 &&
                (q->norm < 0 || strcmp(norm, norms[q->norm]) == 0)) {
                (void)snprintf(key, sizeof key, "%s, sweep %s: %s %s on %s",
                               il_json_get_text(journal, "script"), il_json_get_text(one, "sweep"),
                               il_json_get_text(one, "scheme"), norm,
                               il_json_get_text(one, "problem"));
                put_verdict(all, key, one);
            }
        }
    }
    json_array_foreach(claims, k, one) {
        (void)snprintf(key, sizeof key, "claim %s on %s %s: %s", il_json_get_text(one, "id"),
                       il_json_get_text(one, "problem"), il_json_get_text(one, "scheme"),
                       il_json_get_text(one, "what"));
        put_verdict(all, key, one);
    }
    json_decref(journals);
    json_decref(troubles);
    json_decref(claims);
    return all;
}

/* The stored verdicts that both folders have; those that got worse into list. */
static void compare_stored(const il_cli_results *q, json_t *list) {
    json_t *first = stored_verdicts(q, q->word);
    json_t *second = stored_verdicts(q, q->second);
    const char *what = NULL;
    const json_t *was = NULL;
    json_object_foreach(first, what, was) {
        judge_change(list, what, json_string_value(was), il_json_get_text(second, what));
    }
    json_decref(first);
    json_decref(second);
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* u_L1 of both folders; the second study and later ones in files of their own. */
static il_status draw(const il_cli_results *q, const study *s, size_t number, il_error *err) {
    char name[512];
    char caption[320];
    char label[2][80];
    (void)snprintf(label[0], sizeof label[0], "%.60s: u_L1", q->word);
    (void)snprintf(label[1], sizeof label[1], "%.60s: u_L1", q->second);
    const il_judge_errors drawn[2] = {{label[0], s->n, s->h, errors_of(s, 0, 1), &s->order[0][1]},
                                      {label[1], s->n, s->h, errors_of(s, 1, 1), &s->order[1][1]}};
    (void)snprintf(name, sizeof name, number == 0 ? "%s" : "%s-%zu", q->figure, number + 1);
    (void)snprintf(caption, sizeof caption, "%.60s on %.60s in %.60s and %.60s.",
                   text_at(s, "scheme"), text_at(s, "problem"), q->word, q->second);
    il_status status = il_judge_figure(name, caption, drawn, 2, err);
    if (status == IL_OK && !q->json) {
        il_cli_say(stdout, "wrote %s.png", name);
    }
    return status;
}

/* One study into list, what got worse into worse; drawn where a figure is asked for. */
static il_status tell(const il_cli_results *q, const study *s, size_t number, json_t *list,
                      json_t *worse, il_error *err) {
    json_t *object = json_object();
    il_json_put_text(object, "problem", text_at(s, "problem"));
    il_json_put_text(object, "scheme", text_at(s, "scheme"));
    for (size_t k = 0; k < NORMS; k++) {
        ratios r = compare(s, k);
        if (r.n > 0) {
            il_json_set(object, norms[k], norm_json(s, k, &r));
        }
        if (q->norm < 0 || q->norm == (int)k) {
            char what[400];
            (void)snprintf(what, sizeof what, "%.120s %s on %.200s, refitted", text_at(s, "scheme"),
                           norms[k], text_at(s, "problem"));
            judge_change(worse, what, il_verdict_name(s->order[0][k].verdict),
                         il_verdict_name(s->order[1][k].verdict));
        }
    }
    il_json_set(object, "cases", cases_json(s));
    il_json_append(list, object);
    return q->figure != NULL && s->n > 1 ? draw(q, s, number, err) : IL_OK;
}

int il_cli_results_compare(const il_cli_results *q, il_error *err) {
    json_t *list = json_array();
    json_t *worse = json_array();
    json_t *matched = NULL;
    json_t *counts = NULL;
    il_status status = il_results_compare(q->word, q->second, &matched, &counts, err);
    size_t studies = 0;
    for (size_t k = 0; status == IL_OK && k < json_array_size(matched); studies++) {
        study s;
        status = read_study(&s, matched, k, err);
        status = status == IL_OK ? tell(q, &s, studies, list, worse, err) : status;
        k += s.n;
        free(s.h);
    }
    json_t *all = json_object();
    il_json_put_text(all, "first", q->word);
    il_json_put_text(all, "second", q->second);
    il_json_set(all, "studies", list);
    il_json_set(all, "worse", worse);
    il_json_put_count(all, "matched", json_array_size(matched));
    if (status == IL_OK) {
        compare_stored(q, worse);
        il_json_merge(all, json_array_get(counts, 0));
        status = il_cli_report_print(all, "compare", q->json, err);
    }
    bool failed = json_array_size(worse) > 0 || json_array_size(matched) == 0;
    json_decref(all);
    json_decref(matched);
    json_decref(counts);
    return status == IL_OK && failed ? IL_EXIT_FAILED : il_cli_ended(status);
}
