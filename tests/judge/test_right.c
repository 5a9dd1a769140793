/*
 * test_right.c - what a right motion may look like, one kind each; and the estimates that the judge
 * makes of motions that are known.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/judge/coverage.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

enum { STEPS = 300 };

static const double G = 9.81;

static il_judgement judge(const il_motion_problem *c, const il_trajectory *run, bool has_u,
                          il_between between, bool half) {
    il_judgement out;
    il_error err = {IL_OK, ""};
    const il_samples_given given = {run->nodes, run->d, run->t, run->q, has_u ? run->u : NULL};
    const il_judge_query query = {.problem = &c->choice,
                                  .path = "samples",
                                  .name = "other",
                                  .between = between,
                                  .half = half,
                                  .given = &given};
    CU_ASSERT_EQUAL_FATAL(il_judge(&query, &out, &err), IL_OK);
    return out;
}

/* Expect this finding, or "nothing". */
static void expect(const char *what, const il_motion_problem *c, const il_trajectory *run,
                   bool has_u, bool half, const char *name) {
    il_judgement j = judge(c, run, has_u, IL_BETWEEN_AFFINE, half);
    const char *found = j.faults.n > 0 ? j.faults.list[0].name : "nothing";
    bool right = strcmp(found, name) == 0;
    CU_ASSERT(right);
    if (!right) {
        (void)fprintf(stderr, "%s: %s, not %s\n", what, found, name);
    }
    il_judgement_free(&j);
}

static il_motion_problem ball(const char *e) {
    static il_motion_problem c;
    il_motion_choose(&c, "bouncing_ball", (const char *const[IL_MOTION_SETS]){e});
    c.choice.settings = c.settings;
    return c;
}

/* The loop of a ball that falls from 1: an impact with e where it would pass the floor, positions
 * by the new velocity, and so much of an overlap taken back in a step. */
static il_trajectory fall(double h, double e, double push) {
    il_trajectory run;
    double q = 1.0;
    double u = 0.0;
    memset(&run, 0, sizeof run);
    CU_ASSERT_EQUAL_FATAL(il_trajectory_init(&run, 1, STEPS + 1, NULL), IL_OK);
    for (int n = 0; n <= STEPS; n++) {
        CU_ASSERT_EQUAL_FATAL(il_trajectory_add(&run, h * n, &q, &u), IL_OK);
        double before = u;
        u -= h * G;
        if (q + 0.5 * h * before <= 0.0 && before <= 0.0) {
            u = fmax(u, -e * before);
        }
        q += h * u - (q < 0.0 ? push * q : 0.0);
    }
    return run;
}

static void positions_may_be_pushed_without_a_velocity(void) {
    il_motion_problem c = ball("e=0");
    for (int k = 0; k < 20; k++) {
        il_trajectory run = fall(0.003 + 0.00013 * k, 0.0, 0.2);
        expect("pushed", &c, &run, true, false, "nothing");
        il_trajectory_free(&run);
    }
}

/* q_{n+1} = q_n + h_n ((1 - theta) u_n + theta u_{n+1}), uneven steps, without u: differences of
 * q/h take the force for (1 - theta) h_{n-1} + theta h_n, with h_{-1} = 0. */
static void positions_may_move_by_any_mean_of_velocities(void) {
    il_motion_problem c = ball("e=0");
    for (int k = 0; k <= 10; k++) {
        il_trajectory run;
        double q = 1.0;
        double u = 0.0;
        double t = 0.0;
        memset(&run, 0, sizeof run);
        CU_ASSERT_EQUAL_FATAL(il_trajectory_init(&run, 1, 31, NULL), IL_OK);
        for (int n = 0; n <= 30; n++) {
            double h = n % 3 == 0 ? 0.001 : 0.015;
            CU_ASSERT_EQUAL_FATAL(il_trajectory_add(&run, t, &q, &q), IL_OK);
            q += h * (u - 0.1 * k * h * G);
            u -= h * G;
            t += h;
        }
        expect("a mean of velocities", &c, &run, false, false, "nothing");
        il_trajectory_free(&run);
    }
}

/* q = 0.3 cos(2 t), steps of 0.0005 to 0.3, without u: in the long ones the force changes by a
 * third, and a short one behind it has that in its velocities. */
