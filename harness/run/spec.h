/*
 * spec.h - the specification of a run: a problem, a scheme, a projector, steps, and what to keep
 * and measure.
 */
#ifndef IL_SPEC_H
#define IL_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/data/observer.h"
#include "harness/data/step_problem.h"
#include "harness/data/trajectory.h"
#include "harness/measure/norm.h"
#include "problems/problem.h"
#include "schemes/scheme.h"

/* As the number of a step: the last, whichever it is. */
#define IL_STEP_LAST SIZE_MAX

/* Options of a run, the fields that il_run_spec and il_case (case.h) share. Nothing is owned. */
#define IL_ASKED                                                                                   \
    const il_projector_type *projector;                                                            \
    il_projector_options projection;                                                               \
    bool accept_stalled;                                                                           \
    size_t threads;        /* threads that share the work of a step, with the same bits; 0: one */ \
    size_t steps;          /* 0: not given */                                                      \
    double h, horizon;     /* 0: not given, the problem's own */                                   \
    const double *samples; /* [nsamples] times in [0, end] at which the state is wanted */         \
    size_t nsamples;                                                                               \
    bool loads;                   /* samples also hold the load of each body */                    \
    const il_observer *observers; /* [nobservers] */                                               \
    size_t nobservers;                                                                             \
    double patience; /* seconds that the steps may take, judged by the first; 0: any */            \
    size_t seed;     /* recorded; a problem that uses random numbers has its own parameter */      \
    bool has_seed;                                                                                 \
    bool nodes_only;           /* gaps inside of steps are not looked at */                        \
    bool final_only;           /* no measures: the final state alone, as fast as possible */       \
    bool event_driven;         /* compare with event_driven.h, not the problem's own */            \
    const il_exact *reference; /* compare with this; NULL: the problem's own solutions */          \
    const il_trajectory *reference_run; /* the run that it is, or NULL */                          \
    size_t multipliers;                 /* of this step, from 1, or IL_STEP_LAST; 0: of none */    \
    unsigned norms;                     /* IL_NORM_...: those that need the whole run */           \
    il_norm_kept *known /* what they need of the references, of runs with the same; or NULL */

typedef struct {
    IL_ASKED;
} il_asked;

typedef struct {
    const il_problem_type *problem;
    il_params *params; /* used and completed by the run; owned by the caller */
    const il_scheme_type *scheme;
    const char *scheme_name;     /* how the record calls it; NULL: its type's name */
    const char *scheme_settings; /* "theta=0.5", or NULL: all at their defaults */
    union {
        il_asked asked;
        struct {
            IL_ASKED;
        };
    };
    size_t nreferences;    /* of reference, if there are several; 0: one */
    const double *q0, *u0; /* [d] where steps that were made elsewhere begin; NULL: the problem's */
    il_step_problem *keep; /* zeroed but for step: receives its projection; or NULL */
} il_run_spec;

#endif
