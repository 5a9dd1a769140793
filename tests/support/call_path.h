/*
 * call_path.h - where a call came from, as one number.
 */
#ifndef IL_TESTS_CALL_PATH_H
#define IL_TESTS_CALL_PATH_H

#include <stdint.h>

/* A hash of the return addresses on the stack, each relative to its module, without loops: whatever
 * the depth of a recursion, and the ways through it, it is one path. Allocates nothing. */
uint64_t il_call_path(void);

#endif
