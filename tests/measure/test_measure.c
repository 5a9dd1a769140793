/*
 * test_measure.c - the least gap between nodes, from the few constraints that may dip, against
 * closed forms over all pairs of spheres.
 */
#include "harness/measure/measure.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

#include "tests/support/residual.h"
#include "tests/support/suite.h"

enum { DISCS = 40, D = 2 * DISCS, PROBES = 8 };

/* Differences of lengths below 20, a few roundings each. */
static const double ROUNDING = 1e-14;

/* ---- a pile that counts how often all its constraints are looked at -------------------------- */

typedef struct {
    const il_problem *inner;
    size_t *gaps;
} counted;

static il_status counted_row(const il_problem *self, double t, const double *q, size_t id,
                             il_rows *rows) {
    const counted *w = self->data;
    return w->inner->type->row(w->inner, t, q, id, rows);
}

static il_status counted_scan(const il_problem *self, double t, const double *q, const double *x,
                              double slack, il_rows *rows) {
    const counted *w = self->data;
    return w->inner->type->scan(w->inner, t, q, x, slack, rows);
}

static double counted_gap(const il_problem *self, double t, const double *q, size_t *id) {
    const counted *w = self->data;
    (*w->gaps)++;
    return w->inner->type->gap(w->inner, t, q, id);
}

static const il_problem_type counted_type = {
    .name = "counted", .row = counted_row, .scan = counted_scan, .gap = counted_gap};

typedef struct {
    il_test_problem made;
    double r[DISCS];
    size_t gaps;
    counted data;
    il_problem problem;
    il_measure *measure;
} watched;

/* With traits that the pile has but that are not told, every constraint is looked at in every
 * place. */
static void watch(watched *w, unsigned hidden) {
    static const char *const settings[] = {"N=40", "space=2", "radius=0.5", NULL};
    memset(w, 0, sizeof *w);
    w->made = il_test_problem_new("pile", 0.0, settings);
    const il_problem *pile = w->made.problem;
    CU_ASSERT_FATAL(pile->d == D && (pile->traits & IL_ROWS_CONVEX) != 0);
    pile->type->radii(pile, 0.0, w->r);
    w->data = (counted){.inner = pile, .gaps = &w->gaps};
    w->problem = *pile;
    w->problem.type = &counted_type;
    w->problem.data = &w->data;
    w->problem.traits &= ~hidden;
    w->measure = il_measure_create(&w->problem, pile->u0);
    w->gaps = 0;
}

/* A state holds what may be written. */
// NOLINTNEXTLINE(readability-non-const-parameter)
static void watch_step(watched *w, double *from, double *to) {
    static double nothing[D];
    il_rows none;
    il_rows_init(&none);
    il_state in = {.q = from, .u = nothing};
    il_state out = {.q = to, .u = nothing};
    il_step_report report = {.rows = &none, .force = nothing, .certificate = il_certificate_best()};
    il_measure_step(w->measure, 0.0, 0.1, &in, &out, &report);
}

static void watch_end(watched *w) {
    il_measure_destroy(w->measure);
    il_test_problem_free(&w->made);
}

/* min over theta in [0,1] of all gaps along the segment. That of a pair is least where the relative
 * position w + theta dw is nearest to 0, that of a wall at an end. */
static double least_of_all(const watched *w, const double *from, const double *to) {
    const il_problem *pile = w->made.problem;
    double least = INFINITY;
    for (size_t i = 0; i < DISCS; i++) {
        for (size_t j = 0; j < i; j++) {
            double x = from[2 * i] - from[2 * j];
            double y = from[2 * i + 1] - from[2 * j + 1];
            double dx = to[2 * i] - to[2 * j] - x;
            double dy = to[2 * i + 1] - to[2 * j + 1] - y;
            double square = dx * dx + dy * dy;
            double theta = square > 0.0 ? -(x * dx + y * dy) / square : 0.0;
            theta = fmin(1.0, fmax(0.0, theta));
            least = fmin(least, hypot(x + theta * dx, y + theta * dy) - w->r[i] - w->r[j]);
        }
        for (size_t k = 0; k < pile->nwalls; k++) {
            const il_plane *wall = &pile->walls[k];
            double c = wall->c + w->r[i];
            least = fmin(least, wall->n[0] * from[2 * i] + wall->n[1] * from[2 * i + 1] - c);
            least = fmin(least, wall->n[0] * to[2 * i] + wall->n[1] * to[2 * i + 1] - c);
        }
    }
    return least;
}