static void exact_positions_may_be_uneven(void) {
    il_motion_problem c;
    il_trajectory run;
    const double steps[] = {0.3, 0.0005, 0.02, 0.25, 0.01};
    double t = 0.0;
    il_motion_choose(&c, "pendulum",
                     (const char *const[IL_MOTION_SETS]){"N=1", "gravity=4", "stop=-1"});
    c.choice.settings = c.settings;
    memset(&run, 0, sizeof run);
    CU_ASSERT_EQUAL_FATAL(il_trajectory_init(&run, 1, 25, NULL), IL_OK);
    for (int n = 0; t < 3.0; n++) {
        double q = 0.3 * cos(2.0 * t);
        CU_ASSERT_EQUAL_FATAL(il_trajectory_add(&run, t, &q, &q), IL_OK);
        t += steps[n % 5];
    }
    expect("uneven", &c, &run, false, false, "nothing");
    il_trajectory_free(&run);
}

/* A ball that bounces, without u, as high before the floor as behind it at the ends of a long step:
 * its mean velocity is 0, and what changes it in the short step behind is the bounce before. */
static void a_bounce_may_lie_in_the_step_before(void) {
    il_motion_problem c = ball("e=1");
    il_trajectory run;
    const double impact = sqrt(2.0 / G);
    const double long_step = 0.03;
    memset(&run, 0, sizeof run);
    CU_ASSERT_EQUAL_FATAL(il_trajectory_init(&run, 1, 60, NULL), IL_OK);
    for (int n = 0; n < 60; n++) {
        const int pair = n / 2;
        double t = n == 0 ? 0.0 : impact + (pair - 15.5) * long_step + (n % 2 == 1 ? 1e-3 : 0.0);
        double fallen = t < impact ? t : 2.0 * impact - t;
        double q = 1.0 - 0.5 * G * fallen * fallen;
        if (t >= 0.0) {
            CU_ASSERT_EQUAL_FATAL(il_trajectory_add(&run, t, &q, &q), IL_OK);
        }
    }
    expect("a bounce before", &c, &run, false, false, "nothing");
    il_trajectory_free(&run);
}

static void a_bounce_that_is_lost_is_another_restitution(void) {
    il_motion_problem c = ball("e=0.5");
    il_trajectory run = fall(0.005, 0.0, 0.0);
    expect("lost", &c, &run, true, false, "another restitution");
    il_trajectory_free(&run);
}

/* u_{n+1/2} in row n, q_{n+1} = q_n + h u_{n+1/2}: velocities at half steps must be said. */
static void velocities_of_half_steps_can_be_said(void) {
    il_motion_problem c = ball("e=0");
    il_trajectory run;
    const double h = 0.01;
    memset(&run, 0, sizeof run);
    CU_ASSERT_EQUAL_FATAL(il_trajectory_init(&run, 1, 31, NULL), IL_OK);
    for (int n = 0; n <= 30; n++) {
        double t = h * n;
        double q = 1.0 - 0.5 * G * t * t;
        double u = -G * (t - 0.5 * h);
        CU_ASSERT_EQUAL_FATAL(il_trajectory_add(&run, t, &q, &u), IL_OK);
    }
    expect("half", &c, &run, true, true, "nothing");
    expect("whole", &c, &run, true, false, "another start");
    expect("positions alone", &c, &run, false, false, "nothing");
    il_trajectory_free(&run);
}

/* In flight the gap tells when the impact is, and so what the force adds before and behind it. */
static void restitution_of_exact_flight_is_exact(void) {
    il_motion_problem c = ball("e=0.5");
    il_trajectory run;
    uint64_t random = 1;
    size_t nodes = 0;
    double *t = il_motion_times(&c, IL_TIMES_UNIFORM, 43, &random, &nodes);
    CU_ASSERT_FATAL(il_motion_exact(&c, t, nodes, 1, &random, &run));
    il_judgement j = judge(&c, &run, true, IL_BETWEEN_BALLISTIC, false);
    CU_ASSERT(j.faults.n == 0 && j.faults.impacts >= 1);
    /* four times the tolerance of speeds, and that of the step's residual, on both sides */
    CU_ASSERT(fabs(j.faults.e_low - 0.5) <= 2e-8 && fabs(j.faults.e_high - 0.5) <= 2e-8);
    il_judgement_free(&j);
    il_trajectory_free(&run);
    free(t);
}

