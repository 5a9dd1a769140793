/*
 * test_jobs.c - the order in which jobs are handed out (schedule.h).
 */
#include <math.h>

#include "harness/base/schedule.h"
#include "tests/support/suite.h"

static void probes_come_first_then_the_longest(void) {
    il_planned jobs[] = {{.k = 0, .which = 0, .units = 5.0}, {.k = 1, .which = 1, .units = 7.0},
                         {.k = 2, .which = 0, .units = 9.0}, {.k = 3, .which = 1, .units = 9.0},
                         {.k = 4, .which = 0, .units = 5.0}, {.k = 5, .which = 1, .units = 8.0}};
    const size_t order[] = {1, 0, 2, 3, 5, 4};
    il_schedule_class room[3];
    il_schedule_order(jobs, 6, 3, room); /* of one class there is none */
    for (size_t i = 0; i < 6; i++) {
        CU_ASSERT_EQUAL(jobs[i].k, order[i]);
        CU_ASSERT_EQUAL(jobs[i].probe, i < 2);
    }
}

static void a_class_of_many_has_a_probe_between(void) {
    il_planned jobs[10];
    il_schedule_class room[1];
    for (size_t k = 0; k < 10; k++) {
        jobs[k] = (il_planned){.k = k, .units = ldexp(1.0, (int)k)};
    }
    il_schedule_order(jobs, 9, 1, room); /* 1 .. 256 */
    CU_ASSERT_EQUAL(jobs[0].k, 4);
    CU_ASSERT_EQUAL(jobs[1].k, 0);
    CU_ASSERT_EQUAL(jobs[2].k, 8);
    for (size_t k = 0; k < 10; k++) {
        jobs[k] = (il_planned){.k = k, .units = 10.0 + (double)k};
    }
    il_schedule_order(jobs, 10, 1, room); /* all much alike */
    CU_ASSERT_EQUAL(jobs[0].k, 0);
    CU_ASSERT_EQUAL(jobs[1].k, 9);
}

static const il_test tests[] = {
    {"the shortest of each class come first, then the longest", probes_come_first_then_the_longest},
    {"a class of many and unequal jobs has a probe in their midst",
     a_class_of_many_has_a_probe_between},
    {NULL, NULL}};

const il_suite il_suite_jobs = {"jobs", tests};
