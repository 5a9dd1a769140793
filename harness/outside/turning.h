/*
 * turning.h - how far gradients of the same constraints turn between places.
 */
#ifndef IL_OUTSIDE_TURNING_H
#define IL_OUTSIDE_TURNING_H

#include "harness/base/rows.h"

/* The largest |b_i - b_j|/|b_i| of rows i < p and j = i + p, i + 2 p, ..., the same constraints at
 * other places: an angle, at most 1. */
double il_rows_turning(const il_rows *rows, size_t p);

#endif
