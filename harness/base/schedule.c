/*
 * schedule.c - probes, then the longest first (Graham 1969: within 4/3 of the shortest schedule).
 */
#include "harness/base/schedule.h"

#include <stdlib.h>
#include <string.h>

static int by_work(const void *a, const void *b) {
    const il_planned *x = a;
    const il_planned *y = b;
    if (x->probe != y->probe) {
        return x->probe ? -1 : 1;
    }
    return x->units != y->units ? (x->units < y->units) - (x->units > y->units)
                                : (x->k > y->k) - (x->k < y->k);
}

void il_schedule_order(il_planned *jobs, size_t n, size_t classes, size_t *room) {
    memset(room, 0, classes * sizeof *room); /* 1 + the place of the shortest; 0: none so far */
    for (size_t i = 0; i < n; i++) {
        size_t *at = &room[jobs[i].which];
        jobs[i].probe = false;
        if (*at == 0 || jobs[i].units < jobs[*at - 1].units) {
            *at = i + 1;
        }
    }
    for (size_t c = 0; c < classes; c++) {
        if (room[c] > 0) {
            jobs[room[c] - 1].probe = true;
        }
    }
    qsort(jobs, n, sizeof *jobs, by_work);
}