/* ---- tests ---------------------------------------------------------------------------------- */

/* A disc goes past the centre of its neighbour, a tenth beside it, and ends less deep inside it:
 * golden section around the deepest of the probes, 2/8 0.618^30 = 1.4e-7 wide at last, where the
 * gap bends by less than |dw|^2/0.1 = 20. */
static void a_dip_between_nodes_is_found_to_rounding(void) {
    static const double SECTION = 1e-12; /* 20 (1.4e-7)^2/2 and roundings */
    for (size_t i = 0; i < DISCS; i++) {
        watched w;
        watch(&w, 0);
        double from[D];
        double to[D];
        memcpy(from, w.made.problem->q0, sizeof from);
        memcpy(to, from, sizeof to);
        size_t j = i == 0 ? 1 : 0;
        for (size_t k = 0; k < DISCS; k++) {
            double now = hypot(from[2 * k] - from[2 * i], from[2 * k + 1] - from[2 * i + 1]);
            double best = hypot(from[2 * j] - from[2 * i], from[2 * j + 1] - from[2 * i + 1]);
            j = k != i && now < best ? k : j;
        }
        double x = from[2 * j] - from[2 * i];
        double y = from[2 * j + 1] - from[2 * i + 1];
        double length = hypot(x, y);
        to[2 * i] += 1.2 * x - 0.1 * y / length;
        to[2 * i + 1] += 1.2 * y + 0.1 * x / length;
        watch_step(&w, from, to);
        il_measure_result r = il_measure_finish(w.measure);
        CU_ASSERT(fabs(r.between_min - least_of_all(&w, from, to)) <= SECTION);
        CU_ASSERT(r.between_min <= r.nodes_min - 0.05);
        CU_ASSERT_EQUAL(w.gaps, 1); /* that of the node: inside, few constraints are looked at */
        watch_end(&w);
    }
}

/* A third of the discs jump by up to two diameters, step after step. A probe is never farther than
 * half their distance from where the least gap is taken, and gaps change no faster than bodies
 * move. All constraints never tell of a
 * gap that the few miss; but when several dip between the same probes, those that are of no
 * interest may lead the section away from the least, and all may miss what the few find. */
static void few_constraints_tell_what_all_do(void) {
    enum { TRIALS = 100, STEPS = 5 };
    static const double JUMP = 1.5; /* in each coordinate, so that pairs move by 3 sqrt 2 at most */
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < TRIALS; trial++) {
        watched few;
        watched all;
        double q[2][D];
        watch(&few, 0);
        watch(&all, IL_ROWS_CONVEX);
        memcpy(q[0], few.made.problem->q0, sizeof q[0]);
        double exact = INFINITY;
        for (int n = 0; n < STEPS; n++) {
            double *from = q[n % 2];
            double *to = q[(n + 1) % 2];
            for (size_t k = 0; k < D; k++) {
                bool moves = (k / 2 + (size_t)n) % 3 == 0;
                to[k] = from[k] + (moves ? JUMP * (2.0 * gsl_rng_uniform(rng) - 1.0) : 0.0);
            }
            watch_step(&few, from, to);
            watch_step(&all, from, to);
            exact = fmin(exact, least_of_all(&few, from, to));
            il_measure_result r = il_measure_finish(few.measure);
            CU_ASSERT(r.between_min >= exact - ROUNDING);
            CU_ASSERT(r.between_min <= exact + JUMP * sqrt(8.0) / (2.0 * PROBES));
            CU_ASSERT(r.between_min <= il_measure_finish(all.measure).between_min);
        }
        CU_ASSERT_EQUAL(few.gaps, STEPS);
        CU_ASSERT(all.gaps > 10 * STEPS);
        watch_end(&few);
        watch_end(&all);
    }
    gsl_rng_free(rng);
}

