/*
 * test_impact.c - the cluster as the paper describes it, and a run whose every pair is certified.
 */
#include <math.h>

#include "harness/run/run.h"
#include "tests/support/residual.h"
#include "tests/support/suite.h"

/* The bounds: no overlap of any pair beyond it, and the solution of each step to it. */
static const double FEASIBLE = 1e-12;

/* 200 bodies of mass 1, ten steps, one rounding each. */
static const double MOMENTUM = 200.0 * 10.0 * 2.3e-16;

static const char *const plane[] = {"N=200", NULL};
static const char *const space[] = {"N=150", "space=3", NULL};
static const char *const tight[] = {"N=300", "spread=1", "seed=7", NULL};
static const char *const loose[] = {"N=1", "spread=3", "r0=2", NULL};
static const char *const *const all[] = {plane, space, tight, loose};

/* All pairs and the plane, by the formulas; nothing of the search. */
static double least_distance(const il_problem *p, const double *r) {
    size_t n = p->d / p->space;
    double least = INFINITY;
    for (size_t j = 0; j < n; j++) {
        least = fmin(least, p->q0[p->space * j + p->space - 1] - r[j]);
        for (size_t i = 0; i < j; i++) {
            double square = 0.0;
            for (size_t c = 0; c < p->space; c++) {
                double w = p->q0[p->space * j + c] - p->q0[p->space * i + c];
                square += w * w;
            }
            least = fmin(least, sqrt(square) - r[i] - r[j]);
        }
    }
    return least;
}

/* Radii from the masses, m = (r/r_0)^3. */
static void radii(const il_problem *p, double r0, double *r) {
    for (size_t i = 0; i < p->d / p->space; i++) {
        r[i] = r0 * cbrt(il_metric_masses(p->mass)[p->space * i]);
    }
}

static void the_start_is_the_paper_s(void) {
    for (size_t k = 0; k < 4; k++) {
        il_test_problem made = il_test_problem_new("impact", 0.0, all[k]);
        const il_problem *p = made.problem;
        double r0 = il_params_number(made.params, "r0");
        double r[300];
        radii(p, r0, r);
        size_t n = p->d / p->space;
        double mean = 0.0;
        double lowest = INFINITY;
        for (size_t i = 0; i < n; i++) {
            CU_ASSERT(r[i] >= 0.8 * r0 * (1.0 - 1e-14) && r[i] <= 1.2 * r0 * (1.0 + 1e-14));
            mean += r[i] / (double)n;
            lowest = fmin(lowest, p->q0[p->space * i + p->space - 1] - r[i]);
            for (size_t c = 0; c < p->space; c++) {
                CU_ASSERT_EQUAL(p->u0[p->space * i + c], c + 1 < p->space ? 0.0 : -1.0);
            }
        }
        /* uniform on a width of 0.4 r0: the mean of n has deviation 0.4 r0/sqrt(12 n); six of it */
        CU_ASSERT(fabs(mean - r0) <= 6.0 * 0.4 * r0 / sqrt(12.0 * (double)n));
        CU_ASSERT(fabs(lowest - r0) <= 1e-12 * r0 * (double)n);
        double gap = il_test_problem_gap(p);
        CU_ASSERT(gap >= 0.0);
        CU_ASSERT(fabs(gap - least_distance(p, r)) <= 1e-14 * (double)n * r0);
        il_test_problem_free(&made);
    }
}

/* A blob: its area is that of the hexagonal cells of N points, a^2 sqrt(3)/2 each, and no body is
 * farther from the centre than the radius of such a disc, but for a layer. */
static void the_cluster_is_round(void) {
    static const char *const big[] = {"N=2000", NULL};
    static const char *const ball[] = {"N=2000", "space=3", NULL};
    for (size_t s = 2; s <= 3; s++) {
        il_test_problem made = il_test_problem_new("impact", 0.0, s == 2 ? big : ball);
        const il_problem *p = made.problem;
        double a = 1.05 * 2.4 * 0.015;
        double radius = s == 2 ? a * sqrt(2000.0 * sqrt(0.75) / M_PI)
                               : a * cbrt(2000.0 * sqrt(0.5) * 0.75 / M_PI);
        double centre[3] = {0.0, 0.0, 0.0};
        for (size_t k = 0; k < p->d; k++) {
            centre[k % s] += p->q0[k] / 2000.0;
        }
        double reach = 0.0;
        for (size_t i = 0; i < 2000; i++) {
            double square = 0.0;
            for (size_t c = 0; c < s; c++) {
                square += pow(p->q0[s * i + c] - centre[c], 2.0);
            }
            reach = fmax(reach, sqrt(square));
        }
        CU_ASSERT(fabs(reach - radius) <= a);
        il_test_problem_free(&made);
    }
}

/* Each body is moved off its lattice point uniformly in a disc or ball of radius
 * R = 0.9 (a - 2.4 r_0)/2: along x by at most R, in the mean of squares by R^2/4 or R^2/5, of which
 * one body's deviation is 1 or 1.07 of it; six of the mean's. */
static void bodies_are_moved_off_their_points(void) {
    static const char *const big[] = {"N=2000", NULL};
    static const char *const ball[] = {"N=2000", "space=3", NULL};
    for (size_t s = 2; s <= 3; s++) {
        il_test_problem made = il_test_problem_new("impact", 0.0, s == 2 ? big : ball);
        double a = 1.05 * 2.4 * 0.015;
        double unit = s == 2 ? 0.5 * a : sqrt(0.5) * a;
        double R = 0.45 * (a - 2.4 * 0.015);
        double most = 0.0;
        double square = 0.0;
        for (size_t i = 0; i < 2000; i++) {
            double x = remainder(made.problem->q0[s * i], unit);
            most = fmax(most, fabs(x));
            square += x * x / 2000.0;
        }
        CU_ASSERT(most <= R * (1.0 + 1e-10));
        CU_ASSERT(fabs(square * (s == 2 ? 4.0 : 5.0) / (R * R) - 1.0) <= 6.0 * 1.07 / sqrt(2000.0));
        il_test_problem_free(&made);
    }
}

