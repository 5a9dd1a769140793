/*
 * working_set_ways.c - the points at which a working set is evaluated, and how far coordinates move
 * between two of them: in parts that a team may share, with the same bits.
 */
#include "schemes/stepping/working_set.h"

#include <math.h>

#include "harness/base/worse.h"

/* A loop over coordinates, or over the rows found. */
typedef struct {
    il_working_set *w;
    const il_linearisation *at;
    const double *x;
    double size[IL_TEAM_LOOP], moved[IL_TEAM_LOOP]; /* of a move, by parts */
} loop;

static size_t each(loop *l, size_t n, il_team_items work) {
    return il_team_loop(l->w->problem->team, n, IL_WORKING_SET_GRAIN, work, l);
}

static void move_items(void *context, size_t part, size_t first, size_t last) {
    loop *l = context;
    double *point = l->w->point;
    double size = 0.0;
    double moved = 0.0;
    for (size_t k = first; k < last; k++) {
        point[k] = l->at->q[k] + l->at->scale * l->x[k];
        size = il_greater(fabs(point[k]), size);
        moved = il_greater(fabs(point[k] - l->w->last[k]), moved);
    }
    l->size[part] = size;
    l->moved[part] = moved;
}

double il_working_set_move(il_working_set *w, const il_linearisation *at, const double *x,
                           double *moved) {
    double *before = w->point;
    loop l = {.w = w, .at = at, .x = x};
    double size = 0.0;
    w->point = w->last;
    w->last = before;
    *moved = 0.0;
    size_t parts = each(&l, w->problem->d, move_items);
    for (size_t k = 0; k < parts; k++) {
        size = fmax(size, l.size[k]);
        *moved = fmax(*moved, l.moved[k]);
    }
    return size;
}

static void own_ways(void *context, size_t part, size_t first, size_t last) {
    const loop *l = context;
    il_working_set *w = l->w;
    (void)part;
    for (size_t k = first; k < last; k++) {
        w->work[k] = w->work[w->problem->d + k] = fabs(w->point[k] - w->last[k]);
    }
}

const double *il_working_set_own_ways(il_working_set *w) {
    loop l = {.w = w};
    (void)each(&l, w->problem->d, own_ways);
    return w->work + w->problem->d;
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
