/*
 * test_two_spheres.c - the exact solutions of two_spheres against the inclusion, against hand
 * calculation, against first integrals and against another integrator.
 */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <stdio.h>

#include "tests/support/expect.h"
#include "tests/support/suite.h"

enum { SPACE = 3, DIM = 6, SAMPLES = 24 };

/* Positions and velocities are O(1) to O(10) and go through some ten operations: 1e-15 each. The
 * kinematic residual adds up SAMPLES x 16 Gauss points. */
static const double RESIDUAL = 1e-12;
/* du/dt from differences of u: rounding 1e-15 over a stencil of 0.005 of a piece (0.1 or more). */
static const double DYNAMICS = 1e-10;
/* Contact as the residual sees it: the rounding of |w| - R, with room for |q| of order 10. */
static const double ACTIVE = 1e-12;
/* Values computed by hand, compared after about ten roundings. */
static const double HAND = 1e-14;
/* Adaptive quadrature and rk8pd are asked for 1e-13; errors of a slide grow by less than 100. */
static const double OTHER_METHOD = 1e-11;

#define FREE(...) ((const char *const[]){"scenario=free", __VA_ARGS__, NULL})
#define PRESSED(...) ((const char *const[]){"scenario=pressed", __VA_ARGS__, NULL})

static double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *c) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* w = q2 - q1 and its velocity at t. */
static void relative(const il_problem *problem, double t, int side, double *w, double *v) {
    double q[DIM];
    double u[DIM];
    problem->exact->eval(problem->exact, t, side, q, u);
    for (int c = 0; c < SPACE; c++) {
        w[c] = q[SPACE + c] - q[c];
        v[c] = u[SPACE + c] - u[c];
    }
}

/* The relative acceleration in flight. */
static void acceleration(const il_problem *problem, double *a) {
    const double *m = il_metric_masses(problem->mass);
    double f[DIM];
    problem->type->force(problem, 0.0, problem->q0, f);
    for (int c = 0; c < SPACE; c++) {
        a[c] = f[SPACE + c] / m[SPACE] - f[c] / m[0];
    }
}

static void expect_solution(const char *const *sets, size_t nbreaks) {
    il_test_problem made = il_test_problem_new("two_spheres", 0.0, sets);
    CU_ASSERT_EQUAL_FATAL(made.problem->nexact, 1);
    CU_ASSERT_EQUAL(made.problem->exact->nbreaks, nbreaks);
    il_residual r = il_residual_of(made.problem, 0, SAMPLES, ACTIVE);
    il_residual most = il_residual_within(RESIDUAL);
    most.dynamics = DYNAMICS;
    il_expect_residual(&r, &most);
    il_test_problem_free(&made);
}

static void free_solves(void) {
    expect_solution(NULL, 3);
    expect_solution(FREE("masses=3", "radii=0.3"), 3);
    expect_solution(FREE("masses=1e-3,1e3", "radii=0.9,0.1"), 3);
    expect_solution(FREE("u0=0,0,0,1,0,0"), 2);       /* they part */
    expect_solution(FREE("u0=0,0,0,-1,2,0"), 2);      /* they miss */
    expect_solution(FREE("u0=0,0,0,0,0,0"), 2);       /* they rest */
    expect_solution(FREE("u0=1.5,0.3,0.2,0,0,0"), 3); /* head-on: they stick */
    expect_solution(FREE("q0=0,0,0,0.54,0.72,0"), 2); /* in contact, approaching */
    expect_solution(FREE("q0=0,0,0,0.54,0.72,0", "u0=0,0,0,1,1,1"), 2); /* in contact, parting */
}