static double momentum(const il_problem *p, const double *u, size_t c) {
    double sum = 0.0;
    for (size_t k = c; k < p->d; k += p->space) {
        sum += il_metric_masses(p->mass)[k] * u[k];
    }
    return sum;
}

/* Maury, section 6.3: steps in which a body moves three diameters, and no pair overlaps. */
static void certified_run(const char *const *settings) {
    il_test_problem made = il_test_problem_new("impact", 0.0, settings);
    const il_problem *p = made.problem;
    il_run_spec spec = {.problem = p->type, .params = made.params, .h = 0.1};
    il_record record = {0};
    CU_ASSERT_EQUAL_FATAL(il_scheme_type_find("maury", &spec.scheme, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("active_set", &spec.projector, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_run(&spec, &record, NULL, NULL), IL_OK);
    CU_ASSERT_EQUAL(record.status, IL_OK);
    CU_ASSERT_EQUAL(record.steps_done, 10);
    CU_ASSERT(record.measure.nodes_min >= -FEASIBLE);
    CU_ASSERT(record.measure.certificate.primal >= -FEASIBLE);
    CU_ASSERT(record.measure.certificate.dual >= 0.0);
    CU_ASSERT(record.measure.certificate.complementarity <= FEASIBLE);
    CU_ASSERT(record.measure.certificate.relative <= FEASIBLE);
    CU_ASSERT(record.measure.energy_largest_increase <= 0.0);
    CU_ASSERT(record.measure.energy_final <= 0.5 * record.measure.energy_initial);
    CU_ASSERT(record.measure.active_max > 50);
    for (size_t c = 0; c + 1 < p->space; c++) {
        CU_ASSERT_EQUAL(p->conserved_axes >> c & 1u, 1u);
        CU_ASSERT(fabs(momentum(p, record.u, c)) <= MOMENTUM);
    }
    CU_ASSERT_EQUAL(p->conserved_axes >> (p->space - 1), 0u); /* the plane pushes */
    CU_ASSERT(momentum(p, record.u, p->space - 1) >= momentum(p, p->u0, p->space - 1) + 1.0);
    il_record_free(&record);
    il_test_problem_free(&made);
}

static void a_large_step_leaves_no_overlap(void) {
    static const char *const few[] = {"N=100", "space=3", NULL};
    certified_run(plane);
    certified_run(few);
}

/* By newton, to a tolerance in the units of the gaps; 0: to rounding. */
static il_record to_tolerance(const il_test_problem *made, double tolerance) {
    il_run_spec spec = {.problem = made->problem->type,
                        .params = made->params,
                        .h = 0.1,
                        .projection = {.tolerance = tolerance}};
    il_record record = {0};
    CU_ASSERT_EQUAL_FATAL(il_scheme_type_find("maury", &spec.scheme, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("newton", &spec.projector, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_run(&spec, &record, NULL, NULL), IL_OK);
    CU_ASSERT_EQUAL(record.status, IL_OK);
    return record;
}

/* Overlaps as large as they are told, momentum to rounding; and cheaper, over a few starts: to 1e-4
 * exact answers, which paths finish, take no more than rough ones, and one start may
 * take as many iterations, the last digits of an exact answer being few. */
static void a_tolerance_costs_overlap_alone(void) {
    static const double tolerance = 1e-2;
    static const char *const starts[][3] = {{"N=200", "seed=1", NULL}, {"N=200", "seed=2", NULL},
                                            {"N=200", "seed=3", NULL}, {"N=200", "seed=4", NULL},
                                            {"N=200", "seed=5", NULL}, {"N=200", "seed=6", NULL}};
    size_t whole = 0;
    size_t spent = 0;
    for (size_t k = 0; k < sizeof starts / sizeof starts[0]; k++) {
        il_test_problem made = il_test_problem_new("impact", 0.0, starts[k]);
        il_record exact = to_tolerance(&made, 0.0);
        il_record rough = to_tolerance(&made, tolerance);
        whole += exact.projector_iterations;
        spent += rough.projector_iterations;
        CU_ASSERT(rough.measure.nodes_min < -FEASIBLE);
        CU_ASSERT(rough.measure.nodes_min >= -tolerance);
        CU_ASSERT(rough.measure.certificate.primal >= -tolerance);
        CU_ASSERT(exact.measure.certificate.primal >= -FEASIBLE);
        CU_ASSERT(fabs(momentum(made.problem, rough.u, 0)) <= MOMENTUM);
        CU_ASSERT(rough.measure.energy_largest_increase <= 0.0);
        il_record_free(&exact);
        il_record_free(&rough);
        il_test_problem_free(&made);
    }
    CU_ASSERT(spent < whole);
}

static const il_test tests[] = {
    {"bodies are moved off their points", bodies_are_moved_off_their_points},
    {"the start is the paper's", the_start_is_the_paper_s},
    {"the cluster is round", the_cluster_is_round},
    {"a large step leaves no overlap", a_large_step_leaves_no_overlap},
    {"a tolerance costs overlap alone", a_tolerance_costs_overlap_alone},
    {NULL, NULL}};

const il_suite il_suite_impact = {"impact", tests};
