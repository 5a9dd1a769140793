/*
 * working_set_ways.h - the storage of a working set, the points at which it is evaluated, and how
 * far coordinates move between two of them. Used only in schemes/stepping.
 */
#ifndef IL_STEPPING_WORKING_SET_WAYS_H
#define IL_STEPPING_WORKING_SET_WAYS_H

#include "harness/base/team.h"
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

/* Rows or coordinates of a part: some microseconds. */
enum { IL_WORKING_SET_GRAIN = 1024 };

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
