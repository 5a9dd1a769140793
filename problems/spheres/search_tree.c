/*
 * search_tree.c - a balanced tree of boxes over bodies in Morton order.
 */
#include "problems/spheres/search_parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the tree ----------------------------------------------------------------------------- */

static void empty_box(il_search_box *box, size_t space) {
    for (size_t c = 0; c < space; c++) {
        box->low[c] = INFINITY;
        box->high[c] = -INFINITY;
    }
}

static void widen(il_search_box *box, const double *a, const double *b, size_t space) {
    for (size_t c = 0; c < space; c++) {
        box->low[c] = a[c] < box->low[c] ? a[c] : box->low[c];
        box->high[c] = b[c] > box->high[c] ? b[c] : box->high[c];
    }
}

void il_search_leaf(const il_search *w, size_t k, size_t *first, size_t *last) {
    *first = IL_SEARCH_LEAF * k < w->n ? IL_SEARCH_LEAF * k : w->n;
    *last = *first + IL_SEARCH_LEAF < w->n ? *first + IL_SEARCH_LEAF : w->n;
}

/* The box of node k, of displacements or of centres, and its radius. */
static void box_node(il_search *w, size_t k, bool displaced) {
    il_search_node *a = &w->nodes[k];
    il_search_box *box = displaced ? &a->s : &a->q;
    empty_box(box, w->space);
    a->r = 0.0;
    if (k >= w->leaves) {
        size_t first = 0;
        size_t last = 0;
        il_search_leaf(w, k - w->leaves, &first, &last);
        for (size_t i = first; i < last; i++) {
            const double *x = displaced ? w->bodies[i].s : w->bodies[i].q;
            widen(box, x, x, w->space);
            a->r = fmax(a->r, w->bodies[i].r);
        }
        return;
    }
    for (const il_search_node *b = &w->nodes[2 * k]; b <= &w->nodes[2 * k + 1]; b++) {
        const il_search_box *its = displaced ? &b->s : &b->q;
        widen(box, its->low, its->high, w->space);
        a->r = fmax(a->r, b->r);
    }
}

/* Nodes from the leaves up: the subtrees of SUBTREES nodes of one level, then what is above. */
enum { SUBTREES = 16 };

typedef struct {
    il_search *w;
    bool displaced;
} boxing;

static void box_subtree(void *context, size_t part, size_t member) {
    const boxing *b = context;
    size_t level = b->w->leaves / SUBTREES; /* leaves of the subtree */
    (void)member;
    for (; level > 0; level /= 2) {
        size_t first = (SUBTREES + part) * level;
        for (size_t k = first; k < first + level; k++) {
            box_node(b->w, k, b->displaced);
        }
    }
}

static void box_all(il_search *w, bool displaced) {
    boxing b = {w, displaced};
    size_t above = 2 * w->leaves;
    if (w->leaves >= SUBTREES) {
        il_team_run(w->team, SUBTREES, box_subtree, &b);
        above = SUBTREES;
    }
    for (size_t k = above; k-- > 1;) {
        box_node(w, k, displaced);
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
    box_all(w, false);
    w->raised = true;
}

/* ---- displacements ------------------------------------------------------------------------ */

enum { GRAIN = 1024 }; /* bodies: some microseconds */

typedef struct {
    il_search_box box;
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
    empty_box(&all->box, m->space);
    for (size_t i = first; i < last; i++) {
        for (size_t c = 0; c < m->space; c++) {
            double s = m->x[m->space * i + c] - m->q[m->space * i + c];
            all->bounded = all->bounded && fabs(s) <= DBL_MAX / 4.0; /* differences are finite */
            all->box.low[c] = s < all->box.low[c] ? s : all->box.low[c];
            all->box.high[c] = s > all->box.high[c] ? s : all->box.high[c];
        }
    }
}

il_status il_search_measure(const il_search *w, const double *q, const double *x,
                            il_search_motion *moved) {
    displacement m = {.space = w->space, .q = q, .x = x};
    il_search_box all;
    empty_box(&all, w->space);
    *moved = (il_search_motion){0.0, 0.0};
    size_t parts = il_team_loop(w->team, w->n, GRAIN, measure, &m);
    for (size_t k = 0; k < parts; k++) {
        if (!m.of[k].bounded) {
            return IL_ENUMERIC;
        }
        widen(&all, m.of[k].box.low, m.of[k].box.high, w->space);
    }
    for (size_t c = 0; c < w->space; c++) {
        moved->largest = fmax(moved->largest, fmax(fabs(all.low[c]), fabs(all.high[c])));
        moved->spread += all.high[c] - all.low[c]; /* at least the length */
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
    box_all(w, true);
}
