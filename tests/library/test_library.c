/*
 * test_library.c - the library's handles: distinct ones by distinct threads, failures that leave
 * nothing.
 */
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "harness/library/impactlab.h"
#include "tests/support/suite.h"

enum { THREADS = 4, RUNS = 12 };

typedef struct {
    size_t number;
    double error[RUNS], order;
    bool failed;
} worker;

/* Problems, runs, a judgement and an order, all of one's own. */
static void *work(void *data) {
    static const char *const names[] = {"two_spheres", "bouncing_ball", "cradle", "sticky"};
    worker *w = data;
    double h[RUNS];
    impactlab_problem *problem = NULL;
    impactlab_order order;
    w->failed = impactlab_problem_create(&problem, names[w->number % 4], 0, NULL, 0.0, NULL) != 0;
    for (size_t k = 0; !w->failed && k < RUNS; k++) {
        impactlab_record *record = NULL;
        impactlab_record *judged = NULL;
        const double *t = NULL;
        const double *q = NULL;
        const double *u = NULL;
        const impactlab_run_options options = {
            .scheme = "maury", .steps = 20 + 13 * k, .keep_trajectory = 1};
        w->failed = impactlab_run(problem, &options, &record, NULL) != 0;
        if (!w->failed) {
            size_t n = impactlab_record_trajectory(record, &t, &q, &u);
            w->failed = impactlab_judge(problem, "affine", n, t, q, u, &judged, NULL) != 0 ||
                        impactlab_record_number(judged, "error.u_L1") !=
                            impactlab_record_number(record, "error.u_L1");
            h[k] = impactlab_record_number(record, "h");
            w->error[k] = impactlab_record_number(record, "error.u_L1");
        }
        impactlab_record_destroy(record);
        impactlab_record_destroy(judged);
    }
    w->failed = w->failed ||
                impactlab_order_fit(RUNS, h, w->error, "converges", 0.0, 0.0, &order, NULL) != 0;
    w->order = w->failed ? NAN : order.order;
    impactlab_problem_destroy(problem);
    return NULL;
}

static void distinct_handles_serve_distinct_threads(void) {
    worker alone[THREADS];
    worker together[THREADS];
    pthread_t threads[THREADS];
    for (size_t k = 0; k < THREADS; k++) {
        alone[k] = together[k] = (worker){.number = k};
        (void)work(&alone[k]);
    }
    for (size_t k = 0; k < THREADS; k++) {
        CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[k], NULL, work, &together[k]), 0);
    }
    for (size_t k = 0; k < THREADS; k++) {
        CU_ASSERT_EQUAL(pthread_join(threads[k], NULL), 0);
        CU_ASSERT(!alone[k].failed && !together[k].failed);
        CU_ASSERT_EQUAL(memcmp(alone[k].error, together[k].error, sizeof alone[k].error), 0);
        CU_ASSERT_EQUAL(memcmp(&alone[k].order, &together[k].order, sizeof(double)), 0);
    }
}

static int fails(void *context, double t0, double t1, const double *q, const double *u, double *q1,
                 double *u1) {
    (void)context;
    (void)t0;
    q1[0] = q[0];
    u1[0] = u[0];
    return t1 > 0.5;
}

static void what_is_refused_leaves_nothing(void) {
    static const char *const settings[] = {"gravity=2", "e=7"};
    impactlab_error error;
    impactlab_problem *problem = NULL;
    impactlab_record *record = NULL;
    CU_ASSERT_EQUAL(impactlab_problem_create(&problem, "no", 0, NULL, 0.0, &error),
                    IMPACTLAB_BAD_INPUT);
    CU_ASSERT(problem == NULL && strstr(error.message, "unknown problem 'no'") != NULL);
    CU_ASSERT_EQUAL(impactlab_problem_create(&problem, "bouncing_ball", 2, settings, 0.0, &error),
                    IMPACTLAB_BAD_INPUT);
    CU_ASSERT(problem == NULL && strstr(error.message, "'e' is 7; allowed") != NULL);
    CU_ASSERT_EQUAL_FATAL(
        impactlab_problem_create(&problem, "bouncing_ball", 1, settings, 0.0, NULL), IMPACTLAB_OK);
    const impactlab_run_options none = {.steps = 10};
    CU_ASSERT_EQUAL(impactlab_run(problem, &none, &record, &error), IMPACTLAB_BAD_INPUT);
    CU_ASSERT(record == NULL && strstr(error.message, "a scheme or a step is needed") != NULL);
    const impactlab_run_options own = {.step = fails, .steps = 10};
    CU_ASSERT_EQUAL_FATAL(impactlab_run(problem, &own, &record, &error), IMPACTLAB_OK);
    CU_ASSERT_STRING_EQUAL(impactlab_record_text(record, "status"), "script_error");
    CU_ASSERT(isnan(impactlab_record_number(record, "error.u_L1")));
    impactlab_record_destroy(record);
    impactlab_problem_destroy(problem);
    CU_ASSERT_EQUAL(
        impactlab_order_fit(0, NULL, NULL, "nearly", 1.0, 0.0, &(impactlab_order){0}, &error),
        IMPACTLAB_BAD_INPUT);
    impactlab_problem_destroy(NULL);
    impactlab_record_destroy(NULL);
}

