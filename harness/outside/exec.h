/*
 * exec.h - another program as a scheme, `exec:COMMAND`: it is told the problem and makes the steps.
 * The protocol: harness/manual/exec.md. Settings before the command: exec_settings.h.
 */
#ifndef IL_OUTSIDE_EXEC_H
#define IL_OUTSIDE_EXEC_H

#include <stdbool.h>

#include "harness/io/sealed.h"
#include "schemes/scheme.h"

extern const il_scheme_type il_scheme_exec;

/* The sum of the settings, the command, and the files that its words and files= name, by which a
 * case is stored. False where a file of files= cannot be read, and where there is no file and no
 * version=: nothing would tell the program from another. */
bool il_exec_sum(const char *settings, char sum[IL_SEALED_SUM]);

/* Do the settings say when it is another program: version=, files=? Without, what it imports may
 * have changed. */
bool il_exec_is_versioned(const char *settings);

#endif
