/*
 * results.h - what was asked of `impactlab results`, and its parts.
 */
#ifndef IL_CLI_RESULTS_H
#define IL_CLI_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/cli/cli.h"
#include "harness/results/index.h"

enum { IL_CLI_RESULTS_NAMES = 64 };

typedef struct {
    const char *results; /* the folder */
    const char *word;    /* behind the action: a key, a file, a script; or NULL */
    const char *second;  /* of compare */
    const char *figure;  /* of compare, or NULL */
    const char *where;
    const char *columns[IL_CLI_RESULTS_NAMES]; /* [ncolumns] */
    size_t ncolumns;
    bool json, yes, names, references, trusted, quiet;
    const char *const *args; /* [nargs] of the script */
    size_t nargs;
} il_cli_results;

/* Each prints and returns the exit status. */
int il_cli_results_list(const il_cli_results *q);
int il_cli_results_show(const il_cli_results *q);
int il_cli_results_why(const il_cli_results *q);
int il_cli_results_export(const il_cli_results *q);
int il_cli_results_prune(const il_cli_results *q);
int il_cli_results_from(const il_cli_results *q);
int il_cli_results_compare(const il_cli_results *q);

/* `list --references`, on standard output. */
il_status il_cli_results_print_references(const il_cli_results *q, il_error *err);

/* The index, with progress and what is to be said of it; complains and returns the status of a
 * failure. Close it in all cases. */
int il_cli_results_open(const il_cli_results *q, il_index *index);

#endif
