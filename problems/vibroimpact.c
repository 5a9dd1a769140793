/*
 * vibroimpact.c - one point in the plane above two parabolic walls that sink with speed 1
 * (Adly & Thieu 2022, section 5).
 *
 *     u' = lambda_1 grad g_1 + lambda_2 grad g_2,  g_i(t,q) >= 0,  u+ = P_C(u-),  q = (x, y),
 *     g_1 = y + t + x|x|/4,      grad g_1 = (|x|/2, 1),       d_t g_1 = 1,
 *     g_2 = y + t - z|z|/4,      grad g_2 = (-|z|/2, 1),      d_t g_2 = 1,      z = x - 4.
 *
 * Exact solution. In the frame Y = y + t the set stands still and inertia is unchanged, so that
 * everything below is said in (x, Y) and V = (u_x, u_y + 1). The set is {Y >= psi(x)} with
 * psi = max(-x|x|/4, z|z|/4), mirrored at x = 2:
 *
 *     x < 0     valley   x^2/4     the set is convex there
 *     0 < x < 2 hill    -x^2/4     the complement is
 *     x = 2     corner (2,-1), slopes -1 and +1, a right angle
 *     2 < x < 4 hill    -z^2/4
 *     4 < x     valley   z^2/4
 *
 * No force acts, so the point flies straight. At contact V loses its normal part and keeps its
 * tangential part w. Straight flight along the tangent would enter the wall of a valley: the wall
 * pushes and the point slides, with constant |V| = |w| since the reaction is normal. On a hill
 * straight flight leaves the wall, which cannot pull: the point flies off at once along the
 * tangent, and a point that slides toward x = 0 or x = 4 flies off there. With w = 0 it rests in
 * the frame. At the corner both normal parts, which are orthogonal, are cut off independently.
 *
 * Sliding is by arc length: with xi the distance of x from the vertex (0 or 4) of the valley,
 * s(xi) = (xi/2) sqrt(1 + xi^2/4) + asinh(xi/2) grows at the rate w.
 *
 * Every motion ends after a few phases: a hill is left at once; a point that flies off from one
 * hill to the right can land on the other hill once and then goes on to the right; a slide toward a
 * vertex is followed by the level flight to the other one, where the point slides up for ever.
 */
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "problems/problem.h"

enum { PHASES_MAX = 16, REGIONS = 4 };

/* A start this near to a wall, in units of one plus the size of its coordinates, is on it: the
 * tolerance with which starts count as feasible. */
static const double TOUCH = 1e-12;
/* A contact this near to a vertex or the corner, in units of one plus the size of the flight's
 * coordinates, is there: some hundred roundings of the intersection. */
static const double SNAP = 1e-13;
/* A velocity component below this part of the velocity is the rounding of a projection. */
static const double NOTHING = 4.0 * DBL_EPSILON;

/* psi on (edge[r], edge[r+1]) is sign * (x - vertex)^2 / 4. */
static const double EDGE[REGIONS + 1] = {-INFINITY, 0.0, 2.0, 4.0, INFINITY};
static const double VERTEX[REGIONS] = {0.0, 0.0, 4.0, 4.0};
static const double SIGN[REGIONS] = {1.0, -1.0, -1.0, 1.0};

/* One phase in the frame: straight flight (rest if V = 0), or sliding along a valley. */
typedef struct {
    double start; /* time */
    double x, Y;  /* position at the start */
    double V[2];  /* velocity at the start */
    bool slides;
    double vertex;    /* sliding: xi = x - vertex, */
    double s, w;      /* arc length s(xi) at the start and its rate */
    double Lambda[2]; /* impulses of the walls up to the start, that at the start with them */
} phase;

/* Where the point is between phases, and how it goes on. */
typedef struct {
    double x, Y, V[2];
    bool tangent; /* on the wall, with V along it */
} motion;

typedef struct {
    double q0[2], u0[2];
    phase phases[PHASES_MAX];
    size_t n;
    double breaks[PHASES_MAX + 1];
} vibroimpact;

static il_status row(const il_problem *self, double t, const double *q, size_t id, il_rows *rows) {
    static const size_t col[2] = {0, 1};
    (void)self;
    double sign = id == 0 ? 1.0 : -1.0;
    double z = id == 0 ? q[0] : q[0] - 4.0;
    double gradient[2] = {sign * 0.5 * fabs(z), 1.0};
    double value = q[1] + t + sign * 0.25 * z * fabs(z);
    il_rows_append(rows, id, value, 1.0, 2, col, gradient);
    return IL_OK;
}

