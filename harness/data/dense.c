/*
 * dense.c - motions of steps to rows and back (dense.h).
 */
#include "harness/data/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

const char il_dense_text[] =
    "a row a piece of the motion, at its end, in that step; c<k><i> are its coefficients, q<i> = "
    "sum_k c<k><i> s^k, s from 0 to 1 over the piece; u = q'";

/* ---- to rows -------------------------------------------------------------------------------- */

void il_dense_free(il_dense *w) {
    free(w->own);
    *w = (il_dense){.n = 0};
}

void il_dense_make(il_dense *w, const il_trajectory *run) {
    const il_pieces *p = &run->pieces;
    size_t d = run->d;
    size_t size = (p->degree + 1) * d;
    *w = (il_dense){.n = run->nodes, .t = run->t, .q = run->q, .u = run->u};
    if (p->n == 0) {
        return;
    }
    size_t n = p->n + 1;
    w->own = il_alloc_zero(n, (2 * d + 1 + size) * sizeof *w->own);
    double *step = w->own;
    double *q = step + n;
    double *u = q + n * d;
    double *c = u + n * d;
    const il_motion all = {.d = d, .n = p->n, .degree = p->degree, .end = p->at + 1, .c = p->c};
    for (size_t k = 0; k < size; k++) {
        c[k] = NAN;
    }
    memcpy(c + size, p->c, p->n * size * sizeof *c);
    for (size_t j = 0, node = 0; j < n; j++) {
        double t = p->at[j];
        bool at_node = t == run->t[node];
        step[j] = (double)node;
        if (at_node) {
            memcpy(q + j * d, run->q + node * d, d * sizeof *q);
            memcpy(u + j * d, run->u + node * d, d * sizeof *u);
        } else {
            il_motion_eval(&all, p->at[0], j - 1, t, q + j * d, u + j * d);
        }
        node += at_node;
    }
    *w = (il_dense){.n = n, .t = p->at, .q = q, .u = u, .step = step, .c = c, .own = w->own};
}

/* ---- from rows ------------------------------------------------------------------------------ */

void il_dense_reading_free(il_dense_reading *w) {
    free(w->end);
    free(w->c);
    free(w->last);
}

static size_t size_of(const il_dense_reading *w) {
    return (w->coefficients > 0 ? w->coefficients : 4) * w->run->d;
}

/* The step at hand ends with the last row. */
static il_status close_step(il_dense_reading *w, il_error *err) {
    il_trajectory *run = w->run;
    size_t d = run->d;
    const double *q = w->last + 1;
    double t = w->last[0];
    const double *q0 = run->q + (run->nodes - 1) * d;
    const il_motion motion = {
        .d = d, .n = w->n, .degree = size_of(w) / d - 1, .end = w->end, .c = w->c};
    bool straight = w->n == 1;
    for (size_t k = 0; k < size_of(w); k++) {
        straight = straight && isnan(w->c[k]);
    }
    il_status status =
        straight ? IL_OK : il_motion_check(&motion, run->t[run->nodes - 1], t, q0, q, err);
    if (status != IL_OK) {
        return status;
    }
    w->n = 0;
    il_trajectory_add_motion(run, t, straight ? NULL : &motion);
    status = il_trajectory_add(run, t, q, q + d);
    return status == IL_OK ? IL_OK : il_fail(err, status, "no memory for the motions inside steps");
}

/* Piece to the row at t, whose coefficients are c, or through it. */
static void add_piece(il_dense_reading *w, double t, const double *q, const double *u,
                      const double *c) {
    size_t d = w->run->d;
    size_t size = size_of(w);
    il_memory_append(&w->end, w->n, sizeof *w->end);
    il_memory_append(&w->c, w->n, size * sizeof *w->c);
    double *to = w->c + w->n * size;
    w->end[w->n++] = t;
    if (w->coefficients > 0) {
        memcpy(to, c, size * sizeof *to);
        return;
    }
    const double *q0 = w->last + 1;
    const double *u0 = q0 + 2 * d;
    double h = t - w->last[0];
    for (size_t i = 0; i < d; i++) {
        double way = q[i] - q0[i];
        to[i] = q0[i];
        to[d + i] = h * u0[i];
        to[2 * d + i] = 3.0 * way - h * (2.0 * u0[i] + u[i]);
        to[3 * d + i] = -2.0 * way + h * (u0[i] + u[i]);
    }
}

static il_status begin(il_dense_reading *w, double t, double step, il_error *err) {
    if (t != 0.0 || (w->stepped && step != 0.0)) {
        return il_fail(err, IL_EINVAL,
                       "the first row has t = %.10g of step %.10g; allowed: the start, 0 of step 0",
                       t, w->stepped ? step : 0.0);
    }
    w->last = il_alloc_zero(3 * w->run->d + 1, sizeof *w->last);
    return IL_OK;
}

/* Is the row one that may follow? Ends the step before it. */
static il_status follow(il_dense_reading *w, double t, double step, il_error *err) {
    double before = w->last[0];
    bool again = t == before && w->coefficients == 0 && !w->twice;
    if (!(t > before) && !again) {
        return il_fail(err, IL_EINVAL, "t is %.10g; allowed: a time after %.10g%s", t, before,
                       w->coefficients == 0 ? ", or that one a second time" : "");
    }
    bool next = w->stepped ? step != (double)w->step : t > before && !w->twice && w->n > 0;
    if (w->stepped && step != (double)w->step && step != (double)w->step + 1.0) {
        return il_fail(err, IL_EINVAL, "the step is %.10g; allowed: %zu or %zu", step, w->step,
                       w->step + 1);
    }
    w->step += w->stepped && next;
    return next && w->n > 0 ? close_step(w, err) : IL_OK;
}

/* u after the break at the last row. */
static il_status take_break(il_dense_reading *w, const double *q, const double *u, il_error *err) {
    size_t d = w->run->d;
    for (size_t i = 0; i < d; i++) {
        double before = w->last[1 + i];
        if (!(fabs(q[i] - before) <= 1e-11 * fmax(1.0, fabs(before)))) {
            return il_fail(err, IL_EINVAL,
                           "q%zu is %.10g where t = %.10g stands again, and was %.10g; allowed: "
                           "the same position, velocities alone jump",
                           i, q[i], w->last[0], before);
        }
    }
    memcpy(w->last + 1 + 2 * d, u, d * sizeof *u);
    w->twice = true;
    return IL_OK;
}

il_status il_dense_read(il_dense_reading *w, double t, const double *q, const double *u,
                        double step, const double *c, il_error *err) {
    size_t d = w->run->d;
    bool first = w->rows++ == 0;
    il_status status = first ? begin(w, t, step, err) : follow(w, t, step, err);
    if (status == IL_OK && !first && t == w->last[0]) {
        return take_break(w, q, u, err);
    }
    if (status == IL_OK && !first) {
        add_piece(w, t, q, u, c);
    }
    if (status != IL_OK) {
        return status;
    }
    w->twice = false;
    w->last[0] = t;
    memcpy(w->last + 1, q, d * sizeof *q);
    memcpy(w->last + 1 + d, u, d * sizeof *u);
    memcpy(w->last + 1 + 2 * d, u, d * sizeof *u);
    if (first) {
        (void)il_trajectory_add(w->run, t, q, u); /* there is room */
    }
    return IL_OK;
}

il_status il_dense_end(il_dense_reading *w, il_error *err) {
    return w->n > 0 ? close_step(w, err) : IL_OK;
}
