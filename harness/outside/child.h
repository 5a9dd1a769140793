/*
 * child.h - another program as a child process: it is sent a line, its lines are read, and it is
 * watched to its end.
 *
 *     this process ---- guard ---- sh -c COMMAND ---- what that starts
 *
 * The program and what it starts are a process group. The guard, a fork of this process that does
 * nothing else, reports how the program ended. When this process lets go of it, or dies by whatever
 * signal, the guard asks the group to end (SIGTERM) and kills it after a grace (SIGKILL). Nothing
 * of the group outlives the guard; a process that leaves the group (setsid) does.
 *
 * Its standard streams are pipes, so it may open /dev/stdin. Its input ends behind the line.
 */
#ifndef IL_OUTSIDE_CHILD_H
#define IL_OUTSIDE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "harness/base/status.h"
#include "harness/outside/said.h"

typedef enum {
    IL_CHILD_LINE,   /* it wrote a line */
    IL_CHILD_LAST,   /* and another one without an end, which is its last */
    IL_CHILD_END,    /* it writes no more */
    IL_CHILD_SILENT, /* it wrote nothing for the patience */
    IL_CHILD_ENDLESS /* its line is too long */
} il_child_event;

typedef struct {
    pid_t guard;
    int report, in, out,
        err;             /* the guard's socket; what it writes; its input; its errors. -1: none */
    char *first;         /* the line that it is sent */
    size_t sent, unsent; /* bytes of it */
    char *text;          /* [room] what was read; text[from, to) is not used yet */
    size_t room, from, to, seen;
    double patience; /* seconds */
    bool ended;      /* and this is how, as wait(2) says it */
    int how;
    il_said said; /* on standard error */
} il_child;

/* Start a command of the shell. line, which is taken over and freed, is sent to it. The creator
 * ends it by il_child_free, also after a failure. IL_EIO. */
il_status il_child_start(il_child *w, const char *command, char *line, double patience,
                         il_error *err);

/* Its next line without the newline, the child's until the next call. IL_EINTERRUPTED,
 * IL_EIO. */
il_status il_child_line(il_child *w, il_child_event *event, const char **line, il_error *err);

/* Wait so many seconds for its end; true where it has ended by itself. */
bool il_child_await_end(il_child *w, double seconds);

/* "ended with status 3", "was ended by signal 11 (Segmentation fault)", "closed its output". */
enum { IL_CHILD_HOW = 96 };
const char *il_child_how(const il_child *w, char out[IL_CHILD_HOW]);

/* End it, with what it has started, and free all. */
void il_child_free(il_child *w);

#endif