/* The second derivative of z|z|/4 jumps at 0: there, the side that the point moves into counts. */
static double curvature(const il_problem *self, double t, const double *q, const double *u,
                        size_t id) {
    (void)self;
    (void)t;
    double z = id == 0 ? q[0] : q[0] - 4.0;
    double side = z != 0.0 ? z : u[0];
    return copysign(0.5, id == 0 ? side : -side) * u[0] * u[0];
}

/* g_i(x) <= g_i(q) + <b, x - q> + (x_1 - q_1)^2/4, gamma = 1/2, and |b| >= 1. */
static double rolling(const il_problem *self, double t, size_t id) {
    (void)self;
    (void)t;
    (void)id;
    return 2.0;
}

/* ---- geometry ------------------------------------------------------------------------------- */

/* The region at x, or the one that a point at its edge moves into. */
static int region_at(double x, double vx) {
    int r = 0;
    while (r < REGIONS - 1 && (vx < 0.0 ? x > EDGE[r + 1] : x >= EDGE[r + 1])) {
        r++;
    }
    return r;
}

static double psi(int r, double x) {
    double z = x - VERTEX[r];
    return SIGN[r] * 0.25 * z * z;
}

static double slope(int r, double x) {
    return SIGN[r] * 0.5 * (x - VERTEX[r]);
}

static double arc_length(double xi) {
    return 0.5 * xi * sqrt(1.0 + 0.25 * xi * xi) + il_asinh(0.5 * xi);
}

/* (s/xi)^2 - 1 for arcs of length s: s^2/12 when short, s/4 when long. Between, a quotient that
 * meets it at s^2 = 16 cos^2(k pi/12), k = 1, 3, 5. */
static double arc_excess(double s) {
    double ss = s * s;
    if (s > 4.0) {
        return 0.25 * s * (s / (3.0 + s));
    }
    return ss * (1.0 + 0.11202651 * ss) / (12.0 + ss * (2.52794522 + 0.03985217 * ss));
}

/* xi with arc_length(xi) = s. A step of Householder's third order, from derivatives
 * g = sqrt(1 + xi^2/4), xi/(4 g), 1/(4 g^3) of the arc length, takes a relative error e to less
 * than e^4: one step where the start is right to 2e-4 (s <= 4), one more elsewhere (to 6 %). */
static double arc_position(double s) {
    static const double CLOSE = 2e-4;
    double goal = fabs(s);
    double xi = goal / sqrt(1.0 + arc_excess(goal));
    double step = 0.0;
    do {
        double gg = 1.0 + 0.25 * xi * xi;
        double g = sqrt(gg);
        double f = arc_length(xi) - goal;
        double second = 0.25 * xi / g;
        double third = 0.25 / (g * gg);
        step = f * (6.0 * gg - 3.0 * f * second) /
               (6.0 * gg * g - 6.0 * f * g * second + f * f * third);
        xi -= step;
    } while (fabs(step) > CLOSE * xi);
    return copysign(xi, s);
}

/* inf {s >= 0 : a + b s + c s^2 < 0}, a >= 0; INFINITY if there is none. */
static double first_crossing(double a, double b, double c) {
    if (a == 0.0) {
        return b < 0.0 ? 0.0 : c < 0.0 ? -b / c : INFINITY;
    }
    double discriminant = b * b - 4.0 * a * c;
    if (b >= 0.0) {
        return c < 0.0 ? (b + sqrt(discriminant)) / (-2.0 * c) : INFINITY;
    }
    return discriminant >= 0.0 ? 2.0 * a / (sqrt(discriminant) - b) : INFINITY;
}

/* ---- events --------------------------------------------------------------------------------- */

/* Time of flight until the gap Y - psi(x) would become negative, INFINITY if it never does. The gap
 * is a quadratic in each region; it is expanded anew where the flight enters one, so that level
 * flight from vertex to vertex keeps its exact zeros. */
static double flight_time(const motion *m) {
    double vx = m->V[0];
    double x = m->x;
    double passed = 0.0;
    int r = region_at(x, vx);
    for (bool first = true;; first = false) {
        double a = fmax(m->Y + m->V[1] * passed - psi(r, x), 0.0);
        double b = first && m->tangent ? 0.0 : m->V[1] - slope(r, x) * vx;
        double c = -SIGN[r] * 0.25 * vx * vx;
        double edge = vx > 0.0 ? EDGE[r + 1] : EDGE[r];
        double leaves = vx == 0.0 ? INFINITY : (edge - m->x) / vx;
        double meets = passed + first_crossing(a, b, c);
        if (meets <= leaves || isinf(leaves)) {
            return meets;
        }
        passed = leaves;
        x = edge;
        r += vx > 0.0 ? 1 : -1;
    }
}

