/*
 * allocation.h - counts calls of malloc, calloc and realloc in the whole test program, libraries
 * included, so that "a step allocates nothing" can be checked.
 */
#ifndef IL_TESTS_ALLOCATION_H
#define IL_TESTS_ALLOCATION_H

#include <stdbool.h>
#include <stddef.h>

/* False where counting is impossible: sanitizers bring their own allocator. */
bool allocation_counted(void);

/* Calls so far. */
size_t allocation_count(void);

#endif
