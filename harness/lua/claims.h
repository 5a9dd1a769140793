/*
 * claims.h - the claims that are declared in a Lua state. Not for use outside harness/lua.
 */
#ifndef IL_LUA_CLAIMS_H
#define IL_LUA_CLAIMS_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* Declare the embedded claims, or those of text in their place; raises what their files raise. */
void il_claims_declare(lua_State *L, const char *text);

/* Push the array of claims. */
void il_claims_push(lua_State *L);

/* Of the table at the top: its string at key, or NULL (it lives as long as the table); the length
 * of its table at key, 0 without one. */
const char *il_claims_text(lua_State *L, const char *key);
size_t il_claims_count(lua_State *L, const char *key);

/* Is the claim at the top among ids (compared by letters and digits)? True of all if nids is 0. */
bool il_claims_wanted(lua_State *L, size_t nids, const char *const *ids);

/* Raises an error that lists what is known, if one of ids is not. */
void il_claims_expect_known(lua_State *L, size_t nids, const char *const *ids);

/* A lua_CFunction. Arguments: claim, case, control, numbers from 1, control 0 for none. Calls the
 * claim's check and returns what that returns. */
int il_claims_call(lua_State *L);

#endif
