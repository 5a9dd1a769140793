/*
 * test_norms.c - impulses of exact solutions against the momentum balance, and the norms of whole
 * runs against closed forms.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/history.h"
#include "harness/measure/norm.h"
#include "harness/run/run.h"
#include "tests/support/residual.h"
#include "tests/support/suite.h"

/* A value by its name and key: "graph_H", "impacts.missed". */
static double norm(const il_norms *norms, const char *text) {
    char name[32] = "";
    size_t n = strcspn(text, ".");
    memcpy(name, text, n);
    return il_norms_value(norms, name, text[n] == '.' ? text + n + 1 : NULL);
}

static unsigned bits_of(const char *name) {
    unsigned bits = 0;
    CU_ASSERT_FATAL(il_norm_bits(name, &bits));
    return bits;
}

enum { CELLS = 1000 };

/* Impulses and velocities of order one after some ten roundings. */
static const double ROUNDING = 1e-12;
/* int sum grad g dLambda by midpoints over CELLS cells of a piece: an error of a few 1e-6/24 times
 * second derivatives, which are below 100 here. */
static const double MIDPOINT = 1e-5;
/* Contact to the rounding of the configuration; within a cell of MIDPOINT gaps do not move. */
static const double CONTACT = 1e-9;
/* A piece whose cells would be roundings of t. */
static const double TINY = 1e-9;

#define SETS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* ---- momentum balance ----------------------------------------------------------------------- */

typedef struct {
    const il_problem *problem;
    const il_exact *exact;
    il_rows rows;
    double *q, *u, *f;        /* [d] */
    double *change, *balance; /* [d] */
    double *from, *to;        /* [p] */
    double worst;             /* M du - int f - sum grad g dLambda, largest entry */
    double least;             /* least dLambda */
    double apart;             /* largest g_i dLambda_i */
} balance;

/* All constraints at (t, q(t)). */
static void rows_at(balance *w, double t, int side) {
    w->exact->eval(w->exact, t, side, w->q, w->u);
    il_rows_clear(&w->rows);
    CU_ASSERT_EQUAL_FATAL(il_problem_scan(w->problem, t, w->q, w->q, INFINITY, &w->rows), IL_OK);
}

/* Over (a,b): M (u(b) - u(a)) in change; rows are those at a time between. */
static void add_interval(balance *w, double a, double b) {
    size_t d = w->problem->d;
    il_metric_mul(w->problem->mass, w->change, w->balance);
    memset(w->f, 0, d * sizeof *w->f);
    if (b > a && w->problem->type->force_mean != NULL) {
        w->problem->type->force_mean(w->problem, a, b, w->q, w->f);
    }
    for (size_t k = 0; k < d; k++) {
        w->balance[k] -= (b - a) * w->f[k];
    }
    for (size_t i = 0; i < w->rows.p; i++) {
        double impulse = w->to[w->rows.id[i]] - w->from[w->rows.id[i]];
        il_rows_axpy(&w->rows, i, -impulse, w->balance);
        w->least = fmin(w->least, impulse);
        w->apart = fmax(w->apart, w->rows.value[i] * impulse);
    }
    for (size_t k = 0; k < d; k++) {
        w->worst = isnan(w->balance[k]) ? NAN : fmax(w->worst, fabs(w->balance[k]));
    }
}

static void add_jump(balance *w, double t, const double *before) {
    size_t d = w->problem->d;
    assert(w->exact->impulse != NULL);
    if (t > 0.0) {
        w->exact->impulse(w->exact, t, -1, w->from);
    } else {
        memset(w->from, 0, w->problem->p * sizeof *w->from);
    }
    w->exact->impulse(w->exact, t, 1, w->to);
    rows_at(w, t, 1);
    for (size_t k = 0; k < d; k++) {
        w->change[k] = w->u[k] - before[k];
    }
    add_interval(w, t, t);
}

