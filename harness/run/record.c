/*
 * record.c - records end.
 */
#include "harness/run/record.h"

#include <stdlib.h>
#include <string.h>

void il_record_free(il_record *record) {
    free(record->q);
    free(record->samples);
    free(record->distances);
    il_drifts_free(&record->series);
    il_params_destroy(record->scheme_params);
    il_multipliers_free(&record->multipliers);
    free(record->walls);
    memset(record, 0, sizeof *record);
}
