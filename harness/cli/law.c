/*
 * law.c - `impactlab law`: the constant c in error = c h^p as a function of the phases of a
 * problem's events, the phase being the position of an event within its step.
 *
 * With N, N + 1, ... steps over the horizon an event at t has the phases frac(N t/T), which are
 * equidistributed unless t/T is a fraction with a small denominator. The order p is checked by as
 * many runs with half as many steps.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/cli/cli.h"
#include "harness/cli/verb.h"
#include "harness/lua/present.h"
#include "harness/run/conduct.h"
#include "harness/run/options.h"
#include "harness/study/law/law.h"
#include "harness/study/order/order.h"

enum { PHASES_MAX = 100000, STEPS_MAX = 10000000 };

/* Tolerance on the order of a mean, beside what the phases leave open (orders_apart): the law omits
 * the next term in h. */
static const double ORDERS_APART = 0.1;

typedef struct {
    il_cli_problem problem;
    il_scheme_choice scheme;
    const char *norm, *figure;
    int norm_index;
    double order, horizon;
    size_t steps, phases;
    bool json;

    size_t nevents;
    double events[IL_LAW_EVENTS];
    double T, size; /* the horizon; the largest final state */
    double *h, *error, *c;
    il_law law, coarse;
    double rounding; /* what an error may be by rounding alone (il_order_causes_of) */
    double observed; /* the order; NaN where errors are roundings */
} request;

static const il_option known[] = {
    IL_CLI_OPTION(PROBLEM, problem, "problem", "P", "one with an exact solution"),
    IL_CLI_OPTION(SETTING, problem, "set", "KEY=VALUE",
                  "a parameter of the problem; may be repeated", .repeats = true),
    IL_CLI_OPTION(SCHEME, scheme, "scheme", "S", "a scheme"),
    IL_CLI_OPTION(CHOICE, norm_index, "norm", "u_L1|q_Linf|final_q|final_u",
                  "of the error (default u_L1)"),
    IL_CLI_OPTION(POSITIVE, order, "order", "P", "p in error = c h^p (default 1)", .most = 16,
                  .zero = true),
    IL_CLI_OPTION(COUNT, steps, "steps", "N", "runs have N, N + 1, ... steps (default 2000)",
                  .least = 10, .most = STEPS_MAX),
    IL_CLI_OPTION(COUNT, phases, "phases", "K", "how many runs (default 233, least 50)",
                  .least = IL_LAW_LEAST, .most = PHASES_MAX),
    IL_CLI_OPTION(POSITIVE, horizon, "horizon", "T", "instead of the problem's own"),
    IL_CLI_OPTION(TEXT, figure, "figure", "FOLDER/NAME",
                  "draw c against the phase, or, of several events, how c is distributed:\n"
                  "NAME.png, .pdf, .svg"),
    IL_CLI_OPTION(FLAG, json, "json", NULL, "as one JSON object, with every run")};

/* ---- runs ----------------------------------------------------------------------------------- */

/* The events of the exact solution, and the horizon. */
static il_status find_events(request *r, const il_case *what, il_error *err) {
    il_params *params = NULL;
    il_problem *problem = NULL;
    il_status status = il_case_problem(what, &params, &problem, err);
    if (status == IL_OK && problem->nexact != 1) {
        status =
            il_fail(err, IL_EUNSUPPORTED, "problem '%s' has %s: %s", r->problem.choice.type->name,
                    problem->nexact == 0 ? "no exact solution" : "several exact solutions",
                    problem->no_exact != NULL ? problem->no_exact : "no law is known of it");
    }
    if (status == IL_OK) {
        r->T = problem->horizon;
        const il_exact *exact = problem->exact;
        size_t n = exact->nbreaks - 2;
        if (n > IL_LAW_EVENTS) {
            status = il_fail(err, IL_EUNSUPPORTED,
                             "%zu events before t = %.6g; allowed: at most %d, since no phases "
                             "spread in so many ways at once: take a shorter --horizon",
                             n, r->T, IL_LAW_EVENTS);
        } else {
            r->nevents = n;
            memcpy(r->events, exact->breaks + 1, n * sizeof *r->events);
        }
    }
    il_problem_destroy(problem);
    il_params_destroy(params);
    return status;
}

