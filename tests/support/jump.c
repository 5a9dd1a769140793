/*
 * jump.c - see jump.h.
 */
#include "tests/support/jump.h"

#include "tests/support/suite.h"

il_graph il_jump_graph(size_t n, double at) {
    il_trajectory t = {0};
    il_graph g = {0};
    double q = 0.0;
    CU_ASSERT_EQUAL_FATAL(il_trajectory_init(&t, 1, n + 1, NULL), IL_OK);
    for (size_t k = 0; k <= n; k++) {
        double u = (double)k <= at * (double)n + 0.5 ? 1.0 : 0.0;
        CU_ASSERT_EQUAL(il_trajectory_add(&t, (double)k / (double)n, &q, &u), IL_OK);
    }
    CU_ASSERT_EQUAL_FATAL(il_graph_of_run(&g, &t, NULL), IL_OK);
    il_trajectory_free(&t);
    return g;
}
