/*
 * test_params.c - parameters: their defaults, what they take, and how they refuse the rest.
 */
#include <math.h>
#include <string.h>

#include "harness/base/params.h"
#include "harness/base/status.h"
#include "tests/support/suite.h"

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

/* Texts that are refused, and the words that the message must hold: key, value, range. */
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
    il_params_derive(params, "u0", (double[]){1.0, 2.0}, 2);
    CU_ASSERT(il_params_has(params, "u0") && !il_params_given(params, "u0"));
    const double *x = il_params_vector(params, "u0", &n);
    CU_ASSERT_EQUAL_FATAL(n, 2);
    CU_ASSERT(x[0] == 1.0 && x[1] == 2.0);
    CU_ASSERT_PTR_EQUAL(il_params_spec(params, 5), &specs[5]);
    CU_ASSERT_PTR_NULL(il_params_spec(params, 6));
    il_params_destroy(params);
}

static const il_test tests[] = {
    {"parameters start at their defaults", parameters_start_at_their_defaults},
    {"parameters take what is allowed", parameters_take_what_is_allowed},
    {"a refused parameter is named with its range and stays as it was",
     refused_parameters_are_named_and_unchanged},
    {"a vector has its length or is one number spread", vectors_are_spread_or_refused},
    {"derived values are kept and do not count as given", derived_values_are_kept_but_not_given},
    {NULL, NULL}};

const il_suite il_suite_params = {"params", tests};
