/*
 * test_jobs.c - the order in which jobs are handed out (forecast.h).
 */
#include "harness/base/forecast.h"
#include "tests/support/suite.h"

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

static const il_test tests[] = {
    {"the shortest of each class come first, then the longest", probes_come_first_then_the_longest},
    {NULL, NULL}};

const il_suite il_suite_jobs = {"jobs", tests};