/* V loses what points into the wall, and the motion learns whether it goes on along the wall. */
static void meet_corner(motion *m) {
    double size = NOTHING * il_hypot(m->V[0], m->V[1]);
    /* The parts on (1,1) and (-1,1), times sqrt(2). */
    double along[2] = {m->V[0] + m->V[1], m->V[1] - m->V[0]};
    m->tangent = !(along[0] > size && along[1] > size);
    for (int i = 0; i < 2; i++) {
        along[i] = along[i] > size ? along[i] : 0.0;
    }
    m->V[0] = 0.5 * (along[0] - along[1]);
    m->V[1] = 0.5 * (along[0] + along[1]);
}

static void meet_wall(motion *m) {
    if (m->x == 2.0) {
        meet_corner(m);
        return;
    }
    double a = slope(region_at(m->x, 0.0), m->x);
    double stretch = il_hypot(1.0, a);
    double size = NOTHING * il_hypot(m->V[0], m->V[1]);
    double normal = (m->V[1] - a * m->V[0]) / stretch;
    double w = (m->V[0] + a * m->V[1]) / stretch;
    m->tangent = !(normal > size);
    if (m->tangent) {
        w = fabs(w) > size ? w : 0.0;
        m->V[0] = w / stretch;
        m->V[1] = w * a / stretch;
    }
}

/* After a flight of length s: on the wall, at a vertex or the corner if within rounding of it. */
static void land(motion *m, double s) {
    double size = SNAP * (1.0 + fabs(m->x) + fabs(m->Y));
    m->x += m->V[0] * s;
    for (int r = 1; r < REGIONS; r++) {
        m->x = fabs(m->x - EDGE[r]) <= size ? EDGE[r] : m->x;
    }
    m->Y = psi(region_at(m->x, 0.0), m->x);
    meet_wall(m);
}

/* Does the motion go on along the wall of a valley? */
static bool goes_sliding(const motion *m) {
    return m->tangent && m->V[0] != 0.0 && SIGN[region_at(m->x, m->V[0])] > 0.0;
}

/* Fill ph with the phase that begins with m, move m to the phase's end; the phase's length. */
static double run_phase(motion *m, phase *ph) {
    *ph = (phase){.x = m->x, .Y = m->Y, .V = {m->V[0], m->V[1]}, .slides = goes_sliding(m)};
    if (!ph->slides) {
        double s = flight_time(m);
        if (isfinite(s)) {
            land(m, s);
        }
        return s;
    }
    ph->vertex = m->x > 2.0 ? 4.0 : 0.0;
    ph->s = arc_length(m->x - ph->vertex);
    ph->w = copysign(il_hypot(m->V[0], m->V[1]), m->V[0]);
    if (ph->s * ph->w >= 0.0) {
        return INFINITY; /* away from the vertex, for ever */
    }
    *m = (motion){.x = ph->vertex, .V = {ph->w, 0.0}, .tangent = true};
    return -ph->s / ph->w;
}

/* The walls changed the velocity from V to m's: by dLambda_1 (s,1) + dLambda_2 (-s,1), both in the
 * corner, where s = 1, else the wall at hand alone, and then the second component tells. */
static void add_impulse(const motion *m, const double V[2], double Lambda[2]) {
    double change[2] = {m->V[0] - V[0], m->V[1] - V[1]};
    if (m->x == 2.0) {
        Lambda[0] += 0.5 * (change[1] + change[0]);
        Lambda[1] += 0.5 * (change[1] - change[0]);
    } else {
        Lambda[m->x > 2.0] += change[1];
    }
}

