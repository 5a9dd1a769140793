/*
 * show_data.c - the initial data, mass, force and bodies of a problem as JSON.
 */
#include "harness/cli/show_data.h"

#include <stdlib.h>

#include "harness/base/json.h"
#include "harness/data/facts.h"

static il_status describe(const il_problem *problem, const il_params *params, double *f,
                          json_t **out, il_error *err) {
    il_json w = {false};
    json_t *data = json_object();
    il_json_put_text(&w, data, "problem", problem->type->name);
    il_json_set(&w, data, "parameters", il_params_json(params));
    il_json_put_count(&w, data, "order", (size_t)problem->order);
    il_json_put_count(&w, data, "dimension", problem->d);
    il_json_put_count(&w, data, "constraints", problem->p);
    il_json_put(&w, data, "horizon", problem->horizon);
    il_json_put(&w, data, "restitution", problem->restitution);
    il_json_set(&w, data, "q0", il_json_numbers(problem->q0, problem->d));
    if (problem->order == 2) {
        il_json_set(&w, data, "u0", il_json_numbers(problem->u0, problem->d));
        il_json_set(&w, data, "mass", il_facts_mass(&w, problem));
    }
    bool constant = il_facts_force(&w, problem, f);
    il_json_set(&w, data, "force", il_json_numbers(f, problem->d));
    il_json_set(&w, data, "force_constant", json_boolean(constant));
    il_facts_bodies(&w, data, problem, json_object_get(data, "parameters"));
    *out = il_json_done(&w, data);
    return *out != NULL ? IL_OK : il_fail(err, IL_ENOMEM, "no memory for a problem's data");
}

il_status il_cli_show_data(const il_choice *choice, json_t **out, il_error *err) {
    il_params *params = NULL;
    il_problem *problem = NULL;
    double *f = NULL;
    *out = NULL;
    il_status status = il_case_problem(&(il_case){.problem = choice}, &params, &problem, err);
    if (status == IL_OK) {
        f = calloc(problem->d + 1, sizeof *f);
        status = f != NULL ? describe(problem, params, f, out, err)
                           : il_fail(err, IL_ENOMEM, "no memory for a problem's data");
    }
    free(f);
    il_problem_destroy(problem);
    il_params_destroy(params);
    return status;
}