static il_status run_one(request *r, const il_case *what, size_t steps, size_t k, il_error *err) {
    il_case own = *what;
    il_outcome w;
    const il_record *record = &w.record;
    own.steps = steps;
    il_status status = il_case_conduct(&own, NULL, &w, err);
    if (status == IL_OK && (record->status != IL_OK || record->ndistances == 0)) {
        status = record->status == IL_EINTERRUPTED ? IL_EINTERRUPTED : IL_ENUMERIC;
        status = il_fail(err, status, "the run of %zu steps ended badly: %s", steps,
                         record->status != IL_OK ? record->message : record->no_reference);
    }
    if (status == IL_OK) {
        r->h[k] = record->h;
        r->error[k] = il_deviation_named(&record->distances[0].error, r->norm);
        for (size_t i = 0; i < record->d; i++) {
            r->size = fmax(r->size, fabs(record->q[i]) + fabs(record->u[i]));
        }
    }
    il_outcome_free(&w);
    return status;
}

/* The law of r->phases runs from `from` steps on. */
static il_status study(request *r, const il_case *what, size_t from, il_law *law, il_error *err) {
    for (size_t k = 0; k < r->phases; k++) {
        il_status status = run_one(r, what, from + k, k, err);
        if (status != IL_OK) {
            return status;
        }
    }
    const il_law_data data = {.n = r->phases,
                              .h = r->h,
                              .error = r->error,
                              .order = r->order,
                              .events = r->events,
                              .nevents = r->nevents};
    return il_law_find(law, &data, r->c, err);
}

static il_status compute(request *r, il_error *err) {
    il_case what;
    il_status status = il_case_init(&what, NULL, err);
    if (status != IL_OK) {
        return status;
    }
    what.problem = &r->problem.choice;
    what.scheme = &r->scheme;
    what.horizon = r->horizon;
    what.nodes_only = true;
    what.norms = IL_NORM_NONE;
    r->h = il_alloc_zero(3 * r->phases, sizeof *r->h);
    r->error = r->h + r->phases;
    r->c = r->error + r->phases;
    status = il_case_check(&what, true, err);
    if (status == IL_OK) {
        status = find_events(r, &what, err);
    }
    if (status == IL_OK) {
        status = study(r, &what, r->steps / 2, &r->coarse, err);
    }
    if (status == IL_OK) {
        status = study(r, &what, r->steps, &r->law, err);
    }
    if (status == IL_OK) {
        double largest = r->law.largest * il_pow(r->T / (double)r->steps, r->order);
        /* The mean numbers of steps, whose ratio is not quite 2. */
        double half = 0.5 * (double)(r->phases - 1);
        size_t coarse = r->steps / 2;
        double ratio = ((double)r->steps + half) / ((double)coarse + half);
        double last = (double)(r->steps + r->phases);
        r->rounding = il_order_causes_of(last, r->size, 0.0, 0.0, 0.0).rounding;
        r->observed = largest <= r->rounding ? NAN : il_law_order(&r->coarse, &r->law, ratio);
    }
    return status;
}

/* ---- printing ------------------------------------------------------------------------------- */

