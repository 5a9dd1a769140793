/*
 * gluey_row.c - a row of spheres on a line that glue together where they meet (Bernicot &
 * Lefebvre-Lepot 2010, Remark 4.3, and the perspective of several constraints).
 *
 * With G_i = (.., -1, 1, ..) the gradient of gap i, between spheres i and i + 1,
 *
 *     M u' = f(t) + sum lambda_i G_i, gamma_i' = -lambda_i, gamma_i <= 0 <= g_i, gamma_i g_i = 0,
 *
 * so that w = M u + sum gamma_i G_i has w' = f and no jumps: it is known. The signs say that -gamma
 * are the multipliers of the projection of M^{-1} w onto the admissible velocities,
 *
 *     u = P_{C(q)} M^{-1} w(t),   C(q) = {v : v_{i+1} >= v_i where g_i = 0}:
 *
 * a sweeping process of first order, q' + N(K, q) contains M^{-1} w, K the convex set of ordered
 * configurations, whose solution is unique. In each run of spheres that touch the projection is
 * the weighted isotonic regression of w_i/m_i, by blocks of a common velocity
 * (pool-adjacent-violators), with gamma_i = sum_{j <= i} (m_j v - w_j) over those of the block. f
 * is piecewise constant, w affine: gaps are parabolas and gamma affine between events, a gap that
 * closes or a gamma that is back at 0, whose times are closed forms.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "problems/problem.h"

enum { BODIES_MAX = 200, EVENTS_MAX = 20000 };

/* Velocities that differ by less than that part of the largest are one. */
static const double SAME = 1e-13;

/* The motion from t on: in this order q, v, a of the spheres, gamma and gamma' of the contacts. */
typedef struct {
    double t;
    double *x; /* [3 N + 2 (N - 1)] */
} piece;

typedef struct {
    double mass, w, f; /* of a block: sums */
    size_t first, end;
} block;

typedef struct {
    il_problem *self; /* while it is made */
    size_t N;
    double *m, *r, *q0, *u0, *F, *gamma0; /* [N], gamma0[N - 1] zeros */
    double pull, turn;
    bool *touch; /* [N - 1] */
    block *blocks;
    double times[3]; /* where f may jump */
    size_t n;
    piece *pieces;
    double *breaks;
} gluey_row;

/* ---- force and rows ------------------------------------------------------------------------- */

/* int_0^t f_i is F_i times this. */
static double impulse_to(const gluey_row *w, double t) {
    return fmin(t, w->turn) - w->pull * fmax(0.0, t - w->turn);
}

static void force(const il_problem *self, double t, const double *q, double *f) {
    const gluey_row *w = self->data;
    (void)q;
    for (size_t i = 0; i < w->N; i++) {
        f[i] = t < w->turn ? w->F[i] : -w->pull * w->F[i];
    }
}

static void force_mean(const il_problem *self, double t0, double t1, const double *q, double *f) {
    const gluey_row *w = self->data;
    (void)q;
    double mean = (impulse_to(w, t1) - impulse_to(w, t0)) / (t1 - t0);
    mean = t1 <= w->turn ? 1.0 : t0 >= w->turn ? -w->pull : mean; /* no cancellation */
    for (size_t i = 0; i < w->N; i++) {
        f[i] = mean * w->F[i];
    }
}

static double gap_at(const gluey_row *w, const double *q, size_t i) {
    return (q[i + 1] - q[i]) - (w->r[i] + w->r[i + 1]);
}

static il_status row(const il_problem *self, double t, const double *q, size_t id, il_rows *rows) {
    static const double pair[2] = {-1.0, 1.0};
    (void)t;
    il_rows_append(rows, id, gap_at(self->data, q, id), 0.0, 2, (const size_t[]){id, id + 1}, pair);
    return IL_OK;
}

static void radii(const il_problem *self, double t, double *r) {
    const gluey_row *w = self->data;
    (void)t;
    memcpy(r, w->r, w->N * sizeof *r);
}

static void describe(const il_problem *self, size_t id, char *out, size_t capacity) {
    (void)self;
    (void)snprintf(out, capacity, "spheres %zu and %zu", id + 1, id + 2);
}

/* ---- the exact solution --------------------------------------------------------------------- */

