/*
 * impacts.c - matching of percussions, and the impact law across them (impacts.h).
 */
#include "harness/measure/impacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

enum { LAW_STEPS = 4 };

typedef struct {
    double t, impulse;
} event;

il_impacts il_impacts_none(void) {
    return (il_impacts){
        .threshold = NAN, .time_error = NAN, .impulse_error = NAN, .law_residual = NAN};
}

/* ---- matching ------------------------------------------------------------------------------- */

static double largest(const il_pulses *w) {
    double most = 0.0;
    for (size_t k = 0; k < w->n; k++) {
        most = fmax(most, w->pulses[k].mass);
    }
    return most;
}

static bool touches(const il_pulse *a, const il_pulse *b, double gap) {
    return b->t0 - a->t1 <= gap;
}

/* The next pulses at or after *k that are one event, [*from, *to); *k moves behind them. */
static bool next_event(const il_pulse *l, size_t n, double h, double theta, size_t *k, size_t *from,
                       size_t *to) {
    while (*k < n && !(l[*k].mass > theta)) {
        ++*k;
    }
    if (*k == n) {
        return false;
    }
    size_t last = *k;
    for (size_t i = last + 1; i < n && touches(&l[last], &l[i], 1.5 * h); i++) {
        last = l[i].mass > theta ? i : last;
    }
    *from = *k > 0 && touches(&l[*k - 1], &l[*k], 0.5 * h) ? *k - 1 : *k;
    *to = last + 1 < n && touches(&l[last], &l[last + 1], 0.5 * h) ? last + 2 : last + 1;
    *k = last + 1;
    return true;
}

/* The events of one contact's pulses, n of them, into out. */
static size_t cluster(const il_pulse *l, size_t n, double h, double theta, event *out) {
    size_t count = 0;
    size_t from = 0;
    size_t to = 0;
    for (size_t k = 0; next_event(l, n, h, theta, &k, &from, &to);) {
        double moment = 0.0;
        double impulse = 0.0;
        for (size_t i = from; i < to; i++) {
            impulse += l[i].mass;
            moment += l[i].mass * 0.5 * (l[i].t0 + l[i].t1);
        }
        out[count++] = (event){moment / impulse, impulse};
    }
    return count;
}

static size_t atoms(const il_pulse *l, size_t n, double theta, event *out) {
    size_t count = 0;
    for (size_t k = 0; k < n; k++) {
        if (l[k].t0 == l[k].t1 && l[k].mass >= 0.5 * theta) {
            out[count++] = (event){l[k].t0, l[k].mass};
        }
    }
    return count;
}

