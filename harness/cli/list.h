/*
 * list.h - the parts of `list` and `show` that create problems: the matrix of problems and schemes,
 * and the parameters that a problem derives.
 */
#ifndef IL_CLI_LIST_H
#define IL_CLI_LIST_H

#include <jansson.h>

#include "harness/run/registry.h"

/* *pairs, the caller's: an array with an object {problem, scheme, status, reason, certificate} for
 * every pair, problem by problem. status is "ok", "refused" (the pair has no meaning) or "failed",
 * with the reason, null for ok; certificate as in a record, null unless ok. IL_ENOMEM: then there
 * is no pair. */
il_status il_cli_matrix(json_t **pairs, il_error *err);

/* As a table on standard output, reasons below. */
void il_cli_matrix_print(const json_t *pairs);

/* *derived, the caller's: an array with an object {set, values} for every value of the type's first
 * choice (one, with set null, without choices), all else at its default: set is "key=value", values
 * an object of the parameters that have no default but were given a value. NULL where a problem
 * derives none. IL_ENOMEM. */
il_status il_cli_derived(const il_problem_type *type, json_t **derived, il_error *err);

/* As lines on standard output; of long vectors the first numbers. */
void il_cli_derived_print(const json_t *derived);

#endif
