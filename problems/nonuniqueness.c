/*
 * nonuniqueness.c - one point on a half-line under a force that changes sign infinitely often as
 * t -> 0 (Maury 2006, section 6.1, equations (45)-(49)), times t^m in the mean.
 *
 *     u' = f(t) + lambda,  q >= 0,  q(0) = u(0) = 0,  T = 4,  u+ = max(u-, 0) on q = 0,
 *     f = 2^(mk)        on (2^k, 3/2 2^k),
 *     f = -alpha 2^(mk) on (3/2 2^k, 2^(k+1)),    k any integer. Maury has m = 0.
 *
 * The force integral is elementary: F(2^j) = 2^(j(m+1)) (1 - alpha)/(2 (2^(m+1) - 1)), so the mean
 * over a step is exact for every h. The problem is unchanged by t -> 2t, q -> 2^(m+2) q, u ->
 * 2^(m+1) u. Let Phi be the exact motion over an octave, (q,u) at t = 1 to (q/2^(m+2),u/2^(m+1)) at
 * t = 2. A solution is a sequence of states in Z = [0,U/2] x [-U,U], U = max(1,alpha) (|u(1)| <= U
 * and so q <= U/2), one an octave, each the image of the one before it; Phi maps Z into itself,
 * since an octave adds at most 1/2 to u and U + 3/8 to q and takes at most alpha/2 from u:
 * (U + 1/2)/2 <= U, (3 U/2 + 3/8)/4 <= U/2.
 *
 * Where there are two solutions there is a continuum of them. In the plane Phi is not continuous: a
 * point that ends the octave just above the wall with u < 0 is far from one that landed before and
 * rests. Let X be Z with {q = 0, u <= 0}, which is closed, made one point, rest: a compact
 * connected metric space. On X Phi is continuous: landing times depend continuously on the start,
 * but where a landing comes or goes by grazing, with u = 0 on the wall; a push takes the point off
 * at once as if it had not touched, a pull keeps it; and landing at the end of the octave is rest.
 * Phi^k(X) are compact, connected and each in the one before, so their intersection K is compact
 * and connected. The states at t = 1 of all solutions are K: a solution's are in every Phi^k(X); a
 * point of K has a past of any length, hence, X being compact, one without end, and its motions
 * scaled to the octaves ..., [1/4,1/2], [1/2,1] join to a solution, at rest at t = 0 as states are
 * bounded. A connected metric space with two points has as many as the line.
 *
 * A fixed point of Phi, a solution with q(2t) = 2^(m+2) q(t), exists for every alpha, which Maury
 * does not mention. It is C here. A and B are one orbit of Phi with period 2, A from rest at t =
 * 4^k, B at 2 4^k (alpha = 1.8, m = 0). With mu = 2^m and r = 3/2 - (time of take-off in the octave
 * 1..2), (q,u) at t = 2 is (r^2/2 + r/2 - alpha/8, r - alpha/2), and landing at the time 2^j (3/2 -
 * r) of the push of octave j, j = 1 for C and 2 for A and B, closes the cycle:
 *
 *     C:    r^2 (2 mu - 3/2) + r (3/2 + alpha - 2 mu) + mu/2 - 5 alpha/8 = 0,
 *     A, B: r^2 (8 mu^2 - 7/2) + r (9/2 + 2 alpha - 4 mu (1 - alpha) - 8 mu^2)
 *             + mu (7/2 - 5 alpha/2) + 2 mu^2 - 17 alpha/8 = 0.
 *
 * r = 1/2, rest up to the take-off, is theirs too where they land while pulled. How they change
 * with alpha, all in closed form, is the atlas of problems/README.md. Beside A and B an orbit of
 * period 4 lands, for m = 0, while pushed in its third octave and while pulled in its fourth, up to
 * 1.6097, alpha = (4 r^2 + 20 r + 12)/13 with 64 r^3 + 548 r^2 - 540 r + 125 = 0; up to there it
 * attracts too.
 *
 * Every cycle is followed from contact to contact and is offered only if it closes.
 */
#include <math.h>
#include <string.h>

#include "problems/nonuniqueness_flow.h"
#include "problems/octaves.h"
#include "problems/problem.h"

enum { OCTAVES = 60, PIECES = 16, SOLUTIONS = 3 };

/* A cycle closes when it misses its start by roundings: states are of order one. */
static const double CLOSED = 1e-13;

/* The motion on [knot[0], knot[n]], knot[n] = 2^octaves knot[0]: on piece i it starts in state[i]
 * with acceleration a[i]. At its end it is where it began, up to the scaling. */
