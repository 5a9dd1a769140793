/*
 * octaves.h - numbers by their powers of two, without function calls: for use in every step.
 */
#ifndef IL_PROBLEM_OCTAVES_H
#define IL_PROBLEM_OCTAVES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* t = m 2^e with m in [1/2,1), as frexp does. */
static inline double il_octave_split(double t, int *e) {
    uint64_t bits = 0;
    memcpy(&bits, &t, sizeof bits);
    unsigned biased = (unsigned)(bits >> 52) & 0x7ffu;
    if (biased == 0 || biased == 0x7ffu) {
        return frexp(t, e); /* zero, subnormal, infinite, NaN */
    }
    *e = (int)biased - 1022;
    bits = (bits & 0x800fffffffffffffu) | 0x3fe0000000000000u;
    memcpy(&t, &bits, sizeof t);
    return t;
}

/* 2^j. */
static inline double il_octave_power(int j) {
    double x = 0.0;
    uint64_t bits = (uint64_t)(j + 1023) << 52;
    if (j <= -1023 || j > 1023) {
        return ldexp(1.0, j);
    }
    memcpy(&x, &bits, sizeof x);
    return x;
}

#endif
