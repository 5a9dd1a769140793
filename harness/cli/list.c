/*
 * list.c - `impactlab list` and `impactlab show`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/cli/cli.h"
#include "harness/cli/list.h"
#include "harness/cli/members.h"
#include "harness/cli/verb.h"
#include "harness/study/hypotheses/hypotheses.h"

static json_t *entry(const il_cli_member *m) {
    il_json w = {false};
    json_t *object = json_object();
    il_json_put_text(&w, object, "name", m->name);
    il_json_put_text(&w, object, "title", m->title);
    il_json_put_text(&w, object, "source", m->source);
    return il_json_done(&w, object);
}

/* object, which is NULL where memory ran out, is taken. */
static int print_json(json_t *object) {
    int code = il_cli_print_json(object);
    json_decref(object);
    return code;
}

/* ---- list ----------------------------------------------------------------------------------- */

typedef struct {
    bool json, matrix;
} list_request;

static const il_cli_option list_options[] = {
    {.name = "json",
     .kind = IL_CLI_FLAG,
     .at = offsetof(list_request, json),
     .text = "one JSON object and nothing else"},
    {.name = "matrix",
     .kind = IL_CLI_FLAG,
     .at = offsetof(list_request, matrix),
     .text = "every problem by every scheme: ok, or refused and why"}};

static int list_matrix(bool as_json) {
    il_error err = {IL_OK, ""};
    json_t *pairs = NULL;
    if (il_cli_matrix(&pairs, &err) != IL_OK) {
        return il_cli_fail(&err);
    }
    if (as_json) {
        il_json w = {false};
        json_t *object = json_object();
        il_json_set(&w, object, "pairs", pairs);
        return print_json(il_json_done(&w, object));
    }
    il_cli_matrix_print(pairs);
    json_decref(pairs);
    return IL_EXIT_OK;
}

static int list_json(const bool wanted[IL_CLI_FAMILIES]) {
    il_json w = {false};
    json_t *all = json_object();
    il_cli_member m;
    for (int f = 0; f < IL_CLI_FAMILIES; f++) {
        json_t *array = json_array();
        for (size_t k = 0; wanted[f] && il_cli_member_at(f, k, &m); k++) {
            il_json_append(&w, array, entry(&m));
        }
        if (wanted[f]) {
            il_json_set(&w, all, m.plural, array);
        } else {
            json_decref(array);
        }
    }
    return print_json(il_json_done(&w, all));
}

static void list_text(const bool wanted[IL_CLI_FAMILIES]) {
    il_cli_member m;
    for (int f = 0; f < IL_CLI_FAMILIES; f++) {
        for (size_t k = 0; wanted[f] && il_cli_member_at(f, k, &m); k++) {
            (void)printf("%s%s  %-15s %s\n", k == 0 ? m.plural : "", k == 0 ? "\n" : "", m.name,
                         m.title);
        }
    }
}

static int list(int argc, char **argv) {
    list_request r = {false, false};
    bool wanted[IL_CLI_FAMILIES] = {false};
    il_cli_words words;
    il_cli_member m;
    int code = il_cli_read(&il_cli_list, argc, argv, &r, &words);
    for (size_t k = 0; code == IL_EXIT_OK && k < words.n; k++) {
        int f = 0;
        while (f < IL_CLI_FAMILIES &&
               !(il_cli_member_at(f, 0, &m) && strcmp(words.word[k], m.plural) == 0)) {
            f++;
        }
        if (f == IL_CLI_FAMILIES) {
            code = il_cli_usage("list",
                                "'%s' is not allowed here; allowed: problems, schemes, "
                                "projectors, --matrix, --json",
                                words.word[k]);
        } else {
            wanted[f] = true;
        }
    }
    if (code != IL_EXIT_OK) {
        return code;
    }
    if (r.matrix) {
        return words.n == 0
                   ? list_matrix(r.json)
                   : il_cli_usage("list",
                                  "--matrix has problems and schemes: '%s' is not allowed with it",
                                  words.word[0]);
    }
    for (int f = 0; f < IL_CLI_FAMILIES; f++) {
        wanted[f] = wanted[f] || words.n == 0;
    }
    if (r.json) {
        return list_json(wanted);
    }
    list_text(wanted);
    return IL_EXIT_OK;
}