typedef struct {
    int octaves;
    int n;
    double knot[PIECES + 1];
    double state[PIECES + 1][2]; /* q, u to the right of the knot */
    double a[PIECES];
} cycle;

/* The solution that goes through its cycle from knot[0] 2^j, j = shift modulo octaves. */
typedef struct {
    cycle cycle;
    int shift;
    double alpha;
    int m;
    double *breaks;
} solution;

typedef struct {
    double alpha;
    int m;
    double q0, u0;
    solution solutions[SOLUTIONS];
    il_exact exact[SOLUTIONS];
} nonuniqueness;

/* j modulo n > 0, in 0 .. n-1. */
static int modulo(int j, int n) {
    int over = n == 1 ? 0 : n == 2 ? j & 1 : j % n;
    return over < 0 ? over + n : over;
}

/* The force of the push in the octave 2^{e-1} .. 2^e. */
static double push_of(int m, int e) {
    return m == 0 ? 1.0 : ldexp(1.0, m * (e - 1));
}

/* int_0^t f. With t = s 2^e, s in [1/2,1): one octave 2^{e-1} .. 2^e, its first half pushing. */
static double force_integral(double alpha, int m, double t) {
    if (t <= 0.0) {
        return 0.0;
    }
    int e = 0;
    double s = il_octave_split(t, &e);
    double half = s < 0.75 ? s - 0.5 : 0.25;
    double rest = s < 0.75 ? 0.0 : s - 0.75;
    double before = 0.25 * (1.0 - alpha) / (ldexp(2.0, m) - 1.0);
    return ldexp(before + half - alpha * rest, e + m * (e - 1));
}

static void force_mean(const il_problem *self, double t0, double t1, const double *q, double *f) {
    const nonuniqueness *w = self->data;
    (void)q;
    int e0 = 0;
    int e1 = 0;
    double m0 = il_octave_split(t0, &e0);
    double m1 = il_octave_split(t1, &e1);
    if (t0 > 0.0 && e0 == e1 && (m1 <= 0.75 || m0 >= 0.75)) {
        f[0] = push_of(w->m, e1) * (m1 <= 0.75 ? 1.0 : -w->alpha); /* one piece: no cancellation */
        return;
    }
    f[0] = (force_integral(w->alpha, w->m, t1) - force_integral(w->alpha, w->m, t0)) / (t1 - t0);
}

static void force(const il_problem *self, double t, const double *q, double *f) {
    const nonuniqueness *w = self->data;
    (void)q;
    int e = 0;
    double s = frexp(t, &e);
    f[0] = push_of(w->m, e) * (s < 0.75 ? 1.0 : -w->alpha);
}

static il_status row(const il_problem *self, double t, const double *q, size_t id, il_rows *rows) {
    static const size_t col = 0;
    static const double coef = 1.0;
    (void)self;
    (void)t;
    il_rows_append(rows, id, q[0], 0.0, 1, &col, &coef);
    return IL_OK;
}

/* ---- cycles --------------------------------------------------------------------------------- */

/* Follow the motion from (q,u) at begin over the octaves, from one change to the next. */
static void follow(cycle *c, double alpha, int m, double begin, double q, double u) {
    double end = ldexp(begin, c->octaves);
    double t = begin;
    for (c->n = 0; c->n < PIECES && t < end; c->n++) {
        double f = 0.0;
        double to = fmin(il_nonuniqueness_piece(alpha, m, t, &f), end);
        double a = q == 0.0 && u == 0.0 && f < 0.0 ? 0.0 : f; /* held by the wall */
        double s = to - t;
        double q1 = q + s * (u + 0.5 * a * s);
        double u1 = u + a * s;
        double contact = a == 0.0 ? INFINITY : il_nonuniqueness_contact(q, u, a);
        c->knot[c->n] = t;
        c->state[c->n][0] = q;
        c->state[c->n][1] = u;
        c->a[c->n] = a;
        bool lands_last = to == end && u1 < 0.0 && fabs(q1) <= CLOSED;
        if (contact > 0.0 && (contact <= s || lands_last)) {
            to = lands_last ? to : t + contact;
            q1 = u1 = 0.0;
        }
        t = to;
        q = q1;
        u = u1;
    }
    c->knot[c->n] = t;
    c->state[c->n][0] = q;
    c->state[c->n][1] = u;
}

