/*
 * test_base.c - the ground that everything stands on: statuses, text, parameters, rows, the mass
 * matrix, compensated sums. Expected values are closed forms or come from another algorithm.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/metric.h"
#include "harness/base/params.h"
#include "harness/base/rows.h"
#include "harness/base/status.h"
#include "harness/base/sum.h"
#include "harness/base/text.h"
#include "tests/support/suite.h"

/* ---- status --------------------------------------------------------------------------------- */

static void statuses_have_names(void) {
    for (int a = 0; a < IL_STATUS_COUNT; a++) {
        CU_ASSERT(strlen(il_status_name((il_status)a)) > 0);
        CU_ASSERT(strlen(il_status_text((il_status)a)) > 0);
        for (int b = 0; b < a; b++) {
            CU_ASSERT(strcmp(il_status_name((il_status)a), il_status_name((il_status)b)) != 0);
        }
    }
    CU_ASSERT_STRING_EQUAL(il_status_name(IL_OK), "ok");
    CU_ASSERT_STRING_EQUAL(il_status_name(IL_STATUS_COUNT), "unknown_status");
    CU_ASSERT_STRING_EQUAL(il_status_text(IL_STATUS_COUNT), "an unknown status");
}

static void failing_fills_the_error(void) {
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL(il_fail(&err, IL_EINVAL, "h is %g; allowed: > 0", -1.5), IL_EINVAL);
    CU_ASSERT_EQUAL(err.code, IL_EINVAL);
    CU_ASSERT_STRING_EQUAL(err.message, "h is -1.5; allowed: > 0");
    CU_ASSERT_EQUAL(il_fail(NULL, IL_EIO, "nobody listens"), IL_EIO);
    char wide[2 * IL_MESSAGE_MAX];
    memset(wide, 'x', sizeof wide - 1);
    wide[sizeof wide - 1] = '\0';
    (void)il_fail(&err, IL_EIO, "%s", wide);
    CU_ASSERT_EQUAL(strlen(err.message), IL_MESSAGE_MAX - 1);
}

/* ---- text ----------------------------------------------------------------------------------- */

static void numbers_are_read_whole(void) {
    static const struct {
        const char *text;
        double value;
    } good[] = {{"1", 1.0},      {"-0.25", -0.25},    {"+3", 3.0},   {"1e-3", 0.001},
                {".5", 0.5},     {"0x1p-3", 0.125},   {"1/4", 0.25}, {"-3/2", -1.5},
                {"1e1/4", 2.5},  {"5e-324", 5e-324},  {"7.", 7.0},   {"inf", INFINITY},
                {"3/-4", -0.75}, {"1e400", INFINITY}, {"00.5", 0.5}};
    for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
        double value = NAN;
        CU_ASSERT(il_text_number(good[k].text, &value));
        CU_ASSERT(value == good[k].value);
    }
    double value = 0.0;
    CU_ASSERT(il_text_number("nan", &value) && isnan(value));
}

static void what_is_no_number_is_refused(void) {
    static const char *const bad[] = {"",      " ",    "1 ",  " 1",   "1x",  "x",
                                      "1/",    "/2",   "1/0", "--",   "1,2", "1e",
                                      "1/2/3", "1//2", "0x",  "1 /2", "1/ 2"};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        double value = 0.0;
        CU_ASSERT_FALSE(il_text_number(bad[k], &value));
    }
    char wide[200]; /* more digits than anybody types: refused, not cut */
    memset(wide, '1', sizeof wide - 1);
    wide[sizeof wide - 1] = '\0';
    double value = 0.0;
    CU_ASSERT_FALSE(il_text_number(wide, &value));
}

