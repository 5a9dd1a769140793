/*
 * peers.h - solvers of others on one step problem.
 */
#ifndef IL_BENCH_PEERS_H
#define IL_BENCH_PEERS_H

#include "tests/bench/steps.h"

typedef struct {
    double *x;      /* [d] */
    double *lambda; /* [p] */
    double asked;   /* the tightest accuracy that it says it reached, in its own measure */
    double seconds; /* the least of a few */
    size_t iterations;
    bool absent; /* the solver is not installed */
} il_peer_answer;

/* By Ipopt; false, and absent, where it was not there when this was compiled. */
bool il_peer_ipopt(const il_qp *qp, il_peer_answer *answer);

/* By projected Gauss-Seidel and by ADMM, to a residual of the certificate of `asked`; false if five
 * seconds do not get there. */
bool il_peer_gauss_seidel(const il_qp *qp, double asked, il_peer_answer *answer);
bool il_peer_admm(const il_qp *qp, double asked, il_peer_answer *answer);

#endif
