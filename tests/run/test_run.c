/*
 * test_run.c - samples, searches inside steps and failures of whole runs, by closed forms.
 */
#include <math.h>
#include <string.h>

#include "harness/run/registry.h"
#include "harness/run/run.h"
#include "harness/run/work.h"
#include "tests/support/suite.h"

/* Coordinates of order one. */
static const double ROUNDING = 1e-13;

enum { IL_MANY = 16 };

typedef struct {
    il_params *params;
    il_run_spec spec;
    il_record record;
    il_trajectory trajectory;
    const char *projector;         /* NULL: the default */
    const il_projector_type *liar; /* instead */
} made;

/* Run problem by scheme with parameters "key=value", ended by NULL. */
static il_status run(made *m, const char *problem, const char *scheme, const char *const *sets) {
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find(problem, &m->spec.problem, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_scheme_type_find(scheme, &m->spec.scheme, NULL), IL_OK);
    m->spec.projector = il_projector_type_default();
    if (m->projector != NULL) {
        CU_ASSERT_EQUAL_FATAL(il_projector_type_find(m->projector, &m->spec.projector, NULL),
                              IL_OK);
    }
    m->spec.projector = m->liar != NULL ? m->liar : m->spec.projector;
    CU_ASSERT_EQUAL_FATAL(il_params_create(&m->params, m->spec.problem->params, NULL), IL_OK);
    for (size_t k = 0; sets[k] != NULL; k++) {
        char key[32] = "";
        size_t length = strcspn(sets[k], "=");
        memcpy(key, sets[k], length);
        CU_ASSERT_EQUAL_FATAL(il_params_set_text(m->params, key, sets[k] + length + 1, NULL),
                              IL_OK);
    }
    m->spec.params = m->params;
    return il_run(&m->spec, &m->record, &m->trajectory, NULL);
}

static void release(made *m) {
    il_record_free(&m->record);
    il_trajectory_free(&m->trajectory);
    il_params_destroy(m->params);
}

/* A ball dropped from 1 with gravity 2 lands at t = 1 with u = -1, or near it. 98 steps of 2/98 put
 * a node a rounding below 1: the sample named 1 is that node, and u the velocity of the step
 * before. */
static void a_sample_named_like_a_node_is_the_node(void) {
    static const char *const sets[] = {"gravity=2", NULL};
    const double one = 1.0;
    for (size_t steps = 2; steps < 400; steps += 2) {
        made m = {.spec = {.steps = steps, .horizon = 2.0, .samples = &one, .nsamples = 1}};
        CU_ASSERT_EQUAL_FATAL(run(&m, "bouncing_ball", "maury", sets), IL_OK);
        CU_ASSERT_EQUAL(m.record.samples[0].u[0], m.trajectory.u[steps / 2]);
        CU_ASSERT_EQUAL(m.record.samples[0].q[0], m.trajectory.q[steps / 2]);
        release(&m);
    }
}

/* Two spheres that fly past each other in one step. The relative vector w moves on a segment, whose
 * distance to the origin is elementary: the least gap lies inside the step, near either end. */
static void the_least_gap_inside_a_step_is_found(void) {
    static const double starts[] = {0.1, 0.3, 1.0, 1.7, 1.95};
    size_t inside = 0;
    for (size_t k = 0; k < sizeof starts / sizeof starts[0]; k++) {
        char q0[64];
        (void)snprintf(q0, sizeof q0, "q0=0,0,0,%.17g,1,0", starts[k]);
        const char *const sets[] = {q0, "u0=0,0,0,-2,0,0", "masses=1", "radii=0.3", NULL};
        made m = {.spec = {.steps = 1, .h = 1.0}};
        CU_ASSERT_EQUAL_FATAL(run(&m, "two_spheres", "maury", sets), IL_OK);
        double aa = 0.0;
        double av = 0.0;
        double vv = 0.0;
        for (size_t c = 0; c < 3; c++) {
            const double *q = m.trajectory.q;
            double w = q[3 + c] - q[c];
            double v = (q[9 + c] - q[6 + c]) - w;
            aa += w * w;
            av += w * v;
            vv += v * v;
        }
        double theta = fmin(1.0, fmax(0.0, -av / vv));
        double least = sqrt(aa + theta * (2.0 * av + theta * vv)) - 0.6;
        inside += theta > 0.0 && theta < 1.0;
        CU_ASSERT(m.record.measure.nodes_min > least || theta <= 0.0 || theta >= 1.0);
        /* golden section leaves 1e-7 of the step in t, squared in a smooth minimum */
        CU_ASSERT(fabs(m.record.measure.between_min - least) <= 1e-12);
        release(&m);
    }
    CU_ASSERT(inside >= 4);
}

