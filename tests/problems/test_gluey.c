/*
 * test_gluey.c - contacts that hold: the exact two-body solution against the model's own laws, and
 * the scheme against closed forms and against maury.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/reference/event_driven.h"
#include "harness/run/run.h"
#include "tests/support/residual.h"
#include "tests/support/suite.h"

/* Gaps and speeds are below 60 in the cases here and made by some hundred operations; each rounds
 * by 1e-16 of that. */
static const double ROUNDING = 1e-12;

static il_projector_options plain;

static const il_scheme_type *scheme_called(const char *name) {
    const il_scheme_type *scheme = NULL;
    CU_ASSERT_EQUAL_FATAL(il_scheme_type_find(name, &scheme, NULL), IL_OK);
    return scheme;
}

static const il_projector_type *projector_called(const char *name) {
    const il_projector_type *projector = NULL;
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find(name, &projector, NULL), IL_OK);
    return projector;
}

/* ---- the exact solution --------------------------------------------------------------------- */

/* The default: D = 0.4 - t^2/2 meets 0 at sqrt(0.8) with V = -sqrt(0.8); F = -1 until 1.3, then 2,
 * brings W = -t back from -1.3 to 0 at 1.3 + 1.3/2; from there on D = (t - 1.95)^2. */
static void default_motion_is_the_one_stated(void) {
    il_test_problem made = il_test_problem_new("gluey", 0.0, (const char *const[]){NULL});
    const il_exact *exact = made.problem->exact;
    double q = NAN, u = NAN, Lambda = NAN;
    double meets = sqrt(0.8);
    CU_ASSERT_EQUAL(exact->nbreaks, 5);
    CU_ASSERT(fabs(exact->breaks[1] - meets) <= ROUNDING);
    CU_ASSERT(fabs(exact->breaks[3] - 1.95) <= ROUNDING);
    exact->eval(exact, exact->breaks[1], -1, &q, &u);
    CU_ASSERT(fabs(q) <= ROUNDING);
    CU_ASSERT(fabs(u + meets) <= ROUNDING);
    exact->impulse(exact, exact->breaks[1], 1, &Lambda);
    CU_ASSERT(fabs(Lambda - meets) <= ROUNDING); /* the percussion */
    exact->impulse(exact, 1.3, 0, &Lambda);
    CU_ASSERT(fabs(Lambda - 1.3) <= ROUNDING);
    exact->eval(exact, 1.9, 0, &q, &u);
    CU_ASSERT(q == 0.0 && u == 0.0);
    exact->eval(exact, 3.0, 0, &q, &u);
    CU_ASSERT(fabs(q - 1.05 * 1.05) <= ROUNDING);
    CU_ASSERT(fabs(u - 2.1) <= ROUNDING);
    il_test_problem_free(&made);
}

/* The numbers of the case, typed once more. */
typedef struct {
    const char *sets[10];
    bool spheres, glue;
    double m, speed, gamma, press, pull, turn, period;
} scene;

static const scene scenes[] = {
    {{"T=3"}, false, true, 1.0, 0.0, 0.0, 1.0, 2.0, 1.3, 0.0},
    {{"glue=off"}, false, false, 1.0, 0.0, 0.0, 1.0, 2.0, 1.3, 0.0},
    {{"masses=2.5", "speed=-3", "gap=0"}, false, true, 2.5, -3.0, 0.0, 1.0, 2.0, 1.3, 0.0},
    {{"gamma=-1.7", "gap=0"}, false, true, 1.0, 0.0, -1.7, 1.0, 2.0, 1.3, 0.0},
    {{"speed=0.8", "gap=0", "press=0.5"}, false, true, 1.0, 0.8, 0.0, 0.5, 2.0, 1.3, 0.0},
    {{"press=0", "pull=0", "speed=-1"}, false, true, 1.0, -1.0, 0.0, 0.0, 0.0, 1.3, 0.0},
    {{"speed=-2", "press=0", "pull=3", "turn=0.1"}, false, true, 1, -2, 0, 0, 3, 0.1, 0.0},
    {{"period=2.1", "T=20"}, false, true, 1.0, 0.0, 0.0, 1.0, 2.0, 1.3, 2.1},
    {{"period=2.1", "T=20", "press=2", "pull=2", "glue=off"},
     false,
     false,
     1,
     0,
     0,
     2,
     2,
     1.3,
     2.1},
    {{"scenario=spheres", "masses=1,3", "radii=0.2,0.5", "speed=-0.3", "period=2.3", "press=2",
      "pull=2.5", "T=20"},
     true,
     true,
     0.75,
     -0.3,
     0.0,
     2.0,
     2.5,
     1.3,
     2.3},
};
enum { SCENES = sizeof scenes / sizeof scenes[0], SAMPLES = 9 };

