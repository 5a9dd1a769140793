/*
 * peers_first_order.c - the first-order methods that granular codes use, written from their papers
 * for the benchmark alone, on a step problem min 1/2 |x - target|_M^2, a + s B x >= 0:
 *
 *     projected Gauss-Seidel (Jean 1999; Tasora & Anitescu 2011; Chrono's default): row after row
 *         lambda_i = max(0, lambda_i - (a_i + s <b_i,x>)/W_ii),   x = target + s M^-1 B' lambda;
 *     ADMM (Stellato et al. 2020, algorithm 1, alpha = 1.6; rho_i = rho/W_ii, adapted as there):
 *         x~ = (M + s^2 B' diag(rho_i) B)^-1 (M target + s B' (rho_i z_i + lambda_i)),
 *         v = alpha s B x~ + (1 - alpha) z - lambda/rho,
 *         z = max(v, -a),   lambda = rho (z - v).
 *
 * Both stop where the residual of the certificate, |min(lambda_i W_ii, a_i + s <b_i,x>)|, is below
 * what is asked: looked at after every tenth iteration, with x formed from lambda.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "schemes/projection/sparse/sparse.h"
#include "tests/bench/clock.h"
#include "tests/bench/peers.h"

enum { LOOK = 10, ADAPT = 50, REPETITIONS = 5 };

static const double LIMIT = 5.0;  /* seconds of one solve */
static const double ENOUGH = 0.5; /* seconds of repetitions */
static const double ALPHA = 1.6;
static const double RHO = 1.0; /* at the start, in units of 1/W_ii */
static const double CHANGED = 5.0;

/* The vectors that both keep; all in one block. */
typedef struct {
    const il_qp *qp;
    const double *mass;
    double *block;
    double *W, *z, *v, *weight; /* [p] */
    double *y;                  /* [d] */
    il_sparse *factor;
    double rho;
    bool failed;
} work;

static void apply(const work *w, size_t i, double lambda, double *x) {
    const il_rows *rows = w->qp->rows;
    for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
        x[rows->col[e]] += w->qp->scale * rows->coef[e] * lambda;
    }
}

/* max_i |min(lambda_i W_ii, gap_i)| of x. */
static double residual(const work *w, const double *x, const double *lambda) {
    double worst = 0.0;
    for (size_t i = 0; i < w->qp->rows->p; i++) {
        double gap = w->qp->a[i] + w->qp->scale * il_rows_dot(w->qp->rows, i, x);
        worst = fmax(worst, fabs(fmin(lambda[i] * w->W[i], gap)));
    }
    return worst;
}

/* ---- projected Gauss-Seidel ------------------------------------------------------------------ */

static void gauss_seidel_begin(work *w, double *x, double *lambda) {
    memset(lambda, 0, w->qp->rows->p * sizeof *lambda);
    memcpy(x, w->qp->target, w->qp->d * sizeof *x);
}

static void gauss_seidel(work *w, double *x, double *lambda) {
    const il_qp *qp = w->qp;
    const il_rows *rows = qp->rows;
    for (size_t i = 0; i < rows->p; i++) {
        double gap = qp->a[i] + qp->scale * il_rows_dot(rows, i, x);
        double next = fmax(0.0, lambda[i] - gap / w->W[i]);
        double change = qp->scale * (next - lambda[i]);
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            x[rows->col[e]] += change * rows->coef[e] / w->mass[rows->col[e]];
        }
        lambda[i] = next;
    }
}

/* ---- ADMM ------------------------------------------------------------------------------------ */

/* y = M target + s B' (rho z + lambda), which the factor turns into x~. */
static void right_side(work *w, const double *lambda) {
    for (size_t k = 0; k < w->qp->d; k++) {
        w->y[k] = w->mass[k] * w->qp->target[k];
    }
    for (size_t i = 0; i < w->qp->rows->p; i++) {
        apply(w, i, w->rho / w->W[i] * w->z[i] + lambda[i], w->y);
    }
}

/* With the rho at hand; the factor's solve is made on the way. */
static void factorise(work *w, const double *lambda) {
    for (size_t i = 0; i < w->qp->rows->p; i++) {
        w->weight[i] = w->qp->scale * w->qp->scale * w->rho / w->W[i];
    }
    right_side(w, lambda);
    w->failed = il_sparse_factor(w->factor, w->mass, w->qp->rows, w->weight, w->y) != IL_OK;
}

static void admm_begin(work *w, double *x, double *lambda) {
    const il_qp *qp = w->qp;
    memset(lambda, 0, qp->rows->p * sizeof *lambda);
    memcpy(x, qp->target, qp->d * sizeof *x);
    w->rho = RHO;
    for (size_t i = 0; i < qp->rows->p; i++) {
        w->z[i] = fmax(qp->scale * il_rows_dot(qp->rows, i, x), -qp->a[i]);
    }
    w->failed = il_sparse_analyse(w->factor, qp->d, qp->rows) != IL_OK;
    if (!w->failed) {
        factorise(w, lambda);
    }
}

