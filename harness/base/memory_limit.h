/*
 * memory_limit.h - sizes that users choose, and limits. Whether a problem of a given size fits is
 * checked before anything is allocated: once a machine swaps or the kernel kills processes it is
 * too late.
 */
#ifndef IL_BASE_MEMORY_LIMIT_H
#define IL_BASE_MEMORY_LIMIT_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"

/* il_memory_grow for a number n of items that a user chose: IL_ENOMEM names it and what they are
 * ("steps"), and the pointer at `block` is as it was. */
il_status il_memory_ask(void *block, size_t n, size_t size, const char *items, il_error *err);

/* IL_EINVAL when parameter N makes unit N^power bytes more than half of the machine's memory or of
 * the limit on the process's address space (`ulimit -v`), whichever is less; the message says which
 * N would do. unit > 0, power 1 or 2. */
il_status il_memory_afford(size_t N, double unit, int power, il_error *err);

/* Limit this process to so many bytes more than it has now (RLIMIT_DATA); malloc then fails beyond
 * that, and il_alloc ends the process. *before receives the old limit, for il_memory_release.
 * False, without a limit, where the system does not report the current size. */
bool il_memory_confine(size_t more, size_t *before);
void il_memory_release(size_t before);

#endif
