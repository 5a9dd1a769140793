/*
 * test_verify_limits.c - what `verify` says of limits: errors that vanish and floors that hide, by
 * common.vanishes, and quantities that stay bounded, by common.growth (scripts/claims).
 */
#include <stdio.h>
#include <string.h>

#include "harness/lua/verify.h"
#include "tests/support/suite.h"

/* The report on one claim whose check is format with argument for its %s, with common and case in
 * reach. The caller's. */
static json_t *report_of(const char *format, const char *argument) {
    char body[768];
    char text[1024];
    json_t *report = NULL;
    const char *hole = strstr(format, "%s");
    (void)snprintf(body, sizeof body, "%.*s%s%s", (int)(hole - format), format, argument, hole + 2);
    (void)snprintf(text, sizeof text,
                   "local common = ... require('impactlab').claim{id = 'X', source = 's', "
                   "statement = 't', cases = {{problem = {spec = 'bouncing_ball'}}}, "
                   "check = function(case) %s end}",
                   body);
    il_verify_options options = {.claims = text};
    CU_ASSERT_EQUAL_FATAL(il_verify(&options, &report, NULL), IL_OK);
    return report;
}

static const json_t *first_row(const json_t *report) {
    return json_array_get(json_object_get(report, "claims"), 0);
}

/* common.vanishes on errors(N, j) of six doublings, five runs each, j a number in [0,1). */
static const char *limit_of(const char *errors, char *verdict, size_t capacity) {
    json_t *report =
        report_of("local function e(N) local h = 1 / N local j = math.random() return %s end "
                  "return common.vanishes(case, 'e', common.errors(common.levels(16, 7), e))",
                  errors);
    (void)snprintf(verdict, capacity, "%s",
                   json_string_value(json_object_get(first_row(report), "verdict")));
    json_decref(report);
    return verdict;
}

/* "Falls to less than a third" passed all of the floors. Two powers at once are none. */
static void limits_are_told_from_floors(void) {
    static const char *const vanish[] = {"h",     "h * (0.5 + j)",   "math.sqrt(h)",
                                         "h * h", "h * (1 + 2 * h)", "1e-17 * j"};
    static const char *const stay[] = {
        "0.003 + h",    "0.003 + 0.5 * h * (0.5 + j)",    "0.05 + math.sqrt(h)", "0.1 * (0.5 + j)",
        "0.01 + h * h", "h < 0.01 and 1e-3 or h",         "1 + j * 1e-3",        "N",
        "0 / 0",        "N < 50 and 1e-9 or 0.01 + j * h"};
    char verdict[32];
    for (size_t k = 0; k < sizeof vanish / sizeof vanish[0]; k++) {
        bool passes = strcmp(limit_of(vanish[k], verdict, sizeof verdict), "PASS") == 0;
        if (!passes) {
            (void)printf("\n%s: %s\n", vanish[k], verdict);
        }
        CU_ASSERT(passes);
    }
    for (size_t k = 0; k < sizeof stay / sizeof stay[0]; k++) {
        bool passes = strcmp(limit_of(stay[k], verdict, sizeof verdict), "PASS") == 0;
        if (passes) {
            (void)printf("\n%s passes\n", stay[k]);
        }
        CU_ASSERT(!passes);
    }
    CU_ASSERT_STRING_NOT_EQUAL(limit_of("h * (1 + 20 * h)", verdict, sizeof verdict), "FAIL");
    CU_ASSERT_STRING_EQUAL(limit_of("0.02 + h", verdict, sizeof verdict), "FAIL");
    CU_ASSERT_STRING_EQUAL(limit_of("0.5", verdict, sizeof verdict), "FAIL");
}

/* How many of 50 drawn studies pass as errors(N, j) that vanish, j a number in [0,1), with as many
 * runs a level as each asks for; fin is the finest step of all. */
static int passes_of(const char *errors) {
    json_t *report =
        report_of("local passes, fin = 0, 1 / (16 * 64 * 1.96) "
                  "for _ = 1, 50 do "
                  "local row = common.vanishing(case, 'e', 16, function(N) "
                  "local h, j = 1 / N, math.random() return %s end) "
                  "if not row.inconclusive and row.measured >= row.bound then passes = passes + 1 "
                  "end end return {measured = passes, bound = 50}",
                  errors);
    int passes = (int)json_number_value(json_object_get(first_row(report), "measured"));
    json_decref(report);
    return passes;
}

