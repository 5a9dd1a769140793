/*
 * norm.h - distances of a run from a reference that need the whole run. They are expensive, so they
 * are computed on request. A file of this folder that defines
 *
 *     const il_norm_type il_norm_NAME = {...};
 *
 * adds one: the build finds it, `--norms NAME` asks for it, and its values are recorded and
 * printed.
 */
#ifndef IL_NORM_H
#define IL_NORM_H

#include <stdbool.h>

#include "harness/base/field.h"
#include "harness/data/trajectory.h"
#include "harness/measure/graph.h"
#include "harness/measure/pulses.h"
#include "problems/problem.h"
#include "schemes/projection/projector.h"

/* Data of a run that norms need whatever the reference, computed on first use. Initially zeroed. */
typedef struct {
    bool graphed, pulsed; /* made */
    il_graph graph;       /* filled-in graph of u_h */
    double variation;     /* of the graph */
    il_pulses pulses;     /* contact impulses */
} il_norm_run;

void il_norm_run_free(il_norm_run *run);

/* The same of a reference. Initially zeroed. */
typedef struct {
    bool graphed, pulsed; /* made */
    il_graph graph;
    il_pulses pulses;
} il_norm_reference;

/* The references of one problem up to T, from run to run. Initially zeroed. */
typedef struct {
    double T;
    size_t n;
    il_norm_reference *of; /* [n] */
} il_norm_kept;

/* Forget what was kept to another end, or of another number of references. */
void il_norm_kept_open(il_norm_kept *kept, double T, size_t n);
void il_norm_kept_free(il_norm_kept *kept);

/* A run, a reference, and what may be kept of either. */
typedef struct {
    const il_problem *problem;
    const il_projector_type *projector; /* for the impact law; or NULL */
    const il_trajectory *run;
    const il_exact *reference;
    const il_trajectory *reference_run; /* if reference is a run, else NULL */
    il_norm_run *kept; /* the caller's, for a run that has several references; NULL: one alone */
    il_norm_reference *known; /* the caller's, for a reference of several runs; NULL: of one */
} il_norms_query;

/* The query, and data that several norms need, computed on first use. */
typedef struct {
    const il_norms_query *query;
    double T;                 /* end of the run */
    il_norm_run *run;         /* the query's, or one's own */
    il_norm_reference *other; /* the same */
    const char *no_lambda;    /* why the reference's impulses are not known, or NULL */
} il_norm_data;

/* data->run->graph with its variation, and data->other->graph. As il_graph_of_exact. */
il_status il_norm_need_graphs(il_norm_data *data, il_error *err);

/* data->run->pulses and data->other->pulses, unless data->no_lambda says why not. */
il_status il_norm_need_loads(il_norm_data *data, il_error *err);

/* |u(0+) - u_0|, the jump at the start, which graphs leave out. */
double il_norm_first_jump(const il_graph *graph, const double *u0);

/* Value k of a norm is number k that it computes; a count is a whole number. */
#define IL_NORM_VALUE(k) .kind = IL_FIELD_REAL, .at = (k) * sizeof(double)
#define IL_NORM_COUNT(k) .kind = IL_FIELD_WHOLE, .at = (k) * sizeof(double)

/* A norm has at most this many values. */
enum { IL_NORM_VALUES_MAX = 16 };

typedef struct {
    const char *name;
    const char *text;       /* what it is, one line */
    bool nested;            /* its values stand in an object called name, null without them */
    const il_field *values; /* of IL_NORM_VALUE; the first is NaN where there are none */

    /* Write x, one number a value, NaN before. What cannot be had stays NaN. */
    il_status (*compute)(il_norm_data *data, double *x, il_error *err);
} il_norm_type;

/* ---- the norms that the build found --------------------------------------------------------- */

/* Norm k is bit k of a request. */
#define IL_NORM_NONE 0u
#define IL_NORM_AUTO                                                                               \
    (1u << 30) /* all of runs with at most 65536 numbers in u_h and the
                                   reference's, if that is a run; else none */

/* Norm k in the order of their names, NULL past the end. */
const il_norm_type *il_norm_type_at(size_t k);

/* The bits of a name: a norm's, "all" or "none"; false for others. */
bool il_norm_bits(const char *name, unsigned *bits);

/* The bits of all norms. */
unsigned il_norm_all(void);

/* All names, between commas, for messages. Writes at most capacity bytes. */
void il_norm_names(char *out, size_t capacity);

/* At most this many values in all. */
enum { IL_NORMS_VALUES_MAX = 64 };

/* The values of every norm, one after the other; NaN for norms that were not requested. */
typedef struct {
    double x[IL_NORMS_VALUES_MAX];
    const char *no_lambda; /* why norms of contact forces are NaN, or NULL */
} il_norms;

il_norms il_norms_none(void);

/* A value by its norm's name and its key; the key NULL stands for the first. NaN for unknown
 * ones. */
double il_norms_value(const il_norms *norms, const char *name, const char *key);

/* The values of norm k, [its number of values]. */
const double *il_norms_of(const il_norms *norms, size_t k);

/* The norms in bits; what cannot be had is NaN. */
il_status il_norms_compute(il_norms *norms, const il_norms_query *query, unsigned bits,
                           il_error *err);

#endif
