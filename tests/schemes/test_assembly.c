/*
 * test_assembly.c - steps that somebody else puts together: what is read of them, and what is said
 * of those that are refused. Whole schemes of this kind are in tests/lua/own_schemes.lua.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "schemes/assembly.h"
#include "tests/support/residual.h"
#include "tests/support/suite.h"

enum { PLACES = 6 }; /* coordinates that a problem of these tests has at most */

typedef struct {
    il_test_problem of;
    il_assembly *assembly;
} stage;

static void open_on(stage *w, const char *problem, const char *const *sets) {
    il_scheme_options options = {.certify = true};
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &options.projector, NULL), IL_OK);
    w->of = il_test_problem_new(problem, 1.0, sets);
    CU_ASSERT_EQUAL_FATAL(il_assembly_create(&w->assembly, w->of.problem, &options, NULL), IL_OK);
}

/* The corner of 120 degrees, far above both of its faces. */
static void open_stage(stage *w) {
    static const char *const sets[] = {"q0=1,64", "u0=1,2", "force=0,-1", NULL};
    open_on(w, "corner", sets);
}

static void close_stage(stage *w) {
    il_assembly_destroy(w->assembly);
    il_test_problem_free(&w->of);
}

/* From t = 3 to 3.5, free, of velocity u = (1, 2 - 1/2): positions that are one too low in a
 * coordinate went there by a velocity that is two less, and the message says so, and where. The
 * step as it is passes. */
static void positions_elsewhere_are_told_by_their_velocity(void) {
    const double h = 0.5;
    for (size_t wrong = 0; wrong < 3; wrong++) {
        stage w;
        double q0[2] = {1.0, 64.0};
        double u0[2] = {1.0, 2.0};
        double v[2];
        double x[2];
        double q[2];
        double out_q[2];
        double out_u[2];
        char words[160];
        il_state in = {.q = q0, .u = u0};
        il_state out = {.q = out_q, .u = out_u};
        il_step_report report;
        il_error err = {IL_OK, ""};
        open_stage(&w);
        il_assembly_begin(w.assembly, 3.0, 3.0 + h, &in, &out);
        CU_ASSERT_EQUAL_FATAL(il_assembly_predict(w.assembly, v, &err), IL_OK);
        il_assembly_projection onto = {.kind = IL_ASSEMBLY_LINEARISED, .target = v};
        CU_ASSERT_EQUAL_FATAL(il_assembly_project(w.assembly, &onto, x, &err), IL_OK);
        CU_ASSERT(x[0] == 1.0 && x[1] == 1.5);
        for (size_t k = 0; k < 2; k++) {
            q[k] = q0[k] + h * x[k] - (k == wrong ? 1.0 : 0.0);
        }
        il_status status = il_assembly_finish(w.assembly, q, x, &report, &err);
        CU_ASSERT_EQUAL(status, wrong < 2 ? IL_ENOTCERTIFIED : IL_OK);
        if (wrong < 2) {
            (void)snprintf(words, sizeof words,
                           "(q - q_n)/h is %g in coordinate %zu, u_n is %g and u is %g;",
                           x[wrong] - 2.0, wrong + 1, u0[wrong], x[wrong]);
            CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "the step to t = 3.5 moves positions"));
            CU_ASSERT_PTR_NOT_NULL(strstr(err.message, words));
        }
        close_stage(&w);
    }
}

/* M (u - u_n)/h = f + sum lambda_i grad g_i, or M u = M f + sum ..., of numbers that were rounded.
 * S is the largest sum of the moduli of a row's terms. Here and in the projection, where x was made
 * of the same terms, each is rounded FORMED times at most until it stands there (scaled by h twice,
 * a difference, a product), and d + p times as they are added up: twice d + p + FORMED halves of an
 * epsilon of S. Onto the true set x is a fixed point to FIXED_POINT (true_set.c) of the way of the
 * projection, which, times M/h, S is not below; where rows are affine it is no iteration. */
enum { FORMED = 4 };
static const double FIXED_POINT = 4e-15;

static double balance_room(const il_problem *problem, const il_assembly_projection *p, size_t rows,
                           double S) {
    bool iterated = p->kind == IL_ASSEMBLY_EXACT && (problem->traits & IL_ROWS_AFFINE) == 0;
    double rounded = (double)(problem->d + rows + FORMED) * DBL_EPSILON;
    return (rounded + (iterated ? FIXED_POINT : 0.0)) * S;
}

/* The largest sum of moduli of a row of M (change) = M force, or force, + sum lambda_i grad g_i,
 * where the change is the difference of x and u0 over h, or x. */
static double balance_size(const il_problem *problem, const il_step_report *report, double h,
                           const double *x, const double *u0) {
    const il_rows *rows = report->rows;
    bool second = problem->order == 2;
    double sum[PLACES] = {0.0};
    double size = 0.0;
    for (size_t i = 0; i < rows->p; i++) {
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            sum[rows->col[e]] += fabs(report->lambda[i] * rows->coef[e]);
        }
    }
    for (size_t k = 0; k < problem->d; k++) {
        double unit[PLACES] = {0.0};
        double row[PLACES]; /* of M, which is symmetric */
        unit[k] = 1.0;
        il_metric_mul(problem->mass, unit, row);
        for (size_t l = 0; l < problem->d; l++) {
            sum[k] += fabs(row[l]) * (second ? (fabs(x[l]) + fabs(u0[l])) / h
                                             : fabs(x[l]) + fabs(report->force[l]));
        }
        size = fmax(size, sum[k] + (second ? fabs(report->force[k]) : 0.0));
    }
    return size;
}

