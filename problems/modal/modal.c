/*
 * modal.c - normal modes between located events.
 *
 * Between events the motion of M q'' = f - K q + lambda e_k is a sum of modes, K v_j = omega_j^2 M
 * v_j, V' M V = 1: of all coordinates in flight, of the others where q_k lies at the stop. With y =
 * V' M u and r = V'(f - K q) at the start of a piece, and after a time s
 *
 *     S = sin(omega s)/omega,  C = (1 - cos(omega s))/omega^2,  D = (s - S)/omega^2,
 *
 *     q(s) = q + u s + sum_j v_j (r_j C_j - omega_j^2 y_j D_j),
 *     u(s) = u + sum_j v_j (r_j S_j - omega_j^2 y_j C_j).
 *
 * What decides the next event, q_k - stop in flight and lambda = (M q'' + K q - f)_k in contact,
 * has this form too, a + b s + sum_j w_j (r_j C_j - omega_j^2 y_j D_j). A bound B on its second
 * derivative gives a step that no zero can lie in, the root of a + b s - B s^2/2, from which the
 * search goes on: no impact is passed over, and near a zero it is Newton's method. The form loses
 * no digits for small s, so that with 0 < e < 1 impacts can be followed until the time left to
 * their accumulation no longer changes t; from then on q_k lies at the stop.
 *
 * An impact is the impulse -(1+e) u_k/(M^{-1})_kk on coordinate k.
 */
#include "problems/modal/modal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/base/sum.h"

/* Beyond these the exact solution is not offered: pieces of the motion; steps to the next event,
 * which only grow to so many where the stop is just missed; and, a second's work, modes that are
 * evaluated on all these steps. */
enum { PIECES_MAX = 100000, SEARCH_MAX = 100000, WORK_MAX = 1 << 24 };

/* A start is at the stop up to this part of the distances at hand. */
static const double TOUCH = 1e-12;

typedef struct {
    double begin;
    bool held;     /* q_k lies at the stop */
    double Lambda; /* impulse of the stop so far, that at begin with it */
    double a, b;   /* what decides the next event, and its rate, at begin */
    double *q, *u; /* [d] at begin */
    double *y, *r; /* [n] */
} piece;

typedef struct {
    il_problem *self;
    il_modal_system of;
    double *kick; /* [d] M^{-1} e_k */
    il_modes free, held;
    size_t left; /* of WORK_MAX */
    size_t n;
    piece *pieces;
    double *breaks; /* [n+1] */
} il_modal;

/* ---- weights ------------------------------------------------------------------------------- */

/* Weights: of q_k in flight; of lambda in contact. */
static void set_weights(il_modal *w) {
    size_t d = w->of.d;
    for (size_t j = 0; j < w->free.n; j++) {
        w->free.w[j] = w->free.V[w->of.k * d + j];
    }
    for (size_t j = 0; j < w->held.n; j++) {
        w->held.w[j] = 0.0;
        for (size_t i = 0; i < d; i++) {
            w->held.w[j] += (w->of.K[w->of.k * d + i] -
                             il_pow(w->held.omega[j], 2.0) * w->of.M[w->of.k * d + i]) *
                            w->held.V[i * w->held.n + j];
        }
    }
}

static const il_modes *modes_of(const il_modal *w, const piece *p) {
    return p->held ? &w->held : &w->free;
}

/* ---- the next event ------------------------------------------------------------------------ */

/* A bound on derivative n >= 2 of what decides the next event. */
static double bound(const il_modes *m, const piece *p, int n) {
    double sum = 0.0;
    for (size_t j = 0; j < m->n; j++) {
        sum +=
            fabs(m->w[j]) * il_pow(m->omega[j], n - 2) * il_hypot(p->r[j], m->omega[j] * p->y[j]);
    }
    return sum;
}

