/*
 * two_balls.c - two balls one above the other, joined by a stiff spring, fall on a floor: the
 * benchmark two_balls of nosnoc (Nurkanovic et al.).
 *
 *     m_1 q_1'' = -m_1 g + k (q_2 - q_1 - l) + lambda,   q_1 >= r,   u_1+ = -e u_1-,
 *     m_2 q_2'' = -m_2 g - k (q_2 - q_1 - l).
 *
 * After an impact the spring swings at omega = (k/m)^(1/2), m = m_1 m_2/(m_1 + m_2), and throws the
 * lower ball at the floor again. The exact solution is that of modal.h, with
 *
 *     K = k (1, -1; -1, 1),   f = (-m_1 g - k l, -m_2 g + k l).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "problems/modal/modal.h"

typedef struct {
    il_modal_system system;
    double m[2], q0[2], u0[2], f[2], M[4], K[4];
    double gravity, k, length, radius;
} balls;

static const il_plane floor_below = {"floor", {1.0, 0.0, 0.0}, 0.0};

static il_status row(const il_problem *self, double t, const double *q, size_t id, il_rows *rows) {
    static const size_t col = 0;
    static const double coef = 1.0;
    const balls *w = self->data;
    (void)t;
    il_rows_append(rows, id, q[0] - w->radius, 0.0, 1, &col, &coef);
    return IL_OK;
}

static size_t wall(const il_problem *self, size_t id) {
    (void)self;
    return id;
}

static void radii(const il_problem *self, double t, double *r) {
    const balls *w = self->data;
    (void)t;
    r[0] = r[1] = w->radius;
}

static void describe(const il_problem *self, size_t id, char *out, size_t capacity) {
    (void)self;
    (void)id;
    (void)snprintf(out, capacity, "ball 1 and the floor");
}

static void force(const il_problem *self, double t, const double *q, double *f) {
    const balls *w = self->data;
    double pull = w->k * (q[1] - q[0] - w->length);
    (void)t;
    f[0] = -w->m[0] * w->gravity + pull;
    f[1] = -w->m[1] * w->gravity - pull;
}

static void force_mean(const il_problem *self, double t0, double t1, const double *q, double *f) {
    (void)t1;
    force(self, t0, q, f);
}

static il_status create(il_problem *self, il_params *params, il_error *err) {
    balls *w = self->data;
    const il_params_target vectors[] = {
        {"masses", w->m, 2, true}, {"q0", w->q0, 2, false}, {"u0", w->u0, 2, true}, {.key = NULL}};
    il_status status = il_params_read(params, vectors, err);
    if (status == IL_OK) {
        status = il_problem_set_masses(self, 2, w->m, err);
    }
    if (status != IL_OK) {
        return status;
    }
    double k = w->k = il_params_number(params, "stiffness");
    w->gravity = il_params_number(params, "gravity");
    w->length = il_params_number(params, "length");
    w->radius = il_params_number(params, "radius");
    self->order = 2;
    self->p = 1;
    self->space = 1;
    self->nwalls = 1;
    self->walls = &floor_below;
    self->restitution = il_params_number(params, "e");
    self->traits = IL_ROWS_AFFINE | IL_ROWS_CONVEX | IL_ROWS_FIXED;
    self->q0 = w->q0;
    self->u0 = w->u0;
    memcpy(w->M, (const double[]){w->m[0], 0.0, 0.0, w->m[1]}, sizeof w->M);
    memcpy(w->K, (const double[]){k, -k, -k, k}, sizeof w->K);
    w->f[0] = -w->m[0] * w->gravity - k * w->length;
    w->f[1] = -w->m[1] * w->gravity + k * w->length;
    w->system = (il_modal_system){.d = 2,
                                  .stop = w->radius,
                                  .e = self->restitution,
                                  .q0 = w->q0,
                                  .u0 = w->u0,
                                  .f = w->f,
                                  .M = w->M,
                                  .K = w->K,
                                  .mass = self->mass};
    return il_modal_offer(self, &w->system, err);
}

static const il_param_spec params[] = {
    {"masses", IL_PARAM_VECTOR, "1", 0.0, 1e100, true, "1 or 2", "mass", "of the lower, the upper"},
    {"stiffness", IL_PARAM_NUMBER, "1e4", 0.0, 1e100, false, NULL, "force/length", "of the spring"},
    {"length", IL_PARAM_NUMBER, "1", 0.0, 1e100, false, NULL, "length", "of the spring at rest"},
    {"radius", IL_PARAM_NUMBER, "0.2", 0.0, 1e100, false, NULL, "length", "of both balls"},
    {"gravity", IL_PARAM_NUMBER, "9.81", 0.0, 1e100, false, NULL, "length/time^2",
     "acceleration toward the floor"},
    {"e", IL_PARAM_NUMBER, "0.8", 0.0, 1.0, false, NULL, "1",
     "restitution: 0 inelastic, 1 elastic"},
    {"q0", IL_PARAM_VECTOR, "1,2", -1e100, 1e100, false, "2", "length", "heights at the start"},
    {"u0", IL_PARAM_VECTOR, "0", -1e100, 1e100, false, "1 or 2", "length/time",
     "velocities at the start, upward"},
    {"T", IL_PARAM_NUMBER, "1", 0.0, INFINITY, true, NULL, "time", "horizon"},
    {.key = NULL}};

const il_problem_type il_problem_two_balls = {
    .name = "two_balls",
    .title = "two balls, one above the other and joined by a stiff spring, fall on a floor",
    .statement =
        "m_1 q_1'' = -m_1 g + k (q_2 - q_1 - l) + lambda, m_2 q_2'' = -m_2 g - k (q_2 - q_1 - l),\n"
        "q_1 >= r, u_1+ = -e u_1-. The spring keeps the balls apart; no contact between them is\n"
        "asked for. An impact sets it swinging at omega = (k (1/m_1 + 1/m_2))^(1/2), and the "
        "lower\n"
        "ball strikes again and again: steps below 1/omega follow it. Exact: normal modes between\n"
        "events, of both balls in flight, of the upper one while the lower one lies.",
    .source = "nosnoc, benchmark two_balls_cls (Nurkanovic, Albrecht, Brogliato & Diehl 2023); "
              "normal modes after Rayleigh",
    .hypotheses =
        "A fixed half-space, one affine constraint: A0-A6 of Bernicot & Lefebvre-Lepot and A1, A2\n"
        "and A4 (which is empty) of Adly & Thieu hold for e = 0. The force is Lipschitz in q. "
        "With\n"
        "e > 0 these theorems say nothing; Paoli and Schatzman's and Mabrouk's do.",
    .params = params,
    .size = sizeof(balls),
    .create = create,
    .row = row,
    .wall = wall,
    .radii = radii,
    .force = force,
    .force_mean = force_mean,
    .describe = describe};
