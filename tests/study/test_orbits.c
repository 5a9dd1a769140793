/*
 * test_orbits.c - periodic orbits of nonuniqueness over an octave against closed forms: which
 * attract, with what multiplier, where they coexist; the exact motion against the exact solutions.
 */
#include "harness/study/limits/orbits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/half_line.h"
#include "tests/support/suite.h"

/* States of O(1) after some ten roundings an octave. */
static const double ROUNDING = 1e-13;

/* The orbit of this period, attracting or not, with a state near x; NULL. */
static const il_orbit *orbit_of(const il_orbits *orbits, int period, double q, double u) {
    for (size_t o = 0; o < orbits->n; o++) {
        const il_orbit *w = &orbits->list[o];
        for (int i = 0; i < period && w->period == period; i++) {
            if (fabs(w->states[2 * i] - q) <= ROUNDING &&
                fabs(w->states[2 * i + 1] - u) <= ROUNDING) {
                return w;
            }
        }
    }
    return NULL;
}

static void expect_text(const il_rational *x, const char *text) {
    char *own = il_rational_text(x);
    CU_ASSERT_STRING_EQUAL(own, text);
    free(own);
}

/* r of C for 4/3 < alpha < 3, and its state at t = 1: from the wall at 3/2 - r, r^2/2 and r at 3/2,
 * then pulled for 1/2. */
static double take_off(double alpha) {
    double b = 2.0 * alpha - 1.0;
    return 0.5 * (sqrt(b * b - 4.0 + 5.0 * alpha) - b);
}

static void state_after(double r, double alpha, double *z) {
    z[0] = (0.5 * r * r + 0.5 * r - alpha / 8.0) / 4.0;
    z[1] = 0.5 * (r - 0.5 * alpha);
}

/* Maury, by hand: from rest (0,0) comes (0.15, -0.4) at twice the time, that is (3/80, -1/5), and
 * from there rest. */
static void a_and_b_close_in_rational_numbers(void) {
    il_half_line f = il_half_line_new(1.8, 100);
    const il_orbit *w = orbit_of(&f.orbits, 2, 0.0, 0.0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w);
    CU_ASSERT(w->multiplier == 0.0);
    CU_ASSERT_EQUAL(w->starts, 100);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w->rational);
    expect_text(w->rational[0], "0");
    expect_text(w->rational[1], "0");
    expect_text(w->rational[2], "3/80");
    expect_text(w->rational[3], "-1/5");
    double z[2];
    double r = take_off(1.8);
    state_after(r, 1.8, z);
    const il_orbit *c = orbit_of(&f.orbits, 1, z[0], z[1]);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT(fabs(c->multiplier + (1.5 - r) / (1.8 - 2.0 + 2.0 * r)) <= 1e-11);
    CU_ASSERT_FALSE(il_orbit_attracts(c));
    CU_ASSERT_EQUAL(c->starts, 0);
    CU_ASSERT_PTR_NULL(c->rational);
    il_half_line_free(&f);
}

/* Without contact the motion is affine: ((7 - 5 alpha)/24, (1 - alpha)/2), eigenvalues 1/4, 1/2. */
static void a_motion_without_contact_closes_too(void) {
    il_half_line f = il_half_line_new(1.2, 50);
    const il_orbit *w = orbit_of(&f.orbits, 1, 1.0 / 24.0, -0.1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w);
    CU_ASSERT_EQUAL(f.orbits.n, 1);
    CU_ASSERT(fabs(w->multiplier - 0.5) <= ROUNDING);
    CU_ASSERT_EQUAL(w->starts, 50);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w->rational);
    expect_text(w->rational[0], "1/24");
    expect_text(w->rational[1], "-1/10");
    il_half_line_free(&f);
}

/* Each state leads to the next and the last to the first, which is the smallest. */
static void states_follow_one_another(void) {
    static const double alphas[] = {1.2, 1.608, 1.8, 2.16};
    size_t longest = 0;
    for (int k = 0; k < 4; k++) {
        il_half_line f = il_half_line_new(alphas[k], 100);
        for (size_t o = 0; o < f.orbits.n; o++) {
            const il_orbit *w = &f.orbits.list[o];
            longest = w->period > (int)longest ? (size_t)w->period : longest;
            for (int i = 0; i < w->period; i++) {
                const double *to = w->states + 2 * ((i + 1) % w->period);
                double next[2];
                il_orbits_step(f.made.problem, w->states + 2 * i, next, NULL);
                /* the last was closed by Newton's method to 1e-13 an octave */
                CU_ASSERT(fabs(next[0] - to[0]) <= 4.0 * ROUNDING);
                CU_ASSERT(fabs(next[1] - to[1]) <= 4.0 * ROUNDING);
                CU_ASSERT(w->states[0] <= w->states[2 * i]);
            }
        }
        il_half_line_free(&f);
    }
    CU_ASSERT(longest >= 4);
}

