/*
 * judge.c - `impactlab judge`: trajectories of another program, measured like runs of this one; of
 * several with different steps, the order of convergence.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/cli/cli.h"
#include "harness/cli/demand.h"
#include "harness/cli/print.h"
#include "harness/cli/verb.h"
#include "harness/judge/judge.h"
#include "harness/lua/present.h"
#include "harness/study/order/step_plan.h"

/* Norms in which an order is judged, and those in which it is unless --norm names one. */
enum { NORMS = 4, USUAL = 2 };
static const char *const norm_names[NORMS] = {"q_Linf", "u_L1", "final_q", "final_u"};

enum { BOTH, FINDINGS, ORDERS }; /* what decides the status */

typedef struct {
    il_judge_query query;
    il_cli_problem problem;
    il_cli_shows shows;
    double claimed;    /* an order; 0: convergence */
    const char *claim; /* "bound:1", the same as claimed = 1, and others; or NULL */
    il_claim_kind kind;
    const char *figure; /* or NULL */
    il_cli_demand demand;
    il_cli_cases cases; /* for --junit */
    bool json, all, plan;
    int between, fail_on;
    int norm;  /* of norm_names; -1: the usual ones */
    int norms; /* 0 all, 1 none, -1 those of short runs */
    size_t n;
    char **files;     /* [n] */
    il_judgement *of; /* [n] */
} request;

/* ---- reading -------------------------------------------------------------------------------- */

static const il_option known[] = {
    IL_CLI_OPTION(PROBLEM, problem, "problem", "P", "what the files claim to solve"),
    IL_CLI_OPTION(SETTING, problem, "set", "KEY=VALUE",
                  "a parameter of the problem; may be repeated", .repeats = true),
    IL_CLI_OPTION(CHOICE, between, "between", "affine|constant|ballistic|dense",
                  "what the velocity of a sample means: of the interval before it (affine,\n"
                  "the default, as in our own files), of the one after it, that which\n"
                  "bodies fly on with, or that at the sample, on cubics or given pieces"),
    IL_CLI_OPTION(EITHER, query.half, "velocities", "whole|half",
                  "at the times of samples (whole, the default), or half a step off, as leapfrog\n"
                  "has them"),
    IL_CLI_OPTION(TEXT, query.mapping, "mapping", "FILE",
                  "names, order, units and signs of the columns: t = NAME, q = NAME ...,\n"
                  "u = NAME ..., impulse K = NAME, where -NAME*0.001 has a sign and a factor;\n"
                  "skip = NAME ...: columns that are not to be read (* all others)"),
    IL_CLI_OPTION(TEXT, query.name, "name", "PROGRAM", "how the record calls the program"),
    IL_CLI_OPTION(EITHER, query.event_driven, "reference", "own|event_driven",
                  "compare with the problem's exact solutions (own), or with a computed one"),
    IL_CLI_OPTION(CHOICE, norms, "norms", "all|none", "the other norms (default: of short runs)"),
    IL_CLI_OPTION(POSITIVE, claimed, "order", "P",
                  "judge errors of several files by the claim that they fall like h^P at least;\n"
                  "without it, that they converge",
                  .most = 16),
    IL_CLI_OPTION(TEXT, claim, "claim", "converges|bound:P|sharp:P",
                  "the same, or that they fall like h^P and no faster"),
    IL_CLI_OPTION(CHOICE, norm, "norm", "q_Linf|u_L1|final_q|final_u",
                  "judge orders in this norm alone (default: q_Linf and u_L1)"),
    IL_CLI_OPTION(FLAG, plan, "plan", NULL,
                  "from three files at least: how many more runs, with which steps, decide"),
    IL_CLI_REQUIRE(.of = NULL),
    IL_CLI_FAIL_BELOW(.of = NULL),
    IL_CLI_OPTION(CHOICE, fail_on, "fail-on", "both|findings|orders",
                  "what status 1 speaks of: what was found wrong, orders, or both (the default)"),
    IL_CLI_JUNIT,
    IL_CLI_OPTION(TEXT, figure, "figure", "FOLDER/NAME",
                  "draw errors of several files against h: NAME.png, .pdf, .svg"),
    IL_CLI_OPTION(FLAG, query.series, "series", NULL,
                  "residual and gap of every step in the record, too"),
    IL_CLI_OPTION(FLAG, all, "all", NULL, "print all measures, not only errors, gap and residual"),
    {.name = "json",
     .kind = IL_OPTION_FLAG,
     .at = offsetof(request, json),
     .text = "the record as one JSON object; of several files {files, orders}"}};

