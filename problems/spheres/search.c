/*
 * search.c - queries about a configuration q, answered from a list of pairs kept from an earlier
 * query where that suffices (a Verlet list), else by a walk over the tree (search_walk.c).
 *
 * The list has the pairs within `reach` at a place y, linearised at q. Between y and x no pair
 * comes nearer by more than bodies move against each other,
 *
 *     spread = sum over axes of max_i (x - y)_i - min_i (x - y)_i,
 *
 * so the list answers a query with slack at x if slack + spread <= reach. Otherwise it is rebuilt
 * at x. The first query of a step is at q; those of its prediction and its rounds are at
 * places nearer and nearer to each other: one or two walks a step.
 *
 * The list is kept in the order of the walk, so that answers do not depend on what is kept. A team
 * makes parts of a walk (search_team.c); the visits are made by the caller in that order.
 */
#include "problems/spheres/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "problems/spheres/search_parts.h"

/* Pairs are kept that lie farther apart than a query needs, so that they answer the next: by BAND
 * of the smallest radius, or as far as queries about the last configuration reached, if that is no
 * more than MOST, beyond which they would be many. Comparisons in 130 steps of a pile of 2000 and
 * in 10 of `impact` (N = 2000, h = 0.1), with MOST of 0.25, 0.5 and 1: 24.0, 22.4 and 17.0 million;
 * 5.4, 5.4 and 5.5 million. Nothing but the number of comparisons depends on them. */
static const double BAND = 0.25;
static const double MOST = 1.0;
static const double ROOM = 1.25; /* queries about the next configuration may reach farther */

/* The least positive radius, or 0 if all are 0. */
static double smallest_radius(const il_search *w) {
    double least = INFINITY;
    for (size_t i = 0; i < w->n; i++) {
        if (w->r[i] > 0.0) {
            least = fmin(least, w->r[i]);
        }
    }
    return isfinite(least) ? least : 0.0;
}

/* The order of q[space n] and r[n], before a query. It is kept: a step makes many queries about one
 * configuration. */
static il_status arrange(il_search *w, const double *q, const double *r) {
    size_t d = w->space * w->n;
    if (w->sorted && memcmp(w->r, r, w->n * sizeof *r) == 0 &&
        memcmp(w->q, q, d * sizeof *q) == 0) {
        return IL_OK;
    }
    if (!il_search_finite(q, d) || !il_search_finite(r, w->n)) {
        return IL_ENUMERIC;
    }
    w->kept = false;
    w->crowded = false;
    memcpy(w->q, q, d * sizeof *q);
    memcpy(w->r, r, w->n * sizeof *r);
    double smallest = smallest_radius(w);
    w->order = il_morton_order(w->morton, w->q, smallest);
    w->band = BAND * smallest;
    w->most = MOST * smallest;
    w->margin = ROOM * w->asked <= w->most ? fmax(w->band, ROOM * w->asked) : w->band;
    w->asked = 0.0;
    w->sorted = true;
    w->raised = false;
    return IL_OK;
}

static size_t leaves_of(size_t n) {
    size_t leaves = 1;
    while (leaves * IL_SEARCH_LEAF < n) {
        leaves *= 2;
    }
    return leaves;
}

size_t il_search_bytes_per_body(void) {
    /* leaves < 2 n/IL_SEARCH_LEAF, nodes = 2 leaves */
    return (2 * IL_PAIR_SPACE_MAX + 1) * sizeof(double) + il_morton_bytes_per_point() +
           sizeof(il_search_body) + 4 * sizeof(il_search_node) / IL_SEARCH_LEAF +
           2 * IL_SEARCH_KEPT * sizeof(uint32_t);
}

il_status il_search_create(il_search **out, size_t space, size_t n, il_error *err) {
    *out = NULL;
    if (space < 1 || space > IL_PAIR_SPACE_MAX || n >= UINT32_MAX) {
        return il_fail(err, IL_EINVAL,
                       "a search among %zu bodies in R^%zu; at most 2^32 - 2 in R^3", n, space);
    }
    il_search *w = il_alloc_zero(1, sizeof *w);
    w->space = space;
    w->n = n;
    w->leaves = leaves_of(n);
    w->q = il_alloc(space * n, sizeof *w->q);
    w->r = il_alloc(n, sizeof *w->r);
    w->morton = il_morton_create(space, n);
    w->bodies = il_alloc(n, sizeof *w->bodies);
    w->nodes = il_alloc(2 * w->leaves, sizeof *w->nodes);
    w->at = il_alloc(space * n, sizeof *w->at);
    w->pair = il_alloc(2 * IL_SEARCH_KEPT * n, sizeof *w->pair);
    *out = w;
    return IL_OK;
}

