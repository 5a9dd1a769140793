/*
 * primal_dual.c - primal-dual active sets in full steps (Hintermueller, Ito & Kunisch 2003) on the
 * augmented Lagrangian, from the rows of the guess.
 *
 *     v_i > 0 for rows in the set: those of the guess whose multiplier outweighs their gap
 *     repeat until |min(lambda_i W_ii, g_i)| is rounding of the largest lambda_i W_ii      (outer)
 *         v_i <- lambda_i, or -sigma_i max(g_i, 0) where that is 0;  r <- 0
 *         c_i <- lambda_i - sigma_i g_i - v_i
 *         repeat until no row changes                                                      (inner)
 *             H dx = r + s B' c over v_i > 0;   v <- v + c - sigma s B dx;   c <- 0, r <- 0
 *             where v_i changed its sign: the row comes, or goes, and r <- -s v_i b_i;
 *                 c_i <- v_i, v_i <- 0
 *         lambda <- max(0, v)
 *
 *     H = M + s^2 sum_{v_i > 0} sigma_i b_i b_i',   sigma_i = penalty/W_ii.
 *
 * v are the multipliers lambda - sigma g. There is no line search: near the solution a step leaves
 * a third to a half of the rows wrong that the one before left, where a search would stop at every
 * row on the way. Far from it sets cycle: then it gives up, and interior points take over. A finite
 * penalty keeps H positive for any set of active rows: dependent rows need no rule.
 *
 * While many rows change, H = L L' is factored anew. One of few that come or go adds e_j f_j f_j',
 * e_j = 1 or -1, to L^{-1} H L'^{-1}, with f_j = L^{-1} sqrt(sigma_j) s b_j, and
 *
 *     H^{-1} = L'^{-1} (1 - F S^{-1} F') L^{-1},   S = diag(e) + F'F = L_S D L_S',
 *
 * without exchanges, as the leading blocks of S belong to matrices H on the way, which are
 * positive. A row that goes and comes again counts twice. Where the pivot of one that goes, which
 * is between 0 and -1, is lost to rounding, and where F has grown, H is factored anew.
 */
#include "schemes/projection/newton/phases.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/base/worse.h"

/* sigma_i W_ii. An outer iteration shrinks the error by 1/(sigma w), w the least nonzero eigenvalue
 * of the scaled B M^{-1} B', 1e-4 for 2000 packed discs; the pivot of a row that goes is as small,
 * so that a larger penalty loses it. */
static const double PENALTY = 1e7; /* tuned: 1e6, 1e8 */

/* Steps that change more than FEW of the rows factor anew. The second of them may change SECOND of
 * the rows, and each after it FALLS of those that the one before changed; PATIENCE steps may pass
 * in which no fewer change than ever before. Else the guess is too far. */
static const double FEW = 0.04;    /* tuned: 0.02, 0.06 */
static const double SECOND = 0.25; /* tuned: 0.1, 0.5 */
static const double FALLS = 0.85;  /* tuned: 0.7, 1.0 */
enum { PATIENCE = 4 };             /* tuned: 2, 8 */

/* A row of the guess is in the set where lambda_i W_ii / g_i is at least SPLIT times the quotient
 * of their means, lambda_i W_ii over the rows where it is the larger one and g_i over the others,
 * or 1: bodies that carry others have multipliers far above what one row alone would take, and an
 * inexact answer has some in every row. */
static const double SPLIT = 0.3; /* tuned: 0.1, 1.0 */

/* A pivot of S that is less than this is lost: its rounding is that of numbers near 1, and half of
 * the digits are enough for a direction. */
static const double LOST = 1e-8;

/* As in lagrangian.c: what is left no longer halves, and is within so much of rounding. */
static const double SETTLED = 4.0;
enum { MAX_OUTER = 20 };