/* All phases up to the horizon. False if there are more than PHASES_MAX. */
static bool list_phases(vibroimpact *w, double horizon) {
    motion m = {.x = w->q0[0], .Y = w->q0[1], .V = {w->u0[0], w->u0[1] + 1.0}};
    int r = region_at(m.x, 0.0);
    double gap = m.Y - psi(r, m.x);
    if (gap <= TOUCH * (1.0 + fmax(fabs(m.x), fabs(m.Y)))) {
        land(&m, 0.0);
    }
    double Lambda[2] = {0.0, 0.0};
    add_impulse(&m, (const double[]){w->u0[0], w->u0[1] + 1.0}, Lambda);
    double t = 0.0;
    for (int turn = 0; turn < PHASES_MAX && t < horizon; turn++) {
        phase *ph = &w->phases[w->n];
        double end = t + run_phase(&m, ph);
        ph->start = t;
        memcpy(ph->Lambda, Lambda, sizeof Lambda);
        add_impulse(&m, ph->V, Lambda);
        w->breaks[w->n] = t;
        w->n += end > t; /* a phase too short for the clock is none */
        t = end;
    }
    w->breaks[w->n] = horizon;
    return t >= horizon;
}

/* ---- the exact solution --------------------------------------------------------------------- */

static const phase *phase_at(const il_exact *exact, double t, int side) {
    const vibroimpact *w = exact->data;
    return &w->phases[il_exact_piece(exact, t, side)];
}

static void exact_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const phase *ph = phase_at(exact, t, side);
    double s = t - ph->start;
    if (ph->slides) {
        double xi = arc_position(ph->s + ph->w * s);
        double stretch = il_hypot(1.0, 0.5 * xi);
        q[0] = ph->vertex + xi;
        q[1] = 0.25 * xi * xi - t;
        u[0] = ph->w / stretch;
        /* The valleys' slopes are xi/2 at both vertices. */
        u[1] = 0.5 * xi * ph->w / stretch - 1.0;
        return;
    }
    q[0] = ph->x + ph->V[0] * s;
    q[1] = ph->Y + ph->V[1] * s - t;
    u[0] = ph->V[0];
    u[1] = ph->V[1] - 1.0;
}

/* A slide adds what the valley gave to u_y since it began. */
static void exact_impulse(const il_exact *exact, double t, int side, double *Lambda) {
    const phase *ph = phase_at(exact, t, side);
    memcpy(Lambda, ph->Lambda, sizeof ph->Lambda);
    if (ph->slides) {
        double q[2];
        double u[2];
        exact_eval(exact, t, side, q, u);
        Lambda[ph->vertex > 2.0] += u[1] + 1.0 - ph->V[1];
    }
}

static void make_exact(il_problem *self, vibroimpact *w) {
    if (!list_phases(w, self->horizon)) {
        self->no_exact = "the motion has more phases before the horizon than are followed";
        return;
    }
    bool quadratic = true;
    for (size_t k = 0; k < w->n; k++) {
        quadratic = quadratic && !w->phases[k].slides;
    }
    il_problem_offer(self, (il_exact){.origin = "closed form, arc length inverted to rounding",
                                      .quadratic = quadratic,
                                      .nbreaks = w->n + 1,
                                      .breaks = w->breaks,
                                      .eval = exact_eval,
                                      .impulse = exact_impulse});
}

/* ---- the problem ---------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    double q0[2], u0[2];
} scenario;

/* corner: straight at (2,-1) of the frame with V = (1/4, -1), there at t = sqrt(1.7). graze: level
 * along Y = 0, tangent to the left valley at its vertex x = 0, there at t = sqrt(3). No grid of
 * equal steps has a node at these times. */
static const scenario SCENARIOS[] = {
    {"slide", {-2.0, 2.0}, {0.5, -2.0}},
    {"corner", {1.6740398797398677, 0.30384048104052974}, {0.25, -2.0}},
    {"graze", {1.7320508075688772, 0.0}, {-1.0, -1.0}}};

/* The vector that was given, else the scenario's, which is written back. */
static il_status choose_start(il_params *params, const char *key, const double *derived,
                              double *out, il_error *err) {
    if (!il_params_given(params, key)) {
        il_params_derive(params, key, derived, 2);
    }
    return il_params_expand(params, key, false, out, 2, err);
}

static il_status create(il_problem *self, il_params *params, il_error *err) {
    vibroimpact *w = self->data;
    const scenario *chosen = SCENARIOS;
    while (strcmp(chosen->name, il_params_choice(params, "scenario")) != 0) {
        chosen++;
        assert(chosen < SCENARIOS + sizeof SCENARIOS / sizeof SCENARIOS[0]);
    }
    il_status status = choose_start(params, "q0", chosen->q0, w->q0, err);
    if (status == IL_OK) {
        status = choose_start(params, "u0", chosen->u0, w->u0, err);
    }
    if (status == IL_OK) {
        status = il_problem_set_masses(self, 2, NULL, err);
    }
    if (status != IL_OK) {
        return status;
    }
    self->order = 2;
    self->p = 2;
    /* Neither affine nor convex: g_1 is convex in q for x > 0 and concave for x < 0, g_2 convex for
     * x < 4 and concave for x > 4. In the valleys the linearised set is therefore larger than Q. */
    self->traits = IL_FORCE_FREE | IL_FORCE_OF_TIME;
    self->q0 = w->q0;
    self->u0 = w->u0;
    make_exact(self, w);
    return IL_OK;
}

