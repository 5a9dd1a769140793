/*
 * record.h - the result of a run, in memory and as JSON. A failed run also has a record: it carries
 * a status and NaN errors.
 */
#ifndef IL_RECORD_H
#define IL_RECORD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/base/field.h"
#include "harness/base/params.h"
#include "harness/measure/deviation.h"
#include "harness/measure/measure.h"
#include "harness/measure/multipliers.h"
#include "harness/measure/norm.h"

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

/* Where a run ended because a projector stopped early: the failed step, repeated with the best
 * iterate of the projection that stalled as its answer. */
typedef struct {
    size_t step;   /* from 1; 0: the run did not end so, or the step fails with the best iterates
                      too */
    double t;      /* where it would end */
    double *q, *u; /* [d] */
    il_certificate certificate; /* residuals of the projections */
    size_t iterations;          /* of the projector in that step */
} il_best_iterate;

typedef struct il_record {
    /* The run. Names point to static text, or to the specification's. */
    const char *problem, *scheme, *projector;
    const il_params *params;  /* of the problem: the specification's */
    il_params *scheme_params; /* NULL if the scheme has none */
    bool outside;             /* another program made the steps: il_scheme_type */
    size_t order;
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
    size_t nwalls;
    il_wall_force *walls; /* [nwalls] what walls carried */

    size_t steps_done, projector_iterations, solves, stalled, rows_offered, rows_solved;
    size_t scans;                    /* scans of all constraints, by steps alone */
    size_t factorisations, analyses; /* of the sparse factor, numeric and symbolic */
    /* Projections onto Q(t): the largest share (il_step_report), the number of steps whose share is
     * above 1, and of those whose share is unknown. */
    double share_max;
    size_t steps_beyond, steps_unknown;
    double seconds;
    json_t *program; /* of steps that a process made: il_scheme_type.account; or NULL */
} il_record;

/* Add the work of a step, also of a failed one. */
void il_record_count(il_record *record, const il_step_report *report);

/* Room for the states of a record whose d is known, and for nsamples samples; loads: bodies that
 * they tell the loads of, 0 for none. */
void il_record_allocate(il_record *record, size_t nsamples, size_t loads);

/* Distances, the nearest in u_L1 first. */
void il_record_sort(il_record *record);

void il_record_free(il_record *record);

/* The whole record as it is printed, stored and handed to scripts: numbers keep all their digits
 * (%.17g), NaN and infinities become null. The caller's (json_decref). */
json_t *il_record_json(const il_record *record);

/* The number at a path of that JSON, such as "energy.balance.final" or "walls[2].weight"; NULL: no
 * table has it, and it is no result. */
const il_field *il_record_field(const char *path);

/* The members of a distance in `error`, but for those of its norms. */
extern const il_field il_distance_fields[];

/* A certificate by itself; the same. */
json_t *il_certificate_json(const il_certificate *certificate);

#endif