static void exact_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const gluey_row *w = exact->data;
    const piece *p = &w->pieces[il_exact_piece(exact, t, side)];
    const double *v = p->x + w->N;
    const double *a = v + w->N;
    double s = t - p->t;
    for (size_t i = 0; i < w->N; i++) {
        q[i] = p->x[i] + s * (v[i] + 0.5 * a[i] * s);
        u[i] = v[i] + a[i] * s;
    }
}

/* Lambda = -gamma. */
static void exact_impulse(const il_exact *exact, double t, int side, double *Lambda) {
    const gluey_row *w = exact->data;
    const piece *p = &w->pieces[il_exact_piece(exact, t, side)];
    const double *gamma = p->x + 3 * w->N;
    for (size_t i = 0; i + 1 < w->N; i++) {
        Lambda[i] = 0.0 - (gamma[i] + (t - p->t) * gamma[w->N - 1 + i]);
    }
}

/* Is the left block to go with the right one? Faster, or as fast and not slower in a moment. */
static bool pushes(const block *l, const block *r, double same) {
    double closing = l->w / l->mass - r->w / r->mass;
    return closing > same || (closing >= -same && l->f / l->mass >= r->f / r->mass);
}

/* The blocks of all runs that touch, from w(t) and the force now; contacts between blocks part. */
static size_t regress(gluey_row *w, double t, double factor) {
    double largest = 0.0;
    size_t n = 0;
    for (size_t i = 0; i < w->N; i++) {
        double now = w->m[i] * w->u0[i] + w->F[i] * impulse_to(w, t);
        largest = fmax(largest, fabs(now) / w->m[i]);
        w->blocks[n++] = (block){w->m[i], now, factor * w->F[i], i, i + 1};
        while (n > 1 && w->touch[w->blocks[n - 1].first - 1] &&
               pushes(&w->blocks[n - 2], &w->blocks[n - 1], SAME * largest)) {
            block *l = &w->blocks[n - 2];
            const block *r = &w->blocks[--n];
            *l = (block){l->mass + r->mass, l->w + r->w, l->f + r->f, l->first, r->end};
        }
    }
    for (size_t k = 1; k < n; k++) {
        w->touch[w->blocks[k].first - 1] = false;
    }
    return n;
}

/* v, a, gamma and gamma' of the piece from its blocks. */
static void fill(const gluey_row *w, double t, double factor, size_t n, double *x) {
    size_t N = w->N;
    for (size_t k = 0; k < n; k++) {
        const block *b = &w->blocks[k];
        double sum = 0.0;
        double rate = 0.0;
        for (size_t i = b->first; i < b->end; i++) {
            x[N + i] = b->w / b->mass;
            x[2 * N + i] = b->f / b->mass;
            sum += w->m[i] * x[N + i] - (w->m[i] * w->u0[i] + w->F[i] * impulse_to(w, t));
            rate += w->m[i] * x[2 * N + i] - factor * w->F[i];
            if (i + 1 < N) {
                x[3 * N + i] = i + 1 < b->end ? fmin(sum, 0.0) : 0.0;
                x[4 * N - 1 + i] = i + 1 < b->end ? rate : 0.0;
            }
        }
    }
}

/* The first s > 0 with D + V s + a s^2/2 = 0 for D >= 0, without cancellation; INFINITY: none. */
static double contact_time(double D, double V, double a) {
    double root2 = V * V - 2.0 * a * D;
    if (V < 0.0) {
        return root2 >= 0.0 ? 2.0 * D / (sqrt(root2) - V) : INFINITY;
    }
    return a < 0.0 ? (V + sqrt(root2)) / -a : INFINITY;
}

/* The time to the next event of the piece, and the contact that closes or lets go. */
static double next_event(const gluey_row *w, const double *x, const bool *parted, size_t *at) {
    size_t N = w->N;
    double least = INFINITY;
    for (size_t i = 0; i + 1 < N; i++) {
        double gamma = x[3 * N + i];
        double rate = x[4 * N - 1 + i];
        double V = x[N + i + 1] - x[N + i];
        double a = x[2 * N + i + 1] - x[2 * N + i];
        double s = !w->touch[i] ? contact_time(parted[i] ? 0.0 : fmax(0.0, gap_at(w, x, i)),
                                               parted[i] ? fmax(V, 0.0) : V, a)
                   : rate > 0.0 ? -gamma / rate
                                : INFINITY;
        if (s < least) {
            least = s;
            *at = i;
        }
    }
    return least;
}

