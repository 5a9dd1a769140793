/*
 * options.h - the options of a run, in one table: the command line's options and their help, and
 * the keys of scripts' tables are made from it. A new option is one entry.
 */
#ifndef IL_OPTIONS_H
#define IL_OPTIONS_H

#include <stddef.h>

#include "harness/run/case.h"

/* Where an option may stand. */
enum {
    IL_WHERE_COMMAND = 1u << 0, /* impactlab run */
    IL_WHERE_RUN = 1u << 1,     /* lab.run */
    IL_WHERE_CASE = 1u << 2,    /* what runs one case in a script: lab.run, ... */
    IL_WHERE_SWEEP = 1u << 3    /* lab.sweep, and all that is said of many cases at once */
};

typedef enum {
    IL_OPTION_OTHER,    /* parsed by the caller: problem, scheme, and what is not part of a case */
    IL_OPTION_FLAG,     /* bool */
    IL_OPTION_COUNT,    /* size_t >= 1 */
    IL_OPTION_POSITIVE, /* double, finite and > 0; beside it the text that it was typed as */
    IL_OPTION_NUMBERS,  /* il_case.samples */
    IL_OPTION_TEXT,     /* read by set */
    IL_OPTION_FILE      /* const char *: a path; scripts name a file of folder */
} il_option_kind;

typedef struct {
    const char *key;    /* in tables: "max_iterations" */
    const char *option; /* on the command line, without dashes: "max-iterations" */
    const char *value;  /* what help calls its value; NULL: it has none */
    unsigned where;     /* IL_WHERE_... */
    il_option_kind kind;
    size_t at;           /* of its value in il_case */
    size_t text_at;      /* IL_OPTION_POSITIVE: of the text as it was typed; 0: not kept */
    const char *folder;  /* IL_OPTION_FILE: below the results of a script */
    const char *allowed; /* IL_OPTION_TEXT: in words */
    const char *text;    /* help; a newline starts a new line */

    /* IL_OPTION_TEXT: take text, which outlives the case. IL_EINVAL, with a whole message in err or
     * with none where "KEY is TEXT; allowed: ALLOWED" is enough. */
    il_status (*set)(il_case *c, const char *text, il_error *err);
} il_option;

/* Option k, NULL past the end. */
const il_option *il_option_at(size_t k);

/* An empty case with what is not zero by default: projector and norms. substitutes as in il_case.
 */
il_status il_case_init(il_case *c, const il_substitutes *substitutes, il_error *err);

/* Take the text of an option that is not IL_OPTION_OTHER; NULL for a flag. IL_EINVAL with a message
 * that names it as the command line does, IL_ENOMEM. Numbers are allocated: free c->samples. */
il_status il_option_set(const il_option *option, il_case *c, const char *text, il_error *err);

/* Do the options of a case go together? IL_EINVAL with their names as the command line has them if
 * dashes, else as tables do. */
il_status il_options_check(const il_case *c, bool dashes, il_error *err);

#endif
