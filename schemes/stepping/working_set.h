/*
 * working_set.h - the constraints that a step solves with: rows linearised at y, their multipliers,
 * and how rows are added and dropped while constraints are generated. Used only in
 * schemes/stepping.
 *
 * A row is g_i(t,y) + <grad g_i(t,y), z - y>, z the point reached. Rows are identified by the
 * constraint's number; each occurs at most once.
 */
#ifndef IL_STEPPING_WORKING_SET_H
#define IL_STEPPING_WORKING_SET_H

#include "harness/base/contacts.h"
#include "problems/problem.h"

/* A row found by a scan that is not in the set, and its value at the point. */
typedef struct {
    double g;
    size_t i; /* among those found */
} il_candidate;

typedef struct {
    const il_problem *problem;
    il_rows rows;    /* [p] the set */
    il_rows found;   /* by the last scan, and scratch, */
    size_t many;     /* where more rows than these come in portions */
    size_t capacity; /* of a and lambda */
    double *a;       /* [p] offsets, see il_working_set_offsets */
    double *lambda;  /* [p] multipliers; a row that comes starts from 0 */
    double *point;   /* [d] the last point looked at */
    double *last;    /* [d] and the one before */
    double *work;    /* [2d] scratch */
    il_candidate *candidates;
    size_t candidate_room;
    size_t *taken; /* [d] rows that came with a coordinate in one call */
    size_t *table; /* open addressing by the numbers of constraints: 0 is empty, i + 1 is row i */
    size_t table_size;
    size_t indexed; /* the first so many rows are in it; 0 where they are not those at hand */
    size_t scans;   /* looks at all constraints so far, */
    size_t offered; /* and rows that they found */
} il_working_set;

/* Where rows are taken, and where the step starts from. */
typedef struct {
    double t;
    const double *y; /* [d] where constraints are linearised */
    const double *q; /* [d] the point reached is q + scale x */
    double scale;
} il_linearisation;

/* An empty set. The creator frees; zeroed memory is fine there. */
void il_working_set_init(il_working_set *w, const il_problem *problem);
void il_working_set_free(il_working_set *w);

/* All constraints of the problem at (t,y), multipliers 0. The status is what the problem says. */
il_status il_working_set_all(il_working_set *w, double t, const double *y, il_error *err);

/* Which rows count as nearly closed: those open by at most `part` of the way that their bodies, or
 * bodies next to those, go; where more than `most` are, of half the way and so on, but of `least`
 * of it, however many these are. 0 < least <= part. */
typedef struct {
    double part, least;
    size_t most;
} il_touch;

/* Only the rows that y leaves nearly closed on the way from y to q + scale x, multipliers 0. */
il_status il_working_set_touching(il_working_set *w, const il_linearisation *at, const double *x,
                                  const il_touch *touch, il_error *err);

/* A row counts as violated where g < -(rounding (1 + |point|_inf) + tolerance), in the units of the
 * gaps; `nearby`: how near one must be to come along with those, as a part of the way that bodies
 * went. */
typedef struct {
    double rounding, tolerance, nearby;
} il_violation;

/* Move the point to q + scale x and add the rows that it violates and that are not there; if there
 * are any, also those that it leaves open by at most `nearby` of the way that their bodies, or
 * bodies next to those, went since the point before. Of very many the deepest of each coordinate,
 * and always the deepest of all. *deepest is the worst violation among rows that were not there, 0
 * if there is none. */
il_status il_working_set_violated(il_working_set *w, const il_linearisation *at, const double *x,
                                  const il_violation *which, double *deepest, il_error *err);

/* The rows whose value is at most `near`, taken anew at (t,y); their multipliers stay. */
il_status il_working_set_relinearise(il_working_set *w, double t, const double *y, double near,
                                     il_error *err);

/* Multipliers of those constraints of `before` that are in the set. */
void il_working_set_warm_start(il_working_set *w, const il_contacts *before);

/* Only the first p rows stay. */
void il_working_set_cut(il_working_set *w, size_t p);

/* Rows that the point leaves open by more than `open` go; the others keep their multipliers. */
void il_working_set_drop_open(il_working_set *w, const double *y, double open);

/* g_i(t,y) + <grad g_i, q - y> of all rows, [p]; the set's own, valid until it changes. */
const double *il_working_set_offsets(il_working_set *w, const double *y, const double *q);

/* ---- moves, and how far they are (working_set_ways.c) ---------------------------------------- */

/* The point becomes q + s x for x[d]; returns its size |point|_inf, and in *moved how far it is
 * from the point before, in the same norm. */
double il_working_set_move(il_working_set *w, const il_linearisation *at, const double *x,
                           double *moved);

/* How far each coordinate has gone since the point before: [d], in w->work, valid until the next
 * call. */
const double *il_working_set_own_ways(il_working_set *w);

/* These become the farthest of all coordinates that share one of the rows found. */
void il_working_set_raise_ways(il_working_set *w);

/* The farthest that a coordinate of row i of those found has gone. */
static inline double il_working_set_way(const il_working_set *w, size_t i, const double *ways) {
    double most = 0.0;
    for (size_t e = w->found.start[i]; e < w->found.start[i + 1]; e++) {
        double its = ways[w->found.col[e]];
        most = its > most ? its : most;
    }
    return most;
}

/* Row i of those found, at the point. */
static inline double il_working_set_value(const il_working_set *w, const double *y, size_t i) {
    double g = w->found.value[i];
    for (size_t e = w->found.start[i]; e < w->found.start[i + 1]; e++) {
        size_t k = w->found.col[e];
        g += w->found.coef[e] * (w->point[k] - y[k]);
    }
    return g;
}

#endif
