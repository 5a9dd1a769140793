/*
 * dual.c - buffers, gaps and residuals on the dual of min 1/2 |x - t|_M^2, a + s B x >= 0.
 */
#include "schemes/projection/newton/dual.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

/* A gap is known to this many roundings of the numbers that it is made of. */
static const double ROUNDING = 8.0 * 2.2e-16;

/* No x nearer than this times the violations satisfies the rows: they contradict each other. Such
 * multipliers could not be held together with any tolerance in double precision. */
static const double FAR = 1e8;

/* A factorisation is dear when it multiplies this often for a number in the factor: solving with it
 * takes two, that wait for memory. */
static const double DEAR = 100.0; /* tuned: 25.0, 400.0 */

enum { OF_D = 7, OF_P = 15 };

/* The places of the buffers with d and with p numbers. */
static void list_buffers(il_dual *w, double **of_d[OF_D], double **of_p[OF_P]) {
    double **d[OF_D] = {&w->force, &w->y, &w->r, &w->cg_x, &w->cg_z, &w->cg_p, &w->cg_hp};
    double **p[OF_P] = {&w->g,    &w->dg,       &w->z,     &w->dz,         &w->dl,
                        &w->c,    &w->delassus, &w->w,     &w->kept,       &w->best,
                        &w->base, &w->base_g,   &w->delta, &w->compliance, &w->inverse};
    memcpy(of_d, d, sizeof d);
    memcpy(of_p, p, sizeof p);
}

bool il_dual_init(il_dual *w) {
    *w = (il_dual){.factor = il_sparse_create()};
    return w->factor != NULL;
}

void il_dual_share(il_dual *w, il_team *team) {
    w->team = team;
    il_sparse_share(w->factor, team);
}

void il_dual_free(il_dual *w) {
    double **of_d[OF_D];
    double **of_p[OF_P];
    list_buffers(w, of_d, of_p);
    for (size_t k = 0; k < OF_D; k++) {
        free(*of_d[k]);
    }
    for (size_t k = 0; k < OF_P; k++) {
        free(*of_p[k]);
    }
    free(w->in);
    free(w->active);
    il_sparse_destroy(w->factor);
}

/* Half as much again as is asked for: rows come in rounds. */
static bool reserve(il_dual *w, size_t d, size_t p) {
    double **of_d[OF_D];
    double **of_p[OF_P];
    size_t room = p + p / 2;
    list_buffers(w, of_d, of_p);
    for (size_t k = 0; d > w->room_d && k < OF_D; k++) {
        if (!il_memory_grow(of_d[k], d, sizeof(double))) {
            return false;
        }
    }
    w->room_d = d > w->room_d ? d : w->room_d;
    if (p <= w->room_p) {
        return true;
    }
    for (size_t k = 0; k < OF_P; k++) {
        if (!il_memory_grow(of_p[k], room, sizeof(double))) {
            return false;
        }
    }
    if (!il_memory_grow(&w->in, room, sizeof(bool)) ||
        !il_memory_grow(&w->active, room, sizeof(bool))) {
        return false;
    }
    w->room_p = room;
    return true;
}

il_status il_dual_begin(il_dual *w, const il_qp *qp) {
    const il_rows *rows = qp->rows;
    w->iterations = 0;
    w->mass = il_metric_masses(qp->mass);
    if (w->mass == NULL) {
        return IL_EUNSUPPORTED;
    }
    if (!reserve(w, qp->d, rows->p)) {
        return IL_ENOMEM;
    }
    il_projection_delassus(qp, w->mass, w->delassus);
    for (size_t i = 0; i < rows->p; i++) {
        w->in[i] = true;
        w->active[i] = false;
    }
    w->analysed = false;
    w->factored = false;
    w->changed = 0;
    return IL_OK;
}

il_status il_dual_analyse(il_dual *w, const il_qp *qp) {
    if (w->analysed) {
        return IL_OK;
    }
    il_status status = il_sparse_analyse(w->factor, qp->d, qp->rows, w->in);
    w->analysed = status == IL_OK;
    return status;
}

double il_dual_evaluate(il_dual *w, const il_qp *qp, const double *lambda, double *x,
                        double *deepest) {
    const il_rows *rows = qp->rows;
    double residual = 0.0;
    double size = 0.0;
    double scaled = 0.0;
    *deepest = 0.0;
    il_projection_from_multipliers(qp, lambda, w->force, x);
    for (size_t i = 0; i < rows->p; i++) {
        double g = qp->a[i];
        double sum = fabs(g);
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            double c = qp->scale * rows->coef[e] * x[rows->col[e]];
            g += c;
            sum += fabs(c);
        }
        w->g[i] = g;
        double alone = lambda[i] * w->delassus[i];
        double off = fabs(fmin(alone, g));
        residual = off > residual ? off : residual;
        scaled = alone > scaled ? alone : scaled;
        size = sum > size ? sum : size;
        *deepest = -g > *deepest ? -g : *deepest;
        if (isnan(g)) {
            return NAN;
        }
    }
    w->rounding = ROUNDING * size;
    w->noise = fmax(w->rounding, ROUNDING * scaled);
    return residual;
}

/* For any lambda >= 0 a point x that satisfies the rows has
 * |x - t|_M |s B' lambda|_{M^-1} >= -lambda' (a + s B t). */
bool il_dual_contradictory(il_dual *w, const il_qp *qp, const double *lambda) {
    double pull = 0.0;
    double reach = 0.0;
    double force2 = 0.0;
    memset(w->force, 0, qp->d * sizeof *w->force);
    for (size_t i = 0; i < qp->rows->p; i++) {
        double g = qp->a[i] + qp->scale * il_rows_dot(qp->rows, i, qp->target);
        pull -= lambda[i] * g;
        reach = fmax(reach, -g / sqrt(w->delassus[i]));
        il_rows_axpy(qp->rows, i, qp->scale * lambda[i], w->force);
    }
    for (size_t k = 0; k < qp->d; k++) {
        force2 += w->force[k] * w->force[k] / w->mass[k];
    }
    return pull > FAR * reach * sqrt(force2);
}

bool il_dual_factor_is_dear(const il_dual *w) {
    return il_sparse_work(w->factor) > DEAR * (double)il_sparse_size(w->factor);
}