/* From one event to the next, at most at `end`. before: where they are. */
static void advance(gluey_row *w, double *t, double end, const double *before) {
    size_t N = w->N;
    bool parted[BODIES_MAX] = {false};
    double factor = *t < w->turn ? 1.0 : -w->pull;
    bool again = w->n > 0 && w->pieces[w->n - 1].t >= *t; /* the last one has no length */
    memcpy(parted, w->touch, (N - 1) * sizeof *parted);
    size_t n = regress(w, *t, factor);
    double *x = again ? w->pieces[w->n - 1].x : il_problem_alloc(w->self, 5 * N - 2, sizeof *x);
    if (!again) {
        memcpy(x, before, N * sizeof *x);
        il_problem_append(w->self, &w->pieces, w->n, sizeof *w->pieces);
        w->pieces[w->n++] = (piece){*t, x};
    }
    fill(w, *t, factor, n, x);
    for (size_t i = 0; i + 1 < N; i++) {
        parted[i] = parted[i] && !w->touch[i];
    }
    size_t at = 0;
    double s = next_event(w, x, parted, &at);
    if (*t + s < end) {
        w->touch[at] = !w->touch[at];
    }
    *t = fmin(*t + s, end);
}

static il_status solve(gluey_row *w, double horizon, il_error *err) {
    double t = 0.0;
    size_t events = 0;
    double now[BODIES_MAX];
    memcpy(now, w->q0, w->N * sizeof *now);
    for (size_t i = 0; i + 1 < w->N; i++) {
        w->touch[i] = gap_at(w, w->q0, i) <= 0.0;
    }
    while (t < horizon) {
        double end = t < w->turn ? fmin(w->turn, horizon) : horizon;
        advance(w, &t, end, now);
        if (++events > EVENTS_MAX) {
            return il_fail(err, IL_EINVAL, "more than %d events before t = %g", EVENTS_MAX,
                           horizon);
        }
        const piece *p = &w->pieces[w->n - 1];
        for (size_t i = 0; i < w->N; i++) {
            double s = t - p->t;
            now[i] = p->x[i] + s * (p->x[w->N + i] + 0.5 * p->x[2 * w->N + i] * s);
        }
    }
    return IL_OK;
}

static il_status make_exact(il_problem *self, gluey_row *w, il_error *err) {
    il_status status = solve(w, self->horizon, err);
    if (status != IL_OK) {
        return status;
    }
    w->breaks = il_problem_alloc(self, w->n + 1, sizeof *w->breaks);
    for (size_t k = 0; k < w->n; k++) {
        w->breaks[k] = w->pieces[k].t;
    }
    w->breaks[w->n] = self->horizon;
    il_problem_offer(self, (il_exact){.origin = "closed form, event by event",
                                      .quadratic = true,
                                      .nbreaks = w->n + 1,
                                      .breaks = w->breaks,
                                      .eval = exact_eval,
                                      .impulse = exact_impulse});
    return IL_OK;
}

/* ---- the problem ---------------------------------------------------------------------------- */

/* Unless given: gaps of 0.1 and 0.2 in turn, at rest, pressed together. */
static il_status derive(gluey_row *w, il_params *params, il_error *err) {
    size_t N = w->N;
    for (size_t i = 0; i < N; i++) {
        w->F[i] = 0.5 * (double)(N - 1) - (double)i;
        w->q0[i] = i > 0 ? w->q0[i - 1] + w->r[i - 1] + w->r[i] + (i % 2 == 1 ? 0.1 : 0.2) : 0.0;
    }
    double *const targets[] = {w->q0, w->u0, w->F};
    static const char *const keys[] = {"q0", "u0", "force"};
    il_status status = IL_OK;
    for (size_t k = 0; status == IL_OK && k < 3; k++) {
        if (il_params_has(params, keys[k])) {
            status = il_params_expand(params, keys[k], false, targets[k], N, err);
        } else {
            il_params_derive(params, keys[k], targets[k], N);
        }
    }
    return status;
}

static il_status read_params(il_problem *self, gluey_row *w, il_params *params, il_error *err) {
    size_t N = il_params_integer(params, "N");
    w->N = N;
    w->pull = il_params_number(params, "pull");
    w->turn = il_params_number(params, "turn");
    w->m = il_problem_alloc(self, 6 * N, sizeof *w->m);
    w->touch = il_problem_alloc(self, N, sizeof *w->touch);
    w->blocks = il_problem_alloc(self, N, sizeof *w->blocks);
    w->r = w->m + N;
    w->q0 = w->r + N;
    w->u0 = w->q0 + N;
    w->F = w->u0 + N;
    w->gamma0 = w->F + N;
    const il_params_target vectors[] = {
        {"masses", w->m, N, true}, {"radii", w->r, N, true}, {.key = NULL}};
    il_status status = il_params_read(params, vectors, err);
    return status == IL_OK ? derive(w, params, err) : status;
}

