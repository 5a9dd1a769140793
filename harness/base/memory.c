/*
 * memory.c - blocks of memory.
 */
#include "harness/base/memory.h"

#include <gsl/gsl_errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- blocks --------------------------------------------------------------------------------- */

static bool quiet;

void il_memory_end_quietly(void) {
    quiet = true;
}

void il_memory_end_for(const char *why) {
    if (!quiet) {
        (void)fprintf(stderr, "impactlab: %s\n", why);
    }
    _exit(IL_MEMORY_STATUS); /* what is half done stays unpublished */
}

void il_memory_end(size_t bytes) {
    char why[80];
    (void)snprintf(why, sizeof why, "out of memory: there is no block of %zu bytes", bytes);
    il_memory_end_for(bytes > 0 ? why : "out of memory");
}

void il_memory_gsl(const char *reason, const char *file, int line, int number) {
    (void)reason;
    (void)file;
    (void)line;
    if (number == GSL_ENOMEM) {
        il_memory_end(0);
    }
}

/* In bytes, at least 1; SIZE_MAX, which no system has, where it does not fit. */
static size_t bytes_of(size_t n, size_t size) {
    size_t bytes = 0;
    return __builtin_mul_overflow(n, size, &bytes) ? SIZE_MAX : bytes > 0 ? bytes : 1;
}

void *il_alloc(size_t n, size_t size) {
    void *block = malloc(bytes_of(n, size));
    if (block == NULL) {
        il_memory_end(bytes_of(n, size));
    }
    return block;
}

void *il_alloc_zero(size_t n, size_t size) {
    void *block = calloc(bytes_of(n, size), 1);
    if (block == NULL) {
        il_memory_end(bytes_of(n, size));
    }
    return block;
}

void *il_alloc_copy(const void *from, size_t n, size_t size) {
    void *block = il_alloc(n, size);
    if (n > 0) {
        memcpy(block, from, n * size);
    }
    return block;
}

char *il_alloc_text(const char *text) {
    return il_alloc_copy(text, strlen(text) + 1, 1);
}

char *il_alloc_letters(const char *text, size_t n) {
    n = strnlen(text, n);
    char *copy = il_alloc(n + 1, 1);
    memcpy(copy, text, n);
    copy[n] = '\0';
    return copy;
}

char *il_alloc_format(const char *format, ...) {
    char *text = NULL;
    va_list args;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0) {
        il_memory_end(0);
    }
    va_end(args);
    return text;
}

/* The pointer at block is one to some type: it is read and written as bytes, not as a void *. */
bool il_memory_try(void *block, size_t n, size_t size) {
    void *now = NULL;
    memcpy(&now, block, sizeof now);
    void *bigger = realloc(now, bytes_of(n, size));
    if (bigger == NULL) {
        return false;
    }
    memcpy(block, &bigger, sizeof bigger);
    /* cppcheck-suppress memleak ; the caller's pointer has it */
    return true;
}

void il_memory_grow(void *block, size_t n, size_t size) {
    if (!il_memory_try(block, n, size)) {
        il_memory_end(bytes_of(n, size));
    }
}

void il_memory_grow_all(void *const *blocks, size_t n, size_t size) {
    for (size_t k = 0; blocks[k] != NULL; k++) {
        il_memory_grow(blocks[k], n, size);
    }
}

void il_memory_append(void *block, size_t n, size_t size) {
    if ((n & (n - 1)) == 0) {
        il_memory_grow(block, n > 0 ? 2 * n : 1, size);
    }
}
