/*
 * verb.h - the verbs of the command line, in one table (main.c).
 *
 * The table defines the parsing of arguments, --help, the man page and the
 * manual's page on the command line.
 *
 * Options may stand anywhere before "--". Names cannot be abbreviated: a new option must not change
 * the meaning of an existing script. An option with a value is given once unless it repeats. An
 * unknown one is refused with the nearest name that exists.
 */
#ifndef IL_CLI_VERB_H
#define IL_CLI_VERB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/base/option.h"
#include "harness/run/case.h"

/* ---- options ------------------------------------------------------------------------------ */

/* Kinds of options, beside those of option.h. */
enum {
    IL_OPTION_PROBLEM = IL_OPTION_OWN, /* il_cli_problem: its type and label */
    IL_OPTION_SETTING,                 /* il_cli_problem: one more setting */
    IL_OPTION_SCHEME                   /* il_scheme_choice */
};

/* An option whose value goes into a member of the verb's `request`: kind, member, name, value,
 * text, and what other fields it has. */
#define IL_CLI_OPTION(kind_, member, name_, value_, ...)                                           \
    {                                                                                              \
        .kind = IL_OPTION_##kind_, .at = offsetof(request, member), .name = (name_),               \
        .value = (value_), .text = __VA_ARGS__                                                     \
    }

enum { IL_CLI_OPTIONS_MAX = 64 };

/* `--problem P`, and `--set key=value` as often as it is given. */
enum { IL_CLI_SETTINGS_MAX = 64 };

typedef struct {
    il_choice choice; /* with its settings in list */
    il_setting list[IL_CLI_SETTINGS_MAX];
    const char *typed[IL_CLI_SETTINGS_MAX];
    char keys[IL_CLI_SETTINGS_MAX][64];
} il_cli_problem;

/* True if --help or -h stands anywhere before "--": a request for help is answered whatever else is
 * wrong. */
bool il_cli_asks_help(int argc, char **argv);

/* ---- verbs -------------------------------------------------------------------------------- */

#define IL_CLI_ENDS 5 /* exit statuses: 0 to 4 */

typedef struct il_cli_verb il_cli_verb;

/* The words of a command that are no options; all are the caller's. */
typedef struct {
    const il_cli_verb *const *all; /* the verbs of the program, then NULL */
    char **word;                   /* [n] */
    size_t n;
    const char *const *rest; /* [nrest] behind "--", of a verb that runs a script */
    size_t nrest;
} il_cli_words;

struct il_cli_verb {
    const char *name, *text;
    /* The exit status, or IL_EXIT_ERROR: err says what went wrong. */
    int (*run)(void *request, const il_cli_words *words, il_error *err);
    const void *request; /* [size] what options are stored in, as it is without any */
    size_t size;
    il_status (*begin)(void *request, il_error *err); /* before it is read; or NULL */
    void (*end)(void *request);                       /* in the end; or NULL */
    const char *const *usage; /* lines, each what stands after "impactlab NAME"; then NULL */
    const il_option *options; /* [noptions]; NULL where list makes them */
    size_t noptions;
    size_t (*list)(il_option room[IL_CLI_OPTIONS_MAX]);
    const char *word;            /* what a word that is no option is called: "script"; NULL: none */
    size_t least_words;          /* how many there must be */
    size_t most_words;           /* and may be; 0: any number */
    bool script;                 /* words behind "--" are a script's */
    const char *notes;           /* paragraphs behind the options; or NULL */
    const char *const *examples; /* what stands after "impactlab NAME", and works; then NULL */
    const char *ends[IL_CLI_ENDS]; /* what exit status k means, where il_cli_ends does not say it */
};

/* A list of lines, ended by NULL. */
#define IL_CLI_LINES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The members `options` and `noptions` of a verb, from an array. */
#define IL_CLI_OPTIONS(table) .options = (table), .noptions = sizeof(table) / sizeof(table)[0]

/* The members `request` and `size` of a verb, from the values without options. */
#define IL_CLI_REQUEST(...) .request = &(const request){__VA_ARGS__}, .size = sizeof(request)

/* The meaning of exit status k of every verb. */
extern const char *const il_cli_ends[IL_CLI_ENDS];

/* The same of one verb; NULL: it does not end so. */
const char *il_cli_verb_end(const il_cli_verb *verb, int k);

extern const il_cli_verb il_cli_list, il_cli_show, il_cli_run, il_cli_sweep, il_cli_check,
    il_cli_judge, il_cli_law, il_cli_verify, il_cli_figure, il_cli_solve, il_cli_report,
    il_cli_results_verb, il_cli_status, il_cli_help, il_cli_board;

/* The verb that is called name, or NULL. */
const il_cli_verb *il_cli_verb_find(const il_cli_verb *const *all, const char *name);

/* Read the arguments, argv[0] being the verb, and run it: the exit status. */
int il_cli_perform(const il_cli_verb *verb, const il_cli_verb *const *all, int argc, char **argv);

/* Its options, into room; how many. */
size_t il_cli_verb_options(const il_cli_verb *verb, il_option room[IL_CLI_OPTIONS_MAX]);

/* The help that --help prints. */
void il_cli_print_help(FILE *out, const il_cli_verb *verb);

/* The overview that `impactlab --help` prints. */
void il_cli_print_overview(FILE *out, const il_cli_verb *const *all);

#endif
