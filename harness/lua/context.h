/*
 * context.h - what the functions of the Lua module share. Not for use outside harness/lua.
 */
#ifndef IL_LUA_CONTEXT_H
#define IL_LUA_CONTEXT_H

#include <lua.h>
#include <stdio.h>

#include "harness/io/journal.h"
#include "harness/io/store.h"
#include "harness/lua/script.h"

typedef struct {
    const il_lua_options *options;
    il_store *store;
    il_journal *journal; /* NULL: what becomes of the script is kept nowhere */
    char *traceback;     /* of the error that ended the script; NULL without one or memory */
    lua_State *L;        /* the thread that last entered a function which runs things: callbacks of
                            scripted problems are called on it */
    il_error raised;     /* the last error that C raised: its code survives where the text does */
    bool closing;        /* the script has ended: only its finalizers still run */
    il_lua_outcome outcome;
    char **complaints; /* [outcome.checks_failed] of failed checks */
} il_lua_context;

/* The context of a state and of all its threads. */
il_lua_context *il_lua_context_of(lua_State *L);

/* Raise an error once the script has ended. Lua does not close what a finalizer makes then. */
void il_lua_expect_open(lua_State *L);

/* A line on options->messages, if there is one. */
void il_lua_say(const il_lua_context *context, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Note a failure of kind ("check", "run", ...) in the journal, at the line of the script that
 * called the function that runs now. */
void il_lua_note(lua_State *L, const char *kind, const char *text);

/* "RESULTS/FOLDER", made if it is missing; pushed as a string and returned. */
const char *il_lua_push_folder(lua_State *L, const char *folder);

/* The metatable of what lab.phases returns: step sizes h in the array, their c and m as fields. */
#define IL_LUA_PHASES "impactlab.phases"

/* Call body(data) in a new state that has the libraries and the module of a script, and close it.
 * The status is as il_lua_run_script's. */
il_status il_lua_call(il_lua_context *context, lua_CFunction body, void *data, il_error *err);

/* The functions of the module, one group a file; they are set into the table at the top of the
 * stack. */
void il_lua_add_run(lua_State *L);     /* run, movie */
void il_lua_add_exact(lua_State *L);   /* exact, force, bodies */
void il_lua_add_levels(lua_State *L);  /* levels, dyadic, phases */
void il_lua_add_sweep(lua_State *L);   /* sweep */
void il_lua_add_figure(lua_State *L);  /* figure */
void il_lua_add_table(lua_State *L);   /* table */
void il_lua_add_problem(lua_State *L); /* problem */
void il_lua_add_colors(lua_State *L);  /* colors */
void il_lua_add_set(lua_State *L);     /* set */

void il_lua_add_multipliers(lua_State *L); /* multipliers */

void il_lua_add_chance(lua_State *L);   /* share, median, quantile, band */
void il_lua_add_ensemble(lua_State *L); /* ensemble */

#endif
