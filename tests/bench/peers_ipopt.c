/*
 * peers_ipopt.c - a step problem by Ipopt's C interface: constant Hessian and Jacobian, bounds as
 * they are (by default it moves them by 1e-8).
 */
#include "tests/bench/peers.h"

#ifdef HAVE_IPOPT

#include <coin/IpStdCInterface.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/clock.h"

enum { REPETITIONS = 5 };

static const double LOOSEST = 1e-6;
static const double TIGHTEST = 1e-15;
static const double ENOUGH = 1.0; /* seconds of repetitions */

/* The data that callbacks get. */
typedef struct {
    const il_qp *qp;
    size_t iterations;
} session;

/* 1/2 |x - target|_M^2 */
static Bool objective(Index n, Number *x, Bool new_x, Number *value, UserDataPtr data) {
    const il_qp *qp = ((const session *)data)->qp;
    const double *mass = il_metric_masses(qp->mass);
    (void)new_x;
    *value = 0.0;
    for (Index k = 0; k < n; k++) {
        *value += 0.5 * mass[k] * (x[k] - qp->target[k]) * (x[k] - qp->target[k]);
    }
    return TRUE;
}

static Bool gradient(Index n, Number *x, Bool new_x, Number *grad, UserDataPtr data) {
    const il_qp *qp = ((const session *)data)->qp;
    const double *mass = il_metric_masses(qp->mass);
    (void)new_x;
    for (Index k = 0; k < n; k++) {
        grad[k] = mass[k] * (x[k] - qp->target[k]);
    }
    return TRUE;
}

static Bool constraints(Index n, Number *x, Bool new_x, Index m, Number *g, UserDataPtr data) {
    const il_qp *qp = ((const session *)data)->qp;
    (void)n;
    (void)new_x;
    for (Index i = 0; i < m; i++) {
        g[i] = qp->a[i] + qp->scale * il_rows_dot(qp->rows, (size_t)i, x);
    }
    return TRUE;
}

static Bool jacobian(Index n, Number *x, Bool new_x, Index m, Index entries, Index *row, Index *col,
                     Number *values, UserDataPtr data) {
    const il_qp *qp = ((const session *)data)->qp;
    (void)n;
    (void)x;
    (void)new_x;
    (void)entries;
    for (size_t i = 0; i < (size_t)m; i++) {
        for (size_t e = qp->rows->start[i]; e < qp->rows->start[i + 1]; e++) {
            if (values == NULL) {
                row[e] = (Index)i;
                col[e] = (Index)qp->rows->col[e];
            } else {
                values[e] = qp->scale * qp->rows->coef[e];
            }
        }
    }
    return TRUE;
}

static Bool hessian(Index n, Number *x, Bool new_x, Number factor, Index m, Number *lambda,
                    Bool new_lambda, Index entries, Index *row, Index *col, Number *values,
                    UserDataPtr data) {
    const il_qp *qp = ((const session *)data)->qp;
    const double *mass = il_metric_masses(qp->mass);
    (void)x;
    (void)new_x;
    (void)m;
    (void)lambda;
    (void)new_lambda;
    (void)entries;
    for (Index k = 0; k < n; k++) {
        if (values == NULL) {
            row[k] = col[k] = k;
        } else {
            values[k] = factor * mass[k];
        }
    }
    return TRUE;
}

static Bool counted(Index mode, Index iteration, Number f, Number primal, Number dual, Number mu,
                    Number step, Number shift, Number alpha_dual, Number alpha, Index trials,
                    UserDataPtr data) {
    (void)mode, (void)f, (void)primal, (void)dual, (void)mu, (void)step, (void)shift;
    (void)alpha_dual, (void)alpha, (void)trials;
    ((session *)data)->iterations = (size_t)iteration;
    return TRUE;
}

/* To a tolerance, into room: x[d], g[p], lambda[p], low[d], high[d], zeros[p], infinity[p]. */
static bool solve(session *at, double tolerance, double *room, double *seconds) {
    const il_qp *qp = at->qp;
    Index n = (Index)qp->d;
    Index m = (Index)qp->rows->p;
    double *x = room;
    double *g = x + n;
    double *lambda = g + m;
    double *low = lambda + m;
    double *high = low + n;
    double *zeros = high + n;
    double *above = zeros + m;
    for (Index k = 0; k < n; k++) {
        low[k] = -2e19;
        high[k] = 2e19;
    }
    for (Index i = 0; i < m; i++) {
        zeros[i] = 0.0;
        above[i] = 2e19;
    }
    IpoptProblem w = CreateIpoptProblem(n, low, high, m, zeros, above, (Index)qp->rows->nnz, n, 0,
                                        objective, constraints, gradient, jacobian, hessian);
    if (w == NULL) {
        return false;
    }
    (void)AddIpoptNumOption(w, "tol", tolerance);
    (void)AddIpoptNumOption(w, "bound_relax_factor", 0.0);
    (void)AddIpoptIntOption(w, "print_level", 0);
    (void)AddIpoptStrOption(w, "sb", "yes");
    (void)AddIpoptStrOption(w, "hessian_constant", "yes");
    (void)AddIpoptStrOption(w, "jac_d_constant", "yes");
    (void)SetIntermediateCallback(w, counted);
    memcpy(x, qp->target, qp->d * sizeof *x);
    double began = il_bench_now();
    int status = (int)IpoptSolve(w, x, g, NULL, lambda, NULL, NULL, at);
    *seconds = il_bench_now() - began;
    FreeIpoptProblem(w);
    return status == (int)Solve_Succeeded;
}

bool il_peer_ipopt(const il_qp *qp, il_peer_answer *out) {
    size_t d = qp->d;
    size_t p = qp->rows->p;
    double *room = calloc(3 * d + 4 * p, sizeof *room);
    bool any = false;
    for (double asked = LOOSEST; room != NULL && asked >= TIGHTEST; asked *= 1e-2) {
        double spent = 0.0;
        double least = INFINITY;
        session at = {.qp = qp};
        bool fine = true;
        for (int k = 0; fine && k < REPETITIONS && spent < ENOUGH; k++) {
            double took = 0.0;
            fine = solve(&at, asked, room, &took);
            least = fmin(least, took);
            spent += took;
        }
        if (!fine) {
            break;
        }
        any = true;
        out->asked = asked;
        out->seconds = least;
        out->iterations = at.iterations;
        memcpy(out->x, room, d * sizeof *room);
        for (size_t i = 0; i < p; i++) {
            out->lambda[i] = -room[d + p + i]; /* of f + lambda'g, where g >= 0 pushes */
        }
    }
    free(room);
    return any;
}

#else

bool il_peer_ipopt(const il_qp *qp, il_peer_answer *answer) {
    (void)qp;
    answer->absent = true;
    return false;
}

#endif
