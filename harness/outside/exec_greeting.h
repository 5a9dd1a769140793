/*
 * exec_greeting.h - what a program behind `exec:` is told, and how it may name constraints.
 */
#ifndef IL_OUTSIDE_EXEC_GREETING_H
#define IL_OUTSIDE_EXEC_GREETING_H

#include <stddef.h>

#include "harness/base/json.h"
#include "problems/problem.h"
#include "schemes/scheme.h"

/* The first line, as exec.md describes it; the caller's, NULL when memory ran out. */
char *il_exec_greeting(const il_problem *problem, const il_scheme_options *options);

/* What constraint id is about: a body and, where it is about a second one, that (first < second);
 * else a wall: of the problem, or of a point among half-spaces constraint number `wall`. SIZE_MAX:
 * none. */
typedef struct {
    size_t first, second, wall;
} il_exec_about;

/* At the start, rows being scratch. IL_ENOMEM; IL_ENUMERIC where it has no gradient there. */
il_status il_exec_about_of(const il_problem *problem, size_t id, il_rows *rows, il_exec_about *out);

/* The name of wall number `wall` of il_exec_about, into out, which is returned. */
const char *il_exec_wall_name(const il_problem *problem, size_t wall, char out[IL_DESCRIPTION_MAX]);

#endif
