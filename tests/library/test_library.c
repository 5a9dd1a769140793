/*
 * test_library.c - the library's handles: distinct ones by distinct threads, failures that leave
 * nothing.
 */
#include <math.h>
#include <pthread.h>
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

static const il_test tests[] = {
    {"distinct handles serve distinct threads", distinct_handles_serve_distinct_threads},
    {"what is refused leaves nothing", what_is_refused_leaves_nothing},
    {NULL, NULL}};

extern const il_suite il_suite_library;
const il_suite il_suite_library = {"library", tests};
