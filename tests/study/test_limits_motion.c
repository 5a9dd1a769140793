/*
 * test_limits_motion.c - ensembles of runs of Maury's example for other alpha, judged by its exact
 * motion: what attracts is known from closed forms (test_orbits.c), and nothing else may be found.
 */
#include "harness/study/limits/limits_motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/half_line.h"
#include "tests/support/suite.h"

enum { RUNS_MAX = 120 };

typedef struct {
    il_half_line line;
    size_t n;
    il_limits_step steps[RUNS_MAX];
    il_limits_end ends[RUNS_MAX];
    il_limits before; /* by clusters alone */
    il_limits limits;
} ensemble;

/* phases c = 1, 1 + 1/phases, ... at levels first to last. */
static ensemble *ensemble_new(double alpha, int phases, int first, int last) {
    ensemble *e = calloc(1, sizeof *e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(e);
    static il_trajectory runs[RUNS_MAX];
    e->line = il_half_line_new(alpha, 100);
    double T = INFINITY;
    for (int m = first; m <= last; m++) {
        for (int k = 0; k < phases; k++) {
            double c = 1.0 + (double)k / phases;
            double h = ldexp(c, -m);
            double t = 0.0;
            double q = 0.0;
            double u = 0.0;
            CU_ASSERT_EQUAL_FATAL(il_trajectory_init(&runs[e->n], 1, (size_t)(4.0 / h) + 2, NULL),
                                  IL_OK);
            il_half_line_run(e->line.made.problem, h, &t, &q, &u, &runs[e->n]);
            e->steps[e->n] = (il_limits_step){.h = h, .c = c, .m = m};
            e->ends[e->n++] = il_limits_end_of(&e->line.orbits, 4.0, h, t, &q, &u);
            T = fmin(T, t);
        }
    }
    double *D = calloc(e->n * e->n, sizeof *D);
    CU_ASSERT_PTR_NOT_NULL_FATAL(D);
    for (size_t i = 0; i < e->n; i++) {
        for (size_t j = 0; j < i; j++) {
            D[i * e->n + j] = D[j * e->n + i] =
                il_limits_distance(&runs[i], &runs[j], T, IL_LIMITS_U_L1);
        }
    }
    CU_ASSERT_EQUAL_FATAL(il_limits_analyse(&e->limits, e->steps, D, e->n, NULL), IL_OK);
    e->before.verdict = e->limits.verdict;
    e->before.nlimits = e->limits.nlimits;
    il_limits_judge(&e->limits, e->steps, &e->line.orbits, e->ends);
    for (size_t i = 0; i < e->n; i++) {
        il_trajectory_free(&runs[i]);
    }
    free(D);
    return e;
}

static void ensemble_free(ensemble *e) {
    il_limits_free(&e->limits);
    il_half_line_free(&e->line);
    free(e);
}

/* Only C attracts at 1.2 and 2.5, A and B alone at 1.7 and 1.8. */
static void limits_that_are_there_stay(void) {
    static const struct {
        double alpha;
        size_t limits;
    } table[] = {{1.2, 1}, {1.7, 2}, {1.8, 2}, {2.5, 1}, {3.5, 1}};
    for (int k = 0; k < 5; k++) {
        ensemble *e = ensemble_new(table[k].alpha, 12, 6, 11);
        CU_ASSERT_EQUAL(e->limits.nlimits, table[k].limits);
        CU_ASSERT_EQUAL(e->limits.verdict,
                        table[k].limits == 1 ? IL_LIMITS_ONE : IL_LIMITS_SEVERAL);
        CU_ASSERT_PTR_NOT_NULL(strstr(e->limits.evidence, "the exact motion agrees"));
        ensemble_free(e);
    }
}

/* alpha = 2.16: C attracts by -0.988 an octave, so that six levels look like three limits, all of
 * them on the way to C; eight levels like seven, of which C, A and B are three. */
static void transients_are_no_limits(void) {
    ensemble *e = ensemble_new(2.16, 12, 6, 11);
    CU_ASSERT_EQUAL(e->before.verdict, IL_LIMITS_SEVERAL);
    CU_ASSERT_EQUAL(e->before.nlimits, 3);
    CU_ASSERT_EQUAL(e->limits.verdict, IL_LIMITS_INCONCLUSIVE);
    CU_ASSERT_EQUAL(e->limits.nlimits, 0);
    for (size_t k = 0; k < e->limits.nclusters; k++) {
        const il_limits_cluster *c = &e->limits.clusters[k];
        CU_ASSERT(c->transient);
        CU_ASSERT_NOT_EQUAL_FATAL(c->orbit, IL_LIMITS_NONE);
        CU_ASSERT_EQUAL(e->line.orbits.list[c->orbit].period, 1);
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(e->limits.evidence, "a transient that falls to"));
    CU_ASSERT_PTR_NOT_NULL(strstr(e->limits.evidence, "multiplier -0.988"));
    ensemble_free(e);
    e = ensemble_new(2.16, 12, 6, 13);
    CU_ASSERT(e->before.nlimits >= 4);
    CU_ASSERT_EQUAL(e->limits.verdict, IL_LIMITS_SEVERAL);
    CU_ASSERT_EQUAL(e->limits.nlimits, 3);
    ensemble_free(e);
}

/* Never more limits than states that attract, whatever the phases and levels: one at 2.3, two at
 * 1.65, 1.7, 1.9 and 2.1, three at 2.155, four at 1.6 (an orbit of period 4 alone: 1.6 < 77/48),
 * six at 1.607 (that beside A and B), none in the chaos at 1.4. */
static void no_limit_is_invented(void) {
    static const struct {
        double alpha;
        size_t most;
    } table[] = {{2.3, 1},   {1.65, 2}, {1.7, 2},   {1.9, 2}, {2.1, 2},
                 {2.155, 3}, {1.6, 4},  {1.607, 6}, {1.4, 0}};
    static const int phases[] = {5, 9};
    size_t found = 0;
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        for (int i = 0; i < 2; i++) {
            ensemble *e = ensemble_new(table[k].alpha, phases[i], 5, 12);
            CU_ASSERT(e->limits.nlimits <= table[k].most);
            CU_ASSERT_EQUAL(e->limits.verdict, e->limits.nlimits == 0   ? IL_LIMITS_INCONCLUSIVE
                                               : e->limits.nlimits == 1 ? IL_LIMITS_ONE
                                                                        : IL_LIMITS_SEVERAL);
            found += e->limits.nlimits == table[k].most;
            ensemble_free(e);
        }
    }
    /* Both of 2.3, 1.7, 1.9 and 1.4, one of 1.65 and 2.155; the others need finer levels. */
    CU_ASSERT(found >= 10);
}

