/*
 * elementary_tables.h - tables of elementary functions, as sums of two doubles.
 */
#ifndef IL_HARNESS_BASE_ELEMENTARY_TABLES_H
#define IL_HARNESS_BASE_ELEMENTARY_TABLES_H

#include <stdint.h>

#include "harness/base/double_double.h"

enum {
    IL_TABLE_STEPS = 64,           /* to a unit */
    IL_TABLE_SINE = 52,            /* 0 <= k/64 <= pi/4, rounded up */
    IL_TABLE_ARCTANGENT = 65,      /* 0 <= k/64 <= 1 */
    IL_TABLE_POWER = 64,           /* 0 <= k/64 < 1 */
    IL_TABLE_LOGARITHM_FIRST = 45, /* sqrt(1/2), rounded down, <= k/64 <= sqrt(2), rounded up */
    IL_TABLE_LOGARITHM = 47,
    IL_TABLE_TWO_OVER_PI = 40 /* words */
};

extern const il_dd il_table_sine[IL_TABLE_SINE];             /* sin(k/64) */
extern const il_dd il_table_cosine[IL_TABLE_SINE];           /* cos(k/64) */
extern const il_dd il_table_arctangent[IL_TABLE_ARCTANGENT]; /* atan(k/64) */
extern const il_dd il_table_power[IL_TABLE_POWER];           /* 2^(k/64) */
extern const il_dd il_table_logarithm[IL_TABLE_LOGARITHM];   /* log(k/64), from k = FIRST on */

/* Bits of 2/pi, the most significant first, behind two words of zeros. */
extern const uint32_t il_table_two_over_pi[IL_TABLE_TWO_OVER_PI];

#endif
