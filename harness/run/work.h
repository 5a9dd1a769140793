/*
 * work.h - the steps of a run and their observers. For the files of harness/run, tests and fuzzing.
 */
#ifndef IL_RUN_WORK_H
#define IL_RUN_WORK_H

#include "harness/base/team.h"
#include "harness/reference/event_driven.h"
#include "harness/run/record.h"
#include "harness/run/spec.h"

/* ---- how long it takes (march.c) ------------------------------------------------------------ */

typedef struct {
    double limit; /* seconds that the run may take; 0: as long as it likes */
    double began, began_coarse;
} il_patience;

/* Now, before the first step. */
void il_patience_begin(il_patience *p, double limit);

/* After step `done` of `steps`. IL_ETOOLONG, once a second has shown how fast steps are, when all
 * that were left when it began would take longer than the limit; the message gives the estimate. */
il_status il_patience_step(il_patience *p, size_t done, size_t steps, il_error *err);

/* ---- is an overlap explained by the linearised constraints? (gap_watch.c) ------------------- */

typedef struct il_gap_watch {
    double worst; /* the overlap that was last looked at, or the rounding of the start; < 0 */
    double *x;    /* [d] a point inside a step */
    il_rows rows;
    char kink[IL_MESSAGE_MAX]; /* where a gradient jumped within a step, the first time, or "" */
} il_gap_watch;

void il_gap_watch_init(il_gap_watch *w, const il_problem *problem);
void il_gap_watch_free(il_gap_watch *w);

/* Without a measure: the first step after `done` that it checks. */
size_t il_gap_watch_next(size_t done, size_t steps);

/* Can the overlap at the end of this step be explained by the derivatives of the constraint?
 * measure has the gap there; where it is NULL the gap is computed in steps 1, 2, 4, ... and the
 * last of them. Checked only for a gap below 0 and twice as deep as at the last check.
 * IL_EUNEXPLAINED, with the constraint and its numbers; IL_OK where they cannot be computed inside
 * the step. An overlap that is explained by a jump of a gradient is noted in w->kink. */
il_status il_gap_watch_step(il_gap_watch *w, const il_problem *problem, const il_measure *measure,
                            size_t steps, const il_watched *now, il_error *err);

/* ---- N, h and T (plan.c) -------------------------------------------------------------------- */

/* The horizon that the problem is to be made with; 0: its own. IL_EINVAL where two are given, or
 * one that is not positive and finite. */
il_status il_run_horizon(const il_run_spec *spec, double *horizon, il_error *err);

/* steps, h and horizon of the record, and a message where the steps end short of the horizon;
 * *divided: they divide it. Samples, multipliers and the projection to be kept must lie in the run:
 * IL_EINVAL, IL_EUNSUPPORTED where multipliers cannot be analysed. */
il_status il_run_plan(const il_run_spec *spec, const il_problem *problem, il_record *record,
                      bool *divided, il_error *err);

/* The seed of the record: the specification's, or the problem's parameter of that name. */
void il_run_plan_seed(const il_run_spec *spec, il_record *record);

/* Does the projector accept the rows of the first step? Structure does not change on the way for
 * the problems at hand, and a refusal belongs before the run. IL_EUNSUPPORTED with the reason. */
il_status il_run_check_projector(const il_run_spec *spec, const il_problem *problem, il_error *err);

/* ---- the steps (march.c) -------------------------------------------------------------------- */

/* A run in progress. At the end `in` is the last complete state, at record->t. */
typedef struct il_march {
    const il_run_spec *spec;
    il_record *record;
    il_trajectory *trajectory; /* receives every node; or NULL */
    il_team *team;             /* of problem and scheme */
    il_problem *problem;
    void *scheme;
    il_measure *measure;      /* NULL: the run is not measured */
    il_wall_forces *walls;    /* or NULL */
    il_deviation **deviation; /* [record->ndistances] */
    il_event_driven *events;  /* the reference, if it is asked for */
    const il_exact *known;    /* the solutions to compare with */
    double *buffer;           /* [4d + 2p] two states, with gamma of gluey problems */
    il_state in, out;         /* where the next step begins, and room for where it ends */
    il_contacts contacts[2];  /* theirs */
    size_t glued;             /* length of gamma */
    bool divided;             /* the steps divide the horizon */
    unsigned norms;           /* of the whole run */
    il_trajectory kept; /* the whole run, where norms need it and the caller does not keep it */
    il_patience patience;
    il_gap_watch gap_watch;
    bool refused; /* it would take too long */
    double began; /* on the clock, had it made all its steps itself */
} il_march;

/* The steps that are left. Returns the status of the run, with its message in err. */
il_status il_march_go(il_march *r, il_error *err);

/* t_n; the last node of a horizon that the steps divide is the horizon itself. */
double il_march_node(const il_march *r, size_t n);

/* Sample k of the record is the state (q, u) at t; and samples after the end of a run that failed
 * are NaN. */
void il_samples_take(il_record *record, size_t k, double t, const double *q, const double *u);
void il_samples_end(il_record *record);

/* Does step n, which ended at t and began in q[d], solve the projection of its scheme as accurately
 * as its projector promises (il_certificate_holds), for gaps that were computed from positions?
 * IL_ENOTCERTIFIED with the numbers. A run that accepts stalled projections accepts their
 * answers. */
il_status il_run_certify(const il_run_spec *spec, size_t n, double t, const double *q,
                         const il_step_report *report, il_error *err);

#endif