/* The kind and the order of what is claimed; false where --claim is none. */
static bool read_claim(request *r) {
    static const char *const kinds[] = {"converges", "bound:", "sharp:"};
    r->kind = r->claimed > 0.0 ? IL_CLAIM_BOUND : IL_CLAIM_CONVERGES;
    if (r->claim == NULL) {
        return true;
    }
    for (size_t k = 0; k < 3 && r->claimed == 0.0; k++) {
        size_t n = strlen(kinds[k]);
        bool named = strncmp(r->claim, kinds[k], n) == 0;
        if (named && (k == 0 ? r->claim[n] == '\0'
                             : il_text_number(r->claim + n, &r->claimed) && r->claimed > 0.0 &&
                                   r->claimed <= 16.0)) {
            r->kind = (il_claim_kind)k;
            return true;
        }
    }
    return false;
}

static int complete(request *r, const il_cli_words *words) {
    if (r->problem.choice.type == NULL || words->n == 0) {
        return il_cli_usage("judge", "a file and --problem are needed");
    }
    if (r->figure != NULL && words->n < 2) {
        return il_cli_usage("judge", "--figure draws several files, and there is one");
    }
    if (!read_claim(r)) {
        return il_cli_usage("judge",
                            "--claim is '%s'; allowed: converges, bound:P or sharp:P with 0 < P <= "
                            "16, and no --order beside it",
                            r->claim);
    }
    if (words->n < 2 && (il_cli_demands_orders(&r->demand) || r->norm >= 0)) {
        return il_cli_usage("judge",
                            "--require, --fail-below and --norm are of the order of several "
                            "files, and there is one");
    }
    if (r->plan && words->n < IL_PLAN_RUNS_MIN) {
        return il_cli_usage("judge", "--plan needs three files at least, of runs that differ in h");
    }
    r->files = words->word;
    r->n = words->n;
    r->query.problem = &r->problem.choice;
    r->query.between = (il_between)r->between;
    r->query.norms = r->norms < 0 ? IL_NORM_AUTO : r->norms == 0 ? il_norm_all() : IL_NORM_NONE;
    r->shows.rest = r->all;
    r->shows.norms = r->all || r->norms == 0;
    return IL_EXIT_OK;
}

/* ---- orders --------------------------------------------------------------------------------- */

static double error_of(const il_record *r, const char *norm) {
    return r->ndistances > 0 ? il_deviation_named(&r->distances[0].error, norm) : NAN;
}

/* A form of present.lua, of the files' orders; answer may be NULL. */
static il_status ask(const request *r, const char *form, json_t *files, json_t **answer,
                     il_error *err) {
    static const char *const kinds[] = {"converges", "bound", "sharp"};
    json_t *norms = json_array();
    for (int k = 0; k < (r->norm >= 0 ? 1 : USUAL); k++) {
        il_json_append(norms, json_string(norm_names[(r->norm >= 0 ? r->norm : 0) + k]));
    }
    json_t *asked =
        json_pack("{s:O, s:o, s:{s:s, s:f, s:s}}", "files", files, "norms", norms, "claim", "kind",
                  kinds[r->kind], "order", r->claimed, "source", "claimed of the program");
    char caption[256];
    (void)snprintf(caption, sizeof caption, "Errors of %s on %s.",
                   r->query.name != NULL ? r->query.name : "the files",
                   r->problem.choice.type->name);
    il_json_put_text(asked, "caption", caption);
    il_status status = il_lua_present(form, asked, r->figure, r->json ? NULL : stdout, answer, err);
    json_decref(asked);
    return status;
}