/* A run. */
typedef struct {
    il_primal_dual *self;
    il_dual *w;
    const il_qp *qp;
    bool factored; /* H is, but for the rows that changed */
    size_t anew;   /* steps of this outer iteration that changed many rows */
    size_t last;   /* rows that the last step changed, */
    size_t least;  /* the fewest that one did, */
    size_t idle;   /* and steps since */
} search;

void il_primal_dual_free(il_primal_dual *self) {
    free(self->on);
    free(self->lower);
    free(self->pull);
    free(self->fresh);
    free(self->reach);
    free(self->number);
    free(self->place);
    free(self->start);
    free(self->ldl);
    free(self->along);
    free(self->y);
    memset(self, 0, sizeof *self);
}

/* ---- what changed since the factor ----------------------------------------------------------- */

static void reserve(il_primal_dual *self, size_t d, size_t p) {
    if (d > self->room_d) {
        void *const numbers_of_d[] = {&self->lower, &self->fresh, &self->pull, NULL};
        il_memory_grow_all(numbers_of_d, d, sizeof(double));
        il_memory_grow(&self->reach, d, sizeof *self->reach);
        self->room_d = d;
        memset(self->fresh, 0, d * sizeof *self->fresh);
        self->reached = 0;
    }
    if (p > self->room_p) {
        il_memory_grow(&self->on, p + p / 2, sizeof *self->on);
        self->room_p = p + p / 2;
    }
}

/* Room for one change more, of n numbers. */
static void reserve_change(il_primal_dual *self, size_t n) {
    if (self->k + 2 > self->room_k) {
        size_t k = 2 * self->k + 32;
        il_memory_grow(&self->start, k + 1, sizeof *self->start);
        il_memory_grow(&self->ldl, k * (k + 1) / 2, sizeof *self->ldl);
        il_memory_grow(&self->along, k, sizeof *self->along);
        il_memory_grow(&self->y, k, sizeof *self->y);
        self->room_k = k;
    }
    size_t need = n + (self->k > 0 ? self->start[self->k] : 0);
    if (need > self->room_n) {
        size_t room = need + need / 2;
        il_memory_grow(&self->number, room, sizeof *self->number);
        il_memory_grow(&self->place, room, sizeof *self->place);
        self->room_n = room;
    }
}

/* Numbers of F. */
static double numbers(const il_primal_dual *self) {
    return self->k > 0 ? (double)self->start[self->k] : 0.0;
}

/* <f_j, x>. */
static double seen(const il_primal_dual *self, size_t j, const double *x) {
    double sum = 0.0;
    for (size_t e = self->start[j]; e < self->start[j + 1]; e++) {
        sum += self->number[e] * x[self->place[e]];
    }
    return sum;
}

/* x += c f_j. */
static void add(const il_primal_dual *self, size_t j, double c, double *x) {
    for (size_t e = self->start[j]; e < self->start[j + 1]; e++) {
        x[self->place[e]] += c * self->number[e];
    }
}

/* y = S^{-1} b for y[k]. */
static void solve_small(const il_primal_dual *self, const double *b, double *y) {
    size_t k = self->k;
    for (size_t i = 0; i < k; i++) {
        const double *row = self->ldl + i * (i + 1) / 2;
        y[i] = b[i];
        for (size_t j = 0; j < i; j++) {
            y[i] -= row[j] * y[j];
        }
    }
    for (size_t i = k; i-- > 0;) {
        const double *row = self->ldl + i * (i + 1) / 2;
        y[i] /= row[i];
    }
    for (size_t i = k; i-- > 0;) {
        const double *row = self->ldl + i * (i + 1) / 2;
        for (size_t j = 0; j < i; j++) {
            y[j] -= row[j] * y[i];
        }
    }
}

