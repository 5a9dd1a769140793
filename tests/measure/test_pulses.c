/*
 * test_pulses.c - impulses and runs of two steps written down by hand: what is matched, and every
 * norm of whole runs in closed form.
 */
#include <math.h>

#include "harness/measure/impacts.h"
#include "harness/measure/norm.h"
#include "tests/support/suite.h"

/* Numbers of order one after a few roundings. */
static const double ROUNDING = 1e-14;
/* graph.h: at most so much too small. */
static const double HAUSDORFF = 2e-12;

/* Contacts 7 and 9 push at once, but only contact 7 is counted; a percussion of contact 9 is then
 * missed, once, and the event of contact 7 is made up. theta = sqrt(h/T) 1 = 1/4. */
static void contacts_that_are_not_counted_do_not_push(void) {
    il_pulse ours[2] = {{0.5, 0.75, 1.0}, {0.5, 0.75, 1.0}};
    il_pulse theirs = {0.6, 0.6, 1.0};
    il_pulses run = {.contacts = 1,
                     .id = (size_t[]){7, 9},
                     .first = (size_t[]){0, 1, 2},
                     .pulses = ours,
                     .n = 1};
    il_pulses reference = {
        .contacts = 1, .id = (size_t[]){9}, .first = (size_t[]){0, 1}, .pulses = &theirs, .n = 1};
    il_impacts r;
    il_impacts_match(&r, &run, 0.25, 4.0, &reference, 0.0);
    CU_ASSERT(r.events == 1 && r.matched == 0 && r.missed == 1 && r.spurious == 1);
    CU_ASSERT(r.threshold == 0.25);
}

/* u_h = 6, then 0 on steps of 1, from u_0 = 2; u = 4, then 2. TV(u_h) = |6 - 2| + |0 - 6| = 10 and
 * TV(u) = |4 - 2| + |2 - 4| = 4, both from u_0 on. tau = T = 2 and V = sup |u| = 4.
 *
 * The graph of u_h jumps over [0,6] at t = 1, that of u over [2,4]: (0,6) is V/2 above (0,4), (2,0)
 * is V/2 below (2,2), (1,6) is V/2 above (1,4); the points of u are no farther from u_h. Half is
 * also tau/2, so that nothing nearer is found at another time: H = 1/2.
 *
 * The run's contact pushes 5 in the first step, the reference's 4 in the second: theta of the run
 * is sqrt(1/2) 5. Events lie 1 apart, within sqrt(h T) = sqrt 2. Flat: phi = 1 up to 1 - x, then
 * falling by 1/tau, gives 5 (1 - x^2/4) - 4 (3/4 - x/2) = 2 + 2 x - 5/4 x^2, at most 14/5. */
static void norms_of_two_steps_by_hand(void) {
    double t[3] = {0.0, 1.0, 2.0};
    double q[3] = {0.0, 0.0, 0.0};
    double ours[3] = {2.0, 6.0, 0.0};
    double theirs[3] = {7.0, 4.0, 2.0}; /* its own u_0 does not count */
    il_contact push = {1, 0, 5.0};
    il_contact late = {2, 0, 4.0};
    il_trajectory run = {
        .d = 1, .nodes = 3, .t = t, .q = q, .u = ours, .ncontacts = 1, .contacts = &push};
    il_trajectory other = run;
    other.u = theirs;
    other.contacts = &late;
    il_exact reference = il_trajectory_as_exact(&other, "by hand");
    il_problem problem = {.d = 1, .p = 1, .order = 2};
    il_norms_query query = {
        .problem = &problem, .run = &run, .reference = &reference, .reference_run = &other};
    il_norms w;
    CU_ASSERT_EQUAL_FATAL(il_norms_compute(&w, &query, il_norm_all(), NULL), IL_OK);
    CU_ASSERT(fabs(il_norms_value(&w, "TV", NULL) - 6.0) <= ROUNDING);
    CU_ASSERT(fabs(il_norms_value(&w, "TV", "TV_reference") - 4.0) <= ROUNDING);
    CU_ASSERT(fabs(il_norms_value(&w, "graph_H", NULL) - 0.5) <= ROUNDING);
    CU_ASSERT(il_norms_value(&w, "graph_H", "tau") == 2.0);
    CU_ASSERT(il_norms_value(&w, "graph_H", "V") == 4.0);
    CU_ASSERT(fabs(il_norms_value(&w, "flat_lambda", NULL) - 2.8) <= ROUNDING);
    CU_ASSERT(fabs(il_norms_value(&w, "impacts", "threshold") - 5.0 * sqrt(0.5)) <= ROUNDING);
    CU_ASSERT(il_norms_value(&w, "impacts", "matched") == 1.0);
    CU_ASSERT(fabs(il_norms_value(&w, "impacts", "time_error") - 1.0) <= ROUNDING);
    CU_ASSERT(fabs(il_norms_value(&w, "impacts", "impulse_error") - 1.0) <= ROUNDING);
}

/* u_h falls from 1 to 0 at t = 1, u at t = 3/2: the middle of the earlier jump is 1/2 late, and as
 * far from above, but 1/2 of tau = T = 3 is 1/6. */
static void a_late_jump_is_as_far_as_it_is_late(void) {
    double early[3] = {0.0, 1.0, 3.0};
    double late[3] = {0.0, 1.5, 3.0};
    double q[3] = {0.0, 0.0, 0.0};
    double u[3] = {1.0, 1.0, 0.0};
    il_trajectory run = {.d = 1, .nodes = 3, .t = early, .q = q, .u = u};
    il_trajectory other = {.d = 1, .nodes = 3, .t = late, .q = q, .u = u};
    il_exact reference = il_trajectory_as_exact(&other, "by hand");
    il_problem problem = {.d = 1, .p = 1, .order = 2};
    il_norms_query query = {.problem = &problem, .run = &run, .reference = &reference};
    unsigned bits = 0;
    il_norms w;
    CU_ASSERT_FATAL(il_norm_bits("graph_H", &bits));
    CU_ASSERT_EQUAL_FATAL(il_norms_compute(&w, &query, bits, NULL), IL_OK);
    CU_ASSERT(fabs(il_norms_value(&w, "graph_H", NULL) - 1.0 / 6.0) <= HAUSDORFF);
}

static const il_test tests[] = {
    {"contacts that are not counted do not push", contacts_that_are_not_counted_do_not_push},
    {"norms of two steps by hand", norms_of_two_steps_by_hand},
    {"a late jump is as far as it is late", a_late_jump_is_as_far_as_it_is_late},
    {NULL, NULL}};

const il_suite il_suite_pulses = {"pulses", tests};
