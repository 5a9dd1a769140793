/*
 * orbits.c - finds periodic orbits from many starts, and the orbit that attracts a state. See
 * orbits.h.
 */
#include "harness/study/limits/orbits.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/memory_limit.h"

enum {
    STARTS = 200,
    LONGEST = 8,
    SETTLE = 600,   /* periods after which a start is checked for convergence */
    FOLLOW = 20000, /* periods; with a multiplier of 0.999 a distance is then 2e-9 of itself */
    REPELLING = 4   /* the longest period that is looked for from the starts themselves */
};

/* Relative to the box: states as near as this are one. Newton's method leaves 1e-14. */
static const double SAME = 1e-9;

/* Relative to the box: a state this near to an attracting orbit has converged to it. */
static const double THERE = 1e-6;

/* In steps. Forces are at most the box's velocities in size, an impact is delayed to the end of its
 * step and the force to the next, and each later octave adds half as much, while an orbit that
 * repels by less than 3 stretches it less: together less than 2 (1 + 1/2 + 1/4 + ...) = 4. */
static const double STEPS = 4.0;

/* A multiplier this near to modulus 1, which it has to some 1e-12, is neutral. */
static const double NEUTRAL = 1e-9;

bool il_orbit_attracts(const il_orbit *orbit) {
    return fabs(orbit->multiplier) < 1.0 - NEUTRAL;
}

/* x to Phi(x). */
static void advance(const il_problem *problem, double *x) {
    double next[IL_ORBITS_DIM_MAX];
    il_orbits_step(problem, x, next, NULL);
    memcpy(x, next, 2 * problem->d * sizeof *x);
}

/* The size of the box: its longest side. */
static double box_size(const il_problem *problem, double *low, double *high) {
    double size = 0.0;
    problem->type->scaling->box(problem, low, high);
    for (size_t i = 0; i < 2 * problem->d; i++) {
        size = fmax(size, high[i] - low[i]);
    }
    return size;
}

static double apart(const double *x, const double *y, size_t dim) {
    double most = 0.0;
    for (size_t i = 0; i < dim; i++) {
        most = fmax(most, fabs(x[i] - y[i]));
    }
    return most;
}

static double half_side(const double *low, const double *high, size_t i) {
    return 0.5 * (high[i] - low[i]);
}

/* ---- following ------------------------------------------------------------------------------ */

il_orbits_end il_orbits_follow(const il_orbits *orbits, const double *x) {
    double y[IL_ORBITS_DIM_MAX];
    double low[IL_ORBITS_DIM_MAX];
    double high[IL_ORBITS_DIM_MAX];
    size_t dim = orbits->dim;
    double there = THERE * box_size(orbits->problem, low, high);
    memcpy(y, x, dim * sizeof *y);
    for (size_t k = 0; k < FOLLOW; k++) {
        for (size_t o = 0; o < orbits->n; o++) {
            const il_orbit *orbit = &orbits->list[o];
            for (int i = 0; i < orbit->period && il_orbit_attracts(orbit); i++) {
                if (apart(y, orbit->states + (size_t)i * dim, dim) <= there) {
                    int back = (int)(k % (size_t)orbit->period);
                    return (il_orbits_end){(int)o, (i - back + orbit->period) % orbit->period};
                }
            }
        }
        advance(orbits->problem, y);
    }
    return (il_orbits_end){.orbit = IL_ORBITS_NONE};
}

il_orbits_end il_orbits_settle(const il_orbits *orbits, const double *x, double radius) {
    double y[IL_ORBITS_DIM_MAX];
    double low[IL_ORBITS_DIM_MAX];
    double high[IL_ORBITS_DIM_MAX];
    il_orbits_end end = il_orbits_follow(orbits, x);
    (void)box_size(orbits->problem, low, high);
    for (size_t k = 0; k < 2 * orbits->dim && end.orbit != IL_ORBITS_NONE; k++) {
        memcpy(y, x, orbits->dim * sizeof *y);
        double side = half_side(low, high, k / 2);
        y[k / 2] += k % 2 == 0 ? radius * side : -radius * side;
        il_orbits_end other = il_orbits_follow(orbits, y);
        if (other.orbit != end.orbit || other.index != end.index) {
            end.orbit = IL_ORBITS_NONE;
        }
    }
    return end;
}

