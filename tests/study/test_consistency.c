/*
 * test_consistency.c - exact solutions and forces of the built-in problems pass the checks that
 * problems of scripts are held to; solutions that are a little wrong do not.
 */
#include <math.h>
#include <string.h>

#include "harness/study/hypotheses/consistency.h"
#include "tests/support/suite.h"

static const il_check_line *find(const il_check_lines *lines, const char *name) {
    for (size_t k = 0; k < lines->n; k++) {
        if (strcmp(lines->line[k].name, name) == 0) {
            return &lines->line[k];
        }
    }
    return NULL;
}

static size_t count_failed(const char *problem, const il_check_lines *lines) {
    size_t failed = 0;
    for (size_t k = 0; k < lines->n; k++) {
        if (lines->line[k].outcome == IL_CHECK_FAIL) {
            (void)fprintf(stderr, "%s: %s: %s\n", problem, lines->line[k].name,
                          lines->line[k].text);
            failed++;
        }
    }
    return failed;
}

typedef struct {
    il_params *params;
    il_problem *problem;
} stage;

static bool open_stage(stage *s, const il_problem_type *type) {
    *s = (stage){NULL, NULL};
    CU_ASSERT_EQUAL_FATAL(il_params_create(&s->params, type->params, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_problem_create(&s->problem, type, s->params, 0.0, NULL), IL_OK);
    return s->problem->nexact > 0 && s->problem->gamma0 == NULL && s->problem->p <= 100;
}

static void close_stage(stage *s) {
    il_problem_destroy(s->problem);
    il_params_destroy(s->params);
}

static void built_in_solutions_pass(void) {
    size_t checked = 0;
    for (size_t k = 0; il_problem_type_at(k) != NULL; k++) {
        stage s;
        bool exact = open_stage(&s, il_problem_type_at(k));
        for (size_t n = 0; exact && n < s.problem->nexact; n++) {
            il_check_lines lines = {.n = 0};
            CU_ASSERT_EQUAL(il_check_exact(s.problem, &s.problem->exact[n], &lines, NULL), IL_OK);
            CU_ASSERT(lines.n >= 4);
            CU_ASSERT_EQUAL(count_failed(s.problem->type->name, &lines), 0);
            checked++;
        }
        close_stage(&s);
    }
    CU_ASSERT(checked >= 8);
}

static void built_in_forces_pass(void) {
    for (size_t k = 0; il_problem_type_at(k) != NULL; k++) {
        stage s;
        il_check_lines lines = {.n = 0};
        (void)open_stage(&s, il_problem_type_at(k));
        il_check_force(s.problem, &lines);
        CU_ASSERT(lines.n >= 1);
        CU_ASSERT_EQUAL(count_failed(s.problem->type->name, &lines), 0);
        close_stage(&s);
    }
}

/* A solution with a little of t^2 added to coordinate 0, in q alone or in u as well. */
typedef struct {
    const il_exact *of;
    size_t d;
    double q, u;
} bent;

static void eval_bent(const il_exact *exact, double t, int side, double *q, double *u) {
    const bent *w = exact->data;
    w->of->eval(w->of, t, side, q, u);
    q[0] += w->q * t * t;
    u[0] += 2.0 * w->u * t;
}

/* ---- numbers that are none ------------------------------------------------------------------ */

/* A position that is no number at one point, the middle of the first piece: differences miss it. */
static void eval_holed(const il_exact *exact, double t, int side, double *q, double *u) {
    const il_exact *of = exact->data;
    of->eval(of, t, side, q, u);
    q[0] = t == 0.5 * exact->breaks[1] ? (double)NAN : q[0];
}

static void force_holed(const il_problem *problem, double t, const double *q, double *f) {
    (void)t;
    (void)q;
    for (size_t k = 0; k < problem->d; k++) {
        f[k] = k == 0 ? (double)NAN : 0.0;
    }
}

/* The mean over the first interval that is asked for is no number, and the others are right. */
static void mean_holed(const il_problem *problem, double t0, double t1, const double *q,
                       double *f) {
    (void)t1;
    problem->type->force(problem, t0, q, f);
    f[0] = t0 == 0.0 ? (double)NAN : f[0];
}

static void numbers_that_are_none_are_not_forgotten(void) {
    const il_problem_type *type = NULL;
    stage s;
    il_check_lines lines = {.n = 0};
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find("bouncing_ball", &type, NULL), IL_OK);
    CU_ASSERT_FATAL(open_stage(&s, type));
    il_exact exact = s.problem->exact[0];
    exact.eval = eval_holed;
    exact.data = &s.problem->exact[0];
    CU_ASSERT_EQUAL(il_check_exact(s.problem, &exact, &lines, NULL), IL_OK);
    const il_check_line *line = find(&lines, "exact: feasible");
    CU_ASSERT(line != NULL && line->outcome == IL_CHECK_FAIL);
    il_problem_type holed = *type;
    holed.force_mean = mean_holed;
    s.problem->type = &holed;
    lines.n = 0;
    il_check_force(s.problem, &lines);
    line = find(&lines, "force mean");
    CU_ASSERT(line != NULL && line->outcome == IL_CHECK_FAIL);
    s.problem->type = type;
    close_stage(&s);
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find("two_spheres", &type, NULL), IL_OK);
    CU_ASSERT_FATAL(open_stage(&s, type));
    holed = *type;
    holed.force = force_holed;
    s.problem->type = &holed;
    lines.n = 0;
    il_status status = il_check_exact(s.problem, &s.problem->exact[0], &lines, NULL);
    line = find(&lines, "exact: motion");
    CU_ASSERT(status != IL_OK || (line != NULL && line->outcome == IL_CHECK_FAIL));
    s.problem->type = type;
    close_stage(&s);
}