static il_status create(il_problem *self, il_params *params, il_error *err) {
    gluey_row *w = self->data;
    w->self = self;
    il_status status = read_params(self, w, params, err);
    if (status == IL_OK) {
        status = il_problem_set_masses(self, w->N, w->m, err);
    }
    self->q0 = w->q0;
    self->u0 = w->u0;
    if (status == IL_OK) {
        status = make_exact(self, w, err);
    }
    self->order = 2;
    self->p = w->N - 1;
    self->space = 1;
    self->traits =
        IL_ROWS_AFFINE | IL_ROWS_CONVEX | IL_ROWS_FIXED | IL_FORCE_OF_TIME | IL_ROWS_INVARIANT;
    self->gamma0 = w->gamma0;
    w->times[1] = fmin(w->turn, self->horizon);
    w->times[2] = self->horizon;
    self->nbreaks = w->turn < self->horizon ? 3 : 2;
    self->breaks = w->times;
    return status;
}

static const il_param_spec params[] = {
    {"N", IL_PARAM_INTEGER, "5", 2.0, BODIES_MAX, false, NULL, "1", "number of spheres"},
    {"masses", IL_PARAM_VECTOR, "1", 0.0, INFINITY, true, "1 or N", "mass", "masses"},
    {"radii", IL_PARAM_VECTOR, "0.1", 0.0, INFINITY, false, "1 or N", "length", "radii"},
    {"q0", IL_PARAM_VECTOR, NULL, -1e100, 1e100, false, "N", "length",
     "centres at 0, in order (with gaps of 0.1 and 0.2 in turn, unless given)"},
    {"u0", IL_PARAM_VECTOR, NULL, -1e100, 1e100, false, "N", "length/time",
     "velocities (0 unless given)"},
    {"force", IL_PARAM_VECTOR, NULL, -1e100, 1e100, false, "N", "force",
     "until `turn` (pressing, (N-1)/2 - i on sphere i = 0, 1, ..., unless given)"},
    {"pull", IL_PARAM_NUMBER, "2", -1e100, 1e100, false, NULL, "1",
     "from `turn` on the force is -pull times that"},
    {"turn", IL_PARAM_NUMBER, "0.8", 0.0, INFINITY, true, NULL, "time", "when pulling begins"},
    {"T", IL_PARAM_NUMBER, "2", 0.0, INFINITY, true, NULL, "time", "horizon"},
    {.key = NULL}};

const il_problem_type il_problem_gluey_row = {
    .name = "gluey_row",
    .title = "a row of spheres that glue together where they meet and are pulled apart",
    .statement =
        "M u' = f(t) + sum lambda_i G_i, g_i = q_{i+1} - q_i - r_i - r_{i+1} >= 0, gamma_i <= 0,\n"
        "gamma_i g_i = 0, gamma_i' = -lambda_i, gamma(0) = 0. f = force until turn, then -pull\n"
        "times force.\n"
        "Exact: w = M u + sum gamma_i G_i is M u_0 + int f, and never jumps; u is the projection\n"
        "of M^-1 w onto the velocities that the gaps at 0 admit, -gamma its multipliers: a\n"
        "sweeping process of first order. Spheres that touch move in blocks, the weighted\n"
        "isotonic regression of w_i/m_i; a contact holds until its gamma is back at 0. Without a\n"
        "force that is sticky.",
    .source = "Bernicot & Lefebvre-Lepot 2010, Remark 4.3 and their perspective of several gluey "
              "contacts; solution derived in the head of its source",
    .hypotheses =
        "No theorem of the four papers on order 2: the set of admissible velocities depends on\n"
        "gamma (BL, Remark 4.3). As a sweeping process of first order, q' + N(K,q) contains\n"
        "M^-1 w(t) with K convex and fixed: the solution is unique (Moreau).",
    .params = params,
    .size = sizeof(gluey_row),
    .create = create,
    .row = row,
    .force = force,
    .force_mean = force_mean,
    .radii = radii,
    .describe = describe};
