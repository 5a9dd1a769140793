/*
 * pulses.c - contact forces as measures in time.
 */
#include "harness/measure/pulses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/measure/jumps.h"

enum { DEPTH_MAX = 30 };

/* The mean of a density may be off by this, in masses of the largest impulse. */
static const double EVEN = 1e-10;

/* ---- filling -------------------------------------------------------------------------------- */

static void add(il_pulses *w, size_t id, il_pulse pulse) {
    if (w->n == w->room) {
        size_t room = w->room > 0 ? 2 * w->room : 64;
        il_memory_grow(&w->pulses, room, sizeof *w->pulses);
        il_memory_grow(&w->owner, room, sizeof *w->owner);
        w->room = room;
    }
    w->pulses[w->n] = pulse;
    w->owner[w->n++] = id;
}

typedef struct {
    size_t id, place;
} key;

static int by_id(const void *a, const void *b) {
    const key *x = a;
    const key *y = b;
    return x->id != y->id ? (x->id > y->id) - (x->id < y->id)
                          : (x->place > y->place) - (x->place < y->place);
}

/* Loads came in order of time; put them in order of contacts. */
static void arrange(il_pulses *w) {
    size_t n = w->n;
    key *keys = il_alloc(n, sizeof *keys);
    il_pulse *pulses = il_alloc(n, sizeof *pulses);
    w->id = il_alloc(n, sizeof *w->id);
    w->first = il_alloc(n + 1, sizeof *w->first);
    for (size_t k = 0; k < n; k++) {
        keys[k] = (key){w->owner[k], k};
    }
    qsort(keys, n, sizeof *keys, by_id);
    for (size_t k = 0; k < n; k++) {
        pulses[k] = w->pulses[keys[k].place];
        if (k == 0 || keys[k].id != keys[k - 1].id) {
            w->id[w->contacts] = keys[k].id;
            w->first[w->contacts++] = k;
        }
    }
    w->first[w->contacts] = n;
    free(keys);
    free(w->pulses);
    w->pulses = pulses;
    w->room = n;
    free(w->owner);
    w->owner = NULL;
}

void il_pulses_free(il_pulses *w) {
    if (w != NULL) {
        free(w->id);
        free(w->first);
        free(w->pulses);
        free(w->owner);
        memset(w, 0, sizeof *w);
    }
}

/* Contacts [from, to) of a run, of one step that begins at t0 and ends at t1. */
static void add_step(il_pulses *w, const il_trajectory *run, il_jumps *jumps, size_t from,
                     size_t to) {
    size_t step = run->contacts[from].step;
    size_t n = jumps != NULL ? il_jumps_find(jumps, step, from, to) : 0;
    for (size_t k = from; k < to; k++) {
        const il_contact *c = &run->contacts[k];
        double left = c->impulse;
        double sum = 0.0;
        for (size_t j = 0; j < n; j++) {
            sum += jumps->impulse[j * jumps->room + (k - from)];
        }
        left = sum > 0.0 && left - sum <= EVEN * left ? 0.0 : left - sum;
        double share = sum > 0.0 && left == 0.0 ? c->impulse / sum : 1.0;
        for (size_t j = 0; j < n; j++) {
            double atom = share * jumps->impulse[j * jumps->room + (k - from)];
            double t = jumps->t[j];
            if (atom != 0.0) {
                add(w, c->id, (il_pulse){t, t, atom});
                w->atomic = true;
            }
        }
        if (left != 0.0) {
            add(w, c->id, (il_pulse){run->t[step - 1], run->t[step], left});
        }
    }
}

void il_pulses_of_run(il_pulses *w, const il_trajectory *run, const il_problem *problem,
                      const il_projector_type *projector) {
    il_jumps jumps = {.run = run};
    bool dense = run->pieces.n > 0 && problem != NULL && projector != NULL;
    *w = (il_pulses){0};
    if (dense) {
        il_jumps_open(&jumps, problem, projector);
    }
    for (size_t k = 0, to = 0; k < run->ncontacts; k = to) {
        for (to = k; to < run->ncontacts && run->contacts[to].step == run->contacts[k].step;) {
            to++;
        }
        add_step(w, run, dense ? &jumps : NULL, k, to);
    }
    il_jumps_close(&jumps);
    arrange(w);
}

/* ---- exact solutions ------------------------------------------------------------------------ */

typedef struct {
    il_pulses *pulses;
    const il_exact *exact;
    size_t p;
    double end, largest; /* largest impulse up to the end */
} tracing;

