/*
 * sweep_reference.h - the cases and keys that the references of a sweep have. Not for use outside
 * harness/lua.
 */
#ifndef IL_LUA_SWEEP_REFERENCE_H
#define IL_LUA_SWEEP_REFERENCE_H

#include "harness/lua/sweep/sweep.h"

/* The case that a reference of the sweep's own is of problem i, by so many steps. */
il_case il_sweep_reference_case(const il_sweep *sweep, size_t i, size_t steps);

/* That whose run the reference is itself; and that of half its steps, which are 0 where there is
 * none to make. */
il_case il_sweep_main_case(const il_sweep *sweep, size_t i);
il_case il_sweep_half_case(const il_sweep *sweep, size_t i);

/* Some case that has the event-driven reference of problem i. */
il_case il_sweep_events_case(const il_sweep *sweep, size_t i);

/* The key under which the reference of problem i is kept, of its own run or event-driven, the
 * caller's. IL_ENOMEM, and what il_case_params refuses. */
il_status il_sweep_reference_key(const il_sweep *sweep, size_t i, char **key, il_error *err);

#endif
