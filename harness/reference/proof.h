/*
 * proof.h - a run in exact rational arithmetic, beside the run in doubles that it judges.
 *
 *     I_n = int_{t_n}^{t_{n+1}} f,   q_{n+1} = P^M_Q(q_n + h (u_n + M^{-1} I_n)),
 *     u_{n+1} = (q_{n+1} - q_n)/h,   t_n = n h,
 *
 * which is a step of every scheme that says projects_positions, on problems that have an
 * exact_model (problem.h). The projection onto a wall is a maximum, that onto a chain is weighted
 * isotonic regression by pooling adjacent violators (Barlow, Bartholomew, Bremner & Brunk 1972).
 * The state is a fact, not an approximation: h, the horizon and the parameters are the very
 * fractions and decimals that were typed.
 */
#ifndef IL_PROOF_H
#define IL_PROOF_H

#include <jansson.h>

#include "harness/run/run.h"

typedef struct {
    size_t d, steps;
    il_rational **h, **t; /* [1]; t where it ends */
    il_rational **q, **u; /* [d] the final state */
    size_t contacts;      /* steps x constraints that pushed */
    size_t bits;          /* of the longest number met in a state */
    double largest_q;     /* of |double - exact| over nodes and coordinates */
    double largest_u;
    size_t differ; /* steps whose sets of pushing constraints differ from the doubles' */
    size_t first;  /* the first of them, from 1; 0: none */
} il_proof;

/* Run what spec and record say (record is that of a run in doubles that ended well, run its
 * trajectory). h and horizon are texts (NULL: the shortest decimals of the doubles in spec, or the
 * problem's horizon). IL_EUNSUPPORTED with the reason where problem or scheme have no exact
 * counterpart; IL_EINVAL for a text that is no rational number; IL_ENUMERIC when numbers grow
 * beyond 2^20 bits; IL_EINTERRUPTED. *proof, zeroed before, is freed by il_proof_free, also after a
 * failure. */
il_status il_proof_run(il_proof *proof, const il_run_spec *spec, const il_record *record,
                       const il_trajectory *run, const char *h, const char *horizon, il_error *err);
void il_proof_free(il_proof *proof);

/* IL_OK if il_proof_run would try: scheme and problem have an exact counterpart. */
il_status il_proof_admits(const il_run_spec *spec, il_error *err);

/* {"h": "p/q", "final": {"t", "q", "u"} with fractions as texts, "difference": {...}, ...}; NULL
 * when memory ran out. record gives the final doubles. */
json_t *il_proof_json(const il_proof *proof, const il_record *record);

#endif
