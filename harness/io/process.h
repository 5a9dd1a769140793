/*
 * process.h - is the process that left something still there?
 */
#ifndef IL_PROCESS_H
#define IL_PROCESS_H

#include <stdbool.h>

/* When process pid of this machine began, in ticks since the machine did (proc(5), field 22 of
 * stat): numbers of processes are used again, this is not. *born is -1 where there is none, or one
 * that has ended and waits for its parent. False: nobody can tell, and *born is -1. It takes no
 * memory, as a lack of that says nothing of a process. */
bool il_process_born(long pid, long long *born);

#endif
