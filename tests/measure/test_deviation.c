/*
 * test_deviation.c - the piecewise exact errors against closed forms and against brute force.
 */
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

#include "harness/data/trajectory.h"
#include "harness/measure/deviation.h"
#include "tests/support/suite.h"

enum { D = 3, STEPS = 7, PIECES = 5, FINE = 200000 };

/* Closed forms of numbers of order one: a few roundings. */
static const double ROUNDING = 1e-14;

/* u = a t, q = a t^2/2 in one coordinate. */
static void parabola(const il_exact *exact, double t, int side, double *q, double *u) {
    const double *a = exact->data;
    (void)side;
    q[0] = 0.5 * *a * t * t;
    u[0] = *a * t;
}

/* That on [0,1]; a stays where it is. */
static il_exact parabola_exact(double *a) { /* NOLINT(readability-non-const-parameter): data is */
    static const double breaks[2] = {0.0, 1.0};
    return (il_exact){.name = "parabola",
                      .origin = "closed form",
                      .quadratic = true,
                      .nbreaks = 2,
                      .breaks = breaks,
                      .eval = parabola,
                      .data = a};
}

/* q_h = 0: u_L1 = int_0^1 t = 1/2, q_Linf = 1/2. One step with u_1 = 1/2, q = t/2:
 * u_L1 = int |1/2 - t| = 1/4, q_Linf = max |t/2 - t^2/2| = 1/8 at t = 1/2, inside the step. */
static void closed_forms_in_one_coordinate(void) {
    double a = 1.0;
    il_exact exact = parabola_exact(&a);
    for (int smooth = 0; smooth < 2; smooth++) {
        double zero = 0.0;
        double half = 0.5;
        exact.quadratic = smooth == 0; /* the quadrature must agree with the closed form */
        il_deviation *w = NULL;
        w = il_deviation_create(&exact, 1);
        il_deviation_step(w, 0.0, 1.0, &zero, &zero, &zero, NULL);
        il_deviation_result r = il_deviation_finish(w);
        CU_ASSERT(fabs(r.u_L1 - 0.5) <= ROUNDING && fabs(r.q_Linf - 0.5) <= ROUNDING);
        CU_ASSERT(fabs(r.final_q - 0.5) <= ROUNDING && fabs(r.final_u - 1.0) <= ROUNDING);
        il_deviation_destroy(w);
        w = il_deviation_create(&exact, 1);
        il_deviation_step(w, 0.0, 1.0, &zero, &half, &half, NULL);
        r = il_deviation_finish(w);
        /* the kink of |u_h - u| inside the step costs the quadrature its last digits: 1e-12 */
        CU_ASSERT(fabs(r.u_L1 - 0.25) <= (smooth ? 1e-12 : ROUNDING));
        CU_ASSERT(fabs(r.q_Linf - 0.125) <= ROUNDING);
        il_deviation_destroy(w);
    }
}

/* q_h = v t: |q_h - q| = v t - t^2/2 on [0,1] is v - 1/2 at most where v >= 1, however near behind
 * the end its vertex t = v lies; where v < 1 it is v^2/2 or 1/2 - v. */
static void a_vertex_behind_the_end_is_none(void) {
    double a = 1.0;
    il_exact exact = parabola_exact(&a);
    for (int k = 4; k < 32; k++) {
        double v = k / 16.0;
        double zero = 0.0;
        il_deviation *w = NULL;
        w = il_deviation_create(&exact, 1);
        il_deviation_step(w, 0.0, 1.0, &zero, &v, &v, NULL);
        double sup = v >= 1.0 ? v - 0.5 : fmax(0.5 * v * v, 0.5 - v);
        CU_ASSERT(fabs(il_deviation_finish(w).q_Linf - sup) <= ROUNDING);
        il_deviation_destroy(w);
    }
}

/* A random curve in D coordinates: quadratic between random breaks, continuous, velocity jumping.
 */
typedef struct {
    double breaks[PIECES + 1];
    double q[PIECES][D], u[PIECES][D], a[PIECES][D];
} curve;

