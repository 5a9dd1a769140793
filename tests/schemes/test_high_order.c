/*
 * test_high_order.c - schemes of higher order: Radau IIA against its stability function, fesd and
 * rattle against exact motions whose impacts lie inside of steps, and the measures of a motion
 * inside a step against integrals by hand.
 */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "harness/measure/deviation.h"
#include "harness/run/run.h"
#include "schemes/stepping/collocation.h"
#include "tests/support/contract.h"
#include "tests/support/suite.h"

/* ---- collocation ---------------------------------------------------------------------------- */

static const double OMEGA = 3.0;

static const double *spring(void *context, double t, const double *q, const double *u) {
    double *a = context;
    (void)t;
    (void)u;
    a[0] = -OMEGA * OMEGA * q[0];
    return a;
}

/* y' = i omega y is q'' = -omega^2 q with y = omega q - i u: a step multiplies y by the Pade
 * approximation (s - 1, s) of exp(z), z = i omega h (Hairer & Wanner 1996, IV.3). */
static double complex pade(int s, double complex z) {
    return s == 1   ? 1.0 / (1.0 - z)
           : s == 2 ? (1.0 + z / 3.0) / (1.0 - 2.0 * z / 3.0 + z * z / 6.0)
                    : (1.0 + 2.0 * z / 5.0 + z * z / 20.0) /
                          (1.0 - 3.0 * z / 5.0 + 3.0 * z * z / 20.0 - z * z * z / 60.0);
}

static void a_step_is_the_pade_approximation(void) {
    for (int s = 1; s <= 3; s++) {
        for (int k = 0; k < 8; k++) {
            double h = ldexp(1.0, -k);
            double a = 0.0;
            const double q0 = 0.7;
            const double u0 = -1.3;
            il_collocation *w = il_collocation_create(1, (size_t)s, true, false, spring, &a);
            CU_ASSERT_EQUAL_FATAL(il_collocation_begin(w, 0.25, &q0, &u0, NULL), IL_OK);
            CU_ASSERT_EQUAL_FATAL(il_collocation_step(w, h, NULL), IL_OK);
            il_stage end = il_collocation_stage(w, (size_t)s - 1);
            double complex y = (OMEGA * q0 - I * u0) * pade(s, I * OMEGA * h);
            /* numbers below 5; the accelerations, of 9 q, are solved to their rounding */
            CU_ASSERT(fabs(OMEGA * end.q[0] - creal(y)) <= 1e-13);
            CU_ASSERT(fabs(end.u[0] + cimag(y)) <= 1e-13);
            CU_ASSERT_EQUAL(end.t, 0.25 + h);
            il_collocation_destroy(w);
        }
    }
}

/* ---- measures of a motion ------------------------------------------------------------------- */

static void at_rest(const il_exact *exact, double t, int side, double *q, double *u) {
    (void)exact;
    (void)t;
    (void)side;
    q[0] = u[0] = 0.0;
}

/* q = t^3 - t^2 up to 1, then 2 (t - 1)(2 - t) up to 2, against rest: |u| = |3 t^2 - 2 t| has the
 * integral 4/27 + 4/27, |2 (3 - 2 t)| has 1; |q| is largest, 1/2, at 3/2. */
static void distances_are_integrals_by_hand(void) {
    static const double breaks[2] = {0.0, 2.0};
    static const double end[2] = {1.0, 2.0};
    static const double c[8] = {0.0, 0.0, -1.0, 1.0, 0.0, 2.0, -2.0, 0.0};
    const il_motion motion = {.d = 1, .n = 2, .degree = 3, .end = end, .c = c};
    for (int quadratic = 0; quadratic < 2; quadratic++) {
        const il_exact rest = {.name = "rest",
                               .quadratic = quadratic == 1,
                               .nbreaks = 2,
                               .breaks = breaks,
                               .eval = at_rest};
        const double zero = 0.0;
        const double last = -2.0;
        il_deviation *w = NULL;
        w = il_deviation_create(&rest, 1);
        il_deviation_step(w, 0.0, 2.0, &zero, &zero, &last, &motion);
        il_deviation_result r = il_deviation_finish(w);
        CU_ASSERT(fabs(r.u_L1 - (1.0 + 8.0 / 27.0)) <= 1e-11); /* two kinks of |u| */
        CU_ASSERT(fabs(r.q_Linf - 0.5) <= 1e-12);
        CU_ASSERT_EQUAL(r.final_q, 0.0);
        CU_ASSERT_EQUAL(r.final_u, 2.0);
        il_deviation_destroy(w);
    }
}

/* ---- runs ----------------------------------------------------------------------------------- */