/* ---- a force that moves the centre of mass -------------------------------------------------- */

static const double pair_q0[] = {0.0, 1.0};
static const double pair_u0[] = {0.5, 0.0};

static il_status pair_row(const il_problem *self, double t, const double *q, size_t id,
                          il_rows *rows) {
    (void)self;
    (void)t;
    il_rows_append(rows, id, q[1] - q[0] - 0.5, 0.0, 2, (const size_t[]){0, 1},
                   (const double[]){-1.0, 1.0});
    return IL_OK;
}

static void pair_force(const il_problem *self, double t, const double *q, double *f) {
    (void)self;
    (void)t;
    (void)q;
    f[0] = 3.0;
    f[1] = 6.0;
}

static il_status pair_create(il_problem *self, il_params *params, il_error *err) {
    (void)params;
    self->order = 2;
    self->p = 1;
    self->space = 1;
    self->horizon = 2.0;
    self->traits =
        IL_ROWS_AFFINE | IL_ROWS_CONVEX | IL_ROWS_FIXED | IL_ROWS_INVARIANT | IL_FORCE_OF_TIME;
    self->q0 = pair_q0;
    self->u0 = pair_u0;
    self->no_exact = "not needed";
    return il_problem_set_masses(self, 2, (const double[]){1.0, 2.0}, err);
}

static const il_param_spec pair_params[] = {{.key = NULL}};

static const il_problem_type pair = {.name = "pair",
                                     .title = "two bodies that fall together",
                                     .statement = "-",
                                     .source = "elementary",
                                     .params = pair_params,
                                     .create = pair_create,
                                     .row = pair_row,
                                     .force = pair_force};

/* The momentum grows by h sum f in a step, and contacts do not change that; what grows beside it is
 * a drift. */
static void the_force_is_no_drift_of_the_momentum(void) {
    il_motion_problem c = {.choice = {.type = &pair, .label = "pair"}};
    il_trajectory run;
    CU_ASSERT_FATAL(il_motion_run(&c, "maury", 200, &run));
    expect("falls", &c, &run, true, false, "nothing");
    double moved = 0.0;
    for (size_t n = 1; n < run.nodes; n++) {
        moved += 1e-9 * (double)n * (run.t[n] - run.t[n - 1]);
        run.q[2 * n] += moved;
        run.u[2 * n] += 1e-9 * (double)n;
    }
    expect("drifts", &c, &run, true, false, "a momentum that drifts");
    il_trajectory_free(&run);
}

/* ---- a body that another presses onto a floor ------------------------------------------------ */

static const double near_floor[] = {0.002, 0.6};
static const double far_above[] = {0.2, 0.798};
static const double column_u0[] = {0.0, -1.0};

static il_status column_row(const il_problem *self, double t, const double *q, size_t id,
                            il_rows *rows) {
    (void)self;
    (void)t;
    if (id == 0) {
        il_rows_append(rows, 0, q[0], 0.0, 1, (const size_t[]){0}, (const double[]){1.0});
    } else {
        il_rows_append(rows, 1, q[1] - q[0] - 0.5, 0.0, 2, (const size_t[]){0, 1},
                       (const double[]){-1.0, 1.0});
    }
    return IL_OK;
}

static il_status column_create(il_problem *self, il_params *params, il_error *err) {
    self->order = 2;
    self->p = 2;
    self->space = 1;
    self->horizon = 0.2;
    self->traits = IL_ROWS_AFFINE | IL_ROWS_CONVEX | IL_ROWS_FIXED;
    self->q0 = il_params_number(params, "high") > 0.0 ? far_above : near_floor;
    self->u0 = column_u0;
    self->no_exact = "not needed";
    return il_problem_set_masses(self, 2, (const double[]){1.0, 2.0}, err);
}

static const il_param_spec column_params[] = {
    {"high", IL_PARAM_NUMBER, "0", 0.0, 1.0, false, NULL, "1", "not near the floor"},
    {.key = NULL}};

static const il_problem_type column = {.name = "column",
                                       .title = "a body strikes another above a floor",
                                       .statement = "-",
                                       .source = "elementary",
                                       .params = column_params,
                                       .create = column_create,
                                       .row = column_row};

