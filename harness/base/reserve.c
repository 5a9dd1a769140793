/*
 * reserve.c - a stack of blocks, empty again when all are freed: libraries free what an operation
 * allocated at its end.
 */
#include "harness/base/reserve.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool is_ours(const il_reserve *r, const void *block) {
    uintptr_t at = (uintptr_t)block;
    return r->room != NULL && at >= (uintptr_t)r->room && at < (uintptr_t)r->room + r->size;
}

static void *lend(il_reserve *r, size_t n) {
    const size_t aligned = alignof(max_align_t);
    size_t free = r->size - r->used;
    if (n > free || (n + aligned) / aligned * aligned > free) {
        return NULL;
    }
    void *block = r->room + r->used;
    r->used += (n + aligned) / aligned * aligned; /* never 0: no two blocks share a place */
    r->lent++;
    r->needed = true;
    return block;
}

void *il_reserve_take(il_reserve *r, size_t n) {
    void *block = malloc(n > 0 ? n : 1);
    if (block == NULL) {
        block = lend(r, n);
    }
    return block;
}

void *il_reserve_change(il_reserve *r, void *block, size_t old, size_t n) {
    bool ours = is_ours(r, block);
    void *more = NULL;
    if (!ours) {
        more = realloc(block, n > 0 ? n : 1);
        if (more != NULL) {
            return more;
        }
    }
    more = ours ? il_reserve_take(r, n) : lend(r, n);
    if (more != NULL && old > 0) {
        memcpy(more, block, old < n ? old : n);
        il_reserve_free(r, block);
    }
    return more;
}

void il_reserve_free(il_reserve *r, void *block) {
    if (!is_ours(r, block)) {
        free(block);
        return;
    }
    r->lent--;
    r->used = r->lent > 0 ? r->used : 0;
}
