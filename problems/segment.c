/*
 * segment.c - a point that is swept along by a segment in the plane: a sweeping process without
 * drift, by a set that is convex, has no interior and turns.
 *
 *     -q' in N(Q(t), q),   Q(t) = { V t + s e(t) : |s| <= l },   e = (cos wt, sin wt).
 *
 * With q = V t + s e + 0 n, n = (-sin wt, cos wt), the velocity is q' = V + s' e + s w n. Inside,
 * q' is normal to the segment: s' = -<V,e>. At an end, |s| = l, the same while it leads inward, and
 * s' = 0 while it leads outward: the end pushes. So s follows
 *
 *     z(t) = -int_0^t <V,e> = -(|V|/w) (sin(wt - phi) + sin phi),   V = |V| (cos phi, sin phi),
 *
 * cut off at -l and l: on each interval on which <V,e> keeps its sign s moves with z until it meets
 * an end, and stays there (Moreau's play operator).
 */
#include <math.h>
#include <stdio.h>

#include "harness/base/elementary.h"
#include "problems/problem.h"

/* More pieces than that are not listed. */
static const double PIECES_MAX = 1e6;

typedef struct {
    double V[2], omega, l;
    double q0[2], u0[2];
    size_t n;       /* pieces */
    double *breaks; /* [n+1] */
    double *s;      /* [n] where the point is on the segment when the piece begins */
    bool *held;     /* [n] an end pushes it */
} segment;

/* e at t, and its normal n = (-e_1, e_0). */
static void direction(const segment *w, double t, double *e) {
    il_sincos(w->omega * t, &e[1], &e[0]);
}

/* z(t1) - z(t0) = -<V, e((t0+t1)/2)> (t1-t0) sin(x)/x with x = w (t1-t0)/2. */
static double moved(const segment *w, double t0, double t1) {
    double e[2];
    direction(w, 0.5 * (t0 + t1), e);
    double x = 0.5 * w->omega * (t1 - t0);
    double chord = x == 0.0 ? t1 - t0 : (t1 - t0) * (il_sin(x) / x);
    return -(w->V[0] * e[0] + w->V[1] * e[1]) * chord;
}

/* ---- constraints --------------------------------------------------------------------------- */

/* <n,q-c> >= 0, <-n,q-c> >= 0, l - <e,q-c> >= 0, l + <e,q-c> >= 0. */
static il_status row(const il_problem *self, double t, const double *q, size_t id, il_rows *rows) {
    const segment *w = self->data;
    double e[2];
    direction(w, t, e);
    const double r[2] = {q[0] - w->V[0] * t, q[1] - w->V[1] * t};
    double along = r[0] * e[0] + r[1] * e[1];
    double across = r[1] * e[0] - r[0] * e[1];
    double drift = w->V[0] * e[0] + w->V[1] * e[1];
    double lift = w->V[1] * e[0] - w->V[0] * e[1];
    double sign = id == 0 || id == 3 ? 1.0 : -1.0;
    double b[2] = {sign * e[0], sign * e[1]};
    double g = w->l + sign * along;
    double rate = sign * (w->omega * across - drift);
    if (id < 2) {
        b[0] = -sign * e[1];
        b[1] = sign * e[0];
        g = sign * across;
        rate = -sign * (w->omega * along + lift);
    }
    il_rows_append(rows, id, g, rate, 2, (const size_t[]){0, 1}, b);
    return IL_OK;
}

static void describe(const il_problem *self, size_t id, char *out, size_t capacity) {
    static const char *const words[] = {"the left side", "the right side", "the front end",
                                        "the rear end"};
    (void)self;
    (void)snprintf(out, capacity, "%s of the segment", words[id]);
}

/* ---- the exact solution -------------------------------------------------------------------- */

static void exact_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const segment *w = exact->data;
    size_t k = il_exact_piece(exact, t, side);
    double e[2];
    direction(w, t, e);
    double s = w->s[k] + (w->held[k] ? 0.0 : moved(w, w->breaks[k], t));
    double rate = w->held[k] ? 0.0 : -(w->V[0] * e[0] + w->V[1] * e[1]);
    q[0] = w->V[0] * t + s * e[0];
    q[1] = w->V[1] * t + s * e[1];
    u[0] = w->V[0] + rate * e[0] - s * w->omega * e[1];
    u[1] = w->V[1] + rate * e[1] + s * w->omega * e[0];
}

/* The first time after `from` at which <V,e> changes its sign; `to` if that comes later. */
static double turning(const segment *w, double from, double to) {
    if (w->omega == 0.0 || (w->V[0] == 0.0 && w->V[1] == 0.0)) {
        return to;
    }
    double pi = 2.0 * il_asin(1.0);
    double half = pi / fabs(w->omega);
    double first = (il_atan2(w->V[1], w->V[0]) + 0.5 * pi) / w->omega; /* one such time */
    double k = floor((from - first) / half);
    double t = first + (k + 1.0) * half;
    while (t <= from * (1.0 + 1e-14)) { /* the one that we stand on, but for rounding */
        k += 1.0;
        t = first + (k + 1.0) * half;
    }
    return fmin(t, to);
}

/* The time in (from, to] at which s, moving from s0, reaches the end: s moves one way there. */
static double meeting(const segment *w, double from, double to, double s0, double end) {
    double low = from;
    double high = to;
    for (;;) {
        double mid = 0.5 * (low + high);
        if (mid <= low || mid >= high) {
            return high;
        }
        bool before = fabs(moved(w, from, mid)) < fabs(end - s0);
        *(before ? &low : &high) = mid;
    }
}

