/*
 * memory.h - is a problem of that size within what the process may use? Asked before anything is
 * allocated: a machine that starts to swap, or a kernel that kills, comes too late.
 */
#ifndef IL_BASE_MEMORY_H
#define IL_BASE_MEMORY_H

#include <stddef.h>

#include "harness/base/status.h"

/* Half of the machine's memory or of the limit on the process's address space (`ulimit -v`),
 * whichever is less, in bytes; INFINITY where nobody knows. */
double il_memory_allowed(void);

/* IL_EINVAL when parameter N makes unit N^power bytes more than il_memory_allowed; the message says
 * how many would do. unit > 0, power 1 or 2. */
il_status il_memory_afford(size_t N, double unit, int power, il_error *err);

#endif