/* Both bodies stand still behind the impact: the lower one, resting above the floor, was pressed
 * onto it, by as much as the upper one would have moved, though no sample of it moves. */
static void a_body_that_is_struck_may_strike_another(void) {
    for (int high = 0; high < 2; high++) {
        il_setting set = {.key = "high", .text = high > 0 ? "1" : "0"};
        il_motion_problem c = {
            .choice = {.type = &column, .label = "column", .settings = &set, .nsettings = 1}};
        il_trajectory run;
        const double h = 0.01;
        memset(&run, 0, sizeof run);
        CU_ASSERT_EQUAL_FATAL(il_trajectory_init(&run, 2, 21, NULL), IL_OK);
        for (int n = 0; n <= 20; n++) {
            const double *q0 = high > 0 ? far_above : near_floor;
            const double q[] = {q0[0], q0[1] - h * fmin(n, 9.0)};
            const double u[] = {0.0, n > 9 ? 0.0 : -1.0};
            CU_ASSERT_EQUAL_FATAL(il_trajectory_add(&run, h * n, q, u), IL_OK);
        }
        expect("pressed", &c, &run, true, false, high > 0 ? "a contact at a distance" : "nothing");
        il_trajectory_free(&run);
    }
}

/* Without a force, with a sample at each impact and nine digits: the last step before a stop is as
 * long as its times say, which are rounded, and the velocity behind it is 0. */
static void a_stop_may_fall_on_a_sample(void) {
    il_motion_problem c;
    il_trajectory run;
    uint64_t random = 1;
    il_motion_choose(&c, "corner", (const char *const[IL_MOTION_SETS]){"angle=1", "mass=1,3"});
    c.choice.settings = c.settings;
    for (size_t steps = 20; steps < 40; steps++) {
        size_t nodes = 0;
        double *t = il_motion_times(&c, IL_TIMES_BREAKS, 10 * steps + 1, &random, &nodes);
        CU_ASSERT_FATAL(il_motion_exact(&c, t, nodes, 1, &random, &run));
        expect("a rest of 1e-17", &c, &run, false, false, "nothing");
        il_motion_round(&run, 9);
        expect("a stop", &c, &run, true, false, "nothing");
        il_trajectory_free(&run);
        free(t);
    }
}

/* Velocities that are negated behind the start, which leave least with a negative mass: it is none,
 * and the file is judged. */
static void no_mass_is_negative(void) {
    static const char *const masses[] = {"masses=1,1", "masses=1,3"};
    for (size_t k = 0; k < 4; k++) {
        il_motion_problem c;
        il_trajectory run;
        il_motion_choose(&c, "two_spheres", (const char *const[IL_MOTION_SETS]){masses[k / 2]});
        CU_ASSERT_FATAL(il_motion_run(&c, "maury", k % 2 == 0 ? 40 : 60, &run));
        for (size_t i = run.d; i < run.nodes * run.d; i++) {
            run.u[i] = -run.u[i];
        }
        expect("negated", &c, &run, true, false, "speeds that contradict positions");
        il_trajectory_free(&run);
    }
}

static const il_test tests[] = {
    {"positions may be pushed without a velocity", positions_may_be_pushed_without_a_velocity},
    {"a bounce that is lost is another restitution", a_bounce_that_is_lost_is_another_restitution},
    {"velocities of half steps can be said", velocities_of_half_steps_can_be_said},
    {"restitution of exact flight is exact", restitution_of_exact_flight_is_exact},
    {"the force is no drift of the momentum", the_force_is_no_drift_of_the_momentum},
    {"positions may move by any mean of velocities", positions_may_move_by_any_mean_of_velocities},
    {"a bounce may lie in the step before", a_bounce_may_lie_in_the_step_before},
    {"exact positions may be uneven", exact_positions_may_be_uneven},
    {"a body that is struck may strike another", a_body_that_is_struck_may_strike_another},
    {"a stop may fall on a sample", a_stop_may_fall_on_a_sample},
    {"no mass is negative", no_mass_is_negative},
    {NULL, NULL}};

extern const il_suite il_suite_right;
const il_suite il_suite_right = {"right motions", tests};