static void curve_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const curve *c = exact->data;
    size_t k = 0;
    while (k + 1 < PIECES && (side < 0 ? t > c->breaks[k + 1] : t >= c->breaks[k + 1])) {
        k++;
    }
    double s = t - c->breaks[k];
    for (size_t i = 0; i < D; i++) {
        q[i] = c->q[k][i] + s * (c->u[k][i] + 0.5 * s * c->a[k][i]);
        u[i] = c->u[k][i] + s * c->a[k][i];
    }
}

static void random_curve(curve *c, gsl_rng *rng) {
    c->breaks[0] = 0.0;
    for (size_t k = 0; k < PIECES; k++) {
        double length = 0.05 + gsl_rng_uniform(rng);
        c->breaks[k + 1] = c->breaks[k] + length;
        for (size_t i = 0; i < D; i++) {
            c->q[k][i] = k == 0 ? 0.0
                                : c->q[k - 1][i] + (c->breaks[k] - c->breaks[k - 1]) *
                                                       (c->u[k - 1][i] +
                                                        0.5 * (c->breaks[k] - c->breaks[k - 1]) *
                                                            c->a[k - 1][i]);
            c->u[k][i] = 2.0 * gsl_rng_uniform(rng) - 1.0;
            c->a[k][i] = gsl_rng_uniform(rng) < 0.3 ? 0.0 : 4.0 * gsl_rng_uniform(rng) - 2.0;
        }
    }
}

static double norm(const double *a, const double *b) {
    double sum = 0.0;
    for (size_t i = 0; i < D; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sqrt(sum);
}

/* A random run on nodes of its own, fed step by step; brute force sums midpoints. */
static void random_curves_agree_with_brute_force(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < 12; trial++) {
        curve c;
        random_curve(&c, rng);
        double T = c.breaks[PIECES];
        il_exact exact = {.name = "curve",
                          .origin = "closed form",
                          .quadratic = trial % 2 == 0,
                          .nbreaks = PIECES + 1,
                          .breaks = c.breaks,
                          .eval = curve_eval,
                          .data = &c};
        double q[STEPS + 1][D] = {{0.0}};
        double u[STEPS + 1][D] = {{0.0}};
        il_deviation *w = NULL;
        w = il_deviation_create(&exact, D);
        for (size_t n = 0; n < STEPS; n++) {
            double t0 = T * (double)n / STEPS;
            double t1 = n + 1 == STEPS ? T : T * (double)(n + 1) / STEPS;
            for (size_t i = 0; i < D; i++) {
                u[n + 1][i] = 2.0 * gsl_rng_uniform(rng) - 1.0;
                q[n + 1][i] = q[n][i] + (t1 - t0) * u[n + 1][i];
            }
            il_deviation_step(w, t0, t1, q[n], q[n + 1], u[n + 1], NULL);
        }
        il_deviation_result r = il_deviation_finish(w);
        il_deviation_destroy(w);
        double sup = 0.0;
        double integral = 0.0;
        for (size_t k = 0; k < FINE; k++) {
            double t = T * ((double)k + 0.5) / FINE;
            size_t n = (size_t)(t / T * STEPS);
            double at[D];
            double eq[D];
            double eu[D];
            for (size_t i = 0; i < D; i++) {
                at[i] = q[n][i] + (t - T * (double)n / STEPS) * u[n + 1][i];
            }
            curve_eval(&exact, t, 0, eq, eu);
            sup = fmax(sup, norm(at, eq));
            integral += norm(u[n + 1], eu) * T / FINE;
        }
        /* midpoints miss the sup by at most half a cell times the speed (< 20), and the integral by
         * the jumps' share of one cell each */
        double cell = T / FINE;
        CU_ASSERT(r.q_Linf >= sup - ROUNDING && r.q_Linf <= sup + 20.0 * cell);
        CU_ASSERT(fabs(r.u_L1 - integral) <= 20.0 * 20.0 * cell);
        double end_q[D];
        double end_u[D];
        curve_eval(&exact, T, -1, end_q, end_u);
        CU_ASSERT(fabs(r.final_q - norm(q[STEPS], end_q)) <= ROUNDING);
        CU_ASSERT(fabs(r.final_u - norm(u[STEPS], end_u)) <= ROUNDING);
    }
    gsl_rng_free(rng);
}

