/*
 * members.h - many runs that are almost the same case, made by workers.
 *
 * Runs are handed out in their order and come back in their places: what comes back does not depend
 * on how many workers there are.
 */
#ifndef IL_MEMBERS_H
#define IL_MEMBERS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "harness/base/json.h"
#include "harness/data/trajectory.h"
#include "harness/run/case.h"

typedef struct {
    const char *title; /* of their progress */
    FILE *progress;    /* where it is shown; NULL: nowhere */
    const il_case *what;
    size_t n, workers;
    bool nodes; /* does `add` want the nodes of runs? */
    void *self;

    /* *c, a copy of *what, becomes run k; what it points to is the callee's. */
    void (*member)(void *self, size_t k, il_case *c);

    /* In the worker, once run k has ended: add to the object that the parent gets of it, which has
     * its record. It may take run's nodes. A field "error" ends all, and so does IL_ENOMEM. NULL:
     * nothing is added. */
    il_status (*add)(void *self, size_t k, const json_t *record, il_trajectory *run,
                     json_t *answer);

    /* In the parent: take that object, which has `record`, or `refused` and why where the run could
     * not be begun. */
    il_status (*take)(void *self, size_t k, json_t *answer, il_error *err);
} il_members;

/* IL_ESCRIPT for a field "error", IL_EINTERRUPTED, IL_ENOMEM where a worker had none, and the
 * status of take. */
il_status il_members_run(const il_members *members, il_error *err);

#endif
