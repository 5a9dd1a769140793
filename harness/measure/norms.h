/*
 * norms.h - distances of a run from a reference that need the whole run: graphs, contact forces,
 * variation, impacts.
 *
 *     graph_H      Hausdorff distance of the filled-in graphs of u_h and u (graph.h), for tau = T
 *                  and V = sup |u|_2 of the reference (1 if that is 0),
 *     flat_lambda  flat distance of lambda_h and lambda (flat.h), tau = T, summed over contacts,
 *     TV           | TV(u_h) - TV(u) |, both from the initial velocity on.
 *
 * impacts.h matches percussions. None is cheap, so they are made on request.
 */
#ifndef IL_NORMS_H
#define IL_NORMS_H

#include "harness/data/trajectory.h"
#include "harness/measure/impacts.h"
#include "problems/problem.h"

enum {
    IL_NORM_GRAPH = 1u << 0,
    IL_NORM_FLAT = 1u << 1,
    IL_NORM_TV = 1u << 2,
    IL_NORM_IMPACTS = 1u << 3,
    IL_NORM_ALL = 15u,
    IL_NORM_AUTO = 1u << 8 /* all of runs with at most 65536 numbers in u_h and the
 reference's, if that is a run; else none */
};

/* The bit of a name, "graph_H", "flat_lambda", "TV", "impacts", "all" or "none"; false for others.
 */
bool il_norm_bits(const char *name, unsigned *bits);

/* All names, for messages. */
extern const char il_norm_names[];

/* NaN for what was not asked for. */
typedef struct {
    double graph_H, tau, V;
    double flat_lambda, flat_lambda_max; /* sum over contacts, and the largest of them */
    double TV, TV_reference;
    il_impacts impacts;
    const char *no_lambda; /* why flat_lambda and impacts are NaN, or NULL */
} il_norms;

il_norms il_norms_none(void);

/* What there is to compare. */
typedef struct {
    const il_problem *problem;
    const il_projector_type *projector; /* for the impact law */
    const il_trajectory *run;
    const il_exact *reference;
    const il_trajectory *reference_run; /* if reference is a run, else NULL */
} il_norms_query;

/* The norms in bits. IL_ENOMEM; else what can not be had is NaN. */
il_status il_norms_compute(il_norms *norms, const il_norms_query *query, unsigned bits,
                           il_error *err);

#endif