/* Is this a status of bad input whose message has these words? */
static bool refused(impactlab_status status, const impactlab_error *error, const char *words) {
    return status == IMPACTLAB_BAD_INPUT && strstr(error->message, words) != NULL;
}

static void null_is_refused_where_it_is_not_allowed(void) {
    const double x[] = {0.0, 1.0, 2.0};
    double q[1];
    impactlab_error e;
    impactlab_problem *problem = NULL;
    impactlab_record *record = NULL;
    impactlab_order order;
    const char *const none[] = {NULL};
    const impactlab_definition nothing = {.order = 2, .dimension = 1, .horizon = 1.0};
    const impactlab_run_options options = {.scheme = "maury", .steps = 3};
    CU_ASSERT(
        refused(impactlab_problem_create(NULL, "sticky", 0, NULL, 0.0, &e), &e, "out is NULL"));
    CU_ASSERT(
        refused(impactlab_problem_create(&problem, NULL, 0, NULL, 0.0, &e), &e, "name is NULL"));
    CU_ASSERT(
        refused(impactlab_problem_create(&problem, "sticky", 1, NULL, 0.0, &e), &e, "setting 1"));
    CU_ASSERT(
        refused(impactlab_problem_create(&problem, "sticky", 1, none, 0.0, &e), &e, "setting 1"));
    CU_ASSERT(refused(impactlab_problem_define(NULL, &nothing, &e), &e, "out is NULL"));
    CU_ASSERT(refused(impactlab_problem_define(&problem, NULL, &e), &e, "definition is NULL"));
    CU_ASSERT(refused(impactlab_problem_define(&problem, &nothing, &e), &e, "with q0"));
    CU_ASSERT(refused(impactlab_run(NULL, &options, &record, &e), &e, "problem is NULL"));
    CU_ASSERT(refused(impactlab_judge(NULL, NULL, 3, x, x, x, &record, &e), &e, "problem is NULL"));
    CU_ASSERT(refused(impactlab_exact(NULL, 0, 0.0, 1, q, q, &e), &e, "problem is NULL"));
    CU_ASSERT_EQUAL_FATAL(impactlab_problem_create(&problem, "bouncing_ball", 0, NULL, 0.0, NULL),
                          IMPACTLAB_OK);
    CU_ASSERT(refused(impactlab_run(problem, NULL, &record, &e), &e, "options is NULL"));
    CU_ASSERT(refused(impactlab_run(problem, &options, NULL, &e), &e, "out is NULL"));
    CU_ASSERT(refused(impactlab_judge(problem, NULL, 3, NULL, x, x, &record, &e), &e, "t is NULL"));
    CU_ASSERT(refused(impactlab_judge(problem, NULL, 3, x, NULL, x, &record, &e), &e, "q is NULL"));
    CU_ASSERT(refused(impactlab_judge(problem, NULL, 3, x, x, x, NULL, &e), &e, "out is NULL"));
    CU_ASSERT(
        refused(impactlab_judge_file(problem, NULL, NULL, NULL, &record, &e), &e, "name is NULL"));
    CU_ASSERT(refused(impactlab_exact(problem, 0, 0.0, 1, NULL, q, &e), &e, "q is NULL"));
    CU_ASSERT(refused(impactlab_exact(problem, 0, 0.0, 1, q, NULL, &e), &e, "u is NULL"));
    CU_ASSERT(
        refused(impactlab_order_fit(3, NULL, x, NULL, 0.0, 0.0, &order, &e), &e, "h is NULL"));
    CU_ASSERT(
        refused(impactlab_order_fit(3, x, NULL, NULL, 0.0, 0.0, &order, &e), &e, "error is NULL"));
    CU_ASSERT(refused(impactlab_order_fit(3, x, x, NULL, 0.0, 0.0, NULL, &e), &e, "out is NULL"));
    CU_ASSERT(problem != NULL && record == NULL);
    impactlab_problem_start(problem, NULL, NULL);
    impactlab_problem_destroy(problem);
}

