/*
 * charged.c - two spheres in space that repel each other like charges (Maury 2006, Remark 2).
 *
 *     m_i q_i'' = -grad_i K/|q_2 - q_1| + reactions,   |q_2 - q_1| >= r_1 + r_2,   u+ = P_C u-.
 *
 * The force is singular only where centres coincide, which the constraints exclude.
 *
 * Exact for spheres that move on their line of centres, d the distance, m = m_1 m_2/(m_1 + m_2):
 *
 *     m d'' = K/d^2,   E = m d'^2/2 + K/d,   d = a (1 + cosh s),   s + sinh s = w t + const,
 *     a = K/(2 E),   w = (K/(m a^3))^(1/2),   d' = a w tanh(s/2).
 *
 * They touch if they approach with E > K/S, S the sum of the radii, at d' = -(2 (E - K/S)/m)^(1/2),
 * lose d', and part again from s = 0, d = S, a = S/2: the force never holds them. s comes from d'
 * by atanh, s(t) from Kepler's equation by Newton's method.
 */
#include <math.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "problems/problem.h"
#include "problems/spheres/pairs.h"

enum { SPACE = 3, D = 2 * SPACE };

/* d from t on: s + sinh s = w (t - t0) + tau. */
typedef struct {
    double t, a, w, tau;
} piece;

typedef struct {
    double K;
    double q0[D], u0[D], m[D], r[2]; /* one mass a coordinate */
    double centre[SPACE], drift[SPACE], e[SPACE];
    double share[2];         /* m_2/(m_1 + m_2), m_1/(m_1 + m_2) */
    double contact, impulse; /* of the impact; INFINITY without one */
    piece pieces[2];
    double breaks[3];
} charged;

static il_status row(const il_problem *self, double t, const double *q, size_t id, il_rows *rows) {
    const charged *w = self->data;
    (void)t;
    return il_pair_row(SPACE, q, 0, 1, w->r[0] + w->r[1], 0.0, id, rows);
}

static double curvature(const il_problem *self, double t, const double *q, const double *u,
                        size_t id) {
    (void)self;
    (void)t;
    (void)id;
    return il_pair_curvature(SPACE, q, u, 0, 1);
}

static double rolling(const il_problem *self, double t, size_t id) {
    const charged *w = self->data;
    (void)t;
    (void)id;
    return w->r[0] + w->r[1];
}

static void radii(const il_problem *self, double t, double *r) {
    const charged *w = self->data;
    (void)t;
    memcpy(r, w->r, sizeof w->r);
}

static void force(const il_problem *self, double t, const double *q, double *f) {
    const charged *w = self->data;
    double d = NAN;
    double e[SPACE] = {NAN, NAN, NAN};
    (void)t;
    (void)il_pair_direction(SPACE, q, 0, 1, &d, e); /* coinciding centres: NaN, or infinite */
    for (size_t c = 0; c < SPACE; c++) {
        f[SPACE + c] = w->K / (d * d) * e[c];
        f[c] = -f[SPACE + c];
    }
}

/* It does not depend on t. */
static void force_mean(const il_problem *self, double t0, double t1, const double *q, double *f) {
    (void)t1;
    force(self, t0, q, f);
}

/* ---- two on a line -------------------------------------------------------------------------- */

/* s with s + sinh s = tau: from asinh(tau/2), which is between s/2 and s, by Newton. */
static double kepler(double tau) {
    double s = il_asinh(0.5 * tau);
    for (int k = 0; k < 60; k++) {
        double step = (s + il_sinh(s) - tau) / (1.0 + il_cosh(s));
        s -= step;
        if (fabs(step) <= 1e-15 * (1.0 + fabs(s))) {
            break;
        }
    }
    return s;
}

static void distance(const piece *p, double t, double *d, double *rate) {
    double s = kepler(p->w * (t - p->t) + p->tau);
    *d = p->a * (1.0 + il_cosh(s));
    *rate = p->a * p->w * il_tanh(0.5 * s);
}

static void exact_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const charged *w = exact->data;
    double d = 0.0;
    double rate = 0.0;
    distance(&w->pieces[il_exact_piece(exact, t, side)], t, &d, &rate);
    for (size_t c = 0; c < SPACE; c++) {
        double middle = w->centre[c] + t * w->drift[c];
        q[c] = middle - w->share[0] * d * w->e[c];
        q[SPACE + c] = middle + w->share[1] * d * w->e[c];
        u[c] = w->drift[c] - w->share[0] * rate * w->e[c];
        u[SPACE + c] = w->drift[c] + w->share[1] * rate * w->e[c];
    }
}

static void exact_impulse(const il_exact *exact, double t, int side, double *Lambda) {
    const charged *w = exact->data;
    bool met = w->contact == 0.0 || il_exact_piece(exact, t, side) > 0;
    Lambda[0] = met ? w->impulse : 0.0;
}

/* From the distance d at the rate v, at t = 0; the time of contact, INFINITY without one. */
static double solve(charged *w, double m, double d, double v) {
    double S = w->r[0] + w->r[1];
    double E = 0.5 * m * v * v + w->K / d;
    double a = 0.5 * w->K / E;
    double fast = sqrt(2.0 * E / m); /* a w */
    double s = 2.0 * il_atanh(v / fast);
    w->pieces[0] = (piece){0.0, a, fast / a, s + il_sinh(s)};
    if (!(v < 0.0 && E > w->K / S)) {
        return INFINITY;
    }
    double meets = -sqrt(2.0 * (E - w->K / S) / m);
    double at = 2.0 * il_atanh(meets / fast);
    double t = d <= S ? 0.0 : fmax(0.0, (at + il_sinh(at) - w->pieces[0].tau) * a / fast);
    w->impulse = -m * meets;
    w->pieces[1] = (piece){t, 0.5 * S, sqrt(w->K / m) / (0.5 * S * sqrt(0.5 * S)), 0.0};
    if (t == 0.0) {
        w->pieces[0] = w->pieces[1]; /* touching at the start */
    }
    return t;
}

