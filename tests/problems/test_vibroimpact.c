/*
 * test_vibroimpact.c - the exact motions against the inclusion and against quadrature.
 *
 * "Frame" is the one that sinks with the walls, Y = y + t, V = u + (0,1).
 */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>

#include "tests/support/expect.h"
#include "tests/support/suite.h"

/* Coordinates below 20, times below 12, velocities below 4: some ten roundings of 20. */
static const double ROUNDING = 1e-13;
/* Sixteen Gauss points on a fifth of a phase integrate the arcs to rounding as well; the sum of
 * five such parts carries some twenty roundings. */
static const double KINEMATICS = 1e-12;
/* Three central differences with Richardson leave u^(7) delta^6 / 322560. On an arc u varies on the
 * scale tau = 2/w at the fastest, u^(7) <= w 7!/tau^7; with w <= 1 and delta = 0.02 times a phase
 * of at most 10.3 that is 9e-9. */
static const double DYNAMICS = 1e-8;
/* The same with w <= 2.9 and phases of at most 4: 1e-7. */
static const double DYNAMICS_FAST = 1e-6;
/* Points at rest on a wall or sliding along it are within rounding of it. */
static const double ACTIVE = 1e-11;
/* QAG is asked for 1e-13 relative; lengths agree to that and to the rounding of time and speed. */
static const double QUADRATURE = 1e-12;

enum { STARTS = 120 };

static double psi(double x) {
    double z = x - 4.0;
    return 0.25 * fmax(-x * fabs(x), z * fabs(z));
}

/* State in the frame. */
typedef struct {
    double x, Y, V[2];
} state;

static state frame(const il_exact *exact, double t, int side) {
    double q[2] = {NAN, NAN};
    double u[2] = {NAN, NAN};
    exact->eval(exact, t, side, q, u);
    return (state){q[0], q[1] + t, {u[0], u[1] + 1.0}};
}

static double speed(state s) {
    return hypot(s.V[0], s.V[1]);
}

static il_test_problem start_at(double horizon, double x, double Y, double Vx, double Vy) {
    char q0[96];
    char u0[96];
    (void)snprintf(q0, sizeof q0, "q0=%.17g,%.17g", x, Y);
    (void)snprintf(u0, sizeof u0, "u0=%.17g,%.17g", Vx, Vy - 1.0);
    return il_test_problem_new("vibroimpact", horizon, (const char *const[]){q0, u0, NULL});
}

static il_test_problem scenario(const char *set, double horizon) {
    return il_test_problem_new("vibroimpact", horizon, (const char *const[]){set, NULL});
}

/* ---- the exact motions ---------------------------------------------------------------------- */

static void check_inclusion(const il_problem *problem, double dynamics) {
    CU_ASSERT_EQUAL_FATAL(problem->nexact, 1);
    const double *breaks = problem->exact->breaks;
    size_t last = problem->exact->nbreaks - 1;
    for (size_t k = 0; k < last; k++) {
        CU_ASSERT(breaks[k] < breaks[k + 1]);
    }
    CU_ASSERT(breaks[0] == 0.0 && breaks[last] == problem->horizon);
    il_residual r = il_residual_of(problem, 0, 5, ACTIVE);
    il_residual most = il_residual_within(ROUNDING);
    most.kinematics = KINEMATICS;
    most.dynamics = dynamics;
    il_expect_residual(&r, &most);
}

static void scenarios_satisfy_inclusion(void) {
    static const char *const sets[] = {"scenario=slide", "scenario=corner", "scenario=graze"};
    static const double horizons[] = {0.0, 1.0, 12.0};
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 3; j++) {
            il_test_problem made = scenario(sets[i], horizons[j]);
            check_inclusion(made.problem, DYNAMICS);
            il_test_problem_free(&made);
        }
    }
}

/* Starts over all regions, every third on the wall; what was met is counted, so that the test
 * cannot quietly shrink to free flights. */
