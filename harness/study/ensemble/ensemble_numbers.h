/*
 * ensemble_numbers.h - the spread of every number of a record over the members of an ensemble, and
 * the classification that follows. Used by ensemble.c.
 */
#ifndef IL_ENSEMBLE_NUMBERS_H
#define IL_ENSEMBLE_NUMBERS_H

#include <jansson.h>

#include "harness/base/status.h"
#include "harness/study/ensemble/spread.h"

/* The sizes that the numbers of a run are made of. */
typedef struct {
    double q, u; /* the largest coordinate of positions and of velocities in the run */
    double h, T; /* step, end */
    double mass; /* of all */
    double steps;
    double tolerance; /* by which constraints are missed, a length */
} il_ensemble_scales;

typedef struct {
    const json_t *base;
    size_t n;
    const json_t *const *record; /* [n]; NULL: refused */
    const double *size;          /* [n] */
    il_ensemble_scales scales;
} il_ensemble_members;

typedef struct {
    size_t runs, refused, failed; /* those of the least size */
    size_t refused_probes;
    double perturbation, q_size, u_size;
    il_growth typical, worst; /* of the median distance, and of the largest */
    json_t *numbers;          /* {path: {value, median, ...}} */
    il_sensitivity class;     /* the worst of the numbers that are results */
    char name[96];            /* the number that it is the class of */
    il_spread spread;         /* its */
} il_ensemble_result;

/* From the growths, fill numbers, class, name and spread. numbers is the caller's also after a
 * failure. */
il_status il_ensemble_numbers(const il_ensemble_members *members, il_ensemble_result *r,
                              il_error *err);

json_t *il_ensemble_result_json(const il_ensemble_result *r);

#endif
