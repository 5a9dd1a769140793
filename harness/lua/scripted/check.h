/*
 * check.h - a script is read for the problems that it declares, and each of them is checked.
 *
 * lab.problem declares as it does elsewhere; what it refuses is a failed check, not an error. All
 * other functions that would run, draw or store something give a placeholder. Fields and calls of
 * it are placeholders again, and it has no elements. A script that wants a number of it ends there,
 * as does one that asks for a million of them: placeholders are true, so that `while r.more do` has
 * no end. (`while more do` of one that it kept has none either, until the script's time is over.)
 */
#ifndef IL_LUA_CHECK_H
#define IL_LUA_CHECK_H

#include <jansson.h>
#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"

typedef struct il_lua_checks {
    json_t *problems;    /* what came of each */
    size_t failed;       /* checks, of all problems */
    size_t placeholders; /* that the script asked for */
} il_lua_checks;

/* In the module at the top of the stack, and in the globals: check instead of run. */
void il_lua_check_install(lua_State *L);

#endif
