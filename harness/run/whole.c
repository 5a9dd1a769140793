/*
 * whole.c - runs and references as wholes.
 */
#include "harness/run/whole.h"

#include <assert.h>

/* IL_NORM_AUTO: runs of this many numbers, with references no larger, are compared as a whole
 * unasked. */
enum { SMALL = 65536 };

unsigned il_whole_norms(const il_run_spec *spec, const il_record *record) {
    if (record->ndistances == 0) {
        return 0;
    }
    if ((spec->norms & IL_NORM_AUTO) != 0) {
        size_t other = spec->reference_run != NULL ? spec->reference_run->nodes : 0;
        size_t steps = record->steps > other ? record->steps : other;
        return steps <= SMALL / record->d ? il_norm_all() : IL_NORM_NONE;
    }
    return spec->norms;
}

il_status il_whole_compare(const il_run_spec *spec, const il_problem *problem,
                           const il_exact *known, unsigned norms, const il_trajectory *trajectory,
                           il_record *record, il_error *err) {
    assert(known != NULL);
    il_status status = IL_OK;
    il_norm_run kept = {.graphed = false};
    for (size_t k = 0; status == IL_OK && k < record->ndistances; k++) {
        il_norms_query query = {.problem = problem,
                                .projector = spec->projector,
                                .run = trajectory,
                                .reference = &known[k],
                                .reference_run = spec->reference_run,
                                .kept = &kept};
        status = il_norms_compute(&record->distances[k].norms, &query, norms, err);
    }
    il_norm_run_free(&kept);
    return status;
}