static void any_start_satisfies_inclusion(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rng);
    gsl_rng_set(rng, 20220601);
    size_t slides = 0;
    size_t straight = 0;
    size_t longest = 0;
    for (size_t i = 0; i < STARTS; i++) {
        double x = -3.0 + 10.0 * gsl_rng_uniform(rng);
        double Y = psi(x) + (i % 3 == 0 ? 0.0 : 2.0 * gsl_rng_uniform(rng));
        double Vx = 4.0 * gsl_rng_uniform(rng) - 2.0;
        double Vy = 3.0 * gsl_rng_uniform(rng) - 2.0;
        il_test_problem made = start_at(4.0, x, Y, Vx, Vy);
        check_inclusion(made.problem, DYNAMICS_FAST);
        const il_exact *exact = made.problem->exact;
        slides += !exact->quadratic;
        straight += exact->quadratic && exact->nbreaks > 2;
        longest = exact->nbreaks > longest ? exact->nbreaks : longest;
        il_test_problem_free(&made);
    }
    gsl_rng_free(rng);
    CU_ASSERT(slides >= STARTS / 4);
    CU_ASSERT(straight >= STARTS / 10);
    CU_ASSERT(longest >= 4);
}

static double arc_element(double x, void *unused) {
    (void)unused;
    return sqrt(1.0 + 0.25 * x * x);
}

/* Length of the curve x^2/4 from a to b by adaptive quadrature. */
static double arc_by_quadrature(double a, double b) {
    gsl_integration_workspace *work = gsl_integration_workspace_alloc(200);
    gsl_function f = {arc_element, NULL};
    double length = NAN;
    double error = NAN;
    CU_ASSERT_PTR_NOT_NULL_FATAL(work);
    int status =
        gsl_integration_qag(&f, a, b, 0.0, 1e-13, 200, GSL_INTEG_GAUSS61, work, &length, &error);
    gsl_integration_workspace_free(work);
    return status == GSL_SUCCESS ? length : NAN;
}

/* Landing where 2 - t = (t/2 - 2)^2/4, that is t^2 + 8 t = 16; the rest by hand and quadrature. */
static void slide_is_what_hand_and_quadrature_give(void) {
    il_test_problem made = scenario("scenario=slide", 12.0);
    const il_exact *exact = made.problem->exact;
    double lands = 4.0 * (sqrt(2.0) - 1.0);
    double x = 0.5 * lands - 2.0;
    double w = (0.5 - 0.5 * x) / sqrt(1.0 + 0.25 * x * x); /* V = (1/2,-1) on (1, x/2) */
    double leaves = lands + arc_by_quadrature(x, 0.0) / w;
    double grazes = leaves + 4.0 / w;
    CU_ASSERT_EQUAL_FATAL(exact->nbreaks, 5);
    CU_ASSERT(fabs(exact->breaks[1] - lands) <= ROUNDING);
    CU_ASSERT(fabs(exact->breaks[2] - leaves) <= QUADRATURE);
    CU_ASSERT(fabs(exact->breaks[3] - grazes) <= QUADRATURE);
    CU_ASSERT(!exact->quadratic);
    state flight = frame(exact, 0.5 * (leaves + grazes), 0);
    CU_ASSERT(fabs(flight.x - 2.0) <= QUADRATURE && fabs(flight.Y) <= ROUNDING);
    CU_ASSERT(fabs(flight.V[0] - w) <= ROUNDING && fabs(flight.V[1]) <= ROUNDING);
    state up = frame(exact, 12.0, 0); /* the mirror image of the left valley */
    CU_ASSERT(fabs(up.Y - psi(up.x)) <= ROUNDING);
    CU_ASSERT(fabs(arc_by_quadrature(0.0, up.x - 4.0) - w * (12.0 - grazes)) <= 12.0 * QUADRATURE);
    il_test_problem_free(&made);
}

static void corner_brings_to_rest(void) {
    il_test_problem made = scenario("scenario=corner", 0.0);
    const il_exact *exact = made.problem->exact;
    CU_ASSERT_EQUAL_FATAL(exact->nbreaks, 3);
    CU_ASSERT(fabs(exact->breaks[1] - sqrt(1.7)) <= ROUNDING);
    CU_ASSERT(speed(frame(exact, exact->breaks[1], -1)) >= 1.0);
    CU_ASSERT(exact->quadratic);
    for (int i = 0; i <= 10; i++) {
        double t = exact->breaks[1] + 0.1 * i * (exact->breaks[2] - exact->breaks[1]);
        state s = frame(exact, t, 1);
        CU_ASSERT(fabs(s.x - 2.0) <= ROUNDING && fabs(s.Y + 1.0) <= ROUNDING);
        CU_ASSERT(speed(s) <= ROUNDING);
    }
    il_test_problem_free(&made);
}