static void add_piece(balance *w, double a, double b) {
    size_t d = w->problem->d;
    int cells = b - a > TINY ? CELLS : 1; /* bounces that die away are closer than cells can be */
    for (int n = 0; n < cells; n++) {
        double t0 = a + (b - a) * n / cells;
        double t1 = n + 1 == cells ? b : a + (b - a) * (n + 1) / cells;
        w->exact->impulse(w->exact, t0, 1, w->from);
        w->exact->impulse(w->exact, t1, -1, w->to);
        w->exact->eval(w->exact, t0, 1, w->q, w->u);
        for (size_t k = 0; k < d; k++) {
            w->change[k] = -w->u[k];
        }
        w->exact->eval(w->exact, t1, -1, w->q, w->u);
        for (size_t k = 0; k < d; k++) {
            w->change[k] += w->u[k];
        }
        rows_at(w, 0.5 * (t0 + t1), 0);
        add_interval(w, t0, t1);
    }
}

static void expect_balance(const char *name, const char *const *sets) {
    il_test_problem made = il_test_problem_new(name, 0.0, sets);
    const il_problem *problem = made.problem;
    CU_ASSERT_FATAL(problem->nexact > 0);
    double *room = calloc(6 * problem->d + 2 * problem->p, sizeof *room);
    CU_ASSERT_PTR_NOT_NULL_FATAL(room);
    for (size_t k = 0; k < problem->nexact; k++) {
        const il_exact *exact = &problem->exact[k];
        CU_ASSERT_PTR_NOT_NULL_FATAL(exact->impulse);
        size_t d = problem->d;
        balance w = {.problem = problem,
                     .exact = exact,
                     .q = room,
                     .u = room + d,
                     .f = room + 2 * d,
                     .change = room + 3 * d,
                     .balance = room + 4 * d,
                     .from = room + 6 * d,
                     .to = room + 6 * d + problem->p};
        double *before = room + 5 * d;
        balance jumps = w;
        add_jump(&jumps, 0.0, problem->u0);
        for (size_t i = 0; i + 1 < exact->nbreaks; i++) {
            add_piece(&w, exact->breaks[i], exact->breaks[i + 1]);
            exact->eval(exact, exact->breaks[i + 1], -1, w.q, before);
            if (i + 2 < exact->nbreaks) {
                add_jump(&jumps, exact->breaks[i + 1], before);
            }
        }
        CU_ASSERT(jumps.worst <= ROUNDING && jumps.least >= -ROUNDING && jumps.apart <= CONTACT);
        CU_ASSERT(w.worst <= MIDPOINT / CELLS && w.least >= -ROUNDING && w.apart <= CONTACT);
        il_rows_free(&w.rows);
        il_rows_free(&jumps.rows);
    }
    free(room);
    il_test_problem_free(&made);
}

/* Every cell by itself balances to MIDPOINT/CELLS, so wrong densities cannot hide between right
 * percussions. */
static void impulses_balance_momentum(void) {
    expect_balance("bouncing_ball", NULL);
    expect_balance("bouncing_ball", SETS("e=0.5"));
    expect_balance("bouncing_ball", SETS("e=0.3", "q0=0", "u0=-2"));
    expect_balance("nonuniqueness", NULL);
    expect_balance("sticky", SETS("N=7", "masses=1,2,3,1,2,3,1"));
    expect_balance("sticky", SETS("N=3", "q0=0,0,1", "u0=1,-1,0")); /* touching at 0 */
    expect_balance("two_spheres", NULL);
    expect_balance("two_spheres", SETS("scenario=pressed", "masses=1,3"));
    expect_balance("two_spheres", SETS("scenario=pressed", "q0=0,0,0,1,0.2,0", "u0=0,0,0,0,0,0"));
    expect_balance("growing_radii", SETS("N=4", "masses=1,2,3,4"));
    expect_balance("growing_radii",
                   SETS("r0=1", "a=1", "omega=3.141592653589793", "q0=0,0,0,3.5,0,0", "T=6"));
    expect_balance("vibroimpact", NULL);
    expect_balance("vibroimpact", SETS("scenario=corner"));
    expect_balance("vibroimpact", SETS("scenario=graze"));
    expect_balance("vibroimpact", SETS("q0=3,2", "u0=-0.5,-2"));
}

/* ---- pulses ---------------------------------------------------------------------------------- */