static void pressed_solves(void) {
    expect_solution(PRESSED("F=2,0,0"), 4);
    expect_solution(PRESSED("F=1,0.4,-0.2", "T=6"), 4);
    expect_solution(PRESSED("F=20,0,0", "T=1", "masses=1"), 4);
    expect_solution(PRESSED("F=0.1,0,0"), 3); /* too weak: it flies on at once */
    expect_solution(PRESSED("F=-1,0,0"), 2);  /* pulled apart in time */
    expect_solution(PRESSED("F=0,0,0"), 3);
    expect_solution(PRESSED("F=3,0,0,-1,0,-1"), 4); /* and carried away together */
    expect_solution(PRESSED("F=1,2,3,2,4,6"), 3);   /* carried, and not pressed: as free */
    expect_solution(PRESSED("q0=0,0,0,0.54,0.72,0", "u0=0,0,0,0,0,0"), 3);
    expect_solution(PRESSED("q0=0,0,0,0.9,0,0", "u0=0,0,0,0,0,0"), 2);   /* balanced for ever */
    expect_solution(PRESSED("q0=0,0,0,0.9,0,0", "u0=0,0,0,0.5,0,0"), 3); /* tossed, falls back */
    expect_solution(PRESSED("q0=0,0,0,0.54,0.72,0", "u0=0,0,0,0.64,-0.48,0.1"), 3); /* uphill */
    expect_solution(PRESSED("q0=0,0,0,1,0,0", "u0=0,0,0,0,1,0", "radii=0.5", "masses=2", "F=1,0,0"),
                    2); /* just too fast to be held: the reaction is zero from the start */
}

/* Thrown uphill too fast to be held, it flies off and lands near the top, and takes off again. */
static void lands_again(void) {
    il_test_problem made = il_test_problem_new(
        "two_spheres", 3.0,
        PRESSED("radii=0.5", "masses=2", "F=1,0,0", "q0=0,0,0,0.6,-0.8,0", "u0=0,0,0,0.8,0.6,0"));
    CU_ASSERT_FATAL(made.problem->nexact == 1 && made.problem->exact->nbreaks == 4);
    /* By hand: w = (0.6 + 0.8 s - s^2/2, -0.8 + 0.6 s), |w|^2 - 1 = s^2 (0.4 - 0.8 s + s^2/4). */
    double s = 1.6 - sqrt(1.6 * 1.6 - 1.6);
    CU_ASSERT(fabs(made.problem->exact->breaks[1] - s) <= HAND);
    il_test_problem_free(&made);
    expect_solution(PRESSED("radii=0.5", "masses=2", "F=1,0,0", "q0=0,0,0,0.6,-0.8,0",
                            "u0=0,0,0,0.8,0.6,0", "T=3"),
                    4);
}

/* w = (3, 0.6, 0), v = (-2, 0, 0), R = 1: contact when w_x = 0.8, at t = 1.1, with e = (0.8, 0.6,
 * 0); impulse mu * 1.6 = 1.2 along e. */
static void free_by_hand(void) {
    il_test_problem made = il_test_problem_new(
        "two_spheres", 3.1, FREE("q0=0,0,0,3,0.6,0", "u0=2,0,0,0,0,0", "masses=1,3", "radii=0.5"));
    static const double u_expected[DIM] = {1.04, -0.72, 0.0, 0.32, 0.24, 0.0};
    static const double q_contact[DIM] = {2.2, 0.0, 0.0, 3.0, 0.6, 0.0};
    const il_exact *exact = made.problem->exact;
    double q[DIM];
    double u[DIM];
    CU_ASSERT(exact->quadratic);
    CU_ASSERT_FATAL(exact->nbreaks == 3);
    CU_ASSERT(fabs(exact->breaks[1] - 1.1) <= HAND);
    exact->eval(exact, 1.1 + 2.0, 0, q, u);
    for (int k = 0; k < DIM; k++) {
        CU_ASSERT(fabs(u[k] - u_expected[k]) <= HAND);
        CU_ASSERT(fabs(q[k] - (q_contact[k] + 2.0 * u_expected[k])) <= HAND);
    }
    exact->eval(exact, exact->breaks[1], -1, q, u);
    CU_ASSERT(fabs(u[0] - 2.0) <= HAND);
    il_test_problem_free(&made);
}

