/*
 * list.c - `impactlab list` and `impactlab show`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/cli/arguments.h"
#include "harness/cli/cli.h"
#include "harness/cli/matrix.h"
#include "harness/run/registry.h"
#include "harness/study/hypotheses.h"

static json_t *entry(const char *name, const char *title, const char *source) {
    json_t *object = json_object();
    (void)json_object_set_new(object, "name", json_string(name));
    (void)json_object_set_new(object, "title", json_string(title));
    (void)json_object_set_new(object, "source", json_string(source));
    return object;
}

static json_t *family(int which) {
    json_t *array = json_array();
    for (size_t k = 0; which == 0 && il_problem_type_at(k) != NULL; k++) {
        const il_problem_type *p = il_problem_type_at(k);
        (void)json_array_append_new(array, entry(p->name, p->title, p->source));
    }
    for (size_t k = 0; which == 1 && il_scheme_type_at(k) != NULL; k++) {
        const il_scheme_type *s = il_scheme_type_at(k);
        (void)json_array_append_new(array, entry(s->name, s->title, s->source));
    }
    for (size_t k = 0; which == 2 && il_projector_type_at(k) != NULL; k++) {
        const il_projector_type *p = il_projector_type_at(k);
        (void)json_array_append_new(array, entry(p->name, p->title, p->source));
    }
    return array;
}

static const char *const families[] = {"problems", "schemes", "projectors"};

static int print_json(json_t *object) {
    char *text = il_json_text(object);
    json_decref(object);
    if (text == NULL) {
        (void)fputs("impactlab: no memory for the output\n", stderr);
        return IL_EXIT_INTERNAL;
    }
    (void)printf("%s\n", text);
    free(text);
    return IL_EXIT_OK;
}

static int list_matrix(bool as_json) {
    json_t *pairs = il_cli_matrix();
    if (as_json) {
        json_t *object = json_object();
        (void)json_object_set_new(object, "pairs", pairs);
        return print_json(object);
    }
    il_cli_matrix_print(pairs);
    json_decref(pairs);
    return IL_EXIT_OK;
}

typedef struct {
    int only; /* the family; -1: all */
    bool json, matrix;
} list_request;

static int parse_list(list_request *r, int argc, char **argv) {
    enum { JSON, MATRIX };
    static const il_cli_option known[] = {[JSON] = {.name = "json"}, [MATRIX] = {.name = "matrix"}};
    il_cli_arguments arguments;
    il_cli_arguments_start(&arguments, "list", argc, argv, known, 2);
    for (int option = il_cli_next(&arguments); option != IL_CLI_END;
         option = il_cli_next(&arguments)) {
        int found = -1;
        for (int f = 0; f < 3 && option == IL_CLI_WORD; f++) {
            found = strcmp(arguments.value, families[f]) == 0 ? f : found;
        }
        if (option == IL_CLI_WORD && found < 0) {
            return il_cli_usage("list",
                                "'%s' is not allowed here; allowed: problems, schemes, "
                                "projectors, --matrix, --json",
                                arguments.value);
        }
        if (option == IL_CLI_BAD) {
            return IL_EXIT_USAGE;
        }
        r->json = r->json || option == JSON;
        r->matrix = r->matrix || option == MATRIX;
        r->only = found >= 0 ? found : r->only;
    }
    if (r->matrix && r->only >= 0) {
        return il_cli_usage("list",
                            "--matrix has problems and schemes: '%s' is not allowed with it",
                            families[r->only]);
    }
    return IL_EXIT_OK;
}

int il_cli_list(int argc, char **argv) {
    if (il_cli_asks_help(argc, argv)) {
        (void)puts("usage: impactlab list [problems|schemes|projectors] [--json]\n"
                   "       impactlab list --matrix [--json]    every problem by every scheme: ok, "
                   "or refused and why");
        return IL_EXIT_OK;
    }
    list_request r = {.only = -1};
    int code = parse_list(&r, argc, argv);
    if (code != IL_EXIT_OK) {
        return code;
    }
    if (r.matrix) {
        return list_matrix(r.json);
    }
    json_t *all = json_object();
    for (int f = 0; f < 3; f++) {
        if (r.only < 0 || r.only == f) {
            (void)json_object_set_new(all, families[f], family(f));
        }
    }
    if (r.json) {
        return print_json(all);
    }
    for (int f = 0; f < 3; f++) {
        json_t *array = json_object_get(all, families[f]);
        size_t k = 0;
        json_t *item = NULL;
        if (array != NULL) {
            (void)printf("%s\n", families[f]);
        }
        json_array_foreach(array, k, item) {
            (void)printf("  %-15s %s\n", json_string_value(json_object_get(item, "name")),
                         json_string_value(json_object_get(item, "title")));
        }
    }
    json_decref(all);
    return IL_EXIT_OK;
}

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
    json_t *array = json_array();
    for (; specs->key != NULL; specs++) {
        static const char *const kinds[] = {"number", "integer", "choice", "vector"};
        char allowed[256];
        il_param_describe(specs, allowed, sizeof allowed);
        json_t *object = json_object();
        (void)json_object_set_new(object, "key", json_string(specs->key));
        (void)json_object_set_new(object, "kind", json_string(kinds[specs->kind]));
        (void)json_object_set_new(object, "default",
                                  specs->fallback != NULL ? json_string(specs->fallback)
                                                          : json_null());
        (void)json_object_set_new(object, "allowed", json_string(allowed));
        (void)json_object_set_new(object, "unit",
                                  json_string(specs->unit != NULL ? specs->unit : "1"));
        (void)json_object_set_new(object, "text", json_string(specs->text));
        (void)json_array_append_new(array, object);
    }
    return array;
}

