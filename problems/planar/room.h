/*
 * room.h - rooms for crowds: walls, posts, an exit, and initial positions.
 *
 * All are drawn from two lengths, the side L of the hall [0,L] x [0,L] and the width w of the exit,
 * which is in the middle of its right side (or at the end of the corridor there).
 */
#ifndef IL_PLANAR_ROOM_H
#define IL_PLANAR_ROOM_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"
#include "problems/planar/plan.h"

/* The names, between commas: square, corridor, posts, rooms, open. */
#define IL_ROOM_NAMES "square,corridor,posts,rooms,open"

enum { IL_ROOM_NUMBERS = 48 };

typedef struct {
    double wall[IL_ROOM_NUMBERS], post[IL_ROOM_NUMBERS];
    il_plan_part walls, posts; /* point to the arrays */
    double exit[4];            /* from, to; outside is to the right of it */
} il_room;

/* room receives pointers into itself: it stays where it is. 0 < w < L for rooms with walls. All but
 * `rooms` are the same turned over at y = L/2. */
void il_room_draw(il_room *room, const char *name, double L, double w, bool elsewhere);

/* An exit elsewhere, from exit[0], exit[1] to exit[2], exit[3]: the wall that it lies on, if there
 * is one, opens there. The room was drawn with `elsewhere`, which leaves the hall without its own
 * exit. */
void il_room_open(il_room *room, const double *exit);

/* n starts in [0,L] x [0,L]: discs of radius r, each in a cell of its own of a square grid of 2.5
 * r, shaken by up to 0.24 r along each axis; which cells, and where in them, the seed says. Cells
 * in which it would touch an obstacle of the plan, or stand beyond the exit's line, stay empty.
 * Written to q[2n]. IL_EINVAL, with how many there is room for, or where there are more cells than
 * 10^7 + 2n. */
il_status il_room_fill(const il_plan *plan, const double *exit, double L, double r, size_t n,
                       size_t seed, double *q, il_error *err);

/* A side that has room for n discs of radius r in three cells of five, and for posts. */
double il_room_side(size_t n, double r);

#endif