static il_record run(const char *problem, const char *const *sets, const char *scheme,
                     const char *settings, size_t steps) {
    const il_problem_type *type = NULL;
    il_params *params = NULL;
    il_record record = {0};
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find(problem, &type, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_create(&params, type->params, NULL), IL_OK);
    for (; sets[0] != NULL; sets += 2) {
        CU_ASSERT_EQUAL_FATAL(il_params_set_text(params, sets[0], sets[1], NULL), IL_OK);
    }
    il_run_spec spec = {.problem = type,
                        .params = params,
                        .scheme = il_contract_scheme(scheme),
                        .scheme_settings = settings,
                        .projector = il_contract_projector("auto"),
                        .norms = IL_NORM_NONE,
                        .steps = steps};
    CU_ASSERT_EQUAL_FATAL(il_run(&spec, &record, NULL, NULL), IL_OK);
    il_params_destroy(params);
    return record;
}

#define SETS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Errors with twice as many steps fall by 2^(2s-1), measured where they are far from rounding. */
static void fesd_keeps_its_order_through_impacts(void) {
    static const struct {
        const char *problem;
        const char *sets[5];
        size_t steps;
    } cases[] = {{"two_balls", {"e", "0.8"}, 800},
                 {"two_balls", {"e", "0"}, 400},
                 {"pendulum", {NULL}, 50},
                 {"vibroimpact", {"scenario", "slide"}, 25}};
    static const char *const settings[] = {"s=2", "s=3"};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        for (int j = 0; j < 2; j++) {
            il_record a = run(cases[k].problem, cases[k].sets, "fesd", settings[j], cases[k].steps);
            il_record b =
                run(cases[k].problem, cases[k].sets, "fesd", settings[j], 2 * cases[k].steps);
            CU_ASSERT_FATAL(a.status == IL_OK && b.status == IL_OK && a.ndistances > 0);
            double u = log2(a.distances[0].error.u_L1 / b.distances[0].error.u_L1);
            double q = log2(a.distances[0].error.q_Linf / b.distances[0].error.q_Linf);
            CU_ASSERT(fabs(u - (j == 0 ? 3.0 : 5.0)) <= 0.2);
            CU_ASSERT(fabs(q - (j == 0 ? 3.0 : 5.0)) <= 0.2);
            CU_ASSERT(b.measure.nodes_min >= -1e-13);
            il_record_free(&a);
            il_record_free(&b);
        }
    }
}

/* Parabolas are followed to rounding, wherever impacts fall; the energy is lost in impacts alone:
 * three have come by 1.2. */
static void a_ball_is_followed_to_rounding(void) {
    const double e = 0.5;
    il_record r = run("bouncing_ball", SETS("e", "0.5", "T", "1.2"), "fesd", "s=2", 7);
    CU_ASSERT_EQUAL_FATAL(r.status, IL_OK);
    CU_ASSERT(r.distances[0].error.u_L1 <= 1e-12 && r.distances[0].error.q_Linf <= 1e-12);
    double lost = -9.81 * (1.0 - e * e * e * e * e * e);
    CU_ASSERT(fabs(r.measure.balance.final - lost) <= 1e-12);
    CU_ASSERT(r.measure.between_min >= -1e-13);
    il_record_free(&r);
    r = run("bouncing_ball", SETS("e", "0.5", "T", "2"), "fesd", "s=2", 2);
    CU_ASSERT_EQUAL(r.status, IL_EUNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(r.message, "impacts accumulate: more than 32 events"));
    il_record_free(&r);
}

/* The same ball in another unit of length: what counts as closed or at rest has none. */
static void lengths_have_no_unit(void) {
    const double unit = ldexp(1.0, -30);
    il_record r = run("bouncing_ball",
                      SETS("e", "0.5", "T", "1.2", "q0", "9.31322574615478515625e-10", "gravity",
                           "9.13627445697784423828125e-9"),
                      "fesd", "s=2", 7);
    CU_ASSERT_EQUAL_FATAL(r.status, IL_OK);
    CU_ASSERT(r.distances[0].error.u_L1 <= 1e-12 * unit);
    CU_ASSERT(r.distances[0].error.q_Linf <= 1e-12 * unit);
    il_record_free(&r);
}

/* Discs at rest in a box: 20 contacts, 16 coordinates. */
static void contacts_that_depend_on_each_other_are_held(void) {
    il_record r = run("crystal", SETS("support", "box"), "fesd", "s=3", 4);
    CU_ASSERT_EQUAL_FATAL(r.status, IL_OK);
    CU_ASSERT(r.distances[0].error.u_L1 <= 1e-12 && r.distances[0].error.q_Linf <= 1e-12);
    il_record_free(&r);
}

/* Where a contact lasts rattle is of order two on the average: the touch itself falls somewhere in
 * a step. Sixteen times as many steps, errors 16^2 times smaller, within a factor of four. */
