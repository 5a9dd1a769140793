/*
 * schedule.c - probes, then the longest first (Graham 1969: within 4/3 of the shortest schedule).
 */
#include "harness/base/schedule.h"

#include <math.h>
#include <stdlib.h>

/* A class of this many jobs, the longest so many times the shortest, has a probe between. */
enum { MANY = 8, UNEQUAL = 4 };

static int by_work(const void *a, const void *b) {
    const il_planned *x = a;
    const il_planned *y = b;
    if (x->probe != y->probe) {
        return x->probe ? -1 : 1;
    }
    return x->units != y->units ? (x->units < y->units) - (x->units > y->units)
                                : (x->k > y->k) - (x->k < y->k);
}

static void find_ends(const il_planned *jobs, size_t n, il_schedule_class *room) {
    for (size_t i = 0; i < n; i++) {
        il_schedule_class *c = &room[jobs[i].which];
        c->jobs++;
        if (jobs[i].units < c->least) {
            c->least = jobs[i].units;
            c->shortest = i;
        }
        c->most = jobs[i].units > c->most ? jobs[i].units : c->most;
    }
}

/* units as far from sqrt(least most) as a factor, above or below. */
static double off_middle(const il_schedule_class *c, double units) {
    double square = units * units / (c->least * c->most);
    return square > 1.0 ? square : 1.0 / square;
}

void il_schedule_order(il_planned *jobs, size_t n, size_t classes, il_schedule_class *room) {
    for (size_t k = 0; k < classes; k++) {
        room[k] = (il_schedule_class){.least = INFINITY, .middle = INFINITY};
    }
    find_ends(jobs, n, room);
    for (size_t i = 0; i < n; i++) {
        il_schedule_class *c = &room[jobs[i].which];
        double off = off_middle(c, jobs[i].units);
        jobs[i].probe = false;
        if (off < c->middle) {
            c->middle = off;
            c->between = i;
        }
    }
    for (size_t k = 0; k < classes; k++) {
        const il_schedule_class *c = &room[k];
        if (c->jobs > 0) {
            jobs[c->shortest].probe = true;
        }
        if (c->jobs >= MANY && c->most >= UNEQUAL * c->least) {
            jobs[c->between].probe = true;
        }
    }
    qsort(jobs, n, sizeof *jobs, by_work);
}
