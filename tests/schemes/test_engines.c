/*
 * test_engines.c - soft contacts against their closed form where one contact is alone; presets
 * against what the engines themselves printed.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/run/run.h"
#include "tests/support/suite.h"

/* Hundred steps of numbers below ten, each over h = 0.02. */
static const double SAME = 1e-11;

static void drop(const char *scheme, const char *e, size_t steps, il_trajectory *traj) {
    il_run_spec spec = {.steps = steps, .horizon = 2.0};
    il_record record = {0};
    il_scheme_choice choice;
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find("bouncing_ball", &spec.problem, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_scheme_choose(scheme, &choice, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &spec.projector, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_create(&spec.params, spec.problem->params, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_set_text(spec.params, "e", e, NULL), IL_OK);
    spec.scheme = choice.type;
    spec.scheme_name = choice.name;
    spec.scheme_settings = choice.settings;
    CU_ASSERT_EQUAL_FATAL(il_run(&spec, &record, traj, NULL), IL_OK);
    CU_ASSERT_EQUAL(record.status, IL_OK);
    il_record_free(&record);
    il_params_destroy(spec.params);
}

/* The lines that programs printed of a ball of mass 1 that falls from 1 under 9.81, h = 1/50, at
 * steps 24, 30, 60 (15 digits). MuJoCo 2.2.2: a free body, all defaults. ODE 0.16.2: dWorldStep, e
 * = 1/2, bounce_vel 0, CFM 0, else defaults. Bullet 3.24 in double precision: e = 1/2, a ball of
 * radius 1, no split impulses, else defaults. */
static void presets_are_their_engines(void) {
    static const struct {
        const char *scheme, *e;
        double q[3], u[3];
    } printed[] = {{"soft:as=mujoco",
                    "0",
                    {-0.0624642000000002, -0.010717425, -0.000833342827243344},
                    {1.02799, 0.16554375, 1.70728260640808e-06}},
                   {"impulse:as=ode,cfm=0",
                    "0.5",
                    {-0.0378980000000003, 0.150454, -0.00258200000000008},
                    {2.2563, 1.0791, -0.220724999999999}},
                   {"impulse:as=bullet,split=no",
                    "0.5",
                    {0.075176, 0.184844, 0.0},
                    {1.6006, 0.423400000000001, 0.0}}};
    static const size_t at[] = {24, 30, 60};
    for (size_t k = 0; k < sizeof printed / sizeof *printed; k++) {
        il_trajectory traj = {0};
        drop(printed[k].scheme, printed[k].e, 100, &traj);
        for (size_t i = 0; i < 3; i++) {
            CU_ASSERT(fabs(traj.q[at[i]] - printed[k].q[i]) <= SAME);
            CU_ASSERT(fabs(traj.u[at[i]] - printed[k].u[i]) <= SAME);
        }
        il_trajectory_free(&traj);
    }
}

/* u = v* + p with p = max(0, (w - v*)/(1 + R)) where q <= 0: one contact of mobility 1. */
static void one_soft_contact_has_a_closed_form(void) {
    static const char *const schemes[] = {"soft:as=sap,k=1e4,tau=0.05", "soft:as=cfm,cfm=0.01",
                                          "soft:as=spook,k=1e5,relaxation=4,skin=0.005"};
    const double h = 0.02;
    for (size_t k = 0; k < 3; k++) {
        il_trajectory traj = {0};
        double q = 1.0;
        double u = 0.0;
        double most = 0.0;
        drop(schemes[k], "0", 100, &traj);
        for (size_t n = 0; n < 100; n++) {
            double v = u - 9.81 * h;
            double R =
                k == 0 ? fmax(1.0 / (4.0 * M_PI * M_PI), 1.0 / (h * (h + 0.05) * 1e4)) : 0.01 / h;
            double w = k == 0 ? -q / (h + 0.05) : -0.2 * q / h;
            if (k == 2) { /* ContactEquation: B = -a g - b GW - h GiMf, C = GiMGt + eps */
                R = 4.0 / (h * h * 1e5 * 17.0);
                w = u - 16.0 / 17.0 * u - 4.0 / (h * 17.0) * (q + 0.005);
            }
            u = q <= 0.0 ? v + fmax(0.0, (w - v) / (1.0 + R)) : v;
            q += h * u;
            most = fmax(most, fabs(traj.q[n + 1] - q));
            most = fmax(most, fabs(traj.u[n + 1] - u));
        }
        CU_ASSERT(most <= SAME);
        il_trajectory_free(&traj);
    }
}

/* q_{n+1} is the root of x - q* + h^2 kappa b'(x) in (0, dhat), or q*: by bisection. The barrier
 * at a
 * gap of 1e-5 multiplies the rounding of x by h^2 kappa b'' = 1e9 in u: what bisection and Newton
 * find agrees to 1e-13 in q, and to that over h in u, a hundred times. */
static void a_barrier_is_a_root(void) {
    const double h = 0.02;
    const double dhat = 1e-2;
    const double kappa = 1e4;
    il_trajectory traj = {0};
    double q = 1.0;
    double u = 0.0;
    double most = 0.0;
    drop("ipc:dhat=1e-2,kappa=1e4", "0", 100, &traj);
    for (size_t n = 0; n < 100; n++) {
        double target = q + h * (u - 9.81 * h);
        double low = 0.0;
        double high = fmax(dhat, target);
        for (int k = 0; k < 200 && target < dhat; k++) {
            double x = 0.5 * (low + high);
            double y = fmin(x, dhat) - dhat;
            double slope = -2.0 * y * log(fmin(x, dhat) / dhat) - y * y / x;
            *(x - target + h * h * kappa * slope < 0.0 ? &low : &high) = x;
        }
        double next = target < dhat ? high : target;
        u = (next - q) / h;
        q = next;
        most = fmax(most, fabs(traj.q[n + 1] - q));
    }
    CU_ASSERT(most <= 1e-9);
    il_trajectory_free(&traj);
}

/* b2MakeSoft, and a step of four substeps in the terms of contact_solver.c: impulses accumulate
 * from substep to substep, a soft sweep before the ball moves and a rigid one behind. *kept: what
 * the last step left. A floor is static: twice the hertz. */
static void box2d_step(double h, double *q, double *u, double *kept) {
    double s = h / 4.0;
    double omega = 2.0 * M_PI * 2.0 * fmin(30.0, 0.25 / s);
    double a1 = 2.0 * 10.0 + s * omega;
    double a2 = s * omega * a1;
    double a3 = 1.0 / (1.0 + a2);
    double impulse = *q <= 0.02 ? *kept : 0.0;
    bool contact = *q <= 0.02;
    for (int n = 0; n < 4; n++) {
        *u += -9.81 * s + impulse;
        for (int rigid = 0; rigid < 2; rigid++) {
            bool soften = *q <= 0.0 && rigid == 0;
            double bias = *q > 0.0 ? *q / s : soften ? fmax(a2 * a3 * omega / a1 * *q, -3.0) : 0.0;
            double more = -((soften ? a2 * a3 : 1.0) * *u + bias) - (soften ? a3 : 0.0) * impulse;
            double sum = contact ? fmax(impulse + more, 0.0) : 0.0;
            *u += sum - impulse;
            impulse = sum;
            *q += rigid == 0 ? s * *u : 0.0;
        }
    }
    *kept = impulse;
}

static void box2d_in_substeps(void) {
    il_trajectory traj = {0};
    double q = 1.0;
    double u = 0.0;
    double kept = 0.0;
    double most = 0.0;
    drop("soft:as=box2d", "0", 100, &traj);
    for (size_t n = 0; n < 100; n++) {
        box2d_step(0.02, &q, &u, &kept);
        most = fmax(most, fabs(traj.q[n + 1] - q));
        most = fmax(most, fabs(traj.u[n + 1] - u));
    }
    CU_ASSERT(most <= SAME);
    il_trajectory_free(&traj);
}

static const il_test tests[] = {
    {"substeps are those of Box2D 3: accumulated impulses do the same", box2d_in_substeps},
    {"a step against a barrier is the root of its equation", a_barrier_is_a_root},
    {"presets make the steps that their engines printed", presets_are_their_engines},
    {"one soft contact has a closed form", one_soft_contact_has_a_closed_form},
    {NULL, NULL}};

const il_suite il_suite_engines = {"engines", tests};