static const il_param_spec params[] = {
    {"scenario", IL_PARAM_CHOICE, "slide", 0.0, 0.0, false, "slide,corner,graze", "1",
     "start to use where q0 or u0 is not given"},
    {"q0", IL_PARAM_VECTOR, NULL, -1e6, 1e6, false, "2", "length",
     "start (x, y), with y >= max(-x|x|, (x-4)|x-4|)/4; default by scenario"},
    {"u0", IL_PARAM_VECTOR, NULL, -1e6, 1e6, false, "2", "length/time",
     "velocity at the start; default by scenario"},
    {"T", IL_PARAM_NUMBER, "4", 0.0, INFINITY, true, NULL, "time", "horizon"},
    {.key = NULL}};

const il_problem_type il_problem_vibroimpact = {
    .name = "vibroimpact",
    .title = "a point above two sinking parabolic walls without second derivatives at two kinks",
    .statement =
        "q = (x, y), unit masses, no force, inelastic impact,\n"
        "g_1 = y + t + x|x|/4 >= 0,  g_2 = y + t - (x-4)|x-4|/4 >= 0.\n"
        "The copy of the paper that this was written from has lost the two formulas. This is one\n"
        "of the sets with the properties that it lists (f_i = -g_i): d_t f_i = d_y f_i = -1,\n"
        "hypomonotone gradients with gamma = 1/2, second derivatives missing at x = 0 and\n"
        "x = 4, and A4 where both are active. Another has max(x,0)^2 for x|x| and max(4-x,0)^2\n"
        "for -(x-4)|x-4|. The paper's bound sqrt(5)/2 on the gradients holds here only for\n"
        "|x| <= 1 (g_1) and |x-4| <= 1 (g_2); where both are active, at x = 2, they have length\n"
        "sqrt(2).\n"
        "g_1 is convex in q for x > 0 and concave for x < 0, g_2 convex for x < 4 and concave\n"
        "for x > 4.\n"
        "In the frame Y = y + t the set Y >= max(-x|x|, (x-4)|x-4|)/4 stands still: a valley\n"
        "for x < 0, a hill on (0,2), a right-angled corner at (2,-1), then the mirror image.\n"
        "Exact: straight flight; at contact the velocity relative to the frame keeps its\n"
        "tangential part; in the valleys the point then slides at constant speed, on the hills\n"
        "and at the kinks it flies off along the tangent; it rests, relative to the frame,\n"
        "where nothing tangential is left.\n"
        "slide: lands on the left valley at t = 4(sqrt(2) - 1), slides down and flies off at\n"
        "the kink x = 0. corner: falls into the corner at t = sqrt(1.7) and rests there. graze:\n"
        "meets the left valley at its kink x = 0 tangentially at t = sqrt(3), without a jump of\n"
        "velocity, and slides up. Any other start is solved in the same way.",
    .source = "Adly & Thieu 2022, section 5",
    .hypotheses =
        "AT A1-A4: this is their example. A1, A2: v = (0,1) and mu = 1 for f = -g, gamma = 1/2,\n"
        "the gradients Lipschitz. Their bound sqrt(5)/2 on the gradients holds only for |x| <=\n"
        "1 (|x-4| <= 1); any bounded range of x has one. A4: at the corner, x = 2, the\n"
        "gradients (1,1) and (-1,1) are at right angles. Theorem 4.1 applies.\n"
        "BL: no. They take every g_i convex in q, and g_1 is not for x < 0, g_2 not for x > 4:\n"
        "there nodes need not be feasible under maury and venel. Nor is g twice differentiable\n"
        "at x = 0 and x = 4, as (A4) says; but they note that C^{1+eps} would do, which it is.\n"
        "Maury's Theorem 1: no, two constraints, and they move.",
    .params = params,
    .size = sizeof(vibroimpact),
    .create = create,
    .row = row,
    .curvature = curvature,
    .rolling = rolling};