static void rattle_is_of_order_two_where_nothing_hits(void) {
    il_record a = run("vibroimpact", SETS("scenario", "graze"), "rattle", NULL, 100);
    il_record b = run("vibroimpact", SETS("scenario", "graze"), "rattle", NULL, 1600);
    CU_ASSERT_FATAL(a.status == IL_OK && b.status == IL_OK);
    double fall = a.distances[0].error.u_L1 / b.distances[0].error.u_L1;
    CU_ASSERT(fall >= 64.0 && fall <= 1024.0);
    CU_ASSERT(b.measure.nodes_min >= -1e-13);
    il_record_free(&a);
    il_record_free(&b);
}

/* Falls from 1, strikes with (2 g)^{1/2}, rises with half of that, and strikes again: a parabola on
 * each piece. Norms see but roundings, of sums of sixteen steps of numbers below 5. */
static void norms_of_whole_runs_follow_pieces(void) {
    static const double WHOLE = 1e-12;
    il_params *params = NULL;
    il_record record = {0};
    il_error err;
    const il_problem_type *type = NULL;
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find("bouncing_ball", &type, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_create(&params, type->params, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_set_text(params, "e", "0.5", NULL), IL_OK);
    il_run_spec spec = {.problem = type,
                        .params = params,
                        .scheme = il_contract_scheme("fesd"),
                        .projector = il_contract_projector("auto"),
                        .norms = il_norm_all(),
                        .horizon = 1.1,
                        .steps = 16};
    CU_ASSERT_EQUAL_FATAL(il_run(&spec, &record, NULL, &err), IL_OK);
    const il_norms *norms = &record.distances[0].norms;
    double v = sqrt(2.0 * 9.81);
    double t1 = v / 9.81;
    double length = v + 1.5 * v + v + 0.75 * v + 9.81 * (1.1 - 2.0 * t1); /* and jumps */
    CU_ASSERT(fabs(il_norms_value(norms, "TV", "TV_reference") - length) <= WHOLE);
    CU_ASSERT(il_norms_value(norms, "TV", NULL) <= WHOLE);
    CU_ASSERT(il_norms_value(norms, "graph_H", NULL) <= WHOLE);
    CU_ASSERT(il_norms_value(norms, "flat_lambda", NULL) <= WHOLE);
    CU_ASSERT_EQUAL(il_norms_value(norms, "impacts", "events"), 2.0);
    CU_ASSERT_EQUAL(il_norms_value(norms, "impacts", "matched"), 2.0);
    CU_ASSERT_EQUAL(il_norms_value(norms, "impacts", "spurious"), 0.0);
    CU_ASSERT(il_norms_value(norms, "impacts", "time_error") <= WHOLE);
    CU_ASSERT(il_norms_value(norms, "impacts", "impulse_error") <= WHOLE);
    CU_ASSERT_EQUAL(il_norms_value(norms, "impacts", "law_events"), 2.0);
    CU_ASSERT(il_norms_value(norms, "impacts", "law_residual") <= WHOLE);
    il_record_free(&record);
    il_params_destroy(params);
}

/* The ball, of which only the mean of the force over a step is known. */
static void a_force_known_by_its_mean_is_refused(void) {
    static const char *const names[] = {"fesd", "rattle", "generalized_alpha", "d1minus"};
    const il_problem_type *ball = NULL;
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find("bouncing_ball", &ball, NULL), IL_OK);
    il_problem_type type = *ball;
    CU_ASSERT_PTR_NOT_NULL_FATAL(type.force_mean);
    type.force = NULL;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        il_params *params = NULL;
        il_record record = {0};
        il_error err = {IL_OK, ""};
        CU_ASSERT_EQUAL_FATAL(il_params_create(&params, type.params, NULL), IL_OK);
        il_run_spec spec = {.problem = &type,
                            .params = params,
                            .scheme = il_contract_scheme(names[k]),
                            .projector = il_contract_projector("auto"),
                            .norms = IL_NORM_NONE,
                            .steps = 4};
        CU_ASSERT_EQUAL(il_run(&spec, &record, NULL, &err), IL_EUNSUPPORTED);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "knows its mean over a step only"));
        CU_ASSERT_PTR_NOT_NULL(strstr(err.message, names[k]));
        il_record_free(&record);
        il_params_destroy(params);
    }
}

static const il_test tests[] = {
    {"a step is the Pade approximation", a_step_is_the_pade_approximation},
    {"distances are integrals by hand", distances_are_integrals_by_hand},
    {"fesd keeps its order through impacts", fesd_keeps_its_order_through_impacts},
    {"a ball is followed to rounding", a_ball_is_followed_to_rounding},
    {"lengths have no unit", lengths_have_no_unit},
    {"contacts that depend on each other are held", contacts_that_depend_on_each_other_are_held},
    {"rattle is of order two where nothing hits", rattle_is_of_order_two_where_nothing_hits},
    {"a force known by its mean is refused", a_force_known_by_its_mean_is_refused},
    {"norms of whole runs follow pieces", norms_of_whole_runs_follow_pieces},
    {NULL, NULL}};

const il_suite il_suite_high_order = {"high_order", tests};
