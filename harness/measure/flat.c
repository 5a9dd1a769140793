/*
 * flat.c - the flat distance, by moving slopes across a maximum (flat.h).
 *
 * sup int phi d(sigma) with |phi| <= 1, Lip(phi) <= 1 (time in units of tau). Let the maximum of
 * the concave V lie at p*. The slope on its right (g = 1) or left (g = -1) is stored in the outward
 * coordinate z = g p, less the time x, since it moves outward. P(s) is the z at which the slope has
 * fallen by s, counted from the maximum.
 *
 * A mass S of sign g takes slope from side g, kappa of time for each unit (0 for an atom). After
 * mass s the maximum is at P(s) + kappa s, until that reaches the edge 1, where phi stays; so
 *
 *     gain = int_0^S (P(s) + kappa s) ds,
 *
 * and what was taken arrives on side -g, by then at -(P(s) + kappa s) + kappa (S - s): P becomes P
 * - kappa S + 2 kappa s, then is reflected.
 */
#include "harness/measure/flat.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/base/sum.h"

/* A block: P affine from a to b over the mass m. Its subtree (blocks nearer to the maximum left)
 * has mass M and I = int P. Pending for the children: reflection, then P += alpha + beta s, s from
 * the subtree's near end. */
typedef struct node {
    struct node *left, *right;
    uint32_t priority;
    bool flip;
    double m, a, b;
    double M, I;
    double alpha, beta;
} node;

typedef struct {
    node *side[2]; /* [0] left of the maximum, [1] right */
    node *next;    /* of those that are made beforehand */
    uint32_t random;
    double x;     /* time, in units of tau */
    il_sum value; /* V at its maximum */
} front;

/* ---- treaps --------------------------------------------------------------------------------- */

static double mass_of(const node *t) {
    return t != NULL ? t->M : 0.0;
}

static void pull(node *t) {
    t->M = mass_of(t->left) + t->m + mass_of(t->right);
    t->I = 0.5 * t->m * (t->a + t->b) + (t->left != NULL ? t->left->I : 0.0) +
           (t->right != NULL ? t->right->I : 0.0);
}

/* P += alpha + beta s. */
static void move(node *t, double alpha, double beta) {
    if (t != NULL) {
        double s = mass_of(t->left);
        t->a += alpha + beta * s;
        t->b += alpha + beta * (s + t->m);
        t->I += t->M * (alpha + 0.5 * beta * t->M);
        t->alpha += alpha;
        t->beta += beta;
    }
}

/* P(s) becomes -P(M - s). */
static void reflect(node *t) {
    if (t != NULL) {
        node *left = t->left;
        double a = t->a;
        t->left = t->right;
        t->right = left;
        t->a = -t->b;
        t->b = -a;
        t->I = -t->I;
        t->alpha = -t->alpha - t->beta * t->M;
        t->flip = !t->flip;
    }
}

static void pass_down(node *t) {
    if (t->flip) {
        reflect(t->left);
        reflect(t->right);
    }
    move(t->left, t->alpha, t->beta);
    move(t->right, t->alpha + t->beta * (mass_of(t->left) + t->m), t->beta);
    t->flip = false;
    t->alpha = t->beta = 0.0;
}

static node *make(front *w, double m, double a, double b) {
    node *t = w->next++;
    w->random ^= w->random << 13; /* Marsaglia's xorshift: only the balance depends on it */
    w->random ^= w->random >> 17;
    w->random ^= w->random << 5;
    *t = (node){.priority = w->random, .m = m, .a = a, .b = b};
    pull(t);
    return t;
}

static node *join(node *near, node *far) {
    if (near == NULL || far == NULL) {
        return near != NULL ? near : far;
    }
    node *top = near->priority > far->priority ? near : far;
    pass_down(top);
    if (top == near) {
        near->right = join(near->right, far);
    } else {
        far->left = join(near, far->left);
    }
    pull(top);
    return top;
}

/* The first s of mass to *near, the rest to *far; a block that lies across is cut. */
static void split(front *w, node *t, double s, node **near, node **far) {
    if (t == NULL) {
        *near = *far = NULL;
        return;
    }
    pass_down(t);
    double before = mass_of(t->left);
    if (s <= before) {
        split(w, t->left, s, near, &t->left);
        *far = t;
    } else if (s >= before + t->m) {
        split(w, t->right, s - before - t->m, &t->right, far);
        *near = t;
    } else {
        double part = s - before;
        double c = t->a + part / t->m * (t->b - t->a);
        *far = join(make(w, t->m - part, c, t->b), t->right);
        *near = t;
        t->right = NULL;
        t->m = part;
        t->b = c;
    }
    pull(t);
}

/* The mass after which P(s) + kappa s reaches limit, at most all. */
static double reach(node *t, double kappa, double limit) {
    double passed = 0.0;
    while (t != NULL) {
        pass_down(t);
        double s = passed + mass_of(t->left);
        double rise = t->b - t->a + kappa * t->m;
        double room = limit - (t->a + kappa * s);
        if (room <= 0.0) {
            t = t->left;
        } else if (room >= rise) {
            passed = s + t->m;
            t = t->right;
        } else {
            return s + room / rise * t->m;
        }
    }
    return passed;
}

