/*
 * patterns.h - rows of which coordinates touch which: for factors and their analysis.
 */
#ifndef IL_TESTS_PATTERNS_H
#define IL_TESTS_PATTERNS_H

#include <gsl/gsl_rng.h>

#include "harness/base/rows.h"

/* 2 d rows between coordinates near each other, so that fronts are of all sizes: one to three
 * entries of any sign, each less than `reach` + 1 from the one before. Every seventh coordinate is
 * in no row. */
void il_pattern_near(il_rows *rows, gsl_rng *rng, size_t d, size_t reach);

/* side x side bodies in hexagonal order, two coordinates each, a row for all neighbours but a part
 * left out. */
void il_pattern_lattice(il_rows *rows, gsl_rng *rng, size_t side, double left_out);

#endif
