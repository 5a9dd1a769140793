/*
 * color.h - one colour a scheme, the same in every figure of a report.
 */
#ifndef IL_LUA_COLOR_H
#define IL_LUA_COLOR_H

#include <stddef.h>

/* The colours of n schemes of one figure into colors[n]: each has its own, but for schemes with
 * settings, whose own may be that of another; such a one takes the next colour that none of them
 * has. Beyond eight schemes colours return. */
void il_scheme_colors(const char *const *names, size_t n, const char **colors);

#endif
