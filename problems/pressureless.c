/*
 * pressureless.c - particles that stick, on the paths of a gas without pressure (Maury 2006, Remark
 * 12; Brenier 2000).
 *
 *     rho_t + (rho u)_x = 0,  (rho u)_t + (rho u^2)_x = 0,   rho = 1 and u = -y (1 - 4 y^2) on
 *     (-1/2, 1/2) at t = 0,
 *
 * has the paths X(t,.) = P_K(y + t u(y)), K the functions of y that do not fall. With y + t u = y
 * (1 - t (1 - 4 y^2)), odd in y, that is
 *
 *     X(t,y) = 0 where |y| < a(t) = (1 - 1/t)^(1/2)/2, t > 1,   y (1 - t (1 - 4 y^2)) elsewhere:
 *
 * what lies within a(t) has met in the middle, a mass 2 a(t) in one point, and outside of it paths
 * rise in y, d/dy = 1 - t + 12 t y^2 >= 2 (t - 1) at a. Path y ends there at t = 1/(1 - 4 y^2).
 *
 * N particles of mass 1/N at y_i = (i + 1/2)/N - 1/2, i = 0 .. N - 1, that stick where they meet
 * are on these very paths: the same projection in R^N is 0 on those with |y_i| < a, by the same
 * signs. So the exact motion of N particles is the gas, its mass in the middle up to 1/N; a
 * scheme's error is its distance from the gas for every N.
 */
#include <math.h>
#include <string.h>

#include "problems/problem.h"

typedef struct {
    size_t N;
    double *q0, *u0, *masses, *breaks;
} gas;

static il_status row(const il_problem *self, double t, const double *q, size_t id, il_rows *rows) {
    static const double pair[2] = {-1.0, 1.0};
    (void)self;
    (void)t;
    il_rows_append(rows, id, q[id + 1] - q[id], 0.0, 2, (const size_t[]){id, id + 1}, pair);
    return IL_OK;
}

static void radii(const il_problem *self, double t, double *r) {
    (void)t;
    memset(r, 0, self->d * sizeof *r);
}

/* When path y reaches the middle. */
static double meets(double y) {
    return 1.0 / (1.0 - 4.0 * y * y);
}

static void exact_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const gas *w = exact->data;
    for (size_t i = 0; i < w->N; i++) {
        double end = meets(w->q0[i]);
        bool flies = t < end || (t == end && side < 0);
        q[i] = flies ? w->q0[i] + t * w->u0[i] : 0.0;
        u[i] = flies ? w->u0[i] : 0.0;
    }
}

/* Lambda_i is the momentum that all on its right have gained. */
static void exact_impulse(const il_exact *exact, double t, int side, double *Lambda) {
    const gas *w = exact->data;
    double gained = 0.0;
    for (size_t i = w->N; i-- > 1;) {
        double end = meets(w->q0[i]);
        bool flies = t < end || (t == end && side < 0);
        gained -= flies ? 0.0 : w->masses[i] * w->u0[i];
        Lambda[i - 1] = gained;
    }
}

/* Pairs meet from the middle outward; the last one may be late. */
static void make_exact(il_problem *self, gas *w) {
    size_t n = 0;
    double *b = w->breaks;
    b[n++] = 0.0;
    for (size_t i = w->N / 2; i < w->N; i++) {
        double t = meets(w->q0[i]);
        if (w->q0[i] > 0.0 && t < self->horizon) {
            b[n++] = t;
        }
    }
    b[n++] = self->horizon;
    il_problem_offer(self, (il_exact){.origin = "closed form",
                                      .quadratic = true,
                                      .nbreaks = n,
                                      .breaks = b,
                                      .eval = exact_eval,
                                      .impulse = exact_impulse});
}

static il_status create(il_problem *self, il_params *params, il_error *err) {
    gas *w = self->data;
    size_t N = il_params_integer(params, "N");
    w->N = N;
    w->q0 = il_problem_alloc(self, 4 * N + 2, sizeof *w->q0);
    w->u0 = w->q0 + N;
    w->masses = w->u0 + N;
    w->breaks = w->masses + N;
    for (size_t i = 0; i < N; i++) {
        double y = ((double)i - 0.5 * (double)(N - 1)) / (double)N;
        w->q0[i] = y;
        w->u0[i] = -y * (1.0 - 4.0 * y * y) + 0.0; /* never -0 */
        w->masses[i] = 1.0 / (double)N;
    }
    make_exact(self, w);
    self->order = 2;
    self->p = N - 1;
    self->space = 1;
    self->traits = IL_ROWS_AFFINE | IL_ROWS_CONVEX | IL_ROWS_FIXED | IL_ROWS_INVARIANT |
                   IL_FORCE_FREE | IL_FORCE_OF_TIME;
    self->q0 = w->q0;
    self->u0 = w->u0;
    return il_problem_set_masses(self, N, w->masses, err);
}

static const il_param_spec params[] = {
    {"N", IL_PARAM_INTEGER, "40", 2.0, 100000.0, false, NULL, "1", "number of particles"},
    {"T", IL_PARAM_NUMBER, "3", 0.0, INFINITY, true, NULL, "time", "horizon"},
    {.key = NULL}};

const il_problem_type il_problem_pressureless = {
    .name = "pressureless",
    .title = "sticky particles on the paths of a gas without pressure",
    .statement =
        "N particles of mass 1/N at y_i = (i + 1/2)/N - 1/2 with velocities -y (1 - 4 y^2), order\n"
        "kept, no force, inelastic: what meets stays together.\n"
        "Exact: X(t,y) = 0 for |y| < a(t) = sqrt(1 - 1/t)/2, t > 1, else y + t u(y): particle y\n"
        "flies until t = 1/(1 - 4 y^2) and then rests in the middle. These are the paths of\n"
        "rho_t + (rho u)_x = 0, (rho u)_t + (rho u^2)_x = 0 from rho = 1, for every N: the exact\n"
        "motion of N particles is the gas, with a mass 2 a(t), up to 1/N, in one point.",
    .source = "Maury 2006, Remark 12; Brenier 2000; solution derived in the head of its source",
    .hypotheses =
        "BL (A0)-(A5): yes, affine constraints fixed in time, gradients of length sqrt(2); no\n"
        "force. (A6'): yes, the gradients of a chain are linearly independent. Theorem 1.3\n"
        "applies, masses by Remark 4.1. AT A1-A4: yes, masses are equal, <grad g_i, grad g_{i+1}>\n"
        "= -1 <= 0 for neighbours and 0 for others. Maury: the start is inside; his Theorem 1 is\n"
        "for one contact.",
    .params = params,
    .size = sizeof(gas),
    .create = create,
    .row = row,
    .radii = radii};
