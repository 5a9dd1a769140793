/*
 * nonuniqueness.c - one point on a half-line under a force that changes sign infinitely often as
 * t -> 0 (Maury 2006, section 6.1, equations (45)-(49)).
 *
 *     u' = f(t) + lambda,  q >= 0,  q(0) = u(0) = 0,  T = 4,  u+ = max(u-, 0) on q = 0,
 *     f = 1      on (2^{-k-1}, 3/2 2^{-k-1}),
 *     f = -alpha on (3/2 2^{-k-1}, 2^{-k}),    k any integer.
 *
 * The force integral is elementary: F(2^j) = 2^j (1 - alpha)/2, so the mean over a step is exact
 * for every h. With alpha = 1.8 two solutions are known: A rests on the wall at t = 4^k, B at
 * t = 2 4^k. Both come from one motion that starts from rest on the wall at tau = 2^j and is again
 * at rest there at 4 tau; A is that motion at tau = 4^k, B at tau = 2 4^k.
 *
 * From rest at tau with s counted from tau (tau = 1; lengths scale by tau^2, speeds by tau):
 * s in [0,1/2] force 1, [1/2,1] force -alpha, [1,2] force 1, [2,3] force -alpha. When the point
 * stays above the wall until it comes back within [2,3] and the force holds it there until 3, the
 * cycle closes. That is checked for the given alpha; without it no exact solution is offered.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "problems/problem.h"

enum { OCTAVES = 60, PIECES = 5 };

typedef struct {
    double alpha;
    double q0, u0;
    double landing;              /* s in (2,3] at which the cycle from tau = 1 meets the wall */
    double state[PIECES + 1][2]; /* (q,u) of the cycle at s = 0, 1/2, 1, 2, landing, 3 */
    double *breaks[2];
    il_exact exact[2];
} nonuniqueness;

/* Knots of the cycle and the force between them. The landing knot is filled in by the data. */
static const double KNOT[PIECES + 1] = {0.0, 0.5, 1.0, 2.0, NAN, 3.0};

static double knot(const nonuniqueness *w, int i) {
    return i == 4 ? w->landing : KNOT[i];
}

static double piece_force(const nonuniqueness *w, int i) {
    static const int sign[PIECES] = {1, -1, 1, -1, 0};
    return sign[i] > 0 ? 1.0 : sign[i] < 0 ? -w->alpha : 0.0;
}

/* t = m 2^e with m in [1/2,1), as frexp does, without its call: this is asked in every step. */
static double split(double t, int *e) {
    uint64_t bits = 0;
    memcpy(&bits, &t, sizeof bits);
    unsigned biased = (unsigned)(bits >> 52) & 0x7ffu;
    if (biased == 0 || biased == 0x7ffu) {
        return frexp(t, e); /* zero, subnormal, infinite, NaN */
    }
    *e = (int)biased - 1022;
    bits = (bits & 0x800fffffffffffffu) | 0x3fe0000000000000u;
    memcpy(&t, &bits, sizeof t);
    return t;
}

/* int_0^t f. With t = m 2^e, m in [1/2,1): one octave 2^{e-1} .. 2^e, its first half pushing. */
static double force_integral(double alpha, double t) {
    if (t <= 0.0) {
        return 0.0;
    }
    int e = 0;
    double m = split(t, &e);
    double half = m < 0.75 ? m - 0.5 : 0.25;
    double rest = m < 0.75 ? 0.0 : m - 0.75;
    return ldexp(0.25 * (1.0 - alpha) + half - alpha * rest, e);
}

static void force_mean(const il_problem *self, double t0, double t1, const double *q, double *f) {
    const nonuniqueness *w = self->data;
    (void)q;
    int e0 = 0;
    int e1 = 0;
    double m0 = split(t0, &e0);
    double m1 = split(t1, &e1);
    if (t0 > 0.0 && e0 == e1 && (m1 <= 0.75 || m0 >= 0.75)) {
        f[0] = m1 <= 0.75 ? 1.0 : -w->alpha; /* one piece: no cancellation */
        return;
    }
    f[0] = (force_integral(w->alpha, t1) - force_integral(w->alpha, t0)) / (t1 - t0);
}

static void force(const il_problem *self, double t, const double *q, double *f) {
    const nonuniqueness *w = self->data;
    (void)q;
    int e = 0;
    f[0] = frexp(t, &e) < 0.75 ? 1.0 : -w->alpha;
}

static il_status row(const il_problem *self, double t, const double *q, size_t id, il_rows *rows) {
    static const size_t col = 0;
    static const double coef = 1.0;
    (void)self;
    (void)t;
    return il_rows_append(rows, id, q[0], 0.0, 1, &col, &coef);
}

/* The cycle from tau = 1 and whether it closes. */
static bool solve_cycle(nonuniqueness *w) {
    double(*x)[2] = w->state;
    x[0][0] = x[0][1] = 0.0;
    for (int i = 0; i < 3; i++) {
        double s = KNOT[i + 1] - KNOT[i];
        double a = piece_force(w, i);
        x[i + 1][0] = x[i][0] + s * (x[i][1] + 0.5 * a * s);
        x[i + 1][1] = x[i][1] + a * s;
    }
    /* On the way down twice (s in [1/2,1] and [1,2]) the point must stay above the wall. */
    double lowest = x[2][0] - (x[2][1] < 0.0 ? 0.5 * x[2][1] * x[2][1] : 0.0);
    double q = x[3][0];
    double u = x[3][1];
    double s = (u + sqrt(u * u + 2.0 * w->alpha * q)) / w->alpha;
    w->landing = 2.0 + s;
    x[4][0] = x[4][1] = x[5][0] = x[5][1] = 0.0;
    return x[2][0] > 0.0 && lowest > 0.0 && q > 0.0 && s <= 1.0;
}

