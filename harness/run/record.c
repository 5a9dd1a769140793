/*
 * record.c - records begin and end.
 */
#include "harness/run/record.h"

#include <stdlib.h>
#include <string.h>

il_status il_record_allocate(il_record *record, size_t nsamples, size_t loads, il_error *err) {
    size_t d = record->d;
    size_t states = 2 + nsamples; /* with the final one and a best iterate */
    record->q = calloc(2 * d * states + loads * nsamples, sizeof *record->q);
    record->samples = calloc(nsamples > 0 ? nsamples : 1, sizeof *record->samples);
    if (record->q == NULL || record->samples == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for a record of size %zu", d);
    }
    record->u = record->q + d;
    record->best.q = record->u + d;
    record->best.u = record->best.q + d;
    record->nsamples = nsamples;
    for (size_t k = 0; k < nsamples; k++) {
        record->samples[k].q = record->q + 2 * d * (2 + k);
        record->samples[k].u = record->samples[k].q + d;
        record->samples[k].load = loads > 0 ? record->q + 2 * d * states + loads * k : NULL;
    }
    record->bodies = loads;
    return IL_OK;
}

void il_record_free(il_record *record) {
    free(record->q);
    free(record->samples);
    free(record->distances);
    il_params_destroy(record->scheme_params);
    il_multipliers_free(&record->multipliers);
    free(record->walls);
    memset(record, 0, sizeof *record);
}
