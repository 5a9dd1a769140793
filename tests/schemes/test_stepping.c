/*
 * test_stepping.c - force means by quadrature, and a correction that must find a row which its
 * problem hid in the first round.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "schemes/stepping/correct.h"
#include "schemes/stepping/force.h"
#include "schemes/stepping/working_set.h"
#include "tests/support/residual.h"
#include "tests/support/suite.h"

/* ---- force means ---- */

/* f(t,q) = sign(t - 0.3) + q, cos(40 t): a jump at a declared break, and a wave. */
static void jumping(const il_problem *self, double t, const double *q, double *f) {
    (void)self;
    f[0] = (t < 0.3 ? -1.0 : 1.0) + q[0];
    f[1] = cos(40.0 * t);
}

static const il_problem_type jumping_type = {.name = "jumping", .force = jumping};

static void means_split_at_the_breaks(void) {
    static const double breaks[1] = {0.3};
    double mass[2] = {1.0, 1.0};
    il_problem problem = {
        .type = &jumping_type, .order = 2, .d = 2, .horizon = 1.0, .nbreaks = 1, .breaks = breaks};
    CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&problem.mass, 2, mass, NULL), IL_OK);
    il_force *force = il_force_create(&problem);
    for (int k = 0; k < 50; k++) {
        double a = 0.7 * k / 50.0;
        double b = a + 0.01 + 0.006 * k;
        double q[2] = {0.25, 0.0};
        double f[2];
        CU_ASSERT_EQUAL(il_force_mean(force, a, b, q, f, NULL), IL_OK);
        double below = fmax(0.0, fmin(b, 0.3) - a);
        double above = fmax(0.0, b - fmax(a, 0.3));
        CU_ASSERT(fabs(f[0] - ((above - below) / (b - a) + 0.25)) <= 1e-13);
        CU_ASSERT(fabs(f[1] - (sin(40.0 * b) - sin(40.0 * a)) / (40.0 * (b - a))) <= 1e-12);
    }
    il_force_destroy(force);
    il_metric_destroy(problem.mass);
}

/* A drift that depends on t is that of the step's beginning. */
static void drifts_are_taken_at_the_beginning(void) {
    double mass[2] = {1.0, 1.0};
    double q[2] = {0.25, 0.0};
    double v[2];
    double f[2];
    il_problem problem = {.type = &jumping_type, .order = 1, .d = 2, .horizon = 1.0};
    il_state in = {.q = q, .u = (double[2]){9.0, 9.0}};
    CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&problem.mass, 2, mass, NULL), IL_OK);
    il_force *force = il_force_create(&problem);
    CU_ASSERT_EQUAL(il_force_predict(force, 0.2, 0.4, &in, v, f, NULL), IL_OK);
    CU_ASSERT(v[0] == -0.75 && v[1] == cos(40.0 * 0.2) && f[0] == v[0] && f[1] == v[1]);
    il_force_destroy(force);
    il_metric_destroy(problem.mass);
}

/* f = t^2, t^3, t^4, and the count of calls in data. */
static void counted(const il_problem *self, double t, const double *q, double *f) {
    (void)q;
    (*(size_t *)self->data)++;
    f[0] = t * t;
    f[1] = t * f[0];
    f[2] = t * f[1];
}

/* Polynomials need one Kronrod rule, of 15 nodes: a whole force is asked once at each of them,
 * however many coordinates it has; and once more at each for another interval. */
static void a_force_is_asked_once_at_a_node(void) {
    static const il_problem_type type = {.name = "counted", .force = counted};
    static const double mass[3] = {1.0, 1.0, 1.0};
    static const double q[3] = {0.0, 0.0, 0.0};
    size_t calls = 0;
    il_problem problem = {.type = &type, .order = 2, .d = 3, .horizon = 2.0, .data = &calls};
    CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&problem.mass, 3, mass, NULL), IL_OK);
    il_force *force = il_force_create(&problem);
    for (int k = 0; k < 2; k++) {
        double f[3];
        double a = k;
        double b = k + 1;
        calls = 0;
        CU_ASSERT_EQUAL(il_force_mean(force, a, b, q, f, NULL), IL_OK);
        CU_ASSERT_EQUAL(calls, 15);
        for (int i = 0; i < 3; i++) {
            double mean = (pow(b, i + 3) - pow(a, i + 3)) / (i + 3);
            CU_ASSERT(fabs(f[i] - mean) <= 1e-13 * mean); /* what force.h promises */
        }
    }
    il_force_destroy(force);
    il_metric_destroy(problem.mass);
}

/* v = u + h M^{-1} f for a force that stays, by masses and by matrices; the inverse of (2, 1; 1, 4)
 * is (4, -1; -1, 2)/7. */
