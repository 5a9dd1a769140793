/*
 * arguments.c - getopt_long for the verbs.
 */
#include "harness/cli/arguments.h"

#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/cli/cli.h"

enum { LONG = 256 };

void il_cli_arguments_start(il_cli_arguments *a, const char *verb, int argc, char **argv,
                            const il_cli_option *options, size_t n) {
    assert(n <= IL_CLI_OPTIONS_MAX);
    *a = (il_cli_arguments){.verb = verb, .options = options, .n = n, .argc = argc, .argv = argv};
    optind = 0; /* getopt starts over */
    opterr = 0; /* and leaves complaints to us */
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

/* Of all names, with their dashes, the one nearest to word. */
static int complain_unknown(const il_cli_arguments *a, const char *word) {
    char room[IL_CLI_OPTIONS_MAX + 1][48];
    const char *names[IL_CLI_OPTIONS_MAX + 1];
    char given[48] = "";
    size_t n = 0;
    for (size_t k = 0; k < a->n; k++) {
        if (a->options[k].name != NULL) {
            (void)snprintf(room[n], sizeof room[n], "--%s", a->options[k].name);
        } else {
            (void)snprintf(room[n], sizeof room[n], "-%c", a->options[k].letter);
        }
        names[n] = room[n];
        n++;
    }
    (void)snprintf(room[n], sizeof room[n], "--help");
    names[n] = room[n];
    n++;
    (void)snprintf(given, sizeof given, "%.*s", (int)strcspn(word, "="), word);
    const char *near = il_text_nearest(given, names, n);
    (void)il_cli_usage(a->verb, "unknown option '%s'%s%s%s", word,
                       near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                       near != NULL ? "'?" : "");
    return IL_CLI_BAD;
}

/* Does word, "--name" or "--name=value", spell the name of option k in full? */
static bool spells(const il_cli_arguments *a, const char *word, size_t k) {
    const char *name = a->options[k].name;
    size_t n = name != NULL ? strlen(name) : 0;
    return name != NULL && strncmp(word, "--", 2) == 0 && strncmp(word + 2, name, n) == 0 &&
           (word[2 + n] == '\0' || word[2 + n] == '=');
}

/* getopt knows no such option, or one that has no value and got one. */
static int complain(const il_cli_arguments *a, const char *word) {
    for (size_t k = 0; k < a->n; k++) {
        if (spells(a, word, k)) {
            (void)il_cli_usage(a->verb, "option '--%s' has no value, and '%s' is given",
                               a->options[k].name, strchr(word, '=') + 1);
            return IL_CLI_BAD;
        }
    }
    return complain_unknown(a, word);
}

/* Option k was read from word. */
static int accept(il_cli_arguments *a, size_t k, const char *word) {
    const il_cli_option *o = &a->options[k];
    a->value = optarg;
    if (strncmp(word, "--", 2) != 0) {
        if (optarg != NULL && optarg[0] == '=') { /* -j=4 */
            a->value = optarg + 1;
        }
    } else if (!spells(a, word, k)) {
        return complain_unknown(a, word);
    }
    if (o->value != NULL && !o->repeats && a->seen[k] != NULL) {
        (void)il_cli_usage(a->verb, "option '%s%.*s' is given twice: '%s' and '%s'",
                           o->name != NULL ? "--" : "-", o->name != NULL ? 40 : 1,
                           o->name != NULL ? o->name : &o->letter, a->seen[k], a->value);
        return IL_CLI_BAD;
    }
    a->seen[k] = o->value != NULL ? a->value : "";
    return (int)k;
}

int il_cli_next(il_cli_arguments *a) {
    struct option names[IL_CLI_OPTIONS_MAX + 2];
    char letters[2 * IL_CLI_OPTIONS_MAX + 8] = "-:"; /* words in their place; ':' for no value */
    size_t n = 0;
    for (size_t k = 0; k < a->n; k++) {
        const il_cli_option *o = &a->options[k];
        if (o->name != NULL) {
            names[n++] = (struct option){
                o->name, o->value != NULL ? required_argument : no_argument, NULL, LONG + (int)k};
        }
        if (o->letter != 0) {
            il_text_append(letters, sizeof letters, "%c%s", o->letter, o->value != NULL ? ":" : "");
        }
    }
    names[n] = (struct option){NULL, 0, NULL, 0};
    int at = optind > 0 ? optind : 1;
    const char *word = at < a->argc ? a->argv[at] : "";
    int found = getopt_long(a->argc, a->argv, letters, names, NULL);
    switch (found) {
    case -1:
        return IL_CLI_END;
    case 1:
        a->value = optarg;
        return IL_CLI_WORD;
    case ':':
        (void)il_cli_usage(a->verb, "option '%s' needs a value", word);
        return IL_CLI_BAD;
    case '?':
        return complain(a, word);
    default:
        break;
    }
    for (size_t k = 0; found < LONG && k < a->n; k++) {
        if (a->options[k].letter == found) {
            return accept(a, k, word);
        }
    }
    return accept(a, (size_t)(found - LONG), word);
}