/* Does the relative velocity point along the line, up to roundings? */
static void make_exact(il_problem *self, charged *w) {
    double d = 0.0;
    (void)il_pair_direction(SPACE, w->q0, 0, 1, &d,
                            w->e); /* a start with coinciding centres is refused */
    double total = w->m[0] + w->m[SPACE];
    double v = 0.0;
    double across = 0.0;
    double size = 0.0;
    for (size_t c = 0; c < SPACE; c++) {
        double relative = w->u0[SPACE + c] - w->u0[c];
        v += relative * w->e[c];
        size = fmax(size, fabs(relative));
        w->centre[c] = (w->m[0] * w->q0[c] + w->m[SPACE] * w->q0[SPACE + c]) / total;
        w->drift[c] = (w->m[0] * w->u0[c] + w->m[SPACE] * w->u0[SPACE + c]) / total;
    }
    for (size_t c = 0; c < SPACE; c++) {
        across = fmax(across, fabs(w->u0[SPACE + c] - w->u0[c] - v * w->e[c]));
    }
    if (!(across <= 1e-15 * size)) {
        self->no_exact = "the spheres do not move on the line of their centres";
        return;
    }
    w->share[0] = w->m[SPACE] / total;
    w->share[1] = w->m[0] / total;
    w->contact = solve(w, w->m[0] * w->share[0], d, v);
    il_problem_offer(
        self, (il_exact){.origin = "closed form, Kepler's equation solved to rounding",
                         .nbreaks = il_exact_breaks(w->breaks, &w->contact, 1, self->horizon),
                         .breaks = w->breaks,
                         .eval = exact_eval,
                         .impulse = exact_impulse});
}

/* ---- the problem ---------------------------------------------------------------------------- */

static il_status create(il_problem *self, il_params *params, il_error *err) {
    charged *w = self->data;
    const il_params_target vectors[] = {{"masses", w->m, 2, true},
                                        {"radii", w->r, 2, true},
                                        {"q0", w->q0, D, false},
                                        {"u0", w->u0, D, false},
                                        {.key = NULL}};
    il_status status = il_params_read(params, vectors, err);
    if (status != IL_OK) {
        return status;
    }
    w->K = il_params_number(params, "K");
    for (size_t k = D; k-- > 0;) {
        w->m[k] = w->m[k / SPACE]; /* downward: k/3 <= k is read before it is overwritten */
    }
    make_exact(self, w);
    self->order = 2;
    self->p = 1;
    self->space = SPACE;
    self->traits = IL_ROWS_CONVEX | IL_ROWS_FIXED | IL_ROWS_INVARIANT;
    self->q0 = w->q0;
    self->u0 = w->u0;
    return il_problem_set_masses(self, D, w->m, err);
}

static const il_param_spec params[] = {
    {"K", IL_PARAM_NUMBER, "0.5", 0.0, 1e100, true, NULL, "force length^2", "of the potential K/d"},
    {"masses", IL_PARAM_VECTOR, "1", 0.0, INFINITY, true, "1 or 2", "mass", "masses"},
    {"radii", IL_PARAM_VECTOR, "0.2", 0.0, INFINITY, true, "1 or 2", "length", "radii"},
    {"q0", IL_PARAM_VECTOR, "-0.75,0,0,0.75,0,0", -1e100, 1e100, false, "6", "length",
     "centres at 0"},
    {"u0", IL_PARAM_VECTOR, "2,0,0,-2,0,0", -1e100, 1e100, false, "6", "length/time",
     "velocities at 0"},
    {"T", IL_PARAM_NUMBER, "1", 0.0, INFINITY, true, NULL, "time", "horizon"},
    {.key = NULL}};

const il_problem_type il_problem_charged = {
    .name = "charged",
    .title = "two spheres that repel each other like charges and meet all the same",
    .statement =
        "m_i q_i'' = -grad_i K/|q_2 - q_1| + reactions, |q_2 - q_1| >= r_1 + r_2, inelastic\n"
        "impact. The force is singular where centres coincide, which the constraints exclude.\n"
        "Exact where they move on the line of their centres: d = a (1 + cosh s), s + sinh s = w t\n"
        "+ const, until they touch; then from d = r_1 + r_2 at rest again, since nothing holds\n"
        "them.",
    .source = "Maury 2006, Remark 2; solution derived in the head of its source",
    .hypotheses =
        "BL (A0)-(A5): yes, centres keep apart; the force is Lipschitz on Q by Maury's Remark 2.\n"
        "(A6): yes, one constraint. Theorem 1.3 applies, masses by Remark 4.1.\n"
        "Maury's Theorem 1: yes if the spheres are apart at the start. AT A1-A4: yes.",
    .params = params,
    .size = sizeof(charged),
    .create = create,
    .row = row,
    .curvature = curvature,
    .rolling = rolling,
    .force = force,
    .force_mean = force_mean,
    .radii = radii};
