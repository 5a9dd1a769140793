/*
 * search_lines.c - pairs that are kept, with distance and direction at q: what questions about one
 * configuration share.
 *
 *     D_ij(q) = |w| - (r_i + r_j),     D_ij(q) + <e, (x_j - q_j) - (x_i - q_i)>,     e = w/|w|.
 *
 * A question costs a few products a pair then, no root and no quotient, and is decided by the
 * numbers of il_pair_offer() themselves.
 */
#include <math.h>
#include <string.h>

#include "problems/spheres/search_parts.h"

/* line[k (space + 1)]: the direction, and the distance behind it; 0 and NaN where there is none. */
static bool draw_lines(il_search *w) {
    size_t space = w->space;
    if (w->lined || w->line == NULL) {
        return w->lined;
    }
    for (size_t k = 0; k < w->pairs; k++) {
        double *e = w->line + (space + 1) * k;
        if (il_pair_direction(space, w->q, w->pair[2 * k], w->pair[2 * k + 1], &e[space], e) !=
            IL_OK) {
            memset(e, 0, space * sizeof *e);
            e[space] = NAN;
        }
    }
    w->lined = true;
    return true;
}

/* Pair k of those that are kept. */
static il_pair pair_of(const il_search *w, size_t k, size_t space) {
    const double *e = w->line + (space + 1) * k;
    il_pair pair = {.i = w->pair[2 * k], .j = w->pair[2 * k + 1], .e = e, .distance = e[space]};
    return pair;
}

__attribute__((always_inline)) static inline void
near_in(il_walk *walk, const double *q, const double *x, const double *r, size_t space) {
    const il_search *w = walk->search;
    for (size_t k = 0; k < w->pairs && walk->status == IL_OK; k++) {
        il_pair pair = pair_of(w, k, space);
        const double *qi = q + space * pair.i;
        const double *qj = q + space * pair.j;
        const double *xi = x + space * pair.i;
        const double *xj = x + space * pair.j;
        double g = pair.distance - (r[pair.i] + r[pair.j]); /* as il_pair_offer() has it */
        for (size_t c = 0; c < space; c++) {
            g += -pair.e[c] * (xi[c] - qi[c]);
        }
        for (size_t c = 0; c < space; c++) {
            g += pair.e[c] * (xj[c] - qj[c]);
        }
        if (!(g > walk->slack)) { /* NaN: the visitor finds that there is no distance */
            walk->status = walk->visit(walk->context, &pair);
        }
    }
    walk->tests += w->pairs;
}

bool il_search_near_lines(il_search *w, il_walk *walk, const double *q, const double *x,
                          const double *r) {
    if (!draw_lines(w)) {
        return false;
    }
    if (w->space == 2) {
        near_in(walk, q, x, r, 2);
    } else if (w->space == 3) {
        near_in(walk, q, x, r, 3);
    } else {
        near_in(walk, q, x, r, w->space);
    }
    return true;
}

bool il_search_least_line(il_search *w, il_walk *walk, const double *r) {
    if (!draw_lines(w)) {
        return false;
    }
    for (size_t k = 0; k < w->pairs && walk->status == IL_OK; k++) {
        il_pair pair = pair_of(w, k, w->space);
        double value = pair.distance - (r[pair.i] + r[pair.j]);
        if (!isfinite(value)) {
            walk->status = IL_ENUMERIC;
        } else if (value <= walk->slack) {
            il_walk_least(walk, pair.i, pair.j, value);
        }
    }
    walk->tests += w->pairs;
    return true;
}
