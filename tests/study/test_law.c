/*
 * test_law.c - constants of errors over phases: what is refused, what is found in data whose law is
 * known, and how often a law is refused that is true or off by a twentieth of its width.
 */
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

#include "harness/study/law/law.h"
#include "tests/support/suite.h"

enum { MOST = 2000 };

typedef struct {
    size_t n;
    double h[MOST], error[MOST], c[MOST];
    double events[2];
    size_t nevents;
} study;

/* Runs of N, N + 1, ... steps over [0,1], and the phases of t. */
static void make(study *s, size_t n, size_t N, double t) {
    memset(s, 0, sizeof *s);
    s->n = n;
    for (size_t k = 0; k < n; k++) {
        s->h[k] = 1.0 / (double)(N + k);
    }
    s->events[0] = t;
    s->nevents = 1;
}

static double phase(const study *s, size_t event, size_t k) {
    double x = s->events[event] / s->h[k];
    return x - floor(x);
}

static il_status find(study *s, double order, il_law *law, il_error *err) {
    const il_law_data data = {.n = s->n,
                              .h = s->h,
                              .error = s->error,
                              .order = order,
                              .events = s->events,
                              .nevents = s->nevents};
    return il_law_find(law, &data, s->c, err);
}

/* 2 theta (1 - theta) h^2: largest 1/2, mean 1/3, log mean log 2 - 2; below x a share of
 * 1 - sqrt(1 - 2 x). */
static void a_parabola_is_found(void) {
    static study s;
    il_law law;
    il_error err;
    make(&s, 1597, 1000, 0.5 * (sqrt(5.0) - 1.0));
    for (size_t k = 0; k < s.n; k++) {
        double theta = phase(&s, 0, k);
        s.error[k] = 2.0 * theta * (1.0 - theta) * s.h[k] * s.h[k];
    }
    CU_ASSERT_EQUAL_FATAL(find(&s, 2.0, &law, &err), IL_OK);
    double D = law.discrepancy;
    CU_ASSERT(D <= 2.0 / 1597.0 && law.widest <= 2.0 / 1597.0);
    CU_ASSERT(fabs(law.largest - 0.5) <= 1e-6 && law.least <= 2.0 * law.widest);
    CU_ASSERT(fabs(law.mean - 1.0 / 3.0) <= D); /* Koksma: the variation is 1 */
    CU_ASSERT(fabs(law.mean - 1.0 / 3.0) <= law.mean_within && law.mean_within <= 2.0 * D);
    CU_ASSERT(fabs(log(law.geometric) - (log(2.0) - 2.0)) <= 0.02);
    for (size_t j = 0; j < IL_LAW_QUANTILES; j++) {
        double share = 1.0 - sqrt(1.0 - 2.0 * fmin(law.quantile[j], 0.5));
        CU_ASSERT(fabs(share - il_law_shares[j]) <= 4.0 * D + 1.0 / 1597.0);
    }
    CU_ASSERT(law.atom_share == 0.0 && isnan(law.atom));
}

static void expect_refusal(study *s, double order, const char *words) {
    il_law law;
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL(find(s, order, &law, &err), IL_EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, words));
}

/* sqrt(2) - 1 and 3/2 - sqrt(2) spread alone, but add up to 1/2; with sqrt(3) - 1 it is not so. */
static void two_events_may_be_locked(void) {
    static study s;
    il_law law;
    il_error err;
    make(&s, 600, 1000, sqrt(2.0) - 1.0);
    s.nevents = 2;
    s.events[1] = 1.5 - sqrt(2.0);
    expect_refusal(&s, 1.0, "locked to each other");
    s.events[1] = sqrt(3.0) - 1.0;
    CU_ASSERT_EQUAL(find(&s, 1.0, &law, &err), IL_OK);
    CU_ASSERT(isnan(il_law_allowed(&law, 1)) && !il_law_decides(&law, 1) && isnan(law.mean_within));
}

/* Phases on lines, m_1 theta_1 + m_2 theta_2 = p/q: strips 1/(q max|m_i|) wide are empty. */
static void relations_between_two_events_are_locked(void) {
    static study s;
    static const struct {
        double factor, shift;
    } table[] = {{2.0, 0.0},    {3.0, 0.0},       {0.5, 0.5},       {-2.0, 1.0},
                 {1.5, -0.125}, {1.0 / 3.0, 0.5}, {1.0, 1.0 / 7.0}, {-1.0, 0.75},
                 {5.0, -1.0},   {1.5, 0.0},       {2.0 / 3.0, 0.1}, {1.0 / 5.0, 0.25}};
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        make(&s, 1000, 2000, sqrt(7.0) - 2.3);
        s.nevents = 2;
        s.events[1] = table[k].factor * s.events[0] + table[k].shift;
        bool thin =
            k == 4 || k >= 10; /* q max|m_i| = 8 3, 10 3 and 4 5: strips that are not seen */
        il_law law;
        il_error err;
        if (thin) {
            CU_ASSERT_EQUAL(find(&s, 1.0, &law, &err), IL_OK);
        } else {
            expect_refusal(&s, 1.0, "locked to each other");
        }
    }
}

/* c = frac(k theta) has k humps: {c <= x} is k intervals, and its share is off by 2 k D at most,
 * but by more than the 4 D that two would allow where the event is near a fraction. */
