/*
 * one_wall.h - many steps at once of the velocity scheme (maury.c), for one coordinate and one
 * constraint: the loop that one would write by hand.
 */
#ifndef IL_STEPPING_ONE_WALL_H
#define IL_STEPPING_ONE_WALL_H

#include "schemes/stepping/linear.h"

/* il_scheme_type.stride of a scheme whose whole state is il_linear and whose step is
 * il_linear_velocity_step without a pull. Makes no step where something else is asked for than one
 * coordinate and one constraint of order 2, a force with a mean that is known, and a projector of
 * one row. */
size_t il_one_wall_stride(void *self, size_t from, size_t to, double h, il_state *state,
                          il_stride *made);

#endif
