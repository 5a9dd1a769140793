/*
 * allocation.c - our own malloc in front of glibc's, which counts and can fail. Under a sanitizer
 * that brings its own there is none, unless the linker wraps what objects ask for
 * (ALLOCATION_WRAPPED, --wrap=malloc,--wrap=calloc,--wrap=realloc: tests/mutation).
 */
#include "tests/support/allocation.h"

#include <errno.h>

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

#if (defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)) && !defined(ALLOCATION_WRAPPED)

bool allocation_counted(void) {
    return false;
}

#else

#if defined(ALLOCATION_WRAPPED)
#define OURS(name) __wrap_##name
#define THEIRS(name) __real_##name
#else /* glibc's own entry points, kept for interposers */
#define OURS(name) name
#define THEIRS(name) __libc_##name
#endif

void *THEIRS(malloc)(size_t size);
void *THEIRS(calloc)(size_t count, size_t size);
void *THEIRS(realloc)(void *block, size_t size);
void *OURS(malloc)(size_t size);
void *OURS(calloc)(size_t count, size_t size);
void *OURS(realloc)(void *block, size_t size);

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

void *OURS(malloc)(size_t size) {
    return !has_memory() ? NULL : THEIRS(malloc)(size);
}

void *OURS(calloc)(size_t count, size_t size) {
    return !has_memory() ? NULL : THEIRS(calloc)(count, size);
}

void *OURS(realloc)(void *block, size_t size) {
    return !has_memory() ? NULL : THEIRS(realloc)(block, size);
}

#endif