static void free_velocities_are_those_of_newton(void) {
    static const struct {
        const char *mass;
        double v[2];
    } cases[] = {{"mass=1", {3.0 + 0.5 * 7.0, -2.0 - 0.5 * 14.0}},
                 {"mass=2,4", {3.0 + 0.5 * 3.5, -2.0 - 0.5 * 3.5}},
                 {"mass=2,1,1,4", {3.0 + 0.5 * 6.0, -2.0 - 0.5 * 5.0}}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const char *const sets[] = {"q0=0,1", "u0=3,-2", "force=7,-14", cases[k].mass, NULL};
        il_test_problem made = il_test_problem_new("corner", 1.0, sets);
        double q[2] = {0.0, 1.0};
        double u[2] = {3.0, -2.0};
        double v[2];
        double f[2];
        il_state in = {.q = q, .u = u};
        il_force *force = il_force_create(made.problem);
        CU_ASSERT_EQUAL(il_force_predict(force, 0.25, 0.75, &in, v, f, NULL), IL_OK);
        CU_ASSERT(f[0] == 7.0 && f[1] == -14.0);
        CU_ASSERT(fabs(v[0] - cases[k].v[0]) <= 1e-14 * fabs(v[0]));
        CU_ASSERT(fabs(v[1] - cases[k].v[1]) <= 1e-14 * fabs(v[1]));
        il_force_destroy(force);
        il_test_problem_free(&made);
    }
}

/* f = |t - 1/3|^p for p = -1/4 and p = -1/2: GSL sees a singularity and says how far it came. */
static void mild(const il_problem *self, double t, const double *q, double *f) {
    (void)self;
    (void)q;
    f[0] = pow(fabs(t - 1.0 / 3.0), -0.25);
}

static void strong(const il_problem *self, double t, const double *q, double *f) {
    (void)self;
    (void)q;
    f[0] = pow(fabs(t - 1.0 / 3.0), -0.5);
}

/* The mean over [0,1] is (3^{-p-1} + (3/2)^{-p-1})/(p + 1): taken where it is known to 1e-9 of int
 * |f|, refused where it is not. */
static void singular_forces_have_means_that_are_known_or_none(void) {
    static const il_problem_type types[2] = {{.name = "mild", .force = mild},
                                             {.name = "strong", .force = strong}};
    static const double mass = 1.0;
    for (int k = 0; k < 2; k++) {
        il_problem problem = {.type = &types[k], .order = 2, .d = 1, .horizon = 1.0};
        il_error err = {IL_OK, ""};
        double q = 0.0;
        double f = 0.0;
        CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&problem.mass, 1, &mass, NULL), IL_OK);
        il_force *force = il_force_create(&problem);
        CU_ASSERT_EQUAL(il_force_mean(force, 0.0, 1.0, &q, &f, &err), k == 0 ? IL_OK : IL_ENUMERIC);
        double mean = (pow(3.0, -0.75) + pow(1.5, -0.75)) / 0.75;
        CU_ASSERT(k == 0 ? fabs(f - mean) <= 1e-9 * mean
                         : strstr(err.message, "could not be computed") != NULL);
        il_force_destroy(force);
        il_metric_destroy(problem.mass);
    }
}

/* ---- a violated row that the first round does not see ---- */

enum { BODIES = 1100, HIDDEN = 500 };

/* Bodies in a row, q_{i+1} >= q_i. The search of the first round leaves out one pair that is
 * violated; later rounds tell. */
typedef struct {
    int *rounds;
    bool hide_always;
} hiding;

static il_status hiding_row(const il_problem *self, double t, const double *q, size_t id,
                            il_rows *rows) {
    static const double coef[2] = {-1.0, 1.0};
    size_t col[2] = {id, id + 1};
    (void)self;
    (void)t;
    il_rows_append(rows, id, q[id + 1] - q[id], 0.0, 2, col, coef);
    return IL_OK;
}

static il_status hiding_scan(const il_problem *self, double t, const double *q, const double *x,
                             double slack, il_rows *rows) {
    const hiding *w = self->data;
    bool hide = (*w->rounds)++ == 0;
    for (size_t id = 0; id < self->p; id++) {
        if (x[id + 1] - x[id] > slack || (id == HIDDEN && (hide || w->hide_always))) {
            continue;
        }
        il_status status = hiding_row(self, t, q, id, rows);
        if (status != IL_OK) {
            return status;
        }
    }
    return IL_OK;
}

static const il_problem_type hiding_type = {
    .name = "hiding", .row = hiding_row, .scan = hiding_scan};

/* Bodies at unit distance; two of them are sent past each other. */
static double least_gap(bool hide_always, size_t *solves) {
    static double q[BODIES];
    static double target[BODIES];
    static double x[BODIES];
    static double mass[BODIES];
    int rounds = 0;
    hiding data = {.rounds = &rounds, .hide_always = hide_always};
    for (size_t k = 0; k < BODIES; k++) {
        q[k] = (double)k;
        target[k] = k == HIDDEN ? 4.0 : k == 20 ? 3.0 : 0.0;
        mass[k] = 1.0;
    }
    il_problem problem = {.type = &hiding_type,
                          .order = 2,
                          .d = BODIES,
                          .p = BODIES - 1,
                          .horizon = 1.0,
                          .data = &data};
    const il_projector_type *projector = NULL;
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &projector, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_metric_diagonal(&problem.mass, BODIES, mass, NULL), IL_OK);
    il_scheme_options options = {.projector = projector};
    il_correct *correct = NULL;
    CU_ASSERT_EQUAL_FATAL(il_correct_create(&correct, &problem, &options, NULL), IL_OK);
    il_correction in = {.t = 0.0, .y = q, .q = q, .scale = 1.0, .target = target};
    il_step_report report = {.solves = 0};
    CU_ASSERT_EQUAL(il_correct_solve(correct, &in, x, &report, NULL), IL_OK);
    double least = INFINITY;
    for (size_t k = 0; k + 1 < BODIES; k++) {
        least = fmin(least, (q[k + 1] + x[k + 1]) - (q[k] + x[k]));
    }
    *solves = report.solves;
    il_correct_destroy(correct);
    il_metric_destroy(problem.mass);
    return least;
}