/* Is the end the start in the scale of the octaves? */
static bool closes(const cycle *c, int m) {
    const double *first = c->state[0];
    const double *last = c->state[c->n];
    return c->knot[c->n] == ldexp(c->knot[0], c->octaves) &&
           fabs(ldexp(last[0], -(m + 2) * c->octaves) - first[0]) <= CLOSED &&
           fabs(ldexp(last[1], -(m + 1) * c->octaves) - first[1]) <= CLOSED;
}

/* From the wall, taking off r before the end of the push; r in (0,1/2]. */
static bool solve_cycle(cycle *c, double alpha, int m, double r) {
    if (!(r > 0.0 && r <= 0.5)) {
        return false;
    }
    follow(c, alpha, m, 1.5 - r, 0.0, 0.0);
    return closes(c, m);
}

/* The same, r the larger root of a r^2 + b r + c, or else the smaller. */
static bool solve_root(cycle *w, double alpha, int m, double a, double b, double c) {
    double root = sqrt(b * b - 4.0 * a * c);
    return solve_cycle(w, alpha, m, (root - b) / (2.0 * a)) ||
           solve_cycle(w, alpha, m, (-root - b) / (2.0 * a));
}

/* C, see above; without contact (q,u) at t = 1 follow from q 2^(m+2), u 2^(m+1) at t = 2. */
static bool solve_one_octave(cycle *c, double alpha, int m) {
    double mu = ldexp(1.0, m);
    double u = 0.5 * (1.0 - alpha) / (2.0 * mu - 1.0);
    double q = (u + 0.125 * (3.0 - alpha)) / (4.0 * mu - 1.0);
    c->octaves = 1;
    follow(c, alpha, m, 1.0, q, u);
    return (q > 0.0 && c->n == 2 && closes(c, m)) || solve_cycle(c, alpha, m, 0.5) ||
           solve_root(c, alpha, m, 4.0 * mu - 3.0, 2.0 * alpha - (4.0 * mu - 3.0),
                      mu - 1.25 * alpha);
}

/* A and B: from rest if that closes, else with a landing while pushed; unless it is C twice. */
static bool solve_two_octaves(cycle *c, double alpha, int m) {
    double mu = ldexp(1.0, m);
    cycle half = {.octaves = 1};
    c->octaves = 2;
    if (solve_cycle(c, alpha, m, 0.5)) {
        return !solve_cycle(&half, alpha, m, 0.5);
    }
    return solve_root(c, alpha, m, 8.0 * mu * mu - 3.5,
                      (2.0 + 4.0 * mu) * alpha - (8.0 * mu * mu + 4.0 * mu - 4.5),
                      2.0 * mu * mu + 3.5 * mu - (2.5 * mu + 17.0 / 8.0) * alpha);
}

/* ---- exact solutions ------------------------------------------------------------------------ */

/* At t: the last knot[0] 2^j <= t with the solution's j, and the piece there. */
static void exact_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const solution *w = exact->data;
    const cycle *c = &w->cycle;
    if (!(t > 0.0)) {
        q[0] = u[0] = 0.0;
        return;
    }
    int e = 0;
    double m = il_octave_split(t / c->knot[0], &e);
    int j = e - 1;
    if (m == 0.5 && side < 0) {
        j--; /* the limit from the left belongs to the cycle before */
    }
    j -= modulo(j - w->shift, c->octaves);
    double scale_q = il_octave_power((w->m + 2) * j);
    double scale_u = il_octave_power((w->m + 1) * j);
    double s = t * il_octave_power(-j);
    int i = 0;
    while (i < c->n - 1 && (side < 0 ? s > c->knot[i + 1] : s >= c->knot[i + 1])) {
        i++;
    }
    double r = s - c->knot[i];
    q[0] = scale_q * (c->state[i][0] + r * (c->state[i][1] + 0.5 * c->a[i] * r));
    u[0] = scale_u * (c->state[i][1] + c->a[i] * r);
}

/* Lambda(t) = u(t) - int_0^t f. */
static void exact_impulse(const il_exact *exact, double t, int side, double *Lambda) {
    const solution *w = exact->data;
    double q = 0.0;
    double u = 0.0;
    exact_eval(exact, t, side, &q, &u);
    Lambda[0] = u - force_integral(w->alpha, w->m, t);
}

/* The knots of all cycles down to 2^-OCTAVES of the horizon: below it the motion is under 1e-18 of
 * that at the end, which no double sees. */
