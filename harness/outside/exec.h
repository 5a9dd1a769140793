/*
 * exec.h - another program as a scheme, `exec:COMMAND`: it gets the problem and makes the steps.
 *
 * The command is run by a shell. It reads one line of JSON from its standard input:
 *
 *     {"problem": "bouncing_ball", "parameters": {...}, "order": 2, "dimension": 1,
 *      "constraints": 1, "steps": 100, "h": 0.02, "horizon": 2, "restitution": 0, "t": 0,
 *      "q": [1], "u": [0], "mass": [1], "space": 0, "radii": [], "walls": []}
 *
 * (mass is the diagonal, or all rows of the matrix; bodies in space have radii; walls have a name,
 * a unit normal n into the room and an offset, <n,x> >= offset) and writes a line for each step:
 *
 *     {"q": [0.998], "u": [-0.196]}                    at t_1 = h, then at t_2, ...
 *     {"q": [0], "u": [0], "impulses": [[0, 4.4]]}     with impulses of constraints by their id
 *
 * u is the velocity on the step that ends there. Numbers have all digits (17 significant ones).
 * When the program ends early, writes nothing for a minute, or writes something else, the message
 * ends with the last lines of its standard error.
 */
#ifndef IL_OUTSIDE_EXEC_H
#define IL_OUTSIDE_EXEC_H

#include <stdbool.h>

#include "harness/io/sealed.h"
#include "schemes/scheme.h"

extern const il_scheme_type il_scheme_exec;

/* The sum of a command and of the files that its words name, by which a case is stored. False where
 * none of them is a file: nothing would tell the program from another. */
bool il_exec_sum(const char *command, char sum[IL_SEALED_SUM]);

#endif
