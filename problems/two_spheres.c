/*
 * two_spheres.c - two spheres in R^3, alone or pressed together (Maury 2006, section 5: the single
 * contact for which convergence is proved).
 *
 *     m_1 q_1'' = F - lambda e,  m_2 q_2'' = -F + lambda e,  e = w/|w|,  w = q_2 - q_1,
 *     |w| >= R = r_1 + r_2,  lambda >= 0 carried by |w| = R,  u+ = P_C u-,   F = 0 if "free".
 *
 * The centre of mass moves uniformly. What is left is w, with mu = m_1 m_2/(m_1 + m_2):
 *
 *     w'' = a + (lambda/mu) w/R,  a = -F/mu;  at an impact w' loses its part along e.
 *
 * Flight: w is a parabola; contact is the first time at which |w|^2 - R^2, a quartic (a quadratic
 * if a = 0), falls through zero. On the sphere |w| = R,
 *
 *     lambda R/mu = -(a.w + |w'|^2) = -(3 a.w + 2 E),  E = |w'|^2/2 - a.w  constant.
 *
 * Slide, while lambda > 0: a spherical pendulum. With lambda eliminated its equation is polynomial,
 *
 *     w'' = a - (3 a.w + 2 E) w / R^2,
 *
 * so its Taylor coefficients follow from a convolution, and the series is at once the integrator
 * and the dense output.
 *
 * Departure, when 3 z + 2 E = 0 for z = a.w: then z = -|w'|^2 <= 0, and as long as z <= 0 and
 * lambda <= 0 the slide's equation would give z'' = |a|^2 - (3 z + 2 E) z / R^2 >= |a|^2. So z
 * crosses that level upward, once, and cannot turn before z = 0, a quarter of the sphere away: a
 * sign change between the ends of a step is never missed, and with z' > 0 the parabola that
 * follows, |w|^2 - R^2 = s^3 (z' + |a|^2 s/4), never touches again.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problems/problem.h"
#include "problems/spheres/pairs.h"
#include "problems/spheres/roots.h"

enum { SPACE = 3, DIM = 6, ORDER = 30, IMPACTS_MAX = 64 };

/* Distances and normal speeds below this, relative to R and |v|, are the rounding of the start's
 * own coordinates: contact, and no approach. */
static const double TOUCH = 4.0 * DBL_EPSILON;
/* The last kept Taylor term, relative to R: far enough below DBL_EPSILON that its derivative,
 * ORDER/step times larger, is lost in rounding as well. */
static const double LAST_TERM = 1e-19;
/* No step of a slide is longer than this times sqrt(R/|a|): too short to cross a quarter, as
 * |w'|^2 < R |a| while pressed. */
static const double STEP_MAX = 0.5;

/* w(t) = sum_k w[k] s^k, s = (t - begin)/unit, until the next piece begins. */
typedef struct {
    double begin, unit;
    bool sliding; /* |w| = R */
    int degree;
    double w[ORDER + 1][SPACE];
    double impulse; /* of the contact up to the begin */
    double E;       /* energy of a slide */
} piece;

typedef struct {
    double q0[DIM], u0[DIM], m[2], radii[2], F[SPACE];
    double R, a[SPACE];
    double centre[SPACE], drift[SPACE]; /* of mass, at 0, and its velocity */
    piece *pieces;
    size_t npieces, capacity;
    bool slides;
    const char *unsolved; /* why there is no exact solution, or NULL */
    size_t nbreaks;
    double breaks[2 * IMPACTS_MAX + 4];
    il_exact exact;
} two_spheres;

/* The relative motion at an instant. */
typedef struct {
    double t, w[SPACE], v[SPACE];
    double impulse; /* of the contact so far */
} motion;

/* How many leading coefficients of |w|^2 - R^2 in time vanish: which state a flight starts from. */
typedef enum { APART = 0, PARTING = 1, TOUCHING = 2, DEPARTED = 3 } contact;

