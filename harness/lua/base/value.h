/*
 * value.h - plain Lua values as JSON, to cross from a worker. Not for use outside harness/lua.
 */
#ifndef IL_LUA_VALUE_H
#define IL_LUA_VALUE_H

#include <jansson.h>
#include <lua.h>

#include "harness/base/status.h"

/* The value at index: nil, booleans, numbers (infinities and NaN too), strings of UTF-8, arrays and
 * tables with text keys of such. NULL with the reason in err for anything else. The caller owns it.
 */
json_t *il_lua_value_take(lua_State *L, int index, il_error *err);

/* Push what il_lua_value_take made. */
void il_lua_value_push(lua_State *L, const json_t *value);

#endif