/* ---- masses --------------------------------------------------------------------------------- */

/* Mass S > 0 of sign g arrives, kappa of time for each unit. */
static void arrive(front *w, int g, double S, double kappa) {
    node **from = &w->side[g > 0];
    node **to = &w->side[g < 0];
    node *taken = NULL;
    double s = fmin(S, reach(*from, kappa, 1.0 - w->x));
    split(w, *from, s, &taken, from);
    if (taken != NULL) {
        il_sum_add(&w->value, taken->I + s * (w->x + 0.5 * kappa * s));
        move(taken, w->x - kappa * s, 2.0 * kappa);
        reflect(taken);
        w->x += kappa * s;
        move(taken, -w->x, 0.0);
        *to = join(taken, *to);
    }
    if (s < S) { /* at the edge, and what is left on that side has gone over it */
        S -= s;
        *from = NULL;
        il_sum_add(&w->value, S);
        w->x += kappa * S;
        *to = join(make(w, S, -1.0 - w->x, kappa * S - 1.0 - w->x), *to);
    }
}

/* ---- events --------------------------------------------------------------------------------- */

typedef struct {
    double t;
    double atom;    /* mass that arrives at t */
    double density; /* by which the density changes at t */
    int open;       /* pulses that begin less pulses that end */
} event;

static int by_time(const void *a, const void *b) {
    double x = ((const event *)a)->t;
    double y = ((const event *)b)->t;
    return (x > y) - (x < y);
}

/* Two events a pulse. False if one is not finite. */
static bool append(event *events, size_t *n, const il_pulse *pulses, size_t count, double sign) {
    bool finite = true;
    for (size_t k = 0; k < count; k++) {
        const il_pulse *l = &pulses[k];
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

/* Sorts by time, as pulses of a run mostly are. */
static void arrange(event *events, size_t n) {
    for (size_t k = 1; k < n; k++) {
        if (events[k].t < events[k - 1].t) {
            qsort(events, n, sizeof *events, by_time);
            return;
        }
    }
}

/* The first n of `all` and the others, each in order, into one list; equal times in this order. */
static void merge(event *list, const event *all, size_t n, size_t total) {
    const event *a = all;
    const event *b = all + n;
    for (size_t k = 0; k < total; k++) {
        bool first = b == all + total || (a < all + n && a->t <= b->t);
        list[k] = first ? *a++ : *b++;
    }
}

/* All events in order. */
static void sweep(front *w, const event *events, size_t n, double tau) {
    il_sum density = {0.0, 0.0};
    int open = 0;
    for (size_t k = 0; k < n;) {
        double t = events[k].t;
        double atom = 0.0;
        for (; k < n && events[k].t == t; k++) {
            atom += events[k].atom;
            il_sum_add(&density, events[k].density);
            open += events[k].open;
        }
        density = open == 0 ? (il_sum){0.0, 0.0} : density;
        if (atom != 0.0) {
            arrive(w, atom > 0.0 ? 1 : -1, fabs(atom), 0.0);
        }
        double length = k < n ? events[k].t - t : 0.0;
        double mass = length * il_sum_value(&density);
        if (mass != 0.0) {
            arrive(w, mass > 0.0 ? 1 : -1, fabs(mass), length / tau / fabs(mass));
        }
        w->x = k < n ? (events[k].t - events[0].t) / tau : w->x;
    }
}

static il_status check(const il_pulse *pulses, size_t n, il_error *err) {
    for (size_t k = 0; k < n; k++) {
        if (pulses[k].t0 > pulses[k].t1) {
            return il_fail(err, IL_EINVAL,
                           "pulse %zu lies on [%g, %g]; its end is before its start", k,
                           pulses[k].t0, pulses[k].t1);
        }
    }
    return IL_OK;
}

il_status il_flat_distance(const il_pulse *mu, size_t nmu, const il_pulse *nu, size_t nnu,
                           double tau, double *distance, il_error *err) {
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
    /* Each pulse has two events, each event an atom and a density, each of which cuts one block and
     * makes one. */
    size_t pulses = nmu + nnu;
    event *events = il_alloc(4 * pulses, sizeof *events);
    node *nodes = il_alloc(8 * pulses, sizeof *nodes);
    front w = {.next = nodes, .random = 2463534242u};
    bool finite = append(events, &n, mu, nmu, 1.0);
    size_t of_mu = n;
    finite = append(events, &n, nu, nnu, -1.0) && finite;
    if (finite) {
        event *list = events + 2 * pulses;
        arrange(events, of_mu);
        arrange(events + of_mu, n - of_mu);
        merge(list, events, of_mu, n);
        sweep(&w, list, n, tau);
        *distance = il_sum_value(&w.value);
    }
    free(nodes);
    free(events);
    return IL_OK;
}
