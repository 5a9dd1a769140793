/*
 * guard.h - a process between this one and a program that it started, which outlives neither:
 * child.h.
 */
#ifndef IL_OUTSIDE_GUARD_H
#define IL_OUTSIDE_GUARD_H

#include <sys/types.h>

/* Start a guard, which runs a command of the shell with these standard streams. Into report, a
 * socket, it writes how the program ended, an int as wait(2) has it; when nothing more can be read
 * from there, the guard ends the program. It closes report when it ends. Returns its process, whose
 * parent waits for it; -1 with errno where there is none. */
pid_t il_guard_start(const char *command, const int streams[3], int report);

#endif
