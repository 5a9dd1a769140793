/*
 * track.h - a motion recorded by another program: times, positions and, if present, velocities and
 * contact impulses, sample by sample, in the order, units and signs of a problem.
 *
 * Columns are called t, q0, q1, ..., u0, u1, ... and, for the impulse of constraint i over the
 * interval that ends at the sample, impulse<i>. A mapping file gives other names, one line each:
 *
 *     t = time
 *     q = x1 y1 -x2 y2*0.001      every coordinate in the problem's order; a sign and a factor
 *     u = vx1 vy1 -vx2 vy2*0.001  before and behind a name are applied
 *     impulse 0 = p_floor
 *
 * Missing velocities are those of straight flight between samples.
 */
#ifndef IL_OUTSIDE_TRACK_H
#define IL_OUTSIDE_TRACK_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"
#include "harness/data/trajectory.h"
#include "harness/outside/table.h"

typedef struct il_track il_track;

typedef struct {
    double t;
    double *q, *u;    /* [d] */
    size_t nimpulses; /* of constraints that have a column */
    const size_t *id; /* [nimpulses] */
    double *impulse;  /* [nimpulses] over the interval that ends here */
} il_track_sample;

/* Open path, for d coordinates and p constraints; mapping is a file's name, or NULL. Every sample
 * is read and checked: IL_EINVAL for a missing column, values that are no numbers, times that do
 * not increase from 0, fewer than two samples, with file, line and column. The creator closes; NULL
 * is fine there. */
il_status il_track_open(il_track **out, const char *path, const char *mapping, size_t d, size_t p,
                        il_error *err);

/* The same of samples in memory, which must outlive it, instead of a file. */
il_status il_track_of(il_track **out, const il_samples_given *given, size_t d, size_t p,
                      il_error *err);
void il_track_close(il_track *track);

size_t il_track_samples(const il_track *track);
double il_track_end(const il_track *track); /* the last time */
bool il_track_has_velocities(const il_track *track);
bool il_track_has_impulses(const il_track *track);

/* All samples, q and u as they stand in the file (u made of q where it has none); NULL where they
 * are more than IL_TRACK_KEPT numbers, which are read as a stream. The track's. */
enum { IL_TRACK_KEPT = 4000000 };
const il_trajectory *il_track_whole(const il_track *track);

/* Where coordinate k of the sample that was read last stands: "'a.csv', line 7, column 3 (q1)". */
const char *il_track_place(const il_track *track, size_t k, char *out, size_t capacity);

/* Back to the first sample. */
il_status il_track_rewind(il_track *track, il_error *err);

/* The next sample, the track's until the next call. IL_EIO where the file has changed. */
il_status il_track_next(il_track *track, const il_track_sample **sample, il_error *err);

#endif
