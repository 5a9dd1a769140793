/*
 * list.c - `impactlab list`: problems, schemes, projectors; and every problem with every scheme.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/cli/cli.h"
#include "harness/cli/members.h"
#include "harness/cli/verb.h"
#include "harness/run/record.h"
#include "harness/run/run.h"

typedef struct {
    bool json, matrix;
} request;

static const il_option known[] = {
    IL_CLI_OPTION(FLAG, json, "json", NULL, "one JSON object and nothing else"),
    IL_CLI_OPTION(FLAG, matrix, "matrix", NULL,
                  "every problem by every scheme: ok, or refused and why")};

/* ---- every problem with every scheme -------------------------------------------------------- */

/* Each pair runs a few steps with default parameters, but at most FEW_BODIES bodies. A step is one
 * part in 256 of the problem's horizon: short enough for every scheme to be stable. */
enum { FEW_STEPS = 4, PARTS = 256, MANY_BODIES = 100 };
static const char FEW_BODIES[] = "10";

static il_status small_params(const il_problem_type *type, il_params **out, il_error *err) {
    il_status status = il_params_create(out, type->params, err);
    for (const il_param_spec *spec = type->params; status == IL_OK && spec->key != NULL; spec++) {
        if (strcmp(spec->key, "N") == 0 && spec->fallback != NULL &&
            strtod(spec->fallback, NULL) > MANY_BODIES) {
            status = il_params_set_text(*out, "N", FEW_BODIES, err);
        }
    }
    return status;
}

/* Run the pair. */
static il_status try_pair(const il_problem_type *type, const il_scheme_type *scheme,
                          il_record *record, il_error *err) {
    il_params *params = NULL;
    il_problem *problem = NULL;
    il_status status = small_params(type, &params, err);
    if (status == IL_OK) {
        status = il_problem_create(&problem, type, params, 0.0, err);
    }
    if (status == IL_OK) {
        il_run_spec spec = {.problem = type,
                            .params = params,
                            .scheme = scheme,
                            .projector = il_projector_type_default(),
                            .steps = FEW_STEPS,
                            .h = problem->horizon / PARTS};
        status = il_run(&spec, record, NULL, err);
    }
    il_problem_destroy(problem);
    il_params_destroy(params);
    return status;
}

/* {problem, scheme, status: ok|refused|failed, reason, certificate} */
static void add_pair(json_t *pairs, const il_problem_type *problem, const il_scheme_type *scheme) {
    il_record record = {0};
    il_error why = {IL_OK, ""};
    il_status status = try_pair(problem, scheme, &record, &why);
    bool ran = status == IL_OK && record.status == IL_OK;
    json_t *object = json_object();
    il_json_put_text(object, "problem", problem->name);
    il_json_put_text(object, "scheme", scheme->name);
    il_json_put_text(object, "status",
                     ran                         ? "ok"
                     : status == IL_EUNSUPPORTED ? "refused"
                                                 : "failed");
    il_json_put_text(object, "reason", ran ? NULL : status != IL_OK ? why.message : record.message);
    il_json_set(object, "certificate",
                ran ? il_certificate_json(&record.measure.certificate) : json_null());
    il_json_append(pairs, object);
    il_record_free(&record);
}

static json_t *make_matrix(void) {
    json_t *pairs = json_array();
    for (size_t i = 0; il_problem_type_at(i) != NULL; i++) {
        for (size_t k = 0; il_scheme_type_at(k) != NULL; k++) {
            add_pair(pairs, il_problem_type_at(i), il_scheme_type_at(k));
        }
    }
    return json_pack("{s:o}", "pairs", pairs);
}

/* ---- members -------------------------------------------------------------------------------- */

static json_t *make_list(const bool wanted[IL_CLI_FAMILIES]) {
    json_t *all = json_object();
    il_cli_member m;
    for (int f = 0; f < IL_CLI_FAMILIES; f++) {
        json_t *array = json_array();
        for (size_t k = 0; wanted[f] && il_cli_member_at(f, k, &m); k++) {
            il_json_append(array, il_cli_member_json(&m));
        }
        if (wanted[f]) {
            il_json_set(all, m.plural, array);
        } else {
            json_decref(array);
        }
    }
    return all;
}

static int list(void *self, const il_cli_words *words, il_error *err) {
    const request *r = self;
    bool wanted[IL_CLI_FAMILIES];
    il_cli_member m;
    for (int f = 0; f < IL_CLI_FAMILIES; f++) {
        wanted[f] = words->n == 0;
    }
    for (size_t k = 0; k < words->n; k++) {
        int f = 0;
        while (f < IL_CLI_FAMILIES &&
               !(il_cli_member_at(f, 0, &m) && strcmp(words->word[k], m.plural) == 0)) {
            f++;
        }
        if (f == IL_CLI_FAMILIES || r->matrix) {
            return il_cli_usage("list",
                                "'%s' is not allowed %s; allowed: problems, schemes, "
                                "projectors, --matrix, --json",
                                words->word[k], r->matrix ? "with --matrix" : "here");
        }
        wanted[f] = true;
    }
    json_t *all = r->matrix ? make_matrix() : make_list(wanted);
    if (r->matrix && !r->json) {
        il_json_put_count(all, "steps", FEW_STEPS);
        il_json_put_text(all, "few", FEW_BODIES);
        il_json_put_count(all, "many", MANY_BODIES);
    }
    il_status status = il_cli_report_print(all, r->matrix ? "matrix" : "members", r->json, err);
    json_decref(all);
    return il_cli_ended(status);
}

const il_cli_verb il_cli_list = {
    .name = "list",
    .text = "what there is: problems, schemes, projectors",
    .run = list,
    IL_CLI_REQUEST(.json = false),
    .usage = IL_CLI_LINES("[problems|schemes|projectors] [--json]", "--matrix [--json]"),
    IL_CLI_OPTIONS(known),
    .word = "family",
    .examples = IL_CLI_LINES("", "schemes", "problems --json", "--matrix"),
    .ends = {[2] = "bad usage"}};