static void graze_meets_the_kink_without_a_jump(void) {
    il_test_problem made = scenario("scenario=graze", 0.0);
    const il_exact *exact = made.problem->exact;
    CU_ASSERT_EQUAL_FATAL(exact->nbreaks, 3);
    CU_ASSERT(fabs(exact->breaks[1] - sqrt(3.0)) <= ROUNDING);
    state before = frame(exact, exact->breaks[1], -1);
    state after = frame(exact, exact->breaks[1], 1);
    CU_ASSERT(fabs(before.x) <= ROUNDING && fabs(before.Y) <= ROUNDING);
    CU_ASSERT(fabs(after.V[0] - before.V[0]) <= ROUNDING);
    CU_ASSERT(fabs(after.V[1] - before.V[1]) <= ROUNDING);
    state end = frame(exact, 4.0, 0);
    CU_ASSERT(end.x < 0.0);
    CU_ASSERT(fabs(arc_by_quadrature(end.x, 0.0) - (4.0 - sqrt(3.0))) <= QUADRATURE);
    il_test_problem_free(&made);
}

/* V = (-8,-4) in the corner: of its parts -12/sqrt 2 on (1,1) and 4/sqrt 2 on (-1,1) the second
 * stays, V+ = (-2,2). The line Y + 1 = 2 - x meets x^2/4 at x = -2 - 2 sqrt 2. */
static void corner_cuts_one_part_only(void) {
    il_test_problem made = start_at(4.0, 2.0, -1.0, -8.0, -4.0);
    const il_exact *exact = made.problem->exact;
    check_inclusion(made.problem, DYNAMICS_FAST);
    state after = frame(exact, 0.0, 1);
    CU_ASSERT(fabs(after.V[0] + 2.0) <= ROUNDING && fabs(after.V[1] - 2.0) <= ROUNDING);
    CU_ASSERT_EQUAL_FATAL(exact->nbreaks, 3);
    CU_ASSERT(fabs(exact->breaks[1] - (2.0 + sqrt(2.0))) <= ROUNDING);
    CU_ASSERT(fabs(frame(exact, exact->breaks[1], 1).x + 2.0 + 2.0 * sqrt(2.0)) <= ROUNDING);
    il_test_problem_free(&made);
}

/* Straight down the normal (1/2, 1) onto the hill at (1, -1/4): nothing tangential is left. Askew,
 * with (1/2) (1, -1/2) added, that part is kept and leaves the hill. */
static void hill_holds_only_who_rests(void) {
    il_test_problem made = start_at(3.0, 1.5, 0.75, -0.5, -1.0);
    const il_exact *exact = made.problem->exact;
    CU_ASSERT_EQUAL_FATAL(exact->nbreaks, 3);
    CU_ASSERT(fabs(exact->breaks[1] - 1.0) <= ROUNDING);
    CU_ASSERT(speed(frame(exact, 2.0, 0)) <= ROUNDING);
    CU_ASSERT(exact->quadratic);
    check_inclusion(made.problem, DYNAMICS);
    il_test_problem_free(&made);

    made = start_at(1.5, 1.0, 0.75, 0.0, -1.25);
    exact = made.problem->exact;
    CU_ASSERT_EQUAL_FATAL(exact->nbreaks, 3);
    CU_ASSERT(fabs(exact->breaks[1] - 0.8) <= ROUNDING);
    state s = frame(exact, exact->breaks[1], 1); /* (0,-5/4) = -(1/2,1) + (1/2,-1/4) */
    CU_ASSERT(fabs(s.V[0] - 0.5) <= ROUNDING && fabs(s.V[1] + 0.25) <= ROUNDING);
    s = frame(exact, 1.5, 0);
    CU_ASSERT(s.Y - psi(s.x) >= 0.01); /* (0.35)^2/4 = 0.03 above the hill */
    il_test_problem_free(&made);
}

/* Down the normal, from 0.7 above: what rounding leaves of the tangential part is no slide. */
static void valley_holds_who_falls_square(void) {
    for (int k = 1; k <= 40; k++) {
        double x = k % 2 == 0 ? -0.07 * k : 4.0 + 0.07 * k;
        double slope = k % 2 == 0 ? 0.5 * x : 0.5 * (x - 4.0);
        il_test_problem made = start_at(2.0, x - 0.7 * slope, psi(x) + 0.7, slope, -1.0);
        const il_exact *exact = made.problem->exact;
        CU_ASSERT_EQUAL_FATAL(exact->nbreaks, 3);
        CU_ASSERT(fabs(exact->breaks[1] - 0.7) <= ROUNDING);
        CU_ASSERT(exact->quadratic);
        state s = frame(exact, 2.0, 0);
        CU_ASSERT(speed(s) <= ROUNDING);
        CU_ASSERT(fabs(s.x - x) <= ROUNDING);
        il_test_problem_free(&made);
    }
}