static void what_has_no_status_answers_null_with_nothing(void) {
    double q[] = {7.0};
    impactlab_problem_start(NULL, q, q);
    impactlab_problem_stop(NULL, NULL, NULL);
    CU_ASSERT_EQUAL(q[0], 7.0);
    CU_ASSERT(impactlab_name(NULL, 0) == NULL && impactlab_exact_name(NULL, 0) == NULL);
    CU_ASSERT(impactlab_problem_dimension(NULL) == 0 && impactlab_problem_constraints(NULL) == 0);
    CU_ASSERT(impactlab_problem_order(NULL) == 0 && isnan(impactlab_problem_horizon(NULL)));
    CU_ASSERT(impactlab_record_json(NULL) == NULL);
    CU_ASSERT(isnan(impactlab_record_number(NULL, "h")));
    CU_ASSERT_STRING_EQUAL(impactlab_record_text(NULL, "status"), "");
    CU_ASSERT_EQUAL(impactlab_record_trajectory(NULL, NULL, NULL, NULL), 0);
}

static int one_gap(void *context, double t, const double *q, double *g, double *rate,
                   double *gradient) {
    (void)context;
    g[0] = q[0];
    gradient[0] = 1.0;
    rate[0] = 0.0 * t;
    return 0;
}

static void numbers_that_mean_nothing_are_refused(void) {
    static const size_t sizes[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 8, SIZE_MAX / 8 - 1};
    const double x[] = {0.0, 1.0, 2.0};
    impactlab_error e;
    impactlab_problem *problem = NULL;
    impactlab_record *record = NULL;
    impactlab_order order;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        impactlab_definition own = {
            .order = 2, .dimension = sizes[k], .horizon = 1.0, .q0 = x, .gaps = one_gap};
        CU_ASSERT(refused(impactlab_problem_define(&problem, &own, &e), &e, "dimension is"));
        own.dimension = 1;
        own.constraints = sizes[k];
        CU_ASSERT(refused(impactlab_problem_define(&problem, &own, &e), &e, "constraints"));
    }
    CU_ASSERT(refused(impactlab_problem_create(&problem, "sticky", 0, NULL, -1.0, &e), &e,
                      "horizon is -1; allowed"));
    CU_ASSERT(refused(impactlab_problem_create(&problem, "sticky", 0, NULL, NAN, &e), &e,
                      "horizon is nan; allowed"));
    CU_ASSERT_EQUAL_FATAL(impactlab_problem_create(&problem, "bouncing_ball", 0, NULL, 0.0, NULL),
                          IMPACTLAB_OK);
    const impactlab_run_options wrong[] = {{.scheme = "maury", .steps = 3, .tolerance = -1.0},
                                           {.scheme = "maury", .steps = 3, .tolerance = NAN},
                                           {.scheme = "maury", .h = -1.0},
                                           {.scheme = "maury", .h = NAN},
                                           {.scheme = "maury", .steps = SIZE_MAX}};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        CU_ASSERT(refused(impactlab_run(problem, &wrong[k], &record, &e), &e, ""));
    }
    CU_ASSERT(refused(impactlab_judge(problem, NULL, SIZE_MAX, x, x, x, &record, &e), &e, "nodes"));
    CU_ASSERT(
        refused(impactlab_order_fit(SIZE_MAX, x, x, NULL, 0.0, 0.0, &order, &e), &e, "errors"));
    CU_ASSERT(
        refused(impactlab_order_fit(3, x, x, "bound", NAN, 0.0, &order, &e), &e, "order nan"));
    CU_ASSERT(
        refused(impactlab_order_fit(3, x, x, NULL, 0.0, NAN, &order, &e), &e, "factor is nan"));
    impactlab_problem_destroy(problem);
}