static void make_exact(il_problem *self, solution *w, il_exact *exact, const char *name) {
    const cycle *c = &w->cycle;
    double horizon = self->horizon;
    int top = 0;
    (void)frexp(horizon, &top);
    size_t room = 2 + (size_t)(OCTAVES + 4) * PIECES;
    w->breaks = il_problem_alloc(self, room, sizeof *w->breaks);
    size_t n = 0;
    w->breaks[n++] = 0.0;
    int first = top - OCTAVES;
    first -= ((first - w->shift) % c->octaves + c->octaves) % c->octaves;
    for (int j = first; j <= top; j += c->octaves) {
        for (int i = 0; i < c->n; i++) {
            double t = ldexp(c->knot[i], j);
            if (t > w->breaks[n - 1] && t < horizon) {
                w->breaks[n++] = t;
            }
        }
    }
    w->breaks[n++] = horizon;
    *exact = (il_exact){.name = name,
                        .origin = "closed form",
                        .quadratic = true,
                        .nbreaks = n,
                        .breaks = w->breaks,
                        .eval = exact_eval,
                        .data = w,
                        .impulse = exact_impulse};
}

/* A, B and C as far as they exist for this alpha. */
static void make_solutions(il_problem *self, nonuniqueness *w) {
    static const char *const names[SOLUTIONS] = {"A", "B", "C"};
    size_t n = 0;
    for (int k = 0; k < SOLUTIONS; k++) {
        solution *s = &w->solutions[n];
        s->shift = k == 1;
        s->alpha = w->alpha;
        s->m = w->m;
        bool exists = k < 2 ? solve_two_octaves(&s->cycle, w->alpha, w->m)
                            : solve_one_octave(&s->cycle, w->alpha, w->m);
        if (exists) {
            make_exact(self, s, &w->exact[n], names[k]);
            n++;
        }
    }
    self->nexact = n;
    self->exact = w->exact;
    self->no_exact = n > 0 ? NULL : "no cycle closes to rounding for this alpha";
}

static il_status create(il_problem *self, il_params *params, il_error *err) {
    nonuniqueness *w = self->data;
    w->alpha = il_params_number(params, "alpha");
    w->m = (int)il_params_number(params, "m");
    w->q0 = il_params_number(params, "q0");
    w->u0 = il_params_number(params, "u0");
    self->order = 2;
    self->p = 1;
    self->traits = IL_ROWS_AFFINE | IL_ROWS_CONVEX | IL_ROWS_FIXED | IL_FORCE_OF_TIME;
    self->q0 = &w->q0;
    self->u0 = &w->u0;
    il_status status = il_problem_set_masses(self, 1, NULL, err);
    if (status == IL_OK && (w->q0 != 0.0 || w->u0 != 0.0)) {
        self->no_exact = "the exact solutions start from q0 = 0, u0 = 0";
        return IL_OK;
    }
    if (status == IL_OK) {
        make_solutions(self, w);
    }
    return status;
}

/* ---- exact arithmetic ----------------------------------------------------------------------- */

/* F(t) = 2^(e+m(e-1)) ((1 - alpha)/(4 (2^(m+1) - 1)) + half - alpha rest) with t = s 2^e, as
 * force_integral; own is alpha, m. */
static void impulse(const il_exact_model *model, const il_rational *t, il_rational **F,
                    il_rational **work) {
    if (il_rational_sign(t) <= 0) {
        il_rational_set_fraction(F[0], 0, 1);
        return;
    }
    int e = il_rational_log2(t) + 1;
    int m = (int)il_rational_double(model->own[1]);
    il_rational *rest = work[0];
    il_rational *half = work[1];
    il_rational *quarter = work[2];
    il_rational_set_fraction(quarter, 1, 4);
    il_rational_set_fraction(half, 3, 4);
    il_rational_scale(rest, t, -e);
    il_rational_sub(rest, rest, half); /* s - 3/4 */
    if (il_rational_sign(rest) < 0) {
        il_rational_add(half, rest, quarter);
        il_rational_set_fraction(rest, 0, 1);
    } else {
        il_rational_set(half, quarter);
    }
    il_rational_set_fraction(quarter, 1, 4 * ((2ul << m) - 1));
    il_rational_add(rest, rest, quarter); /* of the octaves before, and this one */
    il_rational_mul(rest, rest, model->own[0]);
    il_rational_add(half, half, quarter);
    il_rational_sub(F[0], half, rest);
    il_rational_scale(F[0], F[0], e + m * (e - 1));
}

