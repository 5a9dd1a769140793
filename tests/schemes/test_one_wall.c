/*
 * test_one_wall.c - strides against single steps, bit by bit.
 */
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

#include "harness/run/registry.h"
#include "harness/run/run.h"
#include "problems/problem.h"
#include "tests/support/suite.h"

typedef struct {
    const char *problem;
    const char *sets[8];
    bool heavy;
} setting;

typedef struct {
    il_problem_type heavy;
    il_params *params;
    il_problem *problem;
    const il_scheme_type *type;
    void *scheme;
} stage;

static void seen(void *context, const il_qp *qp, const double *x, const double *lambda) {
    (void)context;
    (void)qp;
    (void)x;
    (void)lambda;
}

/* The ball with the mass 3: a wall that pushes has to know it. */
static il_status make_heavy(il_problem *self, il_params *params, il_error *err) {
    static const double mass = 3.0;
    const il_problem_type *ball = NULL;
    il_status status = il_problem_type_find("bouncing_ball", &ball, err);
    status = status == IL_OK ? ball->create(self, params, err) : status;
    il_metric_destroy(self->owned);
    return status == IL_OK ? il_problem_set_masses(self, 1, &mass, err) : status;
}

static void open_stage(stage *w, const setting *s, const char *projector, bool watched) {
    const il_problem_type *type = NULL;
    il_scheme_options options = {.certify = true};
    options.watch.see = watched ? seen : NULL;
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find(s->problem, &type, NULL), IL_OK);
    w->heavy = *type;
    w->heavy.create = s->heavy ? make_heavy : type->create;
    type = &w->heavy;
    CU_ASSERT_EQUAL_FATAL(il_scheme_type_find("maury", &w->type, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find(projector, &options.projector, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_create(&w->params, type->params, NULL), IL_OK);
    for (const char *const *set = s->sets; *set != NULL; set += 2) {
        CU_ASSERT_EQUAL_FATAL(il_params_set_text(w->params, set[0], set[1], NULL), IL_OK);
    }
    CU_ASSERT_EQUAL_FATAL(il_problem_create(&w->problem, type, w->params, 0.0, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(w->type->create(&w->scheme, w->problem, &options, NULL), IL_OK);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w->type->stride);
}

static void close_stage(stage *w) {
    w->type->destroy(w->scheme);
    il_problem_destroy(w->problem);
    il_params_destroy(w->params);
}

static const setting walls[] = {{"nonuniqueness", {NULL}, false},
                                {"nonuniqueness", {"alpha", "2.5", "q0", "0.3", "u0", "-2"}, false},
                                {"nonuniqueness", {"alpha", "0.1", "T", "50"}, false},
                                {"bouncing_ball", {"e", "0", NULL}, false},
                                {"bouncing_ball", {"e", "0", NULL}, true}};

/* From random states, on the wall and above it, in steps of 1e-6 to 1. */
static void strides_have_the_bits_of_steps(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t pushed = 0;
    size_t free_steps = 0;
    for (size_t trial = 0; trial < 500; trial++) {
        stage w;
        open_stage(&w, &walls[trial % 5], trial % 3 == 0 ? "one_row" : "auto", false);
        double h = pow(10.0, -6.0 * gsl_rng_uniform(rng));
        double q = gsl_rng_uniform(rng) < 0.5 ? 0.0 : gsl_rng_uniform(rng);
        double u = 4.0 * gsl_rng_uniform(rng) - 2.0;
        size_t from = gsl_rng_uniform_int(rng, 1000);
        size_t to = from + 1 + gsl_rng_uniform_int(rng, 300);
        double sq = q;
        double su = u;
        il_state state = {.q = &sq, .u = &su};
        il_stride made = {0, 0, 0};
        CU_ASSERT_EQUAL(w.type->stride(w.scheme, from, to, h, &state, &made), to);
        CU_ASSERT(made.solves == to - from && made.iterations == to - from &&
                  made.rows == to - from);
        for (size_t n = from; n < to; n++) {
            double q1 = NAN;
            double u1 = NAN;
            il_state in = {.q = &q, .u = &u};
            il_state out = {.q = &q1, .u = &u1};
            il_step_report report = {.rows = NULL};
            CU_ASSERT_EQUAL(w.type->step(w.scheme, (double)n * h, (double)(n + 1) * h, &in, &out,
                                         &report, NULL),
                            IL_OK);
            pushed += report.lambda[0] > 0.0;
            free_steps += report.lambda[0] == 0.0;
            q = q1;
            u = u1;
        }
        CU_ASSERT(memcmp(&q, &sq, sizeof q) == 0 && memcmp(&u, &su, sizeof u) == 0);
        close_stage(&w);
    }
    CU_ASSERT(pushed > 1000 && free_steps > 1000);
    gsl_rng_free(rng);
}

static void run_to(size_t steps, const double *samples, size_t n, il_record *record) {
    il_run_spec spec = {.steps = steps, .samples = samples, .nsamples = n, .final_only = true};
    il_params *params = NULL;
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find("nonuniqueness", &spec.problem, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_scheme_type_find("maury", &spec.scheme, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &spec.projector, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_create(&params, spec.problem->params, NULL), IL_OK);
    spec.params = params;
    CU_ASSERT_EQUAL_FATAL(il_run(&spec, record, NULL, NULL), IL_OK);
    il_params_destroy(params);
}

/* A sample makes the run go step by step. */
static void runs_with_strides_are_the_same_runs(void) {
    static const size_t counts[] = {1, 2, 3, 4, 5, 63, 64, 65, 1000, 1023, 1024, 1025, 4097, 10000};
    const double end = 4.0;
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        il_record strides;
        il_record steps;
        run_to(counts[k], NULL, 0, &strides);
        run_to(counts[k], &end, 1, &steps);
        CU_ASSERT(strides.status == IL_OK && strides.steps_done == counts[k]);
        CU_ASSERT(strides.t == end && steps.t == end);
        CU_ASSERT(memcmp(strides.q, steps.q, sizeof(double)) == 0);
        CU_ASSERT(memcmp(strides.u, steps.u, sizeof(double)) == 0);
        CU_ASSERT_EQUAL(strides.projector_iterations, steps.projector_iterations);
        CU_ASSERT_EQUAL(strides.solves, steps.solves);
        CU_ASSERT_EQUAL(strides.scans, steps.scans);
        CU_ASSERT_EQUAL(strides.rows_offered, steps.rows_offered);
        CU_ASSERT_EQUAL(strides.rows_solved, steps.rows_solved);
        il_record_free(&strides);
        il_record_free(&steps);
    }
}

static const il_test tests[] = {
    {"strides have the bits of single steps", strides_have_the_bits_of_steps},
    {"runs with strides are the same runs", runs_with_strides_are_the_same_runs},
    {NULL, NULL}};

const il_suite il_suite_one_wall = {"one_wall", tests};
