/*
 * test_segment.c - the sweeping segment: the inclusion, cases worked out by hand, and the law of
 * the catching-up algorithm on it.
 */
#include <math.h>

#include "harness/run/run.h"
#include "tests/support/expect.h"
#include "tests/support/suite.h"

static const double ROUNDING = 1e-11;

static void the_inclusion_holds(void) {
    static const char *const cases[][6] = {{NULL},
                                           {"V=0.7,-2", "omega=-3", "T=9", NULL},
                                           {"V=5,1", "omega=0.3", "l=0.2", "s0=-0.2", NULL},
                                           {"V=1,1", "omega=0", "s0=1", NULL},
                                           {"V=-1,1", "omega=0", "s0=1", "T=5", NULL},
                                           {"V=0,0", "omega=7", "s0=-1", NULL},
                                           {"V=1,0", "omega=1e-7", NULL},
                                           {"V=0,1", "omega=2", "s0=0", NULL}};
    const il_residual most = il_residual_within(ROUNDING);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        il_expect_solution("segment", cases[i], ROUNDING, &most);
    }
}

static void exact_at(const char *const *sets, double t, double *q) {
    il_test_problem made = il_test_problem_new("segment", 0.0, sets);
    double u[2];
    CU_ASSERT_EQUAL_FATAL(made.problem->nexact, 1);
    made.problem->exact->eval(made.problem->exact, t, -1, q, u);
    il_test_problem_free(&made);
}

/* Without turning the segment [-1,1] passes under the point at 1/2 with speed 1 until its rear end,
 * at t - 1, is there at t = 3/2. About its middle it takes the point round a circle. With
 * V = (0,1/2) and w = 1 the point starts at 0: s' = -sin(t)/2 takes s to -1 at t = pi. */
static void cases_by_hand(void) {
    double q[2];
    exact_at((const char *const[]){"V=1,0", "omega=0", NULL}, 1.25, q);
    CU_ASSERT(fabs(q[0] - 0.5) <= ROUNDING && fabs(q[1]) <= ROUNDING);
    exact_at((const char *const[]){"V=1,0", "omega=0", NULL}, 3.25, q);
    CU_ASSERT(fabs(q[0] - 2.25) <= ROUNDING && fabs(q[1]) <= ROUNDING);
    exact_at((const char *const[]){"V=0,0", "omega=2", "s0=-0.75", NULL}, 3.0, q);
    CU_ASSERT(hypot(q[0] + 0.75 * cos(6.0), q[1] + 0.75 * sin(6.0)) <= ROUNDING);
    double t = acos(-1.0);
    exact_at((const char *const[]){"V=0,0.5", "omega=1", "s0=0", NULL}, t, q);
    CU_ASSERT(hypot(q[0] - 1.0, q[1] - 0.5 * t) <= ROUNDING);
}

/* catching_up with V = 0: each step projects a point at s onto a line turned by w h, hence s_n =
 * s_0 cos(w h)^n, where the exact s stays s_0. With a turning middle the error has the same order.
 */
static void catching_up_has_its_law(void) {
    static const size_t steps[] = {40, 80, 160};
    for (size_t k = 0; k < 3; k++) {
        il_test_problem made = il_test_problem_new(
            "segment", 0.0, (const char *const[]){"V=0,0", "omega=1.5", "s0=0.5", NULL});
        il_run_spec spec = {
            .problem = made.problem->type, .params = made.params, .steps = steps[k]};
        il_record record = {0};
        CU_ASSERT_EQUAL_FATAL(il_scheme_type_find("catching_up", &spec.scheme, NULL), IL_OK);
        CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &spec.projector, NULL), IL_OK);
        CU_ASSERT_EQUAL_FATAL(il_run(&spec, &record, NULL, NULL), IL_OK);
        CU_ASSERT_EQUAL_FATAL(record.status, IL_OK);
        double h = 4.0 / (double)steps[k];
        double s = 0.5 * pow(cos(1.5 * h), (double)steps[k]);
        CU_ASSERT(fabs(hypot(record.q[0], record.q[1]) - s) <= ROUNDING);
        CU_ASSERT(fabs(record.distances[0].error.q_Linf - (0.5 - s)) <= ROUNDING);
        /* exp(-w^2 h t/2) up to the next term of log cos, w^4 h^3/12 a step */
        CU_ASSERT(fabs(s - 0.5 * exp(-4.5 * h)) <= 0.5 * 4.0 * pow(1.5, 4.0) * h * h * h / 11.0);
        il_record_free(&record);
        il_test_problem_free(&made);
    }
}

/* Beyond a million pieces nothing is listed. */
static void a_whirl_has_no_exact_solution(void) {
    il_test_problem made =
        il_test_problem_new("segment", 0.0, (const char *const[]){"omega=1e6", NULL});
    CU_ASSERT_EQUAL(made.problem->nexact, 0);
    CU_ASSERT_PTR_NOT_NULL(made.problem->no_exact);
    il_test_problem_free(&made);
}

static const il_test tests[] = {{"the inclusion holds", the_inclusion_holds},
                                {"cases by hand", cases_by_hand},
                                {"catching_up has its law", catching_up_has_its_law},
                                {"a whirl has no exact solution", a_whirl_has_no_exact_solution},
                                {NULL, NULL}};

const il_suite il_suite_segment = {"segment", tests};