static void counts_are_whole(void) {
    static const struct {
        const char *text;
        size_t value;
    } good[] = {{"0", 0},         {"1048576", 1048576},
                {"1e6", 1000000}, {"1024.0", 1024},
                {"-0", 0},        {"9007199254740992", (size_t)1 << 53},
                {"8/2", 4},       {"0x10", 16}};
    for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
        size_t value = 7;
        CU_ASSERT(il_text_count(good[k].text, &value));
        CU_ASSERT_EQUAL(value, good[k].value);
    }
    static const char *const bad[] = {"-1",   "2.5", "nan",  "inf", "",
                                      "1e17", "x",   "1e-3", "7/2", "9007199254740994"};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        size_t value = 7;
        CU_ASSERT_FALSE(il_text_count(bad[k], &value));
        CU_ASSERT_EQUAL(value, 7);
    }
}

static void nearest_names_are_near(void) {
    static const char *const names[] = {"maury", "paoli", "venel", "moreau_jean"};
    static const struct {
        const char *word, *name;
    } cases[] = {{"mauri", "maury"},
                 {"aury", "maury"},
                 {"maurry", "maury"},
                 {"venel", "venel"},
                 {"paolli", "paoli"},
                 {"moreaujean", "moreau_jean"},
                 {"morau_jea", "moreau_jean"},
                 {"zzzzz", NULL},
                 {"", NULL},
                 {"xyz", NULL}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const char *near = il_text_nearest(cases[k].word, names, 4);
        if (cases[k].name == NULL) {
            CU_ASSERT_PTR_NULL(near);
        } else {
            CU_ASSERT_PTR_NOT_NULL_FATAL(near);
            CU_ASSERT_STRING_EQUAL(near, cases[k].name);
        }
    }
    CU_ASSERT_PTR_NULL(il_text_nearest("maury", names, 0));
    char wide[300];
    memset(wide, 'm', sizeof wide - 1);
    wide[sizeof wide - 1] = '\0';
    CU_ASSERT_PTR_NULL(il_text_nearest(wide, names, 4));
}

static void appended_text_stays_inside(void) {
    char out[8] = "";
    il_text_append(out, sizeof out, "%d-", 12);
    il_text_append(out, sizeof out, "%s", "abc");
    CU_ASSERT_STRING_EQUAL(out, "12-abc");
    il_text_append(out, sizeof out, "%s", "defghi");
    CU_ASSERT_STRING_EQUAL(out, "12-abcd");
    il_text_append(out, sizeof out, "more");
    CU_ASSERT_STRING_EQUAL(out, "12-abcd");
}

/* ---- parameters ----------------------------------------------------------------------------- */

static const il_param_spec specs[] = {
    {"alpha", IL_PARAM_NUMBER, "1.8", 0.0, INFINITY, true, NULL, "force", "open at 0"},
    {"e", IL_PARAM_NUMBER, "0", 0.0, 1.0, false, NULL, "1", "closed interval"},
    {"N", IL_PARAM_INTEGER, "3", 1.0, 100.0, false, NULL, "1", "an integer"},
    {"scenario", IL_PARAM_CHOICE, "slide", 0.0, 0.0, false, "slide,corner,graze", "1", "a choice"},
    {"masses", IL_PARAM_VECTOR, "1", 0.0, INFINITY, true, "1 or N", "mass", "a vector"},
    {"u0", IL_PARAM_VECTOR, NULL, -INFINITY, INFINITY, false, "N", "speed", "derived"},
    {.key = NULL}};

static il_params *new_params(void) {
    il_params *params = NULL;
    CU_ASSERT_EQUAL_FATAL(il_params_create(&params, specs, NULL), IL_OK);
    return params;
}

static void parameters_start_at_their_defaults(void) {
    il_params *params = new_params();
    size_t n = 7;
    CU_ASSERT(il_params_number(params, "alpha") == 1.8);
    CU_ASSERT(il_params_number(params, "e") == 0.0);
    CU_ASSERT_EQUAL(il_params_integer(params, "N"), 3);
    CU_ASSERT_STRING_EQUAL(il_params_choice(params, "scenario"), "slide");
    CU_ASSERT(il_params_vector(params, "masses", &n)[0] == 1.0 && n == 1);
    (void)il_params_vector(params, "u0", &n);
    CU_ASSERT_EQUAL(n, 0);
    CU_ASSERT(il_params_has(params, "alpha") && !il_params_has(params, "u0"));
    CU_ASSERT_FALSE(il_params_given(params, "alpha"));
    il_params_destroy(params);
    il_params_destroy(NULL);
}

