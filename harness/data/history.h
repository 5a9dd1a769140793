/*
 * history.h - time series: numbers of every step, kept on request, for plots of runs that are too
 * large for a trajectory.
 */
#ifndef IL_HISTORY_H
#define IL_HISTORY_H

#include <jansson.h>

#include "harness/data/observer.h"

typedef struct {
    double t;      /* end of the step */
    double energy; /* kinetic, 1/2 <u,u>_M */
    double impulse;
    il_drift drift;
    /* as in work and contacts */
    size_t iterations, factorisations, analyses, solves, scans, rows_offered, rows_solved, contacts;
} il_history_step;

typedef struct {
    const il_problem *problem; /* while the run goes on */
    size_t nwalls, n, room;
    bool measured, inertial; /* steps have drifts; the problem is of second order */
    char **names;            /* [nwalls] */
    il_history_step *steps;  /* [n] */
    double *force;           /* [n][nwalls] mean force on each wall over the step */
} il_history;

/* An observer that fills history, which is zeroed; il_history_free is needed after a failure
 * too. */
il_observer il_history_observer(il_history *history);
void il_history_free(il_history *history);

/* {t: [n], energy: [n], ..., force: {floor: [n]}}, field `series` of records; the caller's. energy
 * is null where the problem has no velocities of its own, and the drifts are there where the run
 * was measured. */
json_t *il_history_json(const il_history *history);

#endif
