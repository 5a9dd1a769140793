/*
 * case.h - cases (harness/run/case.h) as scripts write them: tables.
 */
#ifndef IL_LUA_CASE_H
#define IL_LUA_CASE_H

#include <jansson.h>
#include <lua.h>

#include "harness/lua/base/args.h"
#include "harness/run/case.h"
#include "harness/run/conduct.h"
#include "harness/run/options.h"

/* Read the problem at the top of the stack (which stays): a name, {"name", key = value, ...} or a
 * value of lab.problem. keeper is the index of a table in which the value is kept alive. what names
 * it in messages. */
il_choice il_choice_read(const il_fields *f, const char *what, int keeper);

/* Refuse every key but those of the options that stand in one of the places `where` (IL_WHERE_...),
 * and own (ended by NULL; may be NULL). */
void il_case_known(const il_fields *f, unsigned where, const char *const *own);

/* Read the options that stand in one of the places into c, which has no problem and no scheme yet.
 */
void il_case_read(const il_fields *f, unsigned where, il_case *c);

/* Read "maury" or "moreau_jean:theta=0.5"; raises an error that says what there is. Owned by the
 * arena. */
const il_scheme_choice *il_case_scheme(const il_fields *f, const char *name);

/* The name of the scheme at key, which is a name or what lab.scheme returned; and of all of an
 * array of such. */
const char *il_case_scheme_name(const il_fields *f, const char *key, const char *fallback);
const char **il_case_scheme_names(const il_fields *f, const char *key, size_t *n);

/* The fields of one run: problem, scheme, and the options of IL_WHERE_CASE and of where. problem
 * receives the choice and outlives the case; keeper as above. */
il_case il_case_read_run(const il_fields *f, unsigned where, il_choice *problem, int keeper);

/* The problem of a case and, unless params is NULL, its parameters, owned by the arena; errors are
 * raised, call being the function's name. */
il_problem *il_lua_case_problem(lua_State *L, il_lua_arena *arena, const char *call,
                                const il_case *c, const il_params **params);

/* The problem that the keys problem and horizon of f name, made and owned by f's arena, and
 * unless NULL its parameters; *made receives what was named. keeper as for il_choice_read. */
il_problem *il_lua_make_problem(const il_fields *f, int keeper, il_choice **made,
                                const il_params **params);

/* Callbacks of a problem written in Lua cannot fail where they are called: they leave a note.
 * Raises the error that it holds, if any. */
void il_lua_expect_callbacks(const il_fields *f, const il_choice *choice);

/* Run as a function of the module does, call being its name: with callbacks on this thread,
 * errors raised, a failure told. The outcome is the arena's. trajectory as il_case_conduct takes
 * it.
 */
const il_outcome *il_lua_run_case(lua_State *L, const char *call, il_lua_arena *arena,
                                  const il_case *c, il_trajectory *trajectory);

#endif