/* The orbit of period 4 from rest: two octaves without contact, z -> ((q + u + (3 - alpha)/8)/4,
 * (u + (1 - alpha)/2)/2); in the third it lands at s, u s + s^2/2 = -q, takes off 1/2 - s before
 * the push ends; in the fourth it lands pulled and rests. */
static const il_orbit *four(const il_orbits *orbits, double alpha, double *r) {
    double q = (23.0 - 13.0 * alpha) / 128.0;
    double u = 3.0 * (1.0 - alpha) / 8.0;
    *r = 0.5 + u + sqrt(u * u - 2.0 * q);
    return orbit_of(orbits, 4, q, u);
}

/* A and B attract from 77/48 = 1.60417 on; the orbit of period 4 beside them, until its last
 * landing falls on the end of the octave: 4 r^2 + 20 r + 12 = 13 alpha, with r of above, that is
 * 64 r^3 + 548 r^2 - 540 r + 125 = 0. */
static void an_orbit_of_period_four_coexists(void) {
    double low = 0.4;
    double high = 0.45;
    for (int k = 0; k < 60; k++) {
        double r = 0.5 * (low + high);
        if (((64.0 * r + 548.0) * r - 540.0) * r + 125.0 > 0.0) {
            low = r;
        } else {
            high = r;
        }
    }
    double end = (4.0 * low * low + 20.0 * low + 12.0) / 13.0;
    double r = 0.0;
    CU_ASSERT(fabs(end - 1.6097) <= 1e-4);
    const double both[] = {1.605, 1.608, end - 1e-6};
    for (int k = 0; k < 3; k++) {
        il_half_line f = il_half_line_new(both[k], 100);
        const il_orbit *w = four(&f.orbits, both[k], &r);
        CU_ASSERT_PTR_NOT_NULL_FATAL(w);
        CU_ASSERT(w->multiplier == 0.0 && w->starts >= 10);
        size_t others = 0;
        for (size_t o = 0; o < f.orbits.n; o++) {
            others += il_orbit_attracts(&f.orbits.list[o]) && f.orbits.list[o].period == 2 &&
                      f.orbits.list[o].starts >= 10;
        }
        CU_ASSERT_EQUAL(others, 1);
        il_half_line_free(&f);
    }
    il_half_line f = il_half_line_new(end + 1e-6, 100);
    CU_ASSERT_PTR_NULL(four(&f.orbits, end + 1e-6, &r));
    il_half_line_free(&f);
}

/* With alpha = 2.16, in [43/20, 2.165592], C attracts slowly beside A and B, of which the octaves
 * from rest give ((3 - alpha)/32, (1 - alpha)/4). */
static void c_attracts_slowly_beside_a_and_b(void) {
    il_half_line f = il_half_line_new(2.16, 200);
    double z[2];
    double r = take_off(2.16);
    state_after(r, 2.16, z);
    const il_orbit *c = orbit_of(&f.orbits, 1, z[0], z[1]);
    const il_orbit *a = orbit_of(&f.orbits, 2, 0.84 / 32.0, -0.29);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT_PTR_NOT_NULL_FATAL(a);
    CU_ASSERT(fabs(c->multiplier + (1.5 - r) / (0.16 + 2.0 * r)) <= 1e-11);
    CU_ASSERT(fabs(c->multiplier + 0.988) <= 5e-4);
    CU_ASSERT(a->multiplier == 0.0);
    CU_ASSERT(c->starts >= 20 && a->starts >= 20);
    CU_ASSERT_EQUAL(c->starts + a->starts, 200);
    il_half_line_free(&f);
}

/* ---- the motion ----------------------------------------------------------------------------- */

