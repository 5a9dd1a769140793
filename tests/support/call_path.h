/*
 * call_path.h - where a call came from, as one number.
 */
#ifndef IL_TESTS_CALL_PATH_H
#define IL_TESTS_CALL_PATH_H

#include <stdint.h>

/* A hash of the return addresses on the stack, each relative to its module and once, so that depths
 * of a recursion are one path. Allocates nothing. */
uint64_t il_call_path(void);

#endif