double il_orbits_reach(const il_orbits *orbits, double T, double h) {
    int time = orbits->problem->type->scaling->time;
    return STEPS * ldexp(h, -time * il_orbits_periods(orbits->problem, T));
}

il_orbits_end il_orbits_of_run(const il_orbits *orbits, double T, double h, double t,
                               const double *q, const double *u, double *x) {
    const il_problem *problem = orbits->problem;
    int last = il_orbits_periods(problem, T);
    for (int k = il_orbits_arrive(problem, t, q, u, x); k < last; k++) {
        advance(problem, x);
    }
    return il_orbits_settle(orbits, x, il_orbits_reach(orbits, T, h));
}

double il_orbits_distance(const il_orbits *orbits, const double *x, il_orbits_end end) {
    double low[IL_ORBITS_DIM_MAX];
    double high[IL_ORBITS_DIM_MAX];
    double most = 0.0;
    if (end.orbit == IL_ORBITS_NONE) {
        return INFINITY;
    }
    (void)box_size(orbits->problem, low, high);
    for (size_t i = 0; i < orbits->dim; i++) {
        double y = orbits->list[end.orbit].states[(size_t)end.index * orbits->dim + i];
        most = fmax(most, fabs(x[i] - y) / half_side(low, high, i));
    }
    return most;
}

/* ---- finding -------------------------------------------------------------------------------- */

static bool is_known(const il_orbits *orbits, const double *x, double same) {
    for (size_t o = 0; o < orbits->n; o++) {
        for (int i = 0; i < orbits->list[o].period; i++) {
            if (apart(x, orbits->list[o].states + (size_t)i * orbits->dim, orbits->dim) <= same) {
                return true;
            }
        }
    }
    return false;
}

static int by_state(const double *x, const double *y, size_t dim) {
    for (size_t i = 0; i < dim; i++) {
        if (x[i] != y[i]) {
            return x[i] < y[i] ? -1 : 1;
        }
    }
    return 0;
}

/* The orbit of x, which Phi^period maps to itself, with its smallest state first. */
static il_status append(il_orbits *orbits, const double *x, int period, il_error *err) {
    size_t dim = orbits->dim;
    il_memory_append(&orbits->list, orbits->n, sizeof *orbits->list);
    il_orbit *orbit = &orbits->list[orbits->n];
    *orbit = (il_orbit){.period = period};
    orbit->states = il_alloc((size_t)period * dim, sizeof *orbit->states);
    orbits->n++;
    double first[IL_ORBITS_DIM_MAX];
    double y[IL_ORBITS_DIM_MAX];
    memcpy(first, x, dim * sizeof *first);
    memcpy(y, x, dim * sizeof *y);
    for (int i = 1; i < period; i++) {
        advance(orbits->problem, y);
        if (by_state(y, first, dim) < 0) {
            memcpy(first, y, dim * sizeof *first);
        }
    }
    memcpy(orbit->states, first, dim * sizeof *first);
    for (int i = 1; i < period; i++) {
        il_orbits_step(orbits->problem, orbit->states + (size_t)(i - 1) * dim,
                       orbit->states + (size_t)i * dim, NULL);
    }
    return il_orbits_measure(orbits->problem, orbit, err);
}

/* The least period of x: Newton's method for a multiple of it may converge where that for it does
 * not. */
static int least_period(const il_problem *problem, const double *x, int period, double same) {
    double y[IL_ORBITS_DIM_MAX];
    size_t dim = 2 * problem->d;
    memcpy(y, x, dim * sizeof *y);
    for (int p = 1; p < period; p++) {
        advance(problem, y);
        if (period % p == 0 && apart(x, y, dim) <= same) {
            return p;
        }
    }
    return period;
}

/* Orbits with periods 1 .. longest that Newton's method finds from x: only those near it, if asked,
 * as x has come to what attracts it. */
static il_status search_from(il_orbits *orbits, const double *x, int longest, double near,
                             double same, il_error *err) {
    size_t dim = orbits->dim;
    double y[IL_ORBITS_DIM_MAX];
    for (int p = 1; p <= longest; p++) {
        memcpy(y, x, dim * sizeof *y);
        if (!il_orbits_newton(orbits->problem, p, y) || apart(x, y, dim) > near) {
            continue;
        }
        il_status status = IL_OK;
        if (!is_known(orbits, y, same)) {
            status = append(orbits, y, least_period(orbits->problem, y, p, same), err);
        }
        if (status != IL_OK) {
            return status;
        }
    }
    return IL_OK;
}

