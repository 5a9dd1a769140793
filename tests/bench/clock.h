/*
 * clock.h - seconds, for benchmarks.
 */
#ifndef IL_BENCH_CLOCK_H
#define IL_BENCH_CLOCK_H

#include <time.h>

static inline double il_bench_clock(clockid_t clock) {
    struct timespec at;
    (void)clock_gettime(clock, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

/* Processor time of this process. */
static inline double il_bench_now(void) {
    return il_bench_clock(CLOCK_PROCESS_CPUTIME_ID);
}

#endif
