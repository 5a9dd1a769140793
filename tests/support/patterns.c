/*
 * patterns.c - rows of which coordinates touch which.
 */
#include "tests/support/patterns.h"

#include "tests/support/suite.h"

void il_pattern_near(il_rows *rows, gsl_rng *rng, size_t d, size_t reach) {
    il_rows_clear(rows);
    for (size_t i = 0; i < 2 * d; i++) {
        size_t n = 0;
        size_t col[3];
        double coef[3];
        size_t k = i / 2;
        for (size_t e = 0; e < 3 && k < d; e++, k += 1 + gsl_rng_uniform_int(rng, reach)) {
            if (k % 7 != 3) {
                col[n] = k;
                coef[n++] = 2.0 * gsl_rng_uniform(rng) - 1.0;
            }
        }
        CU_ASSERT_EQUAL_FATAL(il_rows_append(rows, i, 0.0, 0.0, n, col, coef), IL_OK);
    }
}

void il_pattern_lattice(il_rows *rows, gsl_rng *rng, size_t side, double left_out) {
    static const double one[4] = {-1.0, -1.0, 1.0, 1.0};
    il_rows_clear(rows);
    size_t x = 0; /* i = side y + x */
    size_t y = 0;
    for (size_t i = 0; i < side * side; i++) {
        size_t next[3] = {i + 1, i + side, i + side + 1};
        bool there[3] = {x + 1 < side, y + 1 < side, x + 1 < side && y + 1 < side};
        for (int n = 0; n < 3; n++) {
            size_t j = next[n];
            size_t col[4] = {2 * i, 2 * i + 1, 2 * j, 2 * j + 1};
            if (there[n] && gsl_rng_uniform(rng) >= left_out) {
                CU_ASSERT_EQUAL_FATAL(il_rows_append(rows, rows->p, 0.0, 0.0, 4, col, one), IL_OK);
            }
        }
        x = x + 1 < side ? x + 1 : 0;
        y += x == 0;
    }
}
