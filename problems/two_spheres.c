/*
 * two_spheres.c - two spheres in R^3, alone or pressed together (Maury 2006, section 5: the single
 * contact for which convergence is proved).
 *
 *     m_1 q_1'' = F_1 - lambda e,  m_2 q_2'' = F_2 + lambda e,  e = w/|w|,  w = q_2 - q_1,
 *     |w| >= R = r_1 + r_2,  lambda >= 0 carried by |w| = R,  u+ = P_C u-,   F = 0 if "free".
 *
 * The centre of mass has the acceleration (F_1 + F_2)/(m_1 + m_2), 0 where F_2 = -F_1. What is left
 * is w, with mu = m_1 m_2/(m_1 + m_2):
 *
 *     w'' = a + (lambda/mu) w/R,  a = F_2/m_2 - F_1/m_1;  at an impact w' loses its part along e,
 *
 * which encounter.c follows.
 */
#include <math.h>
#include <string.h>

#include "harness/base/vector.h"
#include "problems/problem.h"
#include "problems/spheres/encounter.h"
#include "problems/spheres/pairs.h"

enum { SPACE = IL_ENCOUNTER_SPACE, DIM = 6 };

typedef struct {
    double q0[DIM], u0[DIM], m[2], radii[2], F[DIM];
    double R, a[SPACE];
    double centre[SPACE], drift[SPACE], pull[SPACE]; /* of mass, at 0, its velocity there, and its
                                                        acceleration */
    il_encounter *relative;                          /* w(t) */
} two_spheres;

static void exact_impulse(const il_exact *exact, double t, int side, double *Lambda) {
    const two_spheres *s = exact->data;
    Lambda[0] = il_encounter_impulse(s->relative, t, side);
}

static void exact_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const two_spheres *s = exact->data;
    double w[SPACE];
    double v[SPACE];
    il_encounter_eval(s->relative, t, side, w, v);
    const double share[2] = {-s->m[1] / (s->m[0] + s->m[1]), s->m[0] / (s->m[0] + s->m[1])};
    for (int c = 0; c < SPACE; c++) {
        for (int i = 0; i < 2; i++) {
            q[SPACE * i + c] =
                s->centre[c] + t * (s->drift[c] + 0.5 * t * s->pull[c]) + share[i] * w[c];
            u[SPACE * i + c] = s->drift[c] + t * s->pull[c] + share[i] * v[c];
        }
    }
}

/* ---- the problem -------------------------------------------------------------------------- */

static void radii(const il_problem *self, double t, double *r) {
    const two_spheres *s = self->data;
    (void)t;
    memcpy(r, s->radii, sizeof s->radii);
}

static il_status row(const il_problem *self, double t, const double *q, size_t id, il_rows *rows) {
    const two_spheres *s = self->data;
    (void)t;
    return il_pair_row(SPACE, q, 0, 1, s->R, 0.0, id, rows);
}

static double curvature(const il_problem *self, double t, const double *q, const double *u,
                        size_t id) {
    (void)self;
    (void)t;
    (void)id;
    return il_pair_curvature(SPACE, q, u, 0, 1);
}

static double rolling(const il_problem *self, double t, size_t id) {
    const two_spheres *s = self->data;
    (void)t;
    (void)id;
    return s->R;
}

static void force(const il_problem *self, double t, const double *q, double *f) {
    const two_spheres *s = self->data;
    (void)t;
    (void)q;
    memcpy(f, s->F, sizeof s->F);
}

static void force_mean(const il_problem *self, double t0, double t1, const double *q, double *f) {
    (void)t1;
    force(self, t0, q, f);
}

static void describe(const il_problem *self, size_t id, char *out, size_t capacity) {
    (void)self;
    il_pair_describe("sphere", id, out, capacity);
}

/* F, which belongs to "pressed" and is derived when not given: along x, toward the default second
 * sphere. */