/* A grazing line (miss distance exactly R) and contact at exactly the horizon make no event. */
static void grazing_is_no_event(void) {
    expect_solution(FREE("q0=0,0,0,2,1,0", "u0=0,0,0,-1,0,0", "radii=0.5", "T=4"), 2);
    expect_solution(FREE("q0=0,0,0,2,0,0", "u0=0,0,0,-1,0,0", "radii=0.5", "T=1"), 2);
}

/* Total momentum never changes; kinetic energy changes at the impact by -mu v_n^2/2. */
static void impact_balances(void) {
    il_test_problem made = il_test_problem_new("two_spheres", 0.0, NULL);
    const il_problem *problem = made.problem;
    const double *m = il_metric_masses(problem->mass);
    double t = problem->exact->breaks[1];
    double q[DIM];
    double before[DIM];
    double after[DIM];
    double w[SPACE];
    double v[SPACE];
    problem->exact->eval(problem->exact, t, -1, q, before);
    problem->exact->eval(problem->exact, t, 1, q, after);
    relative(problem, t, -1, w, v);
    for (int c = 0; c < SPACE; c++) {
        double p0 = m[0] * problem->u0[c] + m[SPACE] * problem->u0[SPACE + c];
        CU_ASSERT(fabs(m[0] * after[c] + m[SPACE] * after[SPACE + c] - p0) <= HAND);
    }
    double normal = dot(w, v) / sqrt(dot(w, w));
    double mu = m[0] * m[SPACE] / (m[0] + m[SPACE]);
    double loss = 0.5 * (il_metric_inner(problem->mass, before, before) -
                         il_metric_inner(problem->mass, after, after));
    CU_ASSERT(normal < -0.5);
    CU_ASSERT(fabs(loss - 0.5 * mu * normal * normal) <= HAND);
    il_test_problem_free(&made);
}

/* During the slide |w| = R, w.v = 0, |v|^2/2 - a.w and a.(w x v) keep their values. */
static void slide_keeps_its_integrals(void) {
    il_test_problem made = il_test_problem_new("two_spheres", 0.0, PRESSED("F=2,0,0"));
    const il_problem *problem = made.problem;
    CU_ASSERT_FATAL(problem->exact->nbreaks == 4);
    CU_ASSERT(!problem->exact->quadratic);
    double t0 = problem->exact->breaks[1];
    double t1 = problem->exact->breaks[2];
    double a[SPACE];
    double w[SPACE];
    double v[SPACE];
    double moment[SPACE];
    acceleration(problem, a);
    relative(problem, t0, 1, w, v);
    cross(w, v, moment);
    double energy = 0.5 * dot(v, v) - dot(a, w);
    double spin = dot(a, moment);
    CU_ASSERT(fabs(spin) > 0.1); /* not planar */
    for (int k = 0; k <= 100; k++) {
        relative(problem, t0 + (t1 - t0) * k / 100.0, k == 0 ? 1 : -1, w, v);
        cross(w, v, moment);
        CU_ASSERT(fabs(sqrt(dot(w, w)) - 0.9) <= HAND);
        CU_ASSERT(fabs(dot(w, v)) <= HAND);
        CU_ASSERT(fabs(0.5 * dot(v, v) - dot(a, w) - energy) <= HAND);
        CU_ASSERT(fabs(dot(a, moment) - spin) <= HAND);
    }
    il_test_problem_free(&made);
}

/* zeta = w along a/|a|: R^2 zeta'^2 = 2 (E + A zeta)(R^2 - zeta^2) - L^2. */
typedef struct {
    double A, R, E, L;
    bool angle; /* integrate the azimuth instead of the time */
} reduced;

