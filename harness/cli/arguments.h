/*
 * arguments.h - options and words of a verb. A wrong one is refused with the nearest name that
 * exists.
 *
 * Options may stand anywhere before "--". Names cannot be abbreviated: a new option must not change
 * the meaning of an existing script. An option with a value is given once unless it repeats.
 */
#ifndef IL_CLI_ARGUMENTS_H
#define IL_CLI_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/run/case.h"

/* What il_cli_read stores of an option in the verb's request. */
typedef enum {
    IL_CLI_TAKEN,    /* nothing: take is called */
    IL_CLI_FLAG,     /* bool: true */
    IL_CLI_TEXT,     /* const char *: the value */
    IL_CLI_FOLDER,   /* the same, not empty */
    IL_CLI_COUNT,    /* size_t from least to most */
    IL_CLI_POSITIVE, /* double > 0, finite, at most `most` unless that is 0 */
    IL_CLI_CHOICE,   /* int: the place of the value among those that `value` names, "a|b|c" */
    IL_CLI_PROBLEM,  /* const il_problem_type * */
    IL_CLI_SCHEME,   /* il_scheme_choice */
    IL_CLI_SETTING   /* il_cli_settings, one more */
} il_cli_kind;

typedef struct il_cli_option {
    const char *name; /* without dashes; NULL: the letter alone */
    char letter;      /* 0: none */
    bool repeats;
    const char *value; /* what help and completion call its value; NULL: it has none */
    const char *text;  /* help; a newline starts a new line */
    const char *of;    /* the first words that it has a meaning for, "list export"; NULL: all */
    il_cli_kind kind;
    size_t at; /* offsetof the request's member */
    size_t least, most;
    int (*take)(void *request, const struct il_cli_option *option, const char *value);
    const void *self; /* of take */
} il_cli_option;

/* An option whose value goes into a member of the verb's `request`: kind, member, name, value,
 * text, and what other fields it has. */
#define IL_CLI_OPTION(kind_, member, name_, value_, ...)                                           \
    {                                                                                              \
        .kind = IL_CLI_##kind_, .at = offsetof(request, member), .name = (name_),                  \
        .value = (value_), .text = __VA_ARGS__                                                     \
    }

enum { IL_CLI_OPTIONS_MAX = 64 };

/* `--set key=value`, as often as it is given. */
enum { IL_CLI_SETTINGS_MAX = 64 };

typedef struct {
    size_t n;
    il_setting list[IL_CLI_SETTINGS_MAX];
    const char *typed[IL_CLI_SETTINGS_MAX];
    char keys[IL_CLI_SETTINGS_MAX][64];
} il_cli_settings;

/* True if --help or -h stands anywhere before "--": a request for help is answered whatever else is
 * wrong. */
bool il_cli_asks_help(int argc, char **argv);

#endif
