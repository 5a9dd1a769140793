/*
 * roof.h - what the machine gives a dense kernel: what a sparse factor of as many operations can
 * reach at most, and a solve that reads as many numbers.
 */
#ifndef IL_BENCH_ROOF_H
#define IL_BENCH_ROOF_H

#include <stddef.h>

/* Order of the dense matrix whose Cholesky factor takes so many operations, n^3/3. */
size_t il_roof_order(double operations);

/* Operations a second of LAPACK's dpotrf, by the BLAS at hand, on a matrix of that order: the best
 * of a few. NaN without memory. */
double il_roof_factor(size_t order);

/* Bytes a second that a sum over so many bytes reads, again and again: the best of a few. */
double il_roof_read(size_t bytes);

/* Seconds of one read that waits for the one before it, at random among so many bytes. */
double il_roof_latency(size_t bytes);

#endif
