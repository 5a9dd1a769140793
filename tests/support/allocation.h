/*
 * allocation.h - counts calls of malloc, calloc and realloc in the whole test program, libraries
 * included, so that "a step allocates nothing" can be checked; and lets one of them fail.
 */
#ifndef IL_TESTS_ALLOCATION_H
#define IL_TESTS_ALLOCATION_H

#include <stdbool.h>
#include <stddef.h>

/* False where counting is impossible: sanitizers bring their own allocator. */
bool allocation_counted(void);

/* Calls so far. */
size_t allocation_count(void);

/* From now on the k-th call, k >= 1, finds no memory; 0: none does. */
void allocation_fail(size_t k);

/* *flag, borrowed, becomes true when an allocation fails, and *most the largest count of this
 * process and of its children, if they lie in memory that these share. */
void allocation_report(bool *flag, size_t *most);

#endif
