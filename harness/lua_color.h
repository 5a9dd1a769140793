/*
 * lua_color.h - one colour a scheme, the same in every figure of a report.
 */
#ifndef IL_LUA_COLOR_H
#define IL_LUA_COLOR_H

#include "schemes/scheme.h"

/* "#rrggbb". Schemes that are not in the list below take the next of a further palette, in the
 * order of the registry. */
const char *il_scheme_color(const il_scheme_type *scheme);

#endif
