/*
 * sticky.c - N bodies on a line that stick when they meet (Maury 2006, section 6.2).
 *
 *     u+ = P_C u-,   q_{i+1} - q_i >= r_i + r_{i+1},   no force.
 *
 * Exact solution: q(t) = P^M_K (q_0 + t u_0), K the cone of ordered configurations (shifted by the
 * radii). It is computed here by following the collisions: two clusters that meet become one with
 * their common momentum. Every cluster remembers when it was born, where, and how fast it moves, so
 * that the state at any time is read off the tree of mergers. (The projection formula itself is a
 * different method and serves the tests.)
 */
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "problems/problem.h"

typedef struct {
    double mass, momentum; /* of the cluster */
    double birth, place;   /* time; common shifted coordinate q_i - shift_i then */
    size_t first, last;    /* bodies */
    size_t parent;         /* the cluster it merged into; itself while it lives */
} cluster;

typedef struct {
    size_t n;
    double *q0, *u0, *masses, *radii;
    double *shift; /* [n] sum of gaps up to the body */
    double *breaks;
    size_t nbreaks;
    cluster *tree; /* [2n-1] bodies first, mergers after them in time order */
    size_t clusters;
} sticky;

static il_status row(const il_problem *self, double t, const double *q, size_t id, il_rows *rows) {
    static const double coef[2] = {-1.0, 1.0};
    const sticky *w = self->data;
    size_t col[2] = {id, id + 1};
    (void)t;
    double g = (q[id + 1] - q[id]) - (w->radii[id] + w->radii[id + 1]);
    il_rows_append(rows, id, g, 0.0, 2, col, coef);
    return IL_OK;
}

static void radii(const il_problem *self, double t, double *r) {
    const sticky *w = self->data;
    (void)t;
    memcpy(r, w->radii, self->d * sizeof *r);
}

static double speed(const cluster *c) {
    return c->momentum / c->mass;
}

static double place_at(const cluster *c, double t) {
    return c->place + (t - c->birth) * speed(c);
}

/* When the two clusters meet, not before now; INFINITY if they never do. */
static double meeting(const cluster *a, const cluster *b, double now) {
    double closing = speed(a) - speed(b);
    double gap = place_at(b, now) - place_at(a, now);
    return closing > 0.0 ? now + fmax(gap, 0.0) / closing : INFINITY;
}

static void merge(sticky *w, size_t a, size_t b, double t) {
    cluster *left = &w->tree[a];
    cluster *right = &w->tree[b];
    cluster *both = &w->tree[w->clusters];
    double mass = left->mass + right->mass;
    *both = (cluster){.mass = mass,
                      .momentum = left->momentum + right->momentum,
                      .birth = t,
                      .place = (left->mass * place_at(left, t) + right->mass * place_at(right, t)) /
                               mass,
                      .first = left->first,
                      .last = right->last,
                      .parent = w->clusters};
    left->parent = right->parent = w->clusters;
    w->clusters++;
}

/* Follow all collisions up to the horizon. live holds the clusters from left to right. */
static void collide(sticky *w, double horizon, size_t *live) {
    size_t n = w->n;
    for (size_t i = 0; i < n; i++) {
        w->tree[i] = (cluster){.mass = w->masses[i],
                               .momentum = w->masses[i] * w->u0[i],
                               .place = w->q0[i] - w->shift[i],
                               .first = i,
                               .last = i,
                               .parent = i};
        live[i] = i;
    }
    w->clusters = n;
    double now = 0.0;
    w->breaks[w->nbreaks++] = 0.0;
    while (n > 1) {
        size_t at = 0;
        double next = INFINITY;
        for (size_t i = 0; i + 1 < n; i++) {
            double t = meeting(&w->tree[live[i]], &w->tree[live[i + 1]], now);
            if (t < next) {
                next = t;
                at = i;
            }
        }
        if (!(next < horizon)) {
            break;
        }
        now = next;
        merge(w, live[at], live[at + 1], now);
        live[at] = w->clusters - 1;
        for (size_t i = at + 1; i + 1 < n; i++) {
            live[i] = live[i + 1];
        }
        n--;
        if (now > w->breaks[w->nbreaks - 1]) {
            w->breaks[w->nbreaks++] = now;
        }
    }
    w->breaks[w->nbreaks++] = horizon;
}

