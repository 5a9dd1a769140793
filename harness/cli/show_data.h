/*
 * show_data.h - the numbers of a problem as it starts, for programs that solve it by themselves.
 */
#ifndef IL_CLI_SHOW_DATA_H
#define IL_CLI_SHOW_DATA_H

#include <jansson.h>

#include "harness/run/case.h"

/* {problem, parameters, order, dimension, horizon, restitution, t: 0, q0 [d], u0 [d] (of order 2),
 * mass [d] where it is diagonal, else [d][d], force [d] at the start (of order 1 the drift),
 * force_constant, space, radii, walls: [{name, normal, offset}], <normal,x> >= offset inside;
 * constraints, how many}, the caller's. radii are [] where there are no bodies; walls are those of
 * bodies, or of a point among half-spaces that stand still. The choice's errors; IL_ENOMEM. */
il_status il_cli_show_data(const il_choice *choice, json_t **out, il_error *err);

#endif
