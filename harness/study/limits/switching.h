/*
 * switching.h - switching points: phases c of the steps h = c 2^-m at which the limit of runs
 * changes.
 *
 * There are two labels of a limit. The label of a *level* says what a run at level m is near to;
 * its switching points belong to that level, and may differ from those of the limits. The label of
 * the *flow* says where the motion goes on to for ever: from the run's last state the exact motion
 * (orbits.h) leads to an attracting orbit, and the answer is accepted once all states within a few
 * steps of the last one lead there too, because the run may still be that far from its limit. Until
 * then the run is made longer: a run from rest at the origin with step h/2 on [0,T] is the run with
 * step h on [0,2T], scaled. A switching point of the flow is then an interval whose ends certainly
 * lead to different limits, and in which only undecided runs were met.
 */
#ifndef IL_SWITCHING_H
#define IL_SWITCHING_H

#include "harness/study/limits/orbits.h"

enum { IL_SWITCHING_NONE = -1, IL_SWITCHING_GRIDS = 16 };

/* Where labels come from. */
typedef struct {
    void *self;

    /* A label >= 0 of the limit of the run with h = c 2^-m, or IL_SWITCHING_NONE where it is
     * undecided. */
    il_status (*label)(void *self, double c, int m, int *label, il_error *err);

    /* NULL, or: job(data, k) for k = 0 .. n-1 will ask for labels; they may be made in other
     * processes now, so that label finds them later. */
    il_status (*ahead)(void *self, il_status (*job)(void *data, size_t k, il_error *err),
                       void *data, size_t n, il_error *err);
} il_switching_labels;

typedef struct {
    int m;
    double low, high; /* the largest phase known to lead to `from`, the smallest to `to` */
    int from, to;
    size_t labels; /* number of labels asked for */
} il_switching_point;

/* At each level m[n] the change between phases c0 < c1, which must lead to different limits there
 * (IL_EINVAL; the message numbers limits from 1), into points[n]. Ends when high - low <= tol high,
 * or when all between is undecided: then high - low is the uncertainty, however small tol. */
il_status il_switching_bisect(const il_switching_labels *labels, double c0, double c1, const int *m,
                              size_t n, double tol, il_switching_point *points, il_error *err);

typedef struct {
    size_t n;
    il_switching_point *points;         /* [n], ascending */
    size_t phases;                      /* of the last grid */
    size_t undecided;                   /* of them */
    size_t grids;                       /* grids, each with half the spacing of the one before */
    size_t changes[IL_SWITCHING_GRIDS]; /* met on each */
    bool settled;                       /* the last three grids agree */
} il_switching_chart;

/* All changes on [c0,c1) at level m: grids of phases, 2 phases, 4 phases, ... until three in a row
 * have the same number of changes or the next would have more than `most`; then each is bisected.
 * There may be more changes than any grid shows. IL_ENOMEM for so many phases, and the status of
 * labels. *chart is freed by il_switching_chart_free, also after a failure. */
il_status il_switching_find(const il_switching_labels *labels, double c0, double c1, int m,
                            size_t phases, size_t most, double tol, il_switching_chart *chart,
                            il_error *err);
void il_switching_chart_free(il_switching_chart *chart);

/* ---- the label by the flow ------------------------------------------------------------------ */

/* The last node of the run with step h: t, q[d], u[d]. */
typedef il_status il_switching_run(void *self, double h, double *t, double *q, double *u,
                                   il_error *err);

typedef struct {
    const il_orbits *orbits;
    il_switching_run *run;
    void *self;
    double horizon; /* T > 0 of the runs */
    int finest;     /* the finest level that is run */
} il_switching_flow;

/* A label of il_switching_labels; self is an il_switching_flow. The label numbers the states of
 * orbits that the limit may have at the first time 2^(time k) >= T: il_switching_number. */
il_status il_switching_by_flow(void *self, double c, int m, int *label, il_error *err);

/* The label of an orbit and the index in it. */
int il_switching_number(const il_orbits *orbits, il_orbits_end end);

#endif
