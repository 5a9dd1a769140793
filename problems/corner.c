/*
 * corner.c - a point between two half-planes that meet at an angle theta, 0 < theta < pi.
 *
 *     M u' = f + lambda_l n_l + lambda_r n_r,   <n_l, q> >= 0,  <n_r, q> >= 0,   u+ = P_C(u-),
 *     n_l = (cos(theta/2), sin(theta/2)),   n_r = (-cos(theta/2), sin(theta/2)),
 *
 * f constant, M any symmetric positive definite matrix. The set opens upward from its apex 0.
 *
 * Exact solution. With M = L L' and z = L' q the metric is Euclid's and the set a corner between
 * the unit normals L^{-1} n/|L^{-1} n|, at the angle that the metric sees. There the motion is a
 * chain of parabolas: at an event u loses what points out of the tangent cone C; faces with <n, u>
 * > 0 are left; the acceleration is the projection of M^{-1} f onto the cone of the rest. As f is
 * constant, a point that slides goes on sliding until it meets the other face, at the apex.
 *
 * Where the metric's angle is right or acute, a point that slides into the apex stops. Where it is
 * obtuse, P_C turns its speed s into s |cos theta| along the other face, and the motion depends
 * discontinuously on its start: the convergence theorems exclude such angles (Adly & Thieu, A4).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/base/text.h"
#include "problems/problem.h"

enum { EVENTS_MAX = 512, LEFT = 1, RIGHT = 2, BOTH = 3 };

/* A start, or the place of an impact, is on a face up to this part of the distances at hand. */
static const double TOUCH = 1e-12;

/* Impacts can accumulate at the apex. Once the speed there is this part of the largest since the
 * start, what is left of it moves the point by less than rounding. */
static const double SPENT = 1e-16;

/* z(t) = z + s v + s^2/2 a from begin on, s = t - begin. */
typedef struct {
    double begin, z[2], v[2], a[2];
} piece;

typedef struct {
    double theta, n[2][2]; /* the normals as rows see them */
    double q0[2], u0[2], f[2];
    double w[2][2]; /* in z: unit normals, */
    double acc[2];  /* L^{-1} f, */
    double fastest; /* and the largest speed so far */
    size_t n_pieces;
    piece pieces[EVENTS_MAX];
    double breaks[EVENTS_MAX + 1];
    const il_metric *mass;
} corner;

static double dot(const double *x, const double *y) {
    return x[0] * y[0] + x[1] * y[1];
}

/* ---- exact solution ----------------------------------------------------------------------- */

/* v onto { v : <w_k, v> >= 0 for the faces in set }. In the cone of both: v itself, its projection
 * onto one face if that satisfies the other, or 0. *on receives the faces with <w_k, v> = 0. */
static void project(const corner *c, int set, double *v, int *on) {
    double g[2] = {dot(c->w[0], v), dot(c->w[1], v)};
    *on = 0;
    for (int k = 0; k < 2; k++) {
        *on |= (set >> k & 1) && g[k] == 0.0 ? 1 << k : 0;
    }
    bool inside = (!(set & LEFT) || g[0] >= 0.0) && (!(set & RIGHT) || g[1] >= 0.0);
    if (inside) {
        return;
    }
    for (int k = 0; k < 2; k++) {
        double along[2] = {v[0] - g[k] * c->w[k][0], v[1] - g[k] * c->w[k][1]};
        bool alone = (set >> (1 - k) & 1) == 0;
        if ((set >> k & 1) && g[k] < 0.0 && (alone || dot(c->w[1 - k], along) > 0.0)) {
            memcpy(v, along, sizeof along);
            *on = 1 << k;
            return;
        }
    }
    v[0] = v[1] = 0.0;
    *on = BOTH;
}

/* The first s > 0 at which g + v s + a s^2/2 falls through 0, from g >= 0; INFINITY if never. */
static double fall(double g, double v, double a) {
    if (g == 0.0) {
        return a < 0.0 && v > 0.0 ? -2.0 * v / a : INFINITY;
    }
    double square = v * v - 2.0 * a * g;
    if (square <= 0.0 || (v >= 0.0 && a >= 0.0)) {
        return INFINITY;
    }
    double root = sqrt(square);
    return v <= 0.0 ? 2.0 * g / (root - v) : -(v + root) / a;
}

/* The faces that the point at z touches, of those in `near`; z is put onto them. */
static int settle(const corner *c, int touched, double size, double *z) {
    for (int k = 0; k < 2; k++) {
        if (!(touched >> k & 1) && fabs(dot(c->w[k], z)) <= TOUCH * size) {
            touched |= 1 << k;
        }
    }
    for (int k = 0; k < 2 && touched != BOTH; k++) {
        double g = dot(c->w[k], z);
        for (int i = 0; (touched >> k & 1) && i < 2; i++) {
            z[i] -= g * c->w[k][i];
        }
    }
    if (touched == BOTH) {
        z[0] = z[1] = 0.0;
    }
    return touched;
}

