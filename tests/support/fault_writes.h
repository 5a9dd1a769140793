/*
 * fault_writes.h - writes of a child, and of its children, fail by ptrace: at the system call, so
 * that the C library's own buffers and those of every library are between the fault and us.
 */
#ifndef IL_TESTS_FAULT_WRITES_H
#define IL_TESTS_FAULT_WRITES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "tests/support/fault.h"

/* Is tracing allowed, and is this x86-64? */
bool il_writes_possible(void);

/* In the child: from here on its writes stop before they are made, until il_writes_follow says what
 * becomes of them. */
void il_writes_stop_here(void);

/* In the parent: let the child run with its k-th write to files or standard output failing. Returns
 * the status of waitpid; *happened: there was such a write; *writes: how many there were. k = 0:
 * all succeed. The child leads a process group. */
int il_writes_follow(pid_t child, il_fault fault, size_t k, bool *happened, size_t *writes);

#endif