static void parameters_take_what_is_allowed(void) {
    il_params *params = new_params();
    size_t n = 0;
    CU_ASSERT_EQUAL(il_params_set_text(params, "alpha", "9/5", NULL), IL_OK);
    CU_ASSERT_EQUAL(il_params_set_text(params, "e", "1", NULL), IL_OK);
    CU_ASSERT_EQUAL(il_params_set_text(params, "N", "1e2", NULL), IL_OK);
    CU_ASSERT_EQUAL(il_params_set_text(params, "scenario", "graze", NULL), IL_OK);
    CU_ASSERT_EQUAL(il_params_set_text(params, "u0", "0.5,-1e-3,2", NULL), IL_OK);
    CU_ASSERT_EQUAL(il_params_set_numbers(params, "masses", (double[]){2.0, 3.0}, 2, NULL), IL_OK);
    CU_ASSERT(il_params_number(params, "alpha") == 1.8);
    CU_ASSERT(il_params_number(params, "e") == 1.0);
    CU_ASSERT_EQUAL(il_params_integer(params, "N"), 100);
    CU_ASSERT_STRING_EQUAL(il_params_choice(params, "scenario"), "graze");
    const double *u0 = il_params_vector(params, "u0", &n);
    CU_ASSERT_EQUAL_FATAL(n, 3);
    CU_ASSERT(u0[0] == 0.5 && u0[1] == -1e-3 && u0[2] == 2.0);
    const double *masses = il_params_vector(params, "masses", &n);
    CU_ASSERT_EQUAL_FATAL(n, 2);
    CU_ASSERT(masses[0] == 2.0 && masses[1] == 3.0);
    CU_ASSERT(il_params_given(params, "alpha") && il_params_given(params, "masses"));
    il_params_destroy(params);
}

/* What is refused, and the words that the message must hold: the key, the value, the range. */
static const struct {
    const char *key, *text, *words[3];
} refused[] = {{"alpa", "1", {"'alpa'", "'alpha'", "masses"}},
               {"qqqqqqqqqq", "1", {"'qqqqqqqqqq'", "known", "scenario"}},
               {"alpha", "0", {"'alpha'", "is 0", "> 0"}},
               {"alpha", "nan", {"'alpha'", "nan", "> 0"}},
               {"alpha", "inf", {"'alpha'", "inf", "> 0"}},
               {"alpha", "", {"'alpha'", "''", "> 0"}},
               {"alpha", "1,2", {"'alpha'", "2 values", "a number"}},
               {"e", "1.5", {"'e'", "1.5", "[0, 1]"}},
               {"e", "-0.1", {"'e'", "-0.1", "[0, 1]"}},
               {"N", "2.5", {"'N'", "2.5", "an integer in [1, 100]"}},
               {"N", "0", {"'N'", "is 0", "[1, 100]"}},
               {"N", "three", {"'N'", "'three'", "an integer"}},
               {"scenario", "slid", {"'scenario'", "'slid'", "graze"}},
               {"scenario", "", {"'scenario'", "''", "slide"}},
               {"scenario", "slide,corner", {"'scenario'", "'slide,corner'", "graze"}},
               {"masses", "1,-1", {"'masses'", "2 is -1", "> 0"}},
               {"u0", "1,nan", {"'u0'", "2 is nan", "N numbers"}},
               {"u0", "1,,2", {"'u0'", "''", "N numbers"}},
               {"u0", "1,2,", {"'u0'", "''", "N numbers"}}};

