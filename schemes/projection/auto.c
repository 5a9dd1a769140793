/*
 * auto.c - selects the exact projector that is cheapest for the given rows.
 */
#include <stdlib.h>

#include "harness/base/memory.h"
#include "schemes/projection/projector.h"

extern const il_projector_type il_projector_one_row;
extern const il_projector_type il_projector_chain;
extern const il_projector_type il_projector_active_set;
extern const il_projector_type il_projector_newton;

enum { ONE_ROW, CHAIN, ACTIVE_SET, NEWTON, CANDIDATES };

static const il_projector_type *const candidates[CANDIDATES] = {[ONE_ROW] = &il_projector_one_row,
                                                                [CHAIN] = &il_projector_chain,
                                                                [ACTIVE_SET] =
                                                                    &il_projector_active_set,
                                                                [NEWTON] = &il_projector_newton};

/* active_set takes time like d k^2 for k <= min(d,p) pushing rows, newton like the contacts. Discs
 * in a pile: the same at min(d,p) = 64 (0.5 ms a step), 17 times slower at 120, 66 at 240. Where d
 * is large, d k^2 tells: the first 40 steps of a pile of 2000 take 0.21 s with active_set up to
 * k = 64, and 0.07 s with any DEAR between 1e5 and 1e6. */
enum { FEW = 64 };              /* tuned: 32, 128 */
static const double DEAR = 1e6; /* tuned: 2.5e5, 4e6 */

/* Up to here active_set stands in, in seconds, should newton ever stall. */
enum { MEDIUM = 512 };

typedef struct {
    void *solver[CANDIDATES];
} automatic;

static const char *refuses(void *self, const il_qp *qp) {
    (void)self;
    (void)qp;
    return NULL;
}

static void destroy(void *self) {
    automatic *w = self;
    if (w == NULL) {
        return;
    }
    for (size_t k = 0; k < CANDIDATES; k++) {
        candidates[k]->destroy(w->solver[k]);
    }
    free(w);
}

static il_status create(void **self, const il_projector_options *options, il_error *err) {
    automatic *w = il_alloc_zero(1, sizeof *w);
    *self = NULL;
    for (size_t k = 0; k < CANDIDATES; k++) {
        il_status status = candidates[k]->create(&w->solver[k], options, err);
        if (status != IL_OK) {
            destroy(w);
            return status;
        }
    }
    *self = w;
    return IL_OK;
}

/* The largest number of independent active rows. */
static size_t least_of(const il_qp *qp) {
    return qp->d < qp->rows->p ? qp->d : qp->rows->p;
}

/* Are there enough rows for Newton's method? */
static bool are_many(const il_qp *qp) {
    size_t least = least_of(qp);
    return least > FEW || (double)qp->d * (double)least * (double)least > DEAR;
}

/* The projector to try first. Whether a chain closes a ring shows only while it is solved. */
static size_t choose(const automatic *w, const il_qp *qp) {
    if (qp->rows->p <= 1) { /* what a run with one wall does in every step: no questions */
        return ONE_ROW;
    }
    if (candidates[CHAIN]->refuses(w->solver[CHAIN], qp) == NULL) {
        return CHAIN;
    }
    bool newton = are_many(qp) && candidates[NEWTON]->refuses(w->solver[NEWTON], qp) == NULL;
    return newton ? NEWTON : ACTIVE_SET;
}

static il_status solve(void *self, const il_qp *qp, double *x, double *lambda,
                       il_projection_info *info) {
    automatic *w = self;
    size_t k = choose(w, qp);
    il_status status = candidates[k]->solve(w->solver[k], qp, x, lambda, info);
    if (k == CHAIN && status == IL_EUNSUPPORTED) { /* a ring */
        k = are_many(qp) ? NEWTON : ACTIVE_SET;
        status = candidates[k]->solve(w->solver[k], qp, x, lambda, info);
    }
    size_t other = k == NEWTON ? ACTIVE_SET : NEWTON; /* each stands in for the other */
    bool may = k == NEWTON ? least_of(qp) <= MEDIUM : k == ACTIVE_SET;
    if (status == IL_ESTALLED && may && candidates[other]->refuses(w->solver[other], qp) == NULL) {
        il_projection_info stalled = *info;
        status = candidates[other]->solve(w->solver[other], qp, x, lambda, info);
        info->iterations += stalled.iterations;
        info->factorisations += stalled.factorisations;
        info->analyses += stalled.analyses;
    }
    return status;
}

static il_status approximate(void *self, const il_qp *qp, double tolerance, double *x,
                             double *lambda, il_projection_info *info) {
    automatic *w = self;
    if (choose(w, qp) == NEWTON) {
        return candidates[NEWTON]->approximate(w->solver[NEWTON], qp, tolerance, x, lambda, info);
    }
    return solve(self, qp, x, lambda, info);
}

const il_projector_type il_projector_auto = {
    .name = "auto",
    .title = "picks the exact projector that suits the rows",
    .statement =
        "For p rows in d unknowns: p <= 1: one_row. Rows that compare coordinates along disjoint\n"
        "paths, with a diagonal mass matrix: chain. k = min(d,p) > 64 or d k^2 > 10^6, and a\n"
        "diagonal mass matrix: newton (and active_set after it, up to k = 512, should newton\n"
        "stall). Everything else: active_set. The thresholds are where the two take the same time\n"
        "on piles of discs.",
    .source = "the projectors it picks from",
    .preferred = true,
    .finite = true,
    .half_space = true,
    .refuses = refuses,
    .create = create,
    .solve = solve,
    .approximate = approximate,
    .destroy = destroy};
