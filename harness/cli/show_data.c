/*
 * show_data.c - the initial data, mass, force and bodies of a problem as JSON.
 */
#include "harness/cli/show_data.h"

#include <stdlib.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/data/facts.h"

static json_t *describe(const il_problem *problem, const il_params *params) {
    double *f = il_alloc_zero(problem->d, sizeof *f);
    json_t *data = json_object();
    il_json_put_text(data, "problem", problem->type->name);
    il_json_set(data, "parameters", il_params_json(params));
    il_json_put_count(data, "order", (size_t)problem->order);
    il_json_put_count(data, "dimension", problem->d);
    il_json_put_count(data, "constraints", problem->p);
    il_json_put(data, "horizon", problem->horizon);
    il_json_put(data, "restitution", problem->restitution);
    il_json_set(data, "q0", il_json_numbers(problem->q0, problem->d));
    if (problem->order == 2) {
        il_json_set(data, "u0", il_json_numbers(problem->u0, problem->d));
        il_json_set(data, "mass", il_facts_mass(problem));
    }
    bool constant = il_facts_force(problem, f);
    il_json_set(data, "force", il_json_numbers(f, problem->d));
    il_json_set(data, "force_constant", json_boolean(constant));
    il_facts_bodies(data, problem, json_object_get(data, "parameters"));
    free(f);
    return data;
}

il_status il_cli_show_data(const il_choice *choice, json_t **out, il_error *err) {
    il_params *params = NULL;
    il_problem *problem = NULL;
    *out = NULL;
    il_status status = il_case_problem(&(il_case){.problem = choice}, &params, &problem, err);
    if (status == IL_OK) {
        *out = describe(problem, params);
    }
    il_problem_destroy(problem);
    il_params_destroy(params);
    return status;
}
