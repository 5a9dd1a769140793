/*
 * results.h - the request of `impactlab results`, and the functions for its actions.
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
    const char *word;    /* behind the action: a key, a file; or NULL */
    const char *second;  /* of compare */
    const char *figure;  /* of compare, or NULL */
    int norm;            /* of compare: q_Linf 0, u_L1 1, alone; -1: both */
    const char *where;
    const char *named;                         /* --columns as it was given */
    const char *columns[IL_CLI_RESULTS_NAMES]; /* [ncolumns] */
    size_t ncolumns;
    bool json, names, references, quiet;
} il_cli_results;

/* Each prints. */
typedef il_status il_cli_results_action(const il_cli_results *q, il_index *index, il_error *err);
il_cli_results_action il_cli_results_list, il_cli_results_show, il_cli_results_export;

/* The same of two folders; its exit status, or IL_EXIT_ERROR. */
int il_cli_results_compare(const il_cli_results *q, il_error *err);

/* Open the index, with progress and what is to be said of it, act, and close it: IL_EXIT_OK or
 * IL_EXIT_ERROR. */
int il_cli_results_act(const il_cli_results *q, il_cli_results_action *act, il_error *err);

#endif
