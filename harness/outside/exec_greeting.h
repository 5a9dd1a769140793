/*
 * exec_greeting.h - what a program behind `exec:` is told.
 */
#ifndef IL_OUTSIDE_EXEC_GREETING_H
#define IL_OUTSIDE_EXEC_GREETING_H

#include "problems/problem.h"
#include "schemes/scheme.h"

/* The first line, as exec.md describes it; the caller's. */
char *il_exec_greeting(const il_problem *problem, const il_scheme_options *options);

#endif
