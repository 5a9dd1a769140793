/*
 * proof.h - a run repeated in exact rational arithmetic, to compare with the run in doubles.
 *
 *     I_n = int_{t_n}^{t_{n+1}} f,   q_{n+1} = P^M_Q(q_n + h (u_n + M^{-1} I_n)),
 *     u_{n+1} = (q_{n+1} - q_n)/h,   t_n = n h,
 *
 * a step of every scheme with `projects_positions`, on problems that have an exact_model
 * (problem.h). The projection onto a wall is a maximum, that onto a chain is weighted isotonic
 * regression by pooling adjacent violators (Barlow, Bartholomew, Bremner & Brunk 1972). The result
 * is exact: h, the horizon and the parameters are the very fractions and decimals that were typed.
 */
#ifndef IL_PROOF_H
#define IL_PROOF_H

#include <jansson.h>

#include "harness/base/rational.h"
#include "harness/data/trajectory.h"
#include "problems/problem.h"
#include "schemes/scheme.h"

/* The run in doubles: its specification and its results. */
typedef struct {
    const il_problem_type *problem;
    il_params *params; /* as the run left them */
    const il_scheme_type *scheme;
    double h, horizon;                 /* 0: not given */
    const char *h_text, *horizon_text; /* as they were typed; NULL: the shortest decimals of h and
                                          horizon, or the problem's horizon */
    size_t steps;                      /* that were made */
    const il_trajectory *trajectory;   /* its nodes and contacts */
} il_proof_query;

typedef struct {
    size_t d, steps;
    il_rational **h, **t; /* [1]; t where it ends */
    il_rational **q, **u; /* [d] the final state */
    size_t contacts;      /* active constraints, summed over the steps */
    size_t bits;          /* of the longest number met in a state */
    double largest_q;     /* of |double - exact| over nodes and coordinates */
    double largest_u;
    size_t differ; /* steps whose sets of active constraints differ from the doubles' */
    size_t first;  /* the first of them, from 1; 0: none */
} il_proof;

/* The steps of the query again. IL_EUNSUPPORTED with the reason where problem or scheme have no
 * exact counterpart; IL_EINVAL for a text that is no rational number; IL_ENUMERIC when numbers grow
 * beyond 2^20 bits; IL_EINTERRUPTED. *proof, zeroed before, is freed by il_proof_free, also after a
 * failure. */
il_status il_proof_run(il_proof *proof, const il_proof_query *query, il_error *err);
void il_proof_free(il_proof *proof);

/* IL_OK if il_proof_run would try: scheme and problem have an exact counterpart. */
il_status il_proof_admits(const il_problem_type *problem, const il_scheme_type *scheme,
                          il_error *err);

/* {"h": "p/q", "final": {"t", "q", "u"} with fractions as texts, "difference": {...}, ...}. q[d]
 * and u[d] are the final doubles. */
json_t *il_proof_json(const il_proof *proof, const double *q, const double *u);

#endif
