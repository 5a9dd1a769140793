/*
 * trajectory.c - storage and evaluation of trajectories.
 */
#include "harness/data/trajectory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/memory_limit.h"

static il_status resize(il_trajectory *w, size_t nodes, il_error *err) {
    static const char items[] = "nodes of a trajectory";
    size_t size = w->d * sizeof(double);
    il_status status = il_memory_ask(&w->t, nodes, sizeof(double), items, err);
    status = status == IL_OK ? il_memory_ask(&w->q, nodes, size, items, err) : status;
    status = status == IL_OK ? il_memory_ask(&w->u, nodes, size, items, err) : status;
    w->room = status == IL_OK ? nodes : w->room;
    return status;
}

il_status il_trajectory_init(il_trajectory *w, size_t d, size_t nodes, il_error *err) {
    memset(w, 0, sizeof *w);
    w->d = d;
    il_status status = resize(w, nodes > 0 ? nodes : 1, err); /* il_trajectory_add doubles it */
    if (status != IL_OK) {
        il_trajectory_free(w);
    }
    return status;
}

void il_trajectory_free(il_trajectory *w) {
    if (w == NULL) {
        return;
    }
    free(w->t);
    free(w->q);
    free(w->u);
    free(w->contacts);
    free(w->pieces.at);
    free(w->pieces.c);
    memset(w, 0, sizeof *w);
}

il_status il_trajectory_add(il_trajectory *w, double t, const double *q, const double *u) {
    il_status status = w->nodes == w->room ? resize(w, 2 * w->room, NULL) : IL_OK;
    if (status != IL_OK) {
        return status;
    }
    w->t[w->nodes] = t;
    memcpy(w->q + w->nodes * w->d, q, w->d * sizeof *q);
    memcpy(w->u + w->nodes * w->d, u, w->d * sizeof *u);
    w->nodes++;
    return IL_OK;
}

void il_trajectory_add_contact(il_trajectory *w, il_contact contact) {
    if (w->ncontacts == w->contacts_room) {
        size_t room = w->contacts_room > 0 ? 2 * w->contacts_room : 64;
        il_memory_grow(&w->contacts, room, sizeof *w->contacts);
        w->contacts_room = room;
    }
    w->contacts[w->ncontacts++] = contact;
}

/* ---- motions inside steps ------------------------------------------------------------------- */

/* Room for that many pieces of that degree, at least those of now; coefficients move up. */
static void reserve(il_trajectory *w, size_t room, size_t degree) {
    il_pieces *p = &w->pieces;
    size_t from = (p->degree + 1) * w->d;
    size_t to = (degree + 1) * w->d;
    if (room == p->room && degree == p->degree) {
        return;
    }
    il_memory_grow(&p->at, room + 1, sizeof *p->at);
    il_memory_grow(&p->c, room, to * sizeof *p->c);
    for (size_t j = p->n; to > from && j-- > 0;) {
        memmove(p->c + j * to, p->c + j * from, from * sizeof *p->c);
        for (size_t k = from; k < to; k++) {
            p->c[j * to + k] = isnan(p->c[j * to]) ? NAN : 0.0;
        }
    }
    p->room = room;
    p->degree = degree;
}

/* Step n, to t1, without a motion. */
static void add_straight(il_trajectory *w, size_t n, double t1) {
    il_pieces *p = &w->pieces;
    reserve(w, p->n == p->room ? 2 * p->n + 1 : p->room, p->degree);
    size_t stride = (p->degree + 1) * w->d;
    for (size_t k = 0; k < stride; k++) {
        p->c[p->n * stride + k] = NAN;
    }
    p->at[p->n] = w->t[n - 1];
    p->at[++p->n] = t1;
}

void il_trajectory_add_motion(il_trajectory *w, double t1, const il_motion *motion) {
    il_pieces *p = &w->pieces;
    if (motion == NULL) {
        if (p->n > 0) {
            add_straight(w, w->nodes, t1);
        }
        return;
    }
    for (size_t n = 1; p->n < n && n < w->nodes; n++) {
        add_straight(w, n, w->t[n]); /* steps before the first that has one */
    }
    size_t n = p->n + motion->n;
    size_t degree = p->degree > motion->degree ? p->degree : motion->degree;
    reserve(w, n > p->room ? 2 * n : p->room, degree);
    p->at[p->n] = w->t[w->nodes - 1];
    size_t size = (motion->degree + 1) * w->d;
    size_t stride = (degree + 1) * w->d;
    for (size_t j = 0; j < motion->n; j++) {
        double *c = p->c + p->n * stride;
        memcpy(c, motion->c + j * size, size * sizeof *c);
        memset(c + size, 0, (stride - size) * sizeof *c);
        p->at[++p->n] = motion->end[j];
    }
}