/* Nothing comes lower than the start did: nothing is looked at but the node. */
static void steps_that_open_gaps_are_not_searched(void) {
    watched w;
    double to[D];
    watch(&w, 0);
    const il_problem *pile = w.made.problem;
    double from[D];
    memcpy(from, pile->q0, sizeof from);
    for (size_t k = 0; k < D; k++) { /* away from the corner at the bottom left, and apart */
        to[k] = from[k] * (1.0 + 0.01 * (double)(k % 2));
    }
    watch_step(&w, from, to);
    il_measure_result r = il_measure_finish(w.measure);
    CU_ASSERT(fabs(r.between_min - least_of_all(&w, from, from)) <= ROUNDING);
    CU_ASSERT_EQUAL(w.gaps, 1);
    watch_end(&w);
}

/* Contacts that push in a step are counted, and the most of all steps stays. */
static void most_contacts_of_a_step_are_counted(void) {
    static const double lambda[3][3] = {{1.0, 0.0, 0.0}, {0.5, 0.0, 2.0}, {0.0, 0.0, 3.0}};
    static const size_t col[1] = {0};
    static const double coef[1] = {1.0};
    static const double force[D] = {0.0};
    static double nothing[D];
    watched w;
    watch(&w, 0);
    il_rows rows;
    il_rows_init(&rows);
    for (size_t i = 0; i < 3; i++) {
        il_rows_append(&rows, i, 0.0, 0.0, 1, col, coef);
    }
    double q[D];
    memcpy(q, w.made.problem->q0, sizeof q);
    il_state at = {.q = q, .u = nothing};
    for (size_t n = 0; n < 3; n++) {
        il_step_report report = {.rows = &rows,
                                 .lambda = lambda[n],
                                 .force = force,
                                 .certificate = il_certificate_best()};
        il_measure_step(w.measure, 0.1 * (double)n, 0.1 * (double)(n + 1), &at, &at, &report);
    }
    CU_ASSERT_EQUAL(il_measure_finish(w.measure).active_max, 2);
    il_rows_free(&rows);
    watch_end(&w);
}

/* In steps of different lengths the velocities follow the force and what the bodies do to each
 * other, and momentum is kept; then one body is pushed by nobody. */
static void momentum_changes_by_the_force_alone(void) {
    enum { SPHERES = 6, STEPS = 5 };
    static const char *const settings[] = {NULL};
    static const double t[STEPS + 1] = {0.0, 0.125, 0.5, 0.625, 1.5, 1.75};
    static const double push[3] = {0.5, -2.0, 3.0};
    il_test_problem made = il_test_problem_new("two_spheres", 0.0, settings);
    const il_problem *problem = made.problem;
    const double *mass = il_metric_masses(problem->mass);
    CU_ASSERT_FATAL(problem->d == SPHERES && mass != NULL);
    double q[SPHERES];
    double u[STEPS + 1][SPHERES];
    double force[SPHERES];
    il_measure *w = NULL;
    il_rows none;
    il_rows_init(&none);
    memcpy(q, problem->q0, sizeof q);
    memcpy(u[0], problem->u0, sizeof u[0]);
    w = il_measure_create(problem, u[0]);
    for (size_t n = 0; n < STEPS; n++) {
        double h = t[n + 1] - t[n];
        bool last = n + 1 == STEPS;
        for (size_t k = 0; k < SPHERES; k++) {
            double of_contact = k < 3 ? -push[k] : push[k - 3];
            force[k] = (double)((k * k + 2 * n) % 5) - 1.5; /* of no sum 0 */
            u[n + 1][k] = u[n][k] + (h * force[k] + of_contact) / mass[k];
        }
        u[n + 1][1] += last ? 0.25 / mass[1] : 0.0;
        il_state in = {.q = q, .u = u[n]};
        il_state out = {.q = q, .u = u[n + 1]};
        il_step_report report = {
            .rows = &none, .force = force, .certificate = il_certificate_best()};
        il_measure_step(w, t[n], t[n + 1], &in, &out, &report);
        double drift = last ? 0.25 : 0.0;
        CU_ASSERT(fabs(il_measure_drift(w)->momentum - drift) <= ROUNDING);
        CU_ASSERT(fabs(il_measure_finish(w).momentum_drift - drift) <= ROUNDING);
    }
    il_measure_destroy(w);
    il_test_problem_free(&made);
}

