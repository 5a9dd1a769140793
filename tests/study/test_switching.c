/*
 * test_switching.c - bisection on limits with known switching points, and those of Maury's example
 * against those of exact arithmetic.
 */
#include "harness/study/limits/switching.h"

#include <math.h>
#include <string.h>

#include "tests/support/half_line.h"
#include "tests/support/suite.h"

/* ---- limits that are known ------------------------------------------------------------------ */

typedef struct {
    size_t n;
    const double *points; /* ascending; the limit is the parity of those passed */
    double blind;         /* within this of one it cannot be told; < 0: it always can */
    size_t asked;
} steps;

static il_status label_of(void *self, double c, int m, int *label, il_error *err) {
    steps *w = self;
    (void)m;
    (void)err;
    w->asked++;
    *label = 0;
    for (size_t k = 0; k < w->n; k++) {
        *label += c > w->points[k];
        if (fabs(c - w->points[k]) <= w->blind) {
            *label = -2;
        }
    }
    *label = *label < 0 ? IL_SWITCHING_NONE : *label % 2;
    return IL_OK;
}

static il_status bisect(const il_switching_labels *labels, double c0, double c1, int m, double tol,
                        il_switching_point *p, il_error *err) {
    return il_switching_bisect(labels, c0, c1, &m, 1, tol, p, err);
}

static void a_switching_point_is_closed_in(void) {
    const double pi = 0.5 * 3.14159265358979323846;
    steps w = {1, &pi, -1.0, 0};
    const il_switching_labels labels = {&w, label_of, NULL};
    il_switching_point p = {.m = 0};
    CU_ASSERT_EQUAL(bisect(&labels, 1.0, 2.0, 3, 1e-13, &p, NULL), IL_OK);
    CU_ASSERT(p.low <= pi && pi <= p.high && p.high - p.low <= 1e-13 * p.high);
    CU_ASSERT(p.from == 0 && p.to == 1);
    /* Down to neighbours where no tolerance stops it. */
    CU_ASSERT_EQUAL(bisect(&labels, 1.0, 2.0, 3, 1e-300, &p, NULL), IL_OK);
    CU_ASSERT(nextafter(p.low, 2.0) == p.high);
}

/* Parameters that cannot be told apart lie within the interval: its width is that, not the
 * tolerance. */
static void what_cannot_be_told_widens_the_point(void) {
    const double at = 1.37;
    steps w = {1, &at, 1e-5, 0};
    const il_switching_labels labels = {&w, label_of, NULL};
    il_switching_point p = {.m = 0};
    CU_ASSERT_EQUAL(bisect(&labels, 1.0, 2.0, 3, 1e-12, &p, NULL), IL_OK);
    CU_ASSERT(fabs(p.low - (at - 1e-5)) <= 1e-12 && fabs(p.high - (at + 1e-5)) <= 1e-12);
    CU_ASSERT(p.from == 0 && p.to == 1);
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL(bisect(&labels, 1.0, at, 3, 1e-12, &p, &err), IL_EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "cannot be told"));
    CU_ASSERT_EQUAL(bisect(&labels, 1.0, 1.1, 3, 1e-12, &p, &err), IL_EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "lead to limit 1"));
}

/* Seven switching points, the nearest two 0.004 apart: a grid of 64 misses them, one of 256 does
 * not. */
static void grids_are_refined_until_counts_settle(void) {
    static const double at[] = {1.013, 1.217, 1.3331, 1.3371, 1.51, 1.75, 1.981};
    steps w = {7, at, -1.0, 0};
    const il_switching_labels labels = {&w, label_of, NULL};
    il_switching_chart chart = {0};
    CU_ASSERT_EQUAL(il_switching_find(&labels, 1.0, 2.0, 3, 16, 4096, 1e-12, &chart, NULL), IL_OK);
    CU_ASSERT(chart.settled);
    CU_ASSERT_EQUAL_FATAL(chart.n, 7);
    for (size_t k = 0; k < 7; k++) {
        CU_ASSERT(chart.points[k].low <= at[k] && at[k] <= chart.points[k].high);
        CU_ASSERT(chart.points[k].high - chart.points[k].low <= 1e-12 * 2.0);
    }
    il_switching_chart_free(&chart);
    /* Too few phases allowed: it says so. */
    CU_ASSERT_EQUAL(il_switching_find(&labels, 1.0, 2.0, 3, 16, 32, 1e-12, &chart, NULL), IL_OK);
    CU_ASSERT_FALSE(chart.settled);
    CU_ASSERT_EQUAL(chart.grids, 2);
    il_switching_chart_free(&chart);
}

