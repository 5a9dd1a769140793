/*
 * test_pile.c - the start that other programs share, number by number, and piles that come to rest.
 */
#include <float.h>
#include <math.h>

#include "harness/run/run.h"
#include "tests/support/residual.h"
#include "tests/support/suite.h"

/* Positions of order ten, a few roundings. */
static const double ROUNDING = 1e-14;

/* At rest: the kinetic energy in parts of its peak. With bodies ten times as large, which take 3.2
 * times as long, it is still about that at T. */
static const double STILL = 1e-4;

/* A mean adds the impulses of 100 steps of 100 bodies, each to a rounding. */
static const double SUMMED = 1e4 * DBL_EPSILON;

/* The upper 53 bits of s_1, s_2, ... from s_0 = 12345, by exact integer arithmetic (the sequence is
 * in pile.c's head): s_1 = 12345 * 6364136223846793005 + 1442695040888963407 mod 2^64
 * = 2021368500568277588, and so on. */
static const double DRAWS[8] = {
    986996338168104.0 / 9007199254740992.0,  2390378239609466.0 / 9007199254740992.0,
    7976991766744273.0 / 9007199254740992.0, 7527653373626883.0 / 9007199254740992.0,
    2933023856434187.0 / 9007199254740992.0, 5048285057433917.0 / 9007199254740992.0,
    7150531177549610.0 / 9007199254740992.0, 3526263339733094.0 / 9007199254740992.0};

static double radius(double u) {
    return 0.5 * (0.8 + 0.2 * u);
}

static double shift(double u) {
    return 0.05 * 0.5 * (2.0 * u - 1.0);
}

/* The radius at which other programs start. */
#define AS_ELSEWHERE "radius=0.5"

/* N = 100: five columns a side (4^3 < 100 <= 5^3), the box 5.5 wide; bodies 0 and 1 in cells 0 and
 * 1 of the first row. */
static void the_first_spheres_are_as_elsewhere(void) {
    static const char *const settings[] = {"N=100", "space=3", AS_ELSEWHERE, NULL};
    il_test_problem made = il_test_problem_new("pile", 0.0, settings);
    const double *q = made.problem->q0;
    const double *m = il_metric_masses(made.problem->mass);
    for (size_t k = 0; k < 2; k++) {
        const double *u = DRAWS + 4 * k;
        CU_ASSERT(fabs(m[3 * k] - 4.0 / 3.0 * M_PI * pow(radius(u[0]), 3.0)) <= ROUNDING);
        CU_ASSERT(fabs(q[3 * k] - (((double)k + 0.5) * 1.1 + shift(u[1]) - 2.75)) <= ROUNDING);
        CU_ASSERT(fabs(q[3 * k + 1] - (0.55 + shift(u[2]) - 2.75)) <= ROUNDING);
        CU_ASSERT(fabs(q[3 * k + 2] - (0.55 + shift(u[3]))) <= ROUNDING);
    }
    /* body 99 is in cell (4, 4, 3) */
    CU_ASSERT(fabs(q[297] - (4.5 * 1.1 - 2.75)) <= 0.025);
    CU_ASSERT(fabs(q[298] - (4.5 * 1.1 - 2.75)) <= 0.025);
    CU_ASSERT(fabs(q[299] - 3.5 * 1.1) <= 0.025);
    il_test_problem_free(&made);
}

static void the_first_discs_follow_the_same_rule(void) {
    static const char *const settings[] = {"N=100", AS_ELSEWHERE, NULL};
    il_test_problem made = il_test_problem_new("pile", 0.0, settings);
    const double *q = made.problem->q0;
    const double *m = il_metric_masses(made.problem->mass);
    for (size_t k = 0; k < 2; k++) { /* ten columns, W = 11 */
        const double *u = DRAWS + 3 * k;
        CU_ASSERT(fabs(m[2 * k] - M_PI * pow(radius(u[0]), 2.0)) <= ROUNDING);
        CU_ASSERT(fabs(q[2 * k] - (((double)k + 0.5) * 1.1 + shift(u[1]) - 5.5)) <= ROUNDING);
        CU_ASSERT(fabs(q[2 * k + 1] - (0.55 + shift(u[2]))) <= ROUNDING);
    }
    il_test_problem_free(&made);
}

