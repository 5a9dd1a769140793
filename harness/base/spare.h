/*
 * spare.h - malloc for libraries that do not survive a failed allocation: GMP aborts, cmark-gfm
 * ends the program, GSL and jansson write through some pointers without checking them.
 *
 * Blocks come from the C library, and when that has none from an arena that is set aside. What the
 * library has begun is then finished correctly, and its caller asks afterwards.
 */
#ifndef IL_BASE_SPARE_H
#define IL_BASE_SPARE_H

#include <stddef.h>

/* As those of the C library; NULL when the arena is exhausted too. In the archives of GSL and
 * cmark-gfm the Makefile puts them in place of the C library's. */
void *il_spare_malloc(size_t n);
void *il_spare_calloc(size_t count, size_t size);
void *il_spare_realloc(void *block, size_t old, size_t n); /* a block of old bytes */
void il_spare_free(void *block);

/* How often the C library had no memory for this thread so far: a caller compares. */
size_t il_spare_failures(void);

#endif
