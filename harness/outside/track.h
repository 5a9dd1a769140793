/*
 * track.h - a motion recorded by another program: times, positions and, if present, velocities and
 * contact impulses, sample by sample, in the order, units and signs of a problem.
 *
 * Columns are called t, q0, q1, ..., u0, u1, ... and, for the impulse of constraint i over the
 * interval that ends at the sample, impulse<i>; v0, ... and u1, ..., ud are velocities too. Another
 * column is refused. A mapping file gives other names, one line each:
 *
 *     t = time
 *     q = x1 y1 -x2 y2*0.001      every coordinate in the problem's order; a sign and a factor
 *     u = vx1 vy1 -vx2 vy2*0.001  before and behind a name are applied
 *     impulse 0 = "p floor"       quotes where a name has blanks
 *     skip = energy               columns that are not read; * for all that no other line names
 *
 * Missing velocities are those of straight flight between samples.
 *
 * Where the motion between samples is asked for, rows are those of harness/data/dense.h, with
 * columns step and c00, c01, .., c10, .. or without.
 */
#ifndef IL_OUTSIDE_TRACK_H
#define IL_OUTSIDE_TRACK_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"
#include "harness/data/trajectory.h"
#include "harness/outside/table.h"

typedef struct il_track {
    bool dense;        /* the motion between samples is asked for; the caller says so before */
    il_trajectory run; /* all samples, with the impulses that the file has as contacts */
    double end;        /* the last time */
    bool has_u;        /* the file has velocities */
    bool has_impulses;
    bool half; /* velocities are those half a step from the times of samples; the reader's caller
                  says so */
    /* A number x of the file stands for x + dx with |dx| <= resolution |x| + quantum: half a unit
     * of the last digit or bit that the coarsest of the arrays q and u has, of the last decimal.
     * 2^-53 and 0 for doubles, 2^-24 for floats, 5e-6 for six digits. */
    double resolution, quantum;
    int digits; /* significant decimal digits; 0: floats */
    il_number_table table;
    size_t *column;            /* [d] of each coordinate */
    const struct il_track *of; /* whose pieces these samples are (il_track_of_pieces), or NULL */
    size_t *row; /* of a dense track, where the start and the end of each piece stand */
} il_track;

/* Read path, for d coordinates and p constraints, into *track, zeroed but for dense, and the
 * caller's to close, also after a failure; path outlives it. mapping is a file's name, or NULL.
 * IL_EINVAL for a missing column, values that are no numbers, times that do not increase from 0,
 * fewer than two samples, with file, line and column; IL_EIO. */
il_status il_track_open(il_track *track, const char *path, const char *mapping, size_t d, size_t p,
                        il_error *err);

/* The same of samples in memory. */
il_status il_track_of(il_track *track, const il_samples_given *given, size_t d, size_t p,
                      il_error *err);
void il_track_close(il_track *track);

/* The start and the ends of all pieces of a dense track, or run, as samples of flight, u being that
 * with which the motion goes on: into *samples, which is zeroed, refers to track and is the
 * caller's to close. */
il_status il_track_of_pieces(il_track *samples, const il_track *track, il_error *err);

/* Are the pieces of a dense track, or run, parabolas? To the rounding of cubics through samples:
 * coefficients from the third on are at most 32 eps of the largest before them. */
bool il_track_flies(const il_track *track);

/* Where coordinate k of sample n stands: "'a.csv', line 7, column 3 (q1)". */
const char *il_track_place(const il_track *track, size_t n, size_t k, char *out, size_t capacity);

#endif