/* A ball at rest on the floor from t_1 on: one percussion v = sqrt(2 g), then weight g. */
static void pulses_of_a_resting_ball(void) {
    il_test_problem made = il_test_problem_new("bouncing_ball", 0.0, SETS("gravity=2"));
    il_pulses pulses = {0};
    CU_ASSERT_EQUAL_FATAL(il_pulses_of_exact(&pulses, made.problem->exact, 1, 1.5, NULL), IL_OK);
    double atom = 0.0;
    double rest = 0.0;
    for (size_t k = 0; k < pulses.n; k++) {
        *(pulses.pulses[k].t0 == pulses.pulses[k].t1 ? &atom : &rest) += pulses.pulses[k].mass;
    }
    CU_ASSERT(fabs(atom - 2.0) <= ROUNDING && fabs(rest - 2.0 * 0.5) <= ROUNDING);
    il_pulses_free(&pulses);
    il_exact silent = *made.problem->exact;
    silent.impulse = NULL;
    CU_ASSERT_EQUAL(il_pulses_of_exact(&pulses, &silent, 1, 1.5, NULL), IL_EUNSUPPORTED);
    il_test_problem_free(&made);
}

/* ---- runs ----------------------------------------------------------------------------------- */

typedef struct {
    il_params *params;
    il_run_spec spec;
    il_record record;
    il_trajectory trajectory;
} made_run;