/* The exact solutions at t0 go to those at t1, whatever lies between. */
static void the_motion_is_that_of_the_exact_solutions(void) {
    static const double alphas[] = {1.2, 1.7, 1.8, 2.1, 2.5, 3.5};
    for (int k = 0; k < 6; k++) {
        char set[64];
        (void)snprintf(set, sizeof set, "alpha=%.17g", alphas[k]);
        il_test_problem made =
            il_test_problem_new("nonuniqueness", 0.0, (const char *const[]){set, NULL});
        const il_problem *p = made.problem;
        for (size_t e = 0; e < p->nexact; e++) {
            for (int i = 0; i < 5; i++) {
                double t0 = 0.3 + 0.37 * i;
                for (int j = 0; t0 + 0.29 * j <= 4.0; j++) {
                    double t1 = t0 + 0.29 * j;
                    double z[2];
                    double z1[2];
                    double to[2];
                    p->exact[e].eval(&p->exact[e], t0, 1, &z[0], &z[1]);
                    p->exact[e].eval(&p->exact[e], t1, 1, &to[0], &to[1]);
                    p->type->scaling->flow(p, t0, z, t1, z1, NULL);
                    /* Solutions repel by 2 an octave at most. */
                    CU_ASSERT(fabs(z1[0] - to[0]) <= 100.0 * ROUNDING);
                    CU_ASSERT(fabs(z1[1] - to[1]) <= 100.0 * ROUNDING);
                }
            }
        }
        il_test_problem_free(&made);
    }
}

/* From any time the motion arrives at the next power of two. */
static void states_arrive_at_the_next_octave(void) {
    il_test_problem made = il_test_problem_new("nonuniqueness", 64.0, NULL);
    const il_exact *B = &made.problem->exact[1];
    static const double t[] = {0.26, 0.5, 1.0, 3.9, 4.0, 33.0};
    static const int k[] = {-1, -1, 0, 2, 2, 6};
    for (int i = 0; i < 6; i++) {
        double z[2];
        double x[3] = {0.0, 0.0, 1.0}; /* a state, and what lies behind it */
        double one[2];
        B->eval(B, t[i], 1, &z[0], &z[1]);
        CU_ASSERT_EQUAL(il_orbits_arrive(made.problem, t[i], &z[0], &z[1], x), k[i]);
        B->eval(B, ldexp(1.0, k[i] & 1), 1, &one[0], &one[1]); /* period 2 */
        CU_ASSERT(fabs(x[0] - ldexp(one[0], -2 * (k[i] & 1))) <= ROUNDING);
        CU_ASSERT(fabs(x[1] - ldexp(one[1], -(k[i] & 1))) <= ROUNDING);
        CU_ASSERT(x[2] == 1.0);
    }
    il_test_problem_free(&made);
}

/* A state beside C falls to A or B, with the index of where the solution is at t = 1; the sides are
 * told apart, and within the radius of both none is named. */
static void states_beside_c_fall_to_a_or_b(void) {
    il_half_line f = il_half_line_new(1.8, 50);
    double z[2];
    state_after(take_off(1.8), 1.8, z);
    il_orbits_end side[2];
    for (int s = 0; s < 2; s++) {
        double x[2] = {z[0] + (s == 0 ? -1e-3 : 1e-3), z[1]};
        side[s] = il_orbits_settle(&f.orbits, x, 1e-4);
        CU_ASSERT_NOT_EQUAL_FATAL(side[s].orbit, IL_ORBITS_NONE);
        CU_ASSERT_EQUAL(f.orbits.list[side[s].orbit].period, 2);
        CU_ASSERT_EQUAL(il_orbits_settle(&f.orbits, x, 5e-3).orbit, IL_ORBITS_NONE);
        /* one period on the index is the other one */
        double next[2];
        il_orbits_step(f.made.problem, x, next, NULL);
        CU_ASSERT_EQUAL(il_orbits_follow(&f.orbits, next).index, 1 - side[s].index);
    }
    CU_ASSERT_EQUAL(side[0].index, 1 - side[1].index);
    il_half_line_free(&f);
}

static void other_problems_have_none(void) {
    il_test_problem made = il_test_problem_new("bouncing_ball", 0.0, NULL);
    il_orbits orbits = {0};
    il_orbits_search search = {0};
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL(il_orbits_find(&orbits, made.problem, NULL, &search, &err), IL_EUNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "bouncing_ball"));
    il_orbits_free(&orbits);
    il_test_problem_free(&made);
}

static const il_test tests[] = {
    {"states follow one another", states_follow_one_another},
    {"A and B close in rational numbers, C repels", a_and_b_close_in_rational_numbers},
    {"a motion without contact closes too", a_motion_without_contact_closes_too},
    {"an orbit of period 4 coexists with A and B", an_orbit_of_period_four_coexists},
    {"C attracts slowly beside A and B", c_attracts_slowly_beside_a_and_b},
    {"the motion is that of the exact solutions", the_motion_is_that_of_the_exact_solutions},
    {"states arrive at the next octave", states_arrive_at_the_next_octave},
    {"states beside C fall to A or B", states_beside_c_fall_to_a_or_b},
    {"other problems have none", other_problems_have_none},
    {NULL, NULL}};

const il_suite il_suite_orbits = {"orbits", tests};