/* The number that decides the next event, and its rate. */
static void decide(const il_modes *m, const piece *p, double s, double *value, double *rate) {
    *value = p->a + p->b * s;
    *rate = p->b;
    for (size_t j = 0; j < m->n; j++) {
        il_swing x = il_swing_after(m->omega[j], s);
        double stiff = m->omega[j] * m->omega[j] * p->y[j];
        *value += m->w[j] * (p->r[j] * x.C - stiff * x.D);
        *rate += m->w[j] * (p->r[j] * x.S - stiff * x.C);
    }
}

/* A time before which what starts at 0 with rate 0 does not return there, from its second
 * derivative or, where that vanishes, its third; infinite where that derivative is constant; 0 if
 * it goes down or nothing is known. */
static double leave(const il_modes *m, const piece *p, bool let_go) {
    double second = 0.0;
    double third = 0.0;
    for (size_t j = 0; j < m->n; j++) {
        second += m->w[j] * p->r[j];
        third -= m->w[j] * m->omega[j] * m->omega[j] * p->y[j];
    }
    if (!let_go && second > 0.0) {
        return 3.0 * second / bound(m, p, 3);
    }
    return third > 0.0 ? 4.0 * third / bound(m, p, 4) : 0.0;
}

/* When what decides falls through 0: a time in (0, end), INFINITY if it does not, NAN if it cannot
 * be told. */
static double next_event(il_modal *w, const piece *p, bool let_go, double end) {
    const il_modes *m = modes_of(w, p);
    double B = bound(m, p, 2);
    bool rests = p->a == 0.0 && p->b == 0.0;
    double s = rests ? leave(m, p, let_go) : 0.0;
    if (rests && s == 0.0) {
        return B == 0.0 ? INFINITY : NAN;
    }
    for (int n = 0; n < SEARCH_MAX && w->left > m->n; n++) {
        double a = p->a;
        double b = p->b;
        if (s >= end) {
            return INFINITY;
        }
        w->left -= m->n;
        decide(m, p, s, &a, &b);
        if (a < 0.0 || (a == 0.0 && b <= 0.0)) {
            return s;
        }
        /* the root of a + b s - B s^2/2, without cancellation for either sign of b */
        double root = sqrt(b * b + 2.0 * B * a);
        double step = b <= 0.0 ? 2.0 * a / (root - b) : B > 0.0 ? (b + root) / B : INFINITY;
        if (!(s + step > s * (1.0 + 2.0 * DBL_EPSILON))) {
            return isnan(step) ? (b == 0.0 ? INFINITY : NAN) : s + step;
        }
        s += step;
    }
    return NAN;
}

/* ---- the chain of pieces ------------------------------------------------------------------- */

static void state_after(const il_modal *w, const piece *p, double s, double *q, double *u) {
    const il_modes *m = modes_of(w, p);
    memcpy(q, p->q, w->of.d * sizeof *q);
    for (size_t i = 0; i < w->of.d; i++) {
        u[i] = p->u[i];
        q[i] += p->u[i] * s;
    }
    for (size_t j = 0; j < m->n; j++) {
        il_swing x = il_swing_after(m->omega[j], s);
        double stiff = m->omega[j] * m->omega[j] * p->y[j];
        for (size_t i = 0; i < w->of.d; i++) {
            q[i] += m->V[i * m->n + j] * (p->r[j] * x.C - stiff * x.D);
            u[i] += m->V[i * m->n + j] * (p->r[j] * x.S - stiff * x.C);
        }
    }
}

static double impulse_after(const il_modal *w, const piece *p, double s) {
    double sum = p->Lambda;
    for (size_t j = 0; p->held && j < w->held.n; j++) {
        il_swing x = il_swing_after(w->held.omega[j], s);
        sum += w->held.w[j] * (p->y[j] * x.C + p->r[j] * x.D);
    }
    return p->held ? sum + p->a * s : sum;
}