/* int_0^t F, by adding up pieces: not the way in which the problem computes it. */
static double impulse_of_force(const scene *s, double t) {
    double sum = 0.0;
    double at = 0.0;
    for (size_t k = 0; at < t; k++) {
        double length = k % 2 == 0 ? s->turn : s->period > 0.0 ? s->period - s->turn : t;
        sum += (k % 2 == 0 ? -s->press : s->pull) * fmin(length, t - at);
        at += length;
    }
    return sum;
}

typedef struct {
    double D, V, Lambda, gamma;
} law_state;

static law_state state_at(const il_problem *problem, const scene *s, double t, int side) {
    const il_exact *exact = problem->exact;
    double q[2], u[2];
    law_state l;
    exact->eval(exact, t, side, q, u);
    exact->impulse(exact, t, side, &l.Lambda);
    l.D = s->spheres ? q[1] - q[0] - 0.7 : q[0];
    l.V = s->spheres ? u[1] - u[0] : u[0];
    l.gamma = s->gamma - (s->glue ? l.Lambda : 0.0);
    return l;
}

/* The laws at one time: momentum balance, signs, and D gamma = 0. */
static void check_laws(const scene *s, double t, law_state l) {
    CU_ASSERT(fabs(s->m * (l.V - s->speed) - impulse_of_force(s, t) - l.Lambda) <= ROUNDING);
    CU_ASSERT(l.D >= -ROUNDING);
    CU_ASSERT(l.gamma <= ROUNDING);
    CU_ASSERT(fabs(l.D * l.gamma) <= ROUNDING);
    if (l.gamma < -ROUNDING) {
        CU_ASSERT(fabs(l.V) <= ROUNDING);
    }
}

static void exact_solution_obeys_the_model(void) {
    for (size_t k = 0; k < SCENES; k++) {
        const scene *s = &scenes[k];
        il_test_problem made = il_test_problem_new("gluey", 0.0, s->sets);
        const il_exact *exact = made.problem->exact;
        for (size_t i = 0; i + 1 < exact->nbreaks; i++) {
            double a = exact->breaks[i], b = exact->breaks[i + 1];
            law_state from = state_at(made.problem, s, a, 1);
            law_state to = state_at(made.problem, s, b, -1);
            law_state before = state_at(made.problem, s, a, -1);
            double middle = state_at(made.problem, s, 0.5 * (a + b), 0).V;
            CU_ASSERT(a < b);
            /* V is affine: Simpson's rule is exact */
            CU_ASSERT(fabs(to.D - from.D - (b - a) / 6.0 * (from.V + 4.0 * middle + to.V)) <=
                      ROUNDING);
            CU_ASSERT(fabs(from.D - before.D) <= ROUNDING);
            /* V+ = P_C V-; at 0 both sides give V+ */
            bool touches = from.D <= ROUNDING;
            double expected = !touches                   ? before.V
                              : before.gamma < -ROUNDING ? 0.0
                                                         : fmax(before.V, 0.0);
            CU_ASSERT(fabs(from.V - expected) <= ROUNDING);
            for (int j = 0; j <= SAMPLES; j++) {
                double t = fmin(b, a + (b - a) * j / SAMPLES);
                law_state l = state_at(made.problem, s, t, j == 0 ? 1 : -1);
                check_laws(s, t, l);
                bool free = s->glue || l.D > ROUNDING;
                CU_ASSERT(!free || l.D <= ROUNDING || fabs(l.Lambda - from.Lambda) <= ROUNDING);
                CU_ASSERT(s->glue || l.Lambda >= from.Lambda - ROUNDING);
            }
        }
        il_test_problem_free(&made);
    }
}

/* ---- the scheme ----------------------------------------------------------------------------- */

