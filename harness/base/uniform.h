/*
 * uniform.h - reproducible random numbers: xorshift64* (Marsaglia 2003, Vigna 2016).
 */
#ifndef IL_UNIFORM_H
#define IL_UNIFORM_H

#include <stdint.h>

/* The next number, uniform in [0,1), a multiple of 2^-53. *state is the caller's seed, not 0, and
 * moves on. */
static inline double il_uniform_next(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)((*state * UINT64_C(2685821657736338717)) >> 11) * 0x1p-53;
}

#endif