/* y and r of p, for the modes of its kind. */
static void excite(const il_modal *w, piece *p) {
    const il_modes *m = modes_of(w, p);
    memset(p->y, 0, w->of.d * sizeof *p->y);
    memset(p->r, 0, w->of.d * sizeof *p->r);
    for (size_t i = 0; i < w->of.d; i++) {
        double momentum = il_modal_row_times(w->of.M, w->of.d, i, p->u);
        double push = w->of.f[i] - il_modal_row_times(w->of.K, w->of.d, i, p->q);
        for (size_t j = 0; j < m->n; j++) {
            p->y[j] += m->V[i * m->n + j] * momentum;
            p->r[j] += m->V[i * m->n + j] * push;
        }
    }
}

/* The velocity of q_k becomes `to`, by an impulse of the stop. */
static void strike(const il_modal *w, piece *p, double to) {
    double percussion = (to - p->u[w->of.k]) / w->kick[w->of.k];
    for (size_t i = 0; i < w->of.d; i++) {
        p->u[i] += percussion * w->kick[i];
    }
    p->u[w->of.k] = to;
    p->Lambda += percussion;
}

/* From q, u and Lambda at an event: what the impact law and the force make of them. let_go: lambda
 * has just come to 0, the acceleration of q_k with it. */
static void depart(const il_modal *w, bool touching, bool let_go, piece *p) {
    size_t k = w->of.k;
    p->held = false;
    if (touching) {
        p->q[k] = w->of.stop;
        p->u[k] = let_go ? 0.0 : p->u[k];
        if (p->u[k] < 0.0) {
            strike(w, p, -w->of.e * p->u[k]);
        }
    }
    excite(w, p);
    double acceleration = 0.0;
    for (size_t j = 0; j < w->of.d; j++) {
        acceleration += w->free.w[j] * p->r[j];
    }
    if (touching && !let_go && acceleration < 0.0) {
        double left = -2.0 * p->u[k] / (acceleration * (1.0 - w->of.e));
        p->held = p->u[k] == 0.0 || (w->of.e < 1.0 && p->begin + left == p->begin);
    }
    p->a = touching ? 0.0 : p->q[k] - w->of.stop;
    p->b = p->u[k];
    if (p->held) {
        strike(w, p, 0.0);
        excite(w, p);
        p->a = il_modal_row_times(w->of.K, w->of.d, k, p->q) - w->of.f[k];
        p->b = 0.0;
        for (size_t j = 0; j < w->held.n; j++) {
            for (size_t i = 0; i < w->of.d; i++) {
                p->a += w->of.M[k * w->of.d + i] * w->held.V[i * w->held.n + j] * p->r[j];
            }
            p->b += w->held.w[j] * p->y[j];
        }
    }
}

/* One more piece, with its numbers. */
static void append(il_modal *w) {
    il_problem_append(w->self, &w->pieces, w->n, sizeof *w->pieces);
    il_problem_append(w->self, &w->breaks, w->n, sizeof *w->breaks);
    piece *p = &w->pieces[w->n];
    *p = (piece){.q = il_problem_alloc(w->self, 4 * w->of.d, sizeof *p->q)};
    p->u = p->q + w->of.d;
    p->y = p->u + w->of.d;
    p->r = p->y + w->of.d;
    w->n++;
}

/* The state at the end of piece p, after `wait`, as the start of the next. */
static void carry(const il_modal *w, const piece *p, double wait, double t, piece *next) {
    state_after(w, p, wait, next->q, next->u);
    next->Lambda = impulse_after(w, p, wait);
    next->begin = t;
}

static const char *give_up(const il_modal *w, double wait) {
    if (w->left <= w->of.d) {
        return "events before the horizon that take more than a second to find";
    }
    if (w->n == PIECES_MAX) {
        return "more than 100000 events before the horizon";
    }
    return isnan(wait) ? "the stop is touched in a way that cannot be told from missing it" : NULL;
}

