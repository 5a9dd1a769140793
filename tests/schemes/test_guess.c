/*
 * test_guess.c - projectors that start from multipliers get the same answer from any, however
 * wrong.
 *
 * N bodies in a row on a line just fit between two walls,
 *
 *     x_1 >= 0,   x_{k+1} - x_k >= 0,   -x_N >= 0,
 *
 * so that x = 0 whatever the target, and all rows may push by the same amount more: that moves
 * nothing, and drowns the gaps in rounding once it is large.
 */
#include <math.h>
#include <stdlib.h>

#include "schemes/projection/projector.h"
#include "tests/support/suite.h"

enum { N = 90, P = N + 1 };

/* No gap is below -IL_PROJECTOR_TOLERANCE, and the gaps add up to 0: |x_k| is at most N of them.
 * And a rounding of the sum of as many. */
static const double STILL = 1.01 * N * IL_PROJECTOR_TOLERANCE;

typedef struct {
    il_metric *metric;
    il_rows rows;
    double target[N], a[P], x[N], lambda[P];
    il_qp qp;
} row_of_bodies;

static void row_init(row_of_bodies *w) {
    double mass[N];
    *w = (row_of_bodies){.metric = NULL};
    il_rows_init(&w->rows);
    for (size_t i = 0; i < P; i++) {
        size_t col[2] = {i - 1, i};
        double coef[2] = {-1.0, 1.0};
        size_t first = i == 0 ? 1 : 0;
        size_t n = i == 0 || i == N ? 1 : 2;
        CU_ASSERT_EQUAL_FATAL(il_rows_append(&w->rows, i, 0.0, 0.0, n, col + first, coef + first),
                              IL_OK);
    }
    for (size_t k = 0; k < N; k++) {
        mass[k] = 1.0 + (double)(k % 3);
        w->target[k] = sin(7.0 * (double)k);
    }
    CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&w->metric, N, mass, NULL), IL_OK);
    w->qp = (il_qp){
        .d = N, .mass = w->metric, .target = w->target, .rows = &w->rows, .a = w->a, .scale = 1.0};
}

static void row_free(row_of_bodies *w) {
    il_rows_free(&w->rows);
    il_metric_destroy(w->metric);
}

/* From the multipliers at hand. */
static il_status solve(row_of_bodies *w, const char *name, size_t limit, il_projection_info *info) {
    const il_projector_type *type = NULL;
    il_projector_options options = {.max_iterations = limit};
    void *self = NULL;
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find(name, &type, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(type->create(&self, &options, NULL), IL_OK);
    il_status status = type->solve(self, &w->qp, w->x, w->lambda, info);
    type->destroy(self);
    return status;
}

static double farthest(const double *x, size_t n) {
    double most = 0.0;
    for (size_t k = 0; k < n; k++) {
        double size = fabs(x[k]);
        most = size <= most ? most : size; /* NaN stays */
    }
    return most;
}

/* What a guess may be made of, with a size. */
static double same(size_t i, double size) {
    (void)i;
    return size;
}

static double uneven(size_t i, double size) {
    return size * (1.0 + sin(3.0 * (double)i));
}

static double single(size_t i, double size) {
    return i == P / 2 ? size : 0.0;
}

static double spoilt(size_t i, double size) {
    return i % 3 == 0 ? NAN : i % 3 == 1 ? -size : INFINITY;
}

static void wrong_guesses_lead_to_the_same_answer(void) {
    static double (*const kinds[])(size_t, double) = {same, uneven, single, spoilt};
    static const double sizes[] = {1e-12, 1.0, 1e4, 1e10, 1e50, 1e160, 1e300};
    static const char *const names[] = {"newton", "apgd"};
    row_of_bodies w;
    row_init(&w);
    for (size_t n = 0; n < 2; n++) {
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
            for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
                il_projection_info info;
                for (size_t i = 0; i < P; i++) {
                    w.lambda[i] = kinds[k](i, sizes[s]);
                }
                CU_ASSERT_EQUAL(solve(&w, names[n], 0, &info), IL_OK);
                CU_ASSERT(farthest(w.x, N) <= STILL);
                for (size_t i = 0; i < P; i++) {
                    CU_ASSERT(w.lambda[i] >= 0.0 && w.lambda[i] < INFINITY);
                }
            }
        }
    }
    row_free(&w);
}

/* A good guess may take some factorisations, but never more than the user allows. */
static void a_limit_holds_for_good_guesses_too(void) {
    row_of_bodies w;
    il_projection_info info;
    double answer[P];
    row_init(&w);
    CU_ASSERT_EQUAL(solve(&w, "newton", 0, &info), IL_OK);
    for (size_t i = 0; i < P; i++) {
        answer[i] = w.lambda[i];
    }
    bool tried = false;
    for (size_t i = 0; i < P; i++) {
        for (size_t k = 0; k < P; k++) {
            w.lambda[k] = answer[k] * (k == i ? 1.0 + 1e-7 : 1.0);
        }
        il_status status = solve(&w, "newton", 1, &info);
        CU_ASSERT(status == IL_OK || status == IL_ESTALLED);
        CU_ASSERT(info.iterations <= 1);
        tried = tried || info.iterations == 1;
    }
    CU_ASSERT(tried);
    row_free(&w);
}

static const il_test tests[] = {
    {"wrong guesses lead to the same answer", wrong_guesses_lead_to_the_same_answer},
    {"a limit holds for good guesses, too", a_limit_holds_for_good_guesses_too},
    {NULL, NULL}};

const il_suite il_suite_guess = {"guess", tests};