static const char *const list_usage[] = {"[problems|schemes|projectors] [--json]",
                                         "--matrix [--json]", NULL};
static const char *const list_examples[] = {"", "schemes", "problems --json", "--matrix", NULL};

const il_cli_verb il_cli_list = {.name = "list",
                                 .text = "what there is: problems, schemes, projectors",
                                 .run = list,
                                 .usage = list_usage,
                                 .options = list_options,
                                 .noptions = sizeof list_options / sizeof list_options[0],
                                 .word = "family",
                                 .words = "problems schemes projectors",
                                 .examples = list_examples,
                                 .ends = {[2] = "bad usage"}};

/* ---- show ----------------------------------------------------------------------------------- */

static void show_params(const char *kind, const il_param_spec *specs) {
    (void)puts(strcmp(kind, "scheme") == 0 ? "parameters (--scheme NAME:key=value,key=value)"
                                           : "parameters (--set key=value)");
    for (; specs->key != NULL; specs++) {
        char allowed[256];
        il_param_describe(specs, allowed, sizeof allowed);
        (void)printf("  %-10s %s\n             default %s; allowed: %s; unit: %s\n", specs->key,
                     specs->text, specs->fallback != NULL ? specs->fallback : "derived", allowed,
                     specs->unit != NULL && strcmp(specs->unit, "1") != 0 ? specs->unit
                                                                          : "dimensionless");
    }
}

static json_t *params_json(const il_param_spec *specs) {
    il_json w = {false};
    json_t *array = json_array();
    for (; specs->key != NULL; specs++) {
        static const char *const kinds[] = {"number", "integer", "choice", "vector"};
        char allowed[256];
        il_param_describe(specs, allowed, sizeof allowed);
        json_t *object = json_object();
        il_json_put_text(&w, object, "key", specs->key);
        il_json_put_text(&w, object, "kind", kinds[specs->kind]);
        il_json_put_text(&w, object, "default", specs->fallback);
        il_json_put_text(&w, object, "allowed", allowed);
        il_json_put_text(&w, object, "unit", specs->unit != NULL ? specs->unit : "1");
        il_json_put_text(&w, object, "text", specs->text);
        il_json_append(&w, array, object);
    }
    return il_json_done(&w, array);
}

/* Every theorem against the problem: {theorem, source, says, admits, reason}, in the order of the
 * table. */
static json_t *admissions(const il_problem *problem, const il_constants *constants) {
    il_json w = {false};
    json_t *array = json_array();
    for (size_t k = 0; il_theorem_at(k) != NULL; k++) {
        const il_theorem *theorem = il_theorem_at(k);
        il_admission admission;
        il_theorem_admits(theorem, problem, constants, &admission);
        il_json_append(&w, array,
                       json_pack("{s:s, s:s, s:s, s:b, s:o}", "theorem", theorem->id, "source",
                                 theorem->source, "says", theorem->says, "admits",
                                 admission.admitted, "reason",
                                 admission.admitted ? json_null() : json_string(admission.reason)));
    }
    return il_json_done(&w, array);
}

/* The same for a problem with its default parameters; *array stays NULL if it cannot be made or
 * measured so. IL_ENOMEM. */
static il_status theorems_json(const il_problem_type *type, json_t **array, il_error *err) {
    il_params *params = NULL;
    il_problem *problem = NULL;
    il_constants constants;
    il_status status = il_params_create(&params, type->params, err);
    if (status == IL_OK) {
        status = il_problem_create(&problem, type, params, 0.0, err);
    }
    if (status == IL_OK) {
        status = il_constants_measure(problem, NULL, &constants, err);
    }
    if (status == IL_OK) {
        *array = admissions(problem, &constants);
        status = *array != NULL ? IL_OK : il_fail(err, IL_ENOMEM, "no memory for the theorems");
    }
    il_problem_destroy(problem);
    il_params_destroy(params);
    return status == IL_ENOMEM ? IL_ENOMEM : IL_OK;
}