/* The cluster of body i at t. */
static const cluster *cluster_of(const sticky *w, size_t i, double t, int side) {
    const cluster *c = &w->tree[i];
    for (;;) {
        const cluster *up = &w->tree[c->parent];
        bool merged = up != c && (up->birth < t || (up->birth == t && (side > 0 || t == 0.0)));
        if (!merged) {
            return c;
        }
        c = up;
    }
}

static void exact_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const sticky *w = exact->data;
    for (size_t i = 0; i < w->n; i++) {
        const cluster *c = cluster_of(w, i, t, side);
        q[i] = place_at(c, t) + w->shift[i];
        u[i] = speed(c);
    }
}

static void describe(const il_problem *self, size_t id, char *out, size_t capacity) {
    (void)self;
    (void)snprintf(out, capacity, "bodies %zu and %zu", id + 1, id + 2);
}

/* Contact i pushes body i back: the bodies up to i have lost Lambda_i of momentum in all. */
static void exact_impulse(const il_exact *exact, double t, int side, double *Lambda) {
    const sticky *w = exact->data;
    double lost = 0.0;
    for (size_t i = 0; i + 1 < w->n; i++) {
        lost += w->masses[i] * (w->u0[i] - speed(cluster_of(w, i, t, side)));
        Lambda[i] = lost;
    }
}

static il_status start(sticky *w, il_params *params, il_error *err) {
    size_t n = w->n;
    if (!il_params_has(params, "q0")) {
        for (size_t i = 0; i < n; i++) {
            w->q0[i] = n > 1 ? (double)i / (double)(n - 1) : 0.0;
        }
        il_params_derive(params, "q0", w->q0, n);
    }
    if (!il_params_has(params, "u0")) {
        gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
        gsl_rng_set(rng, il_params_integer(params, "seed"));
        for (size_t i = 0; i < n; i++) {
            w->u0[i] = 2.0 * gsl_rng_uniform(rng) - 1.0;
        }
        gsl_rng_free(rng);
        il_params_derive(params, "u0", w->u0, n);
    }
    const il_params_target vectors[] = {{"q0", w->q0, n, false},
                                        {"u0", w->u0, n, false},
                                        {"masses", w->masses, n, true},
                                        {"radii", w->radii, n, true},
                                        {.key = NULL}};
    il_status status = il_params_read(params, vectors, err);
    for (size_t i = 0; status == IL_OK && i < n; i++) {
        w->shift[i] = i == 0 ? 0.0 : w->shift[i - 1] + (w->radii[i - 1] + w->radii[i]);
    }
    return status;
}

static void solve(il_problem *self, sticky *w) {
    size_t *live = il_problem_alloc(self, w->n, sizeof *live);
    collide(w, self->horizon, live);
    il_problem_offer(
        self, (il_exact){.origin = "closed form: clusters followed from collision to collision",
                         .quadratic = true,
                         .nbreaks = w->nbreaks,
                         .breaks = w->breaks,
                         .eval = exact_eval,
                         .impulse = exact_impulse});
}

static il_status create(il_problem *self, il_params *params, il_error *err) {
    size_t n = il_params_integer(params, "N");
    sticky *w = self->data;
    w->n = n;
    w->q0 = il_problem_alloc(self, 5 * n, sizeof *w->q0);
    w->breaks = il_problem_alloc(self, n + 2, sizeof *w->breaks);
    w->tree = il_problem_alloc(self, 2 * n, sizeof *w->tree);
    w->u0 = w->q0 + n;
    w->masses = w->u0 + n;
    w->radii = w->masses + n;
    w->shift = w->radii + n;
    il_status status = start(w, params, err);
    if (status == IL_OK) {
        status = il_problem_set_masses(self, n, w->masses, err);
    }
    self->order = 2;
    self->p = n - 1;
    self->space = 1;
    self->traits = IL_ROWS_AFFINE | IL_ROWS_CONVEX | IL_ROWS_FIXED | IL_ROWS_INVARIANT |
                   IL_ROWS_BALLS | IL_FORCE_FREE | IL_FORCE_OF_TIME;
    self->q0 = w->q0;
    self->u0 = w->u0;
    if (status == IL_OK) {
        solve(self, w);
    }
    return status;
}

