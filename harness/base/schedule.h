/*
 * schedule.h - the order in which jobs are handed out: short probes first, for an early estimate of
 * the total time, then the longest first, so that all workers finish together.
 */
#ifndef IL_BASE_SCHEDULE_H
#define IL_BASE_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    size_t k;     /* the caller's number, of which no two are equal */
    size_t which; /* class */
    double units; /* of expected work, > 0 */
    bool probe;   /* written: it comes first */
} il_planned;

/* What il_schedule_order knows of a class. */
typedef struct {
    double least, most, middle; /* work of the probe; for a probe between the extremes, its distance
                                   from the geometric mean */
    size_t jobs, shortest, between;
} il_schedule_class;

/* Order jobs[n]: first the probes, then the others, both by decreasing work (a long job at the end
 * would keep one worker busy while the others wait), ties by number. The probes are the shortest
 * job of each class and, of a class with many jobs of very different length, the job nearest to the
 * geometric mean of the shortest and the longest. room[classes]. */
void il_schedule_order(il_planned *jobs, size_t n, size_t classes, il_schedule_class *room);

#endif