static double dot(const double *x, const double *y) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static double norm(const double *x) {
    return sqrt(dot(x, x));
}

/* Put w on the sphere |w| = R and v into its tangent plane. */
static void settle(double R, double *w, double *v) {
    double length = norm(w);
    for (int c = 0; c < SPACE; c++) {
        w[c] *= R / length;
    }
    double normal = dot(v, w) / (R * R);
    for (int c = 0; c < SPACE; c++) {
        v[c] -= normal * w[c];
    }
}

static void piece_eval(const piece *p, double R, double t, double *w, double *v) {
    double s = (t - p->begin) / p->unit;
    for (int c = 0; c < SPACE; c++) {
        w[c] = p->w[p->degree][c];
        v[c] = 0.0;
        for (int k = p->degree; k-- > 0;) {
            v[c] = v[c] * s + w[c];
            w[c] = w[c] * s + p->w[k][c];
        }
        v[c] /= p->unit;
    }
    if (p->sliding) {
        settle(R, w, v);
    }
}

/* The momentum that the contact takes from a normal velocity, mu |v_n|, where w presses inward. */
static double percussion(const two_spheres *s, const double *w, const double *v) {
    double normal = dot(w, v) / norm(w);
    return normal < 0.0 ? -normal * (s->m[0] * s->m[1] / (s->m[0] + s->m[1])) : 0.0;
}

/* ---- flight ------------------------------------------------------------------------------- */

/* When straight lines meet: the smaller root of |v|^2 s^2 + 2 w.v s + |w|^2 - R^2, in the form
 * without cancellation; the discriminant is |v|^2 R^2 - |w x v|^2. INFINITY if they do not, or
 * only graze. */
static double straight_contact(const two_spheres *s, const motion *x) {
    const double *w = x->w;
    const double *v = x->v;
    double cross[SPACE] = {w[1] * v[2] - w[2] * v[1], w[2] * v[0] - w[0] * v[2],
                           w[0] * v[1] - w[1] * v[0]};
    double miss = norm(cross);
    double reach = norm(v) * s->R;
    double approach = -dot(w, v);
    if (!(approach > 0.0 && miss < reach)) {
        return INFINITY;
    }
    double length = norm(w);
    return (length - s->R) * (length + s->R) / (approach + sqrt((reach - miss) * (reach + miss)));
}

/* The time from x to the next contact of a flight, INFINITY if there is none within top, NAN if
 * the numbers are too large to tell. */
static double next_contact(const two_spheres *s, const motion *x, contact from, double top) {
    if (dot(s->a, s->a) == 0.0) {
        double wait = from == APART ? straight_contact(s, x) : INFINITY;
        return wait < top ? wait : INFINITY;
    }
    double length = norm(x->w);
    double c[5] = {(length - s->R) * (length + s->R), 2.0 * dot(x->w, x->v),
                   dot(x->v, x->v) + dot(s->a, x->w), dot(s->a, x->v), 0.25 * dot(s->a, s->a)};
    double reach = il_polynomial(c, 4, top);
    if (!isfinite(reach)) {
        return NAN;
    }
    double z[4];
    int n = il_sign_changes(c + from, 4 - (int)from, top, true, z);
    return n > 0 ? z[0] : INFINITY;
}

/* ---- pieces and events -------------------------------------------------------------------- */

static il_status add_piece(two_spheres *s, const piece *p, il_error *err) {
    if (s->npieces == s->capacity) {
        size_t capacity = s->capacity > 0 ? 2 * s->capacity : 16;
        piece *pieces = realloc(s->pieces, capacity * sizeof *pieces);
        if (pieces == NULL) {
            return il_fail(err, IL_ENOMEM, "no memory for %zu pieces of the exact solution",
                           capacity);
        }
        s->pieces = pieces;
        s->capacity = capacity;
    }
    s->pieces[s->npieces++] = *p;
    return IL_OK;
}