static int by_period(const void *a, const void *b, void *dim) {
    const il_orbit *x = a;
    const il_orbit *y = b;
    if (x->period != y->period) {
        return x->period - y->period;
    }
    return by_state(x->states, y->states, *(const size_t *)dim);
}

static il_status search_all(il_orbits *orbits, const il_orbits_search *search, double *starts,
                            il_error *err) {
    double low[IL_ORBITS_DIM_MAX];
    double high[IL_ORBITS_DIM_MAX];
    double y[IL_ORBITS_DIM_MAX];
    size_t dim = orbits->dim;
    int longest = search->longest > 0 ? search->longest : LONGEST;
    double size = box_size(orbits->problem, low, high);
    il_status status = IL_OK;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, search->seed);
    for (size_t k = 0; k < orbits->starts && status == IL_OK; k++) {
        double *x = starts + k * dim;
        for (size_t i = 0; i < dim; i++) {
            x[i] = low[i] + gsl_rng_uniform(rng) * (high[i] - low[i]);
        }
        memcpy(y, x, dim * sizeof *y);
        for (int n = 0; n < SETTLE; n++) {
            advance(orbits->problem, y);
        }
        status = search_from(orbits, y, longest, 0.01 * size, SAME * size, err);
        if (status == IL_OK) {
            int repelling = longest < REPELLING ? longest : REPELLING;
            status = search_from(orbits, x, repelling, INFINITY, SAME * size, err);
        }
    }
    gsl_rng_free(rng);
    return status;
}

static void chart(il_orbits *orbits, const double *starts) {
    for (size_t k = 0; k < orbits->starts; k++) {
        il_orbits_end end = il_orbits_follow(orbits, starts + k * orbits->dim);
        if (end.orbit == IL_ORBITS_NONE) {
            orbits->wandering++;
        } else {
            orbits->list[end.orbit].starts++;
        }
    }
}

static void prove_all(il_orbits *orbits, const il_params *params) {
    const il_problem_type *type = orbits->problem->type;
    if (params == NULL || orbits->dim != 2 || type->exact_model == NULL ||
        type->scaling->flow_exact == NULL) {
        return;
    }
    il_exact_model model = {0};
    type->exact_model(orbits->problem, params, &model);
    for (size_t o = 0; o < orbits->n; o++) {
        il_orbits_prove(orbits->problem, &model, &orbits->list[o]);
    }
    il_exact_model_free(&model);
}

il_status il_orbits_find(il_orbits *orbits, const il_problem *problem, const il_params *params,
                         const il_orbits_search *search, il_error *err) {
    *orbits = (il_orbits){.problem = problem, .dim = 2 * problem->d};
    if (problem->type->scaling == NULL) {
        return il_fail(err, IL_EUNSUPPORTED,
                       "problem '%s' offers no motion over a period of a scaling: its solutions "
                       "have no periodic orbits to find",
                       problem->type->name);
    }
    if (orbits->dim > IL_ORBITS_DIM_MAX) {
        return il_fail(err, IL_EUNSUPPORTED, "states have %zu numbers; allowed: up to %d",
                       orbits->dim, IL_ORBITS_DIM_MAX);
    }
    orbits->starts = search->starts > 0 ? search->starts : STARTS;
    double *starts = NULL;
    il_status status =
        il_memory_ask(&starts, orbits->starts, orbits->dim * sizeof *starts, "starts", err);
    status = status == IL_OK ? search_all(orbits, search, starts, err) : status;
    if (status == IL_OK && orbits->n > 0) {
        qsort_r(orbits->list, orbits->n, sizeof *orbits->list, by_period, &orbits->dim);
        chart(orbits, starts);
        prove_all(orbits, params);
    }
    free(starts);
    return status;
}

void il_orbits_free(il_orbits *orbits) {
    for (size_t o = 0; o < orbits->n; o++) {
        free(orbits->list[o].states);
        il_rational_free(orbits->list[o].rational);
    }
    free(orbits->list);
    memset(orbits, 0, sizeof *orbits);
}