/* The share by which mean_off is off, and what it adds. */
static double share = 0.0;
static double added = 0.0;

static void mean_off(const il_problem *problem, double t0, double t1, const double *q, double *f) {
    (void)t1;
    problem->type->force(problem, t0, q, f);
    for (size_t k = 0; k < problem->d; k++) {
        f[k] = (1.0 + share) * f[k] + added;
    }
}

static void no_force(const il_problem *problem, double t, const double *q, double *f) {
    (void)t;
    (void)q;
    memset(f, 0, problem->d * sizeof *f);
}

/* The weight of bouncing_ball does not change with time and is its mean. A mean that a user
 * computes has its own errors: a billionth of the force, a rounding where that vanishes. */
static void means_may_be_off_by_their_last_digits(void) {
    const struct {
        bool weight;
        double share, added;
        il_check_outcome outcome;
    } cases[] = {{true, 1e-9, 0.0, IL_CHECK_OK},
                 {true, -1e-9, 0.0, IL_CHECK_OK},
                 {true, 1e-7, 0.0, IL_CHECK_FAIL},
                 {false, 0.0, 1e-16, IL_CHECK_OK},
                 {false, 0.0, 1e-12, IL_CHECK_FAIL}};
    const il_problem_type *type = NULL;
    stage s;
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find("bouncing_ball", &type, NULL), IL_OK);
    CU_ASSERT_FATAL(open_stage(&s, type));
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        il_problem_type off = *type;
        il_check_lines lines = {.n = 0};
        off.force = cases[k].weight ? type->force : no_force;
        off.force_mean = mean_off;
        share = cases[k].share;
        added = cases[k].added;
        s.problem->type = &off;
        il_check_force(s.problem, &lines);
        const il_check_line *line = find(&lines, "force mean");
        CU_ASSERT(line != NULL && line->outcome == cases[k].outcome);
    }
    s.problem->type = type;
    close_stage(&s);
}

/* The floor is the only constraint: what bends down goes through it. */
static void a_solution_that_overlaps_is_named(void) {
    const il_problem_type *type = NULL;
    stage s;
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find("bouncing_ball", &type, NULL), IL_OK);
    CU_ASSERT_FATAL(open_stage(&s, type));
    for (int up = 0; up <= 1; up++) {
        bent w = {&s.problem->exact[0], s.problem->d, up ? 1e-3 : -1e-3, up ? 1e-3 : -1e-3};
        il_exact exact = s.problem->exact[0];
        il_check_lines lines = {.n = 0};
        exact.eval = eval_bent;
        exact.data = &w;
        CU_ASSERT_EQUAL(il_check_exact(s.problem, &exact, &lines, NULL), IL_OK);
        const il_check_line *line = find(&lines, "exact: feasible");
        CU_ASSERT(line != NULL && line->outcome == (up ? IL_CHECK_OK : IL_CHECK_FAIL));
    }
    close_stage(&s);
}

/* x jumps by 1 at 0.3 and by 2 at 1/sqrt 2, on top of something steep and smooth. */
static bool two_jumps(void *self, double t, double *x) {
    (void)self;
    x[0] = tanh(1e3 * (t - 0.5)) + (t >= 0.3 ? 1.0 : 0.0) + (t >= sqrt(0.5) ? 2.0 : 0.0);
    return true;
}

static bool no_jump(void *self, double t, double *x) {
    (void)self;
    x[0] = tanh(1e3 * (t - 0.5)) + fabs(t - 0.3);
    return true;
}

static void jumps_are_found_and_slopes_are_none(void) {
    double work[3];
    double at[4];
    double size[4];
    il_jump_query query = {.eval = two_jumps, .d = 1, .work = work};
    size_t n = il_check_jumps(&query, 0.0, 1.0, 4, at, size);
    CU_ASSERT_EQUAL_FATAL(n, 2);
    for (size_t k = 0; k < 2; k++) {
        double where = size[k] > 1.5 ? sqrt(0.5) : 0.3;
        CU_ASSERT(fabs(at[k] - where) <= 1e-12);
        CU_ASSERT(fabs(size[k] - (size[k] > 1.5 ? 2.0 : 1.0)) <= 1e-8);
    }
    query.eval = no_jump;
    CU_ASSERT_EQUAL(il_check_jumps(&query, 0.0, 1.0, 4, at, size), 0);
}

static const il_test tests[] = {
    {"built-in solutions pass", built_in_solutions_pass},
    {"built-in forces pass", built_in_forces_pass},
    {"numbers that are none are not forgotten", numbers_that_are_none_are_not_forgotten},
    {"means may be off by their last digits", means_may_be_off_by_their_last_digits},
    {"a solution that overlaps is named", a_solution_that_overlaps_is_named},
    {"jumps are found and slopes are none", jumps_are_found_and_slopes_are_none},
    {NULL, NULL}};
const il_suite il_suite_consistency = {"consistency", tests};
