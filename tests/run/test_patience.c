/*
 * test_patience.c - a run that would take too long is refused.
 */
#include "harness/run/work.h"

#include <string.h>
#include <time.h>

#include "tests/support/suite.h"

/* A second shows how fast steps are, and a coarse clock is good to 10 ms. */
static const double SHOWN = 1.02;

static void nap(double seconds) {
    const struct timespec while_ = {.tv_sec = (time_t)seconds,
                                    .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
    (void)nanosleep(&while_, NULL);
}

/* 8 steps in a second and a little: 1000 of them take more than 125 s, and 16 less than 100 on any
 * machine. Before the eighth, or without a second, nothing is said; what was made before counts
 * neither as made nor as left. */
static void steps_are_judged_by_those_that_were_made(void) {
    il_patience p;
    il_error err = {IL_OK, ""};
    for (size_t from = 0; from <= 5000; from += 5000) {
        il_patience_begin(&p, 100.0, from);
        CU_ASSERT_EQUAL(il_patience_step(&p, from + 100, from + 100000, NULL), IL_OK);
        CU_ASSERT_FALSE(il_patience_settled(&p)); /* no second went by */
        nap(SHOWN);
        CU_ASSERT_EQUAL(il_patience_step(&p, from + 7, from + 100000, NULL), IL_OK);
        CU_ASSERT_FALSE(il_patience_settled(&p));
        CU_ASSERT_EQUAL(il_patience_step(&p, from + 8, from + 1000, &err), IL_ETOOLONG);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.message, from > 0 ? "1000 steps that are left would take"
                                                            : "1000 steps would take"));
        CU_ASSERT(il_patience_settled(&p));
    }
    il_patience_begin(&p, 100.0, 5000);
    nap(SHOWN);
    CU_ASSERT_EQUAL(il_patience_step(&p, 5008, 5016, NULL), IL_OK);
    CU_ASSERT(il_patience_settled(&p));
    il_patience_begin(&p, 0.0, 0); /* it may take as long as it likes */
    CU_ASSERT(il_patience_settled(&p));
    CU_ASSERT_EQUAL(il_patience_step(&p, 1, SIZE_MAX, NULL), IL_OK);
}

static const il_test tests[] = {
    {"steps are judged by those that were made", steps_are_judged_by_those_that_were_made},
    {.name = NULL}};

extern const il_suite il_suite_patience;
const il_suite il_suite_patience = {"patience", tests};