void il_search_destroy(il_search *w) {
    if (w == NULL) {
        return;
    }
    free(w->q);
    free(w->r);
    il_morton_destroy(w->morton);
    free(w->bodies);
    free(w->nodes);
    free(w->at);
    free(w->pair);
    il_search_team_free(w->shared);
    free(w);
}

void il_search_share(il_search *w, il_team *team) {
    w->team = team;
}

size_t il_search_tests(const il_search *w) {
    return w->tests;
}

/* ---- pairs that are kept ------------------------------------------------------------------ */

static il_status keep_pair(void *context, const il_pair *pair) {
    il_search *w = context;
    w->crowded = w->crowded || w->pairs == IL_SEARCH_KEPT * w->n;
    if (!w->crowded) {
        w->pair[2 * w->pairs] = (uint32_t)pair->i;
        w->pair[2 * w->pairs++ + 1] = (uint32_t)pair->j;
    }
    return w->crowded ? IL_EUNSUPPORTED : IL_OK; /* which ends the walk */
}

/* Are all pairs that are within slack at x among those that are kept? x is `moved` from q, and
 * *since is how far bodies have moved against each other since those were sought: no pair has come
 * nearer by more. */
static bool answers(il_search *w, const double *x, const il_search_motion *moved, double slack,
                    double room, double *since) {
    il_search_motion all = *moved;
    *since = moved->spread;
    if (!w->kept) {
        return false;
    }
    if (!w->centred && il_search_measure(w, w->at, x, &all) != IL_OK) {
        return false;
    }
    *since = all.spread;
    room += IL_WALK_ROUNDING * (all.largest + moved->largest);
    return slack + (*since + room) * (1.0 + IL_WALK_ROUNDING) <= w->reach;
}

/* Seek the pairs that are kept, at x, for questions of this slack and some beyond. The tree is
 * raised, and bodies are displaced. */
static void seek(il_search *search, const il_walk *question, const double *x,
                 const il_search_motion *moved) {
    double margin = search->margin;
    for (bool again = true; again; margin = search->band) {
        double reach = question->slack + margin;
        il_walk w = {.search = search,
                     .space = search->space,
                     .moving = question->moving,
                     .slack = reach,
                     .room = IL_WALK_ROUNDING * (moved->largest + fabs(reach)) + IL_WALK_SHORT,
                     .visit = keep_pair,
                     .context = search};
        search->pairs = 0;
        search->crowded = false;
        il_search_team_walk(search, &w);
        search->tests += w.tests;
        search->kept = !search->crowded;
        search->reach = reach;
        again = search->crowded && margin > search->band;
    }
    search->centred = !question->moving;
    if (question->moving) {
        memcpy(search->at, x, search->space * search->n * sizeof *x);
    }
}

/* ---- the two queries ---------------------------------------------------------------------- */

/* Pairs that are kept answer, or are sought anew where they do not; where they would be too many,
 * the walk does. */
static void ask(il_search *search, il_walk *w, const double *q, const double *x, const double *r,
                const il_search_motion *moved) {
    double since = 0.0;
    bool known = answers(search, x, moved, w->slack, w->room, &since);
    search->asked = fmax(search->asked, w->slack + moved->spread);
    if (!known) {
        il_search_raise(search);
    }
    if (!known && w->moving) {
        il_search_displace(search, q, x);
    }
    if (!known && !search->crowded) {
        if (search->kept) { /* rounds of a step move less and less */
            search->margin = fmin(fmax(search->band, since), search->most);
        }
        seek(search, w, x, moved);
        known = search->kept;
    }
    if (known) {
        il_search_team_kept(search, w, q, x, r);
    } else {
        il_search_team_walk(search, w);
    }
}

/* Every pair, for few bodies. */
static il_status visit_all(size_t n, il_pair_visit visit, void *context) {
    il_status status = IL_OK;
    for (size_t j = 1; j < n; j++) {
        for (size_t i = 0; i < j && status == IL_OK; i++) {
            status = visit(context, &(il_pair){.i = i, .j = j});
        }
    }
    return status;
}