static void admm(work *w, double *x, double *lambda) {
    const il_qp *qp = w->qp;
    right_side(w, lambda);
    il_sparse_solve(w->factor, w->y);
    memcpy(x, w->y, qp->d * sizeof *x);
    for (size_t i = 0; i < qp->rows->p; i++) {
        double rho = w->rho / w->W[i];
        double v = ALPHA * qp->scale * il_rows_dot(qp->rows, i, w->y) + (1.0 - ALPHA) * w->z[i];
        double before = w->z[i];
        v -= lambda[i] / rho;
        w->z[i] = fmax(v, -qp->a[i]);
        lambda[i] = rho * (w->z[i] - v);
        w->v[i] = w->z[i] - before;
    }
}

/* x from lambda; and rho by the ratio of the residuals |s B x~ - z| and |rho (z - z before)|, both
 * as displacements. */
static void admm_look(work *w, size_t iteration, double *x, const double *lambda) {
    const il_qp *qp = w->qp;
    memset(x, 0, qp->d * sizeof *x);
    double primal = 0.0;
    double dual = 0.0;
    for (size_t i = 0; i < qp->rows->p; i++) {
        apply(w, i, lambda[i], x);
        primal = fmax(primal, fabs(qp->scale * il_rows_dot(qp->rows, i, w->y) - w->z[i]));
        dual = fmax(dual, w->rho * fabs(w->v[i]));
    }
    for (size_t k = 0; k < qp->d; k++) {
        x[k] = qp->target[k] + x[k] / w->mass[k];
    }
    double factor = sqrt(primal / dual);
    if (iteration % ADAPT == 0 && (factor > CHANGED || factor < 1.0 / CHANGED) &&
        isfinite(factor) && factor > 0.0) {
        w->rho *= factor;
        factorise(w, lambda);
    }
}

/* ---- both ------------------------------------------------------------------------------------ */

typedef struct {
    void (*begin)(work *w, double *x, double *lambda);
    void (*iterate)(work *w, double *x, double *lambda);
    void (*look)(work *w, size_t iteration, double *x, const double *lambda);
} method;

static const method GAUSS_SEIDEL = {gauss_seidel_begin, gauss_seidel, NULL};
static const method ADMM = {admm_begin, admm, admm_look};

/* To the residual asked, from no guess; false if LIMIT ends it. */
static bool solve_to(const method *m, work *w, double asked, il_peer_answer *out) {
    double began = il_bench_now();
    m->begin(w, out->x, out->lambda);
    for (out->iterations = 1; !w->failed; out->iterations++) {
        m->iterate(w, out->x, out->lambda);
        if (out->iterations % LOOK == 0) {
            if (m->look != NULL) {
                m->look(w, out->iterations, out->x, out->lambda);
            }
            out->seconds = il_bench_now() - began;
            if (residual(w, out->x, out->lambda) <= asked) {
                out->asked = asked;
                return true;
            }
            if (out->seconds > LIMIT) {
                return false;
            }
        }
    }
    return false;
}

static bool prepare(work *w, const il_qp *qp) {
    size_t p = qp->rows->p;
    *w = (work){.qp = qp, .mass = il_metric_masses(qp->mass)};
    w->block = calloc(4 * p + qp->d + 1, sizeof *w->block);
    w->factor = il_sparse_create();
    if (w->block == NULL || w->factor == NULL) {
        return false;
    }
    w->W = w->block;
    w->z = w->W + p;
    w->v = w->z + p;
    w->weight = w->v + p;
    w->y = w->weight + p;
    il_projection_delassus(qp, w->mass, w->W);
    return true;
}

static bool solve(const method *m, const il_qp *qp, double asked, il_peer_answer *out) {
    work w;
    bool fine = prepare(&w, qp) && solve_to(m, &w, asked, out);
    double least = out->seconds;
    for (int k = 1; fine && k < REPETITIONS && k * out->seconds < ENOUGH; k++) {
        fine = solve_to(m, &w, asked, out);
        least = fmin(least, out->seconds);
    }
    out->seconds = least;
    il_sparse_destroy(w.factor);
    free(w.block);
    return fine;
}

bool il_peer_gauss_seidel(const il_qp *qp, double asked, il_peer_answer *answer) {
    return solve(&GAUSS_SEIDEL, qp, asked, answer);
}

bool il_peer_admm(const il_qp *qp, double asked, il_peer_answer *answer) {
    return solve(&ADMM, qp, asked, answer);
}
