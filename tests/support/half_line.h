/*
 * half_line.h - the scheme of Maury on one point above a wall, written out, and orbits of problem
 * nonuniqueness: what suites of limits have in common.
 */
#ifndef IL_TESTS_HALF_LINE_H
#define IL_TESTS_HALF_LINE_H

#include "harness/data/trajectory.h"
#include "harness/study/limits/orbits.h"
#include "tests/support/residual.h"

/* u' = max(u + int f, -q/h), q' = q + h u' from rest at 0, up to the last t = n h <= T. The last
 * node goes to *t, *q, *u; all nodes to run (may be NULL), which has been initialised with d = 1.
 */
void il_half_line_run(const il_problem *problem, double h, double *t, double *q, double *u,
                      il_trajectory *run);

/* nonuniqueness with this alpha, and its orbits from so many starts; a failed assertion ends the
 * test. The orbits point at the problem, whose place is on the heap. */
typedef struct {
    il_test_problem made;
    il_orbits orbits;
} il_half_line;

il_half_line il_half_line_new(double alpha, size_t starts);
void il_half_line_free(il_half_line *example);

#endif