static void exact_model(const il_problem *self, const il_params *params, il_exact_model *model) {
    (void)self;
    model->d = 1;
    il_exact_model_init(model, 2);
    il_rational_set_param(model->horizon[0], params, "T", 0);
    il_rational_set_param(model->q0[0], params, "q0", 0);
    il_rational_set_param(model->u0[0], params, "u0", 0);
    il_rational_set_fraction(model->mass[0], 1, 1);
    il_rational_set_param(model->own[0], params, "alpha", 0);
    il_rational_set_param(model->own[1], params, "m", 0);
    model->impulse = impulse;
}

/* ---- scaling -------------------------------------------------------------------------------- */

static void flow(const il_problem *self, double t0, const double *z, double t1, double *z1,
                 double *derivative) {
    const nonuniqueness *w = self->data;
    il_nonuniqueness_flow(w->alpha, w->m, t0, z, t1, z1, derivative);
}

/* Z, see above. */
static void box(const il_problem *self, double *low, double *high) {
    const nonuniqueness *w = self->data;
    high[1] = fmax(1.0, w->alpha);
    high[0] = 0.5 * high[1];
    low[0] = 0.0;
    low[1] = -high[1];
}

static int position(const il_problem *self) {
    const nonuniqueness *w = self->data;
    return w->m + 2;
}

static const il_scaling scaling = {.time = 1,
                                   .position = position,
                                   .flow = flow,
                                   .flow_exact = il_nonuniqueness_flow_exact,
                                   .box = box};

static const il_param_spec params[] = {
    {"alpha", IL_PARAM_NUMBER, "1.8", 0.0, INFINITY, true, NULL, "force",
     "strength of the pull toward the wall"},
    {"m", IL_PARAM_INTEGER, "0", 0.0, 8.0, false, NULL, "1", "the force is O(t^m) as t -> 0"},
    {"q0", IL_PARAM_NUMBER, "0", 0.0, INFINITY, false, NULL, "length", "where the point starts"},
    {"u0", IL_PARAM_NUMBER, "0", -INFINITY, INFINITY, false, NULL, "speed",
     "with what velocity; with q0 or u0 other than 0 no exact solution is offered"},
    {"T", IL_PARAM_NUMBER, "4", 0.0, INFINITY, true, NULL, "time", "horizon"},
    {.key = NULL}};

const il_problem_type il_problem_nonuniqueness = {
    .name = "nonuniqueness",
    .title = "a point on a half-line pushed and pulled infinitely often: several solutions",
    .statement =
        "u' = f(t) + lambda, q >= 0, q(0) = u(0) = 0, inelastic impact. For every integer k:\n"
        "f = 2^(mk) on (2^k, 3/2 2^k), f = -alpha 2^(mk) on (3/2 2^k, 2^(k+1)).\n"
        "The force integral is elementary, so step means are exact for every h.\n"
        "m = 0 (Maury), alpha = 1.8: A rests on the wall at t = 4^k, B at t = 2 4^k. Steps\n"
        "h = 4^-n select A, h = 4^-n/2 select B. They exist for 4/3 < alpha < 2.165592 and "
        "attract\n"
        "for alpha > 77/48. C, with q(2t) = 4 q(t), exists for every alpha. Below 4/3 it does\n"
        "not touch the wall, and attracts; from there to 43/20 it repels and is met only by\n"
        "single step sizes, between those that lead to A and those that lead to B; above it\n"
        "attracts again. For every m there are alpha with A, B and C: forces that are flatter at\n"
        "t = 0 have several solutions too, and below \"A, B begin\" (the manual: Atlas) C\n"
        "attracts for every m. Where there are two, there is a continuum (head of\n"
        "its source).",
    .source = "Maury 2006, section 6.1, equations (45)-(49), figures 2-4",
    .hypotheses =
        "BL (A0)-(A6): yes, one affine constraint fixed in time; |f| <= max(1, alpha) is in L^1\n"
        "and f does not depend on q. Theorem 1.3 applies: subsequences converge, and here\n"
        "different ones have different limits.\n"
        "Maury, (6)-(7): yes. Interior start: no, q(0) = 0 unless q0 is given.\n"
        "AT A1-A4: yes (one constraint).\n"
        "Uniqueness needs data that are analytic (Schatzman, Ballard): f jumps infinitely often\n"
        "near 0.",
    .params = params,
    .size = sizeof(nonuniqueness),
    .create = create,
    .row = row,
    .force = force,
    .force_mean = force_mean,
    .exact_model = exact_model,
    .scaling = &scaling};
