/*
 * residual.h - is this function of time a solution? Judged by the inclusion itself, never by the
 * formula that produced the function.
 */
#ifndef IL_TESTS_RESIDUAL_H
#define IL_TESTS_RESIDUAL_H

#include "problems/problem.h"

/* Worst violations over all smooth pieces and all breaks of exact solution k. All are >= 0, NaN
 * when something could not be evaluated. */
typedef struct {
    double start;      /* |q(0) - q0| */
    double infeasible; /* max(0, -min g) over the sample */
    double kinematics; /* |q(b) - q(a) - int_a^b u| over pieces, by Gauss-Legendre */
    double dynamics;   /* distance of M du/dt - f to the cone of the active gradients, relative to
                          1 + |M du/dt| + |f|; du/dt by Richardson differences of u */
    double continuity; /* |q(t+) - q(t-)| at breaks */
    double impact;     /* |u+ - (P_C u- - e P_N u-)|_M at breaks (and at 0 with u- = u0) */
    double momentum;   /* M (u+ - u-): distance to the cone of active gradients at breaks */
} il_residual;

/* samples interior points a piece. active: a constraint counts as active at (t,q) when
 * |g_i| <= active. The projections are computed by Lawson-Hanson non-negative least squares with
 * GSL, independent of every projector under test. Pieces shorter than 1e-6 of the horizon are
 * checked at their ends only. */
il_residual il_residual_of(const il_problem *problem, size_t k, size_t samples, double active);

/* The same of another function in place of exact solution 0, with its breaks. */
il_residual il_residual_of_other(const il_problem *problem,
                                 void (*motion)(const il_exact *, double, int, double *, double *),
                                 void *data, size_t samples, double active);

/* Create a problem for a test from "key=value" strings (ended by NULL); asserts success with
 * CU_ASSERT_FATAL. Frees: il_test_problem_free. */
typedef struct {
    il_params *params;
    il_problem *problem;
} il_test_problem;
il_test_problem il_test_problem_new(const char *name, double horizon, const char *const *sets);
/* The parameters alone, and the type; freed by il_params_destroy. */
il_params *il_test_params_new(const char *name, const char *const *sets,
                              const il_problem_type **type);
void il_test_problem_free(il_test_problem *made);

/* min_i g_i(0,q0). */
double il_test_problem_gap(const il_problem *problem);

#endif
