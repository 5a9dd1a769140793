/*
 * roof.c - dense Cholesky, sums, and a walk through memory. Processor time.
 */
#include "tests/bench/roof.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/clock.h"

/* Each is measured this often, for this long at least. */
enum { ROUNDS = 5 };
static const double ENOUGH = 0.02;

enum { LANES = 8, LINE = 8 }; /* sums at a time; numbers of a cache line */

/* LAPACK; the lengths of strings are what Fortran passes behind. */
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t length);

size_t il_roof_order(double operations) {
    double n = cbrt(3.0 * operations);
    return n > 1.0 ? (size_t)n : 1;
}

/* Diagonally dominant. */
static void fill(double *a, size_t n) {
    for (size_t k = 0; k < n * n; k++) {
        a[k] = 0.5 / (double)(k + 1);
    }
    for (size_t k = 0; k < n; k++) {
        a[k * n + k] = (double)n;
    }
}

double il_roof_factor(size_t order) {
    double *a = malloc(order * order * sizeof *a);
    double *b = malloc(order * order * sizeof *b);
    double best = INFINITY;
    int n = (int)order;
    if (a != NULL && b != NULL) {
        fill(a, order);
        for (int round = 0; round < ROUNDS; round++) {
            double spent = 0.0;
            int times = 0;
            for (; spent < ENOUGH; times++) {
                int info = 0;
                memcpy(b, a, order * order * sizeof *b);
                double began = il_bench_now();
                dpotrf_("L", &n, b, &n, &info, 1);
                spent += il_bench_now() - began;
            }
            best = fmin(best, spent / times);
        }
    }
    free(a);
    free(b);
    double x = (double)order;
    return isfinite(best) ? x * x * x / 3.0 / best : (double)NAN;
}

double il_roof_read(size_t bytes) {
    size_t n = bytes / sizeof(double) / LANES * LANES;
    double *x = calloc(n + LANES, sizeof *x);
    volatile double kept = 0.0;
    double best = INFINITY;
    for (size_t k = 0; x != NULL && k < n; k++) {
        x[k] = 1.0;
    }
    for (int round = 0; x != NULL && round < ROUNDS; round++) {
        double began = il_bench_now();
        double spent = 0.0;
        int times = 0;
        for (; spent < ENOUGH; times++) {
            double sum[LANES] = {0.0};
            for (size_t k = 0; k < n; k += LANES) {
                for (size_t i = 0; i < LANES; i++) {
                    sum[i] += x[k + i];
                }
            }
            kept = kept + sum[0] + sum[LANES - 1];
            spent = il_bench_now() - began;
        }
        best = fmin(best, spent / times);
    }
    free(x);
    return isfinite(best) ? (double)(n * sizeof *x) / best : (double)NAN;
}

double il_roof_latency(size_t bytes) {
    enum { READS = 200000 };
    size_t n = bytes / (LINE * sizeof(size_t));
    size_t *next = malloc(n * LINE * sizeof *next);
    double best = INFINITY;
    if (next == NULL) {
        return (double)NAN;
    }
    for (size_t k = 0; k < n; k++) {
        next[k * LINE] = k;
    }
    uint64_t state = 1; /* Sattolo: one cycle through all lines */
    for (size_t k = n - 1; k > 0; k--) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        size_t j = (size_t)(state >> 33) % k;
        size_t swap = next[k * LINE];
        next[k * LINE] = next[j * LINE];
        next[j * LINE] = swap;
    }
    volatile size_t kept = 0;
    for (int round = 0; round < ROUNDS; round++) {
        size_t at = 0;
        double began = il_bench_now();
        for (int k = 0; k < READS; k++) {
            at = next[at * LINE];
        }
        best = fmin(best, (il_bench_now() - began) / READS);
        kept = at;
    }
    (void)kept;
    free(next);
    return best;
}
