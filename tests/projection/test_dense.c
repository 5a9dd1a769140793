/*
 * test_dense.c - the kernels of dense fronts, judged by what they must leave; and the portable ones
 * against the processor's, to the bit.
 */
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "schemes/projection/sparse/dense.h"
#include "tests/support/suite.h"

static const double EPS = 2.220446049250313e-16;

/* Off-diagonal numbers below 1 and 2 f on the diagonal: |L_ik| |L_jk| sums to at most 2 f, and to 2
 * off the diagonal, in f products, each rounded. Residuals, so no condition. Rounded up by two for
 * the test's own sums. */
static double of_factor(int f) {
    return 2.0 * EPS * (double)f * 2.0 * (double)f;
}

/* Rows of L sum to less than 2 sqrt(f), right-hand sides and answers are below 1. */
static double of_solve(int f) {
    return 2.0 * EPS * (double)f * 2.0 * sqrt((double)f);
}

/* All small fronts, with every remainder modulo four and eight, and those around one to four blocks
 * of 64 columns. */
static const int sizes[] = {1,  2,  3,  4,  5,   6,   7,   8,   9,   10,  11,  12,  13,
                            16, 17, 23, 30, 31,  32,  33,  60,  61,  63,  64,  65,  66,
                            67, 68, 69, 96, 127, 128, 129, 130, 131, 133, 191, 193, 257};

enum { SIZES = sizeof sizes / sizeof sizes[0], PIVOTS = 9 };

/* How many of f are eliminated, 0 for none such: few, all, and some in between. */
static int pivots(int f, int k) {
    int some[PIVOTS] = {1, 2, 3, 6, f / 3, f / 2 + 1, f - 3, f - 1, f};
    return some[k] > 0 && some[k] <= f ? some[k] : 0;
}

/* A front and what becomes of it. */
typedef struct {
    int f, w;
    size_t ld, rest, shift;
    double *a; /* f x f, the lower triangle by columns */
    double *panel, *update, *scratch;
} dense_front;

/* Numbers above the diagonal, and in rows of the update that mean nothing, must not matter. */
static void load_front(dense_front *d, double nothing) {
    for (size_t k = 0; k < d->rest * d->rest; k++) {
        d->update[k] = nothing;
    }
    memset(d->panel, 0, d->ld * ((size_t)d->w + 3) * sizeof *d->panel);
    for (size_t j = 0; j < (size_t)d->f; j++) {
        for (size_t i = j; i < (size_t)d->f; i++) {
            double x = d->a[j * (size_t)d->f + i];
            if (j < (size_t)d->w) {
                d->panel[j * d->ld + i] = x;
            } else {
                d->update[(j - d->shift) * d->rest + i - d->shift] = x;
            }
        }
    }
}

static void make_front(dense_front *d, gsl_rng *rng, int f, int w) {
    size_t n = (size_t)f;
    *d = (dense_front){.f = f,
                       .w = w,
                       .ld = il_dense_rows(f),
                       .rest = il_dense_update_rows(f, w),
                       .shift = (size_t)w / 4 * 4};
    d->a = calloc(n * n, sizeof *d->a);
    d->panel = calloc(d->ld * ((size_t)w + 3), sizeof *d->panel);
    d->update = calloc(d->rest * d->rest + 1, sizeof *d->update);
    d->scratch = calloc(il_dense_scratch(f), sizeof *d->scratch);
    CU_ASSERT_FATAL(d->a != NULL && d->panel != NULL && d->update != NULL && d->scratch != NULL);
    for (size_t j = 0; j < n; j++) {
        d->a[j * n + j] = 2.0 * (double)f;
        for (size_t i = j + 1; i < n; i++) {
            d->a[j * n + i] = 2.0 * gsl_rng_uniform(rng) - 1.0;
        }
    }
}

static void free_front(dense_front *d) {
    free(d->a);
    free(d->panel);
    free(d->update);
    free(d->scratch);
}