static void humps_widen_what_is_allowed(void) {
    static study s;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rng);
    size_t beyond_two = 0;
    size_t studies = 0;
    for (size_t run = 0; run < 200; run++) {
        enum { HUMPS = 16 };
        static double c[MOST];
        il_law law;
        il_error err;
        make(&s, 400, 800, (double)(1 + run % 15) / HUMPS + 1e-4 * gsl_rng_uniform(rng));
        for (size_t k = 0; k < s.n; k++) {
            double x = HUMPS * phase(&s, 0, k);
            s.error[k] = (x - floor(x)) * s.h[k];
        }
        if (find(&s, 1.0, &law, &err) != IL_OK) {
            continue;
        }
        for (size_t k = 0; k < s.n; k++) {
            c[k] = fmin(fmax(s.c[k], 0.0), 1.0);
        }
        double distance = il_law_distance(s.n, c, c);
        studies++;
        beyond_two += distance > il_law_allowed(&law, 2);
        CU_ASSERT(il_law_allowed(&law, HUMPS) == 2.0 * HUMPS * law.discrepancy);
        CU_ASSERT(distance <= il_law_allowed(&law, HUMPS) + 1e-12);
    }
    gsl_rng_free(rng);
    CU_ASSERT(studies >= 20 && beyond_two >= 1);
}

/* Two independent phases: theta_1 + theta_2 has the law of the convolution, a triangle. */
static void two_events_give_the_convolution(void) {
    static study s;
    il_law law;
    il_error err;
    make(&s, MOST, 1000, sqrt(2.0) - 1.0);
    s.nevents = 2;
    s.events[1] = sqrt(3.0) - 1.0;
    for (size_t k = 0; k < s.n; k++) {
        s.error[k] = (phase(&s, 0, k) + phase(&s, 1, k)) * s.h[k];
    }
    CU_ASSERT_EQUAL_FATAL(find(&s, 1.0, &law, &err), IL_OK);
    double worst = 0.0;
    for (size_t k = 0; k < s.n; k++) {
        double x = s.c[k];
        double F = x <= 1.0 ? 0.5 * x * x : 1.0 - 0.5 * (2.0 - x) * (2.0 - x);
        worst = fmax(worst, fabs(F - (double)k / (double)s.n));
    }
    CU_ASSERT(worst <= 0.02);
}

/* ---- how often ------------------------------------------------------------------------------ */

/* Constants and distribution functions of the page's laws: 2 theta (1 - theta); 2 theta; min(theta,
 * 1 - theta). */
static double constant(int kind, double theta) {
    return kind == 0   ? 2.0 * theta * (1.0 - theta)
           : kind == 1 ? 2.0 * theta
                       : fmin(theta, 1.0 - theta);
}

static double share(int kind, double c) {
    double x = kind == 0   ? 1.0 - sqrt(1.0 - 2.0 * fmin(fmax(c, 0.0), 0.5))
               : kind == 1 ? 0.5 * c
                           : 2.0 * c;
    return fmin(fmax(x, 0.0), 1.0);
}

static const double WIDTH[] = {0.5, 2.0, 0.5};

static double distance(const study *s, int kind, double shift) {
    static double low[MOST];
    static double high[MOST];
    double slack = 1e-3 * WIDTH[kind];
    for (size_t k = 0; k < s->n; k++) {
        low[k] = share(kind, s->c[k] - shift - slack);
        high[k] = share(kind, s->c[k] - shift + slack);
    }
    return il_law_distance(s->n, low, high);
}

/* 200 studies of 1000 runs of each law, events anywhere, with errors off by a term of the next
 * order: no true law is refused; one that is off by a twentieth is, wherever the phases decide. */
static void true_laws_pass_and_shifted_ones_fail(void) {
    static study s;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rng);
    size_t studies = 0;
    size_t decided = 0;
    size_t alarms = 0;
    size_t missed = 0;
    for (size_t run = 0; run < 600; run++) {
        int kind = (int)(run % 3);
        il_law law;
        il_error err;
        make(&s, 1000, 2000 + gsl_rng_uniform_int(rng, 2000), gsl_rng_uniform(rng));
        double next = 2.0 * gsl_rng_uniform(rng) - 1.0;
        for (size_t k = 0; k < s.n; k++) {
            s.error[k] = constant(kind, phase(&s, 0, k)) * s.h[k] * (1.0 + next * s.h[k]);
        }
        if (find(&s, 1.0, &law, &err) != IL_OK) {
            continue; /* locked */
        }
        double allowed = il_law_allowed(&law, IL_LAW_HUMPS);
        double side = run % 2 == 0 ? 0.05 : -0.05;
        bool decides = il_law_decides(&law, IL_LAW_HUMPS);
        studies++;
        decided += decides;
        alarms += !(distance(&s, kind, 0.0) <= allowed);
        missed += decides && distance(&s, kind, side * WIDTH[kind]) <= allowed;
    }
    gsl_rng_free(rng);
    CU_ASSERT(studies >= 500 && decided >= 200);
    CU_ASSERT(100 * alarms <= studies);
    CU_ASSERT(100 * missed <= decided);
}

static void not_a_number_is_not_near(void) {
    CU_ASSERT(isnan(il_law_distance(2, (const double[]){0.0, NAN}, (const double[]){1.0, 1.0})));
}

static const il_test tests[] = {
    {"a parabola is found", a_parabola_is_found},
    {"two events may be locked", two_events_may_be_locked},
    {"relations between two events are locked", relations_between_two_events_are_locked},
    {"humps widen what is allowed", humps_widen_what_is_allowed},
    {"two events give the convolution", two_events_give_the_convolution},
    {"true laws pass, shifted ones fail", true_laws_pass_and_shifted_ones_fail},
    {"NaN is not near", not_a_number_is_not_near},
    {NULL, NULL}};

const il_suite il_suite_law = {"law", tests};
