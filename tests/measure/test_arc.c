/*
 * test_arc.c - the errors against smooth references that are no parabolas, against closed forms:
 * integrals of norms with kinks, and expansions over many steps.
 */
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

#include "harness/measure/deviation.h"
#include "tests/support/suite.h"

/* Curves whose speed nearly vanishes somewhere, so that |u| has a kink or nearly one, and bends:
 * with x = exp(t) - c and e > 0,
 *
 *     plane   u = x' (x, e):       int |u| = [x sqrt(x^2 + e^2) + e^2 asinh(x/e)]/2
 *     passes  u = x' (x^2 - e^2):  int |u| = sums of |x^3/3 - e^2 x| between its two zeros
 *     stays   u = x' (x^2 + e^2):  int |u| = [x^3/3 + e^2 x]. */
typedef struct {
    int kind;
    double c, e;
} narrow;

enum { PLANE, PASSES, STAYS, KINDS };

static void narrow_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const narrow *n = exact->data;
    (void)side;
    double rate = exp(t);
    double x = rate - n->c;
    double square = n->e * n->e;
    if (n->kind == PLANE) {
        q[0] = 0.5 * x * x;
        q[1] = n->e * x;
        u[0] = rate * x;
        u[1] = rate * n->e;
    } else {
        double sign = n->kind == PASSES ? -1.0 : 1.0;
        q[0] = x * x * x / 3.0 + sign * square * x;
        u[0] = rate * (x * x + sign * square);
    }
}

/* int |u| from where x = 0 to x, odd in x. */
static long double narrow_length(const narrow *n, long double x) {
    long double e = n->e;
    if (n->kind == PLANE) {
        return 0.5L * (x * sqrtl(x * x + e * e) + e * e * asinhl(x / e));
    }
    if (n->kind == STAYS) {
        return x * x * x / 3.0L + e * e * x;
    }
    long double y = fabsl(x);
    long double inner = e * e * y - y * y * y / 3.0L;
    return copysignl(y <= e ? inner : 4.0L / 3.0L * e * e * e - inner, x);
}

/* The accuracy that deviation.h says. */
static const double PROMISED = 1e-12;

static void kinks_and_near_kinks_are_integrated(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static const double breaks[2] = {0.0, 1.0};
    static const double rest[2] = {0.0, 0.0};
    for (int trial = 0; trial < 2400; trial++) {
        narrow n = {.kind = trial % KINDS, .e = pow(10.0, -1.0 - (trial / KINDS) % 12)};
        n.c = exp(gsl_rng_uniform(rng)); /* x = 0 somewhere in the horizon */
        il_exact exact = {.name = "narrow",
                          .origin = "closed form",
                          .quadratic = false,
                          .nbreaks = 2,
                          .breaks = breaks,
                          .eval = narrow_eval,
                          .data = &n};
        il_deviation *w = NULL;
        size_t d = n.kind == PLANE ? 2 : 1;
        w = il_deviation_create(&exact, d);
        size_t steps = 1 + gsl_rng_uniform_int(rng, 9);
        for (size_t k = 0; k < steps; k++) {
            il_deviation_step(w, (double)k / (double)steps, (double)(k + 1) / (double)steps, rest,
                              rest, rest, NULL);
        }
        double got = il_deviation_finish(w).u_L1;
        il_deviation_destroy(w);
        long double end = expl(1.0L);
        long double whole = narrow_length(&n, end - n.c) - narrow_length(&n, 1.0L - n.c);
        CU_ASSERT(fabs(got - (double)whole) <= PROMISED * (double)whole);
    }
    gsl_rng_free(rng);
}

/* u = (t - 1/2)^3 on one step: it meets its chord in the middle, and is not straight.
 * int |u| = 2 int_0^{1/2} s^3 = 1/32. */
static void odd_cubic(const il_exact *exact, double t, int side, double *q, double *u) {
    double s = t - 0.5;
    (void)exact;
    (void)side;
    q[0] = 0.25 * s * s * s * s;
    u[0] = s * s * s;
}

static void what_meets_its_chord_is_not_straight(void) {
    static const double breaks[2] = {0.0, 1.0};
    const double rest = 0.0;
    il_exact exact = {.name = "cubic",
                      .origin = "closed form",
                      .quadratic = false,
                      .nbreaks = 2,
                      .breaks = breaks,
                      .eval = odd_cubic};
    il_deviation *w = NULL;
    w = il_deviation_create(&exact, 1);
    il_deviation_step(w, 0.0, 1.0, &rest, &rest, &rest, NULL);
    CU_ASSERT(fabs(il_deviation_finish(w).u_L1 - 1.0 / 32.0) <= PROMISED / 32.0);
    il_deviation_destroy(w);
}

/* u = cos t, q = sin t up to pi/2; counts how often it is asked. */
static void swing(const il_exact *exact, double t, int side, double *q, double *u) {
    int *asked = *(int *const *)exact->data;
    (void)side;
    q[0] = sin(t);
    u[0] = cos(t);
    ++*asked;
}

enum { SWINGS = 300 };

/* Steps n with the velocity of their middle, through the true positions at nodes. */
static void swing_steps(il_deviation *w) {
    double h = M_PI_2 / SWINGS;
    for (int n = 0; n < SWINGS; n++) {
        double q0 = sin(n * h);
        double q1 = sin((n + 1) * h);
        double u = cos((n + 0.5) * h);
        il_deviation_step(w, n * h, (n + 1) * h, &q0, &q1, &u, NULL);
    }
}

/* In a step int |cos t_m - cos t| = 2 sin t_m - sin t_0 - sin t_1, and a chord is farthest from the
 * sine where its slope is that of the chord, in the last step most. */
static void steps_share_an_expansion(void) {
    static const double breaks[2] = {0.0, M_PI_2};
    int asked = 0;
    int *counter = &asked;
    il_exact exact = {.name = "swing",
                      .origin = "closed form",
                      .nbreaks = 2,
                      .breaks = breaks,
                      .eval = swing,
                      .data = (const void *)&counter};
    il_deviation *w = NULL;
    w = il_deviation_create(&exact, 1);
    swing_steps(w);
    CU_ASSERT(asked < SWINGS);
    il_deviation_result r = il_deviation_finish(w);

    long double h = (long double)M_PI_2 / SWINGS;
    long double sum = 0.0L;
    for (int n = 0; n < SWINGS; n++) {
        sum += 2.0L * sinl((n + 0.5L) * h) - sinl(n * h) - sinl((n + 1) * h);
    }
    long double t0 = (SWINGS - 1) * h;
    long double slope = (1.0L - sinl(t0)) / h;
    long double t = acosl(slope);
    long double sup = sinl(t) - sinl(t0) - (t - t0) * slope;
    /* both up to the rounding of numbers of size one */
    CU_ASSERT(fabs(r.u_L1 - (double)sum) <= PROMISED * (double)sum + 2e-15 * M_PI_2);
    CU_ASSERT(fabs(r.q_Linf - (double)sup) <= 2e-15);
    il_deviation_destroy(w);
}

static const il_test tests[] = {
    {"kinks and near kinks are integrated", kinks_and_near_kinks_are_integrated},
    {"steps share an expansion", steps_share_an_expansion},
    {"what meets its chord is not straight", what_meets_its_chord_is_not_straight},
    {NULL, NULL}};

const il_suite il_suite_arc = {"arc", tests};