static void run(made_run *m, const char *problem, const char *scheme, const char *const *sets) {
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find(problem, &m->spec.problem, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_scheme_type_find(scheme, &m->spec.scheme, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &m->spec.projector, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_create(&m->params, m->spec.problem->params, NULL), IL_OK);
    for (size_t k = 0; sets != NULL && sets[k] != NULL; k++) {
        char key[32] = "";
        size_t length = strcspn(sets[k], "=");
        memcpy(key, sets[k], length);
        CU_ASSERT_EQUAL_FATAL(il_params_set_text(m->params, key, sets[k] + length + 1, NULL),
                              IL_OK);
    }
    m->spec.params = m->params;
    CU_ASSERT_EQUAL_FATAL(il_run(&m->spec, &m->record, &m->trajectory, NULL), IL_OK);
    CU_ASSERT_EQUAL(m->record.status, IL_OK);
}

static void release(made_run *m) {
    il_record_free(&m->record);
    il_trajectory_free(&m->trajectory);
    il_params_destroy(m->params);
}

/* A point falls from 1 with speed 1 and no gravity to speak of; h = 2/8 and the wall is met at
 * t = 1, a node, so that maury is exact up to there and stops in the step that follows: lambda_h is
 * one impulse 1 spread over [1, 5/4], the exact one an atom at 1. flat = (h/2)/tau, tau = T = 2;
 * graph_H = 0; TV = 1 both; the event's middle is h/2 late. */
static void norms_of_one_percussion_in_closed_form(void) {
    made_run m = {.spec = {.steps = 8, .horizon = 2.0, .norms = il_norm_all()}};
    run(&m, "two_spheres", "maury",
        SETS("q0=0,0,0,2,0,0", "u0=0.5,0,0,-0.5,0,0", "radii=0.5,0.5", "masses=2,2"));
    CU_ASSERT_EQUAL_FATAL(m.record.ndistances, 1);
    const il_norms *norms = &m.record.distances[0].norms;
    double v = sqrt(0.5); /* |(1/2, -1/2)| */
    CU_ASSERT(norm(norms, "graph_H") <= ROUNDING && norm(norms, "graph_H.tau") == 2.0 &&
              fabs(norm(norms, "graph_H.V") - v) <= ROUNDING);
    CU_ASSERT(fabs(norm(norms, "flat_lambda") - 0.125 / 2.0) <= ROUNDING);
    CU_ASSERT(norm(norms, "flat_lambda") == norm(norms, "flat_lambda.flat_lambda_max"));
    CU_ASSERT(norm(norms, "TV") <= ROUNDING &&
              fabs(norm(norms, "TV.TV_reference") - v) <= ROUNDING);
    CU_ASSERT(norm(norms, "impacts.events") == 1 && norm(norms, "impacts.matched") == 1);
    CU_ASSERT(norm(norms, "impacts.missed") == 0 && norm(norms, "impacts.spurious") == 0);
    CU_ASSERT(fabs(norm(norms, "impacts.time_error") - 0.125) <= ROUNDING);
    CU_ASSERT(norm(norms, "impacts.impulse_error") <= ROUNDING);
    CU_ASSERT(norm(norms, "impacts.law_events") == 1 &&
              norm(norms, "impacts.law_residual") <= ROUNDING);
    release(&m);
}

/* Nothing moves: every distance is 0, and the graphs' own measure of velocities is 1. */
static void at_rest_velocities_are_measured_by_one(void) {
    made_run m = {.spec = {.steps = 4, .horizon = 2.0, .norms = il_norm_all()}};
    run(&m, "two_spheres", "maury",
        SETS("q0=0,0,0,2,0,0", "u0=0,0,0,0,0,0", "radii=0.5,0.5", "masses=2,2"));
    const il_norms *norms = &m.record.distances[0].norms;
    CU_ASSERT(norm(norms, "graph_H.tau") == 2.0 && norm(norms, "graph_H.V") == 1.0);
    CU_ASSERT(norm(norms, "graph_H") == 0.0 && norm(norms, "flat_lambda") == 0.0);
    CU_ASSERT(norm(norms, "TV") == 0.0 && norm(norms, "TV.TV_reference") == 0.0);
    CU_ASSERT(norm(norms, "impacts.events") == 0 && norm(norms, "impacts.spurious") == 0);
    release(&m);
}

/* Everything falls with h, from 256 steps to 16 times as many by more than a factor of six (first
 * order makes sixteen, the phase of the impact in its step moves it by two). */
static void expect_convergence(const char *problem, const char *scheme, const char *const *sets,
                               size_t impacts) {
    double e[2][3];
    for (int k = 0; k < 2; k++) {
        made_run m = {.spec = {.steps = k == 0 ? 256 : 4096, .norms = il_norm_all()}};
        run(&m, problem, scheme, sets);
        const il_norms *norms = &m.record.distances[0].norms;
        e[k][0] = norm(norms, "graph_H");
        e[k][1] = norm(norms, "flat_lambda");
        e[k][2] = norm(norms, "impacts.law_residual") + norm(norms, "impacts.time_error") +
                  norm(norms, "impacts.impulse_error");
        CU_ASSERT(norm(norms, "impacts.matched") == impacts && norm(norms, "impacts.missed") == 0);
        CU_ASSERT_EQUAL(norm(norms, "impacts.spurious"), 0);
        CU_ASSERT(norms->no_lambda == NULL);
        release(&m);
    }
    for (int i = 0; i < 3; i++) {
        CU_ASSERT(e[1][i] <= e[0][i] / 6.0);
    }
}

static void norms_fall_with_the_step(void) {
    expect_convergence("bouncing_ball", "maury", NULL, 1);
    expect_convergence("two_spheres", "venel", SETS("scenario=pressed"), 1);
    expect_convergence("growing_radii", "maury", NULL, 1);
    expect_convergence("vibroimpact", "paoli", NULL, 1);
    expect_convergence("vibroimpact", "maury", SETS("scenario=corner"), 2);
    /* the outer pairs meet, then all four: 1 + 1 + 3 contacts push */
    expect_convergence("sticky", "maury", SETS("N=4", "u0=1,0,0.3,-1"), 5);
}

/* Restitution: e^k is followed as long as it is above the threshold, and nothing is made up. */
static void bounces_are_matched(void) {
    made_run m = {.spec = {.steps = 20000, .norms = bits_of("impacts")}};
    run(&m, "bouncing_ball", "paoli", SETS("e=0.5"));
    const il_norms *norms = &m.record.distances[0].norms;
    CU_ASSERT(norm(norms, "impacts.matched") >= 5 && norm(norms, "impacts.missed") == 0);
    CU_ASSERT_EQUAL(norm(norms, "impacts.spurious"), 0);
    /* a few steps of 1e-4, times the velocity or the gravity of ten */
    CU_ASSERT(norm(norms, "impacts.time_error") <= 1e-3 &&
              norm(norms, "impacts.law_residual") <= 1e-2);
    CU_ASSERT(isnan(norm(norms, "graph_H")) && isnan(norm(norms, "flat_lambda")) &&
              isnan(norm(norms, "TV")));
    release(&m);
}

/* Against the wrong solutions percussions are missed and made up. */
static void the_wrong_solution_is_seen(void) {
    made_run m = {.spec = {.steps = 2048, .norms = il_norm_all()}};
    run(&m, "nonuniqueness", "maury", NULL);
    CU_ASSERT_FATAL(m.record.ndistances >= 2);
    const il_distance *near = &m.record.distances[0];
    CU_ASSERT(strcmp(near->name, "B") == 0 && norm(&near->norms, "impacts.missed") == 0);
    CU_ASSERT(norm(&near->norms, "flat_lambda") <= 1e-2 && norm(&near->norms, "graph_H") <= 2e-2);
    for (size_t k = 1; k < m.record.ndistances; k++) {
        const il_norms *far = &m.record.distances[k].norms;
        CU_ASSERT(norm(far, "impacts.missed") >= 1 && norm(far, "impacts.spurious") >= 1);
        CU_ASSERT(norm(far, "flat_lambda") >= 10.0 * 1e-2 && norm(far, "graph_H") >= 5.0 * 2e-2);
    }
    release(&m);
}

/* A run as the reference of itself, and of one half as fine. */
static void runs_are_references_of_runs(void) {
    made_run fine = {.spec = {.steps = 512}};
    run(&fine, "two_spheres", "maury", NULL);
    il_exact reference = il_trajectory_as_exact(&fine.trajectory, "fine");
    for (size_t steps = 512; steps >= 256; steps /= 2) {
        made_run m = {.spec = {.steps = steps,
                               .norms = il_norm_all(),
                               .reference = &reference,
                               .reference_run = &fine.trajectory}};
        run(&m, "two_spheres", "maury", NULL);
        const il_norms *norms = &m.record.distances[0].norms;
        bool same = steps == 512;
        CU_ASSERT(same ? norm(norms, "graph_H") <= ROUNDING : norm(norms, "graph_H") > 1e-5);
        CU_ASSERT(same ? norm(norms, "flat_lambda") <= ROUNDING
                       : norm(norms, "flat_lambda") > 1e-5);
        CU_ASSERT(norm(norms, "impacts.matched") == 1 && norm(norms, "impacts.missed") == 0);
        release(&m);
    }
    release(&fine);
}

/* Sticky particles: momentum and centre of mass keep to rounding, and the series holds what the
 * result is the worst of. */
static void series_hold_every_step(void) {
    il_history s = {.n = 0};
    il_observer watch = il_history_observer(&s);
    made_run m = {.spec = {.steps = 30, .observers = &watch, .nobservers = 1}};
    run(&m, "sticky", "maury", SETS("N=6"));
    const il_measure_result *r = &m.record.measure;
    double momentum = 0.0;
    double centre = 0.0;
    CU_ASSERT_EQUAL_FATAL(s.n, 30);
    CU_ASSERT(s.measured);
    for (size_t k = 0; k < s.n; k++) {
        const il_history_step *now = &s.steps[k];
        momentum = fmax(momentum, now->drift.momentum);
        centre = fmax(centre, now->drift.centre);
        CU_ASSERT(fabs(now->t - 0.1 * (double)(k + 1)) <= ROUNDING);
        CU_ASSERT(k == 0 || now->energy <= s.steps[k - 1].energy + ROUNDING);
    }
    CU_ASSERT(momentum == r->momentum_drift && centre == r->centre_drift);
    CU_ASSERT(momentum <= ROUNDING && centre <= ROUNDING && s.steps[29].energy == r->energy_final);
    release(&m);
    il_history_free(&s);
    made_run ball = {.spec = {.steps = 4, .observers = &watch, .nobservers = 1}};
    run(&ball, "bouncing_ball", "maury", NULL); /* the floor takes its momentum */
    CU_ASSERT(isnan(s.steps[0].drift.momentum));
    release(&ball);
    il_history_free(&s);
}

/* Two references of one run, or two runs of one reference: what is needed of one alone is made
 * once. */
static void what_is_shared_is_prepared_once(void) {
    made_run m = {.spec = {.steps = 64}};
    run(&m, "two_spheres", "maury", NULL);
    il_exact reference = il_trajectory_as_exact(&m.trajectory, "itself");
    il_norm_run kept = {.graphed = false};
    il_norm_reference known = {.graphed = false};
    il_norms_query query = {
        .run = &m.trajectory, .reference = &reference, .reference_run = &m.trajectory};
    const il_pulse *pulses[2][2] = {{NULL, NULL}, {NULL, NULL}};
    const double *graphs[2][2] = {{NULL, NULL}, {NULL, NULL}};
    for (int k = 0; k < 2; k++) {
        il_norm_data data = {
            .query = &query, .T = m.trajectory.t[64], .run = &kept, .other = &known};
        CU_ASSERT_EQUAL(il_norm_need_graphs(&data, NULL), IL_OK);
        CU_ASSERT_EQUAL(il_norm_need_loads(&data, NULL), IL_OK);
        pulses[0][k] = kept.pulses.pulses;
        pulses[1][k] = known.pulses.pulses;
        graphs[0][k] = kept.graph.p;
        graphs[1][k] = known.graph.p;
    }
    for (int k = 0; k < 2; k++) {
        CU_ASSERT(pulses[k][0] != NULL && pulses[k][1] == pulses[k][0]);
        CU_ASSERT(graphs[k][0] != NULL && graphs[k][1] == graphs[k][0]);
    }
    il_norm_kept all = {.n = 0};
    il_norm_kept_open(&all, 1.0, 1);
    all.of[0] = known;
    il_norm_kept_open(&all, 1.0, 1);
    CU_ASSERT(all.of[0].graphed);
    il_norm_kept_open(&all, 2.0, 1); /* another end */
    CU_ASSERT(!all.of[0].graphed);
    il_norm_kept_free(&all);
    CU_ASSERT(kept.pulsed && kept.graphed);
    il_norm_run_free(&kept);
    release(&m);
}

/* Small runs are compared unasked where the caller leaves it to the run; large ones are not. */
static void small_runs_are_compared_unasked(void) {
    for (int k = 0; k < 2; k++) {
        made_run m = {.spec = {.steps = k == 0 ? 1000 : 70000, .norms = IL_NORM_AUTO}};
        run(&m, "bouncing_ball", "maury", NULL);
        CU_ASSERT_EQUAL(isnan(norm(&m.record.distances[0].norms, "graph_H")), k == 1);
        release(&m);
    }
}

static void names_are_known(void) {
    unsigned bits = 0;
    unsigned all = 0;
    char names[512];
    il_norm_names(names, sizeof names);
    for (size_t k = 0; il_norm_type_at(k) != NULL; k++) {
        CU_ASSERT(il_norm_bits(il_norm_type_at(k)->name, &bits) && bits == 1u << k);
        all |= bits;
        CU_ASSERT_PTR_NOT_NULL(strstr(names, il_norm_type_at(k)->name));
    }
    CU_ASSERT_EQUAL(all, il_norm_all());
    CU_ASSERT(il_norm_bits("all", &bits) && bits == il_norm_all());
    CU_ASSERT(il_norm_bits("none", &bits) && bits == 0);
    CU_ASSERT_FALSE(il_norm_bits("graph", &bits));
}

/* All coordinates of the first velocity against those of u0: a 3-4-5 triangle. */
static void a_first_jump_has_the_length_of_all_its_coordinates(void) {
    static const double u0[2] = {1.0, -1.0};
    double point[3] = {0.0, 4.0, 3.0}; /* t, u */
    il_graph g = {.d = 2, .p = point};
    CU_ASSERT_DOUBLE_EQUAL(il_norm_first_jump(&g, u0), 5.0, ROUNDING);
}

static const il_test tests[] = {
    {"impulses of exact solutions balance momentum in every cell", impulses_balance_momentum},
    {"pulses of a resting ball: a percussion, then its weight", pulses_of_a_resting_ball},
    {"norms of one percussion in closed form", norms_of_one_percussion_in_closed_form},
    {"at rest velocities are measured by one", at_rest_velocities_are_measured_by_one},
    {"norms fall with the step", norms_fall_with_the_step},
    {"bounces are matched", bounces_are_matched},
    {"the wrong solution is seen", the_wrong_solution_is_seen},
    {"runs are references of runs", runs_are_references_of_runs},
    {"what is shared is prepared once", what_is_shared_is_prepared_once},
    {"series hold every step", series_hold_every_step},
    {"small runs are compared unasked", small_runs_are_compared_unasked},
    {"names are known", names_are_known},
    {"a first jump has the length of all its coordinates",
     a_first_jump_has_the_length_of_all_its_coordinates},
    {NULL, NULL}};

const il_suite il_suite_norms = {"norms", tests};
