/*
 * flat.c - the flat distance by two stacks of slopes (flat.h).
 *
 * sup int phi d(sigma) with |phi| <= 1, Lip(phi) <= 1 (time in units of tau). Let the maximum of
 * the concave V lie at p*. Slope that was handed to the right (g = 1) or left (g = -1) is kept in
 * outward coordinates z = g p, shifted by the time x, for outward is where it moves: z = kept + x.
 *
 * A mass S of sign g takes slope from stack g. Its top block holds slope m, from z = b outward to
 * b + w. With kappa = 1/|density| the time that a unit of mass takes (0 for an atom), the maximum
 * is at
 *
 *     P(s) = b + s (kappa + w/m),   0 <= s <= min(S, m),
 *
 * after mass s, until P reaches the edge 1, where phi stays. The gain is int P ds, and stack -g
 * receives a block of slope s between -P(s) and kappa s - b.
 */
#include "harness/flat.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "harness/base/sum.h"

/* So near to the edge of [-1,1] is at the edge. */
static const double EDGE = 1.0 - 4.0 * DBL_EPSILON;

typedef struct {
    double near, far; /* outward coordinates, less the time at which they were such */
    double slope;
} block;

typedef struct {
    block *blocks;
    size_t n, room;
} stack;

typedef struct {
    stack side[2]; /* [0] left of the maximum, [1] right */
    double x;      /* time, in units of tau */
    il_sum value;  /* V at its maximum */
} front;

static bool push(stack *s, block b) {
    if (s->n == s->room) {
        size_t room = s->room > 0 ? 2 * s->room : 64;
        block *more = realloc(s->blocks, room * sizeof *more);
        if (more == NULL) {
            return false;
        }
        s->blocks = more;
        s->room = room;
    }
    s->blocks[s->n++] = b;
    return true;
}

/* Mass S > 0 of sign g arrives, kappa of time for each unit. False if memory ran out. */
static bool arrive(front *w, int g, double S, double kappa) {
    stack *from = &w->side[g > 0];
    stack *to = &w->side[g < 0];
    while (S > 0.0) {
        block *top = from->n > 0 ? &from->blocks[from->n - 1] : NULL;
        double b = top != NULL ? top->near + w->x : 1.0;
        if (!(b < EDGE)) { /* all of that stack has left [-1,1] */
            from->n = 0;
            top = NULL;
            b = 1.0;
        }
        double rate = top != NULL ? kappa + (top->far - top->near) / top->slope : 0.0;
        double s = top != NULL ? fmin(S, top->slope) : S;
        s = rate > 0.0 ? fmin(s, (1.0 - b) / rate) : s;
        double P = b + s * rate;
        il_sum_add(&w->value, s * (b + 0.5 * s * rate));
        if (top != NULL && s < top->slope) { /* taken from its near end; what is left moves on */
            top->near += s * (top->far - top->near) / top->slope;
            top->slope -= s;
        } else if (top != NULL) {
            from->n--;
        }
        w->x += kappa * s;
        S -= s;
        if (!push(to, (block){-P - w->x, kappa * s - b - w->x, s})) {
            return false;
        }
    }
    return true;
}

/* ---- events --------------------------------------------------------------------------------- */

typedef struct {
    double t;
    double atom;    /* mass that arrives at t */
    double density; /* by which the density changes at t */
    int open;       /* loads that begin less loads that end */
} event;

static int by_time(const void *a, const void *b) {
    double x = ((const event *)a)->t;
    double y = ((const event *)b)->t;
    return (x > y) - (x < y);
}

/* Two events a load. False if one is not finite. */
static bool append(event *events, size_t *n, const il_load *loads, size_t count, double sign) {
    bool finite = true;
    for (size_t k = 0; k < count; k++) {
        const il_load *l = &loads[k];
        double length = l->t1 - l->t0;
        finite = finite && isfinite(length) && isfinite(l->mass);
        if (length > 0.0) {
            double density = sign * l->mass / length;
            events[(*n)++] = (event){l->t0, 0.0, density, 1};
            events[(*n)++] = (event){l->t1, 0.0, -density, -1};
        } else {
            events[(*n)++] = (event){l->t0, sign * l->mass, 0.0, 0};
        }
    }
    return finite;
}

/* All events in order. False if memory ran out. */
static bool sweep(front *w, const event *events, size_t n, double tau) {
    il_sum density = {0.0, 0.0};
    int open = 0;
    bool fine = true;
    for (size_t k = 0; fine && k < n;) {
        double t = events[k].t;
        double atom = 0.0;
        for (; k < n && events[k].t == t; k++) {
            atom += events[k].atom;
            il_sum_add(&density, events[k].density);
            open += events[k].open;
        }
        density = open == 0 ? (il_sum){0.0, 0.0} : density;
        fine = atom == 0.0 || arrive(w, atom > 0.0 ? 1 : -1, fabs(atom), 0.0);
        double length = k < n ? events[k].t - t : 0.0;
        double mass = length * il_sum_value(&density);
        if (fine && mass != 0.0) {
            fine = arrive(w, mass > 0.0 ? 1 : -1, fabs(mass), length / tau / fabs(mass));
        }
        w->x = k < n ? (events[k].t - events[0].t) / tau : w->x;
    }
    return fine;
}

static il_status check(const il_load *loads, size_t n, il_error *err) {
    for (size_t k = 0; k < n; k++) {
        if (loads[k].t0 > loads[k].t1) {
            return il_fail(err, IL_EINVAL, "load %zu lies on [%g, %g]; its end is before its start",
                           k, loads[k].t0, loads[k].t1);
        }
    }
    return IL_OK;
}

il_status il_flat_distance(const il_load *mu, size_t nmu, const il_load *nu, size_t nnu, double tau,
                           double *distance, il_error *err) {
    *distance = NAN;
    if (!(tau > 0.0 && isfinite(tau))) {
        return il_fail(err, IL_EINVAL, "tau is %g; it must be positive and finite", tau);
    }
    il_status status = check(mu, nmu, err);
    status = status == IL_OK ? check(nu, nnu, err) : status;
    if (status != IL_OK) {
        return status;
    }
    size_t n = 0;
    front w = {.value = {0.0, 0.0}};
    event *events = malloc((2 * (nmu + nnu) + 1) * sizeof *events);
    if (events == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for %zu loads", nmu + nnu);
    }
    bool finite = append(events, &n, mu, nmu, 1.0);
    finite = append(events, &n, nu, nnu, -1.0) && finite;
    if (finite) {
        qsort(events, n, sizeof *events, by_time);
        if (sweep(&w, events, n, tau)) {
            *distance = il_sum_value(&w.value);
        } else {
            status = il_fail(err, IL_ENOMEM, "no memory for %zu loads", nmu + nnu);
        }
    }
    free(w.side[0].blocks);
    free(w.side[1].blocks);
    free(events);
    return status;
}
