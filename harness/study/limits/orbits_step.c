/*
 * orbits_step.c - the flow over one octave, in the scale of the first: the map of which orbits are
 * periodic points; and how a state at any time comes to where it starts. See orbits.h.
 */
#include <math.h>
#include <string.h>

#include "harness/study/limits/orbits.h"

void il_orbits_step(const il_problem *problem, const double *x, double *next, double *derivative) {
    const il_scaling *s = problem->type->scaling;
    size_t d = problem->d;
    int position = s->position(problem);
    s->flow(problem, 1.0, x, ldexp(1.0, s->time), next, derivative);
    for (size_t i = 0; i < 2 * d; i++) {
        int e = i < d ? -position : s->time - position;
        next[i] = ldexp(next[i], e);
        for (size_t j = 0; derivative != NULL && j < 2 * d; j++) {
            derivative[i * 2 * d + j] = ldexp(derivative[i * 2 * d + j], e);
        }
    }
}

int il_orbits_periods(const il_problem *problem, double t) {
    int time = problem->type->scaling->time;
    int e = 0;
    double m = frexp(t, &e);
    e -= m == 0.5; /* t <= 2^e, and not t <= 2^{e-1} */
    return e >= 0 ? (e + time - 1) / time : -(-e / time);
}

int il_orbits_arrive(const il_problem *problem, double t, const double *q, const double *u,
                     double *x) {
    const il_scaling *s = problem->type->scaling;
    size_t d = problem->d;
    int position = s->position(problem);
    double z[IL_ORBITS_DIM_MAX];
    int k = il_orbits_periods(problem, t);
    memcpy(z, q, d * sizeof *z);
    memcpy(z + d, u, d * sizeof *z);
    s->flow(problem, t, z, ldexp(1.0, s->time * k), x, NULL);
    for (size_t i = 0; i < 2 * d; i++) {
        x[i] = ldexp(x[i], -k * (i < d ? position : position - s->time));
    }
    return k;
}