static void append(segment *w, double t, double s, bool held) {
    w->breaks[w->n] = t;
    w->s[w->n] = s;
    w->held[w->n] = held;
    w->n++;
}

/* All pieces; room for two an interval between turnings. */
static void list_pieces(segment *w, double s, double horizon) {
    for (double from = 0.0; from < horizon;) {
        double to = turning(w, from, horizon);
        double way = moved(w, from, to);
        double end = copysign(w->l, way);
        if (way == 0.0 || fabs(way) < fabs(end - s)) {
            append(w, from, s, false);
            s += way;
        } else {
            double meets = s == end ? from : meeting(w, from, to, s, end);
            if (meets > from) {
                append(w, from, s, false);
            }
            if (meets < to) {
                append(w, meets, end, true);
            }
            s = end;
        }
        from = to;
    }
    w->breaks[w->n] = horizon;
}

static void make_exact(il_problem *self, segment *w, double s) {
    double pieces = 2.0 * (fabs(w->omega) * self->horizon / 3.0 + 2.0);
    if (pieces > PIECES_MAX) {
        self->no_exact = "the segment turns too often before the horizon";
        return;
    }
    w->breaks = il_problem_alloc(self, (size_t)pieces + 1, sizeof *w->breaks);
    w->s = il_problem_alloc(self, (size_t)pieces, sizeof *w->s);
    w->held = il_problem_alloc(self, (size_t)pieces, sizeof *w->held);
    list_pieces(w, s, self->horizon);
    il_problem_offer(self, (il_exact){.origin = "closed form",
                                      .quadratic = w->omega == 0.0,
                                      .nbreaks = w->n + 1,
                                      .breaks = w->breaks,
                                      .eval = exact_eval});
}

/* ---- the problem --------------------------------------------------------------------------- */

static il_status read(segment *w, const il_params *params, il_error *err) {
    double s = il_params_number(params, "s0");
    w->omega = il_params_number(params, "omega");
    w->l = il_params_number(params, "l");
    w->q0[0] = s; /* e(0) = (1,0) */
    if (!(fabs(s) <= w->l)) {
        return il_fail(err, IL_EINVAL,
                       "parameter 's0' is %.15g; allowed: -l to l, here %.15g to %.15g", s, -w->l,
                       w->l);
    }
    return il_params_expand(params, "V", false, w->V, 2, err);
}

static il_status create(il_problem *self, il_params *params, il_error *err) {
    segment *w = self->data;
    self->order = 1;
    self->p = 4;
    self->space = 2;
    self->traits = IL_ROWS_AFFINE | IL_ROWS_CONVEX | IL_FORCE_FREE | IL_FORCE_OF_TIME;
    self->q0 = w->q0;
    self->u0 = w->u0;
    il_status status = read(w, params, err);
    if (status == IL_OK) {
        status = il_problem_set_masses(self, 2, NULL, err);
    }
    if (status == IL_OK) {
        make_exact(self, w, w->q0[0]);
    }
    return status;
}

static const il_param_spec params[] = {
    {"l", IL_PARAM_NUMBER, "1", 0.0, 1e100, true, NULL, "length", "half the length of the segment"},
    {"s0", IL_PARAM_NUMBER, "0.5", -1e100, 1e100, false, NULL, "length",
     "where the point starts, from the middle"},
    {"V", IL_PARAM_VECTOR, "0.5,0", -1e100, 1e100, false, "2", "length/time",
     "velocity of the middle"},
    {"omega", IL_PARAM_NUMBER, "1", -1e6, 1e6, false, NULL, "1/time",
     "how fast the segment turns; at 0 it lies along the x axis"},
    {"T", IL_PARAM_NUMBER, "4", 0.0, INFINITY, true, NULL, "time", "horizon"},
    {.key = NULL}};

const il_problem_type il_problem_segment = {
    .name = "segment",
    .title = "a point that is swept along by a segment which moves and turns",
    .statement =
        "-q' in N(Q(t),q), Q(t) = { V t + s e(t) : |s| <= l }, no drift,\n"
        "e(t) = (cos omega t, sin omega t). As constraints: the two sides of the line, and the "
        "two\n"
        "ends.\n"
        "Exact: q = V t + s e with s' = -<V,e> inside, and 0 at an end while that leads outward:\n"
        "s moves with z = -int <V,e> and is cut off at -l and l.\n"
        "Catching-up with V = 0 has s_n = s_0 cos(omega h)^n where the exact s is constant: its\n"
        "error is s_0 (1 - exp(-omega^2 h t/2)), order 1. Without turning it is exact at nodes.",
    .source = "Moreau 1977 (the catching-up algorithm for convex sets); the numbers are ours",
    .hypotheses =
        "Moreau 1977: yes, Q(t) is convex and moves with a speed of at most |V| + l |omega| (of\n"
        "the Hausdorff distance). The test by measured constants below bounds that speed by way\n"
        "of an interior, which a segment has not, and says no.\n"
        "Venel (A5) and with it his Theorem 3.4: no, the gradients of the two sides are opposite.\n"
        "BL, AT, Maury: no, they are about problems of order 2.",
    .params = params,
    .size = sizeof(segment),
    .create = create,
    .row = row,
    .describe = describe};