il_status il_search_near(il_search *search, const double *q, const double *x, const double *r,
                         double slack, il_pair_visit visit, void *context) {
    if (!(slack < INFINITY)) {
        return visit_all(search->n, visit, context);
    }
    il_walk w = {.search = search,
                 .space = search->space,
                 .moving = x != q,
                 .slack = slack,
                 .visit = visit,
                 .context = context};
    il_search_motion moved = {0.0, 0.0};
    search->tests = 0;
    if (search->n < 2) {
        return il_search_finite(q, search->space * search->n) &&
                       il_search_finite(x, search->space * search->n)
                   ? IL_OK
                   : IL_ENUMERIC;
    }
    w.status = arrange(search, q, r);
    if (w.status == IL_OK && w.moving) {
        w.status = il_search_measure(search, q, x, &moved);
    }
    if (w.status != IL_OK) {
        return w.status;
    }
    w.room = IL_WALK_ROUNDING * (moved.largest + fabs(slack)) + IL_WALK_SHORT;
    ask(search, &w, q, x, r, &moved);
    search->tests += w.tests;
    return w.status;
}

/* The value as il_pair_row computes it; ties go to the smaller number. */
static il_status keep_least(void *context, const il_pair *pair) {
    il_walk *w = context;
    double e[IL_PAIR_SPACE_MAX];
    double distance = 0.0;
    const il_search *search = w->search;
    il_status status = il_pair_direction(w->space, search->q, pair->i, pair->j, &distance, e);
    if (status != IL_OK) {
        return status;
    }
    double value = distance - (search->r[pair->i] + search->r[pair->j]);
    if (!isfinite(value)) {
        return IL_ENUMERIC;
    }
    il_walk_least(w, pair->i, pair->j, value);
    return IL_OK;
}

/* The least of the pairs that are kept, if no other is nearer. */
static bool least_of_kept(il_search *search, const double *q, const double *r, il_walk *least) {
    static const il_search_motion none = {0.0, 0.0};
    double since = 0.0;
    il_walk w = *least;
    w.context = &w;
    if (!search->kept) {
        return false;
    }
    il_walk_kept(&w, q, q, r, 0, search->pairs);
    least->tests += w.tests;
    if (w.status != IL_OK || !answers(search, q, &none, w.slack, w.room, &since)) {
        return false; /* a walk decides, as it passes over what is above the least */
    }
    least->slack = w.slack;
    least->i = w.i;
    least->j = w.j;
    return true;
}

/* The same, where those that are kept of an earlier configuration do not do, of those that are
 * found for a question at q. */
static bool least_of_near(il_search *search, const double *q, const double *r, il_walk *least) {
    static const il_search_motion none = {0.0, 0.0};
    il_walk question = {.slack = 0.0};
    if (least_of_kept(search, q, r, least)) {
        return true;
    }
    if (search->crowded || search->kept) {
        return false;
    }
    il_search_raise(search);
    seek(search, &question, q, &none);
    return least_of_kept(search, q, r, least);
}

double il_search_least(il_search *search, const double *q, const double *r, size_t *i, size_t *j) {
    il_walk w = {.search = search, .space = search->space, .slack = INFINITY, .visit = keep_least};
    w.context = &w;
    search->tests = 0;
    if (search->n < 2) {
        return il_search_finite(q, search->space * search->n) ? INFINITY : NAN;
    }
    w.status = arrange(search, q, r);
    if (w.status == IL_OK && least_of_near(search, q, r, &w)) {
        *i = w.i;
        *j = w.j;
        search->tests += w.tests;
        return w.slack;
    }
    il_search_raise(search);
    /* neighbours in Morton order: a first bound that prunes almost all */
    for (size_t k = 0; k + 1 < search->n && w.status == IL_OK; k++) {
        w.tests++;
        il_walk_compare(&w, &search->bodies[k], &search->bodies[k + 1]);
    }
    if (w.status == IL_OK) {
        il_walk_all(&w);
    }
    search->tests += w.tests;
    if (w.status != IL_OK) {
        return NAN;
    }
    *i = w.i;
    *j = w.j;
    return w.slack;
}