static bool eliminate_by(const il_dense *kernels, il_team *team, dense_front *d) {
    return il_dense_eliminate(kernels, team, d->panel, d->ld, (size_t)d->w,
                              d->rest > 0 ? d->update : NULL, d->scratch);
}

static bool eliminate(const il_dense *kernels, dense_front *d) {
    return kernels->eliminate(d->panel, d->ld, (size_t)d->w, d->rest > 0 ? d->update : NULL,
                              d->scratch);
}

/* L_ij, j < w. */
static double factor_at(const dense_front *d, size_t i, size_t j) {
    double x = d->panel[j * d->ld + i];
    return i == j ? 1.0 / x : x;
}

static double larger(double worst, double x) {
    return fabs(x) <= worst ? worst : fabs(x); /* NaN is the largest */
}

/* The largest number of A - L L' - U. */
static double factor_residual(const dense_front *d) {
    double worst = 0.0;
    size_t f = (size_t)d->f;
    size_t w = (size_t)d->w;
    for (size_t j = 0; j < f; j++) {
        for (size_t i = j; i < f; i++) {
            double sum = d->a[j * f + i];
            for (size_t k = 0; k < w && k <= j; k++) {
                sum -= factor_at(d, i, k) * factor_at(d, j, k);
            }
            sum -= j >= w ? d->update[(j - d->shift) * d->rest + i - d->shift] : 0.0;
            worst = larger(worst, sum);
        }
    }
    return worst;
}

/* The largest residual of L [y; z] = [b; 0], z with an identity, and of L11' x = y - L21' z. */
static double solve_residual(const il_dense *kernels, const dense_front *d) {
    double worst = 0.0;
    size_t f = (size_t)d->f;
    size_t w = (size_t)d->w;
    double *y = calloc(2 * d->ld, sizeof *y);
    CU_ASSERT_PTR_NOT_NULL_FATAL(y);
    double *x = y + d->ld;
    for (size_t i = 0; i < w; i++) {
        y[i] = cos((double)i);
    }
    kernels->forward(d->panel, d->ld, w, y);
    for (size_t i = 0; i < f; i++) {
        double sum = i < w ? cos((double)i) : -y[i];
        for (size_t k = 0; k < w && k <= i; k++) {
            sum -= factor_at(d, i, k) * y[k];
        }
        worst = larger(worst, sum);
    }
    memset(y + f, 0, (d->ld - f) * sizeof *y);
    memcpy(x, y, d->ld * sizeof *y);
    kernels->backward(d->panel, d->ld, w, x);
    for (size_t k = 0; k < w; k++) {
        double sum = y[k];
        for (size_t i = k; i < f; i++) {
            sum -= factor_at(d, i, k) * x[i];
        }
        worst = larger(worst, sum);
    }
    free(y);
    return worst;
}

/* Calls what(front) for fronts of all sizes. */
static void on_all_fronts(void (*what)(dense_front *d, gsl_rng *rng)) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t s = 0; s < SIZES; s++) {
        for (int k = 0; k < PIVOTS; k++) {
            int w = pivots(sizes[s], k);
            if (w > 0) {
                dense_front d;
                make_front(&d, rng, sizes[s], w);
                what(&d, rng);
                free_front(&d);
            }
        }
    }
    gsl_rng_free(rng);
}

static void factors_and_solves(dense_front *d, gsl_rng *rng) {
    (void)rng;
    load_front(d, 1e3);
    CU_ASSERT(eliminate(il_dense_portable(), d));
    CU_ASSERT(factor_residual(d) <= of_factor(d->f));
    CU_ASSERT(solve_residual(il_dense_portable(), d) <= of_solve(d->f));
}

static void a_dense_front_is_its_factor_and_its_update(void) {
    on_all_fronts(factors_and_solves);
}

/* All that a factor means: [f][f] with the update in its columns, then a forward and a backward
 * solve of ones. By a team where there is one. */