/* Two spheres whose radii grow, spaced by rho, affine in the step from touch to touch or nearly so:
 * rho - S is least at an end or where S' = a w sin(w t) is rho', after the inflection. That may be
 * close to an end at which the gap is 0. */
static double spacing_of(const double *q) {
    return q[3] - q[0];
}

static double sum_of_radii(double t) {
    return 1.0 + 0.2 * (1.0 - cos(3.0 * t));
}

static double least_spacing(double t0, double t1, double rho0, double rho1) {
    double rate = (rho1 - rho0) / (t1 - t0);
    double least = fmin(0.05, fmin(rho0 - sum_of_radii(t0), rho1 - sum_of_radii(t1)));
    double t = (acos(-1.0) - asin(rate / 0.6)) / 3.0;
    return t > t0 && t < t1 ? fmin(least, rho0 + (t - t0) * rate - sum_of_radii(t)) : least;
}

static void a_dip_beside_an_end_is_found(void) {
    static const char *const settings[] = {"a=0.2", "omega=3", NULL};
    static const double nothing[6] = {0.0};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rng);
    size_t dips = 0;
    for (size_t run = 0; run < 2000; run++) {
        il_test_problem made = il_test_problem_new("growing_radii", 0.0, settings);
        il_problem problem = *made.problem;
        problem.traits = run % 2 == 0 ? problem.traits : IL_ROWS_UNKNOWN;
        double t0 = 0.2 + 0.3 * gsl_rng_uniform(rng);
        double t1 = t0 + 0.05 + 0.2 * gsl_rng_uniform(rng);
        double lift = run % 3 == 0 ? 0.0 : 1e-3 * gsl_rng_uniform(rng);
        double from[6] = {[3] = sum_of_radii(t0) + lift};
        double to[6] = {[3] = sum_of_radii(t1)};
        il_measure *measure = NULL;
        il_rows none;
        il_rows_init(&none);
        il_step_report report = {
            .rows = &none, .force = nothing, .certificate = il_certificate_best()};
        il_state in = {.q = from, .u = (double[6]){0.0}};
        il_state out = {.q = to, .u = (double[6]){0.0}};
        measure = il_measure_create(&problem, nothing);
        il_measure_step(measure, t0, t0, &in, &in, &report);
        il_measure_step(measure, t0, t1, &in, &out, &report);
        double expected = least_spacing(t0, t1, spacing_of(from), spacing_of(to));
        CU_ASSERT(fabs(il_measure_finish(measure).between_min - expected) <= 1e-12);
        dips += expected < -1e-9 && expected > -1e-4;
        il_measure_destroy(measure);
        il_test_problem_free(&made);
    }
    gsl_rng_free(rng);
    CU_ASSERT(dips >= 100);
}

static const il_test tests[] = {
    {"a dip beside an end is found", a_dip_beside_an_end_is_found},
    {"a dip between nodes is found to rounding", a_dip_between_nodes_is_found_to_rounding},
    {"few constraints tell what all do", few_constraints_tell_what_all_do},
    {"steps that open gaps are not searched", steps_that_open_gaps_are_not_searched},
    {"most contacts of a step are counted", most_contacts_of_a_step_are_counted},
    {"momentum changes by the force alone", momentum_changes_by_the_force_alone},
    {NULL, NULL}};

const il_suite il_suite_measure = {"measure", tests};
