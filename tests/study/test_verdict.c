/*
 * test_verdict.c - from a number and its bound to a word.
 */
#include <math.h>
#include <string.h>

#include "harness/study/order/order.h"
#include "harness/study/verdict.h"
#include "tests/support/suite.h"

static il_check_verdict judged(il_check check) {
    il_checked out;
    il_check_judge(&check, &out);
    return out.verdict;
}

static void numbers_within_their_bounds_pass(void) {
    CU_ASSERT_EQUAL(judged((il_check){.measured = 1, .bound = 1}), IL_CHECK_PASS);
    CU_ASSERT_EQUAL(judged((il_check){.measured = 1.5, .bound = 1}), IL_CHECK_FAIL);
    CU_ASSERT_EQUAL(judged((il_check){.measured = 1, .bound = 1, .above = true}), IL_CHECK_PASS);
    CU_ASSERT_EQUAL(judged((il_check){.measured = 0.5, .bound = 1, .above = true}), IL_CHECK_FAIL);
    CU_ASSERT_EQUAL(judged((il_check){.measured = 1e-17, .bound = 1e-12}), IL_CHECK_PASS);
    CU_ASSERT_EQUAL(judged((il_check){.measured = -INFINITY, .bound = INFINITY}), IL_CHECK_PASS);
}

static void nan_fails(void) {
    CU_ASSERT_EQUAL(judged((il_check){.measured = NAN, .bound = 1}), IL_CHECK_FAIL);
    CU_ASSERT_EQUAL(judged((il_check){.measured = 1, .bound = NAN}), IL_CHECK_FAIL);
    CU_ASSERT_EQUAL(judged((il_check){.measured = NAN, .bound = 1, .above = true}), IL_CHECK_FAIL);
    CU_ASSERT_EQUAL(judged((il_check){.measured = NAN, .bound = 1, .near = 10}), IL_CHECK_FAIL);
    CU_ASSERT_EQUAL(judged((il_check){.measured = NAN, .bound = 1, .shows = "s"}), IL_CHECK_FAIL);
}

/* A bound is tested by what comes near it, from the side where it holds. */
static void far_bounds_are_evidence(void) {
    il_checked out;
    const il_check far = {.measured = 2.69, .bound = 6625, .near = 10};
    CU_ASSERT_EQUAL(judged((il_check){.measured = 0.9, .bound = 1, .near = 1.5}), IL_CHECK_PASS);
    il_check_judge(&far, &out);
    CU_ASSERT_EQUAL(out.verdict, IL_CHECK_EVIDENCE);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out.reason);
    CU_ASSERT_PTR_NOT_NULL(strstr(out.reason, "2.5e+03 times away"));
    CU_ASSERT_EQUAL(judged((il_check){.measured = 0.667, .bound = 0.024, .above = true, .near = 3}),
                    IL_CHECK_EVIDENCE);
    CU_ASSERT_EQUAL(judged((il_check){.measured = 0.7, .bound = 0.3, .above = true, .near = 3}),
                    IL_CHECK_PASS);
    CU_ASSERT_EQUAL(judged((il_check){.measured = 0, .bound = 1, .near = 3}), IL_CHECK_EVIDENCE);
    CU_ASSERT_EQUAL(judged((il_check){.measured = -1, .bound = 1, .near = 3}), IL_CHECK_EVIDENCE);
    CU_ASSERT_EQUAL(judged((il_check){.measured = 2, .bound = 1, .near = 3}), IL_CHECK_FAIL);
    CU_ASSERT_EQUAL(judged((il_check){.measured = 0.9, .bound = 1, .shows = "identity"}),
                    IL_CHECK_EVIDENCE);
    CU_ASSERT_EQUAL(judged((il_check){.measured = 2, .bound = 1, .shows = "identity"}),
                    IL_CHECK_FAIL);
}

static void what_is_known_not_to_hold_is_a_finding(void) {
    CU_ASSERT_EQUAL(judged((il_check){.measured = 2, .bound = 1, .finding = "why"}),
                    IL_CHECK_FINDING);
    CU_ASSERT_EQUAL(judged((il_check){.measured = 1, .bound = 1, .finding = "why"}), IL_CHECK_FAIL);
    CU_ASSERT_EQUAL(judged((il_check){.measured = NAN, .bound = 1, .finding = "why"}),
                    IL_CHECK_FAIL);
    CU_ASSERT_EQUAL(judged((il_check){.measured = 1, .bound = 1, .not_applicable = "why"}),
                    IL_CHECK_NOT_APPLICABLE);
    CU_ASSERT_EQUAL(judged((il_check){.measured = 2, .bound = 1, .inconclusive = "why"}),
                    IL_CHECK_INCONCLUSIVE);
}

/* Even where only the bound itself is near enough. */
static void near_is_a_ratio(void) {
    CU_ASSERT_EQUAL(judged((il_check){.measured = 1, .bound = 1, .near = 1}), IL_CHECK_PASS);
    CU_ASSERT_EQUAL(judged((il_check){.measured = 0.5, .bound = 1, .near = 1}), IL_CHECK_EVIDENCE);
}

/* As the tables print them. */
static void verdicts_on_orders_have_names(void) {
    CU_ASSERT_STRING_EQUAL(il_verdict_name(IL_ORDER_PASS), "PASS");
    CU_ASSERT_STRING_EQUAL(il_verdict_name(IL_ORDER_FAIL), "FAIL");
    CU_ASSERT_STRING_EQUAL(il_verdict_name(IL_ORDER_INCONCLUSIVE), "INCONCLUSIVE");
    CU_ASSERT_STRING_EQUAL(il_verdict_name(IL_ORDER_REPORTED), "REPORTED");
    CU_ASSERT_STRING_EQUAL(il_verdict_name((il_verdict)(IL_ORDER_REPORTED + 1)), "unknown");
}

static const il_test tests[] = {
    {"numbers within their bounds pass", numbers_within_their_bounds_pass},
    {"NaN fails", nan_fails},
    {"far bounds are evidence", far_bounds_are_evidence},
    {"what is known not to hold is a finding", what_is_known_not_to_hold_is_a_finding},
    {"near is a ratio", near_is_a_ratio},
    {"verdicts on orders have names", verdicts_on_orders_have_names},
    {NULL, NULL}};
const il_suite il_suite_verdict = {"verdict", tests};
