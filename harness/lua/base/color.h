/*
 * color.h - one colour a scheme, the same in every figure of a report.
 */
#ifndef IL_LUA_COLOR_H
#define IL_LUA_COLOR_H

#include <stddef.h>

/* "#rrggbb" for a scheme as it is asked for ("maury", "moreau_jean:theta=0.5"). Schemes without a
 * colour of their own take the next of a further palette, in the order of the registry. */
const char *il_scheme_color(const char *name);

/* The colours of n schemes of one figure into colors[n]: each has its own, but for schemes with
 * settings, whose own may be that of another; such a one takes the next colour that none of them
 * has. Beyond eight schemes colours return. */
void il_scheme_colors(const char *const *names, size_t n, const char **colors);

#endif
