/*
 * faults.h - a command line, run in a child in an empty folder, while one allocation or one write
 * fails; and whether what it left is honest.
 *
 * Honest is: the status, the output and the files of the same command without the fault, bit for
 * bit but for seconds; or a status that is not 0, one line "impactlab: ..." at least that names the
 * fault, and no file but whole ones.
 */
#ifndef IL_TESTS_FAULTS_H
#define IL_TESTS_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "tests/support/fault.h"

enum { IL_FAULT_WORDS = 40 };

/* A command to try: the words after the program's name, in one line parted by blanks. */
typedef struct {
    const char *words;
    size_t trials;      /* at most so many, unless IMPACTLAB_FAULTS says otherwise */
    const char *script; /* the text of s.lua in its folder, or NULL */
    const char *of;     /* what tells it from others of the same words, or NULL */
    const char *before; /* words of a command that runs there first, without a fault, or NULL */
} il_fault_command;

/* Can this fault be made here? Sanitizers bring their own allocator; writes are stopped by ptrace.
 */
bool il_fault_possible(il_fault fault);

/* The command with a sample of faults that a seed draws, spread over the run: asserts that each
 * outcome is honest, and that there was something to fail. The variable IMPACTLAB_FAULTS asks for
 * another number of trials of each command, or for "all". */
void il_fault_try(const il_fault_command *command, il_fault fault);

#endif
