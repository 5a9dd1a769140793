/*
 * lua_color.h - one colour a scheme, the same in every figure of a report.
 */
#ifndef IL_LUA_COLOR_H
#define IL_LUA_COLOR_H

/* "#rrggbb" for a scheme as it is asked for ("maury", "moreau_jean:theta=0.5"). Schemes without a
 * colour of their own take the next of a further palette, in the order of the registry. */
const char *il_scheme_color(const char *name);

#endif
