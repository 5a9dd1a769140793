/*
 * graze.c - a free point that flies past a bump and touches its top without an impact.
 *
 *     (x,y)'' = lambda grad g,  g(x,y) = y + c |x|^k >= 0,  x(0) = -v s,  y(0) = 0,  u(0) = (v,0).
 *
 * The exact motion is the free flight x = v (t - s), y = 0: along it the gap is c v^k |t - s|^k, 0
 * at t = s alone, and lambda = 0. A scheme that lets its step end where the linearised gap is 0
 * takes the bump for its tangent, which lies above it, and is thrown off: problems/README.md, "Laws
 * of events", says how far.
 */
#include <math.h>

#include "harness/base/elementary.h"
#include "problems/problem.h"

typedef struct {
    double k, c, v, s;
    double q0[2], u0[2];
    double breaks[3];
} graze;

/* c k |x|^(k-1) sgn x. */
static double slope(const graze *w, double x) {
    return copysign(w->c * w->k * il_pow(fabs(x), w->k - 1.0), x);
}

static il_status row(const il_problem *self, double t, const double *q, size_t id, il_rows *rows) {
    const graze *w = self->data;
    const double b[2] = {slope(w, q[0]), 1.0};
    (void)t;
    il_rows_append(rows, id, q[1] + w->c * il_pow(fabs(q[0]), w->k), 0.0, 2, (const size_t[]){0, 1},
                   b);
    return IL_OK;
}

/* c k (k-1) |x|^(k-2) u_x^2: infinite on top where k < 2. */
static double curvature(const il_problem *self, double t, const double *q, const double *u,
                        size_t id) {
    const graze *w = self->data;
    (void)t;
    (void)id;
    double bend = w->c * w->k * (w->k - 1.0) * il_pow(fabs(q[0]), w->k - 2.0);
    return u[0] == 0.0 ? 0.0 : bend * u[0] * u[0];
}

/* The bump y <= -c |x|^k is convex. A ball rolls along all of it if it rolls where it curves most:
 * at x = 0 for k = 2, for k > 2 where (c k)^2 x^(2k-2) = (k-2)/(2k-1); for k < 2 the top is too
 * sharp for any. Gradients have length 1 or more, which only helps. */
static double rolling(const il_problem *self, double t, size_t id) {
    const graze *w = self->data;
    (void)t;
    (void)id;
    if (w->k < 2.0) {
        return NAN;
    }
    double a = w->c * w->k;
    double z = (w->k - 2.0) / (2.0 * w->k - 1.0); /* (c k)^2 x^(2k-2) there */
    double x = il_pow(sqrt(z) / a, 1.0 / (w->k - 1.0));
    return (1.0 + z) * sqrt(1.0 + z) / (a * (w->k - 1.0) * il_pow(x, w->k - 2.0));
}

static void exact_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const graze *w = exact->data;
    (void)side;
    q[0] = w->v * (t - w->s);
    q[1] = 0.0;
    u[0] = w->v;
    u[1] = 0.0;
}

static void exact_impulse(const il_exact *exact, double t, int side, double *Lambda) {
    (void)exact;
    (void)t;
    (void)side;
    Lambda[0] = 0.0;
}

static void make_exact(il_problem *self, graze *w) {
    il_problem_offer(self,
                     (il_exact){.origin = "closed form",
                                .quadratic = true,
                                .nbreaks = il_exact_breaks(w->breaks, &w->s, 1, self->horizon),
                                .breaks = w->breaks,
                                .eval = exact_eval,
                                .impulse = exact_impulse});
}

static il_status create(il_problem *self, il_params *params, il_error *err) {
    graze *w = self->data;
    w->k = il_params_number(params, "k");
    w->c = il_params_number(params, "c");
    w->v = il_params_number(params, "speed");
    w->s = il_params_number(params, "s");
    w->q0[0] = -w->v * w->s;
    w->u0[0] = w->v;
    self->order = 2;
    self->p = 1;
    self->space = 2;
    self->traits = IL_ROWS_CONVEX | IL_ROWS_FIXED | IL_FORCE_FREE | IL_FORCE_OF_TIME;
    self->q0 = w->q0;
    self->u0 = w->u0;
    make_exact(self, w);
    return il_problem_set_masses(self, 2, NULL, err);
}

static const il_param_spec params[] = {
    {"k", IL_PARAM_NUMBER, "2", 1.0, 16.0, true, NULL, "1",
     "the gap near the touch is c |v (t - s)|^k"},
    {"c", IL_PARAM_NUMBER, "1", 0.0, 1e100, true, NULL, "length^(1-k)", "how the bump bends"},
    {"speed", IL_PARAM_NUMBER, "1", 0.0, 1e100, true, NULL, "length/time", "v, along the bump"},
    {"s", IL_PARAM_NUMBER, "0.5", 0.0, 1e100, false, NULL, "time", "when the point is on top"},
    {"T", IL_PARAM_NUMBER, "1", 0.0, INFINITY, true, NULL, "time", "horizon"},
    {.key = NULL}};

const il_problem_type il_problem_graze = {
    .name = "graze",
    .title = "a point that flies past a bump and touches its top without an impact",
    .statement =
        "(x,y)'' = lambda grad g, g = y + c |x|^k >= 0, x(0) = -v s, y(0) = 0, u(0) = (v,0).\n"
        "Exact: free flight, x = v (t - s), y = 0, lambda = 0; the gap is c |v (t - s)|^k. A\n"
        "scheme whose steps end where the linearised gap is 0 is thrown off the tangent: maury\n"
        "leaves with u_y = W c v^k h^(k-1), W a function of where in its step the point is on\n"
        "top, so that its velocity has order k - 1. For k = 2, with theta the part of the step\n"
        "from the last node before the top to the top, W = max(1 - theta^2, 2 theta - 1).",
    .source = "derived in the manual, \"Laws of events\"",
    .hypotheses =
        "BL (A0)-(A6): yes for k >= 2; below 2 the second derivative of g is not bounded (A4),\n"
        "though Hoelder gradients do, as the paper remarks.\n"
        "Theorem 1.3 applies for k >= 2, as does Maury's Theorem 1 but for his start inside.\n"
        "AT A1-A4: yes for k >= 2: one constraint, grad g = (.., 1).\n"
        "Unique: yes. The free flight is the only motion without an impact, and none gains\n"
        "energy.",
    .params = params,
    .size = sizeof(graze),
    .create = create,
    .row = row,
    .curvature = curvature,
    .rolling = rolling};
