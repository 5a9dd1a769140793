/*
 * check.h - a script is read for the problems that it declares, and each of them is checked; or for
 * the cases of its sweeps (kept.h).
 *
 * lab.problem declares as it does elsewhere; what it refuses is a failed check, not an error. For
 * cases, what computes and stores nothing, lab.run above all, does what it does elsewhere, but that
 * no file is written. All other functions that would run, draw or store something give a
 * placeholder. Fields and calls of it are placeholders again, and it has no elements. A script that
 * wants a number of it ends there, as does one that asks for a million of them: placeholders are
 * true, so that `while r.more do` has no end. (`while more do` of one that it kept has none either,
 * until the script's time is over.)
 */
#ifndef IL_LUA_CHECK_H
#define IL_LUA_CHECK_H

#include <jansson.h>
#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"

/* Who has records: that of a key into *record, the caller's, NULL where there is none. IL_ENOMEM:
 * it is not known whether there is one. */
typedef struct {
    void *self;
    il_status (*find)(void *self, const char *key, json_t **record, il_error *err);
} il_lua_finder;

typedef struct il_lua_checks {
    json_t *problems;    /* what came of each */
    size_t failed;       /* checks, of all problems */
    size_t placeholders; /* that the script asked for */
    size_t limits;       /* judgements of limits that it asked for, whose runs are not gathered */
    bool starved;        /* memory ran out */
    json_t *references;  /* beside cases: those that they have */
    json_t *cases; /* kept.h: not problems are checked, but cases of sweeps gathered; else NULL */
    il_lua_finder finder;
} il_lua_checks;

/* In the module at the top of the stack, and in the globals: check, or gather, instead of run.
 * Where cases are gathered, functions that compute are called through `compute`, their upvalue
 * 1. */
void il_lua_check_install(lua_State *L, lua_CFunction compute);

/* Push a placeholder; 1. */
int il_lua_push_placeholder(lua_State *L);

#endif