static double reduced_rate(double zeta, void *data) {
    const reduced *p = data;
    double wide = p->R * p->R - zeta * zeta;
    double rate = sqrt(2.0 * (p->E + p->A * zeta) * wide - p->L * p->L) / p->R;
    return (p->angle ? p->L / wide : 1.0) / rate;
}

/* Departure where 3 A zeta = -2 E; its time and azimuth by quadrature of the reduced motion. */
static void departure_by_quadrature(void) {
    il_test_problem made = il_test_problem_new("two_spheres", 0.0, PRESSED("F=1.7,0.2,0.1"));
    const il_problem *problem = made.problem;
    CU_ASSERT_FATAL(problem->exact->nbreaks == 4);
    double t0 = problem->exact->breaks[1];
    double t1 = problem->exact->breaks[2];
    double a[SPACE];
    double w0[SPACE];
    double v0[SPACE];
    double w1[SPACE];
    double v1[SPACE];
    double moment[SPACE];
    acceleration(problem, a);
    relative(problem, t0, 1, w0, v0);
    relative(problem, t1, -1, w1, v1);
    cross(w0, v0, moment);
    reduced p = {.A = sqrt(dot(a, a)), .R = 0.9, .E = 0.5 * dot(v0, v0) - dot(a, w0)};
    p.L = dot(a, moment) / p.A;
    double start = dot(a, w0) / p.A;
    double end = -2.0 * p.E / (3.0 * p.A);
    CU_ASSERT_FATAL(dot(a, v0) > 0.0); /* downhill from the start: zeta is a clock */
    CU_ASSERT(fabs(dot(a, w1) / p.A - end) <= HAND);
    gsl_integration_workspace *work = gsl_integration_workspace_alloc(200);
    gsl_function f = {reduced_rate, &p};
    double error = 0.0;
    double time = 0.0;
    double angle = 0.0;
    CU_ASSERT(gsl_integration_qag(&f, start, end, 0.0, 1e-13, 200, GSL_INTEG_GAUSS61, work, &time,
                                  &error) == GSL_SUCCESS);
    p.angle = true;
    CU_ASSERT(gsl_integration_qag(&f, start, end, 0.0, 1e-13, 200, GSL_INTEG_GAUSS61, work, &angle,
                                  &error) == GSL_SUCCESS);
    gsl_integration_workspace_free(work);
    CU_ASSERT(fabs(t1 - t0 - time) <= OTHER_METHOD);
    /* The azimuth from w0 to w1 about a. */
    double turn[SPACE];
    cross(w0, w1, turn);
    double along = dot(w0, w1) - start * end;
    CU_ASSERT(fabs(atan2(dot(a, turn) / p.A, along) - angle) <= OTHER_METHOD);
    il_test_problem_free(&made);
}

/* The pendulum as Newton wrote it, the reaction from the velocity at hand. */
static int pendulum(double t, const double y[], double dy[], void *data) {
    const double *a = data;
    double R2 = dot(y, y);
    double pull = (dot(a, y) + dot(y + SPACE, y + SPACE)) / R2;
    (void)t;
    for (int c = 0; c < SPACE; c++) {
        dy[c] = y[SPACE + c];
        dy[SPACE + c] = a[c] - pull * y[c];
    }
    return GSL_SUCCESS;
}

