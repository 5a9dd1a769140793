/* sequential.c - sequential impulses in substeps. */
#include "schemes/stepping/sequential.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The gap of row i at q, `after` the rows were taken, with w->x = q - q_n. */
static double gap(const il_velocity *w, size_t i, double after) {
    return w->rows.value[i] + after * w->rows.rate[i] + il_rows_dot(&w->rows, i, w->x);
}

/* The number that a state keeps of a contact that has not acted yet, and the least that it keeps of
 * one that has: they count as no impulse. */
static const double WAITING = DBL_TRUE_MIN;
static const double ACTED = 2.0 * DBL_TRUE_MIN;

/* Row i is asked for the speed `wanted`; impulses stand in w->speed. */
static void solve(il_velocity *w, size_t i, double wanted, double sigma, double *u) {
    double A = il_velocity_mobility(w, &w->rows, i);
    double speed = w->rows.rate[i] + il_rows_dot(&w->rows, i, u);
    double p = A > 0.0 ? sigma * fmax(w->speed[i] - (speed - wanted) / A, 0.0) : 0.0;
    il_velocity_push(w, &w->rows, i, p - w->speed[i], u);
    w->speed[i] = p;
}

static void sweep(il_velocity *w, const il_substeps *how, double s, double after, double *u) {
    for (size_t i = 0; i < w->rows.p; i++) {
        double g = gap(w, i, after);
        double wanted = g > 0.0 ? -g / s : 0.0;
        double sigma = 1.0;
        if (how != NULL && g <= 0.0) {
            il_soft_contact soft = il_substeps_soft(w, i, how, s);
            wanted = fmin(-g * soft.rate, how->push);
            sigma = soft.c / (1.0 + soft.c);
        }
        solve(w, i, wanted, sigma, u);
    }
}

/* Restitution of the whole step, at its end. */
static void rebound(il_velocity *w, const double *kept, const double *before, double *u) {
    double e = w->problem->restitution;
    double none = il_tangent_closed(before, w->problem->d); /* bodies that touch approach by 0 */
    for (size_t i = 0; i < w->rows.p; i++) {
        double r = w->rows.rate[i] + il_rows_dot(&w->rows, i, before);
        double p = w->speed[i];
        if (w->lambda[i] > 0.0 && r < -none && e > 0.0 && (kept[i] < ACTED || e >= 1.0)) {
            solve(w, i, -e * r, 1.0, u);
            w->lambda[i] += w->speed[i] - p;
        }
    }
}

void il_sequential_make(il_velocity *w, il_colours *colours, const il_substeps *how, double h,
                        const il_state *in, il_state *out) {
    size_t d = w->problem->d;
    double s = h / (double)how->count;
    const double *kept = il_colours_arrange(colours, w, in->contacts);
    memcpy(out->q, in->q, d * sizeof *out->q);
    memcpy(out->u, in->u, d * sizeof *out->u);
    memset(w->x, 0, d * sizeof *w->x);
    for (size_t i = 0; i < w->rows.p; i++) {
        w->speed[i] = kept[i];
    }
    il_metric_solve(w->problem->mass, w->f, w->v);
    for (size_t n = 0; n < how->count; n++) {
        for (size_t k = 0; k < d; k++) {
            out->u[k] += s * w->v[k];
        }
        for (size_t i = 0; i < w->rows.p; i++) {
            il_velocity_push(w, &w->rows, i, w->speed[i], out->u);
        }
        sweep(w, how, s, s * (double)n, out->u);
        for (size_t k = 0; k < d; k++) {
            out->q[k] += s * out->u[k];
            w->x[k] = out->q[k] - in->q[k];
        }
        sweep(w, NULL, s, s * (double)(n + 1), out->u);
        for (size_t i = 0; i < w->rows.p; i++) {
            w->lambda[i] += w->speed[i];
        }
    }
    rebound(w, kept, in->u, out->u);
    for (size_t i = 0; i < w->rows.p; i++) {
        w->speed[i] = fmax(w->speed[i], w->lambda[i] > 0.0 ? ACTED : WAITING);
    }
    il_colours_keep(colours, w, out->contacts);
}
