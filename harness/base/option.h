/*
 * option.h - what a user may ask for, said once for the command line, its help and the tables of
 * scripts: a named value with a range, and the member of a struct that it fills.
 */
#ifndef IL_OPTION_H
#define IL_OPTION_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"

typedef enum {
    IL_OPTION_OTHER,    /* read by who has the table */
    IL_OPTION_FLAG,     /* bool */
    IL_OPTION_TEXT,     /* const char *, which the caller keeps */
    IL_OPTION_FOLDER,   /* the same, not empty */
    IL_OPTION_FILE,     /* the same; scripts name a file of `folder` */
    IL_OPTION_COUNT,    /* size_t from least to most */
    IL_OPTION_POSITIVE, /* double > 0, finite, at most `most` unless that is 0; >= 0 with `zero` */
    IL_OPTION_NUMBERS,  /* const double *, allocated */
    IL_OPTION_CHOICE,   /* int: the place of the value among those that `value` names, "a|b|c" */
    IL_OPTION_EITHER,   /* bool: it is the second of those two */
    IL_OPTION_SET,      /* read by `set` */
    IL_OPTION_OWN       /* kinds of the command line alone */
} il_option_kind;

typedef struct il_option {
    const char *key;   /* in tables: "max_iterations" */
    const char *name;  /* on the command line, without dashes: "max-iterations"; NULL: the letter */
    char letter;       /* 0: none */
    bool repeats;      /* it may be given several times */
    bool zero;         /* a POSITIVE may be 0 */
    const char *value; /* what help calls its value; NULL: it has none */
    const char *text;  /* help; a newline starts a new line */
    const char *of;    /* the first words that it has a meaning for, "list export"; NULL: all */
    unsigned where;    /* IL_WHERE_..., of runs */
    int kind;          /* il_option_kind, or an own one */
    size_t at;         /* of the member */
    size_t beside; /* of a POSITIVE: its text as it was typed; of NUMBERS: the size_t that counts
                          them; of a COUNT: the bool that it is given; 0: there is none */
    size_t least, most; /* most 0: 2^40 of a count */
    const char *folder;
    const char *allowed; /* IL_OPTION_SET: in words */

    /* IL_OPTION_SET: take text, which outlives the struct, into what stands at the member's place.
     * IL_EINVAL with a whole message, or with none where "it is TEXT; allowed: ALLOWED" will do. */
    il_status (*set)(void *at, const char *text, il_error *err);

    /* IL_OPTION_OTHER, on the command line: the exit status. */
    int (*take)(void *self, const struct il_option *option, const char *value);
} il_option;

typedef struct {
    char text[92];
} il_option_words;

/* "--name" or "-l"; and what its value may be. */
il_option_words il_option_name(const il_option *option);
il_option_words il_option_allowed(const il_option *option);

/* Take a text, which the caller keeps, into the member of self; that of a flag is not read.
 * IL_EINVAL with a message that names the option as the command line does. */
il_status il_option_set(const il_option *option, void *self, const char *text, il_error *err);

#endif
