/*
 * results.h - the request of `impactlab results` and `status`.
 */
#ifndef IL_CLI_RESULTS_H
#define IL_CLI_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/cli/cli.h"
#include "harness/lua/results.h"

enum { IL_CLI_RESULTS_NAMES = 64 };

typedef struct {
    il_lua_results_request ask;
    int norm;                                  /* q_Linf 0, u_L1 1; -1: both */
    const char *named;                         /* --columns as it was given */
    const char *columns[IL_CLI_RESULTS_NAMES]; /* [ask.ncolumns] */
    bool references, quiet;
} il_cli_results;

/* Prints. */
typedef il_status il_cli_results_action(const il_cli_results *q, const il_index *index,
                                        il_error *err);

/* Open the index, with progress and what is to be said of it, act, and close it: IL_EXIT_OK or
 * IL_EXIT_ERROR. */
int il_cli_results_act(const il_cli_results *q, il_cli_results_action *act, il_error *err);

#endif
