/*
 * orbits.h - periodic orbits of a problem's exact motion for scripts. Not for use outside
 * harness/lua.
 */
#ifndef IL_LUA_ORBITS_H
#define IL_LUA_ORBITS_H

#include "harness/lua/scripted/case.h"
#include "harness/study/limits/orbits.h"

/* The orbits of the problem of a case, by default starts; NULL where it offers no motion over a
 * period. All, and the problem that they point at, is owned by the arena. call names the function
 * in messages. */
const il_orbits *il_lua_orbits_of(lua_State *L, il_lua_arena *arena, const char *call,
                                  const il_case *c);

#endif