static void answers(const il_dense *kernels, il_team *team, dense_front *d, double nothing,
                    double *to) {
    size_t f = (size_t)d->f;
    double *y = to + f * f;
    load_front(d, nothing);
    CU_ASSERT(team != NULL ? eliminate_by(kernels, team, d) : eliminate(kernels, d));
    for (size_t j = 0; j < f; j++) {
        for (size_t i = j; i < f; i++) {
            to[j * f + i] = j < (size_t)d->w ? d->panel[j * d->ld + i]
                                             : d->update[(j - d->shift) * d->rest + i - d->shift];
        }
    }
    for (size_t i = 0; i < 2 * d->ld; i++) {
        y[i] = i < (size_t)d->w ? 1.0 : 0.0;
    }
    kernels->forward(d->panel, d->ld, (size_t)d->w, y);
    memcpy(y + d->ld, y, f * sizeof *y);
    kernels->backward(d->panel, d->ld, (size_t)d->w, y + d->ld);
}

static void the_same_bits(dense_front *d, gsl_rng *rng) {
    (void)rng;
    size_t n = (size_t)d->f * (size_t)d->f + 2 * d->ld;
    double *one = calloc(n, sizeof *one);
    double *other = calloc(n, sizeof *other);
    CU_ASSERT_FATAL(one != NULL && other != NULL);
    answers(il_dense_portable(), NULL, d, 0.0, one);
    answers(il_dense_fastest(), NULL, d, NAN, other);
    CU_ASSERT(memcmp(one, other, n * sizeof *one) == 0);
    for (size_t size = 2; size <= 4; size += 2) {
        il_team *team = NULL;
        CU_ASSERT_EQUAL_FATAL(il_team_create(&team, size, NULL), IL_OK);
        answers(il_dense_portable(), team, d, NAN, other);
        CU_ASSERT(memcmp(one, other, n * sizeof *one) == 0);
        answers(il_dense_fastest(), team, d, 0.0, other);
        CU_ASSERT(memcmp(one, other, n * sizeof *one) == 0);
        il_team_destroy(team);
    }
    free(one);
    free(other);
}

/* Whoever makes them. NaN where numbers mean nothing does not get out, either. */
static void kernels_agree_to_the_bit(void) {
    on_all_fronts(the_same_bits);
}

/* Any pivot that is not positive, a NaN, too; those behind the eliminated ones are not looked at.
 */
static void a_bad_pivot_is_told(dense_front *d, gsl_rng *rng) {
    static const double bad[] = {-1.0, 0.0, NAN};
    const il_dense *kernels[] = {il_dense_portable(), il_dense_fastest()};
    size_t f = (size_t)d->f;
    for (size_t k = 0; k < 6; k++) {
        size_t at = gsl_rng_uniform_int(rng, (unsigned long)d->f);
        for (size_t j = 0; j < at; j++) {
            d->a[j * f + at] = 0.0; /* nothing is subtracted from it */
        }
        double good = d->a[at * (f + 1)];
        d->a[at * (f + 1)] = bad[k / 2];
        load_front(d, 0.0);
        CU_ASSERT_EQUAL(eliminate(kernels[k % 2], d), at >= (size_t)d->w);
        load_front(d, 0.0);
        CU_ASSERT_EQUAL(eliminate_by(kernels[k % 2], NULL, d), at >= (size_t)d->w);
        d->a[at * (f + 1)] = good;
    }
}

static void pivots_that_are_not_positive_are_told(void) {
    on_all_fronts(a_bad_pivot_is_told);
}

static const il_test tests[] = {
    {"a dense front is its factor and its update", a_dense_front_is_its_factor_and_its_update},
    {"kernels and teams agree to the bit", kernels_agree_to_the_bit},
    {"pivots that are not positive are told", pivots_that_are_not_positive_are_told},
    {NULL, NULL}};

const il_suite il_suite_dense = {"dense", tests};
