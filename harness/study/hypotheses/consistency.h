/*
 * consistency.h - is a problem consistent with itself? Its force is compared with its means and
 * breaks, its exact solution with the differential inclusion. Each check gives one line with its
 * numbers.
 */
#ifndef IL_CONSISTENCY_H
#define IL_CONSISTENCY_H

#include "problems/problem.h"

typedef enum { IL_CHECK_OK, IL_CHECK_FAIL, IL_CHECK_NOTE } il_check_outcome;

typedef struct {
    const char *name; /* "force mean" */
    il_check_outcome outcome;
    double measured, allowed; /* NAN where the check is not about a number */
    char text[512];
} il_check_line;

enum { IL_CHECK_LINES_MAX = 24 };

typedef struct {
    il_check_line line[IL_CHECK_LINES_MAX];
    size_t n; /* past the last line nothing is added */
} il_check_lines;

void il_check_add(il_check_lines *lines, const char *name, il_check_outcome outcome,
                  double measured, double allowed, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* "force": finite over the horizon at the start, and, where means are made of it by quadrature
 * (order 2 without force_mean), without jumps in t that are not among problem->breaks. Jumps in q
 * do not matter here, because means are taken at fixed q. "force mean": where both are given, the
 * mean against Gauss quadrature of force between its jumps, on three intervals. */
void il_check_force(const il_problem *problem, il_check_lines *lines);

/* The solution exact of problem, at points inside every piece:
 *
 *     order 1   f - q' in N(Q(t),q):  |P_T(f - q')|, T the tangent cone at the constraints with
 *               g_i = 0, whose polar is the normal cone
 *     order 2   the same of M^{-1} f - q'', and |q' - u|; at breaks, and at 0 from u_0,
 *               u+ = (1 + e) P_C(u-) - e u-
 *
 * and q(0) = q_0, g_i >= 0, q continuous, u smooth between breaks. Derivatives by extrapolated
 * differences; what they may be off by counts as allowed. Names: "exact: start", "exact: feasible",
 * "exact: smooth", "exact: velocity", "exact: motion", "exact: impacts". Fails where a constraint
 * or a projection cannot be computed. */
il_status il_check_exact(const il_problem *problem, const il_exact *exact, il_check_lines *lines,
                         il_error *err);

/* Where x(t)[d] jumps in (a,b), largest first: positions into at[most], sizes into size[most]. A
 * jump is a change that does not shrink with the interval around it. eval returns false where x
 * cannot be computed. Returns how many were found; work has room for 2 d numbers. */
typedef struct {
    bool (*eval)(void *self, double t, double *x);
    void *self;
    size_t d;
    double *work;
} il_jump_query;
size_t il_check_jumps(const il_jump_query *query, double a, double b, size_t most, double *at,
                      double *size);

#endif