/* All pieces until the horizon, or why there is no exact solution. */
static void solve(il_modal *w) {
    double T = w->self->horizon;
    il_sum clock = {0.0, 0.0};
    bool touching = fabs(w->of.q0[w->of.k] - w->of.stop) <= TOUCH * (1.0 + fabs(w->of.stop));
    bool let_go = false;
    append(w);
    w->left = WORK_MAX;
    memcpy(w->pieces[0].q, w->of.q0, w->of.d * sizeof(double));
    memcpy(w->pieces[0].u, w->of.u0, w->of.d * sizeof(double));
    for (;;) {
        piece *p = &w->pieces[w->n - 1];
        depart(w, touching, let_go, p);
        w->breaks[w->n - 1] = p->begin;
        double wait = next_event(w, p, let_go, T - p->begin);
        w->self->no_exact = give_up(w, wait);
        if (w->self->no_exact != NULL) {
            return;
        }
        w->left--;
        if (!(p->begin + wait < T)) {
            return;
        }
        append(w);
        p = &w->pieces[w->n - 2]; /* it may have moved */
        il_sum_add(&clock, wait);
        carry(w, p, wait, il_sum_value(&clock), p + 1);
        touching = true;
        let_go = p->held;
        if (!(p[1].begin > p->begin)) { /* no time went by: the later motion holds */
            *p = p[1];
            w->n--;
        }
    }
}

/* ---- exact solution ------------------------------------------------------------------------ */

static void exact_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const il_modal *w = exact->data;
    const piece *p = &w->pieces[il_exact_piece(exact, t, side)];
    state_after(w, p, t - p->begin, q, u);
}

static void exact_impulse(const il_exact *exact, double t, int side, double *Lambda) {
    const il_modal *w = exact->data;
    const piece *p = &w->pieces[il_exact_piece(exact, t, side)];
    *Lambda = impulse_after(w, p, t - p->begin);
}

/* ---- outside ------------------------------------------------------------------------------- */

static il_modal *allocate(il_problem *self, const il_modal_system *system) {
    size_t d = system->d;
    il_modal *w = il_problem_alloc(self, 1, sizeof *w);
    double *store = il_problem_alloc(self, 2 * d * d + 5 * d, sizeof *store);
    w->self = self;
    w->of = *system;
    w->free = (il_modes){.n = d, .V = store};
    w->held = (il_modes){.n = d - 1, .V = w->free.V + d * d};
    w->free.omega = w->held.V + d * d;
    w->free.w = w->free.omega + d;
    w->held.omega = w->free.w + d;
    w->held.w = w->held.omega + d;
    w->kick = w->held.w + d;
    return w;
}

/* Free motion is quadratic in time where no mode is stiff; then no held one is. */
static bool is_stiff(const il_modal *w) {
    bool stiff = false;
    for (size_t j = 0; j < w->of.d; j++) {
        stiff |= w->free.omega[j] > 0.0;
    }
    return stiff;
}

il_status il_modal_offer(il_problem *self, const il_modal_system *system, il_error *err) {
    double unit[IL_MODAL_MAX] = {0.0};
    il_modal *w = allocate(self, system);
    unit[system->k] = 1.0;
    il_metric_solve(system->mass, unit, w->kick);
    il_status status = il_modes_find(&w->free, &w->of, system->d, err);
    if (status == IL_OK) {
        status = il_modes_find(&w->held, &w->of, system->k, err);
    }
    if (status != IL_OK) {
        return status;
    }
    set_weights(w);
    solve(w);
    if (self->no_exact == NULL) {
        il_problem_append(self, &w->breaks, w->n, sizeof *w->breaks);
        w->breaks[w->n] = self->horizon;
        il_problem_offer(self, (il_exact){.origin = "normal modes between located events",
                                          .quadratic = !is_stiff(w),
                                          .nbreaks = w->n + 1,
                                          .breaks = w->breaks,
                                          .eval = exact_eval,
                                          .data = w,
                                          .impulse = exact_impulse});
    }
    return IL_OK;
}
