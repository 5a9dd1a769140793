/*
 * hermite.c - nodes in order of time, and the quintic interpolation between them:
 *
 *     p(s) = q_0 + s (v_0 + s (a_0 + s (c_3 + s (c_4 + s c_5)))),   s = (t - t_0)/h in [0, 1],
 *
 * v_0 = h u_0, a_0 = h^2 q''_0/2, and c_3, c_4, c_5 such that p, p', p'' are those of the next
 * node.
 */
#include "harness/reference/hermite.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

void il_hermite_add(il_hermite *w, double t, const double *q, const double *u,
                    const double *acceleration) {
    if (w->nodes == w->room) {
        w->room = w->room == 0 ? 4096 : 2 * w->room;
        il_memory_grow(&w->t, w->room, sizeof *w->t);
        il_memory_grow(&w->state, w->room, 3 * w->d * sizeof *w->state);
    }
    double *at = w->state + 3 * w->d * w->nodes;
    memcpy(at, q, w->d * sizeof *at);
    memcpy(at + w->d, u, w->d * sizeof *at);
    memcpy(at + 2 * w->d, acceleration, w->d * sizeof *at);
    w->t[w->nodes++] = t;
}

/* The last node before t (side < 0), or not after it; the last but one at most, the first at least.
 * Halving without a branch: most evaluations are at times in no order. */
static size_t interval_of(const il_hermite *w, double t, int side) {
    const double *low = w->t;
    for (size_t n = w->nodes - 1; n > 1;) {
        size_t half = n / 2;
        bool right = side < 0 ? low[half] < t : low[half] <= t;
        low = right ? low + half : low;
        n -= half;
    }
    return (size_t)(low - w->t);
}

void il_hermite_eval(const il_hermite *w, double t, int side, double *q, double *u) {
    size_t low = interval_of(w, t, side);
    size_t high = low + 1;
    if (side < 0 && low > 0 && w->t[low] == w->t[high]) {
        low--; /* t is a break: the piece before it */
        high--;
    }
    double h = w->t[high] - w->t[low];
    double s = h > 0.0 ? (t - w->t[low]) / h : 0.0;
    for (size_t k = 0; k < w->d; k++) {
        const double *A = w->state + 3 * w->d * low;
        const double *B = w->state + 3 * w->d * high;
        double v0 = h * A[w->d + k];
        double a0 = 0.5 * h * h * A[2 * w->d + k];
        double p = B[k] - A[k] - v0 - a0;
        double v = h * B[w->d + k] - v0 - 2.0 * a0;
        double a = h * h * B[2 * w->d + k] - 2.0 * a0;
        double c3 = 10.0 * p - 4.0 * v + 0.5 * a;
        double c4 = -15.0 * p + 7.0 * v - a;
        double c5 = 6.0 * p - 3.0 * v + 0.5 * a;
        q[k] = A[k] + s * (v0 + s * (a0 + s * (c3 + s * (c4 + s * c5))));
        u[k] = h > 0.0 ? (v0 + s * (2.0 * a0 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))) / h
                       : A[w->d + k];
    }
}

void il_hermite_archive(il_hermite *w, il_archive *a) {
    size_t states = w->nodes;
    size_t room = 0; /* a motion that is loaded has none yet */
    il_archive_expect(a, w->d);
    a->failed = a->failed || w->d == 0;
    il_archive_array(a, &w->t, &w->nodes, &w->room, sizeof *w->t);
    il_archive_array(a, &w->state, &states, &room, 3 * w->d * sizeof *w->state);
    a->failed = a->failed || states != w->nodes;
}

void il_hermite_free(il_hermite *w) {
    free(w->t);
    free(w->state);
}
