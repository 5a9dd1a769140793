/*
 * test_hermite.c - motions between nodes: a quintic is its own interpolant, and breaks have two
 * sides.
 */
#include "harness/reference/hermite.h"

#include <math.h>
#include <stdlib.h>

#include "tests/support/suite.h"

/* Numbers below ten after some ten roundings. */
static const double ROUNDING = 1e-13;

/* Two coordinates of degree 5, their velocities and accelerations. */
static void quintic(double t, double *q, double *u, double *a) {
    q[0] = 1.0 + t * (2.0 + t * (-1.0 + t * (0.5 + t * (0.25 - 0.125 * t))));
    u[0] = 2.0 + t * (-2.0 + t * (1.5 + t * (1.0 - 0.625 * t)));
    a[0] = -2.0 + t * (3.0 + t * (3.0 - 2.5 * t));
    q[1] = -3.0 + t * t * t * (1.0 - 0.2 * t * t);
    u[1] = t * t * (3.0 - t * t);
    a[1] = t * (6.0 - 4.0 * t * t);
}

static void add(il_hermite *w, double t, const double *q, const double *u, const double *a) {
    il_hermite_add(w, t, q, u, a);
}

/* Nodes at 0, 1/2, 5/4, 2; between them, at them, and on their left. */
static void quintics_are_reproduced(void) {
    static const double at[4] = {0.0, 0.5, 1.25, 2.0};
    il_hermite w = {.d = 2};
    double q[2];
    double u[2];
    double a[2];
    for (size_t n = 0; n < 4; n++) {
        quintic(at[n], q, u, a);
        add(&w, at[n], q, u, a);
    }
    for (int k = 0; k <= 64; k++) {
        double t = k / 32.0;
        double x[2];
        double v[2];
        quintic(t, q, u, a);
        for (int side = -1; side <= 1; side++) {
            il_hermite_eval(&w, t, side, x, v);
            for (int i = 0; i < 2; i++) {
                CU_ASSERT(fabs(x[i] - q[i]) <= ROUNDING && fabs(v[i] - u[i]) <= ROUNDING);
            }
        }
    }
    il_hermite_free(&w);
}

/* A blow at 0, another at 1: what comes before a blow is read from
 * the left, what comes after it from the right. */
static void breaks_have_two_sides(void) {
    static const double zero[2] = {0.0, 0.0};
    static const double before[2] = {7.0, 8.0};
    static const double first[2] = {1.0, 2.0};
    static const double second[2] = {-1.0, 3.0};
    static const double there[2] = {0.0, 5.0};
    il_hermite w = {.d = 2};
    double q[2];
    double u[2];
    add(&w, 0.0, zero, before, zero);
    add(&w, 0.0, zero, first, zero);
    add(&w, 1.0, first, first, zero);
    add(&w, 1.0, first, second, zero);
    add(&w, 2.0, there, second, zero);
    il_hermite_eval(&w, 0.0, -1, q, u);
    CU_ASSERT(u[0] == 7.0 && u[1] == 8.0 && q[0] == 0.0 && q[1] == 0.0);
    il_hermite_eval(&w, 0.0, 1, q, u);
    CU_ASSERT(u[0] == 1.0 && u[1] == 2.0);
    il_hermite_eval(&w, 1.0, -1, q, u);
    CU_ASSERT(fabs(u[0] - 1.0) <= ROUNDING && fabs(u[1] - 2.0) <= ROUNDING);
    il_hermite_eval(&w, 1.0, 1, q, u);
    CU_ASSERT(u[0] == -1.0 && u[1] == 3.0 && q[0] == 1.0 && q[1] == 2.0);
    il_hermite_eval(&w, 1.5, 0, q, u);
    CU_ASSERT(fabs(q[0] - 0.5) <= ROUNDING && fabs(q[1] - 3.5) <= ROUNDING);
    il_hermite_free(&w);
}

/* Three times, and so many states, in an archive of a motion of d coordinates, of which two are
 * there: is it that of a motion of two? */
static bool is_loaded(size_t d, size_t states) {
    double *t = calloc(3, sizeof *t);
    double *state = calloc(6 * states, sizeof *state);
    CU_ASSERT_FATAL(t != NULL && state != NULL);
    size_t times = 3;
    size_t room = times;
    il_archive out = {.loading = false};
    il_archive_expect(&out, d);
    il_archive_array(&out, &t, &times, &room, sizeof *t);
    il_archive_array(&out, &state, &states, &states, 6 * sizeof *state);
    CU_ASSERT_FALSE(out.failed);
    il_archive in = {.loading = true, .bytes = out.bytes, .n = out.n};
    il_hermite w = {.d = 2};
    il_hermite_archive(&w, &in);
    CU_ASSERT(in.failed || w.nodes == times);
    il_hermite_free(&w);
    free(out.bytes);
    free(state);
    free(t);
    return !in.failed;
}

/* Otherwise what is behind the last state would be read. */
static void every_time_has_a_state(void) {
    CU_ASSERT(is_loaded(2, 3));
    CU_ASSERT_FALSE(is_loaded(2, 2));
    CU_ASSERT_FALSE(is_loaded(2, 4));
}

static void motions_of_others_are_refused(void) {
    CU_ASSERT_FALSE(is_loaded(1, 3));
    CU_ASSERT_FALSE(is_loaded(3, 3));
}

static const il_test tests[] = {{"quintics are reproduced", quintics_are_reproduced},
                                {"breaks have two sides", breaks_have_two_sides},
                                {"every time has a state", every_time_has_a_state},
                                {"motions of others are refused", motions_of_others_are_refused},
                                {NULL, NULL}};

const il_suite il_suite_hermite = {"hermite", tests};
