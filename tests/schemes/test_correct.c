/*
 * test_correct.c - constraint generation: how exact its first answer is asked to be. Points in a
 * row, one from the next, whose prediction is worked out by hand.
 */
#include "schemes/stepping/correct.h"

#include "tests/support/residual.h"
#include "tests/support/suite.h"

/* More rows than are offered all at once. */
enum { N = IL_OFFER_ALL + 76 };

/* A distance is 1/(N-1), a difference of places up to 1, and a tolerance some part of it. */
static const double ROUNDING = 4.0 * N * 2.3e-16;

/* newton, which remembers what was asked of it first. */
static const il_projector_type *newton;
static double first_tolerance;

static il_status approximate(void *self, const il_qp *qp, double tolerance, double *x,
                             double *lambda, il_projection_info *info) {
    first_tolerance = first_tolerance == 0.0 ? tolerance : first_tolerance;
    return newton->approximate(self, qp, tolerance, x, lambda, info);
}

/* Projectors that find no answer. */
// NOLINTNEXTLINE(readability-non-const-parameter): as il_projector_type has it
static il_status finds_none(void *self, const il_qp *qp, double *x, double *lambda,
                            il_projection_info *info) {
    (void)self;
    (void)qp;
    (void)x;
    (void)lambda;
    (void)info;
    return IL_EINFEASIBLE;
}

static il_status approaches_none(void *self, const il_qp *qp, double tolerance, double *x,
                                 double *lambda, il_projection_info *info) {
    (void)tolerance;
    return finds_none(self, qp, x, lambda, info);
}

/* The tolerance of the first answer, in distances of the start; 0 if it was exact. Every second
 * point goes back by three distances, so that every second distance becomes -2. What pushed in the
 * step before were other constraints than these, so many that every row is in the first set, or
 * none, so that only what is violated comes. */
static double asked_first(const il_problem *problem, size_t contacts) {
    double distance = 1.0 / (N - 1);
    il_projector_type recorder = *newton;
    recorder.approximate = approximate;
    il_scheme_options options = {.projector = &recorder, .certify = true};
    double target[N];
    double x[N];
    size_t id[N];
    double lambda[N];
    for (size_t k = 0; k < N; k++) {
        target[k] = k % 2 == 0 ? 0.0 : -3.0 * distance;
        id[k] = 100000 + k;
        lambda[k] = 1.0;
    }
    il_contacts before = {.n = contacts, .id = id, .lambda = lambda};
    il_correction in = {
        .y = problem->q0, .q = problem->q0, .scale = 1.0, .target = target, .before = &before};
    il_step_report report = {.stalled = false};
    il_correct *correct = NULL;
    first_tolerance = 0.0;
    CU_ASSERT_EQUAL_FATAL(il_correct_create(&correct, problem, &options, NULL), IL_OK);
    CU_ASSERT_EQUAL(il_correct_solve(correct, &in, x, &report, NULL), IL_OK);
    CU_ASSERT(il_certificate_holds(&report.certificate, true, 0.0));
    il_correct_destroy(correct);
    return first_tolerance / distance;
}

/* Of a violation of 2 some part is left to later answers, whether the rows were at hand or came. */
static void the_first_answer_is_as_inexact_as_the_prediction_is_wrong(void) {
    static const char *const sets[] = {"N=1100", NULL};
    il_test_problem made = il_test_problem_new("sticky", 0.0, sets);
    CU_ASSERT_EQUAL_FATAL(made.problem->d, N);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("newton", &newton, NULL), IL_OK);
    double came = asked_first(made.problem, 0);
    double at_hand = asked_first(made.problem, N);
    CU_ASSERT(came > 0.02 && came < 2.0);
    CU_ASSERT_DOUBLE_EQUAL(at_hand, came, ROUNDING);
    il_test_problem_free(&made);
}

/* Of an inexact answer or an exact one: the step does not go on with what was in x. */
static void a_step_ends_where_its_projector_does(void) {
    static const char *const sets[] = {"N=1100", NULL};
    il_test_problem made = il_test_problem_new("sticky", 0.0, sets);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("newton", &newton, NULL), IL_OK);
    double target[N];
    double x[N] = {0.0};
    for (size_t k = 0; k < N; k++) {
        target[k] = k % 2 == 0 ? 0.0 : -3.0 / (N - 1);
    }
    for (int exact = 0; exact < 2; exact++) {
        il_projector_type failing = *newton;
        failing.approximate = exact ? NULL : approaches_none;
        failing.solve = exact ? finds_none : newton->solve;
        il_scheme_options options = {.projector = &failing};
        il_correction in = {
            .y = made.problem->q0, .q = made.problem->q0, .scale = 1.0, .target = target};
        il_step_report report = {.stalled = false};
        il_correct *correct = NULL;
        CU_ASSERT_EQUAL_FATAL(il_correct_create(&correct, made.problem, &options, NULL), IL_OK);
        CU_ASSERT_EQUAL(il_correct_solve(correct, &in, x, &report, NULL), IL_EINFEASIBLE);
        il_correct_destroy(correct);
    }
    il_test_problem_free(&made);
}

static const il_test tests[] = {
    {"the first answer is as inexact as the prediction is wrong",
     the_first_answer_is_as_inexact_as_the_prediction_is_wrong},
    {"a step ends where its projector does", a_step_ends_where_its_projector_does},
    {NULL, NULL}};

const il_suite il_suite_correct = {"correct", tests};
