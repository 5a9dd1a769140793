/*
 * bouncing_ball.c - one point above a floor under constant gravity, with Newton's restitution.
 *
 *     q'' = -g + lambda,  q >= 0,  u+ = -e u-  where the point strikes q = 0.
 *
 * Between impacts the motion is a parabola. Let t_1 be the first impact and v_0 the speed there.
 * Impact k leaves the speed v_k = e^k v_0 and the next one comes 2 v_k / g later, hence
 *
 *     t_{k+1} = t_1 + (2 v_0 / g) (e + e^2 + ... + e^k)  ->  t* = t_1 + (2 v_0 / g) e / (1 - e).
 *
 * For e < 1 infinitely many impacts come before t*, and the point rests from then on. The impacts
 * are listed until the time left to t* no longer changes t in double precision; several impacts
 * within one rounding of t are listed as one. For e = 1 they go on to the horizon.
 */
#include <math.h>
#include <stdio.h>

#include "harness/base/elementary.h"
#include "harness/base/sum.h"
#include "problems/problem.h"

/* Beyond this many impacts the exact solution is not offered: it would only fill memory. */
enum { IMPACTS_MAX = 1000000 };

typedef struct {
    il_problem *self; /* while it is made */
    double gravity, e;
    double q0, u0;
    double *breaks; /* [n+1] 0, the impacts, the horizon */
    double *speed;  /* [n]   velocity at the start of each piece; 0: rest, if the piece starts at
                             an impact */
    size_t n;       /* pieces */
    bool rests_at_once;
} ball;

static void force(const il_problem *self, double t, const double *q, double *f) {
    const ball *w = self->data;
    (void)t;
    (void)q;
    f[0] = -w->gravity;
}

static void force_mean(const il_problem *self, double t0, double t1, const double *q, double *f) {
    (void)t1;
    force(self, t0, q, f);
}

static il_status row(const il_problem *self, double t, const double *q, size_t id, il_rows *rows) {
    static const size_t col = 0;
    static const double coef = 1.0;
    (void)self;
    (void)t;
    il_rows_append(rows, id, q[0], 0.0, 1, &col, &coef);
    return IL_OK;
}

static void describe(const il_problem *self, size_t id, char *out, size_t capacity) {
    (void)self;
    (void)id;
    (void)snprintf(out, capacity, "the floor");
}

static void exact_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const ball *w = exact->data;
    size_t k = il_exact_piece(exact, t, side);
    double s = t - w->breaks[k];
    bool rests = k == 0 ? w->rests_at_once : w->speed[k] == 0.0;
    double a = rests ? 0.0 : w->gravity;
    double start = k == 0 ? w->q0 : 0.0;
    q[0] = start + s * (w->speed[k] - 0.5 * a * s);
    u[0] = w->speed[k] - a * s;
}

/* The part of u that gravity does not explain: Lambda(t) = u(t) - u_0 + g t. */
static void exact_impulse(const il_exact *exact, double t, int side, double *Lambda) {
    const ball *w = exact->data;
    double q = 0.0;
    double u = 0.0;
    exact_eval(exact, t, side, &q, &u);
    Lambda[0] = u - w->u0 + w->gravity * t;
}

/* A piece that starts at t with velocity u. */
static void append_piece(ball *w, double t, double u) {
    il_problem_append(w->self, &w->breaks, w->n, sizeof *w->breaks);
    il_problem_append(w->self, &w->speed, w->n, sizeof *w->speed);
    w->breaks[w->n] = t;
    w->speed[w->n] = u;
    w->n++;
}

/* Time from height q with velocity u down to the floor, without cancellation for either sign. */
static double fall_time(double gravity, double q, double u) {
    double v = il_hypot(u, sqrt(2.0 * gravity * q));
    return u > 0.0 ? (u + v) / gravity : 2.0 * q / (v - u);
}

/* All pieces up to the horizon; false: they are too many. */
static bool list_impacts(ball *w, double horizon) {
    /* On the floor and pushed into it: P_C u - e P_N u = -e u holds from t = 0 on. */
    double u = w->q0 == 0.0 && w->u0 < 0.0 ? -w->e * w->u0 : w->u0;
    w->rests_at_once = w->q0 == 0.0 && u == 0.0;
    append_piece(w, 0.0, u);
    if (w->rests_at_once) {
        return true;
    }
    il_sum clock = {0.0, 0.0};
    il_sum_add(&clock, fall_time(w->gravity, w->q0, u));
    double t = il_sum_value(&clock);
    double v = w->e * il_hypot(u, sqrt(2.0 * w->gravity * w->q0));
    for (size_t bounces = 0; t < horizon; bounces++, v *= w->e) {
        if (bounces > IMPACTS_MAX) {
            return false;
        }
        /* The time left until t* no longer moves t: rest. */
        bool rests = w->e < 1.0 && t + 2.0 * v / (w->gravity * (1.0 - w->e)) == t;
        il_sum_add(&clock, 2.0 * v / w->gravity);
        double next = il_sum_value(&clock);
        if (rests || next > t) { /* bounces within one rounding of t are passed over */
            append_piece(w, t, rests ? 0.0 : v);
        }
        if (rests) {
            return true;
        }
        t = next;
    }
    return true;
}

