/*
 * section.h - where in the report what a script draws belongs. Not for use outside harness/lua.
 */
#ifndef IL_LUA_SECTION_H
#define IL_LUA_SECTION_H

#include <lua.h>

#include "harness/draw/section.h"

/* The section that lab.section began last into *section; NULL before any. Its texts live until the
 * next one begins. */
const il_section *il_lua_section(lua_State *L, il_section *section);

#endif
