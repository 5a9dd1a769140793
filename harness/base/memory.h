/*
 * memory.h - growing blocks, and memory limits. Whether a problem of a given size fits is checked
 * before anything is allocated: once a machine swaps or the kernel kills processes it is too late.
 */
#ifndef IL_BASE_MEMORY_H
#define IL_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"

/* Room for n items of so many bytes in the block that the pointer at `block` (&w->x) points to,
 * NULL for none yet, and never for no item; contents are kept. False when memory runs out, the
 * pointer then being as it was. */
bool il_memory_grow(void *block, size_t n, size_t size);

/* The same for several blocks of items of one size: those that blocks[0], blocks[1], .. point to as
 * `block` does, up to a NULL. False when memory runs out; some of them have grown then. */
bool il_memory_grow_all(void *const *blocks, size_t n, size_t size);

/* Room for one item more in a list of n items: doubled whenever n is a power of two, so that n
 * appends cost O(n). Otherwise as il_memory_grow. */
bool il_memory_append(void *block, size_t n, size_t size);

/* IL_EINVAL when parameter N makes unit N^power bytes more than half of the machine's memory or of
 * the limit on the process's address space (`ulimit -v`), whichever is less; the message says which
 * N would do. unit > 0, power 1 or 2. */
il_status il_memory_afford(size_t N, double unit, int power, il_error *err);

/* Limit this process to so many bytes more than it has now (RLIMIT_DATA); malloc then fails beyond
 * that. *before receives the old limit, for il_memory_release. False, without a limit, where the
 * system does not report the current size. */
bool il_memory_confine(size_t more, size_t *before);
void il_memory_release(size_t before);

#endif
