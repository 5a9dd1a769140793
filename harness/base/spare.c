/*
 * spare.c - an arena that is a stack of blocks, empty again when all are freed: libraries free what
 * an operation allocated at its end.
 */
#include "harness/base/spare.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 22, ALIGNED = alignof(max_align_t) };

/* Pages that are never used take no memory. */
static alignas(max_align_t) unsigned char room[ROOM];
static size_t used, lent;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* over both */
static _Thread_local size_t failures;

static bool is_ours(const void *block) {
    uintptr_t at = (uintptr_t)block;
    return at >= (uintptr_t)room && at < (uintptr_t)room + ROOM;
}

static void *lend(size_t n) {
    void *block = NULL;
    failures++;
    (void)pthread_mutex_lock(&lock);
    if (n <= ROOM - used && (n + ALIGNED) / ALIGNED * ALIGNED <= ROOM - used) {
        block = room + used;
        used += (n + ALIGNED) / ALIGNED * ALIGNED; /* never 0: no two blocks share a place */
        lent++;
    }
    (void)pthread_mutex_unlock(&lock);
    return block;
}

void *il_spare_malloc(size_t n) {
    void *block = malloc(n > 0 ? n : 1);
    if (block != NULL) {
        return block;
    }
    return lend(n);
}

void *il_spare_calloc(size_t count, size_t size) {
    if (size > 0 && count > SIZE_MAX / size) {
        return NULL;
    }
    void *block = il_spare_malloc(count * size);
    return block != NULL ? memset(block, 0, count * size) : NULL;
}

void *il_spare_realloc(void *block, size_t old, size_t n) {
    bool ours = is_ours(block);
    void *more = ours ? il_spare_malloc(n) : realloc(block, n > 0 ? n : 1);
    if (!ours && more != NULL) {
        return more;
    }
    more = more != NULL ? more : lend(n);
    if (more != NULL && old > 0) {
        memcpy(more, block, old < n ? old : n);
        il_spare_free(block);
    }
    return more;
}

void il_spare_free(void *block) {
    if (!is_ours(block)) {
        free(block);
        return;
    }
    (void)pthread_mutex_lock(&lock);
    lent--;
    used = lent > 0 ? used : 0;
    (void)pthread_mutex_unlock(&lock);
}

size_t il_spare_failures(void) {
    return failures;
}

#ifdef IL_LIBRARY
/* Of GSL's archives, which are not made for a library: where errors would be printed that the error
 * handler, which is off, does not let through. */
#include <stdio.h>
extern FILE *il_gsl_stderr, *il_gsl_stdout;
FILE *il_gsl_stderr;
FILE *il_gsl_stdout;

__attribute__((constructor)) static void open_streams(void) {
    il_gsl_stderr = stderr;
    il_gsl_stdout = stdout;
}
#endif
