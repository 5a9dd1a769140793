/*
 * show_data.h - the numbers of a problem as it starts, for programs that solve it by themselves.
 */
#ifndef IL_CLI_SHOW_DATA_H
#define IL_CLI_SHOW_DATA_H

#include <jansson.h>

#include "harness/run/case.h"

/* {problem, parameters, order, dimension, constraints, horizon, restitution, q0 [d], u0 [d] and
 * mass (of order 2), force [d] at the start (of order 1 the drift), force_constant, and those of
 * il_facts_bodies}, the caller's. The choice's errors. */
il_status il_cli_show_data(const il_choice *choice, json_t **out, il_error *err);

#endif
