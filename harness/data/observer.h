/*
 * observer.h - the observer of a run: it is called after each step and may store what it needs
 * (snapshots, series, the range of states). It never changes the run.
 */
#ifndef IL_OBSERVER_H
#define IL_OBSERVER_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"
#include "problems/problem.h"
#include "schemes/scheme.h"

/* The drift of the momentum, and of the centre of mass from its straight path, at the end of a step
 * (measure.h); NaN where it is not conserved. The balance of the energy there (balance.h); NaN for
 * order 1. */
typedef struct {
    double momentum, centre, balance;
} il_drift;

/* A step as observers see it. */
typedef struct {
    size_t n; /* 1..N */
    double t0, t1;
    const il_state *in, *out;
    const il_step_report *report;
    const il_drift *drift; /* NULL where the run is not measured */
} il_watched;

/* begin is called once, before the first step, and may refuse (IL_EUNSUPPORTED): then nothing runs.
 * step is called after every step, or, if `content` is set, after some of them, the last included;
 * a status other than IL_OK ends the run with its message. */
typedef struct {
    void *self;
    il_status (*begin)(void *self, const il_problem *problem, size_t steps, const il_state *start,
                       il_error *err);
    il_status (*step)(void *self, const il_watched *now, il_error *err);
    bool content; /* a call after some of the steps is enough */
} il_observer;

#endif
