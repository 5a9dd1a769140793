/*
 * test_expansion.c - short series of motions in closed form: what is a polynomial is summed to
 * rounding, what is not is refused.
 */
#include <math.h>

#include "harness/measure/expansion.h"
#include "tests/support/suite.h"

/* Sums of nine terms of order one: a few roundings each. */
static const double ROUNDING = 1e-14;

/* q = x^8 - x, cos x + x^3 with x = t/4; u is the derivative by t. */
static void smooth(const il_exact *self, double t, int side, double *q, double *u) {
    double x = t / 4.0;
    (void)self;
    (void)side;
    q[0] = pow(x, 8.0) - x;
    q[1] = cos(x) + x * x * x;
    u[0] = (8.0 * pow(x, 7.0) - 1.0) / 4.0;
    u[1] = (3.0 * x * x - sin(x)) / 4.0;
}

/* q = |t - 1/2| and 1; u = sign(t - 1/2) and 0: a break that was not declared. */
static void bent(const il_exact *self, double t, int side, double *q, double *u) {
    (void)self;
    q[0] = fabs(t - 0.5);
    q[1] = 1.0;
    u[0] = t > 0.5 || (t == 0.5 && side > 0) ? 1.0 : -1.0;
    u[1] = 0.0;
}

/* q as smooth has it, u with a kink: either alone decides. */
static void bent_velocity(const il_exact *self, double t, int side, double *q, double *u) {
    smooth(self, t, side, q, u);
    u[1] = fabs(t - 0.5);
}

/* The first coordinate is a polynomial of degree 8; of the cosine, over x in [1/4, 3/8], the terms
 * left out are below (1/16)^9 / 9! = 4e-17. */
static void a_smooth_motion_is_summed_to_rounding(void) {
    const il_exact reference = {.name = "smooth", .eval = smooth};
    double room[2 * IL_EXPANSION_SIZE];
    il_expansion w = il_expansion_in(room, 2);
    CU_ASSERT_FATAL(il_expansion_make(&w, &reference, 1.0, 1.5));
    for (int k = 0; k <= 100; k++) {
        double t = 1.0 + k / 200.0;
        double q[2];
        double u[2];
        double f[2];
        smooth(&reference, t, 0, q, u);
        il_expansion_sum(&w, w.q, t, f);
        CU_ASSERT(fabs(f[0] - q[0]) <= ROUNDING && fabs(f[1] - q[1]) <= ROUNDING);
        il_expansion_sum(&w, w.u, t, f);
        CU_ASSERT(fabs(f[0] - u[0]) <= ROUNDING && fabs(f[1] - u[1]) <= ROUNDING);
    }
}

/* A kink inside, and an interval too long for degree 8. */
static void what_is_no_short_series_is_refused(void) {
    static const struct {
        void (*eval)(const il_exact *, double, int, double *, double *);
        double a, b;
        bool good;
    } cases[] = {{bent, 0.2, 0.9, false},
                 {bent, 0.5, 0.9, true}, /* the kink is at its end */
                 {bent_velocity, 0.2, 0.9, false},
                 {bent_velocity, 0.5, 0.9, true},
                 {smooth, 0.0, 40.0, false}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const il_exact reference = {.name = "bent", .eval = cases[k].eval};
        double room[2 * IL_EXPANSION_SIZE];
        il_expansion w = il_expansion_in(room, 2);
        CU_ASSERT_EQUAL(il_expansion_make(&w, &reference, cases[k].a, cases[k].b), cases[k].good);
    }
}

static const il_test tests[] = {
    {"a smooth motion is summed to rounding", a_smooth_motion_is_summed_to_rounding},
    {"what is no short series is refused", what_is_no_short_series_is_refused},
    {NULL, NULL}};

const il_suite il_suite_expansion = {"expansion", tests};
