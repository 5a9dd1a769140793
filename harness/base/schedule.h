/*
 * schedule.h - in which order jobs are handed out, so that they end together and say early how long
 * they take.
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
    double least, most, middle; /* units; of the middle the distance from its place */
    size_t jobs, shortest, between;
} il_schedule_class;

/* Order jobs[n]: first probes, which say what to expect of the others, then the rest; of both the
 * most work first, as a long job at the end keeps one worker busy while the others wait, and of
 * equal ones the lesser number. Probes are the shortest of each class, and of a class of many and
 * unequal jobs the one nearest to the geometric mean of the shortest and the longest.
 * room[classes]. */
void il_schedule_order(il_planned *jobs, size_t n, size_t classes, il_schedule_class *room);

#endif