/* L^{-1} of row i, as its penalty weighs it, into fresh, and behind the others. */
static void append(search *f, size_t i) {
    il_primal_dual *self = f->self;
    size_t k = self->k;
    double *x = self->fresh;
    for (size_t c = 0; c < self->reached; c++) {
        x[self->reach[c]] = 0.0;
    }
    il_rows_axpy(f->qp->rows, i, f->qp->scale * sqrt(self->penalty / f->w->delassus[i]), x);
    size_t n = self->reached = il_sparse_lower_row(f->w->factor, f->qp->rows, i, x, self->reach);
    reserve_change(self, n);
    size_t e = self->start[k] = k > 0 ? self->start[k] : 0;
    for (size_t c = 0; c < n; c++) {
        self->number[e] = x[self->reach[c]];
        self->place[e++] = self->reach[c];
    }
    self->start[k + 1] = e;
}

/* The row behind the others came (sign 1) or went (-1), and theta f_k comes to the right-hand side.
 * False when the pivot is lost. */
static bool extend(il_primal_dual *self, double sign, double theta) {
    size_t k = self->k;
    double *row = self->ldl + k * (k + 1) / 2;
    double square = seen(self, k, self->fresh);
    double pivot = sign + square;
    self->along[k] = seen(self, k, self->lower) + theta * square;
    for (size_t j = 0; j < k; j++) {
        row[j] = seen(self, j, self->fresh);
        self->along[j] += theta * row[j];
    }
    for (size_t j = 0; j < k; j++) { /* L_S z = row */
        const double *above = self->ldl + j * (j + 1) / 2;
        for (size_t m = 0; m < j; m++) {
            row[j] -= above[m] * row[m];
        }
    }
    for (size_t j = 0; j < k; j++) {
        double z = row[j];
        row[j] = z / self->ldl[j * (j + 1) / 2 + j];
        pivot -= z * row[j];
    }
    row[k] = pivot;
    add(self, k, theta, self->lower);
    self->k++;
    return sign * pivot > LOST;
}

/* ---- directions ------------------------------------------------------------------------------ */

/* r + s B' c over the active rows. */
static void right_hand_side(const search *f, double *r) {
    memcpy(r, f->self->pull, f->qp->d * sizeof *r);
    for (size_t i = 0; i < f->qp->rows->p; i++) {
        if (f->self->on[i]) {
            il_rows_axpy(f->qp->rows, i, f->qp->scale * f->w->c[i], r);
        }
    }
}

/* H for the active rows, factored anew, and the direction. */
static il_status factorise(search *f) {
    il_primal_dual *self = f->self;
    il_dual *w = f->w;
    double s2 = f->qp->scale * f->qp->scale;
    if (w->iterations >= w->limit) {
        return IL_ESTALLED;
    }
    for (size_t i = 0; i < f->qp->rows->p; i++) {
        w->w[i] = self->on[i] ? s2 * self->penalty / w->delassus[i] : 0.0;
    }
    w->iterations++;
    self->k = 0;
    right_hand_side(f, w->r);
    memcpy(self->lower, w->r, f->qp->d * sizeof *w->r);
    il_status status = il_sparse_factor(w->factor, w->mass, f->qp->rows, w->w, w->r);
    f->factored = status == IL_OK;
    if (f->factored) {
        il_sparse_lower(w->factor, self->lower);
    }
    return status;
}

/* The direction for the active rows, with the factor and what changed since. */
static void turn(search *f) {
    il_primal_dual *self = f->self;
    solve_small(self, self->along, self->y);
    memcpy(f->w->r, self->lower, f->qp->d * sizeof *self->lower);
    for (size_t j = 0; j < self->k; j++) {
        add(self, j, -self->y[j], f->w->r);
    }
    il_sparse_upper(f->w->factor, f->w->r);
}

/* The same for a right-hand side that is new. */
static void turn_anew(search *f) {
    il_primal_dual *self = f->self;
    right_hand_side(f, self->lower);
    il_sparse_lower(f->w->factor, self->lower);
    for (size_t j = 0; j < self->k; j++) {
        self->along[j] = seen(self, j, self->lower);
    }
    turn(f);
}

/* ---- the search for the set ------------------------------------------------------------------ */

