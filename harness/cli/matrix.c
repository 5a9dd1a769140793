/*
 * matrix.c - `impactlab list --matrix`: every problem with every scheme, ok or refused with the
 * reason.
 *
 * Each pair is run: FEW_STEPS steps with default parameters, but at most FEW_BODIES bodies.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/cli/list.h"
#include "harness/run/record.h"
#include "harness/run/registry.h"
#include "harness/run/run.h"

/* A step is one part in 256 of the problem's horizon: short enough for every scheme to be stable.
 */
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

/* The horizon that type has with these parameters. */
static il_status own_horizon(const il_problem_type *type, il_params *params, double *T,
                             il_error *err) {
    il_problem *problem = NULL;
    il_status status = il_problem_create(&problem, type, params, 0.0, err);
    if (status == IL_OK) {
        *T = problem->horizon;
    }
    il_problem_destroy(problem);
    return status;
}

/* FEW_STEPS steps of the pair. */
static il_status try_pair(const il_problem_type *problem, const il_scheme_type *scheme,
                          const il_projector_type *projector, il_record *record, il_error *err) {
    il_params *params = NULL;
    double T = 0.0;
    il_status status = small_params(problem, &params, err);
    status = status == IL_OK ? own_horizon(problem, params, &T, err) : status;
    if (status == IL_OK) {
        il_run_spec spec = {.problem = problem,
                            .params = params,
                            .scheme = scheme,
                            .projector = projector,
                            .steps = FEW_STEPS,
                            .h = T / PARTS};
        status = il_run(&spec, record, NULL, err);
    }
    if (status == IL_OK && record->status == IL_ENOMEM) { /* says nothing of the pair */
        status = il_fail(err, IL_ENOMEM, "%s", record->message);
    }
    il_params_destroy(params);
    return status;
}

/* One pair: {problem, scheme, status: ok|refused|failed, reason, certificate}. */
static json_t *pair_json(const il_problem_type *problem, const il_scheme_type *scheme,
                         il_status status, const il_record *record, const char *why) {
    bool ran = status == IL_OK && record->status == IL_OK;
    il_json w = {false};
    json_t *object = json_object();
    il_json_put_text(&w, object, "problem", problem->name);
    il_json_put_text(&w, object, "scheme", scheme->name);
    il_json_put_text(&w, object, "status",
                     ran                         ? "ok"
                     : status == IL_EUNSUPPORTED ? "refused"
                                                 : "failed");
    il_json_put_text(&w, object, "reason", ran ? NULL : status != IL_OK ? why : record->message);
    il_json_set(&w, object, "certificate",
                ran ? il_certificate_json(&record->measure.certificate) : json_null());
    return il_json_done(&w, object);
}

il_status il_cli_matrix(json_t **pairs, il_error *err) {
    const il_projector_type *projector = il_projector_type_default();
    il_json w = {false};
    json_t *list = json_array();
    il_status status = IL_OK;
    for (size_t i = 0; status == IL_OK && il_problem_type_at(i) != NULL; i++) {
        for (size_t k = 0; status == IL_OK && il_scheme_type_at(k) != NULL; k++) {
            const il_problem_type *problem = il_problem_type_at(i);
            const il_scheme_type *scheme = il_scheme_type_at(k);
            il_error why = {IL_OK, ""};
            il_record record = {0};
            il_status came = try_pair(problem, scheme, projector, &record, &why);
            status = came == IL_ENOMEM ? il_fail(err, came, "%s", why.message) : IL_OK;
            il_json_append(&w, list, pair_json(problem, scheme, came, &record, why.message));
            il_record_free(&record);
        }
    }
    *pairs = il_json_done(&w, list);
    if (status != IL_OK) {
        json_decref(*pairs);
        *pairs = NULL;
    } else if (*pairs == NULL) {
        status = il_fail(err, IL_ENOMEM, "no memory for the pairs");
    }
    return status;
}

void il_cli_matrix_print(const json_t *pairs) {
    size_t k = 0;
    const json_t *item = NULL;
    const char *row = "";
    (void)printf("%-15s", "");
    for (size_t j = 0; il_scheme_type_at(j) != NULL; j++) {
        (void)printf(" %-11s", il_scheme_type_at(j)->name);
    }
    json_array_foreach(pairs, k, item) {
        if (strcmp(row, il_json_get_text(item, "problem")) != 0) {
            row = il_json_get_text(item, "problem");
            (void)printf("\n%-15s", row);
        }
        (void)printf(" %-11s", il_json_get_text(item, "status"));
    }
    (void)printf(
        "\n\nok: %d steps ran, each with its certificate; parameters at their defaults, but "
        "N = %s where it is above %d.\n",
        FEW_STEPS, FEW_BODIES, MANY_BODIES);
    json_array_foreach(pairs, k, item) {
        if (strcmp(il_json_get_text(item, "status"), "ok") != 0) {
            (void)printf("%s on %s %s: %s\n", il_json_get_text(item, "scheme"),
                         il_json_get_text(item, "problem"), il_json_get_text(item, "status"),
                         il_json_get_text(item, "reason"));
        }
    }
}