/* A scheme on a problem, step by step. */
typedef struct {
    const il_problem *problem;
    const il_scheme_type *type;
    void *scheme;
    double room[2][3 * 4]; /* q, u, gamma of in and out, for d and p up to 4 */
    il_state in, out;
    il_step_report report;
    double t;
} walk;

static void walk_open(walk *w, const il_problem *problem, const char *projector) {
    *w = (walk){.problem = problem, .type = scheme_called("gluey_maury")};
    CU_ASSERT_FATAL(problem->d <= 4 && problem->p <= 4);
    w->in = (il_state){.q = w->room[0], .u = w->room[0] + 4, .gamma = w->room[0] + 8};
    w->out = (il_state){.q = w->room[1], .u = w->room[1] + 4, .gamma = w->room[1] + 8};
    memcpy(w->in.q, problem->q0, problem->d * sizeof(double));
    memcpy(w->in.u, problem->u0, problem->d * sizeof(double));
    memcpy(w->in.gamma, problem->gamma0, problem->p * sizeof(double));
    il_scheme_options options = {
        .projector = projector_called(projector), .projection = plain, .certify = true};
    CU_ASSERT_EQUAL_FATAL(w->type->create(&w->scheme, problem, &options, NULL), IL_OK);
}

/* One step; in is the state that came, out the one before. */
static void walk_on(walk *w, double t1) {
    il_error err = {IL_OK, ""};
    il_status status = w->type->step(w->scheme, w->t, t1, &w->in, &w->out, &w->report, &err);
    CU_ASSERT_EQUAL_FATAL(status, IL_OK);
    il_state swap = w->in;
    w->in = w->out;
    w->out = swap;
    w->t = t1;
}

static void walk_close(walk *w) {
    w->type->destroy(w->scheme);
}

/* m u + gamma has the same law as m V + gamma: exact at every node. The contact holds while gamma <
 * 0; gamma_n - h lambda is gamma_{n+1}; it lets go in the step that holds the exact time. */
static void potential_and_let_go_follow_the_impulse(void) {
    static const size_t steps[] = {7, 50, 333, 1000};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        const scene *s = &scenes[0];
        il_test_problem made = il_test_problem_new("gluey", 0.0, s->sets);
        double h = made.problem->horizon / (double)steps[i];
        double left = NAN;
        walk w;
        walk_open(&w, made.problem, "auto");
        for (size_t n = 0; n < steps[i]; n++) {
            double before = w.in.gamma[0];
            walk_on(&w, (double)(n + 1) * h);
            double gamma = w.in.gamma[0];
            double W = impulse_of_force(s, w.t);
            CU_ASSERT(fabs(w.in.u[0] + gamma - W) <= ROUNDING);
            CU_ASSERT(gamma <= 0.0 && w.in.q[0] >= -ROUNDING);
            CU_ASSERT(fabs(gamma * w.in.q[0]) <= ROUNDING);
            CU_ASSERT(fabs(before - h * w.report.lambda[0] - gamma) <= ROUNDING);
            left = before < 0.0 && gamma == 0.0 ? w.t : left;
        }
        CU_ASSERT(left >= 1.95 - ROUNDING && left <= 1.95 + h + ROUNDING);
        walk_close(&w);
        il_test_problem_free(&made);
    }
}

static double error_of(const char *const *sets, size_t steps, double *flat) {
    const il_problem_type *type = NULL;
    il_params *params = il_test_params_new("gluey", sets, &type);
    il_run_spec spec = {.problem = type,
                        .params = params,
                        .scheme = scheme_called("gluey_maury"),
                        .projector = projector_called("auto"),
                        .steps = steps,
                        .norms = il_norm_all()};
    il_record record = {0};
    CU_ASSERT_EQUAL_FATAL(il_run(&spec, &record, NULL, NULL), IL_OK);
    CU_ASSERT_EQUAL(record.status, IL_OK);
    double error = record.distances[0].error.u_L1;
    *flat = il_norms_value(&record.distances[0].norms, "flat_lambda", NULL);
    il_record_free(&record);
    il_params_destroy(params);
    return error;
}

/* In L1 a step costs its own length times the variation of the velocity in it, so the error is at
 * most h TV(u), TV being the exact one plus what the scheme adds, no more than the exact again. TV
 * is 3.89 by default (0.89 down, 0.89 back, 2.1 up). The flat distance of impulses is at most the
 * mass times the way it is moved, less than a step: h |lambda|, twice for the same reason. */
