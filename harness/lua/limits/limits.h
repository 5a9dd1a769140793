/*
 * limits.h - what the files of this room share. Not for use outside harness/lua.
 */
#ifndef IL_LUA_LIMITS_H
#define IL_LUA_LIMITS_H

#include "harness/lua/sweep/sweep.h"
#include "harness/study/limits/limits.h"
#include "harness/study/limits/orbits.h"

/* The names of il_limits_norm, ended by NULL. */
extern const char *const il_lua_limits_norms[];

/* The orbits of the problem of a case, by default starts; NULL where it offers no motion over a
 * period. All, and the problem that they point at, is owned by the arena. call names the function
 * in messages. orbits.c */
const il_orbits *il_lua_orbits_of(lua_State *L, il_lua_arena *arena, const char *call,
                                  const il_case *c);

/* The last node of a run as its record has it: q[d], u[d]. Returns its time. */
double il_lua_last_node(const json_t *record, size_t d, double *q, double *u);

/* host.border (switching.c). */
int il_lua_limits_border(lua_State *L);

#endif
