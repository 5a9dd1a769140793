/*
 * verb.h - a verb of the command line, in one table with all that is said of it.
 */
#ifndef IL_CLI_VERB_H
#define IL_CLI_VERB_H

#include <stdio.h>

#include "harness/cli/arguments.h"

#define IL_CLI_ENDS 5 /* exit statuses: 0 to 4 */

/* A verb: what it does, and what help, the man page and completion say of it. */
typedef struct {
    const char *name, *text;
    int (*run)(int argc, char **argv);
    const char *const *usage;     /* lines, each what stands after "impactlab NAME"; then NULL */
    const il_cli_option *options; /* [noptions]; NULL where list makes them */
    size_t noptions;
    size_t (*list)(il_cli_option room[IL_CLI_OPTIONS_MAX]);
    const char *words; /* what completion offers for words that are no options: names, blanks
                          between them; FILE.lua, NAME, PROBLEM, ... as values of options; NULL */
    const char *notes; /* paragraphs behind the options; or NULL */
    const char *const *examples;   /* what stands after "impactlab NAME", and works; then NULL */
    const char *ends[IL_CLI_ENDS]; /* what exit status k means; NULL: it does not end so */
} il_cli_verb;

/* What exit status k means of every verb. */
extern const char *const il_cli_ends[IL_CLI_ENDS];

extern const il_cli_verb il_cli_list, il_cli_show, il_cli_run, il_cli_sweep, il_cli_check,
    il_cli_judge, il_cli_law, il_cli_verify, il_cli_figure, il_cli_solve, il_cli_report,
    il_cli_results_verb, il_cli_status, il_cli_help;

/* Verb k of the program, NULL past the end; the one called name, or NULL. */
const il_cli_verb *il_cli_verb_at(size_t k);
const il_cli_verb *il_cli_verb_find(const char *name);

/* Its options, into room; how many. */
size_t il_cli_verb_options(const il_cli_verb *verb, il_cli_option room[IL_CLI_OPTIONS_MAX]);

/* What --help prints. */
void il_cli_print_help(FILE *out, const il_cli_verb *verb);

/* What `impactlab --help` prints. */
void il_cli_print_overview(FILE *out);

#endif
