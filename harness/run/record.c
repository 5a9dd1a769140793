/*
 * record.c - records begin and end.
 */
#include "harness/run/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void il_record_count(il_record *record, const il_step_report *report) {
    record->projector_iterations += report->iterations;
    record->factorisations += report->factorisations;
    record->analyses += report->analyses;
    record->solves += report->solves;
    record->stalled += report->stalled;
    record->scans += report->scans;
    record->rows_offered += report->rows_offered;
    record->share_max = fmax(record->share_max, report->share);
    record->steps_beyond += report->share > 1.0 ? 1 : 0;
    record->steps_unknown += isnan(report->share) ? 1 : 0;
}

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

void il_record_archive(il_record *record, il_archive *a) {
    size_t *const counts[] = {&record->steps_done,     &record->projector_iterations,
                              &record->factorisations, &record->analyses,
                              &record->solves,         &record->stalled,
                              &record->rows_offered,   &record->rows_solved,
                              &record->steps_beyond,   &record->steps_unknown,
                              &record->scans};
    size_t d = record->d;
    il_archive_expect(a, d);
    il_archive_expect(a, record->steps);
    il_archive_expect(a, record->nsamples);
    il_archive_expect(a, record->bodies);
    il_archive_double(a, &record->t);
    il_archive_double(a, &record->seconds);
    il_archive_double(a, &record->share_max);
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        il_archive_count(a, counts[k]);
    }
    il_archive_bytes(a, record->q,
                     (2 * d * (2 + record->nsamples) + record->bodies * record->nsamples) *
                         sizeof *record->q);
    a->failed = a->failed || record->steps_done > record->steps;
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

/* Nearest in u_L1 first; a NaN counts as farthest. */
static int nearer(const void *a, const void *b) {
    double x = ((const il_distance *)a)->error.u_L1;
    double y = ((const il_distance *)b)->error.u_L1;
    return isnan(x) ? !isnan(y) : isnan(y) ? -1 : (x > y) - (x < y);
}

void il_record_sort(il_record *record) {
    qsort(record->distances, record->ndistances, sizeof *record->distances, nearer);
}
