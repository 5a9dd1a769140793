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
    double units; /* of expected work */
    bool probe;   /* written: the shortest of its class */
} il_planned;

/* Order jobs[n]: first the shortest of each class, which say what to expect of the others, then the
 * most work first, a long job at the end keeping one worker busy while the others wait. Of equal
 * ones the lesser number. Probes count as what they are among themselves. room[classes]. */
void il_schedule_order(il_planned *jobs, size_t n, size_t classes, size_t *room);

#endif
