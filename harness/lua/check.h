/*
 * check.h - a script is read for the problems that it declares, and each of them is checked.
 *
 * lab.problem declares as it does elsewhere; what it refuses is a failed check, not an error. All
 * other functions that would run, draw or store something give a hollow value instead: fields and
 * calls of it are hollow again, it has no elements, and a script that wants a number of it ends
 * there.
 */
#ifndef IL_LUA_CHECK_H
#define IL_LUA_CHECK_H

#include <jansson.h>
#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct il_lua_checks {
    json_t *problems; /* what came of each */
    size_t failed;    /* checks, of all problems */
    bool hollow;      /* the script holds a hollow value */
    bool starved;     /* memory ran out */
} il_lua_checks;

/* In the module at the top of the stack, and in the globals: check instead of run. */
void il_lua_check_install(lua_State *L);

#endif