/* Contacts that yield a little, for projections onto such. */
static void choose(const stage *w, il_assembly_kind kind, const double *q) {
    il_assembly_contacts all = {.p = 0};
    if (kind == IL_ASSEMBLY_CONTACTS) {
        CU_ASSERT_EQUAL_FATAL(il_assembly_choose(w->assembly, 0.25, q, 1.0, &all, NULL), IL_OK);
    }
    for (size_t i = 0; i < all.p; i++) {
        all.speed[i] = 0.125;
        all.compliance[i] = 0.001;
    }
}

/* One step of `h` by a projection of the free velocity, or of its displacement, as a caller makes
 * it; positions move by the velocity that comes of it. */
static void push(const stage *w, double h, const il_assembly_projection *in, const double *q0,
                 const double *u0, il_step_report *report) {
    const il_problem *problem = w->of.problem;
    double v[PLACES];
    double x[PLACES];
    double q[PLACES];
    double u[PLACES];
    double q_n[PLACES];
    double u_n[PLACES];
    il_assembly_projection p = *in;
    il_error err = {IL_OK, ""};
    il_state from = {.q = q_n, .u = u_n};
    il_state to = {.q = q, .u = u};
    CU_ASSERT_FATAL(problem->d <= PLACES);
    memcpy(q_n, q0, problem->d * sizeof *q0);
    memcpy(u_n, u0, problem->d * sizeof *u0);
    il_assembly_begin(w->assembly, 0.25, 0.25 + h, &from, &to);
    CU_ASSERT_EQUAL_FATAL(il_assembly_predict(w->assembly, v, &err), IL_OK);
    for (size_t k = 0; k < problem->d; k++) {
        v[k] *= in->displacement ? h : 1.0;
    }
    p.target = v;
    choose(w, in->kind, q_n);
    CU_ASSERT_EQUAL_FATAL(il_assembly_project(w->assembly, &p, x, &err), IL_OK);
    for (size_t k = 0; k < problem->d; k++) {
        x[k] /= in->displacement ? h : 1.0;
        v[k] = q0[k] + h * x[k];
    }
    CU_ASSERT_EQUAL(il_assembly_finish(w->assembly, v, x, report, &err), IL_OK);
    CU_ASSERT(memcmp(q, v, problem->d * sizeof *q) == 0);
    CU_ASSERT(memcmp(u, x, problem->d * sizeof *u) == 0);

    /* M times what the velocity changed, less the force and what the contacts push */
    double change[PLACES];
    double left[PLACES];
    double pushes = 0.0;
    for (size_t k = 0; k < problem->d; k++) {
        change[k] = problem->order == 2 ? (x[k] - u0[k]) / h : x[k];
    }
    il_metric_mul(problem->mass, change, left);
    il_metric_mul(problem->mass, report->force, v);
    for (size_t k = 0; k < problem->d; k++) {
        left[k] -= problem->order == 2 ? report->force[k] : v[k];
    }
    for (size_t i = 0; i < report->rows->p; i++) {
        pushes = fmax(pushes, report->lambda[i]);
        il_rows_axpy(report->rows, i, -report->lambda[i], left);
    }
    CU_ASSERT(pushes > 0.01);
    double S = balance_size(problem, report, h, x, u0);
    for (size_t k = 0; k < problem->d; k++) {
        CU_ASSERT(fabs(left[k]) <= balance_room(problem, in, report->rows->p, S));
    }
}

/* M (u - u_n)/h = f + sum lambda_i grad g_i, and M ((q - q_n)/h - f) = sum lambda_i grad g_i where
 * the order is one, by whichever projection, for steps of several sizes: multipliers of a report
 * are forces of contact. A point of a mass that is none of Euclid's falls into a corner; of three
 * people two are in the way of the third. */
static void multipliers_balance_a_step(void) {
    static const char *const fall[] = {"q0=0,0.0625", "u0=0.5,-2", "force=0.25,-1",
                                       "mass=2,0.5,0.5,3", NULL};
    static const char *const press[] = {
        "N=3", "side=10", "radius=0.25", "door=1", "q0=4,4,4.5,4,4,4.5", NULL};
    static const double u0[2][PLACES] = {{0.5, -2.0}, {0.0}};
    static const double steps[] = {0.5, 0.125, 3.0};
    for (size_t k = 0; k < sizeof steps / sizeof steps[0] * IL_ASSEMBLY_KINDS * 4; k++) {
        bool first = k % 2 == 0;
        stage w;
        il_step_report report;
        il_assembly_projection p = {.kind = (il_assembly_kind)(k / 4 % IL_ASSEMBLY_KINDS),
                                    .displacement = k / 2 % 2 == 1,
                                    .gamma = 0.5};
        if (p.kind == IL_ASSEMBLY_TANGENT && p.displacement) {
            continue; /* of velocities alone */
        }
        open_on(&w, first ? "crowd" : "corner", first ? press : fall);
        push(&w, steps[k / 4 / IL_ASSEMBLY_KINDS], &p, w.of.problem->q0, u0[first], &report);
        close_stage(&w);
    }
}

static const il_test tests[] = {{"positions elsewhere are told by their velocity",
                                 positions_elsewhere_are_told_by_their_velocity},
                                {"multipliers balance a step", multipliers_balance_a_step},
                                {NULL, NULL}};

const il_suite il_suite_assembly = {"assembly", tests};