/* The motion A (parity 0) or B (parity 1) at t: the last tau = 2^j <= t with j of that parity. */
static void exact_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const nonuniqueness *w = exact->data;
    int parity = exact->name[0] == 'B';
    int e = 0;
    double m = frexp(t, &e);
    int j = e - 1; /* t in [2^j, 2^{j+1}) */
    if (t > 0.0 && m == 0.5 && side < 0) {
        j--; /* the limit from the left belongs to the cycle before */
    }
    j -= (j % 2 + 2) % 2 != parity;
    double tau = ldexp(1.0, j);
    double s = t > 0.0 ? t / tau - 1.0 : 0.0;
    int i = 0;
    while (i < PIECES - 1 && (side < 0 ? s > knot(w, i + 1) : s >= knot(w, i + 1))) {
        i++;
    }
    double r = s - knot(w, i);
    double a = piece_force(w, i);
    q[0] = t > 0.0 ? tau * tau * (w->state[i][0] + r * (w->state[i][1] + 0.5 * a * r)) : 0.0;
    u[0] = t > 0.0 ? tau * (w->state[i][1] + a * r) : 0.0;
}

/* The knots of all cycles down to 2^-OCTAVES of the horizon: below it the motion is under 1e-18 of
 * that at the end, which no double sees. */
static il_status make_exact(nonuniqueness *w, int parity, double horizon, il_error *err) {
    int top = 0;
    (void)frexp(horizon, &top);
    size_t room = 2 + (size_t)(OCTAVES / 2 + 4) * PIECES;
    double *breaks = malloc(room * sizeof *breaks);
    if (breaks == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for %zu break points", room);
    }
    w->breaks[parity] = breaks;
    size_t n = 0;
    breaks[n++] = 0.0;
    int first = top - OCTAVES;
    first += (first % 2 + 2) % 2 != parity;
    for (int j = first; j <= top; j += 2) {
        for (int i = 0; i < PIECES; i++) {
            double t = ldexp(1.0 + knot(w, i), j);
            if (t > breaks[n - 1] && t < horizon) {
                breaks[n++] = t;
            }
        }
    }
    breaks[n++] = horizon;
    w->exact[parity] = (il_exact){.name = parity == 0 ? "A" : "B",
                                  .origin = "closed form",
                                  .quadratic = true,
                                  .nbreaks = n,
                                  .breaks = breaks,
                                  .eval = exact_eval,
                                  .data = w};
    return IL_OK;
}

static void destroy(il_problem *self) {
    nonuniqueness *w = self->data;
    if (w != NULL) {
        free(w->breaks[0]);
        free(w->breaks[1]);
    }
    il_metric_destroy(self->mass);
    free(w);
}

static il_status create(il_problem *self, il_params *params, double horizon, il_error *err) {
    nonuniqueness *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for the problem");
    }
    static const double mass = 1.0;
    self->data = w;
    il_status status = il_metric_diagonal(&self->mass, 1, &mass, err);
    if (status != IL_OK) {
        goto fail;
    }
    w->alpha = il_params_number(params, "alpha");
    self->order = 2;
    self->d = 1;
    self->p = 1;
    self->horizon = horizon > 0.0 ? horizon : il_params_number(params, "T");
    self->traits = IL_ROWS_AFFINE | IL_ROWS_CONVEX | IL_ROWS_FIXED | IL_FORCE_OF_TIME;
    self->q0 = &w->q0;
    self->u0 = &w->u0;
    if (!solve_cycle(w)) {
        self->no_exact = "no closed cycle from rest to rest exists for this alpha";
        return IL_OK;
    }
    for (int parity = 0; parity < 2; parity++) {
        status = make_exact(w, parity, self->horizon, err);
        if (status != IL_OK) {
            goto fail;
        }
    }
    self->nexact = 2;
    self->exact = w->exact;
    return IL_OK;
fail:
    destroy(self);
    return status;
}

static const il_param_spec params[] = {
    {"alpha", IL_PARAM_NUMBER, "1.8", 0.0, INFINITY, true, NULL, "force",
     "strength of the pull toward the wall"},
    {"T", IL_PARAM_NUMBER, "4", 0.0, INFINITY, true, NULL, "time", "horizon"},
    {.key = NULL}};

const il_problem_type il_problem_nonuniqueness = {
    .name = "nonuniqueness",
    .title = "a point on a half-line pushed and pulled infinitely often: two solutions",
    .statement =
        "u' = f(t) + lambda, q >= 0, q(0) = u(0) = 0, inelastic impact.\n"
        "For every integer k: f = 1 on (2^(-k-1), 3/2 2^(-k-1)), f = -alpha on (3/2 2^(-k-1), "
        "2^-k).\n"
        "The force integral is elementary, F(2^j) = 2^j (1 - alpha)/2, so step means are exact "
        "for\n"
        "every h. With alpha = 1.8 two exact solutions are known: A rests on the wall at t = 4^k,\n"
        "B at t = 2 4^k. Steps h = 4^-m select A, h = 4^-m/2 select B. Other alpha keep them as\n"
        "long as the cycle from rest to rest closes; otherwise no exact solution is offered.",
    .source = "Maury 2006, section 6.1, equations (45)-(49), figures 2-4",
    .params = params,
    .create = create,
    .destroy = destroy,
    .row = row,
    .force = force,
    .force_mean = force_mean};