static il_status read_force(two_spheres *s, il_params *params, bool free_fall, il_error *err) {
    size_t n = 0;
    const double *given = il_params_vector(params, "F", &n);
    if (n == DIM) {
        memcpy(s->F, given, sizeof s->F);
    } else if (n == SPACE) {
        memcpy(s->F, given, SPACE * sizeof *given);
    } else if (n > 0) {
        return il_fail(err, IL_EINVAL, "parameter 'F' has %zu values; allowed: 3 or 6", n);
    } else if (!free_fall) {
        s->F[0] = 2.0;
    }
    for (int c = 0; n != DIM && c < SPACE; c++) {
        s->F[SPACE + c] = -s->F[c];
    }
    if (free_fall && il_largest(s->F, DIM) > 0.0) {
        return il_fail(err, IL_EINVAL,
                       "parameter 'F' is (%g, %g, %g) but scenario 'free' has no force; "
                       "allowed: 0,0,0, or scenario=pressed",
                       s->F[0], s->F[1], s->F[2]);
    }
    il_params_derive(params, "F", s->F, n == DIM ? DIM : SPACE);
    return IL_OK;
}

static il_status read_params(two_spheres *s, il_params *params, bool free_fall, il_error *err) {
    const il_params_target vectors[] = {{"q0", s->q0, DIM, false},
                                        {"u0", s->u0, DIM, false},
                                        {"masses", s->m, 2, true},
                                        {"radii", s->radii, 2, true},
                                        {.key = NULL}};
    il_status status = il_params_read(params, vectors, err);
    if (status != IL_OK) {
        return status;
    }
    il_params_derive(params, "masses", s->m, 2);
    il_params_derive(params, "radii", s->radii, 2);
    return read_force(s, params, free_fall, err);
}

/* The centre of mass, the relative acceleration, the sum of the radii. */
static void reduce(two_spheres *s) {
    double total = s->m[0] + s->m[1];
    s->R = s->radii[0] + s->radii[1];
    for (int c = 0; c < SPACE; c++) {
        s->centre[c] = (s->m[0] * s->q0[c] + s->m[1] * s->q0[SPACE + c]) / total;
        s->drift[c] = (s->m[0] * s->u0[c] + s->m[1] * s->u0[SPACE + c]) / total;
        s->pull[c] = (s->F[c] + s->F[SPACE + c]) / total;
        s->a[c] = s->F[SPACE + c] / s->m[1] - s->F[c] / s->m[0];
    }
}

static void offer_exact(il_problem *self) {
    two_spheres *s = self->data;
    bool slides = s->relative->slides;
    il_problem_offer(
        self, (il_exact){.origin = slides ? "Taylor series of the spherical pendulum, events "
                                            "located to rounding"
                                          : "closed form",
                         .quadratic = !slides,
                         .nbreaks = s->relative->nbreaks,
                         .breaks = s->relative->breaks,
                         .eval = exact_eval,
                         .impulse = exact_impulse});
}

static il_status make_exact(il_problem *self, il_error *err) {
    two_spheres *s = self->data;
    double e[SPACE];
    double distance = 0.0;
    if (il_pair_direction(SPACE, s->q0, 0, 1, &distance, e) != IL_OK) {
        return il_fail(err, IL_EINVAL,
                       "parameter 'q0' puts both centres at (%g, %g, %g); they must be at least "
                       "r_1 + r_2 = %g apart",
                       s->q0[0], s->q0[1], s->q0[2], s->R);
    }
    if (distance < s->R * (1.0 - 1e-9)) {
        self->no_exact = "the spheres overlap at the start";
        return IL_OK; /* il_problem_create refuses it and names the distance */
    }
    double w[SPACE];
    double v[SPACE];
    for (int c = 0; c < SPACE; c++) {
        w[c] = s->q0[SPACE + c] - s->q0[c];
        v[c] = s->u0[SPACE + c] - s->u0[c];
    }
    double mu = s->m[0] * s->m[1] / (s->m[0] + s->m[1]);
    s->relative = il_encounter_create(self, s->R, mu, s->a, w, v);
    self->no_exact = s->relative->unsolved;
    if (self->no_exact == NULL) {
        offer_exact(self);
    }
    return IL_OK;
}