static void slide_by_another_integrator(void) {
    il_test_problem made = il_test_problem_new(
        "two_spheres", 0.0, PRESSED("q0=0,0,0,0.54,0.72,0", "u0=0,0,0,0.4,-0.3,0.2", "F=4,1,0"));
    const il_problem *problem = made.problem;
    CU_ASSERT_FATAL(problem->exact->nbreaks == 3);
    double leave = problem->exact->breaks[1];
    double a[SPACE];
    double y[DIM]; /* w and v */
    double w[SPACE];
    double v[SPACE];
    acceleration(problem, a);
    relative(problem, 0.0, 1, y, y + SPACE);
    gsl_odeiv2_system system = {pendulum, NULL, DIM, a};
    gsl_odeiv2_driver *driver =
        gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-3, 1e-13, 1e-13);
    double t = 0.0;
    for (int k = 1; k <= 20; k++) {
        double at = leave * k / 20.0;
        CU_ASSERT(gsl_odeiv2_driver_apply(driver, &t, at, y) == GSL_SUCCESS);
        relative(problem, at, -1, w, v);
        for (int c = 0; c < SPACE; c++) {
            CU_ASSERT(fabs(w[c] - y[c]) <= OTHER_METHOD);
            CU_ASSERT(fabs(v[c] - y[SPACE + c]) <= OTHER_METHOD);
        }
    }
    CU_ASSERT(fabs(dot(a, y) + dot(y + SPACE, y + SPACE)) <= OTHER_METHOD); /* no reaction left */
    gsl_odeiv2_driver_free(driver);
    il_test_problem_free(&made);
}

/* In a plane, from rest at the angle 1/2 from the top with A = R = 1: it leaves at
 * cos theta = 2/3 cos(1/2), after int dtheta / sqrt(2 (cos(1/2) - cos theta)). With
 * theta = 1/2 + x^2 the integrand in x is regular, and the difference of cosines is a product. */
static double planar_rate(double x, void *data) {
    (void)data;
    return 2.0 * x / sqrt(4.0 * sin(0.5 + 0.5 * x * x) * sin(0.5 * x * x));
}

static void planar_departure(void) {
    char q0[128];
    (void)snprintf(q0, sizeof q0, "q0=0,0,0,%.17g,%.17g,0", cos(0.5), sin(0.5));
    il_test_problem made = il_test_problem_new(
        "two_spheres", 4.0, PRESSED(q0, "u0=0,0,0,0,0,0", "radii=0.5", "masses=2", "F=1,0,0"));
    const il_problem *problem = made.problem;
    CU_ASSERT_FATAL(problem->exact->nbreaks == 3);
    double leave = problem->exact->breaks[1];
    double w[SPACE];
    double v[SPACE];
    relative(problem, leave, -1, w, v);
    CU_ASSERT(fabs(w[0] - 2.0 / 3.0 * cos(0.5)) <= HAND);
    CU_ASSERT(fabs(dot(v, v) - w[0]) <= HAND); /* the weight just bends the path */
    CU_ASSERT(fabs(w[2]) <= HAND && fabs(v[2]) <= HAND);
    gsl_integration_workspace *work = gsl_integration_workspace_alloc(200);
    gsl_function f = {planar_rate, NULL};
    double error = 0.0;
    double time = 0.0;
    double end = sqrt(acos(2.0 / 3.0 * cos(0.5)) - 0.5);
    CU_ASSERT(gsl_integration_qag(&f, 0.0, end, 0.0, 1e-13, 200, GSL_INTEG_GAUSS61, work, &time,
                                  &error) == GSL_SUCCESS);
    gsl_integration_workspace_free(work);
    CU_ASSERT(fabs(leave - time) <= OTHER_METHOD);
    il_test_problem_free(&made);
}

static const il_test tests[] = {
    {"free motions solve the inclusion", free_solves},
    {"pressed motions solve the inclusion", pressed_solves},
    {"a sphere tossed over the top lands again", lands_again},
    {"a free impact has the values of a calculation by hand", free_by_hand},
    {"grazing is no event", grazing_is_no_event},
    {"an impact keeps momentum and loses mu v_n^2/2", impact_balances},
    {"a slide keeps energy and angular momentum", slide_keeps_its_integrals},
    {"departure is where and when quadrature says", departure_by_quadrature},
    {"a slide agrees with rk8pd", slide_by_another_integrator},
    {"a planar slide leaves at two thirds of the height", planar_departure},
    {NULL, NULL}};

const il_suite il_suite_two_spheres = {"two_spheres", tests};
