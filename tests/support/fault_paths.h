/*
 * fault_paths.h - which allocations are to fail. Two that were asked for by the same path of calls
 * fail alike nearly always, and a command asks a hundred thousand times by a thousand paths: of
 * each path the first, one between and the last do for all.
 */
#ifndef IL_TESTS_FAULT_PATHS_H
#define IL_TESTS_FAULT_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include "tests/support/allocation.h"

typedef struct {
    size_t *call; /* [n] ascending, from 1 */
    size_t n;
    size_t paths; /* that are tried */
    size_t there; /* paths there are that are not known */
} il_fault_paths;

/* Paths that other commands have tried. */
typedef struct {
    uint64_t *path; /* [n] ascending */
    size_t n;
} il_fault_known;

/* Of every path in the log three calls at most: then they are known, and those that were are left
 * out; NULL: there are none. Or, where `wanted` is fewer than there are paths, of so many, spread
 * over the run, one call each. The seed draws. The log is sorted. The caller frees p->call and
 * known->path. */
void il_fault_paths_choose(il_fault_paths *p, allocation_log *log, size_t wanted,
                           il_fault_known *known, unsigned *seed);

#endif