static void refused_parameters_are_named_and_unchanged(void) {
    il_params *params = new_params();
    for (size_t k = 0; k < sizeof refused / sizeof refused[0]; k++) {
        il_error err = {IL_OK, ""};
        CU_ASSERT_EQUAL(il_params_set_text(params, refused[k].key, refused[k].text, &err),
                        IL_EINVAL);
        for (size_t j = 0; j < 3; j++) {
            CU_ASSERT_PTR_NOT_NULL(strstr(err.message, refused[k].words[j]));
        }
    }
    CU_ASSERT_EQUAL(il_params_set_numbers(params, "scenario", (double[]){1.0}, 1, NULL), IL_EINVAL);
    CU_ASSERT_EQUAL(il_params_set_numbers(params, "u0", NULL, 0, NULL), IL_EINVAL);
    CU_ASSERT(il_params_number(params, "alpha") == 1.8);
    CU_ASSERT(il_params_number(params, "e") == 0.0);
    CU_ASSERT_EQUAL(il_params_integer(params, "N"), 3);
    CU_ASSERT_STRING_EQUAL(il_params_choice(params, "scenario"), "slide");
    for (size_t k = 0; specs[k].key != NULL; k++) {
        CU_ASSERT_FALSE(il_params_given(params, specs[k].key));
    }
    il_params_destroy(params);
}

static void vectors_are_spread_or_refused(void) {
    il_params *params = new_params();
    double x[3] = {0.0, 0.0, 0.0};
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL(il_params_expand(params, "masses", true, x, 3, &err), IL_OK);
    CU_ASSERT(x[0] == 1.0 && x[1] == 1.0 && x[2] == 1.0);
    CU_ASSERT_EQUAL(il_params_expand(params, "masses", false, x, 3, &err), IL_EINVAL);
    CU_ASSERT_STRING_EQUAL(err.message, "parameter 'masses' has 1 values; allowed: 3");
    CU_ASSERT_EQUAL(il_params_set_text(params, "masses", "4,5", NULL), IL_OK);
    CU_ASSERT_EQUAL(il_params_expand(params, "masses", true, x, 3, &err), IL_EINVAL);
    CU_ASSERT_STRING_EQUAL(err.message, "parameter 'masses' has 2 values; allowed: 1 or 3");
    CU_ASSERT_EQUAL(il_params_expand(params, "masses", false, x, 2, &err), IL_OK);
    CU_ASSERT(x[0] == 4.0 && x[1] == 5.0);
    il_params_destroy(params);
}

static void derived_values_are_kept_but_not_given(void) {
    il_params *params = new_params();
    size_t n = 0;
    CU_ASSERT_EQUAL(il_params_derive(params, "u0", (double[]){1.0, 2.0}, 2), IL_OK);
    CU_ASSERT(il_params_has(params, "u0") && !il_params_given(params, "u0"));
    const double *x = il_params_values(params, 5, &n);
    CU_ASSERT_EQUAL_FATAL(n, 2);
    CU_ASSERT(x[0] == 1.0 && x[1] == 2.0);
    CU_ASSERT_PTR_EQUAL(il_params_spec(params, 5), &specs[5]);
    CU_ASSERT_PTR_NULL(il_params_spec(params, 6));
    il_params_destroy(params);
}