static void make_exact(il_problem *self, ball *w) {
    if (!list_impacts(w, self->horizon)) {
        self->no_exact = "more than a million impacts before the horizon";
        return;
    }
    il_problem_append(self, &w->breaks, w->n, sizeof *w->breaks);
    w->breaks[w->n] = self->horizon;
    il_problem_offer(self, (il_exact){.origin = "closed form",
                                      .quadratic = true,
                                      .nbreaks = w->n + 1,
                                      .breaks = w->breaks,
                                      .eval = exact_eval,
                                      .impulse = exact_impulse});
}

static il_status create(il_problem *self, il_params *params, il_error *err) {
    ball *w = self->data;
    w->self = self;
    w->gravity = il_params_number(params, "gravity");
    w->e = il_params_number(params, "e");
    w->q0 = il_params_number(params, "q0");
    w->u0 = il_params_number(params, "u0");
    self->order = 2;
    self->p = 1;
    self->restitution = w->e;
    self->traits = IL_ROWS_AFFINE | IL_ROWS_CONVEX | IL_ROWS_FIXED | IL_FORCE_OF_TIME;
    self->q0 = &w->q0;
    self->u0 = &w->u0;
    il_status status = il_problem_set_masses(self, 1, NULL, err);
    if (status == IL_OK) {
        make_exact(self, w);
    }
    return status;
}

static const il_param_spec params[] = {
    {"gravity", IL_PARAM_NUMBER, "9.81", 0.0, 1e100, true, NULL, "length/time^2",
     "acceleration toward the floor"},
    {"e", IL_PARAM_NUMBER, "0", 0.0, 1.0, false, NULL, "1", "restitution: 0 inelastic, 1 elastic"},
    {"q0", IL_PARAM_NUMBER, "1", 0.0, 1e100, false, NULL, "length", "height at the start"},
    {"u0", IL_PARAM_NUMBER, "0", -1e100, 1e100, false, NULL, "length/time",
     "velocity at the start, upward"},
    {"T", IL_PARAM_NUMBER, "2", 0.0, INFINITY, true, NULL, "time", "horizon"},
    {.key = NULL}};

const il_problem_type il_problem_bouncing_ball = {
    .name = "bouncing_ball",
    .title = "a point that falls on a floor and bounces with restitution e",
    .statement =
        "q'' = -gravity + lambda, q >= 0, u+ = -e u- at an impact.\n"
        "Exact: parabolas between the impacts t_1 < t_2 < ...; impact k leaves the speed e^k v,\n"
        "v the speed of the first. For 0 < e < 1 the impacts accumulate at\n"
        "t* = t_1 + (2 v/gravity) e/(1 - e) and the point rests from then on; they are listed\n"
        "until t* is reached in double precision. With the default drop from 1 under 9.81,\n"
        "t_1 = 0.4515; t* = 1.3546 for e = 0.5, inside the horizon 2, and t* = 8.58 for e = 0.9,\n"
        "beyond it. For e = 0 the point stays where it lands, for e = 1 it bounces for ever.\n"
        "On the floor with u0 < 0 the motion starts with the velocity -e u0.",
    .source = "classical; Moreau's impact law with Newton's restitution, u+ = P_C u- - e P_N u-",
    .hypotheses =
        "BL (A0)-(A6): yes. g = q is affine with gradient 1 and fixed in time; the force is\n"
        "constant. Theorem 1.3 applies for e = 0, as does Maury's Theorem 1 for q0 > 0 (he asks\n"
        "for a start inside; one contact). With e > 0 none of the convergence theorems of the\n"
        "four papers applies: they are about inelastic impacts.\n"
        "AT A1-A4: yes (A4 is about pairs of constraints, and there is one); for e = 0.\n"
        "Unique: the data are analytic (Schatzman, Ballard), also for e > 0.",
    .params = params,
    .size = sizeof(ball),
    .create = create,
    .row = row,
    .force = force,
    .force_mean = force_mean,
    .describe = describe};
