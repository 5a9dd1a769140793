/*
 * test_modes.c - normal modes diagonalise what they are modes of, up to the largest system and with
 * any coordinate held; swings are the series of sines and cosines.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "harness/base/metric.h"
#include "problems/modal/modal.h"
#include "tests/support/suite.h"

/* A step of some n rotations, n^2 terms of size one each: 64^2 roundings and a factor of ten. */
static const double ROUNDING = 1e-11;

enum { TERMS = 30 };

typedef struct {
    size_t d;
    il_modal_system system;
    il_metric *mass;
    double *M, *K; /* [d][d] */
} stage;

static double uniform(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return 2.0 * (double)(*state >> 8) * 0x1p-24 - 1.0;
}

/* A[d][d] = sum of `rank` squares x x', and `bare` on the diagonal. */
static void add_squares(double *A, size_t d, size_t rank, double bare, unsigned *state) {
    double *x = calloc(d, sizeof *x);
    CU_ASSERT_PTR_NOT_NULL_FATAL(x);
    for (size_t r = 0; r < rank; r++) {
        for (size_t i = 0; i < d; i++) {
            x[i] = uniform(state);
        }
        for (size_t e = 0; e < d * d; e++) {
            A[e] += x[e / d] * x[e % d];
        }
    }
    for (size_t i = 0; i < d; i++) {
        A[i * d + i] += bare;
    }
    free(x);
}

static void open_stage(stage *s, size_t d, size_t rank, unsigned *state) {
    *s = (stage){.d = d};
    s->M = calloc(2 * d * d, sizeof *s->M);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s->M);
    s->K = s->M + d * d;
    add_squares(s->M, d, d, 1.0, state);
    add_squares(s->K, d, rank, 0.0, state);
    CU_ASSERT_EQUAL_FATAL(il_metric_dense(&s->mass, d, s->M, NULL), IL_OK);
    s->system = (il_modal_system){.d = d, .M = s->M, .K = s->K, .mass = s->mass};
}

static void close_stage(stage *s) {
    il_metric_destroy(s->mass);
    free(s->M);
}

/* (V' A V)_ij */
static double product(const stage *s, const il_modes *m, const double *A, size_t i, size_t j) {
    double sum = 0.0;
    for (size_t e = 0; e < s->d * s->d; e++) {
        sum += m->V[e / s->d * m->n + i] * A[e] * m->V[e % s->d * m->n + j];
    }
    return sum;
}

/* With coordinate k held, or none for k = d; the stiffness has `rank` modes that are not free. */
static void expect_modes(const stage *s, size_t k, size_t rank) {
    size_t n = k < s->d ? s->d - 1 : s->d;
    double *room = calloc(s->d * n + 2 * n + 1, sizeof *room);
    CU_ASSERT_PTR_NOT_NULL_FATAL(room);
    il_modes m = {.n = n, .V = room, .omega = room + s->d * n, .w = room + (s->d + 1) * n};
    size_t still = 0;
    CU_ASSERT_EQUAL_FATAL(il_modes_find(&m, &s->system, k, NULL), IL_OK);
    for (size_t i = 0; i < n; i++) {
        still += m.omega[i] == 0.0;
        CU_ASSERT(m.omega[i] >= 0.0 && (k == s->d || m.V[k * n + i] == 0.0));
        for (size_t j = 0; j <= i; j++) {
            double square = i == j ? m.omega[i] * m.omega[i] : 0.0;
            CU_ASSERT(fabs(product(s, &m, s->M, i, j) - (i == j)) <= ROUNDING);
            CU_ASSERT(fabs(product(s, &m, s->K, i, j) - square) <= ROUNDING);
        }
    }
    CU_ASSERT_EQUAL(still, rank < n ? n - rank : 0);
    free(room);
}

static void modes_diagonalise_mass_and_stiffness(void) {
    unsigned state = 11;
    stage s;
    for (size_t d = 1; d <= 6; d++) {
        for (size_t rank = d > 2 ? d - 2 : 1; rank <= d; rank++) {
            open_stage(&s, d, rank, &state);
            for (size_t k = 0; k <= d; k++) {
                expect_modes(&s, k, rank);
            }
            close_stage(&s);
        }
    }
}

/* A product a mode: the squares of all of 64 would take seconds. */
static void the_largest_system_has_its_modes(void) {
    enum { D = IL_MODAL_MAX };
    unsigned state = 12;
    stage s;
    open_stage(&s, D, D, &state);
    for (size_t k = 0; k <= D; k += D / 2) {
        size_t n = k < D ? D - 1 : D;
        double *room = calloc(D * n + 2 * n, sizeof *room);
        CU_ASSERT_PTR_NOT_NULL_FATAL(room);
        il_modes m = {.n = n, .V = room, .omega = room + D * n, .w = room + (D + 1) * n};
        CU_ASSERT_EQUAL_FATAL(il_modes_find(&m, &s.system, k, NULL), IL_OK);
        for (size_t i = 0; i < n; i++) {
            double square = product(&s, &m, s.K, i, i);
            CU_ASSERT(fabs(product(&s, &m, s.M, i, i) - 1.0) <= ROUNDING);
            CU_ASSERT(fabs(product(&s, &m, s.M, i, (i + 1) % n)) <= ROUNDING);
            CU_ASSERT(fabs(square - m.omega[i] * m.omega[i]) <= ROUNDING * (1.0 + square));
        }
        free(room);
    }
    close_stage(&s);
}

/* s^m times the sum of (-x^2)^k/(m + 2k)!, x = omega s: m = 1, 2, 3 are S, C and D. */
static double series(double omega, double s, int m) {
    long double term = 1.0L;
    long double sum = 0.0L;
    for (int k = 1; k <= m; k++) {
        term *= (long double)s / k;
    }
    for (int k = 0; k < TERMS; k++) {
        long double x = (long double)omega * s;
        sum += term;
        term *= -x * x / ((m + 2 * k + 1) * (m + 2 * k + 2));
    }
    return (double)sum;
}

/* Relative to the first term, whatever omega s up to 3: a few roundings of each, and of the sine
 * and its argument. */
static void swings_are_their_series(void) {
    static const double times[] = {1e-3, 0.7, 40.0};
    for (int i = 0; i < 3; i++) {
        double s = times[i];
        il_swing still = il_swing_after(0.0, s);
        CU_ASSERT(fabs(still.S - s) <= DBL_EPSILON * s);
        CU_ASSERT(fabs(still.C - s * s / 2.0) <= 2.0 * DBL_EPSILON * s * s);
        CU_ASSERT(fabs(still.D - s * s * s / 6.0) <= 2.0 * DBL_EPSILON * s * s * s);
        for (int n = 0; n < 83; n++) { /* up to 2.2 */
            double x = 1e-9 * pow(1.3, n);
            il_swing w = il_swing_after(x / s, s);
            CU_ASSERT(fabs(w.S - series(x / s, s, 1)) <= 16.0 * DBL_EPSILON * s);
            CU_ASSERT(fabs(w.C - series(x / s, s, 2)) <= 16.0 * DBL_EPSILON * s * s);
            CU_ASSERT(fabs(w.D - series(x / s, s, 3)) <= 16.0 * DBL_EPSILON * s * s * s);
        }
    }
}

static const il_test tests[] = {
    {"modes diagonalise mass and stiffness", modes_diagonalise_mass_and_stiffness},
    {"the largest system has its modes", the_largest_system_has_its_modes},
    {"swings are their series", swings_are_their_series},
    {NULL, NULL}};

extern const il_suite il_suite_modes;
const il_suite il_suite_modes = {"modes", tests};