static void ranges_are_put_in_words(void) {
    static const char *const words[] = {"a number > 0",           "a number in [0, 1]",
                                        "an integer in [1, 100]", "one of slide,corner,graze",
                                        "1 or N numbers > 0",     "N numbers (finite)"};
    for (size_t k = 0; specs[k].key != NULL; k++) {
        char out[128];
        il_param_describe(&specs[k], out, sizeof out);
        CU_ASSERT_STRING_EQUAL(out, words[k]);
    }
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* Row i of a bidiagonal 0/1 pattern: coefficients i+1 and -(i+2) on columns i and i+1. */
static il_status append_row(il_rows *rows, size_t i) {
    size_t col[] = {i, i + 1};
    double coef[] = {(double)i + 1.0, -(double)i - 2.0};
    return il_rows_append(rows, 10 * i, 0.5 * (double)i, -(double)i, 2, col, coef);
}

static void rows_keep_what_they_are_given(void) {
    enum { P = 100 };
    il_rows rows;
    il_rows_init(&rows);
    double x[P + 1];
    for (size_t k = 0; k <= P; k++) {
        x[k] = (double)k;
    }
    for (size_t i = 0; i < P; i++) {
        CU_ASSERT_EQUAL_FATAL(append_row(&rows, i), IL_OK);
    }
    CU_ASSERT_EQUAL(rows.p, P);
    CU_ASSERT_EQUAL(rows.nnz, 2 * P);
    for (size_t i = 0; i < P; i++) {
        double k = (double)i;
        CU_ASSERT(rows.value[i] == 0.5 * k && rows.rate[i] == -k && rows.id[i] == 10 * i);
        /* (i+1) i - (i+2)(i+1) = -2 (i+1): integers, exact */
        CU_ASSERT(il_rows_dot(&rows, i, x) == -2.0 * (k + 1.0));
        CU_ASSERT(il_rows_has(&rows, 10 * i) && !il_rows_has(&rows, 10 * i + 1));
    }
    il_rows_axpy(&rows, 3, 2.0, x);
    CU_ASSERT(x[3] == 3.0 + 2.0 * 4.0 && x[4] == 4.0 - 2.0 * 5.0 && x[5] == 5.0);
    il_rows_free(&rows);
    CU_ASSERT_EQUAL(rows.p, 0);
    il_rows_free(&rows);
    il_rows_free(NULL);
}

static void popped_rows_leave_the_others(void) {
    il_rows rows;
    il_rows_init(&rows);
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL_FATAL(append_row(&rows, i), IL_OK);
    }
    il_rows_pop(&rows);
    CU_ASSERT(rows.p == 2 && rows.nnz == 4);
    CU_ASSERT_FALSE(il_rows_has(&rows, 20));
    CU_ASSERT_EQUAL_FATAL(append_row(&rows, 5), IL_OK);
    CU_ASSERT(rows.id[2] == 50 && rows.col[4] == 5 && rows.coef[4] == 6.0 && rows.start[3] == 6);
    CU_ASSERT_EQUAL(il_rows_append(&rows, 7, 1.0, 0.0, 0, NULL, NULL), IL_OK);
    CU_ASSERT(rows.start[4] == 6 && il_rows_dot(&rows, 3, rows.coef) == 0.0);
    il_rows_free(&rows);
}

static void cleared_rows_keep_their_memory(void) {
    il_rows rows;
    il_rows_init(&rows);
    CU_ASSERT_EQUAL_FATAL(il_rows_reserve(&rows, 50, 200), IL_OK);
    const size_t *id = rows.id;
    const double *coef = rows.coef;
    for (int round = 0; round < 3; round++) {
        il_rows_clear(&rows);
        CU_ASSERT_EQUAL(rows.p, 0);
        for (size_t i = 0; i < 50; i++) {
            CU_ASSERT_EQUAL_FATAL(append_row(&rows, i), IL_OK);
        }
        CU_ASSERT(rows.id == id && rows.coef == coef);
    }
    il_rows_free(&rows);
}

/* ---- the mass matrix ------------------------------------------------------------------------ */

enum { D = 4 };

/* The second-difference matrix tridiag(-1, 2, -1): eigenvalues 2 - 2 cos(k pi / (d+1)), and
 * <x, M x> = x_1^2 + sum (x_{k+1} - x_k)^2 + x_d^2. */
static il_metric *second_difference(void) {
    double m[D * D] = {0.0};
    for (size_t k = 0; k < D; k++) {
        m[k * D + k] = 2.0;
        if (k + 1 < D) {
            m[k * D + k + 1] = m[(k + 1) * D + k] = -1.0;
        }
    }
    il_metric *metric = NULL;
    CU_ASSERT_EQUAL_FATAL(il_metric_dense(&metric, D, m, NULL), IL_OK);
    return metric;
}

/* Condition number below 10 and four unknowns: a few dozen roundings of numbers below 10. */
static const double DENSE = 100.0 * DBL_EPSILON;

