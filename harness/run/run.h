/*
 * run.h - one run: a problem, a scheme, a projector and a step size, and the record of what came of
 * it. A failure on the way is data: the record carries a status and NaN errors.
 */
#ifndef IL_RUN_H
#define IL_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/data/step_problem.h"
#include "harness/data/trajectory.h"
#include "harness/measure/deviation.h"
#include "harness/measure/measure.h"
#include "harness/measure/norms.h"
#include "harness/measure/weigh.h"
#include "harness/study/multipliers.h"
#include "problems/problem.h"
#include "schemes/scheme.h"

#define IL_STEP_LAST SIZE_MAX

/* A step as those who watch see it. */
typedef struct {
    size_t n; /* 1..N */
    double t0, t1;
    const il_state *in, *out;
    const il_step_report *report;
} il_watched;

/* One who watches a run. begin comes once, before the first step, and may refuse (IL_EUNSUPPORTED):
 * then nothing runs. step comes after every step; what it returns other than IL_OK ends the run. */
typedef struct {
    void *self;
    il_status (*begin)(void *self, const il_problem *problem, size_t steps, const il_state *start,
                       il_error *err);
    il_status (*step)(void *self, const il_watched *now);
} il_observer;

typedef struct {
    const il_problem_type *problem;
    il_params *params; /* used and completed by the run; owned by the caller */
    const il_scheme_type *scheme;
    const char *scheme_name;     /* how the record calls it; NULL: its type's name */
    const char *scheme_settings; /* "theta=0.5", or NULL: all at their defaults */
    const il_projector_type *projector;
    il_projector_options projection;
    bool accept_stalled;
    size_t steps;          /* 0: not given */
    double h;              /* 0: not given */
    double horizon;        /* 0: the problem's own */
    const double *samples; /* [nsamples] times in [0, end] at which the state is wanted */
    size_t nsamples;
    bool loads;                   /* samples also hold what each body bears */
    const il_observer *observers; /* [nobservers] */
    size_t nobservers;
    size_t seed; /* recorded; a problem that draws numbers has its own parameter */
    bool has_seed;
    bool series;               /* keep energy and drifts step by step */
    bool final_only;           /* no measures: the final state alone, as fast as the scheme goes */
    bool event_driven;         /* compare with event_driven.h instead of the problem's own */
    const il_exact *reference; /* compare with this instead of the problem's own solutions */
    size_t multipliers;        /* the set of multipliers of this step, from 1; 0: of none; or
                                  IL_STEP_LAST */
    const il_trajectory *reference_run; /* the run that reference is, or NULL */
    unsigned norms;                     /* IL_NORM_...: those that need the whole run */
    il_step_problem *keep;              /* zeroed but for step: receives its projection; or NULL */
} il_run_spec;

typedef struct {
    double t;
    double *q, *u; /* [d] */
    double *load;  /* [bodies] contact impulses on the step that holds t; NULL: not asked for */
} il_sample;

typedef struct {
    const char *name; /* of the exact solution */
    const char *origin;
    il_deviation_result error;
    il_norms norms; /* NaN for those that were not asked for, or where the run failed */
} il_distance;

/* What a step that failed because its projector stopped early had come to: the step made again,
 * with the best iterate of the projection that stalled for its answer. */
typedef struct {
    size_t step;   /* from 1; 0: the run did not end so, or the step fails with best iterates too */
    double t;      /* where it would end */
    double *q, *u; /* [d] */
    il_certificate certificate; /* how far the projections are from solved */
    size_t iterations;          /* of the projector in that step */
} il_best_iterate;

typedef struct {
    /* What was run. Names point to static text, or to the specification's. */
    const char *problem, *scheme, *projector;
    il_params *scheme_params; /* NULL if the scheme has none */
    int order;
    size_t d;
    size_t steps; /* asked for */
    double h;
    double horizon; /* where the run was to end */
    double problem_horizon;
    size_t seed;
    bool has_seed;

    il_status status; /* of the run */
    char message[IL_MESSAGE_MAX];

    double t;      /* where it ended */
    double *q, *u; /* [d] final state */
    il_best_iterate best;
    size_t nsamples;
    il_sample *samples;
    size_t bodies; /* length of the samples' loads */

    bool measured; /* false with final_only */
    size_t ndistances;
    il_distance *distances;   /* to every known solution, nearest in u_L1 first */
    const char *no_reference; /* why there is none, or NULL */
    il_measure_result measure;
    il_multipliers multipliers; /* its step is 0 where none was asked for or reached */
    il_drifts series;           /* empty unless asked for */
    size_t nwalls;
    il_wall_force *walls; /* [nwalls] what walls carried */

    size_t steps_done, projector_iterations, solves, stalled, rows_offered, rows_solved;
    double seconds;
} il_record;

/* Run. Returns IL_OK when something ran, however it ended (see record->status); else nothing ran:
 * IL_EINVAL or IL_EUNSUPPORTED for input that is refused, IL_ENOMEM. trajectory may be NULL; else a
 * zeroed structure that receives all nodes and contacts, the caller frees. record is filled either
 * way and freed by il_record_free.
 *
 * Steps: steps alone divides the horizon; h alone makes floor(T/h + 1e-9) steps of h; both make
 * steps steps of h, whatever the problem's horizon. t_n = n h, and the last node of a divided
 * horizon is the horizon itself. */
il_status il_run(const il_run_spec *spec, il_record *record, il_trajectory *trajectory,
                 il_error *err);
void il_record_free(il_record *record);

#endif