/* Paoli's projection for one pair of spheres in closed form: the relative vector is pulled to the
 * sphere of radius R along itself, and the centre of mass stays. With masses from 1 : 2 to 1e6 :
 * 1e-6, whose residuals must not hide behind the heavy body. */
static void paoli_projects_onto_the_true_set(void) {
    static const char *const masses[] = {"masses=1,2", "masses=1e3,1e-3", "masses=1e6,1e-6"};
    for (size_t k = 0; k < 3; k++) {
        const char *const sets[] = {masses[k], NULL};
        made m = {.spec = {.steps = 64}};
        CU_ASSERT_EQUAL_FATAL(run(&m, "two_spheres", "paoli", sets), IL_OK);
        CU_ASSERT_EQUAL(m.record.status, IL_OK);
        size_t n = 0;
        const double *radii = il_params_vector(m.params, "radii", &n);
        double R = n == 2 ? radii[0] + radii[1] : 2.0 * radii[0];
        size_t contacts = 0;
        for (size_t i = 1; i + 1 < m.trajectory.nodes; i++) {
            const double *q = m.trajectory.q + 6 * i;
            double w[3];
            double length = 0.0;
            for (size_t c = 0; c < 3; c++) {
                w[c] = (2.0 * q[3 + c] - q[c - 3]) - (2.0 * q[c] - q[c - 6]);
                length += w[c] * w[c];
            }
            length = sqrt(length);
            contacts += length < R;
            double pull = length < R ? R / length : 1.0;
            for (size_t c = 0; c < 3; c++) {
                CU_ASSERT(fabs(q[9 + c] - q[6 + c] - pull * w[c]) <= ROUNDING);
            }
        }
        CU_ASSERT(contacts >= 1);
        release(&m);
    }
}

/* Deep in a curved valley the plain fixed-point iteration swings for ever; the relaxed one settles.
 */
static void paoli_settles_in_a_valley(void) {
    static const char *const speeds[] = {"u0=0.5,-16", "u0=0.5,-20", "u0=0.5,-30"};
    for (size_t k = 0; k < 3; k++) {
        const char *const sets[] = {speeds[k], NULL};
        made m = {.spec = {.steps = 4, .horizon = 1.0}};
        CU_ASSERT_EQUAL_FATAL(run(&m, "vibroimpact", "paoli", sets), IL_OK);
        CU_ASSERT_EQUAL(m.record.status, IL_OK);
        CU_ASSERT(m.record.measure.nodes_min >= -1e-12);
        release(&m);
    }
}

/* Numbers beyond doubles are a failed run, never an ok with infinities in it. */
static void an_overflow_is_a_failure(void) {
    static const char *const sets[] = {"scenario=pressed", "F=1e300,0,0", NULL};
    made m = {.spec = {.steps = 10}};
    il_status status = run(&m, "two_spheres", "maury", sets);
    CU_ASSERT(status != IL_OK || m.record.status != IL_OK);
    release(&m);
}

/* Projectors that say that they have solved. */
static il_status say_created(void **self, const il_projector_options *options, il_error *err) {
    (void)options;
    (void)err;
    *self = NULL;
    return IL_OK;
}

static void forget(void *self) {
    (void)self;
}

static const char *takes_all(void *self, const il_qp *qp) {
    (void)self;
    (void)qp;
    return NULL;
}

static il_status say_free(void *self, const il_qp *qp, double *x, double *lambda,
                          il_projection_info *info) {
    (void)self;
    *info = (il_projection_info){.method = "free"};
    memset(lambda, 0, qp->rows->p * sizeof *lambda);
    memcpy(x, qp->target, qp->d * sizeof *x);
    return IL_OK;
}

