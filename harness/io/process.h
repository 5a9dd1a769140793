/*
 * process.h - is a process still running?
 */
#ifndef IL_PROCESS_H
#define IL_PROCESS_H

#include <stdbool.h>

/* The start time of process pid of this machine, in ticks since boot (proc(5), field 22 of stat):
 * numbers of processes are reused, pairs of number and start time are not. *born is -1 where there
 * is no such process, or a zombie. False, and *born -1, where it cannot be determined. Allocates no
 * memory, so that a lack of memory is not taken for a missing process. */
bool il_process_born(long pid, long long *born);

#endif
