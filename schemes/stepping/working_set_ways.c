/*
 * working_set_ways.c - the points at which a working set is evaluated, and how far coordinates move
 * between two of them.
 */
#include "schemes/stepping/working_set.h"

#include <math.h>

#include "harness/base/worse.h"

double il_working_set_move(il_working_set *w, const il_linearisation *at, const double *x,
                           double *moved) {
    double *point = w->last;
    double size = 0.0;
    w->last = w->point;
    w->point = point;
    *moved = 0.0;
    for (size_t k = 0; k < w->problem->d; k++) {
        point[k] = at->q[k] + at->scale * x[k];
        size = il_greater(fabs(point[k]), size);
        *moved = il_greater(fabs(point[k] - w->last[k]), *moved);
    }
    return size;
}

const double *il_working_set_own_ways(il_working_set *w) {
    size_t d = w->problem->d;
    for (size_t k = 0; k < d; k++) {
        w->work[k] = w->work[d + k] = fabs(w->point[k] - w->last[k]);
    }
    return w->work + d;
}

void il_working_set_raise_ways(il_working_set *w) {
    double *ways = w->work + w->problem->d;
    for (size_t i = 0; i < w->found.p; i++) {
        double most = il_working_set_way(w, i, w->work);
        for (size_t e = w->found.start[i]; e < w->found.start[i + 1]; e++) {
            size_t k = w->found.col[e];
            ways[k] = most > ways[k] ? most : ways[k];
        }
    }
}
