/*
 * arguments.c - parsing of options and words.
 */
#include "harness/cli/arguments.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/cli/cli.h"

enum { NAME_ROOM = 48 };

void il_cli_arguments_start(il_cli_arguments *a, const char *verb, int argc, char **argv,
                            const il_cli_option *options, size_t n) {
    assert(n <= IL_CLI_OPTIONS_MAX);
    *a = (il_cli_arguments){
        .verb = verb, .options = options, .n = n, .argc = argc, .argv = argv, .at = 1};
}

bool il_cli_asks_help(int argc, char **argv) {
    for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k++) {
        if (strcmp(argv[k], "--help") == 0 || strcmp(argv[k], "-h") == 0) {
            return true;
        }
    }
    return false;
}

const char *const *il_cli_take_rest(il_cli_arguments *a, size_t *n) {
    int rest = 1;
    while (rest < a->argc && strcmp(a->argv[rest], "--") != 0) {
        rest++;
    }
    rest = rest < a->argc ? rest + 1 : rest;
    *n = (size_t)(a->argc - rest);
    a->argc = rest;
    return (const char *const *)(a->argv + rest);
}

/* "--name" or "-l". */
const char *il_cli_spelt(const il_cli_option *o, char room[NAME_ROOM]) {
    (void)snprintf(room, NAME_ROOM, "%s%.*s", o->name != NULL ? "--" : "-",
                   o->name != NULL ? NAME_ROOM : 1, o->name != NULL ? o->name : &o->letter);
    return room;
}

/* Of all options, and --help, the one nearest to word. */
static int complain(const il_cli_arguments *a, const char *word) {
    char room[IL_CLI_OPTIONS_MAX][NAME_ROOM];
    char given[NAME_ROOM];
    const char *names[IL_CLI_OPTIONS_MAX + 1];
    for (size_t k = 0; k < a->n; k++) {
        names[k] = il_cli_spelt(&a->options[k], room[k]);
    }
    names[a->n] = "--help";
    (void)snprintf(given, sizeof given, "%.*s", (int)strcspn(word, "="), word);
    const char *near = il_text_nearest(given, names, a->n + 1);
    (void)il_cli_usage(a->verb, "unknown option '%s'%s%s%s", word,
                       near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                       near != NULL ? "'?" : "");
    return IL_CLI_BAD;
}

/* Is word the option, "--name", "--name=value", "-l", "-lvalue" or "-l=value"? *value is NULL where
 * it has none. */
static bool is_option(const il_cli_option *o, const char *word, const char **value) {
    const char *end = word + strcspn(word, "=");
    *value = NULL;
    if (strncmp(word, "--", 2) == 0) {
        size_t n = (size_t)(end - word) - 2;
        *value = *end == '=' ? end + 1 : NULL;
        return o->name != NULL && strncmp(word + 2, o->name, n) == 0 && o->name[n] == '\0';
    }
    if (o->letter == 0 || word[1] != o->letter || (word[2] != '\0' && o->value == NULL)) {
        return false;
    }
    *value = word[2] == '=' ? word + 3 : word[2] != '\0' ? word + 2 : NULL;
    return true;
}

/* Option k was read from word; its value, or NULL, is a->value. */
static int accept(il_cli_arguments *a, size_t k, const char *word) {
    const il_cli_option *o = &a->options[k];
    char name[NAME_ROOM];
    if (o->value == NULL) {
        if (a->value != NULL) {
            (void)il_cli_usage(a->verb, "option '%s' has no value, and '%s' is given",
                               il_cli_spelt(o, name), a->value);
            return IL_CLI_BAD;
        }
        a->seen[k] = word;
        return (int)k;
    }
    if (a->value == NULL && a->at == a->argc) {
        (void)il_cli_usage(a->verb, "option '%s' needs a value", word);
        return IL_CLI_BAD;
    }
    a->value = a->value != NULL ? a->value : a->argv[a->at++];
    if (!o->repeats && a->seen[k] != NULL) {
        (void)il_cli_usage(a->verb, "option '%s' is given twice: '%s' and '%s'",
                           il_cli_spelt(o, name), a->seen[k], a->value);
        return IL_CLI_BAD;
    }
    a->seen[k] = a->value;
    return (int)k;
}

int il_cli_next(il_cli_arguments *a) {
    if (a->at == a->argc) {
        return IL_CLI_END;
    }
    const char *word = a->argv[a->at++];
    a->value = word;
    if (a->ended || word[0] != '-' || word[1] == '\0') {
        return IL_CLI_WORD;
    }
    if (strcmp(word, "--") == 0) {
        a->ended = true;
        return il_cli_next(a);
    }
    for (size_t k = 0; k < a->n; k++) {
        if (is_option(&a->options[k], word, &a->value)) {
            return accept(a, k, word);
        }
    }
    return complain(a, word);
}
