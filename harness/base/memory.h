/*
 * memory.h - blocks that grow; and is a problem of that size within what the process may use? Asked
 * before anything is allocated: a machine that starts to swap, or a kernel that kills, comes too
 * late.
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

/* Room for one item more in a list of n that grows by this alone: doubled whenever n is a power of
 * two, so that n items cost n moves. Otherwise as il_memory_grow. */
bool il_memory_append(void *block, size_t n, size_t size);

/* IL_EINVAL when parameter N makes unit N^power bytes more than half of the machine's memory or of
 * the limit on the process's address space (`ulimit -v`), whichever is less; the message says how
 * many would do. unit > 0, power 1 or 2. */
il_status il_memory_afford(size_t N, double unit, int power, il_error *err);

/* From now on this process may take so many bytes more than it has (RLIMIT_DATA), and malloc fails
 * beyond that. *before receives the limit that was, for il_memory_release. False, and nothing is
 * limited, where the system does not say what it has. */
bool il_memory_confine(size_t more, size_t *before);
void il_memory_release(size_t before);

#endif
