/*
 * norms.h - norms that are asked of a result. Not for use outside harness/lua.
 */
#ifndef IL_LUA_NORMS_H
#define IL_LUA_NORMS_H

#include "harness/lua/sweep/result.h"

/* The keys norm and norms of a table, with their defaults u_L1 and {u_L1, q_Linf}; the arena owns
 * the names. A norm of the script's own is measured: the records then have it, and what is not
 * stored is run. Raises errors. */
const char *il_result_norm(const il_fields *f, const il_result *result);
const char **il_result_norms(const il_fields *f, const il_result *result, size_t *n);

#endif
