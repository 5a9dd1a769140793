/*
 * allocation.c - our own malloc in front of glibc's, which counts and can fail. Under a sanitizer
 * that brings its own there is none.
 */
#include "tests/support/allocation.h"

#include <errno.h>
#include <stdlib.h>

static size_t calls;
static size_t failing; /* this call finds no memory; 0: none */
static size_t *most;   /* the largest count */
static bool *seen;     /* set when it does; may be shared with other processes */

size_t allocation_count(void) {
    return calls;
}

void allocation_fail(size_t k) {
    failing = k > 0 ? calls + k : 0;
}

void allocation_report(bool *flag, size_t *count) {
    seen = flag;
    most = count;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

bool allocation_counted(void) {
    return false;
}

#else

/* glibc's own entry points, kept for interposers. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

bool allocation_counted(void) {
    return true;
}

static bool has_memory(void) {
    calls++;
    if (most != NULL && *most < calls) {
        *most = calls;
    }
    if (calls == failing) {
        if (seen != NULL) {
            *seen = true;
        }
        errno = ENOMEM;
        return false;
    }
    return true;
}

void *malloc(size_t size) {
    return !has_memory() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return !has_memory() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    return !has_memory() ? NULL : __libc_realloc(block, size);
}

#endif
