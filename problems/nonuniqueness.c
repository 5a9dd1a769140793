/*
 * nonuniqueness.c - one point on a half-line under a force that changes sign infinitely often as
 * t -> 0 (Maury 2006, section 6.1, equations (45)-(49)).
 *
 *     u' = f(t) + lambda,  q >= 0,  q(0) = u(0) = 0,  T = 4,  u+ = max(u-, 0) on q = 0,
 *     f = 1      on (2^{-k-1}, 3/2 2^{-k-1}),
 *     f = -alpha on (3/2 2^{-k-1}, 2^{-k}),    k any integer.
 *
 * The force integral is elementary: F(2^j) = 2^j (1 - alpha)/2, so the mean over a step is exact
 * for every h. The problem is unchanged by t -> 2t, q -> 4q, u -> 2u. Let Phi be the exact motion
 * over an octave, (q,u) at t = 1 to (q/4,u/2) at t = 2. A solution is a sequence of states in
 * Z = [0,U/2] x [-U,U], U = max(1,alpha) (|u(t)| <= U t and so q <= U t^2/2), one an octave, each
 * the image of the one before it; Phi maps Z into itself, since an octave adds at most 1/2 to u and
 * U + 3/8 to q and takes at most alpha/2 from u: (U + 1/2)/2 <= U, (3 U/2 + 3/8)/4 <= U/2.
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
 * A fixed point of Phi, a solution with q(2t) = 4 q(t), exists for every alpha, which Maury does
 * not mention. It is C here; with r = 3/2 - (its time of take-off in the octave 1..2):
 *
 *     alpha <= 4/3      it never touches: q(1) = (7 - 5 alpha)/24, u(1) = (1 - alpha)/2;
 *     4/3 < alpha < 3   it lands once an octave while pushed and takes off at once,
 *                       r^2 + (2 alpha - 1) r + 1 - 5 alpha/4 = 0;
 *     alpha >= 3        it lands while pulled and rests until the octave ends, r = 1/2.
 *
 * If that of r is followed, dr'/dr = -(3/2 - r)/(alpha - 2 + 2r): C attracts for alpha > 43/20 and
 * repels between 4/3 and 43/20. Maury's A and B are one orbit of Phi with period 2, A from rest at
 * t = 4^k, B at 2 4^k (alpha = 1.8). They rest on the wall before they take off for
 * 23/13 <= alpha < 2.165592...; for 4/3 < alpha < 23/13 they land while pushed and take off at
 * once, 9/2 r^2 + (6 alpha - 15/2) r + 11/2 - 37 alpha/8 = 0, and attract for alpha > 77/48. They
 * are not alone: from rest there also is an orbit of period 4, which lands while pushed in its
 * third octave and while pulled in its fourth, up to 1.6097, alpha = (4 r^2 + 20 r + 12)/13 with 64
 * r^3 + 548 r^2 - 540 r + 125 = 0; up to there it attracts too.
 *
 * A and B end at alpha = ((297^(1/2) - 3)/8)^2 - 1 = 2.165592..., where their second contact lands
 * so late that the point is still above the wall when the pull ends: with r' = 1/2 - (alpha - 1)/4
 * + ((alpha - 2)(alpha + 1))^(1/2)/4 before the end of the push, r'^2 + r' = alpha/4 there, which
 * is s^2 + 3 s/4 - 9/2 = 0 for s^2 = alpha + 1.
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
    double *breaks;
} solution;

typedef struct {
    double alpha;
    double q0, u0;
    solution solutions[SOLUTIONS];
    il_exact exact[SOLUTIONS];
} nonuniqueness;

/* j modulo n > 0, in 0 .. n-1. */
static int modulo(int j, int n) {
    int over = n == 1 ? 0 : n == 2 ? j & 1 : j % n;
    return over < 0 ? over + n : over;
}

/* int_0^t f. With t = m 2^e, m in [1/2,1): one octave 2^{e-1} .. 2^e, its first half pushing. */
static double force_integral(double alpha, double t) {
    if (t <= 0.0) {
        return 0.0;
    }
    int e = 0;
    double m = il_octave_split(t, &e);
    double half = m < 0.75 ? m - 0.5 : 0.25;
    double rest = m < 0.75 ? 0.0 : m - 0.75;
    return ldexp(0.25 * (1.0 - alpha) + half - alpha * rest, e);
}

