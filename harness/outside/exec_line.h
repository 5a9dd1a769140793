/*
 * exec_line.h - a line of a program behind `exec:`: a state, impulses of constraints, and where
 * between=dense the motion to it.
 */
#ifndef IL_OUTSIDE_EXEC_LINE_H
#define IL_OUTSIDE_EXEC_LINE_H

#include <stdbool.h>

#include "harness/data/trajectory.h"
#include "problems/problem.h"
#include "schemes/scheme.h"

typedef struct {
    const il_problem *problem;
    bool dense;       /* lines have a motion: */
    il_motion motion; /* of the last one, as it was written: il_motion_check */
    double *end, *c;  /* of it, with room for */
    size_t pieces;
    bool given; /* the last line has impulses: */
    size_t n, room;
    il_contact *contacts; /* [n] by increasing id, each once */
    struct il_exec_named
        *named; /* [p] what constraints are about, sorted; made when it is needed */
} il_exec_line;

/* Read the line of the step that ends at t1 into out. IL_EINVAL with what is wrong, as what the
 * program "wrote ...". */
il_status il_exec_line_read(il_exec_line *w, const char *text, double t1, il_state *out,
                            il_error *err);
void il_exec_line_free(il_exec_line *w);

#endif