/* v after the step, and where its sign is another one. */
static void step_rows(void *context, size_t part, size_t first, size_t last) {
    const search *f = context;
    il_dual *w = f->w;
    (void)part;
    for (size_t i = first; i < last; i++) {
        double sigma = f->self->penalty / w->delassus[i];
        w->z[i] += w->c[i] - sigma * f->qp->scale * il_rows_dot(f->qp->rows, i, w->r);
        w->active[i] = f->self->on[i] ? w->z[i] >= 0.0 : w->z[i] > 0.0;
    }
}

/* Row i comes or goes. */
static void change(search *f, size_t i) {
    il_primal_dual *self = f->self;
    il_dual *w = f->w;
    double v = w->z[i];
    self->on[i] = !self->on[i];
    double sign = self->on[i] ? 1.0 : -1.0;
    if (!self->on[i]) {
        il_rows_axpy(f->qp->rows, i, -v * f->qp->scale, self->pull);
    }
    w->c[i] = v;
    w->z[i] = 0.0;
    if (f->factored) {
        append(f, i);
        f->factored = extend(self, sign, sign * v / sqrt(self->penalty / w->delassus[i]));
    }
}

/* Are n changes too many for one more step? */
static bool strays(search *f, size_t n, bool many) {
    double allowed = f->anew == 1 ? SECOND * (double)f->qp->rows->p : FALLS * (double)f->last;
    bool too_many = many && f->anew > 0 && (double)n > allowed;
    f->anew += many;
    f->last = n;
    f->idle = n < f->least ? 0 : f->idle + 1;
    f->least = n < f->least ? n : f->least;
    return too_many || f->idle > PATIENCE;
}

/* A step, and what is left to change after it; *changes rows come and go. */
static il_status step(search *f, size_t *changes) {
    il_primal_dual *self = f->self;
    il_dual *w = f->w;
    size_t p = f->qp->rows->p;
    size_t n = 0;
    (void)il_dual_each(w, p, step_rows, f);
    for (size_t i = 0; i < p; i++) {
        n += w->active[i] != self->on[i];
    }
    *changes = n;
    bool many = (double)n > FEW * (double)p;
    if (n == 0 || strays(f, n, many)) {
        return n == 0 ? IL_OK : IL_ESTALLED;
    }
    f->factored = f->factored && !many;
    memset(w->c, 0, p * sizeof *w->c);
    memset(self->pull, 0, f->qp->d * sizeof *self->pull);
    if (f->factored) {
        memset(self->lower, 0, f->qp->d * sizeof *self->lower);
    }
    for (size_t j = 0; f->factored && j < self->k; j++) {
        self->along[j] = 0.0;
    }
    for (size_t i = 0; i < p; i++) {
        if (w->active[i] != self->on[i]) {
            change(f, i);
        }
    }
    return IL_OK;
}

/* To the minimiser, from a direction. */
static il_status follow(search *f) {
    const il_primal_dual *self = f->self;
    f->anew = 0;
    f->idle = 0;
    f->least = f->qp->rows->p + 1;
    for (;;) {
        size_t changes = 0;
        il_status status = il_interrupted() ? IL_EINTERRUPTED : step(f, &changes);
        if (status != IL_OK || changes == 0) {
            return status;
        }
        if (f->factored && numbers(self) <= (double)il_sparse_size(f->w->factor)) {
            turn(f);
        } else {
            status = factorise(f);
        }
        if (status != IL_OK) {
            return status;
        }
    }
}

/* v, c and r where the search starts from multipliers lambda and their gaps. */
static void start(const search *f, const double *lambda) {
    il_dual *w = f->w;
    for (size_t i = 0; i < f->qp->rows->p; i++) {
        double sigma = f->self->penalty / w->delassus[i];
        bool on = lambda[i] > 0.0;
        f->self->on[i] = on;
        w->z[i] = on ? lambda[i] : -sigma * il_greater(w->g[i], 0.0);
        w->c[i] = -sigma * (on ? w->g[i] : il_lesser(w->g[i], 0.0));
    }
    memset(f->self->pull, 0, f->qp->d * sizeof(double));
}