/* Every order is a test case; how many fail in *failed. */
static il_status judge_orders(request *r, json_t *files, json_t **orders, size_t *failed,
                              il_error *err) {
    size_t k = 0;
    json_t *one = NULL;
    il_status status = ask(r, "orders", files, orders, err);
    json_array_foreach(*orders, k, one) {
        const char *norm = il_json_get_text(one, "norm");
        const char *verdict = il_json_get_text(one, "verdict");
        const json_t *order = json_object_get(one, "order");
        bool fails = il_cli_demand_fails(&r->demand, norm, verdict,
                                         json_is_real(order) ? json_real_value(order) : NAN);
        il_json_set(one, "failed", json_boolean(fails));
        il_cli_cases_add(&r->cases, r->problem.choice.type->name, norm,
                         fails && r->fail_on != FINDINGS, verdict, il_json_get_text(one, "text"));
        *failed += fails;
    }
    return status == IL_OK && r->figure != NULL ? ask(r, "judge_figure", files, NULL, err) : status;
}

/* ---- printing ------------------------------------------------------------------------------- */

static const char UNSEEN[] =
    "no faults were looked for: too many samples, or pieces that are no parabolas";

static void print_one(const request *r, const il_judgement *j) {
    const il_residuals *f = &j->residuals;
    il_cli_print_record(&j->record, &r->shows);
    (void)printf("  %s: residual of the dynamics %.3e", il_between_name(r->query.between),
                 f->largest);
    if (f->step > 0) {
        (void)printf(" in step %zu", f->step);
    }
    (void)printf(", largest speed %.3g   impulses %s, at gaps up to %.3e\n", f->speed,
                 j->impulses ? "given" : "that leave least", f->open);
    if (j->resolution > 1e-15) {
        (void)printf("  numbers have %d %s: errors below %.1e of them are not seen\n",
                     j->digits > 0 ? j->digits : 24, j->digits > 0 ? "digits" : "bits",
                     j->resolution);
    }
    if (j->faults.impacts > 0) {
        (void)printf("  restitution of %zu impact%s that stand alone: %.6g to %.6g\n",
                     j->faults.impacts, j->faults.impacts == 1 ? "" : "s", j->faults.e_low,
                     j->faults.e_high);
    }
    for (size_t k = 0; k < j->faults.n; k++) {
        il_cli_say(stdout, "  found: %s: %s", j->faults.list[k].name, j->faults.list[k].text);
    }
    if (!j->faults.whole) {
        (void)printf("  %s\n", UNSEEN);
    }
}

/* One of several files in a line. */
static void print_line(const il_judgement *j, const char *file) {
    const il_record *r = &j->record;
    il_cli_say(stdout,
               "%s: %zu steps of h = %.6g, q_Linf %.3e, u_L1 %.3e, gap %.2e, residual %.1e%s%s",
               file, r->steps_done, r->h, error_of(r, "q_Linf"), error_of(r, "u_L1"),
               r->measure.between_min, j->residuals.largest, j->faults.n > 0 ? "; found: " : "",
               j->faults.n > 0 ? j->faults.list[0].name : "");
}

/* A file's findings: printed, and a test case. */
static void tell_file(request *r, size_t k) {
    const il_faults *f = &r->of[k].faults;
    char text[4096] = "";
    if (!r->json && (r->n == 1 || r->shows.rest)) {
        print_one(r, &r->of[k]);
    } else if (!r->json) {
        print_line(&r->of[k], r->files[k]);
    }
    for (size_t i = 0; i < f->n; i++) {
        il_text_append(text, sizeof text, "%s%s: %s", i > 0 ? "; " : "", f->list[i].name,
                       f->list[i].text);
    }
    if (f->n == 0) {
        il_text_append(text, sizeof text, "%s", f->whole ? "nothing was found wrong" : UNSEEN);
    }
    il_cli_cases_add(&r->cases, r->problem.choice.type->name, r->files[k],
                     f->n > 0 && r->fail_on != ORDERS,
                     f->n > 0   ? "found"
                     : f->whole ? "PASS"
                                : "INCONCLUSIVE",
                     text);
}

/* One file: its record, as `run` has it. */
static void print_json(const request *r, json_t *files, json_t *orders, json_t *plan,
                       const size_t counts[2]) {
    json_t *all =
        json_pack("{s:o*, s:o, s:o, s:I, s:I}", "plan", plan, "files", files, "orders", orders,
                  "findings", (json_int_t)counts[0], "orders_failed", (json_int_t)counts[1]);
    if (r->json) {
        il_json_print(r->n == 1 ? r->of[0].json : all, 0, stdout);
    }
    json_decref(all);
}