/* Breaks increase strictly: two events that rounding cannot tell apart share one. */
static void add_break(two_spheres *s, double t, double T) {
    if (t > s->breaks[s->nbreaks - 1] && t < T) {
        s->breaks[s->nbreaks++] = t;
    }
}

/* Does contact need a reaction at x? lambda = 0 with z' < 0 counts: it is about to. */
static bool pressed(const two_spheres *s, const motion *x) {
    double lambda = -(dot(s->a, x->w) + dot(x->v, x->v));
    return lambda > 0.0 || (lambda == 0.0 && dot(s->a, x->v) < 0.0);
}

/* Fly from x to the next contact, where the normal velocity is lost; x->t = T if there is none. */
static il_status fly(two_spheres *s, motion *x, contact from, double T, il_error *err) {
    piece p = {.begin = x->t, .unit = 1.0, .degree = 2, .impulse = x->impulse};
    for (int c = 0; c < SPACE; c++) {
        p.w[0][c] = x->w[c];
        p.w[1][c] = x->v[c];
        p.w[2][c] = 0.5 * s->a[c];
    }
    double wait = next_contact(s, x, from, T - x->t);
    if (isnan(wait)) {
        s->unsolved = "distances or speeds before the horizon are beyond the range of doubles";
    }
    if (wait < INFINITY) {
        piece_eval(&p, s->R, x->t + wait, x->w, x->v);
        x->impulse += percussion(s, x->w, x->v);
        settle(s->R, x->w, x->v);
        x->t += wait;
        add_break(s, x->t, T);
    } else {
        x->t = T;
    }
    return add_piece(s, &p, err);
}

/* The Taylor coefficients of the slide from x, with time in units of sqrt(R/|a|) so that they stay
 * near R for every force: with z = a.w,
 * (k+1)(k+2) w_{k+2} = a [k = 0] - (2 E w_k + 3 sum_j z_j w_{k-j}) / R^2. Returns the step. */
static double expand(const two_spheres *s, const motion *x, double E, piece *p) {
    double unit = sqrt(s->R / norm(s->a));
    double z[ORDER + 1];
    *p = (piece){.begin = x->t,
                 .unit = unit,
                 .sliding = true,
                 .degree = ORDER,
                 .impulse = x->impulse,
                 .E = E};
    for (int c = 0; c < SPACE; c++) {
        p->w[0][c] = x->w[c];
        p->w[1][c] = x->v[c] * unit;
    }
    for (int k = 0; k + 2 <= ORDER; k++) {
        z[k] = dot(s->a, p->w[k]);
        for (int c = 0; c < SPACE; c++) {
            double sum = 2.0 * E * p->w[k][c];
            for (int j = 0; j <= k; j++) {
                sum += 3.0 * z[j] * p->w[k - j][c];
            }
            p->w[k + 2][c] = unit * unit * ((k == 0 ? s->a[c] : 0.0) - sum / (s->R * s->R)) /
                             ((k + 1) * (k + 2));
        }
    }
    double step = STEP_MAX;
    bool still = true; /* an exact equilibrium needs no second step */
    for (int k = 1; k <= ORDER; k++) {
        double size = norm(p->w[k]);
        still = still && size == 0.0;
        if (k >= ORDER - 1 && size > 0.0) {
            step = fmin(step, pow(LAST_TERM * s->R / size, 1.0 / k));
        }
    }
    return still ? INFINITY : step * unit;
}

/* The impulse of the contact up to t on piece p: int lambda = -(mu/R) int (3 z + 2 E), the series
 * of z = a.w integrated term by term. */
static double piece_impulse(const two_spheres *s, const piece *p, double t) {
    if (!p->sliding) {
        return p->impulse;
    }
    double x = (t - p->begin) / p->unit;
    double sum = 0.0;
    for (int k = p->degree; k >= 0; k--) {
        sum = sum * x + dot(s->a, p->w[k]) / (k + 1);
    }
    double mu = s->m[0] * s->m[1] / (s->m[0] + s->m[1]);
    return p->impulse - mu / s->R * (t - p->begin) * (3.0 * sum + 2.0 * p->E);
}

