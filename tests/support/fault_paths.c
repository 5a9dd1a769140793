/*
 * fault_paths.c - calls sorted by path, paths by their first call.
 */
#include "tests/support/fault_paths.h"

#include <stdlib.h>

#include "tests/support/suite.h"

/* Calls of one path, [n] of a log that is sorted. */
typedef struct {
    const allocation_site *at;
    size_t n;
} group;

static int ascending(size_t a, size_t b) {
    return (a > b) - (a < b);
}

static int by_path(const void *a, const void *b) {
    const allocation_site *s = a;
    const allocation_site *t = b;
    return s->path != t->path ? (s->path < t->path ? -1 : 1) : ascending(s->call, t->call);
}

static int by_first(const void *a, const void *b) {
    return ascending(((const group *)a)->at->call, ((const group *)b)->at->call);
}

static int by_call(const void *a, const void *b) {
    return ascending(*(const size_t *)a, *(const size_t *)b);
}

static int by_number(const void *a, const void *b) {
    const uint64_t *s = a;
    const uint64_t *t = b;
    return (*s > *t) - (*s < *t);
}

static bool is_known(const il_fault_known *known, uint64_t path) {
    return known != NULL && known->n > 0 &&
           bsearch(&path, known->path, known->n, sizeof path, by_number) != NULL;
}

static void know(il_fault_known *known, const group *groups, size_t n) {
    known->path = realloc(known->path, (known->n + n + 1) * sizeof *known->path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(known->path);
    for (size_t i = 0; i < n; i++) {
        known->path[known->n++] = groups[i].at->path;
    }
    qsort(known->path, known->n, sizeof *known->path, by_number);
}

/* Those that are not known, by their first calls. */
static group *group_all(allocation_log *log, const il_fault_known *known, size_t *count) {
    size_t n = atomic_load(&log->n);
    group *groups = malloc((n + 1) * sizeof *groups);
    CU_ASSERT_FATAL(groups != NULL && n <= log->room);
    qsort(log->at, n, sizeof *log->at, by_path);
    *count = 0;
    for (size_t k = 0; k < n;) {
        group g = {.at = &log->at[k]};
        for (; k < n && log->at[k].path == g.at->path; k++) {
            g.n++;
        }
        if (!is_known(known, g.at->path)) {
            groups[(*count)++] = g;
        }
    }
    qsort(groups, *count, sizeof *groups, by_first);
    return groups;
}

static size_t draw(unsigned *seed, size_t low, size_t high) {
    return low + (size_t)rand_r(seed) % (high - low);
}

void il_fault_paths_choose(il_fault_paths *p, allocation_log *log, size_t wanted,
                           il_fault_known *known, unsigned *seed) {
    group *groups = group_all(log, known, &p->there);
    bool all = wanted >= p->there;
    p->paths = all ? p->there : wanted;
    p->n = 0;
    p->call = malloc((3 * p->paths + 1) * sizeof *p->call);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p->call);
    for (size_t i = 0; i < p->paths; i++) {
        size_t low = i * p->there / p->paths;
        const group *g = &groups[all ? i : draw(seed, low, (i + 1) * p->there / p->paths)];
        p->call[p->n++] = g->at[draw(seed, 0, g->n)].call;
        if (all) {
            p->call[p->n++] = g->at[0].call;
            p->call[p->n++] = g->at[g->n - 1].call;
        }
    }
    qsort(p->call, p->n, sizeof *p->call, by_call); /* processes may share the number of a call */
    size_t n = 0;
    for (size_t k = 0; k < p->n; k++) {
        if (n == 0 || p->call[n - 1] != p->call[k]) {
            p->call[n++] = p->call[k];
        }
    }
    p->n = n;
    if (known != NULL && all) {
        know(known, groups, p->there);
    }
    free(groups);
}
