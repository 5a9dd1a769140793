/*
 * allocation.h - counts calls of malloc, calloc and realloc in the whole test program, libraries
 * included, and the bytes they ask for, so that "a step allocates nothing" can be checked; and lets
 * one of them fail.
 */
#ifndef IL_TESTS_ALLOCATION_H
#define IL_TESTS_ALLOCATION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* False where counting is impossible: sanitizers bring their own allocator. */
bool allocation_counted(void);

/* Calls so far. */
size_t allocation_count(void);

/* Bytes that they asked for so far. */
size_t allocation_bytes(void);

/* From now on the k-th call, k >= 1, finds no memory; 0: none does. */
void allocation_fail(size_t k);

/* The same for that call and all that follow it. */
void allocation_fail_from(size_t k);

/* *flag, borrowed, becomes true when an allocation fails, and *most the largest count of this
 * process and of its children, if they lie in memory that these share. */
void allocation_report(bool *flag, size_t *most);

/* Calls, in the order in which they were made: each process counts its own, and what it had when it
 * was forked. */
typedef struct {
    size_t call;   /* 1 for the first */
    uint64_t path; /* il_call_path */
} allocation_site;

typedef struct {
    atomic_size_t n; /* more than room when some were lost */
    size_t room;
    size_t
        dense; /* of the calls behind so many only every sixteenth is noted: unwinding takes time */
    allocation_site at[];
} allocation_log;

/* From now on, where call 1 is the next, this process and its children note calls in *log,
 * borrowed, in memory that they share; NULL: they stop. */
void allocation_note(allocation_log *log);

/* Did the call that allocation_fail spoke of happen? */
bool allocation_failed(void);

#endif