static void force_mean(const il_problem *self, double t0, double t1, const double *q, double *f) {
    const nonuniqueness *w = self->data;
    (void)q;
    int e0 = 0;
    int e1 = 0;
    double m0 = il_octave_split(t0, &e0);
    double m1 = il_octave_split(t1, &e1);
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

/* ---- cycles --------------------------------------------------------------------------------- */

/* The time after which a point at (q,u) with acceleration a meets the wall from above. */
static double contact_after(double q, double u, double a) {
    double d = u * u - 2.0 * a * q;
    if (a < 0.0) {
        return (u + sqrt(d)) / -a;
    }
    return u < 0.0 && d >= 0.0 ? 2.0 * q / (sqrt(d) - u) : INFINITY;
}

/* The end of the piece of constant force that begins at t or holds there. */
static double piece_end(double t) {
    int e = 0;
    double m = il_octave_split(t, &e);
    return ldexp(m < 0.75 ? 0.75 : 1.0, e);
}

/* Follow the motion from (q,u) at begin over the octaves, from one change to the next. */
static void follow(cycle *c, double alpha, double begin, double q, double u) {
    double end = ldexp(begin, c->octaves);
    double t = begin;
    int e = 0;
    for (c->n = 0; c->n < PIECES && t < end; c->n++) {
        double to = fmin(piece_end(t), end);
        double f = il_octave_split(t, &e) < 0.75 ? 1.0 : -alpha;
        double a = q == 0.0 && u == 0.0 && f < 0.0 ? 0.0 : f; /* held by the wall */
        double s = to - t;
        double q1 = q + s * (u + 0.5 * a * s);
        double u1 = u + a * s;
        double contact = a == 0.0 ? INFINITY : contact_after(q, u, a);
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

/* Is the end 4^octaves, 2^octaves times the start? */
static bool closes(const cycle *c) {
    const double *first = c->state[0];
    const double *last = c->state[c->n];
    return c->knot[c->n] == ldexp(c->knot[0], c->octaves) &&
           fabs(ldexp(last[0], -2 * c->octaves) - first[0]) <= CLOSED &&
           fabs(ldexp(last[1], -c->octaves) - first[1]) <= CLOSED;
}

/* The larger root of a x^2 + b x + c, NaN without one. */
static double larger_root(double a, double b, double c) {
    return (sqrt(b * b - 4.0 * a * c) - b) / (2.0 * a);
}

/* From the wall, taking off r before the end of the push; r in (0,1/2]. */
static bool solve_cycle(cycle *c, double alpha, double r) {
    if (!(r > 0.0 && r <= 0.5)) {
        return false;
    }
    follow(c, alpha, 1.5 - r, 0.0, 0.0);
    return closes(c);
}

/* C, see above. */
static bool solve_one_octave(cycle *c, double alpha) {
    c->octaves = 1;
    if (3.0 * alpha <= 4.0) {
        follow(c, alpha, 1.0, (7.0 - 5.0 * alpha) / 24.0, 0.5 * (1.0 - alpha));
        return closes(c);
    }
    double r = larger_root(1.0, 2.0 * alpha - 1.0, 1.0 - 1.25 * alpha);
    return solve_cycle(c, alpha, alpha >= 3.0 ? 0.5 : r);
}

/* A and B: from rest if that closes, else with a landing while pushed; unless it is C twice. */
static bool solve_two_octaves(cycle *c, double alpha) {
    cycle half = {.octaves = 1};
    c->octaves = 2;
    if (solve_cycle(c, alpha, 0.5)) {
        return !solve_cycle(&half, alpha, 0.5);
    }
    return solve_cycle(c, alpha, larger_root(4.5, 6.0 * alpha - 7.5, 5.5 - 37.0 * alpha / 8.0));
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
    double tau = il_octave_power(j);
    double s = t * il_octave_power(-j);
    int i = 0;
    while (i < c->n - 1 && (side < 0 ? s > c->knot[i + 1] : s >= c->knot[i + 1])) {
        i++;
    }
    double r = s - c->knot[i];
    q[0] = tau * tau * (c->state[i][0] + r * (c->state[i][1] + 0.5 * c->a[i] * r));
    u[0] = tau * (c->state[i][1] + c->a[i] * r);
}

/* Lambda(t) = u(t) - int_0^t f. */
static void exact_impulse(const il_exact *exact, double t, int side, double *Lambda) {
    const solution *w = exact->data;
    double q = 0.0;
    double u = 0.0;
    exact_eval(exact, t, side, &q, &u);
    Lambda[0] = u - force_integral(w->alpha, t);
}

/* The knots of all cycles down to 2^-OCTAVES of the horizon: below it the motion is under 1e-18 of
 * that at the end, which no double sees. */
static il_status make_exact(il_problem *self, solution *w, il_exact *exact, const char *name,
                            il_error *err) {
    const cycle *c = &w->cycle;
    double horizon = self->horizon;
    int top = 0;
    (void)frexp(horizon, &top);
    size_t room = 2 + (size_t)(OCTAVES + 4) * PIECES;
    w->breaks = il_problem_alloc(self, room, sizeof *w->breaks, err);
    if (w->breaks == NULL) {
        return IL_ENOMEM;
    }
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
    return IL_OK;
}

/* A, B and C as far as they exist for this alpha. */
static il_status make_solutions(il_problem *self, nonuniqueness *w, il_error *err) {
    static const char *const names[SOLUTIONS] = {"A", "B", "C"};
    size_t n = 0;
    for (int k = 0; k < SOLUTIONS; k++) {
        solution *s = &w->solutions[n];
        s->shift = k == 1;
        s->alpha = w->alpha;
        bool exists =
            k < 2 ? solve_two_octaves(&s->cycle, w->alpha) : solve_one_octave(&s->cycle, w->alpha);
        if (!exists) {
            continue;
        }
        il_status status = make_exact(self, s, &w->exact[n], names[k], err);
        if (status != IL_OK) {
            return status;
        }
        n++;
    }
    self->nexact = n;
    self->exact = w->exact;
    self->no_exact = n > 0 ? NULL : "no cycle closes to rounding for this alpha";
    return IL_OK;
}

static il_status create(il_problem *self, il_params *params, double horizon, il_error *err) {
    nonuniqueness *w = self->data;
    w->alpha = il_params_number(params, "alpha");
    w->q0 = il_params_number(params, "q0");
    w->u0 = il_params_number(params, "u0");
    self->order = 2;
    self->p = 1;
    self->horizon = horizon > 0.0 ? horizon : il_params_number(params, "T");
    self->traits = IL_ROWS_AFFINE | IL_ROWS_CONVEX | IL_ROWS_FIXED | IL_FORCE_OF_TIME;
    self->q0 = &w->q0;
    self->u0 = &w->u0;
    il_status status = il_problem_set_masses(self, 1, NULL, err);
    if (status == IL_OK && (w->q0 != 0.0 || w->u0 != 0.0)) {
        self->no_exact = "the exact solutions start from q0 = 0, u0 = 0";
        return IL_OK;
    }
    return status == IL_OK ? make_solutions(self, w, err) : status;
}

/* ---- exact arithmetic ----------------------------------------------------------------------- */

/* F(t) = 2^e ((1 - alpha)/4 + half - alpha rest) with t = m 2^e, as force_integral; own[0] is
 * alpha. */
static void impulse(const il_exact_model *model, const il_rational *t, il_rational **F,
                    il_rational **work) {
    if (il_rational_sign(t) <= 0) {
        il_rational_set_fraction(F[0], 0, 1);
        return;
    }
    int e = il_rational_log2(t) + 1;
    il_rational *rest = work[0];
    il_rational *half = work[1];
    il_rational *quarter = work[2];
    il_rational_set_fraction(quarter, 1, 4);
    il_rational_set_fraction(half, 3, 4);
    il_rational_scale(rest, t, -e);
    il_rational_sub(rest, rest, half); /* m - 3/4 */
    if (il_rational_sign(rest) < 0) {
        il_rational_add(half, rest, quarter);
        il_rational_set_fraction(rest, 0, 1);
    } else {
        il_rational_set(half, quarter);
    }
    il_rational_add(rest, rest, quarter); /* of the octave before, and this one */
    il_rational_mul(rest, rest, model->own[0]);
    il_rational_add(half, half, quarter);
    il_rational_sub(F[0], half, rest);
    il_rational_scale(F[0], F[0], e);
}

static il_status exact_model(const il_problem *self, const il_params *params, il_exact_model *model,
                             il_error *err) {
    (void)self;
    model->d = 1;
    il_status status = il_exact_model_init(model, 1, err);
    if (status == IL_OK) {
        il_rational_set_param(model->horizon[0], params, "T", 0);
        il_rational_set_param(model->q0[0], params, "q0", 0);
        il_rational_set_param(model->u0[0], params, "u0", 0);
        il_rational_set_fraction(model->mass[0], 1, 1);
        il_rational_set_param(model->own[0], params, "alpha", 0);
        model->impulse = impulse;
    }
    return status;
}

/* ---- scaling -------------------------------------------------------------------------------- */

static void flow(const il_problem *self, double t0, const double *z, double t1, double *z1,
                 double *derivative) {
    const nonuniqueness *w = self->data;
    il_nonuniqueness_flow(w->alpha, t0, z, t1, z1, derivative);
}

/* With U = max(1, alpha): |u| <= U t, so q <= U t^2/2. An octave adds to u from -alpha/2 to 1/2 and
 * to q at most U + 3/8, and (U + 1/2)/2 <= U, (3 U/2 + 3/8)/4 <= U/2. */
static void box(const il_problem *self, double *low, double *high) {
    const nonuniqueness *w = self->data;
    high[1] = fmax(1.0, w->alpha);
    high[0] = 0.5 * high[1];
    low[0] = 0.0;
    low[1] = -high[1];
}

static const il_scaling scaling = {
    .time = 1, .position = 2, .flow = flow, .flow_exact = il_nonuniqueness_flow_exact, .box = box};

static const il_param_spec params[] = {
    {"alpha", IL_PARAM_NUMBER, "1.8", 0.0, INFINITY, true, NULL, "force",
     "strength of the pull toward the wall"},
    {"q0", IL_PARAM_NUMBER, "0", 0.0, INFINITY, false, NULL, "length", "where the point starts"},
    {"u0", IL_PARAM_NUMBER, "0", -INFINITY, INFINITY, false, NULL, "speed",
     "with what velocity; with q0 or u0 other than 0 no exact solution is offered"},
    {"T", IL_PARAM_NUMBER, "4", 0.0, INFINITY, true, NULL, "time", "horizon"},
    {.key = NULL}};

const il_problem_type il_problem_nonuniqueness = {
    .name = "nonuniqueness",
    .title = "a point on a half-line pushed and pulled infinitely often: several solutions",
    .statement =
        "u' = f(t) + lambda, q >= 0, q(0) = u(0) = 0, inelastic impact.\n"
        "For every integer k: f = 1 on (2^(-k-1), 3/2 2^(-k-1)), f = -alpha on (3/2 2^(-k-1), "
        "2^-k).\n"
        "The force integral is elementary, F(2^j) = 2^j (1 - alpha)/2, so step means are exact "
        "for\n"
        "every h. With alpha = 1.8, A rests on the wall at t = 4^k, B at t = 2 4^k. Steps\n"
        "h = 4^-m select A, h = 4^-m/2 select B (Maury). They exist for 4/3 < alpha < 2.165592\n"
        "and attract for alpha > 77/48.\n"
        "C, with q(2t) = 4 q(t), exists for every alpha. For 4/3 < alpha < 3 it lands once an\n"
        "octave while pushed, r before the push ends, r^2 + (2 alpha - 1) r + 1 - 5 alpha/4 = 0;\n"
        "it repels below alpha = 43/20 and is met only by single step sizes, between those that\n"
        "lead to A and those that lead to B. Beside A and B an orbit of four octaves attracts\n"
        "from alpha = 77/48 to 1.6097.\n"
        "Where there are two solutions there is a continuum: the motion over an octave, scaled,\n"
        "maps the rectangle 0 <= q <= U/2, |u| <= U = max(1, alpha) into itself, and is\n"
        "continuous once all states q = 0, u <= 0 are taken for one, rest (not in the plane:\n"
        "just above the wall a point still has its velocity). The states at t = 1 of all\n"
        "solutions are the intersection of the rectangle's images, compact and connected.\n"
        "(With alpha = 1.8, as far as is seen, every solution but A and B follows C as t -> 0.)",
    .source = "Maury 2006, section 6.1, equations (45)-(49), figures 2-4",
    .hypotheses = "BL (A0)-(A6): yes, one affine constraint fixed in time; |f| <= max(1, alpha) is "
                  "in L^1 and f does not\n"
                  "depend on q. Theorem 1.3 applies: subsequences converge, and here different "
                  "ones have different\n"
                  "limits.\n"
                  "Maury, (6)-(7): yes. Interior start: no, q(0) = 0 unless q0 is given; u(0) = 0 "
                  "is admissible there.\n"
                  "AT A1-A4: yes (one constraint).\n"
                  "Uniqueness needs data that are analytic (Schatzman, Ballard): f jumps "
                  "infinitely often near 0.",
    .params = params,
    .size = sizeof(nonuniqueness),
    .create = create,
    .row = row,
    .force = force,
    .force_mean = force_mean,
    .exact_model = exact_model,
    .scaling = &scaling};
