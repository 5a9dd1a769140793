/*
 * allocation.c - our own malloc in front of glibc's, which counts. Under a sanitizer that brings
 * its own there is none.
 */
#include "tests/support/allocation.h"

#include <stdlib.h>

static size_t calls;

size_t allocation_count(void) {
    return calls;
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

void *malloc(size_t size) {
    calls++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    calls++;
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    calls++;
    return __libc_realloc(block, size);
}

#endif
