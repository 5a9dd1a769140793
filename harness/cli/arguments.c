/*
 * arguments.c - the arguments of a verb, parsed, checked and stored as the table of verbs says.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/cli/cli.h"
#include "harness/cli/verb.h"
#include "harness/run/registry.h"

/* ---- parsing -------------------------------------------------------------------------------- */

enum {
    END = -1,  /* no more */
    WORD = -2, /* value is a word that is no option */
    BAD = -3   /* a complaint was made */
};

typedef struct {
    const char *verb;
    il_option options[IL_CLI_OPTIONS_MAX]; /* [n] */
    size_t n;
    int argc;
    char **argv;                          /* [argc] argv[0] is the verb */
    int at;                               /* the next */
    bool ended;                           /* "--" was read: what follows are words */
    const char *value;                    /* of the option, or the word, that next found */
    const char *seen[IL_CLI_OPTIONS_MAX]; /* the value; of a flag the option; or NULL */
} arguments;

bool il_cli_asks_help(int argc, char **argv) {
    for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k++) {
        if (strcmp(argv[k], "--help") == 0 || strcmp(argv[k], "-h") == 0) {
            return true;
        }
    }
    return false;
}

/* The words behind "--", [*n] within argv, which belong to a script; `a` ends before them. */
static const char *const *take_rest(arguments *a, size_t *n) {
    int rest = 1;
    while (rest < a->argc && strcmp(a->argv[rest], "--") != 0) {
        rest++;
    }
    rest = rest < a->argc ? rest + 1 : rest;
    *n = (size_t)(a->argc - rest);
    a->argc = rest;
    return (const char *const *)(a->argv + rest);
}

/* Name the one of all options, and --help, that is nearest to word. */
static int complain(const arguments *a, const char *word) {
    il_option_words room[IL_CLI_OPTIONS_MAX];
    char given[48];
    const char *names[IL_CLI_OPTIONS_MAX + 1];
    for (size_t k = 0; k < a->n; k++) {
        room[k] = il_option_name(&a->options[k]);
        names[k] = room[k].text;
    }
    names[a->n] = "--help";
    (void)snprintf(given, sizeof given, "%.*s", (int)strcspn(word, "="), word);
    (void)il_cli_usage(a->verb, "unknown option '%s'%s", word,
                       il_cli_nearest(given, names, a->n + 1, "").text);
    return BAD;
}

/* Is word the option, "--name", "--name=value", "-l", "-lvalue" or "-l=value"? *value is NULL where
 * it has none. */