static void add_differences(const tracing *w, double a, const double *from, double b,
                            const double *to) {
    for (size_t i = 0; i < w->p; i++) {
        double mass = to[i] - from[i];
        if (mass != 0.0) {
            add(w->pulses, i, (il_pulse){a, b, mass});
        }
    }
}

/* Is the density on [a,b] its mean, for the flat distance? With the impulse off by e in the middle,
 * less than e is moved over (b - a). */
static bool even(const tracing *w, double a, const double *from, double b, const double *to,
                 const double *middle) {
    double off = 0.0;
    for (size_t i = 0; i < w->p; i++) {
        off = fmax(off, fabs(middle[i] - 0.5 * (from[i] + to[i])));
    }
    return off <= EVEN * w->largest || b - a <= EVEN * w->end;
}

/* The density on [a,b], in pieces. room holds p numbers a level. */
static void spread(const tracing *w, double a, const double *from, double b, const double *to,
                   double *room, int depth) {
    double c = 0.5 * (a + b);
    if (w->exact->quadratic || depth == 0) {
        add_differences(w, a, from, b, to);
        return;
    }
    w->exact->impulse(w->exact, c, 0, room);
    /* also at a quarter: a curve that is odd about the middle passes the first test */
    double *deeper = room + w->p;
    if (even(w, a, from, b, to, room)) {
        w->exact->impulse(w->exact, 0.5 * (a + c), 0, deeper);
        if (even(w, a, from, c, room, deeper)) {
            add_differences(w, a, from, b, to);
            return;
        }
    }
    spread(w, a, from, c, room, deeper, depth - 1);
    spread(w, c, room, b, to, deeper, depth - 1);
}

static void trace(tracing *w, double *from) {
    const il_exact *exact = w->exact;
    double *to = from + w->p;
    exact->impulse(exact, w->end, -1, to);
    for (size_t i = 0; i < w->p; i++) {
        w->largest = fmax(w->largest, fabs(to[i]));
    }
    memset(from, 0, w->p * sizeof *from); /* before t = 0 */
    for (size_t k = 0; k + 1 < exact->nbreaks && exact->breaks[k] < w->end; k++) {
        double a = exact->breaks[k];
        double b = fmin(exact->breaks[k + 1], w->end);
        exact->impulse(exact, a, 1, to);
        add_differences(w, a, from, a, to);
        memcpy(from, to, w->p * sizeof *from);
        exact->impulse(exact, b, -1, to);
        spread(w, a, from, b, to, to + w->p, DEPTH_MAX);
        memcpy(from, to, w->p * sizeof *from);
    }
}

il_status il_pulses_of_exact(il_pulses *pulses, const il_exact *exact, size_t p, double end,
                             il_error *err) {
    *pulses = (il_pulses){0};
    if (exact->impulse == NULL) {
        return il_fail(err, IL_EUNSUPPORTED, "the contact impulses of solution '%s' are not known",
                       exact->name);
    }
    double *scratch = il_alloc((DEPTH_MAX + 4) * p, sizeof *scratch);
    pulses->atomic = true;
    tracing w = {.pulses = pulses, .exact = exact, .p = p, .end = end};
    trace(&w, scratch);
    free(scratch);
    arrange(pulses);
    return IL_OK;
}

/* ---- distances ------------------------------------------------------------------------------ */

/* The pulses of contact i, or none beyond the last. */
static const il_pulse *of_contact(const il_pulses *w, size_t i, size_t *n) {
    *n = i < w->contacts ? w->first[i + 1] - w->first[i] : 0;
    return *n > 0 ? w->pulses + w->first[i] : NULL;
}

static size_t name(const il_pulses *w, size_t i) {
    return i < w->contacts ? w->id[i] : (size_t)-1;
}

il_status il_pulses_distance(const il_pulses *a, const il_pulses *b, double tau,
                             il_pulses_distance_result *distance, il_error *err) {
    il_pulses_distance_result total = {0.0, 0.0};
    *distance = (il_pulses_distance_result){NAN, NAN};
    for (size_t i = 0, j = 0; i < a->contacts || j < b->contacts;) {
        bool left = name(a, i) <= name(b, j);
        bool right = name(b, j) <= name(a, i);
        size_t na = 0;
        size_t nb = 0;
        const il_pulse *la = left ? of_contact(a, i, &na) : NULL;
        const il_pulse *lb = right ? of_contact(b, j, &nb) : NULL;
        double one = NAN;
        il_status status = il_flat_distance(la, na, lb, nb, tau, &one, err);
        if (status != IL_OK) {
            return status;
        }
        total.sum += one;
        total.most = isnan(one) || isnan(total.most) ? NAN : fmax(total.most, one);
        i += left;
        j += right;
    }
    *distance = total;
    return IL_OK;
}