/* The event nearest to t; n > 0, in order of time. */
static size_t nearest(const event *e, size_t n, double t) {
    size_t low = 0;
    size_t high = n - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (e[middle].t + e[middle + 1].t < 2.0 * t) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The event of b that event i of a is paired with, or nb. */
static size_t partner(const event *a, size_t na, size_t i, const event *b, size_t nb,
                      double window) {
    if (nb == 0) {
        return nb;
    }
    size_t j = nearest(b, nb, a[i].t);
    bool mutual = nearest(a, na, b[j].t) == i && fabs(a[i].t - b[j].t) <= window;
    return mutual ? j : nb;
}

static void compare(il_impacts *r, const event *run, size_t nrun, const event *known, size_t nknown,
                    double window) {
    r->events += nrun;
    for (size_t i = 0; i < nrun; i++) {
        size_t j = partner(run, nrun, i, known, nknown, window);
        if (j == nknown) {
            r->spurious += run[i].impulse > 2.0 * r->threshold;
            continue;
        }
        r->matched++;
        r->time_error = fmax(r->time_error, fabs(run[i].t - known[j].t));
        r->impulse_error = fmax(r->impulse_error, fabs(run[i].impulse - known[j].impulse));
    }
    for (size_t j = 0; j < nknown; j++) {
        r->missed += partner(known, nknown, j, run, nrun, window) == nrun &&
                     known[j].impulse > 2.0 * r->threshold;
    }
}

static const il_pulse *of(const il_pulses *w, size_t id, size_t *n) {
    size_t low = 0;
    size_t high = w->contacts;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (w->id[middle] < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < w->contacts && w->id[low] == id;
    *n = found ? w->first[low + 1] - w->first[low] : 0;
    return found ? w->pulses + w->first[low] : NULL;
}

/* Contact id of both. */
static void compare_contact(il_impacts *r, const il_pulses *run, const il_pulses *reference,
                            size_t id, double h, double T, double reference_h, event *room) {
    size_t n = 0;
    size_t m = 0;
    const il_pulse *ours = of(run, id, &n);
    const il_pulse *theirs = of(reference, id, &m);
    event *known = room + n;
    double theta = reference_h > 0.0 ? sqrt(reference_h / T) * largest(reference) : r->threshold;
    n = run->atomic ? atoms(ours, n, 2.0 * r->threshold, room)
                    : cluster(ours, n, h, r->threshold, room);
    m = reference_h > 0.0 ? cluster(theirs, m, reference_h, theta, known)
                          : atoms(theirs, m, r->threshold, known);
    compare(r, room, n, known, m, sqrt(h * T));
}

void il_impacts_match(il_impacts *r, const il_pulses *run, double h, double T,
                      const il_pulses *reference, double reference_h) {
    *r = il_impacts_none();
    event *room = il_alloc(run->n + reference->n, sizeof *room);
    r->threshold = sqrt(h / T) * largest(run);
    r->time_error = r->impulse_error = 0.0;
    for (size_t k = 0; k < run->contacts; k++) {
        compare_contact(r, run, reference, run->id[k], h, T, reference_h, room);
    }
    for (size_t k = 0; k < reference->contacts; k++) {
        size_t n = 0;
        if (of(run, reference->id[k], &n) == NULL) {
            compare_contact(r, run, reference, reference->id[k], h, T, reference_h, room);
        }
    }
    free(room);
}

/* ---- the law -------------------------------------------------------------------------------- */

typedef struct {
    const il_problem *problem;
    const il_projector_type *type;
    void *projector;
    const il_trajectory *run;
    size_t *id; /* [ncontacts] those active in the current event */
    il_rows rows;
    double *v;      /* [d] */
    double *lambda; /* [room] */
    size_t room;
} law;

static int by_size(const void *a, const void *b) {
    size_t x = *(const size_t *)a;
    size_t y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* The rows of the first n of w->id, each once, at (t, q). */
static il_status gather(law *w, size_t n, double t, const double *q) {
    qsort(w->id, n, sizeof *w->id, by_size);
    il_rows_clear(&w->rows);
    il_status status = IL_OK;
    for (size_t k = 0; k < n && status == IL_OK; k++) {
        if (k == 0 || w->id[k] != w->id[k - 1]) {
            status = w->problem->type->row(w->problem, t, q, w->id[k], &w->rows);
        }
    }
    if (status == IL_OK && w->rows.p > w->room) {
        il_memory_grow(&w->lambda, 2 * w->rows.p, sizeof *w->lambda);
        w->room = 2 * w->rows.p;
    }
    return status;
}

/* The residual from u before to u after, at (t, q) in which the first n of w->id were active; NaN
 * where the projector fails. */
static double residual(law *w, size_t n, double t, const double *q, const double *before,
                       const double *after) {
    size_t d = w->run->d;
    if (gather(w, n, t, q) != IL_OK) {
        return NAN;
    }
    il_qp qp = {.d = d,
                .mass = w->problem->mass,
                .target = before,
                .rows = &w->rows,
                .a = w->rows.rate,
                .scale = 1.0};
    il_projection_info info = {0};
    memset(w->lambda, 0, w->rows.p * sizeof *w->lambda);
    if (w->type->refuses(w->projector, &qp) != NULL ||
        w->type->solve(w->projector, &qp, w->v, w->lambda, &info) != IL_OK) {
        return NAN;
    }
    double e = w->problem->restitution;
    double sum = 0.0;
    for (size_t k = 0; k < d; k++) {
        double part = after[k] - (1.0 + e) * w->v[k] + e * before[k];
        sum += part * part;
    }
    return sqrt(sum);
}

/* The steps with active contacts: step s as [s-1,s] with its largest impulse, and the first of
 * its contacts. */
static size_t list_steps(const il_trajectory *run, il_pulse *steps, size_t *first) {
    size_t n = 0;
    for (size_t k = 0; k < run->ncontacts; k++) {
        const il_contact *c = &run->contacts[k];
        if (k == 0 || c->step != run->contacts[k - 1].step) {
            first[n] = k;
            steps[n++] = (il_pulse){(double)c->step - 1.0, (double)c->step, c->impulse};
        }
        steps[n - 1].mass = fmax(steps[n - 1].mass, c->impulse);
    }
    first[n] = run->ncontacts;
    return n;
}

static void note(il_impacts *r, double off) {
    r->law_residual = isnan(off) || isnan(r->law_residual) ? NAN : fmax(r->law_residual, off);
    r->law_events++;
}

static void compare_by_law(law *w, il_impacts *r, const il_pulse *steps, const size_t *first,
                           size_t n) {
    size_t from = 0;
    size_t to = 0;
    for (size_t k = 0; next_event(steps, n, 1.0, r->threshold, &k, &from, &to);) {
        size_t begin = (size_t)steps[from].t1;
        size_t end = (size_t)steps[to - 1].t1;
        if (end - begin < LAW_STEPS) {
            const il_trajectory *run = w->run;
            size_t active = 0;
            for (size_t i = first[from]; i < first[to]; i++) {
                w->id[active++] = run->contacts[i].id;
            }
            note(r, residual(w, active, run->t[begin - 1], run->q + (begin - 1) * run->d,
                             run->u + (begin - 1) * run->d, run->u + end * run->d));
        }
    }
}

typedef struct {
    double t;
    size_t id;
    bool large;
} atom;

static int by_time(const void *a, const void *b) {
    double x = ((const atom *)a)->t;
    double y = ((const atom *)b)->t;
    return (x > y) - (x < y);
}

/* Across the times of atoms of which one at least is above the threshold. */
static void compare_at_breaks(law *w, il_impacts *r, const il_pulses *pulses) {
    size_t d = w->run->d;
    il_exact motion = il_trajectory_as_exact(w->run, "run");
    atom *list = il_alloc(pulses->n, sizeof *list);
    double *q = il_alloc(3 * d, sizeof *q);
    size_t n = 0;
    for (size_t i = 0; i < pulses->contacts; i++) {
        for (size_t k = pulses->first[i]; k < pulses->first[i + 1]; k++) {
            const il_pulse *p = &pulses->pulses[k];
            if (p->t0 == p->t1) {
                list[n++] = (atom){p->t0, pulses->id[i], p->mass > r->threshold};
            }
        }
    }
    qsort(list, n, sizeof *list, by_time);
    for (size_t k = 0; k < n;) {
        double t = list[k].t;
        size_t active = 0;
        bool large = false;
        for (; k < n && list[k].t == t; k++) {
            w->id[active++] = list[k].id;
            large = large || list[k].large;
        }
        if (large) {
            motion.eval(&motion, t, -1, q, q + d);
            motion.eval(&motion, t, 1, q, q + 2 * d);
            note(r, residual(w, active, t, q, q + d, q + 2 * d));
        }
    }
    free(list);
    free(q);
}

il_status il_impacts_law(il_impacts *r, const il_problem *problem,
                         const il_projector_type *projector, const il_trajectory *run,
                         const il_pulses *pulses, il_error *err) {
    law w = {.problem = problem, .type = projector, .run = run};
    il_projector_options options = {0};
    r->law_residual = 0.0;
    r->law_events = 0;
    size_t n = run->ncontacts + 1;
    il_rows_init(&w.rows);
    w.id = il_alloc(n, sizeof *w.id);
    w.v = il_alloc(run->d, sizeof *w.v);
    il_pulse *steps = il_alloc_zero(n, sizeof *steps);
    size_t *first = il_alloc_zero(n, sizeof *first);
    il_status status = projector->create(&w.projector, &options, err);
    if (status == IL_OK && pulses->atomic) {
        compare_at_breaks(&w, r, pulses);
    } else if (status == IL_OK) {
        compare_by_law(&w, r, steps, first, list_steps(run, steps, first));
    }
    if (w.projector != NULL) {
        projector->destroy(w.projector);
    }
    il_rows_free(&w.rows);
    free(first);
    free(steps);
    free(w.id);
    free(w.v);
    free(w.lambda);
    return status;
}
