/*
 * exec_greeting.c - a problem as a line of JSON.
 */
#include "harness/outside/exec_greeting.h"

#include <stdlib.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/data/facts.h"

static const char IMPACT_LAW[] = "u+ = (1 + e) P_C(u-) - e u-, e the restitution, at every impact; "
                                 "P_C: the nearest velocity, in "
                                 "the metric of the mass, at which no active gap closes";

/* M^{-1} f at the start, or the drift. */
static void add_force(json_t *line, const il_problem *problem) {
    double *f = il_alloc_zero(problem->d, sizeof *f);
    bool constant = il_facts_force(problem, f);
    if (problem->order == 2) {
        il_metric_solve(problem->mass, f, f);
    }
    il_json_set(line, problem->order == 2 ? "acceleration" : "drift",
                il_json_numbers(f, problem->d));
    il_json_set(line, "force_constant", json_boolean(constant));
    free(f);
}

char *il_exec_greeting(const il_problem *problem, const il_scheme_options *options) {
    json_t *line = json_object();
    il_json_put_text(line, "problem", problem->type->name);
    il_json_put_count(line, "order", (size_t)problem->order);
    il_json_put_count(line, "dimension", problem->d);
    il_json_put_count(line, "constraints", problem->p);
    il_json_put_count(line, "steps", options->asked.steps);
    il_json_put(line, "h", options->asked.h);
    il_json_put(line, "horizon", options->asked.horizon);
    il_json_put(line, "restitution", problem->restitution);
    il_json_put_text(line, "impact_law", problem->order == 2 ? IMPACT_LAW : NULL);
    il_json_put(line, "t", 0.0);
    il_json_set(line, "q", il_json_numbers(problem->q0, problem->d));
    il_json_set(line, "u", il_json_numbers(problem->u0, problem->d));
    il_json_set(line, "mass", il_facts_mass(problem));
    add_force(line, problem);
    json_t *parameters = il_params_json(options->asked.params);
    il_facts_bodies(line, problem, parameters);
    il_json_set(line, "parameters", parameters);
    char *text = il_json_text(line);
    json_decref(line);
    return text;
}