static void velocities_and_impulses_converge_with_h(void) {
    static const double VARIATION = 2.0 * 3.89;
    static const double MASS = 2.0 * 2.6; /* 1.3 pushing, 1.3 pulling */
    static const size_t steps[] = {50, 77, 131, 400, 1234, 5000};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        double flat = NAN;
        double h = 3.0 / (double)steps[i];
        double error = error_of(scenes[0].sets, steps[i], &flat);
        CU_ASSERT(error <= VARIATION * h);
        CU_ASSERT(flat <= MASS * h);
    }
}

/* ---- three in a row ------------------------------------------------------------------------- */

/* Three unit masses at rest in contact, both contacts with gamma = -1, a unit force on the last. */
static const double row_q0[3] = {0.0, 1.0, 2.0};
static const double row_u0[3] = {0.0, 0.0, 0.0};
static const double row_gamma0[2] = {-1.0, -1.0};

static void row_force(const il_problem *self, double t, const double *q, double *f) {
    (void)self;
    (void)t;
    (void)q;
    f[0] = f[1] = 0.0;
    f[2] = 1.0;
}

static void row_force_mean(const il_problem *self, double t0, double t1, const double *q,
                           double *f) {
    (void)t1;
    row_force(self, t0, q, f);
}

static il_status row_row(const il_problem *self, double t, const double *q, size_t id,
                         il_rows *rows) {
    static const double coef[2] = {-1.0, 1.0};
    size_t col[2] = {id, id + 1};
    (void)self;
    (void)t;
    il_rows_append(rows, id, q[id + 1] - q[id] - 1.0, 0.0, 2, col, coef);
    return IL_OK;
}

/* Held, all go at t/3 with lambda = (-1/3, -2/3); the second contact is used up at 1.5 and lets go,
 * the first keeps gamma = -1/2 and needs no force: u = (1/2, 1/2, t - 1). */
static void a_row_lets_go_where_its_glue_is_used_up(void) {
    static const size_t STEPS = 37; /* 1.5 is no node */
    static const double masses[3] = {1.0, 1.0, 1.0};
    il_problem_type type = {
        .name = "row", .row = row_row, .force = row_force, .force_mean = row_force_mean};
    il_problem problem = {.type = &type,
                          .order = 2,
                          .d = 3,
                          .p = 2,
                          .horizon = 3.0,
                          .q0 = row_q0,
                          .u0 = row_u0,
                          .gamma0 = row_gamma0};
    CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&problem.mass, 3, masses, NULL), IL_OK);
    double h = problem.horizon / (double)STEPS;
    walk w;
    walk_open(&w, &problem, "auto");
    for (size_t n = 0; n < STEPS; n++) {
        double t = (double)(n + 1) * h;
        walk_on(&w, t);
        bool held = t < 1.5;
        double expected[3] = {held ? t / 3.0 : 0.5, held ? t / 3.0 : 0.5, held ? t / 3.0 : t - 1.0};
        for (size_t k = 0; k < 3; k++) {
            CU_ASSERT(fabs(w.in.u[k] - expected[k]) <= ROUNDING);
        }
        CU_ASSERT(fabs(w.in.gamma[0] - (held ? -1.0 + t / 3.0 : -0.5)) <= ROUNDING);
        CU_ASSERT(fabs(w.in.gamma[1] - (held ? -1.0 + 2.0 * t / 3.0 : 0.0)) <= ROUNDING);
    }
    walk_close(&w);
    il_metric_destroy(problem.mass);
}

/* ---- without glue --------------------------------------------------------------------------- */

