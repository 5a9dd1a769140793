/*
 * movie.h - snapshots as numbered PNGs, all of one size and with one colour scale, drawn by few
 * gnuplot processes.
 */
#ifndef IL_MOVIE_H
#define IL_MOVIE_H

#include "harness/base/progress.h"
#include "harness/data/snapshots.h"

typedef enum { IL_COLOR_SPEED, IL_COLOR_LOAD } il_movie_color;

/* IL_OK if il_movie_write could write to dir: nothing stands there, or a folder of PNGs alone,
 * which a new movie replaces. IL_EIO otherwise. */
il_status il_movie_check(const char *dir, il_error *err);

/* Write DIR/frame-000000.png, frame-000001.png, ..., one for each of the snapshots: bodies as
 * discs to scale, coloured (by speed up to the largest of all, by load up to the 99 % quantile
 * of those that are not zero), walls as lines, the time as the title; both sides are even numbers
 * of pixels. progress, or NULL, is shown. The picture's plane is that of the first and the last
 * coordinate; in space bodies in front (of smaller second coordinate) hide those behind. IL_EPLOT
 * when gnuplot fails. The folder appears whole or not at all. */
il_status il_movie_write(const il_snapshots *snapshots, il_movie_color color, const char *dir,
                         il_progress *progress, il_error *err);

#endif