/* Six levels of the chaotic alpha = 1.4 come back nearly every three octaves and pass for three
 * limits; the motion leads them to no orbit. */
static void chaos_has_no_limits(void) {
    ensemble *e = ensemble_new(1.4, 5, 6, 11);
    CU_ASSERT_EQUAL(e->before.verdict, IL_LIMITS_SEVERAL);
    CU_ASSERT_EQUAL(e->limits.verdict, IL_LIMITS_INCONCLUSIVE);
    CU_ASSERT(e->limits.nclusters > 1);
    for (size_t k = 0; k < e->limits.nclusters; k++) { /* clusters are counted from 1 */
        char text[64];
        (void)snprintf(text, sizeof text, "cluster %zu: to no orbit that is known", k + 1);
        CU_ASSERT_EQUAL(strstr(e->limits.evidence, text) != NULL,
                        e->limits.clusters[k].orbit == IL_LIMITS_NONE);
    }
    CU_ASSERT_EQUAL(e->limits.clusters[0].orbit, IL_LIMITS_NONE);
    ensemble_free(e);
}

/* Two clusters by the parity of m, at 0 and 1 up to h; by the motion the first is at A, the second
 * stays at a share of the way from B to A: below a quarter it is near B, above it is on its way,
 * unless steps reach that far, which is told as a share too; both are twice as far then for every
 * other run. */
static il_limits_verdict verdict_at(double share, double reach) {
    enum { N = 40 };
    static double D[N * N];
    il_limits_step steps[N];
    il_limits_end ends[N];
    il_half_line line = il_half_line_new(1.8, 50);
    int o = 0;
    while (line.orbits.list[o].period != 2) {
        o++;
    }
    const il_orbits_end A = {.orbit = o, .index = 0};
    const il_orbits_end B = {.orbit = o, .index = 1};
    double apart = il_orbits_distance(&line.orbits, line.orbits.list[o].states, B);
    for (int i = 0; i < N; i++) {
        int m = 4 + i / 5;
        double c = 1.0 + 0.2 * (i % 5);
        steps[i] = (il_limits_step){.h = ldexp(c, -m), .c = c, .m = m};
        double unit = reach > 0.0 && i % 2 == 1 ? 2.0 * apart : apart;
        ends[i] = (il_limits_end){.end = m % 2 == 0 ? A : B,
                                  .distance = m % 2 == 0 ? 0.0 : share * unit,
                                  .reach = fmax(reach * unit, 1e-6)};
        for (int j = 0; j < i; j++) {
            D[i * N + j] = D[j * N + i] = fabs(m % 2 + steps[i].h - steps[j].m % 2 - steps[j].h);
        }
    }
    il_limits l = {0};
    CU_ASSERT_EQUAL_FATAL(il_limits_analyse(&l, steps, D, N, NULL), IL_OK);
    CU_ASSERT_EQUAL(l.nlimits, 2);
    il_limits_judge(&l, steps, &line.orbits, ends);
    il_limits_verdict verdict = l.verdict;
    il_limits_free(&l);
    il_half_line_free(&line);
    return verdict;
}

static void near_is_a_quarter_of_the_way(void) {
    CU_ASSERT_EQUAL(verdict_at(0.24, 0.0), IL_LIMITS_SEVERAL);
    CU_ASSERT_EQUAL(verdict_at(0.26, 0.0), IL_LIMITS_INCONCLUSIVE);
    CU_ASSERT_EQUAL(verdict_at(0.26, 0.25), IL_LIMITS_INCONCLUSIVE);
    CU_ASSERT_EQUAL(verdict_at(0.26, 0.27), IL_LIMITS_SEVERAL);
}

static const il_test tests[] = {
    {"limits that are there stay", limits_that_are_there_stay},
    {"transients are no limits", transients_are_no_limits},
    {"no limit is invented", no_limit_is_invented},
    {"chaos has no limits", chaos_has_no_limits},
    {"near is within a quarter of the way", near_is_a_quarter_of_the_way},
    {NULL, NULL}};

const il_suite il_suite_limits_motion = {"limits and the exact motion", tests};