/* The velocity of a step need not be that at which positions move (moreau_jean, penalty): here it
 * is the one of the end, positions take the mean of both ends, and q(t) = t^2/2. With one step to
 * t = 1 the farthest point is t = 1/2, off by 1/8; where the end is moved by c, q_h - q is
 * (1 + 2 c) t/2 - t^2/2, which is largest at t = 1/2 + c with (1/2 + c)^2/2. Also as one of two
 * coordinates. */
static void half_square(const il_exact *exact, double t, int side, double *q, double *u) {
    (void)side;
    size_t d = *(const size_t *)exact->data;
    for (size_t k = 0; k < d; k++) {
        q[k] = k == 0 ? 0.5 * t * t : 0.0;
        u[k] = k == 0 ? t : 0.0;
    }
}

static void positions_may_move_otherwise_than_velocities_say(void) {
    static const double breaks[] = {0.0, 1.0};
    static const double moved[] = {0.0, 0.25, -0.125};
    for (size_t d = 1; d <= 2; d++) {
        for (size_t k = 0; k < sizeof moved / sizeof moved[0]; k++) {
            il_exact exact = {.name = "parabola",
                              .origin = "closed form",
                              .quadratic = true,
                              .nbreaks = 2,
                              .breaks = breaks,
                              .eval = half_square,
                              .data = &d};
            double q0[2] = {0.0, 0.0};
            double q1[2] = {0.5 + moved[k], 0.0};
            double u1[2] = {1.0, 0.0};
            il_deviation *w = NULL;
            w = il_deviation_create(&exact, d);
            il_deviation_step(w, 0.0, 1.0, q0, q1, u1, NULL);
            il_deviation_result r = il_deviation_finish(w);
            il_deviation_destroy(w);
            double inside = 0.5 * (0.5 + moved[k]) * (0.5 + moved[k]);
            CU_ASSERT(fabs(r.q_Linf - fmax(inside, fabs(moved[k]))) <= ROUNDING);
            CU_ASSERT(fabs(r.u_L1 - 0.5) <= ROUNDING); /* int_0^1 1 - t */
        }
    }
}

/* Both representations of a stored run: against itself nothing is left, and the distance of two
 * runs is symmetric. */
static void runs_are_compared_with_runs(void) {
    il_trajectory a = {0};
    il_trajectory b = {0};
    CU_ASSERT_EQUAL_FATAL(il_trajectory_init(&a, 1, 2, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_trajectory_init(&b, 1, 2, NULL), IL_OK);
    double q = 0.0;
    double zero = 0.0;
    CU_ASSERT_EQUAL(il_trajectory_add(&a, 0.0, &q, &zero), IL_OK);
    CU_ASSERT_EQUAL(il_trajectory_add(&b, 0.0, &q, &zero), IL_OK);
    for (int n = 1; n <= 6; n++) {
        double u = n % 2 ? 1.0 : -0.5;
        q += u / 6.0;
        CU_ASSERT_EQUAL(il_trajectory_add(&a, n / 6.0, &q, &u), IL_OK);
    }
    double u = 0.25;
    q = 0.25;
    CU_ASSERT_EQUAL(il_trajectory_add(&b, 1.0, &q, &u), IL_OK);
    il_deviation_result r[3];
    const il_trajectory *runs[3][2] = {{&a, &a}, {&a, &b}, {&b, &a}};
    for (int k = 0; k < 3; k++) {
        il_exact exact = il_trajectory_as_exact(runs[k][1], "run");
        il_deviation *w = NULL;
        w = il_deviation_create(&exact, 1);
        const il_trajectory *t = runs[k][0];
        for (size_t n = 1; n < t->nodes; n++) {
            il_deviation_step(w, t->t[n - 1], t->t[n], &t->q[n - 1], &t->q[n], &t->u[n], NULL);
        }
        r[k] = il_deviation_finish(w);
        il_deviation_destroy(w);
    }
    CU_ASSERT(r[0].q_Linf <= ROUNDING && r[0].u_L1 <= ROUNDING);
    /* |1 - 1/4| on half of [0,1], |-1/2 - 1/4| on the other half: 3/4 */
    CU_ASSERT(fabs(r[1].u_L1 - 0.75) <= ROUNDING && fabs(r[2].u_L1 - 0.75) <= ROUNDING);
    CU_ASSERT(fabs(r[1].q_Linf - r[2].q_Linf) <= ROUNDING && r[1].q_Linf > 0.0);
    il_trajectory_free(&a);
    il_trajectory_free(&b);
}

enum { NODES = 9 };

/* A velocity on eighths of [0,1] and the position that it leads to: exact in doubles. */
typedef struct {
    double u[NODES], q[NODES]; /* u[k] up to k/8 */
    double breaks[NODES];
} stairs;

static void climb(stairs *s, gsl_rng *rng) {
    s->q[0] = 0.0;
    s->u[0] = 0.0;
    for (int k = 1; k < NODES; k++) {
        s->u[k] = (double)gsl_rng_uniform_int(rng, 5) - 2.0;
        s->q[k] = s->q[k - 1] + 0.125 * s->u[k];
    }
}

static void stairs_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const stairs *s = exact->data;
    double at = 8.0 * t;
    int k = (int)ceil(at);
    *u = s->u[k == at && side >= 0 && k < 8 ? k + 1 : k > 0 ? k : 1];
    *q = k == 0 ? 0.0 : s->q[k - 1] + (t - 0.125 * (k - 1)) * s->u[k];
}