/* 3 z + 2 E on piece p, negative while pressed. */
static double tension(const two_spheres *s, const piece *p, double E, double t) {
    double w[SPACE];
    double v[SPACE];
    piece_eval(p, s->R, t, w, v);
    return 3.0 * dot(s->a, w) + 2.0 * E;
}

/* Slide from x until the reaction vanishes, or until T. */
static il_status slide(two_spheres *s, motion *x, double T, il_error *err) {
    bool held = true;
    s->slides = true;
    while (held && x->t < T) {
        piece p;
        double E = 0.5 * dot(x->v, x->v) - dot(s->a, x->w);
        double end = fmin(T, x->t + expand(s, x, E, &p));
        if (!(end > x->t)) {
            s->unsolved = "the pendulum phase is too fast for times of this size";
            return IL_OK;
        }
        il_status status = add_piece(s, &p, err);
        if (status != IL_OK) {
            return status;
        }
        held = tension(s, &p, E, end) <= 0.0;
        double lo = x->t;
        while (!held) {
            double mid = lo + 0.5 * (end - lo);
            if (!(mid > lo && mid < end)) {
                break;
            }
            if (tension(s, &p, E, mid) <= 0.0) {
                lo = mid;
            } else {
                end = mid;
            }
        }
        piece_eval(&p, s->R, end, x->w, x->v);
        x->impulse = piece_impulse(s, &p, end);
        x->t = end;
    }
    add_break(s, x->t, T);
    return IL_OK;
}

/* The start, made exact where it is in contact to rounding. */
static contact begin(const two_spheres *s, motion *x) {
    x->t = x->impulse = 0.0;
    for (int c = 0; c < SPACE; c++) {
        x->w[c] = s->q0[SPACE + c] - s->q0[c];
        x->v[c] = s->u0[SPACE + c] - s->u0[c];
    }
    double length = norm(x->w);
    double normal = dot(x->w, x->v) / length;
    if (length - s->R > TOUCH * s->R) {
        return APART;
    }
    if (normal > TOUCH * norm(x->v)) {
        for (int c = 0; c < SPACE; c++) {
            x->w[c] *= s->R / length;
        }
        return PARTING;
    }
    x->impulse = percussion(s, x->w, x->v);
    settle(s->R, x->w, x->v);
    return TOUCHING;
}

/* Flights and slides from 0 to T. */
static il_status solve(two_spheres *s, double T, il_error *err) {
    motion x;
    contact state = begin(s, &x);
    s->breaks[s->nbreaks++] = 0.0;
    for (int impacts = 0; x.t < T && s->unsolved == NULL; impacts++) {
        if (impacts > IMPACTS_MAX) {
            s->unsolved = "more than 64 impacts before the horizon";
            return IL_OK;
        }
        il_status status = IL_OK;
        if (state == TOUCHING && pressed(s, &x)) {
            status = slide(s, &x, T, err);
            state = DEPARTED;
        }
        if (status == IL_OK && x.t < T && s->unsolved == NULL) {
            status = fly(s, &x, state, T, err);
            state = TOUCHING;
        }
        if (status != IL_OK) {
            return status;
        }
    }
    s->breaks[s->nbreaks++] = T;
    return IL_OK;
}

/* The piece that holds t. */
static const piece *piece_at(const two_spheres *s, double t, int side) {
    size_t lo = 0;
    size_t hi = s->npieces;
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        double at = s->pieces[mid].begin;
        if (side < 0 ? at < t : at <= t) {
            lo = mid;
        } else {
            hi = mid;
        }
    }
    return &s->pieces[lo];
}