/* ---- the host ------------------------------------------------------------------------------- */

static int counts(void *context) {
    return ++*(int *)context > 2;
}

static void a_run_ends_between_its_steps_where_the_caller_says_so(void) {
    int asked = 0;
    impactlab_problem *problem = NULL;
    impactlab_record *record = NULL;
    const impactlab_run_options options = {.scheme = "maury", .steps = (size_t)1 << 30};
    CU_ASSERT_EQUAL_FATAL(impactlab_problem_create(&problem, "bouncing_ball", 0, NULL, 0.0, NULL),
                          IMPACTLAB_OK);
    impactlab_problem_stop(problem, counts, &asked);
    CU_ASSERT_EQUAL_FATAL(impactlab_run(problem, &options, &record, NULL), IMPACTLAB_OK);
    CU_ASSERT_STRING_EQUAL(impactlab_record_text(record, "status"), "interrupted");
    CU_ASSERT_EQUAL(asked, 3); /* not again once it has said so */
    impactlab_record_destroy(record);
    impactlab_problem_stop(problem, NULL, NULL);
    const impactlab_run_options few = {.scheme = "maury", .steps = 10};
    CU_ASSERT_EQUAL_FATAL(impactlab_run(problem, &few, &record, NULL), IMPACTLAB_OK);
    CU_ASSERT_STRING_EQUAL(impactlab_record_text(record, "status"), "ok");
    impactlab_record_destroy(record);
    impactlab_problem_destroy(problem);
}

/* Free fall by awk under the force f: q = 1 - f h^2 k (k + 1) / 2, u = -f h k. */
#define FALL(f)                                                                                    \
    "exec:awk 'NR == 1 { h = 0.5 / 20; for (k = 1; k <= 20; k++) "                                 \
    "printf \"{\\\"q\\\": [%.17g], \\\"u\\\": [%.17g]}\\n\", 1 - " f                               \
    " * h * h * k * (k + 1) / 2, -" f " * h * k }'"

static void motions_of_programs_are_judged(void) {
    static const char *const settings[] = {"gravity=2", "T=0.5"};
    static const char *const by[] = {FALL("2"), FALL("3")};
    static const char *const found[] = {"", "another force"};
    impactlab_problem *problem = NULL;
    CU_ASSERT_EQUAL_FATAL(
        impactlab_problem_create(&problem, "bouncing_ball", 2, settings, 0.0, NULL), IMPACTLAB_OK);
    for (size_t k = 0; k < 2; k++) {
        impactlab_record *record = NULL;
        const impactlab_run_options options = {.scheme = by[k], .steps = 20};
        CU_ASSERT_EQUAL_FATAL(impactlab_run(problem, &options, &record, NULL), IMPACTLAB_OK);
        CU_ASSERT_STRING_EQUAL(impactlab_record_text(record, "status"), "ok");
        CU_ASSERT_STRING_EQUAL(impactlab_record_text(record, "program.findings.0.name"), found[k]);
        CU_ASSERT_PTR_NOT_NULL(strstr(impactlab_record_json(record), "\"findings\": ["));
        CU_ASSERT_DOUBLE_EQUAL(impactlab_record_number(record, "final.u.0"), k == 0 ? -1.0 : -1.5,
                               4.0 * DBL_EPSILON);
        CU_ASSERT(isnan(impactlab_record_number(record, "final.u.1")));
        impactlab_record_destroy(record);
    }
    impactlab_problem_destroy(problem);
}

static const il_test tests[] = {
    {"distinct handles serve distinct threads", distinct_handles_serve_distinct_threads},
    {"what is refused leaves nothing", what_is_refused_leaves_nothing},
    {"NULL is refused where it is not allowed", null_is_refused_where_it_is_not_allowed},
    {"what has no status answers NULL with nothing", what_has_no_status_answers_null_with_nothing},
    {"numbers that mean nothing are refused", numbers_that_mean_nothing_are_refused},
    {"a run ends between its steps where the caller says so",
     a_run_ends_between_its_steps_where_the_caller_says_so},
    {"motions of programs are judged", motions_of_programs_are_judged},
    {NULL, NULL}};

extern const il_suite il_suite_library;
const il_suite il_suite_library = {"library", tests};
