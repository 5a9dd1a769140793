/*
 * arguments.c - the arguments of a verb, parsed, checked and stored as the table of verbs says.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    il_cli_option options[IL_CLI_OPTIONS_MAX]; /* [n] */
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

const char *il_cli_option_name(const il_cli_option *o, char room[IL_CLI_NAME_ROOM]) {
    if (o->name != NULL) {
        (void)snprintf(room, IL_CLI_NAME_ROOM, "--%s", o->name);
    } else {
        (void)snprintf(room, IL_CLI_NAME_ROOM, "-%c", o->letter);
    }
    return room;
}

/* Of all options, and --help, the one nearest to word. */
static int complain(const arguments *a, const char *word) {
    char room[IL_CLI_OPTIONS_MAX][IL_CLI_NAME_ROOM];
    char given[IL_CLI_NAME_ROOM];
    const char *names[IL_CLI_OPTIONS_MAX + 1];
    for (size_t k = 0; k < a->n; k++) {
        names[k] = il_cli_option_name(&a->options[k], room[k]);
    }
    names[a->n] = "--help";
    (void)snprintf(given, sizeof given, "%.*s", (int)strcspn(word, "="), word);
    (void)il_cli_usage(a->verb, "unknown option '%s'%s", word,
                       il_cli_nearest(given, names, a->n + 1, "").text);
    return BAD;
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
static int accept(arguments *a, size_t k, const char *word) {
    const il_cli_option *o = &a->options[k];
    char name[IL_CLI_NAME_ROOM];
    if (o->value == NULL) {
        if (a->value != NULL) {
            (void)il_cli_usage(a->verb, "option '%s' has no value, and '%s' is given",
                               il_cli_option_name(o, name), a->value);
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
                           il_cli_option_name(o, name), a->seen[k], a->value);
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

static int read_count(const char *verb, const il_cli_option *o, size_t *to, const char *value) {
    char name[IL_CLI_NAME_ROOM];
    return il_text_count(value, to) && *to >= o->least && *to <= o->most
               ? IL_EXIT_OK
               : il_cli_usage(verb, "%s is '%s'; allowed: an integer from %zu to %zu",
                              il_cli_option_name(o, name), value, o->least, o->most);
}

static int read_positive(const char *verb, const il_cli_option *o, double *to, const char *value) {
    char name[IL_CLI_NAME_ROOM];
    char allowed[48] = "> 0";
    if (il_text_number(value, to) && (*to > 0.0 || (o->zero && *to == 0.0)) && isfinite(*to) &&
        (o->most == 0 || *to <= (double)o->most)) {
        return IL_EXIT_OK;
    }
    if (o->most > 0) {
        (void)snprintf(allowed, sizeof allowed, "in %c0, %zu]", o->zero ? '[' : '(', o->most);
    }
    return il_cli_usage(verb, "%s is '%s'; allowed: a number %s", il_cli_option_name(o, name),
                        value, allowed);
}

static int read_choice(const char *verb, const il_cli_option *o, int *to, const char *value) {
    char name[IL_CLI_NAME_ROOM];
    char allowed[128] = "";
    const char *at = o->value;
    for (int k = 0; *at != '\0'; k++) {
        size_t n = strcspn(at, "|");
        if (strlen(value) == n && strncmp(value, at, n) == 0) {
            *to = k;
            return IL_EXIT_OK;
        }
        il_text_append(allowed, sizeof allowed, "%s%.*s", k == 0 ? "" : ", ", (int)n, at);
        at += n + (at[n] == '|');
    }
    return il_cli_usage(verb, "%s is '%s'; allowed: %s", il_cli_option_name(o, name), value,
                        allowed);
}

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

static int read_option(const char *verb, const il_cli_option *o, void *request, const char *value) {
    char name[IL_CLI_NAME_ROOM];
    il_error err = {IL_OK, ""};
    void *at = (char *)request + o->at;
    switch (o->kind) {
    case IL_CLI_FLAG:
        *(bool *)at = true;
        return IL_EXIT_OK;
    case IL_CLI_TEXT:
    case IL_CLI_FOLDER:
        *(const char **)at = value;
        return o->kind == IL_CLI_TEXT || value[0] != '\0'
                   ? IL_EXIT_OK
                   : il_cli_usage(verb, "%s is empty; allowed: a folder",
                                  il_cli_option_name(o, name));
    case IL_CLI_COUNT:
        return read_count(verb, o, at, value);
    case IL_CLI_POSITIVE:
        return read_positive(verb, o, at, value);
    case IL_CLI_CHOICE:
        return read_choice(verb, o, at, value);
    case IL_CLI_SETTING:
        return read_setting(verb, at, value);
    case IL_CLI_PROBLEM:
        ((il_cli_problem *)at)->choice.label = value;
        return il_problem_type_find(value, &((il_cli_problem *)at)->choice.type, &err) == IL_OK
                   ? IL_EXIT_OK
                   : il_cli_fail(&err);
    case IL_CLI_SCHEME:
        return il_scheme_choose(value, at, &err) == IL_OK ? IL_EXIT_OK : il_cli_fail(&err);
    default:
        return o->take(request, o, value);
    }
}

/* Is word one of names, which have blanks between them? */
static bool is_among(const char *names, const char *word) {
    size_t n = strlen(word);
    for (const char *at = names; (at = strstr(at, word)) != NULL; at += n) {
        if ((at == names || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0')) {
            return true;
        }
    }
    return false;
}

/* Options that mean nothing beside the first word. */
static int check_options(const arguments *a, const char *word) {
    char name[IL_CLI_NAME_ROOM];
    for (size_t k = 0; k < a->n; k++) {
        const il_cli_option *o = &a->options[k];
        if (a->seen[k] != NULL && o->of != NULL && !is_among(o->of, word)) {
            return il_cli_usage(a->verb, "%s has no meaning for %s", il_cli_option_name(o, name),
                                word);
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

int il_cli_perform(const il_cli_verb *verb, int argc, char **argv) {
    il_error err = {IL_OK, ""};
    il_cli_words words;
    void *request = malloc(verb->size);
    if (request == NULL) {
        (void)il_fail(&err, IL_ENOMEM, "no memory for the arguments");
        return il_cli_fail(&err);
    }
    memcpy(request, verb->request, verb->size);
    il_status status = verb->begin != NULL ? verb->begin(request, &err) : IL_OK;
    int code = status == IL_OK ? read_all(verb, argc, argv, request, &words) : IL_EXIT_ERROR;
    code = code == IL_EXIT_OK ? verb->run(request, &words, &err) : code;
    if (verb->end != NULL) {
        verb->end(request);
    }
    free(request);
    return code == IL_EXIT_ERROR ? il_cli_fail(&err) : code;
}
