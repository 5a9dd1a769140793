/*
 * program.h - runs another program to its end: gnuplot, LuaLaTeX.
 */
#ifndef IL_PROGRAM_H
#define IL_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"

typedef struct {
    const char *const *argv; /* ended by NULL; argv[0] is looked up in PATH */
    const char *folder;      /* where it runs */
    const char *input;       /* [length] bytes that a pipe brings to its standard input, or NULL */
    size_t length;
    char *said; /* [room] takes the head of its standard error, ended by 0; or NULL */
    size_t room;
    char *const *settings; /* "NAME=VALUE" in its environment, ended by NULL; or NULL */
    double seconds;        /* it may take so long */
    bool late;             /* it took longer than seconds: it was killed */
    bool unread;           /* it ended, or closed its standard input, before all was written */
    int state;             /* how it ended, as wait(2) says it; -1 if unknown */
} il_program;

/* Run it and wait for its end. Without `input` its standard input is empty, what it prints is
 * dropped; it has no signal blocked or ignored and dies with us. SIGPIPE never reaches the caller.
 * IL_EINTERRUPTED where we are asked to stop; IL_EPLOT where it cannot be started, with
 * "'NAME': REASON" in err. */
il_status il_program_run(il_program *program, il_error *err);

#endif