/* The rows of the guess that are not in the set lose their multipliers. */
static void choose(const search *f, double *lambda, double *x) {
    const il_dual *w = f->w;
    size_t p = f->qp->rows->p;
    double deepest = 0.0;
    double sum[2] = {0.0, 0.0}; /* of gaps, and of lambda_i W_ii, where they are the larger one */
    double rows[2] = {0.0, 0.0};
    (void)il_dual_evaluate(f->w, f->qp, lambda, x, &deepest);
    for (size_t i = 0; i < p; i++) {
        double alone = lambda[i] * w->delassus[i];
        bool on = alone >= w->g[i];
        sum[on] += on ? alone : w->g[i];
        rows[on] += 1.0;
    }
    double quotient = SPLIT * sum[1] * rows[0] / (rows[1] * sum[0]);
    quotient = quotient > 1.0 && quotient < INFINITY ? quotient : 1.0;
    for (size_t i = 0; i < p; i++) {
        lambda[i] = lambda[i] * w->delassus[i] < quotient * w->g[i] ? 0.0 : lambda[i];
    }
}

/* One outer iteration: lambda <- max(0, v) at the minimiser. */
static il_status iterate(search *f, double *lambda) {
    il_status status = IL_OK;
    start(f, lambda);
    if (f->factored) {
        turn_anew(f);
    } else {
        status = factorise(f);
    }
    status = status == IL_OK ? follow(f) : status;
    for (size_t i = 0; status == IL_OK && i < f->qp->rows->p; i++) {
        lambda[i] = f->self->on[i] ? il_greater(f->w->z[i], DBL_MIN) : 0.0;
    }
    return status;
}

/* Outer iterations while they halve the residual, and one more once it is rounding. */
static il_status settle(search *f, double *lambda, double *x) {
    il_dual *w = f->w;
    size_t bytes = f->qp->rows->p * sizeof *lambda;
    double best = INFINITY;
    double deepest = 0.0;
    il_status status = IL_OK;
    bool last = false;
    for (int k = 0; k < MAX_OUTER && status == IL_OK && !last; k++) {
        double residual = il_dual_evaluate(w, f->qp, lambda, x, &deepest);
        if (!isfinite(residual) || (k > 0 && residual <= w->rounding)) {
            return isfinite(residual) ? IL_OK : IL_ESTALLED;
        }
        last = best <= fmin(w->noise, IL_PROJECTOR_TOLERANCE);
        if (k > 0 && !(residual < 0.5 * best)) {
            break;
        }
        best = k > 0 ? residual : best; /* a guess may be anywhere */
        memcpy(w->best, lambda, bytes);
        status = last ? IL_OK : iterate(f, lambda);
        f->self->found = f->self->found || status == IL_OK;
    }
    memcpy(lambda, w->best, bytes);
    double left = il_dual_evaluate(w, f->qp, lambda, x, &deepest);
    bool settled = left <= fmin(SETTLED * w->noise, IL_PROJECTOR_TOLERANCE);
    return status != IL_OK ? status : settled ? IL_OK : IL_ESTALLED;
}

il_status il_primal_dual_run(il_primal_dual *self, const il_qp *qp, double *lambda, double *x) {
    il_dual *w = self->dual;
    search f = {.self = self, .w = w, .qp = qp};
    self->found = false;
    self->penalty = PENALTY;
    reserve(self, qp->d, qp->rows->p);
    il_status status = il_dual_analyse(w, qp);
    if (status == IL_OK) {
        w->factored = false; /* with other penalties than these */
        choose(&f, lambda, x);
        status = settle(&f, lambda, x);
    }
    return status == IL_ENUMERIC ? IL_ESTALLED : status;
}
