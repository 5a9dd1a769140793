/*
 * memory.h - blocks of memory. Lack of it ends the program: one line on stderr that says how much
 * was asked for, and exit status 4, in a library too. So none of these returns NULL and no caller
 * looks. Where a user chooses the size, il_memory_ask (memory_limit.h) returns a status.
 */
#ifndef IL_BASE_MEMORY_H
#define IL_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* A block of n items of so many bytes, and at least one byte; free releases it. The contents are
 * not defined, or all bytes 0, or those of `from` [n]. */
void *il_alloc(size_t n, size_t size) __attribute__((malloc, returns_nonnull));
void *il_alloc_zero(size_t n, size_t size) __attribute__((malloc, returns_nonnull));
void *il_alloc_copy(const void *from, size_t n, size_t size)
    __attribute__((malloc, returns_nonnull));

/* A copy of text, of its first n letters, or what a printf-style format makes. */
char *il_alloc_text(const char *text) __attribute__((malloc, returns_nonnull));
char *il_alloc_letters(const char *text, size_t n) __attribute__((malloc, returns_nonnull));
char *il_alloc_format(const char *format, ...)
    __attribute__((malloc, returns_nonnull, format(printf, 1, 2)));

/* Room for n items of so many bytes in the block that the pointer at `block` (&w->x) points to,
 * NULL for none yet; contents are kept. */
void il_memory_grow(void *block, size_t n, size_t size);

/* The same for several blocks of items of one size: those that blocks[0], blocks[1], .. point to as
 * `block` does, up to a NULL. */
void il_memory_grow_all(void *const *blocks, size_t n, size_t size);

/* Room for one item more in a list of n items: doubled whenever n is a power of two, so that n
 * appends cost O(n). Otherwise as il_memory_grow. */
void il_memory_append(void *block, size_t n, size_t size);

/* il_memory_grow where a user chose n: false where there is no memory, the pointer being as it
 * was. */
bool il_memory_try(void *block, size_t n, size_t size);

/* The exit status of a program that has no memory. */
enum { IL_MEMORY_STATUS = 4 };

/* End the program: a library had no memory for so many bytes; 0: it does not say how many. */
_Noreturn void il_memory_end(size_t bytes);

/* The same for a reason in words. */
_Noreturn void il_memory_end_for(const char *why);

/* From now on such an end is without the line: the process that started this one tells. */
void il_memory_end_quietly(void);

/* GSL's error handler: ends the program for lack of memory; other errors are statuses. */
void il_memory_gsl(const char *reason, const char *file, int line, int number);

#endif
