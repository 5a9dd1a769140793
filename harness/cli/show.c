/*
 * show.c - `impactlab show`: one problem, scheme or projector. Its description is made as JSON, and
 * printed from that.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/cli/cli.h"
#include "harness/cli/members.h"
#include "harness/cli/verb.h"
#include "harness/data/facts.h"
#include "harness/study/hypotheses/hypotheses.h"

enum { ROOM = 128 };

/* The problem with its default parameters, but key=choice unless key is NULL. Both are to be
 * destroyed, whatever is returned. */
static il_status make_problem(const il_problem_type *type, const char *key, const char *choice,
                              il_params **params, il_problem **problem, il_error *err) {
    *problem = NULL;
    il_status status = il_params_create(params, type->params, err);
    if (status == IL_OK && key != NULL) {
        status = il_params_set_text(*params, key, choice, err);
    }
    return status == IL_OK ? il_problem_create(problem, type, *params, 0.0, err) : status;
}

/* ---- theorems ------------------------------------------------------------------------------- */

/* Every theorem against the problem with its default parameters, in the order of their table;
 * nothing where it cannot be made or measured so. */
static void put_theorems(json_t *object, const il_problem_type *type) {
    il_params *params = NULL;
    il_problem *problem = NULL;
    il_constants constants;
    il_error none = {IL_OK, ""};
    il_status status = make_problem(type, NULL, NULL, &params, &problem, &none);
    if (status == IL_OK) {
        status = il_constants_measure(problem, NULL, &constants, &none);
    }
    json_t *array = json_array();
    for (size_t k = 0; status == IL_OK && il_theorem_at(k) != NULL; k++) {
        const il_theorem *theorem = il_theorem_at(k);
        il_admission admission;
        il_theorem_admits(theorem, problem, &constants, &admission);
        il_json_append(array,
                       json_pack("{s:s, s:s, s:s, s:b, s:b, s:o}", "theorem", theorem->id, "source",
                                 theorem->source, "says", theorem->says, "admits",
                                 admission.admitted, "unknown", admission.unknown, "reason",
                                 admission.admitted ? json_null() : json_string(admission.reason)));
    }
    if (status == IL_OK) {
        il_json_set(object, "theorems", json_incref(array));
        il_json_set(object, "closed_form",
                    constants.closed > 0.0 ? json_real(constants.closed) : json_null());
    }
    json_decref(array);
    il_problem_destroy(problem);
    il_params_destroy(params);
}

/* ---- parameters ----------------------------------------------------------------------------- */

static json_t *params_json(const il_param_spec *specs) {
    static const char *const kinds[] = {"number", "integer", "choice", "vector"};
    json_t *array = json_array();
    for (; specs->key != NULL; specs++) {
        char allowed[256];
        json_t *object = json_object();
        il_param_describe(specs, allowed, sizeof allowed);
        il_json_put_text(object, "key", specs->key);
        il_json_put_text(object, "kind", kinds[specs->kind]);
        il_json_put_text(object, "default", specs->fallback);
        il_json_put_text(object, "allowed", allowed);
        il_json_put_text(object, "unit", specs->unit != NULL ? specs->unit : "1");
        il_json_put_text(object, "text", specs->text);
        il_json_append(array, object);
    }
    return array;
}

/* ---- parameters that a problem derives ------------------------------------------------------ */

/* {set: "key=choice" or null, values}: the parameters that have no default and were given a value.
 * Nothing where there is none, or no such problem. */
static void add_derived(json_t *array, const il_problem_type *type, const char *key,
                        const char *choice) {
    il_params *params = NULL;
    il_problem *problem = NULL;
    char set[ROOM] = "";
    il_error none = {IL_OK, ""};
    il_status status = make_problem(type, key, choice, &params, &problem, &none);
    json_t *all = status == IL_OK ? il_params_json(params) : NULL;
    json_t *values = json_object();
    for (const il_param_spec *spec = type->params; all != NULL && spec->key != NULL; spec++) {
        json_t *value = json_object_get(all, spec->key);
        bool empty = json_is_null(value) || (json_is_array(value) && json_array_size(value) == 0);
        if (spec->fallback == NULL && !empty) {
            il_json_set(values, spec->key, json_incref(value));
        }
    }
    if (json_object_size(values) > 0) {
        il_text_append(set, sizeof set, "%s=%s", key != NULL ? key : "", choice);
        json_t *one = json_object();
        il_json_put_text(one, "set", key != NULL ? set : NULL);
        il_json_set(one, "values", json_incref(values));
        il_json_append(array, one);
    }
    json_decref(values);
    json_decref(all);
    il_problem_destroy(problem);
    il_params_destroy(params);
}