/* ---- Maury's example ------------------------------------------------------------------------ */

/* The switching points of the limit for alpha = 9/5, c in [1,2), by another method: rational
 * arithmetic, flights summed in closed form over integers, no motion of continuous time; a run is
 * called once it takes off more than eight steps before or after C does. Nineteen digits were
 * found. */
static const double POINTS[] = {
    1.004917645158912354, 1.098655688307060396, 1.103788575756160739, 1.123360746250657627,
    1.164212104903013190, 1.168339708952117917, 1.177781602421740459, 1.212031314830504636,
    1.248051216187827883, 1.252587074792928412, 1.455415131932750183, 1.463763733693280278,
    1.480806481298913901, 1.482241660269754568, 1.482621275984115305, 1.515606599629839790,
    1.519065185211019520, 1.526606818875902993, 1.579781804996853500, 1.584986753719977992,
    1.587103162535195011, 1.760612604994058028, 1.782599633350225421, 1.834573213892358279,
    1.946468162306836502, 1.959262048452923732, 1.989717680544158762};
enum { NPOINTS = 27 };

/* Runs are in doubles: c is rounded by 2e-16, and what rounding does to a state counts as if c had
 * been changed by as much. */
static const double DOUBLES = 4e-15;

static il_status run_maury(void *self, double h, double *t, double *q, double *u, il_error *err) {
    (void)err;
    il_half_line_run(self, h, t, q, u, NULL);
    return IL_OK;
}

static il_switching_flow flow_of(const il_half_line *w, int finest) {
    return (il_switching_flow){.orbits = &w->orbits,
                               .run = run_maury,
                               .self = w->made.problem,
                               .horizon = 4.0,
                               .finest = finest};
}

/* At 1.10379 and 1.8346 runs stay near C for eight octaves more than elsewhere: the run at T = 4 is
 * then led to the wrong side by its step. */
static void borders_are_those_of_exact_arithmetic(void) {
    static const int some[] = {0, 2, 7, 16, 23, 26};
    il_half_line w = il_half_line_new(1.8, 50);
    il_switching_flow flow = flow_of(&w, 20);
    const il_switching_labels labels = {&flow, il_switching_by_flow, NULL};
    for (int k = 0; k < 6; k++) {
        for (int m = 8; m <= 9; m++) {
            double at = POINTS[some[k]];
            il_switching_point p = {.m = 0};
            CU_ASSERT_EQUAL(bisect(&labels, at - 1e-4, at + 1e-4, m, 1e-15, &p, NULL), IL_OK);
            CU_ASSERT(p.low - DOUBLES <= at && at <= p.high + DOUBLES);
            CU_ASSERT(p.high - p.low <= 1e-11);
        }
    }
    il_half_line_free(&w);
}

/* 28 intervals; 64 phases and levels up to 11 see ten or fifteen. */
static void there_are_27_borders(void) {
    il_half_line w = il_half_line_new(1.8, 50);
    il_switching_flow flow = flow_of(&w, 18);
    const il_switching_labels labels = {&flow, il_switching_by_flow, NULL};
    il_switching_chart chart = {0};
    CU_ASSERT_EQUAL(il_switching_find(&labels, 1.0, 2.0, 7, 64, 8192, 1e-7, &chart, NULL), IL_OK);
    CU_ASSERT(chart.settled);
    CU_ASSERT_EQUAL_FATAL(chart.n, NPOINTS);
    for (size_t k = 0; k < chart.n; k++) {
        CU_ASSERT(chart.points[k].low <= POINTS[k] && POINTS[k] <= chart.points[k].high);
        CU_ASSERT(chart.points[k].from != chart.points[k].to);
    }
    il_switching_chart_free(&chart);
    il_half_line_free(&w);
}

static const il_test tests[] = {
    {"a switching point is closed in", a_switching_point_is_closed_in},
    {"what cannot be told widens the point", what_cannot_be_told_widens_the_point},
    {"grids are refined until counts settle", grids_are_refined_until_counts_settle},
    {"switching points are those of exact arithmetic", borders_are_those_of_exact_arithmetic},
    {"there are 27 switching points", there_are_27_borders},
    {NULL, NULL}};

const il_suite il_suite_switching = {"switching", tests};
