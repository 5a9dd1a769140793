/*
 * exec_greeting.c - a problem as a line of JSON.
 */
#include "harness/outside/exec_greeting.h"

#include <stdlib.h>

#include "harness/base/json.h"
#include "harness/data/facts.h"

static const char IMPACT_LAW[] = "u+ = (1 + e) P_C(u-) - e u-, e the restitution, at every impact; "
                                 "P_C: the nearest velocity, in "
                                 "the metric of the mass, at which no active gap closes";

/* M^{-1} f at the start, or the drift. */
static void add_force(il_json *w, json_t *line, const il_problem *problem) {
    double *f = calloc(problem->d + 1, sizeof *f);
    w->failed = w->failed || f == NULL;
    if (f != NULL) {
        bool constant = il_facts_force(w, problem, f);
        if (problem->order == 2) {
            il_metric_solve(problem->mass, f, f);
        }
        il_json_set(w, line, problem->order == 2 ? "acceleration" : "drift",
                    il_json_numbers(f, problem->d));
        il_json_set(w, line, "force_constant", json_boolean(constant));
    }
    free(f);
}

char *il_exec_greeting(const il_problem *problem, const il_scheme_options *options) {
    il_json w = {false};
    json_t *line = json_object();
    il_json_put_text(&w, line, "problem", problem->type->name);
    il_json_put_count(&w, line, "order", (size_t)problem->order);
    il_json_put_count(&w, line, "dimension", problem->d);
    il_json_put_count(&w, line, "constraints", problem->p);
    il_json_put_count(&w, line, "steps", options->asked.steps);
    il_json_put(&w, line, "h", options->asked.h);
    il_json_put(&w, line, "horizon", options->asked.horizon);
    il_json_put(&w, line, "restitution", problem->restitution);
    il_json_put_text(&w, line, "impact_law", problem->order == 2 ? IMPACT_LAW : NULL);
    il_json_put(&w, line, "t", 0.0);
    il_json_set(&w, line, "q", il_json_numbers(problem->q0, problem->d));
    il_json_set(&w, line, "u", il_json_numbers(problem->u0, problem->d));
    il_json_set(&w, line, "mass", il_facts_mass(&w, problem));
    add_force(&w, line, problem);
    json_t *parameters = il_params_json(options->asked.params);
    il_facts_bodies(&w, line, problem, parameters);
    il_json_set(&w, line, "parameters", parameters);
    line = il_json_done(&w, line);
    char *text = line != NULL ? il_json_text(line) : NULL;
    json_decref(line);
    return text;
}
