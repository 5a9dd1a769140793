/*
 * clock.c - CLOCK_MONOTONIC, which nobody sets.
 */
#include "harness/base/clock.h"

#include <time.h>

static double ask(clockid_t clock) {
    struct timespec now = {0};
    (void)clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double il_clock_seconds(void) {
    return ask(CLOCK_MONOTONIC);
}

double il_clock_seconds_coarse(void) {
    return ask(CLOCK_MONOTONIC_COARSE);
}