/* The problem with its default parameters against every theorem: {theorem, source, says, admits,
 * reason}, in the order of the table; NULL if it cannot be made or measured so. */
static json_t *theorems_json(const il_problem_type *type) {
    il_error err = {IL_OK, ""};
    il_params *params = NULL;
    il_problem *problem = NULL;
    il_constants constants;
    json_t *array = NULL;
    if (il_params_create(&params, type->params, &err) == IL_OK &&
        il_problem_create(&problem, type, params, 0.0, &err) == IL_OK &&
        il_constants_measure(problem, NULL, &constants, &err) == IL_OK) {
        array = json_array();
        for (size_t k = 0; il_theorem_at(k) != NULL; k++) {
            const il_theorem *theorem = il_theorem_at(k);
            il_admission admission;
            il_theorem_admits(theorem, problem, &constants, &admission);
            (void)json_array_append_new(
                array, json_pack("{s:s, s:s, s:s, s:b, s:o}", "theorem", theorem->id, "source",
                                 theorem->source, "says", theorem->says, "admits",
                                 admission.admitted, "reason",
                                 admission.admitted ? json_null() : json_string(admission.reason)));
        }
    }
    il_problem_destroy(problem);
    il_params_destroy(params);
    return array;
}

static void print_theorems(const json_t *array) {
    size_t k = 0;
    const json_t *one = NULL;
    (void)printf("\ntheorems, at the default parameters, by measured hypotheses\n");
    json_array_foreach(array, k, one) {
        bool admits = json_is_true(json_object_get(one, "admits"));
        (void)printf("  %-11s %s%s\n", json_string_value(json_object_get(one, "theorem")),
                     admits ? "applies: " : "no: ",
                     json_string_value(json_object_get(one, admits ? "says" : "reason")));
    }
}

static int show(const char *kind, const char *name, const char *title, const char *statement,
                const char *source, const il_problem_type *problem, const il_param_spec *specs,
                bool as_json) {
    const char *hypotheses = problem != NULL ? problem->hypotheses : NULL;
    json_t *theorems = problem != NULL ? theorems_json(problem) : NULL;
    if (as_json) {
        json_t *object = entry(name, title, source);
        (void)json_object_set_new(object, "kind", json_string(kind));
        (void)json_object_set_new(object, "statement", json_string(statement));
        if (hypotheses != NULL) {
            (void)json_object_set_new(object, "hypotheses", json_string(hypotheses));
        }
        if (theorems != NULL) {
            (void)json_object_set_new(object, "theorems", theorems);
        }
        if (specs != NULL) {
            (void)json_object_set_new(object, "parameters", params_json(specs));
        }
        return print_json(object);
    }
    (void)printf("%s (%s): %s\n\n%s\n\nsource: %s\n", name, kind, title, statement, source);
    if (hypotheses != NULL) {
        (void)printf("\nhypotheses of the theorems\n%s\n", hypotheses);
    }
    if (theorems != NULL) {
        print_theorems(theorems);
        json_decref(theorems);
    }
    if (specs != NULL) {
        (void)putchar('\n');
        show_params(kind, specs);
    }
    return IL_EXIT_OK;
}

/* Names of all three families, for the nearest one. */
static int unknown(const char *name) {
    const char *names[128];
    size_t n = 0;
    for (size_t k = 0; il_problem_type_at(k) != NULL && n < 128; k++) {
        names[n++] = il_problem_type_at(k)->name;
    }
    for (size_t k = 0; il_scheme_type_at(k) != NULL && n < 128; k++) {
        names[n++] = il_scheme_type_at(k)->name;
    }
    for (size_t k = 0; il_projector_type_at(k) != NULL && n < 128; k++) {
        names[n++] = il_projector_type_at(k)->name;
    }
    const char *near = il_text_nearest(name, names, n);
    if (near != NULL) {
        return il_cli_usage("show", "unknown name '%s'; did you mean '%s'?", name, near);
    }
    return il_cli_usage("show", "unknown name '%s'; `impactlab list` prints what there is", name);
}

int il_cli_show(int argc, char **argv) {
    static const il_cli_option known[] = {{.name = "json"}};
    const char *name = NULL;
    bool as_json = false;
    if (il_cli_asks_help(argc, argv)) {
        (void)puts("usage: impactlab show NAME [--json]    a problem, scheme or projector");
        return IL_EXIT_OK;
    }
    il_cli_arguments arguments;
    il_cli_arguments_start(&arguments, "show", argc, argv, known, 1);
    for (int option = il_cli_next(&arguments); option != IL_CLI_END;
         option = il_cli_next(&arguments)) {
        if (option == IL_CLI_BAD) {
            return IL_EXIT_USAGE;
        }
        if (option == IL_CLI_WORD && name != NULL) {
            return il_cli_usage("show", "'%s' is not allowed here", arguments.value);
        }
        as_json = as_json || option == 0;
        name = option == IL_CLI_WORD ? arguments.value : name;
    }
    if (name == NULL) {
        return il_cli_usage("show", "give the name of a problem, a scheme or a projector");
    }
    const il_problem_type *problem = NULL;
    const il_scheme_type *scheme = NULL;
    const il_projector_type *projector = NULL;
    if (il_problem_type_find(name, &problem, NULL) == IL_OK) {
        return show("problem", name, problem->title, problem->statement, problem->source, problem,
                    problem->params, as_json);
    }
    if (il_scheme_type_find(name, &scheme, NULL) == IL_OK) {
        return show("scheme", name, scheme->title, scheme->statement, scheme->source, NULL,
                    scheme->params, as_json);
    }
    if (il_projector_type_find(name, &projector, NULL) == IL_OK) {
        return show("projector", name, projector->title, projector->statement, projector->source,
                    NULL, NULL, as_json);
    }
    return unknown(name);
}