static int conclude(request *r, il_error *err) {
    json_t *files = json_array();
    json_t *orders = NULL;
    json_t *plan = NULL;
    size_t counts[2] = {0, 0}; /* what was found, orders that fail */
    il_status status = IL_OK;
    for (size_t k = 0; k < r->n; k++) {
        il_json_append(files, json_incref(r->of[k].json));
        counts[0] += r->of[k].faults.n;
        tell_file(r, k);
    }
    bool compared = r->n > 1 && r->of[0].record.ndistances > 0;
    if (compared && r->plan) {
        status = ask(r, "plan", files, &plan, err);
    } else if (compared) {
        status = judge_orders(r, files, &orders, &counts[1], err);
    } else if (il_cli_demands_orders(&r->demand) || r->plan) {
        counts[1]++;
        il_cli_say(stderr, "impactlab: no solution is known to compare with, so there is no order");
    }
    bool open = json_is_true(json_object_get(plan, "open"));
    print_json(r, files, orders != NULL ? orders : json_array(), plan, counts);
    status = status == IL_OK ? il_cli_cases_write(&r->cases, &r->demand, "judge", err) : status;
    bool failed = open || (counts[0] > 0 && r->fail_on != ORDERS) ||
                  (counts[1] > 0 && r->fail_on != FINDINGS);
    return status != IL_OK ? IL_EXIT_ERROR : failed ? IL_EXIT_FAILED : IL_EXIT_OK;
}

/* Errors over different times are those of different problems; a last step that does not fit into
 * the horizon may be missing. */
static il_status check_study(const request *r, il_error *err) {
    double end = r->of[0].record.horizon;
    for (size_t k = 1; k < r->n; k++) {
        double own = r->of[k].record.horizon;
        double step = fmax(r->of[0].record.h, r->of[k].record.h);
        if (!(fabs(own - end) < step)) {
            return il_fail(err, IL_EINVAL,
                           "'%s' ends at t = %.10g, '%s' at %.10g; allowed: files of one study "
                           "that end at the same time",
                           r->files[0], end, r->files[k], own);
        }
    }
    return IL_OK;
}

static int judge(void *self, const il_cli_words *words, il_error *err) {
    request *r = self;
    int code = complete(r, words);
    if (code != IL_EXIT_OK) {
        return code;
    }
    r->of = il_alloc_zero(r->n, sizeof *r->of);
    il_status status = il_cli_demand_check(&r->demand, err);
    for (size_t k = 0; status == IL_OK && k < r->n; k++) {
        r->query.path = r->files[k];
        r->query.progress = stderr;
        status = il_judge(&r->query, &r->of[k], err);
    }
    status = status == IL_OK ? check_study(r, err) : status;
    code = status == IL_OK ? conclude(r, err) : IL_EXIT_ERROR;
    for (size_t k = 0; k < r->n; k++) {
        il_judgement_free(&r->of[k]);
    }
    free(r->of);
    return code;
}

const il_cli_verb il_cli_judge = {
    .name = "judge",
    .text = "trajectories of another program, measured as ours are",
    .run = judge,
    IL_CLI_REQUEST(.norms = -1, .norm = -1, .demand = IL_CLI_DEMAND_NONE),
    .usage = IL_CLI_LINES("FILE... --problem P [--set KEY=VALUE] [OPTIONS]"),
    IL_CLI_OPTIONS(known),
    .word = "file",
    .notes =
        "FILE is .csv (a line of names, then numbers: t, q0, ..., u0, ..., impulse0, ...), .npz\n"
        "(numpy.savez of t, q and u), or .h5 as --trajectory writes it; u and impulses may be\n"
        "missing, and what is there and not understood is refused by its name. Each gives the\n"
        "record that `run` gives, with the residual of the dynamics, and what is wrong with it in\n"
        "words. Several files of one program that differ in h and end at the same time: the order\n"
        "at which their errors fall, and a verdict. Statuses: impactlab help statuses.\n",
    .examples = IL_CLI_LINES("spheres.h5 --problem two_spheres",
                             "spheres.h5 --problem two_spheres --name mine --all --json"),
    .ends = {NULL, "something was found wrong, or an order failed (--fail-on: which)", "bad input",
             "interrupted"}};
