/*
 * test_motion.c - the motion inside a step: polynomials written out by hand, and what is none.
 */
#include <math.h>
#include <string.h>

#include "harness/base/motion.h"
#include "tests/support/suite.h"

/* In two coordinates over [1, 4], a break at 2: (t - 1)^2 and 5, then 1 + 2 (t - 2)/2 and
 * 5 - (t - 2)^2/4, with s = t - 1 and s = (t - 2)/2. */
static const double ENDS[2] = {2.0, 4.0};
static const double COEFFICIENTS[2][3][2] = {{{0.0, 5.0}, {0.0, 0.0}, {1.0, 0.0}},
                                             {{1.0, 5.0}, {2.0, 0.0}, {0.0, -1.0}}};
static const double FIRST[2] = {0.0, 5.0};
static const double LAST[2] = {3.0, 4.0};

static il_motion by_hand(double c[2][3][2]) {
    memcpy(c, COEFFICIENTS, sizeof COEFFICIENTS);
    return (il_motion){.d = 2, .n = 2, .degree = 2, .end = ENDS, .c = &c[0][0][0]};
}

static void positions_and_velocities(void) {
    double c[2][3][2];
    il_motion w = by_hand(c);
    const struct {
        double t;
        int side;
        double q[2], u[2];
    } at[] = {{1.0, 1, {0.0, 5.0}, {0.0, 0.0}},   {1.5, 0, {0.25, 5.0}, {1.0, 0.0}},
              {2.0, -1, {1.0, 5.0}, {2.0, 0.0}},  {2.0, 1, {1.0, 5.0}, {1.0, 0.0}},
              {3.0, 0, {2.0, 4.75}, {1.0, -0.5}}, {4.0, -1, {3.0, 4.0}, {1.0, -1.0}}};
    for (size_t k = 0; k < sizeof at / sizeof at[0]; k++) {
        double q[2];
        double u[2];
        size_t j = il_motion_piece(&w, at[k].t, at[k].side);
        CU_ASSERT_EQUAL(j, at[k].t > 2.0 || (at[k].t == 2.0 && at[k].side > 0) ? 1 : 0);
        il_motion_eval(&w, 1.0, j, at[k].t, q, u);
        for (size_t i = 0; i < 2; i++) {
            CU_ASSERT_EQUAL(q[i], at[k].q[i]); /* binary fractions */
            CU_ASSERT_EQUAL(u[i], at[k].u[i]);
        }
        il_motion_eval(&w, 1.0, j, at[k].t, NULL, u);
        il_motion_eval(&w, 1.0, j, at[k].t, q, NULL);
    }
    CU_ASSERT_EQUAL(il_motion_check(&w, 1.0, 4.0, FIRST, LAST, NULL), IL_OK);
}

static void expect_none(const il_motion *w, double t1, const double *last, const char *words) {
    il_error err;
    CU_ASSERT_EQUAL(il_motion_check(w, 1.0, t1, FIRST, last, &err), IL_ENUMERIC);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, words));
}

static void what_is_no_motion_is_told(void) {
    static const double backward[2] = {2.0, 1.5};
    static const double beyond[2] = {5.0, 4.0};
    const double elsewhere[2] = {3.0, 4.5};
    double c[2][3][2];
    il_motion w = by_hand(c);
    c[1][0][0] = 1.25;
    expect_none(&w, 4.0, LAST, "jumps by 0.25 in coordinate 1 where piece 2 begins, t = 2;");
    w = by_hand(c);
    c[1][1][1] = NAN;
    expect_none(&w, 4.0, LAST, "not finite in piece 2");
    w = by_hand(c);
    expect_none(&w, 4.0, elsewhere, "jumps by 0.5 in coordinate 2");
    expect_none(&w, 4.5, LAST, "piece 2 of 2");
    w.end = backward;
    expect_none(&w, 4.0, LAST, "from t = 2 to 1.5");
    w.end = beyond;
    expect_none(&w, 4.0, LAST, "piece 1 of 2");
    w = by_hand(c);
    w.degree = 8;
    expect_none(&w, 4.0, LAST, "degree 8");
    w = by_hand(c);
    w.n = 0;
    expect_none(&w, 4.0, LAST, "0 pieces");
}

static const il_test tests[] = {{"positions and velocities", positions_and_velocities},
                                {"what is no motion is told", what_is_no_motion_is_told},
                                {NULL, NULL}};

const il_suite il_suite_motion = {"motion", tests};