/* Velocities that jump where steps end are compared with those of the step, before and after: sums
 * over the eighths, exact but for one rounding of the integral each. */
static void jumps_between_steps_belong_to_neither(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < 100; trial++) {
        stairs run;
        stairs truth;
        climb(&run, rng);
        climb(&truth, rng);
        il_exact exact = {.name = "stairs",
                          .origin = "closed form",
                          .quadratic = true,
                          .nbreaks = 1,
                          .breaks = truth.breaks,
                          .eval = stairs_eval,
                          .data = &truth};
        double sum = 0.0;
        double sup = 0.0;
        il_deviation *w = NULL;
        truth.breaks[0] = 0.0;
        for (int k = 1; k < NODES; k++) { /* where it jumps, and the end */
            bool jumps = k == 8 || truth.u[k] != truth.u[k + 1];
            truth.breaks[exact.nbreaks] = 0.125 * k;
            exact.nbreaks += jumps;
        }
        w = il_deviation_create(&exact, 1);
        for (int k = 1; k < NODES; k++) {
            il_deviation_step(w, 0.125 * (k - 1), 0.125 * k, &run.q[k - 1], &run.q[k], &run.u[k],
                              NULL);
            sum += 0.125 * fabs(run.u[k] - truth.u[k]);
            sup = fmax(sup, fabs(run.q[k] - truth.q[k]));
        }
        il_deviation_result r = il_deviation_finish(w);
        CU_ASSERT(fabs(r.u_L1 - sum) <= ROUNDING && r.q_Linf == sup);
        CU_ASSERT(r.final_q == fabs(run.q[8] - truth.q[8]));
        CU_ASSERT(r.final_u == fabs(run.u[8] - truth.u[8]));
        il_deviation_destroy(w);
    }
    gsl_rng_free(rng);
}

static void a_nan_never_becomes_a_number(void) {
    double a = 1.0;
    il_exact exact = parabola_exact(&a);
    double zero = 0.0;
    double lost = NAN;
    for (int smooth = 0; smooth < 2; smooth++) {
        il_deviation *w = NULL;
        exact.quadratic = smooth == 0;
        w = il_deviation_create(&exact, 1);
        il_deviation_step(w, 0.0, 0.5, &zero, &lost, &lost, NULL);
        il_deviation_step(w, 0.5, 1.0, &zero, &zero, &zero, NULL);
        il_deviation_result r = il_deviation_finish(w);
        CU_ASSERT(isnan(r.q_Linf) && isnan(r.u_L1));
        il_deviation_destroy(w);
    }
}

static const il_test tests[] = {
    {"closed forms in one coordinate", closed_forms_in_one_coordinate},
    {"a vertex behind the end of a piece is none", a_vertex_behind_the_end_is_none},
    {"random curves agree with brute force", random_curves_agree_with_brute_force},
    {"positions may move otherwise than velocities say",
     positions_may_move_otherwise_than_velocities_say},
    {"runs are compared with runs", runs_are_compared_with_runs},
    {"jumps between steps belong to neither", jumps_between_steps_belong_to_neither},
    {"a NaN never becomes a number", a_nan_never_becomes_a_number},
    {NULL, NULL}};

const il_suite il_suite_deviation = {"deviation", tests};