/* Pulls instead of pushing: every gap is met. */
static il_status say_stuck(void *self, const il_qp *qp, double *x, double *lambda,
                           il_projection_info *info) {
    double force[IL_MANY];
    const double *mass = il_metric_masses(qp->mass);
    (void)self;
    *info = (il_projection_info){.method = "stuck"};
    CU_ASSERT_FATAL(qp->d <= IL_MANY && mass != NULL && qp->rows->p == 1);
    double w = 0.0;
    for (size_t e = 0; e < qp->rows->start[1]; e++) {
        w += qp->rows->coef[e] * qp->rows->coef[e] / mass[qp->rows->col[e]];
    }
    lambda[0] = -(qp->a[0] + qp->scale * il_rows_dot(qp->rows, 0, qp->target)) /
                (qp->scale * qp->scale * w);
    il_projection_from_multipliers(qp, lambda, force, x);
    return IL_OK;
}

/* A gap is computed from positions, so its residual is compared with 1e-12 of these too: 5e-12 is
 * within that of a sphere at 10, and of none at the origin. */
static void certificates_know_where_gaps_come_from(void) {
    static const il_projector_type exact = {.name = "exact", .finite = true};
    static const size_t col[] = {0};
    static const double coef[] = {1.0};
    static const double far[] = {10.0};
    static const double origin[] = {0.0};
    il_rows rows;
    il_rows_init(&rows);
    il_rows_append(&rows, 0, 0.0, 0.0, 1, col, coef);
    const il_run_spec spec = {.projector = &exact};
    il_step_report report = {.rows = &rows, .certificate = il_certificate_best()};
    report.certificate.residual = 5e-12;
    report.certificate.size = 1e-3;
    CU_ASSERT_EQUAL(il_run_certify(&spec, 1, 0.0, far, &report, NULL), IL_OK);
    CU_ASSERT_EQUAL(il_run_certify(&spec, 1, 0.0, origin, &report, NULL), IL_ENOTCERTIFIED);
    report.certificate.residual = 2e-11;
    CU_ASSERT_EQUAL(il_run_certify(&spec, 1, 0.0, far, &report, NULL), IL_ENOTCERTIFIED);
    report.certificate.residual = NAN;
    CU_ASSERT_EQUAL(il_run_certify(&spec, 1, 0.0, far, &report, NULL), IL_ENOTCERTIFIED);
    il_rows_free(&rows);
}

typedef il_status solver(void *self, const il_qp *qp, double *x, double *lambda,
                         il_projection_info *info);

static void a_failed_certificate_is_no_result(void) {
    static const char *const sets[] = {NULL};
    static solver *const solvers[] = {say_free, say_stuck};
    for (size_t k = 0; k < sizeof solvers / sizeof solvers[0]; k++) {
        for (int final_only = 0; final_only < 2; final_only++) {
            const il_projector_type liar = {.name = "liar",
                                            .finite = true,
                                            .refuses = takes_all,
                                            .create = say_created,
                                            .solve = solvers[k],
                                            .destroy = forget};
            made m = {.liar = &liar, .spec = {.steps = 50, .final_only = final_only == 1}};
            CU_ASSERT_EQUAL_FATAL(run(&m, "two_spheres", "maury", sets), IL_OK);
            CU_ASSERT_EQUAL(m.record.status, IL_ENOTCERTIFIED);
            CU_ASSERT_PTR_NOT_NULL(strstr(m.record.message, "projector 'liar' left a residual"));
            CU_ASSERT(final_only == 1 || m.record.ndistances == 0 ||
                      isnan(m.record.distances[0].error.u_L1));
            size_t failed = m.record.steps_done + 1;
            release(&m);
            /* nor does an analysis of that step's multipliers, which succeeds, make it one */
            m = (made){.liar = &liar, .spec = {.steps = 50, .multipliers = failed}};
            CU_ASSERT_EQUAL_FATAL(run(&m, "two_spheres", "maury", sets), IL_OK);
            CU_ASSERT_EQUAL(m.record.status, IL_ENOTCERTIFIED);
            CU_ASSERT_EQUAL(m.record.steps_done + 1, failed);
            release(&m);
        }
    }
}

static const il_test tests[] = {
    {"a sample named like a node is the node", a_sample_named_like_a_node_is_the_node},
    {"the least gap inside a step is found", the_least_gap_inside_a_step_is_found},
    {"paoli projects onto the true set whatever the masses", paoli_projects_onto_the_true_set},
    {"paoli settles in a valley", paoli_settles_in_a_valley},
    {"an overflow is a failure", an_overflow_is_a_failure},
    {"a step that its certificate contradicts is no result", a_failed_certificate_is_no_result},
    {"certificates know where gaps come from", certificates_know_where_gaps_come_from},
    {.name = NULL}};

extern const il_suite il_suite_run;
const il_suite il_suite_run = {"run", tests};
