/*
 * context.h - what the functions of the Lua module share. Not for use outside harness/lua.
 */
#ifndef IL_LUA_CONTEXT_H
#define IL_LUA_CONTEXT_H

#include <lua.h>
#include <stdio.h>

#include "harness/io/sealed.h"
#include "harness/io/store/journal.h"
#include "harness/io/store/lease.h"
#include "harness/io/store/store.h"
#include "harness/lua/base/settings.h"

typedef struct {
    const il_lua_options *options;
    char *text;              /* of the script as it was read, or NULL */
    char name[128];          /* of the script, without its folder */
    char sum[IL_SEALED_SUM]; /* the SHA-256 of text in hexadecimal, or "" */
    il_store *store;
    char *references;    /* the folder of what is kept beside (harness/run/references.h), or NULL */
    il_roster *roster;   /* of what is asked of the store; NULL without one */
    il_leases *leases;   /* cases that this sweep is at; NULL where none are stored */
    il_journal *journal; /* NULL: what becomes of the script is kept nowhere */
    char *traceback;     /* of the error that ended the script; NULL without one */
    lua_State *L;        /* the thread that last entered a function which runs things: callbacks of
                            scripted problems are called on it */
    lua_CFunction body;  /* what il_lua_protect calls */
    il_error raised;     /* the last error that C raised: its code survives where the text does */
    size_t declared, sweeps; /* declarations with functions, and sweeps, so far */
    int pid;                 /* of the process that runs the script; its workers have others */
    bool closing;            /* the script has ended: only its finalizers still run */
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

/* The same for what went well: nothing where the script is to be quiet. */
#define il_lua_tell(context, ...)                                                                  \
    ((context)->options->quiet ? (void)0 : il_lua_say((context), __VA_ARGS__))

/* Where progress goes; NULL: nowhere, as in workers, whose parent shows it. */
FILE *il_lua_waiting(const il_lua_context *context);

/* Note a failure of kind ("check", "run", ...) in the journal, at the line of the script that
 * called the function that runs now. */
void il_lua_note(lua_State *L, const char *kind, const char *text);

/* Call body with data as its only argument on context->L, protected. False where it raised an
 * error: *failure then holds it, after who ("problem 'ball'"), with its places in the script,
 * unless an earlier failure is there or the program is interrupted. */
bool il_lua_protect(il_lua_context *context, const char *who, lua_CFunction body, void *data,
                    il_error *failure);

/* Raise an error at the place of the script where the function in the registry at ref begins. */
_Noreturn void il_lua_blame(lua_State *L, int ref, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Push "FILE:LINE: " of the script's line that is at work, past the part of the module that is
 * written in Lua. */
void il_lua_where(lua_State *L);

#endif
