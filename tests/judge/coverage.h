/*
 * coverage.h - what the rates of the judge are made of: runs and exact motions, resampled and
 * rounded, and faults planted in them.
 */
#ifndef IL_TESTS_COVERAGE_H
#define IL_TESTS_COVERAGE_H

#include <stdint.h>

#include "harness/judge/judge.h"

enum { IL_MOTION_SETS = 4, IL_MOTION_SETTING = 32 };

/* A problem with settings "key=value". */
typedef struct {
    char keys[IL_MOTION_SETS][32];
    il_setting settings[IL_MOTION_SETS];
    il_choice choice;
} il_motion_problem;

void il_motion_choose(il_motion_problem *c, const char *problem,
                      const char *const sets[IL_MOTION_SETS]);

/* A setting of another start, drawn; "" where there is none. */
void il_motion_start(const char *problem, uint64_t *random, char set[IL_MOTION_SETTING]);

/* So many steps of a scheme into *run, the caller's. False where it has no meaning there. */
bool il_motion_run(const il_motion_problem *c, const char *scheme, size_t steps,
                   il_trajectory *run);

/* The exact solution at t[nodes] with the velocity behind (side > 0) or before a jump; without
 * times at uniform ones. False where there is none. */
bool il_motion_exact(const il_motion_problem *c, const double *t, size_t nodes, int side,
                     uint64_t *random, il_trajectory *run);

/* Times of [0, T]: uniform, uneven, or uniform with the breaks of the exact solution; *nodes is how
 * many there are. The caller's. */
typedef enum { IL_TIMES_UNIFORM, IL_TIMES_UNEVEN, IL_TIMES_BREAKS } il_times;
double *il_motion_times(const il_motion_problem *c, il_times kind, size_t steps, uint64_t *random,
                        size_t *nodes);

/* Keep the samples with keep[n]; the impulses of those dropped belong to the next. */
void il_motion_thin(il_trajectory *run, const bool *keep);

/* Round all numbers to so many digits; 0: to floats. */
void il_motion_round(il_trajectory *run, int digits);

/* The findings of the judge in a file with or without velocities and impulses. */
il_status il_motion_judge(const il_motion_problem *c, const il_trajectory *run, const char *folder,
                          bool has_u, bool impulses, il_between between, il_faults *faults,
                          il_error *err);

#endif