static il_status create(il_problem *self, il_params *params, il_error *err) {
    two_spheres *s = self->data;
    bool free_fall = strcmp(il_params_choice(params, "scenario"), "free") == 0;
    il_status status = read_params(s, params, free_fall, err);
    if (status != IL_OK) {
        return status;
    }
    reduce(s);
    double mass[DIM];
    for (int k = 0; k < DIM; k++) {
        mass[k] = s->m[k / SPACE];
    }
    status = il_problem_set_masses(self, DIM, mass, err);
    if (status != IL_OK) {
        return status;
    }
    self->order = 2;
    self->p = 1;
    self->space = SPACE;
    self->traits = IL_ROWS_CONVEX | IL_ROWS_FIXED | IL_ROWS_INVARIANT | IL_ROWS_BALLS |
                   IL_FORCE_OF_TIME | (free_fall ? IL_FORCE_FREE : 0u);
    self->q0 = s->q0;
    self->u0 = s->u0;
    return make_exact(self, err);
}

static const il_param_spec params[] = {
    {"scenario", IL_PARAM_CHOICE, "free", 0.0, 0.0, false, "free,pressed", "1",
     "without force, or pressed together by F"},
    {"q0", IL_PARAM_VECTOR, "0,0,0,1.5,0.3,0.2", -INFINITY, INFINITY, false, "6", "length",
     "centres at 0, sphere 1 then sphere 2"},
    {"u0", IL_PARAM_VECTOR, "0.4,0.1,0,-0.5,-0.1,0.2", -INFINITY, INFINITY, false, "6", "velocity",
     "velocities at 0, sphere 1 then sphere 2"},
    {"masses", IL_PARAM_VECTOR, "1,2", 0.0, INFINITY, true, "1 or 2", "mass", "masses"},
    {"radii", IL_PARAM_VECTOR, "0.5,0.4", 0.0, INFINITY, true, "1 or 2", "length", "radii"},
    {"F", IL_PARAM_VECTOR, NULL, -INFINITY, INFINITY, false, "3 or 6", "force",
     "force on sphere 1, its opposite on sphere 2 (pressed: 2,0,0 unless given; free: 0,0,0); or "
     "both"},
    {"T", IL_PARAM_NUMBER, "2", 0.0, INFINITY, true, NULL, "time", "horizon"},
    {.key = NULL}};

const il_problem_type il_problem_two_spheres = {
    .name = "two_spheres",
    .title = "two spheres in space, free or pressed together: a single contact",
    .statement =
        "m1 q1'' = F1 - lambda e, m2 q2'' = F2 + lambda e, e the unit vector from 1 to 2, |q2 -\n"
        "q1| >= r1 + r2, inelastic impact: the normal part of the relative velocity is lost.\n"
        "free: F = 0. Straight lines until contact (root of a quadratic), then straight lines\n"
        "along the tangent plane. pressed: parabolas until contact (root of a quartic); if the\n"
        "spheres are pressed harder than they fly apart, w = q2 - q1 moves on the sphere |w| =\n"
        "R as a spherical pendulum until the reaction vanishes, then on a parabola again. The\n"
        "centre of mass moves uniformly throughout, or on a parabola where F2 is not -F1.",
    .source = "Maury 2006, section 5",
    .hypotheses =
        "BL (A0)-(A6): yes, one constraint, smooth and convex where the centres keep apart\n"
        "(Lemma 4.2); the force is constant. Theorem 1.3 applies, masses by Remark 4.1.\n"
        "Maury's Theorem 1: yes, this is its setting (one contact), if the start is inside, as\n"
        "by default. AT A1-A4: yes, the gradient has length sqrt(2) and is Lipschitz near the\n"
        "set.",
    .params = params,
    .size = sizeof(two_spheres),
    .create = create,
    .row = row,
    .curvature = curvature,
    .rolling = rolling,
    .radii = radii,
    .force = force,
    .force_mean = force_mean,
    .describe = describe};