static void check_factor(const il_metric *metric, const double *x, const double *y) {
    double a[D];
    double b[D];
    double sum = 0.0;
    il_metric_whiten(metric, x, a);
    il_metric_whiten(metric, y, b);
    for (size_t k = 0; k < D; k++) {
        sum += a[k] * b[k]; /* <L^{-1}x, L^{-1}y> = x' M^{-1} y */
    }
    il_metric_solve(metric, y, b);
    double direct = 0.0;
    for (size_t k = 0; k < D; k++) {
        direct += x[k] * b[k];
    }
    CU_ASSERT(fabs(sum - direct) <= DENSE);
    il_metric_unwhiten(metric, a, a);
    il_metric_solve(metric, x, b);
    for (size_t k = 0; k < D; k++) {
        CU_ASSERT(fabs(a[k] - b[k]) <= DENSE); /* L^{-T} L^{-1} = M^{-1} */
    }
}

static void dense_metrics_multiply_and_solve(void) {
    il_metric *metric = second_difference();
    const double x[D] = {1.0, -2.0, 0.5, 3.0};
    const double y[D] = {0.25, 1.0, -1.0, 2.0};
    double z[D];
    CU_ASSERT(fabs(il_metric_smallest(metric) - (2.0 - 2.0 * cos(M_PI / (D + 1)))) <= DENSE);
    CU_ASSERT_EQUAL(il_metric_size(metric), D);
    CU_ASSERT_PTR_NULL(il_metric_masses(metric));
    il_metric_mul(metric, x, z);
    CU_ASSERT(z[0] == 4.0 && z[1] == -5.5 && z[2] == 0.0 && z[3] == 5.5); /* exact: binary */
    il_metric_solve(metric, z, z);
    for (size_t k = 0; k < D; k++) {
        CU_ASSERT(fabs(z[k] - x[k]) <= DENSE);
    }
    /* 1 + 9 + 6.25 + 6.25 + 9 */
    CU_ASSERT(fabs(il_metric_inner(metric, x, x) - 31.5) <= DENSE);
    CU_ASSERT(fabs(il_metric_inner(metric, x, y) - il_metric_inner(metric, y, x)) <= DENSE);
    check_factor(metric, x, y);
    il_metric_destroy(metric);
    il_metric_destroy(NULL);
}

static void diagonal_metrics_agree_with_dense_ones(void) {
    const double mass[D] = {1.0, 4.0, 0.25, 9.0};
    double full[D * D] = {0.0};
    for (size_t k = 0; k < D; k++) {
        full[k * D + k] = mass[k];
    }
    il_metric *diagonal = NULL;
    il_metric *dense = NULL;
    CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&diagonal, D, mass, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_metric_dense(&dense, D, full, NULL), IL_OK);
    const double x[D] = {1.0, -2.0, 0.5, 3.0};
    double a[D];
    double b[D];
    void (*const maps[])(const il_metric *, const double *, double *) = {
        il_metric_mul, il_metric_solve, il_metric_whiten, il_metric_unwhiten};
    for (size_t j = 0; j < 4; j++) {
        maps[j](diagonal, x, a);
        maps[j](dense, x, b);
        for (size_t k = 0; k < D; k++) {
            CU_ASSERT(fabs(a[k] - b[k]) <= DENSE);
        }
    }
    CU_ASSERT(il_metric_inner(diagonal, x, x) == 98.0625); /* 1 + 16 + 1/16 + 81 */
    CU_ASSERT(fabs(il_metric_inner(dense, x, x) - 98.0625) <= 10.0 * DENSE);
    CU_ASSERT(il_metric_smallest(diagonal) == 0.25);
    CU_ASSERT(fabs(il_metric_smallest(dense) - 0.25) <= DENSE);
    CU_ASSERT(memcmp(il_metric_masses(diagonal), mass, sizeof mass) == 0);
    check_factor(diagonal, x, a);
    il_metric_destroy(diagonal);
    il_metric_destroy(dense);
}