static json_t *report(const request *r) {
    const il_law *l = &r->law;
    json_t *all = json_object();
    il_json_put_text(all, "problem", r->problem.choice.type->name);
    il_json_put_text(all, "scheme", r->scheme.name);
    il_json_put_text(all, "norm", r->norm);
    il_json_put(all, "order", r->order);
    il_json_put(all, "observed", r->observed);
    il_json_put(all, "least", l->least);
    il_json_put(all, "mean", l->mean);
    il_json_put(all, "mean_within", l->mean_within);
    il_json_put(all, "geometric", l->geometric);
    il_json_put(all, "largest", l->largest);
    il_json_set(all, "shares", il_json_numbers(il_law_shares, IL_LAW_QUANTILES));
    il_json_set(all, "quantiles", il_json_numbers(l->quantile, IL_LAW_QUANTILES));
    il_json_put(all, "atom", l->atom);
    il_json_put(all, "atom_share", l->atom_share);
    il_json_set(all, "events", il_json_numbers(r->events, r->nevents));
    il_json_put(all, "widest_gap", l->widest);
    il_json_put(all, "discrepancy", l->discrepancy);
    il_json_set(all, "h", il_json_numbers(r->h, r->phases));
    il_json_set(all, "error", il_json_numbers(r->error, r->phases));
    return all;
}

/* A mean over phases is off by at most the variation of c times the discrepancy D (Koksma). c rises
 * and falls once: 2 (largest - least) D in each of the two studies, an octave apart. */
static double orders_apart(const request *r) {
    const il_law *l = &r->law;
    double open = 2.0 * (l->largest - l->least) * (l->discrepancy + r->coarse.discrepancy);
    return fmax(ORDERS_APART, open / (l->mean * il_log(2.0))); /* fmax passes over NaN */
}

static int conclude(const request *r, il_error *err) {
    bool apart = fabs(r->observed - r->order) > orders_apart(r);
    json_t *all = report(r);
    if (r->json) {
        il_json_print(all, 0, stdout);
    }
    il_json_put_count(all, "steps", r->steps); /* what the text and the figure have beside it */
    il_json_put(all, "rounding", r->rounding);
    il_json_put_text(all, "color", r->scheme.type->color);
    FILE *out = r->json ? NULL : stdout;
    il_status status = il_lua_present("law", all, NULL, out, NULL, err);
    if (apart) {
        il_cli_say(stderr,
                   "impactlab law: the errors fall like h^%.2f, not like h^%.6g: c is no constant",
                   r->observed, r->order);
    }
    if (status == IL_OK && r->figure != NULL) {
        status = il_lua_present("law_figure", all, r->figure, out, NULL, err);
    }
    json_decref(all);
    return status == IL_OK && apart ? IL_EXIT_FAILED : il_cli_ended(status);
}

static int law(void *self, const il_cli_words *words, il_error *err) {
    static const char *const norms[] = {"u_L1", "q_Linf", "final_q", "final_u"};
    request *r = self;
    (void)words;
    if (r->problem.choice.type == NULL || r->scheme.type == NULL) {
        return il_cli_usage("law", "--problem and --scheme are needed");
    }
    r->norm = norms[r->norm_index];
    il_interrupt_watch();
    int code = compute(r, err) == IL_OK ? conclude(r, err) : IL_EXIT_ERROR;
    free(r->h);
    return code;
}

const il_cli_verb il_cli_law = {
    .name = "law",
    .text = "how an error depends on where in their steps events fall",
    .run = law,
    IL_CLI_REQUEST(.order = 1.0, .steps = 2000, .phases = 233),
    .usage = IL_CLI_LINES("--problem P --scheme S [--order P] [OPTIONS]"),
    IL_CLI_OPTIONS(known),
    .notes =
        "error = c h^p, where c depends on the phases of the exact solution's events in their\n"
        "steps. Runs of N, N + 1, ... steps have phases that spread evenly, unless an event is at\n"
        "a simple fraction of the horizon: that is named, and refused: the manual, \"Laws "
        "of\n"
        "events\", derives c for each kind of event.\n",
    .examples = IL_CLI_LINES("--problem cradle --set N=1 --set gap=0.618 --scheme maury",
                             "--problem graze --set s=0.618 --scheme moreau_jean --figure bump"),
    .ends = {NULL, "the errors have another order, or the figure could not be drawn", "bad input",
             "interrupted"}};