/* From p, touching the faces in `touched`: the velocity and acceleration after the event. Returns
 * the faces that p slides on. */
static int depart(corner *c, int touched, piece *p) {
    int tangent = 0;
    int held = 0;
    project(c, touched, p->v, &tangent);
    double speed = il_hypot(p->v[0], p->v[1]);
    if (touched == BOTH && speed <= SPENT * c->fastest) {
        p->v[0] = p->v[1] = 0.0;
        tangent = BOTH;
    }
    c->fastest = fmax(c->fastest, speed);
    memcpy(p->a, c->acc, sizeof p->a);
    project(c, tangent, p->a, &held);
    return held;
}

/* All pieces until T; false if there are too many. */
static bool solve(corner *c, piece p, double T) {
    double size = 1.0 + il_hypot(p.z[0], p.z[1]);
    int touched = settle(c, 0, size, p.z);
    c->fastest = il_hypot(p.v[0], p.v[1]);
    while (c->n_pieces < EVENTS_MAX) {
        int held = depart(c, touched, &p);
        c->breaks[c->n_pieces] = p.begin;
        c->pieces[c->n_pieces++] = p;
        double wait = INFINITY;
        int hit = 0;
        for (int k = 0; k < 2; k++) {
            double g = touched >> k & 1 ? 0.0 : dot(c->w[k], p.z);
            double s = fall(g, dot(c->w[k], p.v), dot(c->w[k], p.a));
            if (!(held >> k & 1) && s < wait) {
                wait = s;
                hit = 1 << k;
            }
        }
        if (!(p.begin + wait < T)) {
            c->breaks[c->n_pieces] = T;
            return true;
        }
        for (int i = 0; i < 2; i++) {
            p.z[i] += wait * (p.v[i] + 0.5 * wait * p.a[i]);
            p.v[i] += wait * p.a[i];
        }
        p.begin += wait;
        c->fastest = fmax(c->fastest, il_hypot(p.v[0], p.v[1]));
        touched = settle(c, held | hit, il_hypot(p.z[0], p.z[1]) + wait * c->fastest, p.z);
        if (!(p.begin > c->breaks[c->n_pieces - 1])) {
            c->n_pieces--; /* no time went by: the later motion holds */
        }
    }
    return false;
}

static void exact_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const corner *c = exact->data;
    const piece *p = &c->pieces[il_exact_piece(exact, t, side)];
    double s = t - p->begin;
    double z[2];
    double v[2];
    for (int i = 0; i < 2; i++) {
        z[i] = p->z[i] + s * (p->v[i] + 0.5 * s * p->a[i]);
        v[i] = p->v[i] + s * p->a[i];
    }
    il_metric_unwhiten(c->mass, z, q);
    il_metric_unwhiten(c->mass, v, u);
}

/* z = L' q, by columns of L^{-T}: M q = L z, so that z = L^{-1} M q. */
static void to_z(const il_metric *mass, const double *q, double *z) {
    double product[2];
    il_metric_mul(mass, q, product);
    il_metric_whiten(mass, product, z);
}

static void make_exact(il_problem *self) {
    corner *c = self->data;
    piece start = {.begin = 0.0};
    c->mass = self->mass;
    for (int k = 0; k < 2; k++) {
        il_metric_whiten(self->mass, c->n[k], c->w[k]);
        double length = il_hypot(c->w[k][0], c->w[k][1]);
        c->w[k][0] /= length;
        c->w[k][1] /= length;
    }
    il_metric_whiten(self->mass, c->f, c->acc);
    to_z(self->mass, c->q0, start.z);
    to_z(self->mass, c->u0, start.v);
    if (!solve(c, start, self->horizon)) {
        self->no_exact = "more than 500 impacts before the horizon";
        return;
    }
    il_problem_offer(self, (il_exact){.origin = "closed form between events",
                                      .quadratic = true,
                                      .nbreaks = c->n_pieces + 1,
                                      .breaks = c->breaks,
                                      .eval = exact_eval});
}

/* ---- the problem -------------------------------------------------------------------------- */

static il_status row(const il_problem *self, double t, const double *q, size_t id, il_rows *rows) {
    static const size_t col[2] = {0, 1};
    const corner *c = self->data;
    (void)t;
    il_rows_append(rows, id, dot(c->n[id], q), 0.0, 2, col, c->n[id]);
    return IL_OK;
}

static void describe(const il_problem *self, size_t id, char *out, size_t capacity) {
    (void)self;
    (void)snprintf(out, capacity, "the %s face", id == 0 ? "left" : "right");
}

static void force(const il_problem *self, double t, const double *q, double *f) {
    const corner *c = self->data;
    (void)t;
    (void)q;
    memcpy(f, c->f, sizeof c->f);
}

static void force_mean(const il_problem *self, double t0, double t1, const double *q, double *f) {
    (void)t1;
    force(self, t0, q, f);
}