static void check_same_run(const char *name, const char *const *sets) {
    static const size_t STEPS = 60;
    il_trajectory kept[2] = {{0}, {0}};
    for (int k = 0; k < 2; k++) {
        const il_problem_type *type = NULL;
        il_params *params = il_test_params_new(name, sets, &type);
        il_run_spec spec = {.problem = type,
                            .params = params,
                            .scheme = scheme_called(k == 0 ? "maury" : "gluey_maury"),
                            .projector = projector_called("auto"),
                            .steps = STEPS};
        il_record record = {0};
        CU_ASSERT_EQUAL_FATAL(il_run(&spec, &record, &kept[k], NULL), IL_OK);
        CU_ASSERT_EQUAL(record.status, IL_OK);
        il_record_free(&record);
        il_params_destroy(params);
    }
    size_t numbers = kept[0].nodes * kept[0].d;
    CU_ASSERT_EQUAL_FATAL(kept[0].nodes, STEPS + 1);
    CU_ASSERT_EQUAL(kept[1].nodes, STEPS + 1);
    CU_ASSERT_EQUAL(memcmp(kept[0].q, kept[1].q, numbers * sizeof(double)), 0);
    CU_ASSERT_EQUAL(memcmp(kept[0].u, kept[1].u, numbers * sizeof(double)), 0);
    CU_ASSERT_EQUAL(kept[0].ncontacts, kept[1].ncontacts);
    il_trajectory_free(&kept[0]);
    il_trajectory_free(&kept[1]);
}

static void without_glue_it_is_maury_bit_for_bit(void) {
    check_same_run("gluey", (const char *const[]){"glue=off", NULL});
    check_same_run("gluey",
                   (const char *const[]){"glue=off", "scenario=spheres", "period=2", NULL});
    check_same_run("nonuniqueness", (const char *const[]){NULL});
    check_same_run("sticky", (const char *const[]){NULL});
    check_same_run("vibroimpact", (const char *const[]){NULL});
    check_same_run("growing_radii", (const char *const[]){NULL});
    check_same_run("pile", (const char *const[]){"N=30", NULL});
}

/* A contact that never pulls is no different with glue: both come to rest on the wall. */
static void glue_that_is_never_pulled_changes_nothing(void) {
    il_test_problem on =
        il_test_problem_new("gluey", 0.0, (const char *const[]){"pull=0", "T=4", NULL});
    walk w;
    walk_open(&w, on.problem, "auto");
    for (size_t n = 0; n < 40; n++) {
        walk_on(&w, 0.1 * (double)(n + 1));
    }
    CU_ASSERT(fabs(w.in.q[0]) <= ROUNDING && fabs(w.in.u[0]) <= ROUNDING);
    CU_ASSERT(fabs(w.in.gamma[0] + 1.3) <= ROUNDING); /* all that was pressed */
    walk_close(&w);
    il_test_problem_free(&on);
}

/* ---- refusals ------------------------------------------------------------------------------- */

static void others_refuse_glue_with_the_reason(void) {
    il_test_problem made = il_test_problem_new("gluey", 0.0, (const char *const[]){NULL});
    for (size_t k = 0; il_scheme_type_at(k) != NULL; k++) {
        const il_scheme_type *scheme = il_scheme_type_at(k);
        il_error err = {IL_OK, ""};
        il_status status = il_scheme_suits(scheme, made.problem, &err);
        CU_ASSERT_EQUAL(status, scheme->glue ? IL_OK : IL_EUNSUPPORTED);
        CU_ASSERT(scheme->glue || strstr(err.message, "scheme that knows glue") != NULL);
        bool second = (scheme->orders & 2u) != 0;
        CU_ASSERT(scheme->glue || !second ||
                  strstr(err.message, "these suit it: gluey_maury") != NULL);
    }
    il_error err = {IL_OK, ""};
    il_event_driven *events = NULL;
    CU_ASSERT_EQUAL(il_event_driven_create(&events, made.problem, projector_called("auto"), &err),
                    IL_EUNSUPPORTED);
    CU_ASSERT_PTR_NULL(events);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "its contacts adhere"));
    il_test_problem_free(&made);
}

static const il_test tests[] = {
    {"the default motion is the one that is stated", default_motion_is_the_one_stated},
    {"the exact solution obeys the model", exact_solution_obeys_the_model},
    {"the potential and the let-go follow the impulse", potential_and_let_go_follow_the_impulse},
    {"velocities and impulses converge with h", velocities_and_impulses_converge_with_h},
    {"a row lets go where its glue is used up", a_row_lets_go_where_its_glue_is_used_up},
    {"without glue it is maury bit for bit", without_glue_it_is_maury_bit_for_bit},
    {"glue that is never pulled changes nothing", glue_that_is_never_pulled_changes_nothing},
    {"others refuse glue with the reason", others_refuse_glue_with_the_reason},
    {NULL, NULL}};

const il_suite il_suite_gluey = {.name = "gluey", .tests = tests};
