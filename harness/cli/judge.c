/*
 * judge.c - `impactlab judge`: trajectories of another program, measured like runs of this one; of
 * several with different steps, the order of convergence.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/cli/cli.h"
#include "harness/cli/judge_figure.h"
#include "harness/cli/print.h"
#include "harness/cli/verb.h"
#include "harness/judge/judge.h"
#include "harness/study/order/order.h"

typedef struct {
    il_judge_query query;
    il_cli_problem problem;
    il_cli_shows shows;
    double claimed;    /* an order; 0: convergence */
    const char *claim; /* "bound:1", the same as claimed = 1, and others; or NULL */
    il_claim_kind kind;
    const char *figure; /* or NULL */
    bool json, all;
    int between, reference, velocities;
    int norms; /* 0 all, 1 none, -1 those of short runs */
    size_t n;
    char **files;     /* [n] */
    il_judgement *of; /* [n] */
} request;

/* ---- reading -------------------------------------------------------------------------------- */

static const il_cli_option known[] = {
    IL_CLI_OPTION(PROBLEM, problem, "problem", "P", "what the files claim to solve"),
    IL_CLI_OPTION(SETTING, problem, "set", "KEY=VALUE",
                  "a parameter of the problem; may be repeated", .repeats = true),
    IL_CLI_OPTION(CHOICE, between, "between", "affine|constant|ballistic",
                  "what the velocity of a sample means: of the interval before it (affine,\n"
                  "the default, as in our own files), of the one after it, or that which\n"
                  "bodies fly on with"),
    IL_CLI_OPTION(CHOICE, velocities, "velocities", "whole|half",
                  "at the times of samples (whole, the default), or half a step off, as leapfrog\n"
                  "has them"),
    IL_CLI_OPTION(TEXT, query.mapping, "mapping", "FILE",
                  "names, order, units and signs of the columns: t = NAME, q = NAME ...,\n"
                  "u = NAME ..., impulse K = NAME, where -NAME*0.001 has a sign and a factor;\n"
                  "skip = NAME ...: columns that are not to be read (* all others)"),
    IL_CLI_OPTION(TEXT, query.name, "name", "NAME", "how the record calls the program"),
    IL_CLI_OPTION(CHOICE, reference, "reference", "own|event_driven",
                  "compare with the problem's exact solutions (own), or with a computed one"),
    IL_CLI_OPTION(CHOICE, norms, "norms", "all|none", "the other norms (default: of short runs)"),
    IL_CLI_OPTION(POSITIVE, claimed, "order", "P",
                  "judge errors of several files by the claim that they fall like h^P at least;\n"
                  "without it, that they converge",
                  .most = 16),
    IL_CLI_OPTION(TEXT, claim, "claim", "converges|bound:P|sharp:P",
                  "the same, or that they fall like h^P and no faster"),
    IL_CLI_OPTION(TEXT, figure, "figure", "FOLDER/NAME",
                  "draw errors of several files against h: NAME.png, .pdf, .svg"),
    IL_CLI_OPTION(FLAG, query.series, "series", NULL,
                  "residual and gap of every step in the record, too"),
    IL_CLI_OPTION(FLAG, all, "all", NULL, "print all measures, not only errors, gap and residual"),
    {.name = "json",
     .kind = IL_CLI_FLAG,
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
    r->files = words->word;
    r->n = words->n;
    r->query.problem = &r->problem.choice;
    r->query.between = (il_between)r->between;
    r->query.event_driven = r->reference == 1;
    r->query.half = r->velocities == 1;
    r->query.norms = r->norms < 0 ? IL_NORM_AUTO : r->norms == 0 ? il_norm_all() : IL_NORM_NONE;
    r->shows.rest = r->all;
    r->shows.norms = r->all || r->norms == 0;
    return IL_EXIT_OK;
}

/* ---- orders --------------------------------------------------------------------------------- */

static double error_of(const il_record *r, const char *norm) {
    return r->ndistances > 0 ? il_deviation_named(&r->distances[0].error, norm) : NAN;
}

static double size_of(const il_record *r, const char *norm) {
    double sum = 0.0;
    for (size_t k = 0; k < r->d; k++) {
        double x = norm[0] == 'u' ? r->horizon * r->u[k] : r->q[k];
        sum += x * x;
    }
    return sqrt(sum);
}

/* The order of the files' errors in a norm; h[2 n] receives steps and errors. */
static il_status fit(const request *r, const char *norm, double *h, il_order *order,
                     il_error *err) {
    double *error = h + r->n;
    double size = 0.0;
    double steps = 1.0;
    for (size_t k = 0; k < r->n; k++) {
        const il_record *one = &r->of[k].record;
        h[k] = one->h;
        error[k] = error_of(one, norm);
        size = fmax(size, size_of(one, norm));
        steps = fmax(steps, (double)one->steps);
    }
    const il_claim claim = {.norm = norm,
                            .kind = r->kind,
                            .order = r->claimed,
                            .factor = IL_ORDER_FACTOR,
                            .source = "claimed of the program"};
    il_order_data data = {.n = r->n, .h = h, .error = error};
    data.causes = il_order_causes_of(steps, size > 0.0 ? size : 1.0, 0.0, 0.0, 0.0);
    return il_order_fit(&data, 0.95, &claim, order, err);
}

static json_t *order_json(il_json *w, const char *norm, const il_order *o, const char *text) {
    json_t *object = json_object();
    il_json_put_text(w, object, "norm", norm);
    il_json_put(w, object, "order", o->order);
    il_json_put(w, object, "low", o->low);
    il_json_put(w, object, "high", o->high);
    il_json_put(w, object, "fold", o->fold);
    il_json_put(w, object, "octaves", o->octaves);
    il_json_put(w, object, "finest", o->finest);
    il_json_put(w, object, "floor_high", o->floor_high);
    il_json_put_text(w, object, "verdict", il_verdict_name(o->verdict));
    il_json_put_text(w, object, "reason", o->reason);
    il_json_put_text(w, object, "text", text);
    return object;
}

static int judge_orders(const request *r, il_json *w, json_t *orders, il_error *err) {
    static const char *const norms[] = {"q_Linf", "u_L1"};
    il_order order[2];
    il_judge_errors drawn[2];
    int code = IL_EXIT_OK;
    double *h = malloc(4 * r->n * sizeof *h);
    il_status status = IL_OK;
    if (h == NULL) {
        return il_cli_ended(il_fail(err, IL_ENOMEM, "no memory for errors"));
    }
    for (size_t k = 0; status == IL_OK && k < 2; k++) {
        char text[600];
        double *own = h + 2 * k * r->n;
        status = fit(r, norms[k], own, &order[k], err);
        if (status == IL_OK) {
            drawn[k] = (il_judge_errors){norms[k], r->n, own, own + r->n, &order[k]};
            il_order_sentence(&order[k], "claimed of the program", text, sizeof text);
            if (!r->json) {
                il_cli_say(stdout, "%s: %s", norms[k], text);
            }
            il_json_append(w, orders, order_json(w, norms[k], &order[k], text));
            code = order[k].verdict == IL_ORDER_FAIL ? IL_EXIT_FAILED : code;
        }
    }
    if (status == IL_OK && r->figure != NULL) {
        char caption[256];
        (void)snprintf(caption, sizeof caption, "Errors of %s on %s.",
                       r->query.name != NULL ? r->query.name : "the files",
                       r->problem.choice.type->name);
        status = il_judge_figure(r->figure, caption, drawn, 2, err);
        if (status == IL_OK && !r->json) {
            il_cli_say(stdout, "wrote %s.png", r->figure);
        }
    }
    free(h);
    return status == IL_OK ? code : IL_EXIT_ERROR;
}

/* ---- printing ------------------------------------------------------------------------------- */

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
        (void)printf("  too many samples to look for faults\n");
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

static int conclude(request *r, il_error *err) {
    il_json w = {false};
    json_t *files = json_array();
    json_t *orders = json_array();
    int code = IL_EXIT_OK;
    for (size_t k = 0; k < r->n; k++) {
        il_json_append(&w, files, il_json_copy(r->of[k].json));
        code = r->of[k].faults.n > 0 ? IL_EXIT_FAILED : code;
        if (!r->json && (r->n == 1 || r->shows.rest)) {
            print_one(r, &r->of[k]);
        } else if (!r->json) {
            print_line(&r->of[k], r->files[k]);
        }
    }
    if (r->n > 1 && r->of[0].record.ndistances > 0) {
        int judged = judge_orders(r, &w, orders, err);
        code = judged != IL_EXIT_OK ? judged : code;
    }
    json_t *all = json_object();
    il_json_set(&w, all, "files", files);
    il_json_set(&w, all, "orders", orders);
    all = il_json_done(&w, all);
    if (r->json || all == NULL) { /* one file: its record, as `run` has it */
        const json_t *printed = r->n == 1 && all != NULL ? r->of[0].json : all;
        code = il_json_print(printed, 0, stdout, err) == IL_OK ? code : IL_EXIT_ERROR;
    }
    json_decref(all);
    return code;
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
    r->of = calloc(r->n, sizeof *r->of);
    if (r->of == NULL) {
        return il_cli_ended(il_fail(err, IL_ENOMEM, "no memory for %zu files", r->n));
    }
    il_status status = IL_OK;
    for (size_t k = 0; status == IL_OK && k < r->n; k++) {
        r->query.path = r->files[k];
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
    IL_CLI_REQUEST(.norms = -1),
    .usage = IL_CLI_LINES("FILE... --problem P [--set KEY=VALUE] [OPTIONS]"),
    IL_CLI_OPTIONS(known),
    .word = "file",
    .words = "FILE.csv",
    .notes =
        "FILE is .csv (a line of names, then numbers: t, q0, ..., u0, ..., impulse0, ...), .npz\n"
        "(numpy.savez of t, q and u), or .h5 as --trajectory writes it; u and impulses may be\n"
        "missing, and what is there and not understood is refused by its name. Each gives the\n"
        "record that `run` gives, with the residual of the dynamics, and what is wrong with it in\n"
        "words. Several files of one program that differ in h and end at the same time: the order\n"
        "at which their errors fall, and a verdict.\n",
    .examples = IL_CLI_LINES("spheres.h5 --problem two_spheres",
                             "spheres.h5 --problem two_spheres --name mine --all --json"),
    .ends = {NULL, "something was found wrong, or an order failed", "bad input", "interrupted"}};