/* The same where errors are multiplied by a scatter: of 50 studies, count pass at most. */
static void expect_at_most(int count, const char *errors, const char *scatter) {
    char text[256];
    (void)snprintf(text, sizeof text, "(%s) * (%s)", errors, scatter);
    int passes = passes_of(text);
    if (passes > count) {
        (void)printf("\n%s: %d of 50 pass\n", text, passes);
    }
    CU_ASSERT(passes <= count);
}

/* A floor of ten times what falls at the finest step is seen at 5 %: of 50 studies more than 7 pass
 * once in a hundred times. */
static void floors_under_scatter_are_no_limits(void) {
    static const char *const scatters[] = {"0.9 + 0.2 * j", "0.5 + j"};
    static const char *const floors[] = {"math.sqrt(h) + 10 * math.sqrt(fin)", "h + 10 * fin",
                                         "h * h + 10 * fin * fin"};
    for (size_t k = 0; k < sizeof scatters / sizeof scatters[0]; k++) {
        for (size_t p = 0; p < sizeof floors / sizeof floors[0]; p++) {
            expect_at_most(7, floors[p], scatters[k]);
        }
    }
}

/* The other side: what vanishes is not refused for its scatter. */
static void limits_pass_under_scatter(void) {
    static const char *const vanish[] = {"math.sqrt(h)", "h * (0.9 + 0.2 * j)", "h * (0.5 + j)",
                                         "h * h * (0.5 + j)", "h * (0.02 + j)"};
    for (size_t k = 0; k < sizeof vanish / sizeof vanish[0]; k++) {
        CU_ASSERT(passes_of(vanish[k]) >= 43); /* of 50 with a chance of 95 %, but once in 100 */
    }
}

/* Where five runs of a level decide nothing, ten and twenty are asked for, and no run twice. */
static void more_runs_are_asked_where_few_decide_nothing(void) {
    json_t *report = report_of(
        "local asked, twice, seen = 0, 0, {} "
        "local row = common.vanishing(case, 'e', 16, function(N) asked = asked + 1 "
        "twice = twice + (seen[N] and 1 or 0) seen[N] = true return (0.01 + math.random() ^ 4) / N "
        "^ 0.25 end) "
        "return {{measured = asked, bound = %s, sense = '>='}, {measured = twice, bound = 0}}",
        "70");
    CU_ASSERT_EQUAL(json_integer_value(json_object_get(report, "passed")), 2);
    json_decref(report);
}

/* Growth counts from the least level on: a dip at first hides none. */
static void growth_after_a_dip_is_growth(void) {
    static const struct {
        const char *levels, *verdict;
    } list[] = {{"{1, 1, 1, 1, 1}", "PASS"},
                {"{1.06, 1.01, 1, 1, 1}", "PASS"},
                {"{1, 1.1, 1.15, 1.17, 1.18}", "PASS"},
                {"{1, 1.3, 1.6, 1.9, 2.2}", "FAIL"},
                {"{1, 0.6, 0.6, 0.6, 1.2}", "FAIL"},
                {"{3, 1.2, 1.7, 2.4, 3.4}", "FAIL"},
                {"{1, 0.97, 0.95, 1.0, 1.1}", "FAIL"},
                {"{1, 1, 0 / 0, 1, 1}", "FAIL"}};
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        json_t *report = report_of("return common.growth(case, 'x', %s)", list[k].levels);
        bool failed = json_integer_value(json_object_get(report, "failed")) > 0;
        CU_ASSERT_EQUAL(failed, strcmp(list[k].verdict, "FAIL") == 0);
        json_decref(report);
    }
}

static const il_test tests[] = {
    {"limits are told from floors", limits_are_told_from_floors},
    {"floors under scatter are no limits", floors_under_scatter_are_no_limits},
    {"limits pass under scatter", limits_pass_under_scatter},
    {"more runs are asked where few decide nothing", more_runs_are_asked_where_few_decide_nothing},
    {"growth after a dip is growth", growth_after_a_dip_is_growth},
    {NULL, NULL}};
const il_suite il_suite_verify_limits = {"verify limits", tests};