static void exact_impulse(const il_exact *exact, double t, int side, double *Lambda) {
    const two_spheres *s = exact->data;
    Lambda[0] = piece_impulse(s, piece_at(s, t, side), t);
}

static void exact_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const two_spheres *s = exact->data;
    double w[SPACE];
    double v[SPACE];
    piece_eval(piece_at(s, t, side), s->R, t, w, v);
    const double share[2] = {-s->m[1] / (s->m[0] + s->m[1]), s->m[0] / (s->m[0] + s->m[1])};
    for (int c = 0; c < SPACE; c++) {
        for (int i = 0; i < 2; i++) {
            q[SPACE * i + c] = s->centre[c] + t * s->drift[c] + share[i] * w[c];
            u[SPACE * i + c] = s->drift[c] + share[i] * v[c];
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

static void force(const il_problem *self, double t, const double *q, double *f) {
    const two_spheres *s = self->data;
    (void)t;
    (void)q;
    for (int c = 0; c < SPACE; c++) {
        f[c] = s->F[c];
        f[SPACE + c] = -s->F[c];
    }
}

static void force_mean(const il_problem *self, double t0, double t1, const double *q, double *f) {
    (void)t1;
    force(self, t0, q, f);
}

static void describe(const il_problem *self, size_t id, char *out, size_t capacity) {
    (void)self;
    il_pair_describe("sphere", id, out, capacity);
}

static void destroy(il_problem *self) {
    two_spheres *s = self->data;
    il_metric_destroy(self->mass);
    if (s != NULL) {
        free(s->pieces);
    }
    free(s);
}

/* F, which belongs to "pressed" and is derived when not given: along x, toward the default second
 * sphere. */
static il_status read_force(two_spheres *s, il_params *params, bool free_fall, il_error *err) {
    static const double along_x[SPACE] = {2.0, 0.0, 0.0};
    if (il_params_has(params, "F")) {
        il_status status = il_params_expand(params, "F", false, s->F, SPACE, err);
        if (status != IL_OK) {
            return status;
        }
        if (free_fall && norm(s->F) != 0.0) {
            return il_fail(err, IL_EINVAL,
                           "parameter 'F' is (%g, %g, %g) but scenario 'free' has no force; "
                           "allowed: 0,0,0, or scenario=pressed",
                           s->F[0], s->F[1], s->F[2]);
        }
    } else if (!free_fall) {
        memcpy(s->F, along_x, sizeof along_x);
    }
    return il_params_derive(params, "F", s->F, SPACE);
}

static il_status read_params(two_spheres *s, il_params *params, bool free_fall, il_error *err) {
    il_status status = il_params_expand(params, "q0", false, s->q0, DIM, err);
    if (status == IL_OK) {
        status = il_params_expand(params, "u0", false, s->u0, DIM, err);
    }
    if (status == IL_OK) {
        status = il_params_expand(params, "masses", true, s->m, 2, err);
    }
    if (status == IL_OK) {
        status = il_params_expand(params, "radii", true, s->radii, 2, err);
    }
    if (status == IL_OK) {
        status = il_params_derive(params, "masses", s->m, 2);
    }
    if (status == IL_OK) {
        status = il_params_derive(params, "radii", s->radii, 2);
    }
    return status == IL_OK ? read_force(s, params, free_fall, err) : status;
}

/* The centre of mass, the relative acceleration, the sum of the radii. */
static void reduce(two_spheres *s) {
    double total = s->m[0] + s->m[1];
    s->R = s->radii[0] + s->radii[1];
    for (int c = 0; c < SPACE; c++) {
        s->centre[c] = (s->m[0] * s->q0[c] + s->m[1] * s->q0[SPACE + c]) / total;
        s->drift[c] = (s->m[0] * s->u0[c] + s->m[1] * s->u0[SPACE + c]) / total;
        s->a[c] = -s->F[c] / s->m[1] - s->F[c] / s->m[0];
    }
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
    il_status status = solve(s, self->horizon, err);
    if (status != IL_OK) {
        return status;
    }
    if (s->unsolved != NULL) {
        self->no_exact = s->unsolved;
        return IL_OK;
    }
    s->exact = (il_exact){.name = "exact",
                          .origin = s->slides ? "Taylor series of the spherical pendulum, events "
                                                "located to rounding"
                                              : "closed form",
                          .quadratic = !s->slides,
                          .nbreaks = s->nbreaks,
                          .breaks = s->breaks,
                          .eval = exact_eval,
                          .data = s,
                          .impulse = exact_impulse};
    self->nexact = 1;
    self->exact = &s->exact;
    return IL_OK;
}

static il_status create(il_problem *self, il_params *params, double horizon, il_error *err) {
    two_spheres *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for the problem");
    }
    self->data = s;
    bool free_fall = strcmp(il_params_choice(params, "scenario"), "free") == 0;
    il_status status = read_params(s, params, free_fall, err);
    if (status != IL_OK) {
        goto fail;
    }
    reduce(s);
    double mass[DIM];
    for (int k = 0; k < DIM; k++) {
        mass[k] = s->m[k / SPACE];
    }
    status = il_metric_diagonal(&self->mass, DIM, mass, err);
    if (status != IL_OK) {
        goto fail;
    }
    self->order = 2;
    self->d = DIM;
    self->p = 1;
    self->space = SPACE;
    self->horizon = horizon > 0.0 ? horizon : il_params_number(params, "T");
    self->traits = IL_ROWS_CONVEX | IL_ROWS_FIXED | IL_ROWS_INVARIANT | IL_FORCE_OF_TIME |
                   (free_fall ? IL_FORCE_FREE : 0u);
    self->q0 = s->q0;
    self->u0 = s->u0;
    status = make_exact(self, err);
    if (status == IL_OK) {
        return IL_OK;
    }
fail:
    destroy(self);
    return status;
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
    {"F", IL_PARAM_VECTOR, NULL, -INFINITY, INFINITY, false, "3", "force",
     "force on sphere 1, its opposite on sphere 2 (pressed: 2,0,0 unless given; free: 0,0,0)"},
    {"T", IL_PARAM_NUMBER, "2", 0.0, INFINITY, true, NULL, "time", "horizon"},
    {.key = NULL}};

const il_problem_type il_problem_two_spheres = {
    .name = "two_spheres",
    .title = "two spheres in space, free or pressed together: a single contact",
    .statement =
        "m1 q1'' = F - lambda e, m2 q2'' = -F + lambda e, e the unit vector from 1 to 2,\n"
        "|q2 - q1| >= r1 + r2, inelastic impact: the normal part of the relative velocity is "
        "lost.\n"
        "free: F = 0. Straight lines until contact (root of a quadratic), then straight lines\n"
        "along the tangent plane. pressed: parabolas until contact (root of a quartic); if the\n"
        "spheres are pressed harder than they fly apart, w = q2 - q1 moves on the sphere |w| = R\n"
        "as a spherical pendulum until the reaction vanishes, then on a parabola again. The "
        "centre\n"
        "of mass moves uniformly throughout.",
    .source = "Maury 2006, section 5",
    .hypotheses = "BL (A0)-(A6): yes, one constraint, smooth and convex where the centres keep "
                  "apart (Lemma 4.2); the\n"
                  "force is constant. Theorem 1.3 applies, masses by Remark 4.1.\n"
                  "Maury's Theorem 1: yes, this is its setting (one contact), if the start is "
                  "inside, as by default.\n"
                  "AT A1-A4: yes, the gradient has length sqrt(2) and is Lipschitz near the set.",
    .params = params,
    .create = create,
    .destroy = destroy,
    .row = row,
    .curvature = curvature,
    .radii = radii,
    .force = force,
    .force_mean = force_mean,
    .describe = describe};
