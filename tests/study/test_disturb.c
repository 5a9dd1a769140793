/*
 * test_disturb.c - a problem with moved data is the same problem but for what disturb.h says:
 * admissible starts, forces by factors, rows in another order.
 */
#include <float.h>
#include <math.h>

#include "harness/run/registry.h"
#include "harness/study/ensemble/disturb.h"
#include "harness/study/ensemble/ensemble.h"
#include "tests/support/suite.h"

static void a_start_on_its_constraints_stays_admissible(void) {
    const double sizes[] = {IL_ENSEMBLE_SMALLEST, 1e-12, 1e-9, 1e-6};
    for (size_t i = 0; i < 4; i++) {
        for (uint64_t seed = 1; seed <= 5; seed++) {
            const il_problem_type *of = NULL;
            il_problem *problem = NULL;
            il_params *params = NULL;
            CU_ASSERT_EQUAL_FATAL(il_problem_type_find("crystal", &of, NULL), IL_OK);
            CU_ASSERT_EQUAL_FATAL(il_params_create(&params, of->params, NULL), IL_OK);
            il_disturbed w = {.size = sizes[i],
                              .seed = seed,
                              .q_size = 1.0,
                              .u_size = 1.0,
                              .reorder = seed % 2 == 0};
            il_disturb(&w, of);
            CU_ASSERT_EQUAL(il_problem_create(&problem, &w.type, params, 0.0, NULL), IL_OK);
            if (problem != NULL) {
                double moved = 0.0;
                for (size_t k = 0; k < problem->d; k++) {
                    moved = fmax(moved, fabs(problem->q0[k] - w.q0[k]));
                }
                CU_ASSERT(moved > 0.0 && moved <= 100.0 * sizes[i]); /* pulled along a row */
            }
            il_problem_destroy(problem);
            il_params_destroy(params);
        }
    }
}

/* Is x between 1 + E/2 and 1 + E, or as far below 1? */
static bool is_moved_one(double x, double E) {
    return fabs(x - 1.0) >= 0.5 * E - 4.0 * DBL_EPSILON && fabs(x - 1.0) <= E + 4.0 * DBL_EPSILON;
}

/* The whole force by a factor for each coordinate, the mean of a step by one more for each step and
 * coordinate, and nothing behind the last. */
static void forces_move_coordinate_by_coordinate(void) {
    enum { N = 3 };
    static const double E = 1e-3;
    const il_problem_type *of = NULL;
    il_problem *problem = NULL;
    il_params *params = NULL;
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find("pendulum", &of, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_create(&params, of->params, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_set_text(params, "N", "3", NULL), IL_OK);
    il_disturbed w = {.size = E, .seed = 3};
    il_disturb(&w, of);
    CU_ASSERT_EQUAL_FATAL(il_problem_create(&problem, &w.type, params, 0.0, NULL), IL_OK);
    const double q[N] = {0.5, -0.25, 0.75};
    double own[N];
    double f[N + 1];
    double factor[N];
    double step[2][N];
    f[N] = 7.0;
    of->force(problem, 0.25, q, own);
    w.type.force(problem, 0.25, q, f);
    for (size_t k = 0; k < N; k++) {
        factor[k] = f[k] / own[k];
        CU_ASSERT(is_moved_one(factor[k], E));
        CU_ASSERT(k == 0 || factor[k] != factor[k - 1]);
    }
    for (size_t n = 0; n < 2; n++) {
        double t = 0.25 * (double)n;
        of->force_mean(problem, t, t + 0.25, q, own);
        w.type.force_mean(problem, t, t + 0.25, q, f);
        for (size_t k = 0; k < N; k++) {
            step[n][k] = f[k] / own[k] / factor[k];
            CU_ASSERT(is_moved_one(step[n][k], E));
            CU_ASSERT(k == 0 || step[n][k] != step[n][k - 1]);
            CU_ASSERT(n == 0 || step[n][k] != step[0][k]);
        }
    }
    CU_ASSERT_EQUAL(f[N], 7.0);
    il_problem_destroy(problem);
    il_params_destroy(params);
}

static void reordered_rows_are_the_same_rows(void) {
    const il_problem_type *of = NULL;
    il_problem *problem = NULL;
    il_params *params = NULL;
    il_rows mine;
    il_rows theirs;
    il_rows_init(&mine);
    il_rows_init(&theirs);
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find("crystal", &of, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_create(&params, of->params, NULL), IL_OK);
    il_disturbed w = {.size = 1e-15, .seed = 5, .reorder = true};
    il_disturb(&w, of);
    CU_ASSERT_EQUAL_FATAL(il_problem_create(&problem, &w.type, params, 0.0, NULL), IL_OK);
    const double *q = problem->q0;
    CU_ASSERT_EQUAL(il_problem_scan(problem, 0.0, q, q, 0.1, &mine), IL_OK);
    size_t displaced = 0;
    for (size_t i = 0; i < mine.p; i++) {
        il_rows_clear(&theirs);
        CU_ASSERT_EQUAL(of->row(problem, 0.0, q, mine.id[i], &theirs), IL_OK);
        CU_ASSERT(theirs.value[0] == mine.value[i]);
        CU_ASSERT(il_rows_dot(&theirs, 0, q) == il_rows_dot(&mine, i, q));
        displaced += i > 0 && mine.id[i] < mine.id[i - 1];
    }
    CU_ASSERT(mine.p > 3 && displaced > 0);
    il_rows_free(&mine);
    il_rows_free(&theirs);
    il_problem_destroy(problem);
    il_params_destroy(params);
}

static void a_start_of_zero_moves_with_what_it_becomes(void) {
    CU_ASSERT(il_disturb_size(0.0, 3.0) == 3.0);
    CU_ASSERT(il_disturb_size(1e-300, 3.0) == 3.0); /* its own last place would round away */
    CU_ASSERT(il_disturb_size(0.5, 3.0) == 0.5);
}

static const il_test tests[] = {
    {"a start on its constraints stays admissible", a_start_on_its_constraints_stays_admissible},
    {"forces move coordinate by coordinate", forces_move_coordinate_by_coordinate},
    {"reordered rows are the same rows", reordered_rows_are_the_same_rows},
    {"a start of zero moves with what it becomes", a_start_of_zero_moves_with_what_it_becomes},
    {NULL, NULL}};

const il_suite il_suite_disturb = {"disturb", tests};