/* Slides from x on a valley with rate w for a while: constant speed, arc length w t. */
static void check_slide(double x, double w, double horizon) {
    double vertex = x > 2.0 ? 4.0 : 0.0;
    double slope = 0.5 * fabs(x - vertex) * (x < 2.0 ? -1.0 : 1.0);
    double stretch = hypot(1.0, slope);
    il_test_problem made = start_at(horizon, x, psi(x), w / stretch, w * slope / stretch);
    const il_exact *exact = made.problem->exact;
    CU_ASSERT(!exact->quadratic);
    double size = 1.0 + fabs(w) * horizon + x * x;
    for (int i = 1; i <= 7; i++) {
        double t = 0.125 * i * fmin(horizon, exact->breaks[1]);
        state s = frame(exact, t, 0);
        double length = arc_by_quadrature(x - vertex, s.x - vertex);
        CU_ASSERT(fabs(speed(s) - fabs(w)) <= 1e-15 * (8.0 * fabs(w) + 8.0));
        CU_ASSERT(fabs(length - w * t) <= QUADRATURE * size);
        CU_ASSERT(fabs(s.Y - psi(s.x)) <= ROUNDING * size);
    }
    il_test_problem_free(&made);
}

static void sliding_speed_is_constant(void) {
    check_slide(-1.5, 1.0, 1.0);
    check_slide(-0.001, -0.5, 20.0);
    check_slide(-60.0, 30.0, 10.0);
    check_slide(5.0, 2.0, 30.0);
    check_slide(24.0, -8.0, 20.0);
    check_slide(0.0, -1e-3, 1.0);
}

/* ---- parameters ----------------------------------------------------------------------------- */

static void scenario_is_written_back(void) {
    il_test_problem made = scenario("scenario=graze", 0.0);
    size_t n = 0;
    const double *q0 = il_params_vector(made.params, "q0", &n);
    CU_ASSERT_FATAL(n == 2);
    CU_ASSERT(q0[0] == made.problem->q0[0] && q0[1] == made.problem->q0[1]);
    const double *u0 = il_params_vector(made.params, "u0", &n);
    CU_ASSERT_FATAL(n == 2);
    CU_ASSERT(u0[0] == -1.0 && u0[1] == -1.0);
    CU_ASSERT_EQUAL(made.problem->traits & (IL_ROWS_AFFINE | IL_ROWS_CONVEX | IL_ROWS_FIXED), 0);
    CU_ASSERT_NOT_EQUAL(made.problem->traits & IL_FORCE_FREE, 0);
    il_test_problem_free(&made);
    made = scenario("u0=1,2", 0.0);
    CU_ASSERT(made.problem->q0[0] == -2.0 && made.problem->q0[1] == 2.0);
    CU_ASSERT(made.problem->u0[0] == 1.0 && made.problem->u0[1] == 2.0);
    il_test_problem_free(&made);
}

static const il_test tests[] = {
    {"the scenarios' exact motions satisfy the inclusion", scenarios_satisfy_inclusion},
    {"so does the exact motion from any start", any_start_satisfies_inclusion},
    {"slide: landing, take-off and second landing are those of hand and quadrature",
     slide_is_what_hand_and_quadrature_give},
    {"corner: the point comes to rest relative to the walls", corner_brings_to_rest},
    {"graze: the kink is met without a jump of velocity", graze_meets_the_kink_without_a_jump},
    {"the corner cuts off only the parts that point into it", corner_cuts_one_part_only},
    {"a hill holds only a point that rests", hill_holds_only_who_rests},
    {"a point that falls square on a valley rests there", valley_holds_who_falls_square},
    {"sliding keeps the speed and its arc length is that of quadrature", sliding_speed_is_constant},
    {"starts that the scenario derives are written back", scenario_is_written_back},
    {NULL, NULL}};

const il_suite il_suite_vibroimpact = {"vibroimpact", tests};
