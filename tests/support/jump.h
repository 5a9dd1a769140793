/*
 * jump.h - the filled-in graph of a run with one jump.
 */
#ifndef IL_TESTS_JUMP_H
#define IL_TESTS_JUMP_H

#include <stddef.h>

#include "harness/measure/graph.h"

/* u_h of one coordinate on n steps of [0,1]: 1 up to the node nearest to t = at, then 0. To be
 * freed by il_graph_free. */
il_graph il_jump_graph(size_t n, double at);

#endif