/* One mass, two, or a matrix row by row. */
static il_status read_mass(il_problem *self, const il_params *params, il_error *err) {
    size_t n = 0;
    const double *m = il_params_vector(params, "mass", &n);
    if (n == 4) {
        return il_problem_set_matrix(self, 2, m, err);
    }
    if (n != 1 && n != 2) {
        return il_fail(err, IL_EINVAL, "parameter 'mass' has %zu values; allowed: 1, 2 or 4", n);
    }
    return il_problem_set_masses(self, 2, (const double[]){m[0], m[n - 1]}, err);
}

static il_status read(il_problem *self, il_params *params, il_error *err) {
    corner *c = self->data;
    c->theta = il_params_number(params, "angle");
    if (!(c->theta < M_PI)) {
        return il_fail(err, IL_EINVAL, "parameter 'angle' is %s; allowed: 0 < angle < pi",
                       il_text_numeral(c->theta).text);
    }
    const il_params_target vectors[] = {
        {"q0", c->q0, 2, false}, {"u0", c->u0, 2, false}, {"force", c->f, 2, false}, {.key = NULL}};
    il_status status = il_params_read(params, vectors, err);
    for (int k = 0; k < 2; k++) {
        c->n[k][0] = (k == 0 ? 1.0 : -1.0) * il_cos(0.5 * c->theta);
        c->n[k][1] = il_sin(0.5 * c->theta);
    }
    return status == IL_OK ? read_mass(self, params, err) : status;
}

static il_status create(il_problem *self, il_params *params, il_error *err) {
    corner *c = self->data;
    il_status status = read(self, params, err);
    if (status != IL_OK) {
        return status;
    }
    bool free_motion = c->f[0] == 0.0 && c->f[1] == 0.0;
    self->order = 2;
    self->p = 2;
    self->traits = IL_ROWS_AFFINE | IL_ROWS_CONVEX | IL_ROWS_FIXED | IL_FORCE_OF_TIME |
                   (free_motion ? IL_FORCE_FREE : 0u);
    self->q0 = c->q0;
    self->u0 = c->u0;
    make_exact(self);
    return IL_OK;
}

static const il_param_spec params[] = {
    {"angle", IL_PARAM_NUMBER, "2.0943951023931953", 0.0, M_PI, true, NULL, "radian",
     "between the faces, below pi; 120 degrees unless given"},
    {"q0", IL_PARAM_VECTOR, "0.1,1", -1e100, 1e100, false, "2", "length", "start"},
    {"u0", IL_PARAM_VECTOR, "0,-1", -1e100, 1e100, false, "2", "length/time",
     "velocity at the start"},
    {"force", IL_PARAM_VECTOR, "0,0", -1e100, 1e100, false, "2", "force", "constant"},
    {"mass", IL_PARAM_VECTOR, "1", -1e100, 1e100, false, "1, 2 or 4", "mass",
     "one, one a coordinate, or a symmetric positive definite matrix row by row"},
    {"T", IL_PARAM_NUMBER, "2", 0.0, INFINITY, true, NULL, "time", "horizon"},
    {.key = NULL}};

const il_problem_type il_problem_corner = {
    .name = "corner",
    .title = "a point between two half-planes that meet at an angle",
    .statement =
        "M u' = force + lambda_l n_l + lambda_r n_r, <n_l,q> >= 0, <n_r,q> >= 0, u+ = P_C u-,\n"
        "n = (+-cos(angle/2), sin(angle/2)): the set opens upward from its apex 0. M may be any\n"
        "symmetric positive definite matrix, the force is constant.\n"
        "Exact: parabolas between events, in the coordinates L'q, M = L L', where the metric is\n"
        "Euclid's. A point that meets a face slides on it while it is pressed; at the apex it\n"
        "stops, or, where the faces make an obtuse angle in the metric, goes on along the other\n"
        "face at |cos angle| times its speed. Falling from (x,1), (0,1), (-x,1) it then ends on\n"
        "the left face, in the apex, on the right face, however small x is: solutions are\n"
        "discontinuous in their data, which the assumption A4 of the convergence theorem\n"
        "excludes.",
    .source = "Moreau's impact law; Adly & Thieu 2022, assumption A4 and its discussion",
    .hypotheses =
        "BL (A0)-(A5): yes, the constraints are affine and fixed, the gradients of length 1.\n"
        "(A6'), which is enough for fixed constraints: yes for every angle below pi, since sum\n"
        "lambda_i n_i has the upward component sin(angle/2) sum lambda_i. Theorem 1.3 applies;\n"
        "masses other than 1 enter by the scalar product (Remark 4.1).\n"
        "AT A1-A3: yes, v = (0,1) with mu = sin(angle/2). A4, <n_l,n_r> = -cos(angle) <= 0 for\n"
        "mass 1: up to 90 degrees. For obtuse angles (the default) it fails, and Theorem 4.1\n"
        "leaves the impact law open; with a mass matrix the angle counts in the metric of its\n"
        "inverse.\n"
        "Maury's Theorem 1 is for one contact: it applies while the apex is not reached.",
    .params = params,
    .size = sizeof(corner),
    .create = create,
    .row = row,
    .force = force,
    .force_mean = force_mean,
    .describe = describe};