static void print_theorems(const json_t *array) {
    size_t k = 0;
    const json_t *one = NULL;
    (void)printf("\ntheorems, at the default parameters, by measured hypotheses\n");
    json_array_foreach(array, k, one) {
        bool admits = json_is_true(json_object_get(one, "admits"));
        (void)printf("  %-11s %s%s (%s)\n", json_string_value(json_object_get(one, "theorem")),
                     admits ? "applies: " : "no: ",
                     json_string_value(json_object_get(one, admits ? "says" : "reason")),
                     json_string_value(json_object_get(one, "source")));
    }
}

/* What a problem has besides, measured; both NULL for others. */
typedef struct {
    json_t *theorems, *derived;
} findings;

static json_t *member_json(const il_cli_member *m, const findings *found) {
    il_json w = {false};
    json_t *object = entry(m);
    il_json_put_text(&w, object, "kind", m->kind);
    il_json_put_text(&w, object, "statement", m->statement);
    if (m->problem != NULL && m->problem->hypotheses != NULL) {
        il_json_put_text(&w, object, "hypotheses", m->problem->hypotheses);
    }
    if (found->theorems != NULL) {
        il_json_set(&w, object, "theorems", json_incref(found->theorems));
    }
    if (m->params != NULL) {
        il_json_set(&w, object, "parameters", params_json(m->params));
    }
    if (found->derived != NULL) {
        il_json_set(&w, object, "derived", json_incref(found->derived));
    }
    return il_json_done(&w, object);
}

static void print_member(const il_cli_member *m, const findings *found) {
    (void)printf("%s (%s): %s\n\n%s\n\nsource: %s\n", m->name, m->kind, m->title, m->statement,
                 m->source);
    if (m->problem != NULL && m->problem->hypotheses != NULL) {
        (void)printf("\nhypotheses of the theorems\n%s\n", m->problem->hypotheses);
    }
    if (found->theorems != NULL) {
        print_theorems(found->theorems);
    }
    if (m->params != NULL) {
        (void)putchar('\n');
        show_params(m->kind, m->params);
    }
    if (found->derived != NULL) {
        il_cli_derived_print(found->derived);
    }
}

static int print_found(const il_cli_member *m, bool as_json) {
    il_error err = {IL_OK, ""};
    findings found = {NULL, NULL};
    int code = IL_EXIT_OK;
    if (m->problem != NULL && (theorems_json(m->problem, &found.theorems, &err) != IL_OK ||
                               il_cli_derived(m->problem, &found.derived, &err) != IL_OK)) {
        code = il_cli_fail(&err);
    } else if (as_json) {
        code = print_json(member_json(m, &found));
    } else {
        print_member(m, &found);
    }
    json_decref(found.theorems);
    json_decref(found.derived);
    return code;
}

typedef struct {
    bool json;
} show_request;

static const il_cli_option show_options[] = {{.name = "json",
                                              .kind = IL_CLI_FLAG,
                                              .at = offsetof(show_request, json),
                                              .text = "one JSON object and nothing else"}};

static int show(int argc, char **argv) {
    show_request r = {false};
    il_cli_words words;
    il_cli_member found;
    int code = il_cli_read(&il_cli_show, argc, argv, &r, &words);
    if (code != IL_EXIT_OK) {
        return code;
    }
    const char *name = words.word[0];
    if (il_cli_member_find(name, &found)) {
        return print_found(&found, r.json);
    }
    const char *names[128];
    const char *near = il_text_nearest(name, names, il_cli_member_names(names, 0, 128));
    return near != NULL
               ? il_cli_usage("show", "unknown name '%s'; did you mean '%s'?", name, near)
               : il_cli_usage("show", "unknown name '%s'; `impactlab list` prints what there is",
                              name);
}

static const char *const show_usage[] = {"NAME [--json]", NULL};
static const char *const show_examples[] = {"nonuniqueness", "moreau_jean", "auto",
                                            "two_spheres --json", NULL};

const il_cli_verb il_cli_show = {
    .name = "show",
    .text = "one of them: statement, source, parameters with defaults and ranges",
    .run = show,
    .usage = show_usage,
    .options = show_options,
    .noptions = sizeof show_options / sizeof show_options[0],
    .word = "name",
    .least_words = 1,
    .most_words = 1,
    .words = "NAME",
    .notes = "NAME is a problem, a scheme or a projector.\n",
    .examples = show_examples,
    .ends = {[2] = "an unknown name"}};
