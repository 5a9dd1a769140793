/*
 * derived.h - the values that a problem derives for parameters that nobody gave.
 */
#ifndef IL_CLI_DERIVED_H
#define IL_CLI_DERIVED_H

#include <jansson.h>

#include "harness/run/registry.h"

/* *derived, the caller's: an array with an object {set, values} for every value of the type's first
 * choice (one, with set null, without choices), all else at its default: set is "key=value", values
 * an object of the parameters that have no default but were given a value. NULL where a problem
 * derives none. IL_ENOMEM. */
il_status il_cli_derived(const il_problem_type *type, json_t **derived, il_error *err);

/* As lines on standard output; of long vectors the first numbers. */
void il_cli_derived_print(const json_t *derived);

#endif