/* The piece that holds t; where two meet, side says which. */
static size_t piece_of(const il_pieces *p, double t, int side) {
    size_t low = 0;
    size_t high = p->n - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        double end = p->at[middle + 1];
        if (side > 0 ? end <= t : end < t) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

bool il_trajectory_motion(const il_trajectory *w, size_t n, il_motion *motion) {
    const il_pieces *p = &w->pieces;
    if (p->n == 0) {
        return false;
    }
    size_t first = piece_of(p, w->t[n - 1], 1);
    size_t last = piece_of(p, w->t[n], -1);
    if (isnan(p->c[first * (p->degree + 1) * w->d])) {
        return false;
    }
    *motion = (il_motion){.d = w->d,
                          .n = last + 1 - first,
                          .degree = p->degree,
                          .end = p->at + first + 1,
                          .c = p->c + first * (p->degree + 1) * w->d};
    return true;
}

void il_trajectory_watch(il_trajectory *trajectory, const il_watched *now) {
    const il_step_report *report = now->report;
    for (size_t i = 0; i < report->rows->p; i++) {
        il_contact contact = {now->n, report->rows->id[i], (now->t1 - now->t0) * report->lambda[i]};
        if (contact.impulse != 0.0) {
            il_trajectory_add_contact(trajectory, contact);
        }
    }
    il_trajectory_add_motion(trajectory, now->t1, report->motion);
    (void)il_trajectory_add(trajectory, now->t1, now->out->q,
                            report->between != NULL ? report->between : now->out->u);
}

static void archive_pieces(il_trajectory *w, il_archive *a) {
    il_pieces *p = &w->pieces;
    size_t n = p->n;
    size_t degree = p->degree;
    il_archive_count(a, &n);
    il_archive_count(a, &degree);
    if (a->loading && !a->failed) {
        a->failed = n > a->n || degree > IL_MOTION_DEGREE_MAX;
        n = a->failed ? 0 : n;
        if (n > 0) {
            reserve(w, n, degree);
        }
        p->n = n;
    }
    if (p->n > 0) {
        il_archive_bytes(a, p->at, (p->n + 1) * sizeof *p->at);
        il_archive_bytes(a, p->c, p->n * (p->degree + 1) * w->d * sizeof *p->c);
    }
}

void il_trajectory_archive(il_trajectory *w, il_archive *a) {
    size_t nodes = w->nodes;
    il_archive_expect(a, w->d);
    il_archive_count(a, &nodes);
    if (a->loading && !a->failed) {
        a->failed = nodes > a->n; /* larger than any valid state: do not allocate */
        w->nodes = a->failed ? w->nodes : nodes;
    }
    if (w->nodes > w->room) {
        il_memory_grow(&w->t, w->nodes, sizeof *w->t);
        il_memory_grow(&w->q, w->nodes, w->d * sizeof *w->q);
        il_memory_grow(&w->u, w->nodes, w->d * sizeof *w->u);
        w->room = w->nodes;
    }
    il_archive_bytes(a, w->t, w->nodes * sizeof *w->t);
    il_archive_bytes(a, w->q, w->nodes * w->d * sizeof *w->q);
    il_archive_bytes(a, w->u, w->nodes * w->d * sizeof *w->u);
    il_archive_array(a, &w->contacts, &w->ncontacts, &w->contacts_room, sizeof *w->contacts);
    archive_pieces(w, a);
}

/* The node k >= 1 that ends the step holding t; at a node, side says which of the two steps. */
static size_t step_of(const il_trajectory *w, double t, int side) {
    size_t low = 1;
    size_t high = w->nodes - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        bool before = side > 0 ? w->t[middle] <= t : w->t[middle] < t;
        if (before) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void exact_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const il_trajectory *w = exact->data;
    if (w->nodes < 2) {
        memcpy(q, w->q, w->d * sizeof *q);
        memcpy(u, w->u, w->d * sizeof *u);
        return;
    }
    const il_pieces *p = &w->pieces;
    size_t j = p->n > 0 ? piece_of(p, t, side) : 0;
    if (p->n > 0 && !isnan(p->c[j * (p->degree + 1) * w->d])) {
        const il_motion all = {
            .d = w->d, .n = p->n, .degree = p->degree, .end = p->at + 1, .c = p->c};
        il_motion_eval(&all, p->at[0], j, t, q, u);
        return;
    }
    size_t k = step_of(w, t, side);
    double theta = (t - w->t[k - 1]) / (w->t[k] - w->t[k - 1]);
    const double *a = w->q + (k - 1) * w->d;
    for (size_t i = 0; i < w->d; i++) {
        q[i] = theta >= 1.0 ? a[w->d + i] : a[i] + theta * (a[w->d + i] - a[i]);
        u[i] = w->u[k * w->d + i];
    }
}

il_exact il_trajectory_as_exact(const il_trajectory *w, const char *name) {
    bool dense = w->pieces.n > 0;
    return (il_exact){.name = name,
                      .origin = "a stored run",
                      .quadratic = !dense || w->pieces.degree <= 2,
                      .nbreaks = dense ? w->pieces.n + 1 : w->nodes,
                      .breaks = dense ? w->pieces.at : w->t,
                      .eval = exact_eval,
                      .data = w};
}
