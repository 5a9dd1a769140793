/*
 * stored.h - records of lost cases, whose process took too long, needed too much memory or crashed.
 */
#ifndef IL_STORED_H
#define IL_STORED_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"

/* The limits of a case; 0: as much as it likes. */
typedef struct {
    double seconds;
    size_t bytes; /* besides what its process has when it begins */
} il_case_limits;

/* Give the record of a lost case (il_case_lost) its field
 *
 *     lost {signal, exit, case_time, case_memory}
 *
 * the signal that ended its process or the status that it ended with, and the limits that it ran
 * under; null for what there was not. */
void il_lost_note(json_t *record, int signal, int exit, const il_case_limits *limits);

/* Is this the record of a lost case that may come to an end under these limits: one that crashed,
 * or that was ended by a limit lower than that of now? It is then run again. */
bool il_lost_again(const json_t *record, const il_case_limits *limits);

#endif