static bool is_option(const il_option *o, const char *word, const char **value) {
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
static int accept(arguments *a, size_t k, const char *word) {
    const il_option *o = &a->options[k];
    if (o->value == NULL) {
        if (a->value != NULL) {
            (void)il_cli_usage(a->verb, "option '%s' has no value, and '%s' is given",
                               il_option_name(o).text, a->value);
            return BAD;
        }
        a->seen[k] = word;
        return (int)k;
    }
    if (a->value == NULL && a->at == a->argc) {
        (void)il_cli_usage(a->verb, "option '%s' needs a value", word);
        return BAD;
    }
    a->value = a->value != NULL ? a->value : a->argv[a->at++];
    if (!o->repeats && a->seen[k] != NULL) {
        (void)il_cli_usage(a->verb, "option '%s' is given twice: '%s' and '%s'",
                           il_option_name(o).text, a->seen[k], a->value);
        return BAD;
    }
    a->seen[k] = a->value;
    return (int)k;
}

/* The index of the next option, with its value, or one of the above. */
static int next(arguments *a) {
    if (a->at == a->argc) {
        return END;
    }
    const char *word = a->argv[a->at++];
    a->value = word;
    if (a->ended || word[0] != '-' || word[1] == '\0') {
        return WORD;
    }
    if (strcmp(word, "--") == 0) {
        a->ended = true;
        return next(a);
    }
    for (size_t k = 0; k < a->n; k++) {
        if (is_option(&a->options[k], word, &a->value)) {
            return accept(a, k, word);
        }
    }
    return complain(a, word);
}

/* ---- storing -------------------------------------------------------------------------------- */

static int read_setting(const char *verb, il_cli_problem *w, const char *text) {
    size_t k = w->choice.nsettings;
    size_t n = strcspn(text, "=");
    if (text[n] == '\0' || n == 0) {
        return il_cli_usage(verb, "--set is '%s'; allowed: key=value", text);
    }
    if (k == IL_CLI_SETTINGS_MAX) {
        return il_cli_usage(verb, "more than %d times --set", IL_CLI_SETTINGS_MAX);
    }
    for (size_t i = 0; i < k; i++) {
        if (strncmp(w->typed[i], text, n + 1) == 0) {
            return il_cli_usage(verb, "parameter '%.*s' is set twice: %s and %s", (int)n, text,
                                w->typed[i], text);
        }
    }
    (void)snprintf(w->keys[k], sizeof w->keys[k], "%.*s", (int)n, text);
    w->typed[k] = text;
    w->list[k] = (il_setting){.key = w->keys[k], .text = text + n + 1};
    w->choice.settings = w->list;
    w->choice.nsettings = k + 1;
    return IL_EXIT_OK;
}

static int read_option(const char *verb, const il_option *o, void *request, const char *value) {
    il_error err = {IL_OK, ""};
    void *at = (char *)request + o->at;
    il_status status = IL_OK;
    switch (o->kind) {
    case IL_OPTION_OTHER:
        return o->take(request, o, value);
    case IL_OPTION_SETTING:
        return read_setting(verb, at, value);
    case IL_OPTION_PROBLEM:
        ((il_cli_problem *)at)->choice.label = value;
        status = il_problem_type_find(value, &((il_cli_problem *)at)->choice.type, &err);
        break;
    case IL_OPTION_SCHEME:
        status = il_scheme_choose(value, at, &err);
        break;
    default:
        status = il_option_set(o, request, value, &err);
        if (status == IL_EINVAL) {
            return il_cli_usage(verb, "%s", err.message);
        }
    }
    return status == IL_OK ? IL_EXIT_OK : il_cli_fail(&err);
}

/* Options that mean nothing beside the first word. */
static int check_options(const arguments *a, const char *word) {
    for (size_t k = 0; k < a->n; k++) {
        const il_option *o = &a->options[k];
        if (a->seen[k] != NULL && o->of != NULL && il_text_place(o->of, ' ', word) < 0) {
            return il_cli_usage(a->verb, "%s has no meaning for %s", il_option_name(o).text, word);
        }
    }
    return IL_EXIT_OK;
}

static int check_words(const il_cli_verb *verb, const il_cli_words *words) {
    if (words->n > 0 && verb->word == NULL) {
        return il_cli_usage(verb->name, "'%s' is not allowed here; allowed: options",
                            words->word[0]);
    }
    if (words->n < verb->least_words) {
        return il_cli_usage(verb->name, "a %s is needed", verb->word);
    }
    if (words->n > 1 && verb->most_words == 1) {
        return il_cli_usage(verb->name, "one %s at a time: '%s' and '%s'%s", verb->word,
                            words->word[0], words->word[1],
                            verb->script ? "; its arguments stand after --" : "");
    }
    return IL_EXIT_OK;
}

/* Read the arguments into the request and words. 0, or the exit status after a complaint. */
static int read_all(const il_cli_verb *verb, int argc, char **argv, void *request,
                    il_cli_words *words) {
    arguments a = {.verb = verb->name, .argc = argc, .argv = argv, .at = 1};
    il_cli_words found = {.word = argv + 1}; /* words that were read make room */
    a.n = il_cli_verb_options(verb, a.options);
    if (verb->script) {
        found.rest = take_rest(&a, &found.nrest);
    }
    for (int k = next(&a); k != END; k = next(&a)) {
        if (k == BAD) {
            return IL_EXIT_USAGE;
        }
        if (k == WORD) {
            found.word[found.n++] = (char *)a.value;
            continue;
        }
        int code = read_option(verb->name, &a.options[k], request, a.value != NULL ? a.value : "");
        if (code != IL_EXIT_OK) {
            return code;
        }
    }
    *words = found;
    int code = check_words(verb, &found);
    return code == IL_EXIT_OK && found.n > 0 ? check_options(&a, found.word[0]) : code;
}

int il_cli_perform(const il_cli_verb *verb, const il_cli_verb *const *all, int argc, char **argv) {
    il_error err = {IL_OK, ""};
    il_cli_words words = {.all = NULL};
    void *request = il_alloc_copy(verb->request, verb->size, 1);
    il_status status = verb->begin != NULL ? verb->begin(request, &err) : IL_OK;
    int code = status == IL_OK ? read_all(verb, argc, argv, request, &words) : IL_EXIT_ERROR;
    words.all = all;
    code = code == IL_EXIT_OK ? verb->run(request, &words, &err) : code;
    if (verb->end != NULL) {
        verb->end(request);
    }
    free(request);
    return code == IL_EXIT_ERROR ? il_cli_fail(&err) : code;
}
