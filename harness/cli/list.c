/*
 * list.c - `impactlab list` and `impactlab show`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/cli/cli.h"
#include "harness/cli/derived.h"
#include "harness/cli/matrix.h"
#include "harness/cli/verb.h"
#include "harness/run/registry.h"
#include "harness/study/hypotheses/hypotheses.h"

static json_t *entry(const char *name, const char *title, const char *source) {
    il_json w = {false};
    json_t *object = json_object();
    il_json_put_text(&w, object, "name", name);
    il_json_put_text(&w, object, "title", title);
    il_json_put_text(&w, object, "source", source);
    return il_json_done(&w, object);
}

static json_t *family(int which) {
    il_json w = {false};
    json_t *array = json_array();
    for (size_t k = 0; which == 0 && il_problem_type_at(k) != NULL; k++) {
        const il_problem_type *p = il_problem_type_at(k);
        il_json_append(&w, array, entry(p->name, p->title, p->source));
    }
    for (size_t k = 0; which == 1 && il_scheme_type_at(k) != NULL; k++) {
        const il_scheme_type *s = il_scheme_type_at(k);
        il_json_append(&w, array, entry(s->name, s->title, s->source));
    }
    for (size_t k = 0; which == 2 && il_projector_type_at(k) != NULL; k++) {
        const il_projector_type *p = il_projector_type_at(k);
        il_json_append(&w, array, entry(p->name, p->title, p->source));
    }
    return il_json_done(&w, array);
}

static const char *const families[] = {"problems", "schemes", "projectors"};

static int no_memory(void) {
    il_error err = {IL_ENOMEM, "no memory for the output"};
    return il_cli_fail(&err);
}

/* object, which is NULL where memory ran out, is taken. */
static int print_json(json_t *object) {
    char *text = object != NULL ? il_json_text(object) : NULL;
    json_decref(object);
    if (text == NULL) {
        return no_memory();
    }
    (void)printf("%s\n", text);
    free(text);
    return IL_EXIT_OK;
}

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

enum { JSON, MATRIX };

static const il_cli_option list_options[] = {
    [JSON] = {.name = "json", .text = "one JSON object and nothing else"},
    [MATRIX] = {.name = "matrix", .text = "every problem by every scheme: ok, or refused and why"}};

typedef struct {
    int only; /* the family; -1: all */
    bool json, matrix;
} list_request;

static int parse_list(list_request *r, int argc, char **argv) {
    il_cli_arguments arguments;
    il_cli_arguments_start(&arguments, "list", argc, argv, list_options, 2);
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

/* Names and titles of those that were asked for. */
static void print_list(const json_t *all) {
    for (int f = 0; f < 3; f++) {
        const json_t *array = json_object_get(all, families[f]);
        size_t k = 0;
        const json_t *item = NULL;
        if (array != NULL) {
            (void)printf("%s\n", families[f]);
        }
        json_array_foreach(array, k, item) {
            (void)printf("  %-15s %s\n", json_string_value(json_object_get(item, "name")),
                         json_string_value(json_object_get(item, "title")));
        }
    }
}

static int list(int argc, char **argv) {
    list_request r = {.only = -1};
    int code = parse_list(&r, argc, argv);
    if (code != IL_EXIT_OK) {
        return code;
    }
    if (r.matrix) {
        return list_matrix(r.json);
    }
    il_json w = {false};
    json_t *all = json_object();
    for (int f = 0; f < 3; f++) {
        if (r.only < 0 || r.only == f) {
            il_json_set(&w, all, families[f], family(f));
        }
    }
    all = il_json_done(&w, all);
    if (all == NULL || r.json) {
        return print_json(all);
    }
    print_list(all);
    json_decref(all);
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
                                 .words = "problems schemes projectors",
                                 .examples = list_examples,
                                 .ends = {"all well", [2] = "bad usage"}};

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
        (void)printf("  %-11s %s%s\n", json_string_value(json_object_get(one, "theorem")),
                     admits ? "applies: " : "no: ",
                     json_string_value(json_object_get(one, admits ? "says" : "reason")));
    }
}

/* A problem, scheme or projector; what it has not is NULL. */
typedef struct {
    const char *kind, *name, *title, *statement, *source;
    const il_problem_type *problem;
    const il_param_spec *specs;
} member;

/* What a problem has besides, measured; both NULL for others. */
typedef struct {
    json_t *theorems, *derived;
} findings;

static json_t *member_json(const member *m, const findings *found) {
    il_json w = {false};
    json_t *object = entry(m->name, m->title, m->source);
    il_json_put_text(&w, object, "kind", m->kind);
    il_json_put_text(&w, object, "statement", m->statement);
    if (m->problem != NULL && m->problem->hypotheses != NULL) {
        il_json_put_text(&w, object, "hypotheses", m->problem->hypotheses);
    }
    if (found->theorems != NULL) {
        il_json_set(&w, object, "theorems", json_incref(found->theorems));
    }
    if (m->specs != NULL) {
        il_json_set(&w, object, "parameters", params_json(m->specs));
    }
    if (found->derived != NULL) {
        il_json_set(&w, object, "derived", json_incref(found->derived));
    }
    return il_json_done(&w, object);
}

static void print_member(const member *m, const findings *found) {
    (void)printf("%s (%s): %s\n\n%s\n\nsource: %s\n", m->name, m->kind, m->title, m->statement,
                 m->source);
    if (m->problem != NULL && m->problem->hypotheses != NULL) {
        (void)printf("\nhypotheses of the theorems\n%s\n", m->problem->hypotheses);
    }
    if (found->theorems != NULL) {
        print_theorems(found->theorems);
    }
    if (m->specs != NULL) {
        (void)putchar('\n');
        show_params(m->kind, m->specs);
    }
    if (found->derived != NULL) {
        il_cli_derived_print(found->derived);
    }
}

static int print_found(const member *m, bool as_json) {
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

static bool find(const char *name, member *m) {
    const il_problem_type *p = NULL;
    const il_scheme_type *s = NULL;
    const il_projector_type *x = NULL;
    if (il_problem_type_find(name, &p, NULL) == IL_OK) {
        *m = (member){"problem", name, p->title, p->statement, p->source, p, p->params};
    } else if (il_scheme_type_find(name, &s, NULL) == IL_OK) {
        *m = (member){"scheme", name, s->title, s->statement, s->source, NULL, s->params};
    } else if (il_projector_type_find(name, &x, NULL) == IL_OK) {
        *m = (member){"projector", name, x->title, x->statement, x->source, NULL, NULL};
    }
    return m->kind != NULL;
}

static const il_cli_option show_options[] = {
    {.name = "json", .text = "one JSON object and nothing else"}};

static int show_one(int argc, char **argv) {
    const char *name = NULL;
    bool as_json = false;
    il_cli_arguments arguments;
    il_cli_arguments_start(&arguments, "show", argc, argv, show_options, 1);
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
    member found = {.kind = NULL};
    return find(name, &found) ? print_found(&found, as_json) : unknown(name);
}

static const char *const show_usage[] = {"NAME [--json]", NULL};
static const char *const show_examples[] = {"nonuniqueness", "moreau_jean", "auto",
                                            "two_spheres --json", NULL};

const il_cli_verb il_cli_show = {
    .name = "show",
    .text = "one of them: statement, source, parameters with defaults and ranges",
    .run = show_one,
    .usage = show_usage,
    .options = show_options,
    .noptions = sizeof show_options / sizeof show_options[0],
    .words = "NAME",
    .notes = "NAME is a problem, a scheme or a projector.\n",
    .examples = show_examples,
    .ends = {"all well", [2] = "an unknown name"}};
