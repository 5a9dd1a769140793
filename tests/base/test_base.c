/*
 * test_base.c - the ground that everything stands on: statuses, text, rows, compensated sums.
 * Expected values are closed forms or come from another algorithm.
 */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/base/date.h"
#include "harness/base/memory.h"
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

/* A terminal obeys C0, DEL and C1; all else is left as it is. */
static void messages_hold_no_control_characters(void) {
    il_error err = {IL_OK, ""};
    (void)il_fail(&err, IL_EINVAL, "a\033[31mb\177\302\233c\nd\te\303\251\342\200\224");
    CU_ASSERT_STRING_EQUAL(err.message, "a?[31mb???c d e\303\251\342\200\224");
    char text[] = "a\nb\tc\r\a\302\240";
    il_text_make_printable(text, true);
    CU_ASSERT_STRING_EQUAL(text, "a\nb\tc??\302\240");
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

/* Numbers whose digits are known, the neighbours of bounds, and bits at random: all read back. */
static void numerals_read_back(void) {
    CU_ASSERT_STRING_EQUAL(il_text_numeral(0.1).text, "0.1");
    CU_ASSERT_STRING_EQUAL(il_text_numeral(1e-300).text, "1e-300");
    CU_ASSERT_STRING_EQUAL(il_text_numeral(5e7).text, "5e+07");
    CU_ASSERT_STRING_EQUAL(il_text_numeral(50000001.0).text, "50000001");
    CU_ASSERT_STRING_EQUAL(il_text_numeral(4294967296.0).text, "4294967296");
    CU_ASSERT_STRING_EQUAL(il_text_numeral(-INFINITY).text, "-inf");
    CU_ASSERT(strstr(il_text_numeral(NAN).text, "nan") != NULL);
    CU_ASSERT(strcmp(il_text_numeral(nextafter(1.0, 2.0)).text, "1") != 0);
    uint64_t bits = 1;
    for (int k = 0; k < 20000; k++) {
        double x = 0.0;
        bits = bits * 6364136223846793005u + 1442695040888963407u; /* Knuth, MMIX */
        memcpy(&x, &bits, sizeof x);
        CU_ASSERT(isnan(x) || strtod(il_text_numeral(x).text, NULL) == x);
    }
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

/* ---- rows ----------------------------------------------------------------------------------- */

/* Row i of a bidiagonal 0/1 pattern: coefficients i+1 and -(i+2) on columns i and i+1. */
static il_status append_row(il_rows *rows, size_t i) {
    size_t col[] = {i, i + 1};
    double coef[] = {(double)i + 1.0, -(double)i - 2.0};
    il_rows_append(rows, 10 * i, 0.5 * (double)i, -(double)i, 2, col, coef);
    return IL_OK;
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
    CU_ASSERT_EQUAL_FATAL(append_row(&rows, 5), IL_OK);
    CU_ASSERT(rows.id[2] == 50 && rows.col[4] == 5 && rows.coef[4] == 6.0 && rows.start[3] == 6);
    il_rows_append(&rows, 7, 1.0, 0.0, 0, NULL, NULL);
    CU_ASSERT(rows.start[4] == 6 && il_rows_dot(&rows, 3, rows.coef) == 0.0);
    il_rows_free(&rows);
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

/* ---- dates ---------------------------------------------------------------------------------- */

/* Against the C library's calendar, over two thousand years by a step that meets all of its days
 * of the week, and where months, years and centuries end. */
static void dates_are_those_of_the_calendar(void) {
    static const time_t ends[] = {0, 68169600, 951782399, 951782400, 4107542399, 253402300799};
    for (int k = 0; k < 60006; k++) {
        char date[IL_DATE];
        char expected[IL_DATE];
        struct tm day;
        time_t at = k < 6 ? ends[k] : (time_t)(k - 6) * 1234567;
        CU_ASSERT_PTR_NOT_NULL_FATAL(gmtime_r(&at, &day));
        (void)strftime(expected, sizeof expected, "%Y-%m-%dT%H:%M:%SZ", &day);
        il_date_utc(at, date);
        CU_ASSERT_STRING_EQUAL(date, expected);
        CU_ASSERT_EQUAL(il_date_seconds(date), at);
    }
}

static void what_is_no_date_is_refused(void) {
    static const char *const wrong[] = {"",
                                        "now",
                                        "2026-13-01T00:00:00Z",
                                        "2026-01-01T24:00:00Z",
                                        "2026-01-01T00:00:00",
                                        "2026-1-01T00:00:000Z",
                                        "2026-01-01T00:00:00Z ",
                                        "1969-12-31T23:59:59Z"};
    char date[IL_DATE] = "x";
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        CU_ASSERT_EQUAL(il_date_seconds(wrong[k]), -1);
    }
    il_date_utc(253402300800, date);
    CU_ASSERT_STRING_EQUAL(date, "");
    il_date_utc(-1, date);
    CU_ASSERT_STRING_EQUAL(date, "1969-12-31T23:59:59Z");
}

static const il_test tests[] = {
    {"every status has a name of its own and a sentence", statuses_have_names},
    {"a failure fills the error and is cut, not overrun", failing_fills_the_error},
    {"messages hold no control characters", messages_hold_no_control_characters},
    {"numbers are read whole, as fractions and in hexadecimal too", numbers_are_read_whole},
    {"text that spells no number is refused", what_is_no_number_is_refused},
    {"counts are whole and not negative", counts_are_whole},
    {"numerals read back", numerals_read_back},
    {"appended text stays inside its buffer", appended_text_stays_inside},
    {"rows keep what they are given", rows_keep_what_they_are_given},
    {"a popped row leaves the others as they were", popped_rows_leave_the_others},
    {"compensated sums lose nothing", sums_lose_nothing},
    {"dates are those of the calendar", dates_are_those_of_the_calendar},
    {"what is no date is refused", what_is_no_date_is_refused},
    {NULL, NULL}};

const il_suite il_suite_base = {"base", tests};
