/*
 * half_line.c - see half_line.h.
 */
#include "tests/support/half_line.h"

#include <math.h>
#include <stdio.h>

#include "tests/support/suite.h"

void il_half_line_run(const il_problem *problem, double h, double *t, double *q, double *u,
                      il_trajectory *run) {
    size_t n = (size_t)floor(problem->horizon / h + 1e-9);
    *t = *q = *u = 0.0;
    if (run != NULL) {
        (void)il_trajectory_add(run, *t, q, u);
    }
    for (size_t k = 1; k <= n; k++) {
        double f = 0.0;
        problem->type->force_mean(problem, (double)(k - 1) * h, (double)k * h, q, &f);
        double free = *u + h * f;
        *u = *q + h * free < 0.0 ? -*q / h : free;
        *q = fmax(*q + h * *u, 0.0);
        *t = (double)k * h;
        if (run != NULL) {
            (void)il_trajectory_add(run, *t, q, u);
        }
    }
}

il_half_line il_half_line_new(double alpha, size_t starts) {
    il_half_line w;
    char set[64];
    (void)snprintf(set, sizeof set, "alpha=%.17g", alpha);
    w.made = il_test_problem_new("nonuniqueness", 0.0, (const char *const[]){set, NULL});
    il_orbits_search search = {.starts = starts, .seed = 7};
    w.orbits = (il_orbits){0};
    CU_ASSERT_EQUAL_FATAL(il_orbits_find(&w.orbits, w.made.problem, w.made.params, &search, NULL),
                          IL_OK);
    return w;
}

void il_half_line_free(il_half_line *example) {
    il_orbits_free(&example->orbits);
    il_test_problem_free(&example->made);
}
