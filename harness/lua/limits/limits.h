/*
 * limits.h - the runs of a sweep as candidates for limits. Not for use outside harness/lua.
 */
#ifndef IL_LUA_LIMITS_H
#define IL_LUA_LIMITS_H

#include "harness/lua/sweep/sweep.h"
#include "harness/study/limits/limits.h"
#include "harness/study/limits/orbits.h"

/* All is owned by the arena; the Lua value keeps sweep alive. */
typedef struct {
    il_lua_arena *arena;
    const il_sweep *sweep;
    const il_choice *problem;
    il_limits_norm norm;
    double T; /* end of the shortest run */
    size_t n; /* runs that ended well */
    size_t failed;
    size_t *cases;         /* [n] of the sweep */
    il_limits_step *steps; /* [n] */
    json_t **records;      /* [n] */
    double *D;             /* [n*n] */
    il_limits limits;
    const il_orbits *orbits; /* of the problem; NULL: it offers none */
} il_lua_limits;

/* What the table at index, that sweep:limits{...} made, stands for; an error for anything else. */
il_lua_limits *il_lua_limits_check(lua_State *L, int index, const char *call);

/* "u_L1" or "q_Linf". */
const char *il_lua_limits_norm_name(il_limits_norm norm);

/* Distances to the exact solutions that record knows, in the norm, as a table {A = , ...} pushed.
 */
void il_lua_limits_push_distances(lua_State *L, const json_t *record, il_limits_norm norm);

/* The handle w at the top of the stack is replaced by its table. And: the methods of such tables,
 * which host.limits has, host.tree and host.tail, into the table at the top. limits_table.c */
void il_lua_limits_push_table(lua_State *L, const il_lua_limits *w);
void il_lua_limits_add_methods(lua_State *L);

/* The orbits of the problem of a case, by default starts; NULL where it offers no motion over a
 * period. All, and the problem that they point at, is owned by the arena. call names the function
 * in messages. orbits.c */
const il_orbits *il_lua_orbits_of(lua_State *L, il_lua_arena *arena, const char *call,
                                  const il_case *c);

/* limits:border, limits:borders; switching.c */
int il_lua_limits_switching_point(lua_State *L);
int il_lua_limits_switching_points(lua_State *L);

#endif