/* Ten discs in rows of four: the box is 4.4 wide, and disc 5 the second of the second row. */
static void low_piles_are_wide(void) {
    static const char *const settings[] = {"N=10", "columns=4", AS_ELSEWHERE, NULL};
    il_test_problem made = il_test_problem_new("pile", 0.0, settings);
    const il_problem *p = made.problem;
    il_rows rows;
    il_rows_init(&rows);
    CU_ASSERT(fabs(p->q0[10] - (1.5 * 1.1 - 2.2)) <= 0.025);
    CU_ASSERT(fabs(p->q0[11] - 1.5 * 1.1) <= 0.025);
    for (size_t k = 0; k < 2; k++) { /* left and right of disc 0: after 45 pairs and the floor */
        CU_ASSERT_EQUAL_FATAL(p->type->row(p, 0.0, p->q0, 46 + k, &rows), IL_OK);
        double sign = k == 0 ? 1.0 : -1.0;
        double expected = 2.2 + sign * p->q0[0] - radius(DRAWS[0]);
        CU_ASSERT(fabs(rows.value[k] - expected) <= ROUNDING);
    }
    double gap = il_test_problem_gap(p);
    CU_ASSERT(gap >= 0.025 - ROUNDING);
    il_rows_free(&rows);
    il_test_problem_free(&made);
}

/* Every wall pushes its own way: the row's value is the distance to it. */
static void walls_stand_where_they_should(void) {
    static const char *const settings[] = {"N=8", "space=3", AS_ELSEWHERE, NULL};
    il_test_problem made = il_test_problem_new("pile", 0.0, settings);
    const il_problem *p = made.problem;
    il_rows rows;
    il_rows_init(&rows);
    double r = radius(DRAWS[0]);
    CU_ASSERT_EQUAL(p->p, 28 + 5 * 8);
    for (size_t k = 0; k < 5; k++) { /* walls of body 0: floor, x, x, y, y; W/2 = 1.1 */
        CU_ASSERT_EQUAL_FATAL(p->type->row(p, 0.0, p->q0, 28 + k, &rows), IL_OK);
        size_t axis = k == 0 ? 2 : (k - 1) / 2;
        double sign = k == 2 || k == 4 ? -1.0 : 1.0;
        double expected = k == 0 ? p->q0[2] - r : 1.1 + sign * p->q0[axis] - r;
        CU_ASSERT(fabs(rows.value[k] - expected) <= ROUNDING);
        CU_ASSERT_EQUAL(rows.start[k + 1] - rows.start[k], 1);
        CU_ASSERT_EQUAL(rows.col[k], axis);
        CU_ASSERT_EQUAL(rows.coef[k], sign);
    }
    il_rows_free(&rows);
    il_test_problem_free(&made);
}

/* The mean of a constant force is the force: the weight. */
static void the_force_is_the_weight(void) {
    static const char *const settings[] = {"N=3", "gravity=2", NULL};
    il_test_problem made = il_test_problem_new("pile", 0.0, settings);
    const il_problem *p = made.problem;
    const double *m = il_metric_masses(p->mass);
    double f[6];
    double mean[6];
    p->type->force(p, 0.0, p->q0, f);
    p->type->force_mean(p, 0.3, 0.9, p->q0, mean);
    for (size_t k = 0; k < 6; k++) {
        CU_ASSERT_EQUAL(f[k], k % 2 == 1 ? -2.0 * m[k] : 0.0);
        CU_ASSERT_EQUAL(mean[k], f[k]);
    }
    il_test_problem_free(&made);
}

/* Lengths scale with the radius. A ratio of 16 is exact in binary, whatever is rounded. */
static void lengths_scale_with_the_radius(void) {
    static const char *const sizes[2][3] = {{"N=50", "radius=0.5", NULL},
                                            {"N=50", "radius=0.03125", NULL}};
    il_test_problem large = il_test_problem_new("pile", 0.0, sizes[0]);
    il_test_problem small = il_test_problem_new("pile", 0.0, sizes[1]);
    double r[2][50];
    large.problem->type->radii(large.problem, 0.0, r[0]);
    small.problem->type->radii(small.problem, 0.0, r[1]);
    for (size_t i = 0; i < 50; i++) {
        CU_ASSERT_EQUAL(r[1][i], r[0][i] / 16.0);
    }
    for (size_t k = 0; k < 100; k++) {
        CU_ASSERT_EQUAL(small.problem->q0[k], large.problem->q0[k] / 16.0);
    }
    for (size_t k = 0; k < 3; k++) {
        CU_ASSERT_EQUAL(small.problem->walls[k].c, large.problem->walls[k].c / 16.0);
    }
    il_test_problem_free(&large);
    il_test_problem_free(&small);
}