/* By the choices of the first parameter that is one; all else has its default. */
static void put_derived(json_t *object, const il_problem_type *type) {
    json_t *array = json_array();
    const il_param_spec *spec = type->params;
    while (spec->key != NULL && spec->kind != IL_PARAM_CHOICE) {
        spec++;
    }
    const char *at = spec->key != NULL ? spec->allowed : "";
    do {
        char choice[ROOM] = "";
        size_t length = strcspn(at, ",");
        il_text_append(choice, sizeof choice, "%.*s", (int)length, at);
        at += length + (at[length] == ',' ? 1 : 0);
        add_derived(array, type, spec->key, choice);
    } while (*at != '\0');
    if (json_array_size(array) > 0) {
        il_json_set(object, "derived", json_incref(array));
    }
    json_decref(array);
}

/* ---- --data --------------------------------------------------------------------------------- */

/* The numbers of a problem as it starts, for programs that solve it by themselves. */
static json_t *data_json(const il_problem *problem, const il_params *params) {
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

/* Those of the problem that is chosen, the caller's. */
static il_status make_data(const il_choice *choice, json_t **out, il_error *err) {
    il_params *params = NULL;
    il_problem *problem = NULL;
    *out = NULL;
    il_status status = il_case_problem(&(il_case){.problem = choice}, &params, &problem, err);
    if (status == IL_OK) {
        *out = data_json(problem, params);
    }
    il_problem_destroy(problem);
    il_params_destroy(params);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static json_t *describe(const il_cli_member *m) {
    json_t *object = il_cli_member_json(m);
    il_json_put_text(object, "kind", m->kind);
    il_json_put_text(object, "statement", m->statement);
    if (m->problem != NULL && m->problem->hypotheses != NULL) {
        il_json_put_text(object, "hypotheses", m->problem->hypotheses);
    }
    if (m->problem != NULL) {
        put_theorems(object, m->problem);
    }
    if (m->params != NULL) {
        il_json_set(object, "parameters", params_json(m->params));
    }
    if (m->problem != NULL) {
        put_derived(object, m->problem);
    }
    return object;
}

typedef struct {
    il_cli_problem problem; /* its settings, of --data */
    bool json, data;
} request;

static const il_option known[] = {
    IL_CLI_OPTION(FLAG, data, "data", NULL,
                  "of a problem: start, masses, radii, walls and force as numbers"),
    IL_CLI_OPTION(SETTING, problem, "set", "KEY=VALUE",
                  "with --data: a parameter of the problem; may be repeated", .repeats = true),
    IL_CLI_OPTION(FLAG, json, "json", NULL, "one JSON object and nothing else")};

/* --data and --set need a problem, and --set needs --data. */
static int check_data(const request *r, const il_cli_member *found) {
    if (r->data && found->problem == NULL) {
        return il_cli_usage("show", "--data is of problems, and '%s' is a %s", found->name,
                            found->kind);
    }
    return r->data || r->problem.choice.nsettings == 0
               ? IL_EXIT_OK
               : il_cli_usage("show", "--set has a meaning beside --data alone");
}

static int show(void *self, const il_cli_words *words, il_error *err) {
    request *r = self;
    const char *name = words->word[0];
    il_cli_member found;
    json_t *object = NULL;
    if (!il_cli_member_find(name, &found)) {
        const char *names[128];
        size_t n = il_cli_member_names(names, 0, 128);
        return il_cli_usage(
            "show", "unknown name '%s'%s", name,
            il_cli_nearest(name, names, n, "; `impactlab list` prints what there is").text);
    }
    int code = check_data(r, &found);
    if (code != IL_EXIT_OK) {
        return code;
    }
    r->problem.choice.type = found.problem;
    il_status status = IL_OK;
    if (r->data) {
        status = make_data(&r->problem.choice, &object, err);
    } else {
        object = describe(&found);
    }
    status = status == IL_OK ? il_cli_report_print(object, r->data ? "data" : "show", r->json, err)
                             : status;
    json_decref(object);
    return il_cli_ended(status);
}

const il_cli_verb il_cli_show = {
    .name = "show",
    .text = "one of them: statement, source, parameters with defaults and ranges",
    .run = show,
    IL_CLI_REQUEST(.json = false),
    .usage = IL_CLI_LINES("NAME [--json]", "PROBLEM --data [--set KEY=VALUE] [--json]"),
    IL_CLI_OPTIONS(known),
    .word = "name",
    .least_words = 1,
    .most_words = 1,
    .notes =
        "NAME is a problem, a scheme or a projector. --data prints what a program needs to solve\n"
        "a problem by itself, as the problem starts; a wall is <normal,x> >= offset.\n",
    .examples = IL_CLI_LINES("nonuniqueness", "moreau_jean", "auto", "two_spheres --json",
                             "pile --data --set N=3", "bouncing_ball --data --json"),
    .ends = {[2] = "an unknown name, or a parameter that is refused"}};
