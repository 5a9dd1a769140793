/*
 * cli.h - the verbs of the command line. Each takes its name and the arguments after it and returns
 * the exit status; results go to standard output, messages to standard error.
 */
#ifndef IL_CLI_H
#define IL_CLI_H

#include <stdio.h>

#include "harness/base/status.h"
#include "harness/cli/arguments.h"

enum {
    IL_EXIT_OK = 0,
    IL_EXIT_FAILED = 1,
    IL_EXIT_USAGE = 2,
    IL_EXIT_INCOMPLETE = 3,
    IL_EXIT_INTERNAL = 4
};

/* A verb: what it does, and what help, the man page and completion say of it. */
typedef struct {
    const char *name, *text;
    int (*run)(int argc, char **argv);
    const char *const *usage;     /* lines, each what stands after "impactlab NAME"; then NULL */
    const il_cli_option *options; /* [noptions]; NULL where list makes them */
    size_t noptions;
    size_t (*list)(il_cli_option room[IL_CLI_OPTIONS_MAX]);
    const char *words; /* what completion offers for words that are no options: names, blanks
                          between them; FILE.lua, NAME, PROBLEM, ... as values of options; or NULL */
    const char *notes; /* paragraphs behind the options; or NULL */
    const char *const *examples; /* what stands after "impactlab NAME", and works; then NULL */
    const char *ends[5];         /* what exit status k means; NULL: it does not end so */
} il_cli_verb;

extern const il_cli_verb il_cli_list, il_cli_show, il_cli_run, il_cli_sweep, il_cli_verify,
    il_cli_report, il_cli_help;

/* Verb k of the program, NULL past the end; the one called name, or NULL. */
const il_cli_verb *il_cli_verb_at(size_t k);
const il_cli_verb *il_cli_verb_find(const char *name);

/* Its options, into room; how many. */
size_t il_cli_verb_options(const il_cli_verb *verb, il_cli_option room[IL_CLI_OPTIONS_MAX]);

/* What --help prints. */
void il_cli_print_help(FILE *out, const il_cli_verb *verb);

/* What `impactlab --help` prints. */
void il_cli_print_overview(FILE *out);

/* The whole program: argv[1] is the verb. Standard output that could not be written, whatever was
 * asked, is status 2. */
int il_cli_program(int argc, char **argv);

/* Print "impactlab: MESSAGE" and return the exit status that the code stands for: 2 for input that
 * is refused (files that cannot be written and scripts that are wrong among it), 1 for a figure or
 * a run that failed, 3 for an interruption, 4 for memory and broken invariants. */
int il_cli_fail(const il_error *err);

/* A line on out as printf makes it, without control characters: names from outside may hold some.
 */
void il_cli_say(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The seconds > 0 of --max-time; a complaint and 2 for another text. */
int il_cli_max_time(const char *verb, const char *text, double *seconds);

/* Complain about an option: "impactlab VERB: MESSAGE (see impactlab VERB --help)"; returns 2. */
int il_cli_usage(const char *verb, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
