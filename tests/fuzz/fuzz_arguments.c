/*
 * fuzz_arguments.c - the words after `impactlab run`, one a line: read by the options of a run, and
 * problem and scheme made as a run would. What is refused leaves a message.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/cli/arguments.h"
#include "harness/run/options.h"
#include "tests/fuzz/fuzz.h"

enum { WORDS = 40, SETS = 16, BODIES = 60 };

typedef struct {
    il_case what;
    il_choice problem;
    il_scheme_choice scheme;
    il_setting settings[SETS];
} request;

static il_status take_setting(request *r, char *value) {
    char *equal = strchr(value, '=');
    if (equal == NULL || r->problem.nsettings == SETS) {
        return IL_EINVAL;
    }
    *equal = '\0';
    r->settings[r->problem.nsettings++] = (il_setting){.key = value, .text = equal + 1};
    return IL_OK;
}

static il_status take(request *r, const il_option *option, char *value, il_error *said) {
    if (option->kind != IL_OPTION_OTHER) {
        return il_option_set(option, &r->what, value, said);
    }
    if (strcmp(option->key, "set") == 0) {
        return take_setting(r, value);
    }
    if (strcmp(option->key, "problem") == 0) {
        return il_problem_type_find(value, &r->problem.type, said);
    }
    return strcmp(option->key, "scheme") == 0 ? il_scheme_choose(value, &r->scheme, said) : IL_OK;
}

/* Small enough to be quick: counts of bodies and the like. */
static bool small(const il_params *params) {
    for (size_t k = 0; il_params_spec(params, k) != NULL; k++) {
        const il_param_spec *spec = il_params_spec(params, k);
        size_t n = 0;
        const double *x = il_params_values(params, k, &n);
        if (spec->kind == IL_PARAM_INTEGER && strcmp(spec->key, "seed") != 0 &&
            (n == 0 || x[0] > BODIES)) {
            return false;
        }
    }
    return true;
}

static il_status build(request *r, il_error *err) {
    il_params *params = NULL;
    il_problem *problem = NULL;
    il_error said = {IL_OK, ""};
    il_status status = il_case_params(&r->what, &params, &said);
    if (status == IL_OK && small(params)) {
        il_params_destroy(params);
        params = NULL;
        status = il_case_problem(&r->what, &params, &problem, &said);
        if (status == IL_OK) {
            status = il_scheme_suits(r->scheme.type, problem, &said);
        }
        if (status == IL_OK) {
            char *key = NULL;
            status = il_case_key(&r->what, &key, &said);
            free(key);
        }
    }
    il_problem_destroy(problem);
    il_params_destroy(params);
    return status == IL_OK || said.message[0] != '\0'
               ? IL_OK
               : il_fail(err, IL_EINTERNAL, "%s without a word", il_status_name(status));
}

/* The words of lines, after the verb. */
static int split(char *text, char **argv) {
    int argc = 1;
    static char verb[] = "run";
    argv[0] = verb;
    for (char *at = text; at != NULL && argc < WORDS;) {
        char *end = strchr(at, '\n');
        if (end != NULL) {
            *end++ = '\0';
        }
        argv[argc++] = at;
        at = end;
    }
    argv[argc] = NULL;
    return argc;
}

static il_status read_words(request *r, int argc, char **argv, il_error *err) {
    il_cli_option known[IL_CLI_OPTIONS_MAX];
    const il_option *table[IL_CLI_OPTIONS_MAX];
    il_cli_arguments a;
    size_t n = 0;
    for (size_t k = 0; il_option_at(k) != NULL; k++) {
        const il_option *o = il_option_at(k);
        known[n] = (il_cli_option){
            .name = o->option, .value = o->value, .repeats = strcmp(o->key, "set") == 0};
        table[n] = o;
        n += (o->where & IL_WHERE_COMMAND) != 0;
    }
    il_cli_arguments_start(&a, "run", argc, argv, known, n);
    for (int k = il_cli_next(&a); k != IL_CLI_END; k = il_cli_next(&a)) {
        il_error said = {IL_OK, ""};
        if (k < 0) {
            return IL_EINVAL;
        }
        il_status status = take(r, table[k], (char *)a.value, &said);
        if (status != IL_OK) {
            return table[k]->kind == IL_OPTION_OTHER || said.message[0] != '\0'
                       ? status
                       : il_fail(err, IL_EINTERNAL, "--%s refused without a word",
                                 table[k]->option);
        }
    }
    return il_options_check(&r->what, true, NULL);
}

static il_status one(const uint8_t *data, size_t n, il_error *err) {
    il_bytes bytes = {data, n};
    char *argv[WORDS + 1];
    request r = {.problem = {.type = NULL}};
    char *text = il_bytes_text(&bytes);
    il_status status = il_case_init(&r.what, NULL, err);
    r.problem.settings = r.settings;
    r.what.problem = &r.problem;
    r.what.scheme = &r.scheme;
    if (status == IL_OK) {
        int argc = split(text, argv);
        (void)il_cli_asks_help(argc, argv);
        status = read_words(&r, argc, argv, err);
    }
    if (status == IL_OK && r.problem.type != NULL && r.scheme.type != NULL) {
        status = build(&r, err);
    }
    free((void *)r.what.samples);
    free(text);
    return status == IL_EINTERNAL ? status : IL_OK;
}

const il_fuzz il_fuzz_arguments = {
    .name = "arguments",
    .text = "command lines of `run`: options, --set, schemes with settings",
    .one = one,
};