/* Positions left at their default are i/(N-1); velocities that were drawn are the doubles that were
 * drawn. */
static void exact_model(const il_problem *self, const il_params *params, il_exact_model *model) {
    model->d = self->d;
    model->chain = true;
    il_exact_model_init(model, 1);
    il_rational_set_param(model->horizon[0], params, "T", 0);
    for (size_t i = 0; i < self->d; i++) {
        if (il_params_given(params, "q0")) {
            il_rational_set_param(model->q0[i], params, "q0", i);
        } else {
            il_rational_set_fraction(model->q0[i], (long)i, self->d > 1 ? self->d - 1 : 1);
        }
        il_rational_set_param(model->u0[i], params, "u0", i);
        il_rational_set_param(model->mass[i], params, "masses", i);
        if (i > 0) {
            il_rational_set_param(model->gap[i - 1], params, "radii", i - 1);
            il_rational_set_param(model->own[0], params, "radii", i);
            il_rational_add(model->gap[i - 1], model->gap[i - 1], model->own[0]);
        }
    }
}

static const il_param_spec params[] = {
    {"N", IL_PARAM_INTEGER, "30", 1.0, 100000.0, false, NULL, "1", "number of bodies"},
    {"q0", IL_PARAM_VECTOR, NULL, -INFINITY, INFINITY, false, "N", "length",
     "initial positions; default 0, 1/(N-1), ..., 1"},
    {"u0", IL_PARAM_VECTOR, NULL, -INFINITY, INFINITY, false, "N", "length/time",
     "initial velocities; default uniform in [-1,1] from the seed"},
    {"masses", IL_PARAM_VECTOR, "1", 0.0, INFINITY, true, "1 or N", "mass", "masses"},
    {"radii", IL_PARAM_VECTOR, "0", 0.0, INFINITY, false, "1 or N", "length", "radii"},
    {"seed", IL_PARAM_INTEGER, "4520", 0.0, 4294967295.0, false, NULL, "1",
     "seed of the initial velocities (Mersenne Twister 19937); with the default all have met by t "
     "= 1.1"},
    {"T", IL_PARAM_NUMBER, "3", 0.0, INFINITY, true, NULL, "time", "horizon"},
    {.key = NULL}};

const il_problem_type il_problem_sticky = {
    .name = "sticky",
    .title = "bodies on a line that stick when they meet",
    .statement =
        "M u' = sum lambda_i (e_{i+1} - e_i), q_{i+1} - q_i >= r_i + r_{i+1}, no force,\n"
        "inelastic. Exact: q(t) = P_K(q0 + t u0) in the metric of M, K the ordered\n"
        "configurations; followed here from collision to collision. The centre of mass is exact\n"
        "at every node for every step, and once all have met so is the whole state: h = 0.01,\n"
        "0.5 and 1.5 end alike.",
    .source = "Maury 2006, section 6.2, figures 5-7",
    .hypotheses =
        "BL (A0)-(A5): yes, affine constraints fixed in time, gradients of length sqrt(2); no\n"
        "force. (A6'): yes, the gradients of a chain are linearly independent. Theorem 1.3\n"
        "applies, masses by Remark 4.1. AT A1-A4: yes for masses 1, <grad g_i, grad g_{i+1}> =\n"
        "-1 <= 0 for neighbours and 0 for others. Maury: the start is inside if all points are\n"
        "apart, as by default; his Theorem 1 is for one contact.",
    .params = params,
    .size = sizeof(sticky),
    .create = create,
    .row = row,
    .exact_model = exact_model,
    .describe = describe,
    .radii = radii};
