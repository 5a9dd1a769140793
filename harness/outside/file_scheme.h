/*
 * file_scheme.h - stored samples of another program as a scheme, `file:NAME`, in runs and sweeps:
 * its results appear beside those of our schemes in the store, in tables and figures.
 *
 *     file:loop-%04d.csv     the file of each number of steps; %d, or %0Nd with N digits
 *     file:run.csv,between=constant,mapping=columns.txt,name=my loop
 *
 * The file must have as many steps as the run and end at the same time. `between` and mappings:
 * replay.h, track.h; ballistic motion between samples is supported by `judge` only.
 */
#ifndef IL_OUTSIDE_FILE_SCHEME_H
#define IL_OUTSIDE_FILE_SCHEME_H

#include <stdbool.h>

#include "harness/io/sealed.h"
#include "schemes/scheme.h"

extern const il_scheme_type il_scheme_file;

/* The sum of the settings and of the file that they name for so many steps. False where it cannot
 * be read. */
bool il_file_scheme_sum(const char *settings, size_t steps, char sum[IL_SEALED_SUM]);

/* The bytes of a file, if it is *there, behind the *n of *text, which grows and is the caller's.
 * False where it is too large for the memory. */
bool il_file_scheme_append(char **text, size_t *n, const char *path, bool *there);

#endif