static void a_hidden_row_is_found(void) {
    size_t solves = 0;
    CU_ASSERT(least_gap(false, &solves) >= -1e-12);
    CU_ASSERT(solves >= 2);
    /* and the check can fail: a pair that is never shown stays violated */
    CU_ASSERT(least_gap(true, &solves) <= -1.0);
}

/* ---- which rows come along ------------------------------------------------------------------- */

/* The set of a step of discs from q0 that go different ways, where more than `many` rows found are
 * taken in portions; touching rows are at most `most`, or else nearer. Returns the deepest
 * violation by rows that were not touching. */
static double fill(il_working_set *w, const il_problem *p, size_t many, size_t most, double *x) {
    const il_touch touch = {.part = 0.5, .least = 0.01, .most = most};
    static const il_violation which = {.rounding = 1e-14, .nearby = 0.5};
    const il_linearisation at = {.y = p->q0, .q = p->q0, .scale = 0.1};
    double deepest = 0.0;
    for (size_t k = 0; k < p->d; k++) {
        x[k] = (double)(k / 2 % 5) * p->u0[k];
    }
    il_working_set_init(w, p);
    w->many = many;
    CU_ASSERT_EQUAL_FATAL(il_working_set_touching(w, &at, x, &touch, NULL), IL_OK);
    size_t touching = w->rows.p;
    CU_ASSERT(touching > 0 && (w->found.row_capacity <= 512) == (many <= 512 && most <= 512));
    for (size_t k = 0; k < p->d; k++) {
        x[k] = 8.0 * (double)(k / 2 % 3) * p->u0[k];
    }
    CU_ASSERT_EQUAL_FATAL(il_working_set_violated(w, &at, x, &which, &deepest, NULL), IL_OK);
    CU_ASSERT(deepest > 0.0 && w->rows.p > touching);
    return deepest;
}

static void rows_in_portions_are_the_same_set(void) {
    static const char *const settings[] = {"N=600", NULL};
    il_test_problem made = il_test_problem_new("impact", 0.0, settings);
    double *x = calloc(made.problem->d, sizeof *x);
    il_working_set whole;
    CU_ASSERT_PTR_NOT_NULL_FATAL(x);
    for (size_t trial = 0; trial < 8; trial++) {
        size_t most = trial % 2 == 0 ? 100 : SIZE_MAX;
        il_working_set w;
        double deepest = fill(&whole, made.problem, SIZE_MAX, most, x);
        CU_ASSERT_EQUAL(fill(&w, made.problem, (size_t)1 << (3 * (trial / 2)), most, x), deepest);
        CU_ASSERT(w.offered == whole.offered && w.scans == whole.scans);
        CU_ASSERT_EQUAL_FATAL(w.rows.p, whole.rows.p);
        size_t bytes = w.rows.p * sizeof *w.rows.id;
        CU_ASSERT_EQUAL(memcmp(w.rows.id, whole.rows.id, bytes), 0);
        CU_ASSERT_EQUAL(memcmp(w.rows.value, whole.rows.value, bytes), 0);
        CU_ASSERT_EQUAL_FATAL(w.rows.nnz, whole.rows.nnz);
        bytes = w.rows.nnz * sizeof *w.rows.col;
        CU_ASSERT_EQUAL(memcmp(w.rows.col, whole.rows.col, bytes), 0);
        CU_ASSERT_EQUAL(memcmp(w.rows.coef, whole.rows.coef, bytes), 0);
        il_working_set_free(&w);
        il_working_set_free(&whole);
    }
    free(x);
    il_test_problem_free(&made);
}

static const il_test tests[] = {
    {"singular forces have means that are known, or none",
     singular_forces_have_means_that_are_known_or_none},
    {"free velocities are those of newton", free_velocities_are_those_of_newton},
    {"a force is asked once at a node", a_force_is_asked_once_at_a_node},
    {"drifts are taken at the beginning", drifts_are_taken_at_the_beginning},
    {"means split at the breaks", means_split_at_the_breaks},
    {"a hidden row is found", a_hidden_row_is_found},
    {"rows in portions are the same set", rows_in_portions_are_the_same_set},
    {NULL, NULL}};

const il_suite il_suite_stepping = {"stepping", tests};
