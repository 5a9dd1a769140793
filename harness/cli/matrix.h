/*
 * matrix.h - which scheme runs on which problem, found out by running.
 */
#ifndef IL_CLI_MATRIX_H
#define IL_CLI_MATRIX_H

#include <jansson.h>

#include "harness/base/status.h"

/* *pairs, the caller's: an array with an object {problem, scheme, status, reason, certificate} for
 * every pair, problem by problem. status is "ok", "refused" (the pair has no meaning) or "failed",
 * with the reason, null for ok; certificate as in a record, null unless ok. IL_ENOMEM: then there
 * is no pair. */
il_status il_cli_matrix(json_t **pairs, il_error *err);

/* As a table on standard output, reasons below. */
void il_cli_matrix_print(const json_t *pairs);

#endif
