/*
 * search_tree.c - a balanced tree of boxes over bodies in Morton order.
 */
#include "problems/spheres/search_parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the tree ----------------------------------------------------------------------------- */

static void empty_box(double *low, double *high, size_t space) {
    for (size_t c = 0; c < space; c++) {
        low[c] = INFINITY;
        high[c] = -INFINITY;
    }
}

static void widen(double *low, double *high, const double *a, const double *b, size_t space) {
    for (size_t c = 0; c < space; c++) {
        low[c] = a[c] < low[c] ? a[c] : low[c];
        high[c] = b[c] > high[c] ? b[c] : high[c];
    }
}

void il_search_leaf(const il_search *w, size_t k, size_t *first, size_t *last) {
    *first = IL_SEARCH_LEAF * k < w->n ? IL_SEARCH_LEAF * k : w->n;
    *last = *first + IL_SEARCH_LEAF < w->n ? *first + IL_SEARCH_LEAF : w->n;
}

static void box_centre(il_search *w, size_t k) {
    il_search_node *a = &w->nodes[k];
    empty_box(a->low, a->high, w->space);
    a->r = 0.0;
    if (k >= w->leaves) {
        size_t first = 0;
        size_t last = 0;
        il_search_leaf(w, k - w->leaves, &first, &last);
        for (size_t i = first; i < last; i++) {
            widen(a->low, a->high, w->bodies[i].q, w->bodies[i].q, w->space);
            a->r = fmax(a->r, w->bodies[i].r);
        }
        return;
    }
    for (const il_search_node *b = &w->nodes[2 * k]; b <= &w->nodes[2 * k + 1]; b++) {
        widen(a->low, a->high, b->low, b->high, w->space);
        a->r = fmax(a->r, b->r);
    }
}

static void box_displacement(il_search *w, size_t k) {
    il_search_node *a = &w->nodes[k];
    empty_box(a->slow, a->shigh, w->space);
    if (k >= w->leaves) {
        size_t first = 0;
        size_t last = 0;
        il_search_leaf(w, k - w->leaves, &first, &last);
        for (size_t i = first; i < last; i++) {
            widen(a->slow, a->shigh, w->bodies[i].s, w->bodies[i].s, w->space);
        }
        return;
    }
    for (const il_search_node *b = &w->nodes[2 * k]; b <= &w->nodes[2 * k + 1]; b++) {
        widen(a->slow, a->shigh, b->slow, b->shigh, w->space);
    }
}

/* Nodes from the leaves up: the subtrees of SUBTREES nodes of one level, then what is above. */
enum { SUBTREES = 16 };

typedef struct {
    il_search *w;
    void (*box)(il_search *w, size_t k);
} boxing;

static void box_subtree(void *context, size_t part, size_t member) {
    const boxing *b = context;
    size_t level = b->w->leaves / SUBTREES; /* leaves of the subtree */
    (void)member;
    for (; level > 0; level /= 2) {
        size_t first = (SUBTREES + part) * level;
        for (size_t k = first; k < first + level; k++) {
            b->box(b->w, k);
        }
    }
}

static void box_all(il_search *w, void (*box)(il_search *w, size_t k)) {
    boxing b = {w, box};
    size_t above = 2 * w->leaves;
    if (w->leaves >= SUBTREES) {
        il_team_run(w->team, SUBTREES, box_subtree, &b);
        above = SUBTREES;
    }
    for (size_t k = above; k-- > 1;) {
        box(w, k);
    }
}

bool il_search_finite(const double *x, size_t n) {
    for (size_t k = 0; k < n; k++) {
        if (!isfinite(x[k])) {
            return false;
        }
    }
    return true;
}

void il_search_raise(il_search *w) {
    if (w->raised) {
        return;
    }
    for (size_t k = 0; k < w->n; k++) {
        il_search_body *b = &w->bodies[k];
        b->id = w->order[k];
        b->r = w->r[b->id];
        for (size_t c = 0; c < w->space; c++) {
            b->q[c] = w->q[w->space * b->id + c];
        }
    }
    box_all(w, box_centre);
    w->raised = true;
}

/* ---- displacements ------------------------------------------------------------------------ */

enum { GRAIN = 1024 }; /* bodies: some microseconds */

typedef struct {
    double low[IL_PAIR_SPACE_MAX], high[IL_PAIR_SPACE_MAX];
    bool bounded;
} range;

typedef struct {
    il_search *w; /* NULL while they are measured */
    size_t space;
    const double *q, *x;
    range of[IL_TEAM_LOOP];
} displacement;

static void measure(void *context, size_t part, size_t first, size_t last) {
    displacement *m = context;
    range *all = &m->of[part];
    all->bounded = true;
    empty_box(all->low, all->high, m->space);
    for (size_t i = first; i < last; i++) {
        for (size_t c = 0; c < m->space; c++) {
            double s = m->x[m->space * i + c] - m->q[m->space * i + c];
            all->bounded = all->bounded && fabs(s) <= DBL_MAX / 4.0; /* differences are finite */
            all->low[c] = s < all->low[c] ? s : all->low[c];
            all->high[c] = s > all->high[c] ? s : all->high[c];
        }
    }
}

il_status il_search_measure(const il_search *w, const double *q, const double *x,
                            il_search_motion *moved) {
    displacement m = {.space = w->space, .q = q, .x = x};
    double low[IL_PAIR_SPACE_MAX];
    double high[IL_PAIR_SPACE_MAX];
    empty_box(low, high, w->space);
    *moved = (il_search_motion){0.0, 0.0};
    size_t parts = il_team_loop(w->team, w->n, GRAIN, measure, &m);
    for (size_t k = 0; k < parts; k++) {
        if (!m.of[k].bounded) {
            return IL_ENUMERIC;
        }
        widen(low, high, m.of[k].low, m.of[k].high, w->space);
    }
    for (size_t c = 0; c < w->space; c++) {
        moved->largest = fmax(moved->largest, fmax(fabs(low[c]), fabs(high[c])));
        moved->spread += high[c] - low[c]; /* at least the length */
    }
    return IL_OK;
}

static void displace(void *context, size_t part, size_t first, size_t last) {
    const displacement *m = context;
    (void)part;
    for (size_t k = first; k < last; k++) {
        il_search_body *b = &m->w->bodies[k];
        for (size_t c = 0; c < m->space; c++) {
            b->s[c] = m->x[m->space * b->id + c] - m->q[m->space * b->id + c];
        }
    }
}

void il_search_displace(il_search *w, const double *q, const double *x) {
    displacement m = {.w = w, .space = w->space, .q = q, .x = x};
    (void)il_team_loop(w->team, w->n, GRAIN, displace, &m);
    box_all(w, box_displacement);
}