static void masses_that_are_no_masses_are_refused(void) {
    static const double bad[] = {0.0, -1.0, NAN, INFINITY};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        il_metric *metric = NULL;
        il_error err = {IL_OK, ""};
        const double mass[] = {1.0, bad[k]};
        CU_ASSERT_EQUAL(il_metric_diagonal(&metric, 2, mass, &err), IL_EINVAL);
        CU_ASSERT_PTR_NULL(metric);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "mass 2 is"));
    }
}

static void matrices_that_are_no_metrics_are_refused(void) {
    static const struct {
        double m[4];
        const char *word;
    } bad[] = {{{1.0, 0.5, 0.4, 1.0}, "not symmetric"},
               {{1.0, 2.0, 2.0, 1.0}, "smallest eigenvalue is -1"},
               {{1.0, 1.0, 1.0, 1.0}, "not positive definite"},
               {{0.0, 0.0, 0.0, 0.0}, "not positive definite"},
               {{1.0, 0.0, 0.0, NAN}, "not finite"}};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        il_metric *metric = NULL;
        il_error err = {IL_OK, ""};
        CU_ASSERT_EQUAL(il_metric_dense(&metric, 2, bad[k].m, &err), IL_EINVAL);
        CU_ASSERT_PTR_NULL(metric);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.message, bad[k].word));
        il_metric_destroy(metric);
    }
}

/* ---- sums ----------------------------------------------------------------------------------- */

static void sums_lose_nothing(void) {
    il_sum s = {0.0, 0.0};
    const double cancelling[] = {1.0, 1e100, 1.0, -1e100};
    for (size_t k = 0; k < 4; k++) {
        il_sum_add(&s, cancelling[k]);
    }
    CU_ASSERT(il_sum_value(&s) == 2.0); /* a plain sum gives 0 */

    /* A million times the double nearest to 0.1, whose exact sum is that double times 10^6: one
     * rounding of the product, one of the sum. A plain sum is off by 1e-6 relative to 1e-11. */
    il_sum tenth = {0.0, 0.0};
    double plain = 0.0;
    for (int k = 0; k < 1000000; k++) {
        il_sum_add(&tenth, 0.1);
        plain += 0.1;
    }
    double exact = 0.1 * 1e6;
    CU_ASSERT(fabs(il_sum_value(&tenth) - exact) <= 2.0 * DBL_EPSILON * exact);
    CU_ASSERT(fabs(plain - exact) > 1e-7);
}

static const il_test tests[] = {
    {"every status has a name of its own and a sentence", statuses_have_names},
    {"a failure fills the error and is cut, not overrun", failing_fills_the_error},
    {"numbers are read whole, as fractions and in hexadecimal too", numbers_are_read_whole},
    {"text that spells no number is refused", what_is_no_number_is_refused},
    {"counts are whole and not negative", counts_are_whole},
    {"the nearest name is near or none", nearest_names_are_near},
    {"appended text stays inside its buffer", appended_text_stays_inside},
    {"parameters start at their defaults", parameters_start_at_their_defaults},
    {"parameters take what is allowed", parameters_take_what_is_allowed},
    {"a refused parameter is named with its range and stays as it was",
     refused_parameters_are_named_and_unchanged},
    {"a vector has its length or is one number spread", vectors_are_spread_or_refused},
    {"derived values are kept and do not count as given", derived_values_are_kept_but_not_given},
    {"ranges are put in words", ranges_are_put_in_words},
    {"rows keep what they are given", rows_keep_what_they_are_given},
    {"a popped row leaves the others as they were", popped_rows_leave_the_others},
    {"cleared rows keep their memory", cleared_rows_keep_their_memory},
    {"dense metrics multiply, solve and factor", dense_metrics_multiply_and_solve},
    {"diagonal metrics agree with dense ones", diagonal_metrics_agree_with_dense_ones},
    {"masses that are not positive and finite are refused", masses_that_are_no_masses_are_refused},
    {"matrices that are no metrics are refused with the reason",
     matrices_that_are_no_metrics_are_refused},
    {"compensated sums lose nothing", sums_lose_nothing},
    {NULL, NULL}};

const il_suite il_suite_base = {"base", tests};