/* The kinetic energy of a node, and its momentum along z. */
static double motion(const il_problem *p, const double *u, double *momentum) {
    const double *m = il_metric_masses(p->mass);
    double energy = 0.0;
    *momentum = 0.0;
    for (size_t k = 0; k < p->d; k++) {
        energy += 0.5 * m[k] * u[k] * u[k];
        *momentum += k % p->space == p->space - 1 ? m[k] * u[k] : 0.0;
    }
    return energy;
}

/* One pile falls and lands; does it lie still before T, at each of the last 100 nodes? What the
 * floor bears meanwhile follows from momentum, still or not: the weight, and the change of P,
 * |P| <= sqrt(2 E M), in their time. Of a pile that is still that is 0.2 % of the weight at most:
 * E <= STILL M g 0.1 gives |P| <= 0.0045 M. */
static bool lies_still(const char *seed) {
    const char *const settings[] = {"N=100", seed, NULL};
    il_test_problem made = il_test_problem_new("pile", 0.0, settings);
    const il_problem *p = made.problem;
    il_run_spec spec = {.problem = p->type, .params = made.params, .h = 0.005, .steps = 800};
    il_record record = {0};
    il_trajectory kept = {0};
    CU_ASSERT_EQUAL_FATAL(il_scheme_type_find("maury", &spec.scheme, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &spec.projector, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_run(&spec, &record, &kept, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(record.status, IL_OK);
    double peak = 0.0;
    double late = 0.0;
    double momentum;
    for (size_t n = 0; n <= 800; n++) {
        double energy = motion(p, kept.u + p->d * n, &momentum);
        peak = fmax(peak, energy);
        late = n >= 800 - IL_WALL_FORCES_LAST ? fmax(late, energy) : 0.0;
    }
    double mass = 0.0;
    for (size_t i = 0; i < 100; i++) {
        mass += il_metric_masses(p->mass)[2 * i];
    }
    double weight = mass * 9.81;
    double most = 2.0 * sqrt(2.0 * late * mass) / (0.005 * IL_WALL_FORCES_LAST);
    double off = fabs(record.walls[0].force_mean - weight);
    CU_ASSERT(off <= most + SUMMED * weight);
    CU_ASSERT(peak > 0.05 * weight); /* it has fallen: so much energy from a fall by 0.05 */
    CU_ASSERT(record.walls[1].force_mean > 0.0 && record.walls[2].force_mean > 0.0);
    il_record_free(&record);
    il_trajectory_free(&kept);
    il_test_problem_free(&made);
    return late <= STILL * peak && most <= 2e-3 * weight;
}

/* When a pile is still differs from start to start, and the last digits of a start decide: so not
 * this or that one has to be, but one of them. */
static void piles_come_to_rest(void) {
    static const char *const seeds[] = {"seed=1", "seed=2", "seed=3"};
    size_t still = 0;
    for (size_t k = 0; k < sizeof seeds / sizeof *seeds; k++) {
        still += lies_still(seeds[k]);
    }
    CU_ASSERT(still >= 1);
}

static const il_test tests[] = {
    {"the first spheres are as elsewhere", the_first_spheres_are_as_elsewhere},
    {"the first discs follow the same rule", the_first_discs_follow_the_same_rule},
    {"low piles are wide", low_piles_are_wide},
    {"walls stand where they should", walls_stand_where_they_should},
    {"the force is the weight", the_force_is_the_weight},
    {"lengths scale with the radius", lengths_scale_with_the_radius},
    {"piles come to rest", piles_come_to_rest},
    {NULL, NULL}};

const il_suite il_suite_pile = {"pile", tests};
