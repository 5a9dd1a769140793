/*
 * search_team.c - parts of a walk leave the pairs that they would visit; then, part by part in the
 * order of the walk, the caller visits them. A part whose member has no room left for its pairs is
 * walked by the caller, when its turn comes: rarely, as there is room for those of a packed crowd.
 */
#include <stdlib.h>

#include "harness/base/memory.h"
#include "problems/spheres/search_parts.h"

/* Fewer bodies are searched before a thread has woken. */
enum { MANY = 2048 };

/* Kept pairs of a part: some twenty microseconds. */
enum { GRAIN = 1024 };

/* Pairs that a member may find, for each body. */
enum { ROOM = 6 };

/* The pairs that one member found. */
typedef struct {
    uint32_t *pair; /* [2 room] */
    size_t n, room;
} findings;

/* Where those of a part are. */
typedef struct {
    size_t member, first, last;
    size_t tests;
    bool counted;
} part;

typedef struct il_search_team il_search_team;
struct il_search_team {
    size_t members;
    findings *found; /* [members] */
    il_walk_item items[IL_WALK_ITEMS];
    part *parts; /* [room] */
    size_t room;
};

/* One walk by the team. */
typedef struct {
    il_search_team *shared;
    const il_walk *whole;
    const double *q, *x, *r; /* of kept pairs; else NULL */
    size_t parts;
} shared_walk;

void il_search_team_free(il_search_team *shared) {
    if (shared == NULL) {
        return;
    }
    for (size_t k = 0; k < shared->members; k++) {
        free(shared->found[k].pair);
    }
    free(shared->found);
    free(shared->parts);
    free(shared);
}

static il_search_team *create(const il_search *search) {
    size_t kept = il_team_parts(IL_SEARCH_KEPT * search->n, GRAIN);
    il_search_team *w = il_alloc_zero(1, sizeof *w);
    w->members = il_team_size(search->team);
    w->room = kept > IL_WALK_ITEMS ? kept : IL_WALK_ITEMS;
    w->found = il_alloc_zero(w->members, sizeof *w->found);
    w->parts = il_alloc(w->room, sizeof *w->parts);
    for (size_t k = 0; k < w->members; k++) {
        w->found[k].room = ROOM * search->n;
        w->found[k].pair = il_alloc(2 * w->found[k].room, sizeof *w->found[k].pair);
    }
    return w;
}

/* Has the search a team, and bodies enough for it? Then what the team needs is made. */
static bool is_shared(il_search *search) {
    size_t members = il_team_size(search->team);
    if (members == 1 || search->n < MANY) {
        return false;
    }
    if (search->shared != NULL && search->shared->members != members) {
        il_search_team_free(search->shared);
        search->shared = NULL;
    }
    if (search->shared == NULL) {
        search->shared = create(search);
    }
    return true;
}

static il_status note(void *context, const il_pair *pair) {
    findings *f = context;
    if (f->n == f->room) {
        return IL_EUNSUPPORTED; /* which ends the part */
    }
    f->pair[2 * f->n] = (uint32_t)pair->i;
    f->pair[2 * f->n++ + 1] = (uint32_t)pair->j;
    return IL_OK;
}

/* Part k of the walk w, by any member. */
static void walk_part(const shared_walk *s, size_t k, il_walk *w) {
    if (s->q == NULL) {
        il_walk_one(w, &s->shared->items[k]);
    } else {
        size_t n = w->search->pairs;
        il_walk_kept(w, s->q, s->x, s->r, il_team_first(n, s->parts, k),
                     il_team_first(n, s->parts, k + 1));
    }
}

static void find(void *context, size_t k, size_t member) {
    const shared_walk *s = context;
    findings *f = &s->shared->found[member];
    il_walk w = *s->whole;
    w.visit = note;
    w.context = f;
    w.tests = 0;
    part *p = &s->shared->parts[k];
    *p = (part){.member = member, .first = f->n};
    walk_part(s, k, &w);
    p->counted = w.status == IL_OK;
    f->n = p->counted ? f->n : p->first;
    p->last = f->n;
    p->tests = p->counted ? w.tests : 0;
}

static void visit_all(const shared_walk *s, il_walk *w) {
    for (size_t k = 0; k < s->parts && w->status == IL_OK; k++) {
        const part *p = &s->shared->parts[k];
        const uint32_t *pair = s->shared->found[p->member].pair;
        w->tests += p->tests;
        if (!p->counted) {
            walk_part(s, k, w);
        }
        for (size_t e = p->first; e < p->last && w->status == IL_OK; e++) {
            const il_pair found = {.i = pair[2 * e], .j = pair[2 * e + 1]};
            w->status = w->visit(w->context, &found);
        }
    }
}

static void share(il_search *search, shared_walk *s, il_walk *w) {
    for (size_t k = 0; k < s->shared->members; k++) {
        s->shared->found[k].n = 0;
    }
    il_team_run(search->team, s->parts, find, s);
    visit_all(s, w);
}

void il_search_team_walk(il_search *search, il_walk *w) {
    if (!is_shared(search)) {
        il_walk_all(w);
        return;
    }
    shared_walk s = {.shared = search->shared, .whole = w};
    s.parts = il_walk_list(w, s.shared->items);
    share(search, &s, w);
}

void il_search_team_kept(il_search *search, il_walk *w, const double *q, const double *x,
                         const double *r) {
    if (!is_shared(search)) {
        il_walk_kept(w, q, x, r, 0, search->pairs);
        return;
    }
    shared_walk s = {.shared = search->shared, .whole = w, .q = q, .x = x, .r = r};
    s.parts = il_team_parts(search->pairs, GRAIN);
    share(search, &s, w);
}
