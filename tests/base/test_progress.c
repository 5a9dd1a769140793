/*
 * test_progress.c - what is left of many jobs, in which order they are made, and how it is said.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/forecast.h"
#include "harness/base/progress.h"
#include "tests/support/suite.h"

static const double ROUNDING = 1e-9;

/* Two classes: the first costs 3 + 0.5 u, the second 0.02 u. */
static double truth(size_t which, double units) {
    return which == 0 ? 3.0 + 0.5 * units : 0.02 * units;
}

static void lines_are_found(void) {
    il_forecast_class room[3] = {0};
    il_forecast f = {.classes = 3, .of = room};
    CU_ASSERT(isnan(il_forecast_seconds(&f, 0, 1.0)));
    for (size_t which = 0; which < 2; which++) {
        il_forecast_see(&f, which, 10.0, truth(which, 10.0), 1.0);
        il_forecast_see(&f, which, 70.0, truth(which, 70.0), 0.25);
    }
    for (int power = 0; power < 9; power++) {
        double units = ldexp(1.0, power);
        CU_ASSERT(fabs(il_forecast_seconds(&f, 0, units) - truth(0, units)) <=
                  ROUNDING * truth(0, units));
        CU_ASSERT(fabs(il_forecast_seconds(&f, 1, units) - truth(1, units)) <=
                  ROUNDING * truth(0, units));
    }
}

static void one_size_is_a_rate(void) {
    il_forecast_class room[2] = {0};
    il_forecast f = {.classes = 2, .of = room};
    il_forecast_see(&f, 0, 4.0, 2.0, 1.0);
    il_forecast_see(&f, 0, 4.0, 4.0, 1.0);
    CU_ASSERT(fabs(il_forecast_seconds(&f, 0, 8.0) - 6.0) <= ROUNDING);
    CU_ASSERT(fabs(il_forecast_seconds(&f, 1, 8.0) - 6.0) <=
              ROUNDING); /* not seen: as all others */
    il_forecast_clear(&f);
    CU_ASSERT(isnan(il_forecast_seconds(&f, 0, 8.0)));
}

static void seconds_are_said(void) {
    static const struct {
        double seconds;
        const char *said;
    } cases[] = {{-0.3, "1 s"},    {0.0, "1 s"},       {12.4, "12 s"},  {99.0, "99 s"},
                 {120.0, "2 min"}, {5940.0, "99 min"}, {7200.0, "2 h"}, {100000.0, "27.8 h"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char said[32];
        il_progress_say_seconds(cases[k].seconds, said, sizeof said);
        CU_ASSERT_STRING_EQUAL(said, cases[k].said);
    }
}

static void probes_come_first_then_the_longest(void) {
    il_planned jobs[] = {{.k = 0, .which = 0, .units = 5.0}, {.k = 1, .which = 1, .units = 7.0},
                         {.k = 2, .which = 0, .units = 9.0}, {.k = 3, .which = 1, .units = 9.0},
                         {.k = 4, .which = 0, .units = 5.0}, {.k = 5, .which = 1, .units = 8.0}};
    const size_t order[] = {1, 0, 2, 3, 5, 4};
    il_schedule_order(jobs, 6);
    for (size_t i = 0; i < 6; i++) {
        CU_ASSERT_EQUAL(jobs[i].k, order[i]);
        CU_ASSERT_EQUAL(jobs[i].probe, i < 2);
    }
}

/* A file is no terminal: a whole line, without control characters. */
static void a_file_gets_lines(void) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = tmpfile();
    il_progress p;
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    il_progress_begin(&p, out, "sweep\033[2J x");
    CU_ASSERT_FALSE(il_progress_due(&p)); /* it has just begun */
    il_progress_show(&p, 0.25, 9.0, "1 of 4", "a\tb\x1b");
    il_progress_show(&p, NAN, NAN, "no share", NULL);
    il_progress_clear(&p);
    rewind(out);
    CU_ASSERT(getline(&text, &size, out) > 0);
    CU_ASSERT_STRING_EQUAL(text, "sweep?[2J x: 25 %, 1 of 4, 9 s left: a b?\n");
    CU_ASSERT(getline(&text, &size, out) > 0);
    CU_ASSERT_STRING_EQUAL(text, "sweep?[2J x: no share\n");
    CU_ASSERT(getline(&text, &size, out) < 0);
    free(text);
    (void)fclose(out);
}

static const il_test tests[] = {
    {"seconds are a line in units, class by class", lines_are_found},
    {"jobs of one size give a rate, and classes that were not seen take the others'",
     one_size_is_a_rate},
    {"the shortest of each class come first, then the longest", probes_come_first_then_the_longest},
    {"seconds are said as people do, and never as none", seconds_are_said},
    {"a file gets whole lines without control characters", a_file_gets_lines},
    {NULL, NULL}};

const il_suite il_suite_progress = {"progress", tests};
