/*
 * cli.h - the verbs of the command line. Each takes its name and the arguments after it and returns
 * the exit status; results go to standard output, messages to standard error.
 */
#ifndef IL_CLI_H
#define IL_CLI_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "harness/base/place.h"
#include "harness/base/status.h"

enum {
    IL_EXIT_ERROR = -1, /* of a verb: an error that has not been printed */
    IL_EXIT_OK = 0,
    IL_EXIT_FAILED = 1,
    IL_EXIT_USAGE = 2,
    IL_EXIT_INCOMPLETE = 3,
    IL_EXIT_INTERNAL = 4
};

/* Print "impactlab: MESSAGE" and return the exit status of the code: 2 for refused input (including
 * files that cannot be written and errors in scripts), 1 for a figure or a run that failed, 3 for
 * an interruption, 4 for lack of memory and broken invariants. */
int il_cli_fail(const il_error *err);

/* A line on out as printf makes it, without control characters: names from outside may hold some.
 */
void il_cli_say(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Print a report: as JSON, or as text in its form (harness/lua/present.h). */
il_status il_cli_report_print(const json_t *report, const char *form, bool json, il_error *err);

/* The integer under key; 0 where object, which may be NULL, has none. */
long long il_cli_count_of(const json_t *object, const char *key);

/* Find a script: the file as named, else, if the name has no path (/, .), the one of that name that
 * comes with the program, in path; else the name. */
const char *il_cli_script(const char *name, char path[IL_PLACE_MAX]);

/* IL_EXIT_OK or IL_EXIT_ERROR. */
int il_cli_ended(il_status status);

/* "; did you mean 'NAME'?" of the name nearest to word, or otherwise where none is near. */
typedef struct {
    char text[128];
} il_cli_hint;
il_cli_hint il_cli_nearest(const char *word, const char *const *names, size_t n,
                           const char *otherwise);

/* Complain about an option: "impactlab VERB: MESSAGE (see impactlab VERB --help)"; returns 2. */
int il_cli_usage(const char *verb, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
