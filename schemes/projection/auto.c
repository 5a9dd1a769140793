/*
 * auto.c - picks the projector that is exact and cheapest for the rows at hand.
 */
#include <stdlib.h>

#include "schemes/projection/projector.h"

extern const il_projector_type il_projector_one_row;
extern const il_projector_type il_projector_chain;
extern const il_projector_type il_projector_active_set;

/* In the order in which they are asked. */
static const il_projector_type *const candidates[] = {&il_projector_one_row, &il_projector_chain,
                                                      &il_projector_active_set};
enum { CANDIDATES = sizeof candidates / sizeof candidates[0] };

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
    automatic *w = calloc(1, sizeof *w);
    *self = NULL;
    if (w == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for projector 'auto'");
    }
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

static il_status solve(void *self, const il_qp *qp, double *x, double *lambda,
                       il_projection_info *info) {
    automatic *w = self;
    if (qp->rows->p <= 1) { /* what a run with one wall does in every step: no questions */
        return il_projector_one_row.solve(w->solver[0], qp, x, lambda, info);
    }
    for (size_t k = 1; k < CANDIDATES; k++) {
        if (candidates[k]->refuses(w->solver[k], qp) == NULL) {
            il_status status = candidates[k]->solve(w->solver[k], qp, x, lambda, info);
            if (status != IL_EUNSUPPORTED) {
                return status;
            }
        }
    }
    return IL_EUNSUPPORTED;
}

const il_projector_type il_projector_auto = {
    .name = "auto",
    .title = "picks the exact projector that suits the rows",
    .statement =
        "At most one row: one_row. Rows that compare coordinates along disjoint paths, with\n"
        "a diagonal mass matrix: chain. Everything else: active_set.",
    .source = "the projectors it picks from",
    .exact = true,
    .refuses = refuses,
    .create = create,
    .solve = solve,
    .destroy = destroy};
