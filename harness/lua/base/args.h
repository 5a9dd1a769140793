/*
 * args.h - reading what a script hands over: tables with known keys, and memory that outlives
 * no error.
 *
 * A Lua error leaves a C function by longjmp. Whatever a function acquires therefore belongs to an
 * arena, a Lua value that is closed when the function ends, however it ends. Getters raise errors
 * that say what was given and what is allowed, with the full path of the key:
 *
 *     lab.figure: panels[2].series[1].style is 'line'; allowed: lines, points, ...
 */
#ifndef IL_LUA_ARGS_H
#define IL_LUA_ARGS_H

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/base/option.h"

typedef struct il_lua_arena il_lua_arena;

/* Push a new arena. It lives as long as the Lua value does. */
il_lua_arena *il_lua_arena_new(lua_State *L);

/* The same, and closed when the running C function returns or raises an error. Its place on the
 * stack must not be popped. */
il_lua_arena *il_lua_arena_open(lua_State *L);

/* False once it was closed: a finalizer of the script may meet a value whose arena is gone. */
bool il_lua_arena_alive(const il_lua_arena *arena);

/* Push the metatable of that name, made at the first call with the functions of meta and hidden
 * from scripts; true if it was made now. */
bool il_lua_new_type(lua_State *L, const char *name, const luaL_Reg *meta);

/* Zeroed room for count elements of size bytes, never NULL: a script may have chosen how many, and
 * where there is no memory for so many an error is raised. close, unless NULL, is called with each
 * of them before they are freed; it must be content with zeros, so that the room is registered
 * before anything is acquired into it. */
void *il_lua_take(lua_State *L, il_lua_arena *arena, size_t count, size_t size,
                  void (*close)(void *));

/* A copy of text. */
char *il_lua_copy(lua_State *L, il_lua_arena *arena, const char *text);

/* Text as printf makes it. */
char *il_lua_print(lua_State *L, il_lua_arena *arena, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Closers for il_lua_take, of an il_params *, an il_problem *, a json_t *, a char *. */
void il_lua_close_params(void *room);
void il_lua_close_problem(void *room);
void il_lua_close_json(void *room);
void il_lua_close_text(void *room);

/* "RESULTS/FOLDER", made if it is missing; pushed as a string and returned. */
const char *il_lua_push_folder(lua_State *L, const char *folder);

/* A table of the script that is being read. */
typedef struct {
    lua_State *L;
    il_lua_arena *arena; /* owns all that the getters return */
    int table;           /* absolute index on the stack */
    const char *call;    /* for messages: "lab.run" */
    char path[160];      /* what stands before a key: "" or "panels[2]." */
} il_fields;

/* The value at index, which must be a table. path is "" or the place inside the call's argument,
 * such as "panels[2]". */
il_fields il_fields_open(lua_State *L, il_lua_arena *arena, int index, const char *call,
                         const char *path);

/* The table that is the n-th and last argument of the call that runs; more are dropped. What the
 * getters return lives until that call returns. known: its keys, or NULL where il_fields_known is
 * yet to be asked. */
il_fields il_fields_begin(lua_State *L, int n, const char *call, const char *const *known);

/* Refuse every key that is none of known, which ends with NULL. */
void il_fields_known(const il_fields *f, const char *const *known);

/* Push the value of key; true if it is there. */
bool il_fields_push(const il_fields *f, const char *key);

/* Kinds of options in tables alone. */
enum {
    IL_LUA_NUMBER = IL_OPTION_OWN, /* double, finite */
    IL_LUA_COUNT,                  /* size_t >= least, and no text */
    IL_LUA_NUMBERS,                /* IL_OPTION_NUMBERS, NaN and infinities too */
    IL_LUA_TIMES,                  /* the same, > 0 and increasing strictly */
    IL_LUA_TEXTS                   /* const char **, counted as NUMBERS are */
};

/* Read what the table has of the option into the place at option->at in *into, which else stays as
 * it is. Texts, in UTF-8, and arrays, or one value for them, are copies in the arena. */
void il_lua_read(const il_fields *f, const il_option *option, void *into);

/* One value, or fallback where the key is absent; of an array, NULL and 0. */
const char *il_fields_text(const il_fields *f, const char *key, const char *fallback);
bool il_fields_flag(const il_fields *f, const char *key, bool fallback);
double il_fields_number(const il_fields *f, const char *key, double fallback);
size_t il_fields_count(const il_fields *f, const char *key, size_t least, size_t fallback);
int il_fields_choice(const il_fields *f, const char *key, const char *choices, int fallback);
double *il_fields_numbers(const il_fields *f, const char *key, int kind, size_t *n);

/* How many entries the array at the top of the stack has, which stays; entries behind a gap and
 * those with a name, which would be lost, are refused. what names it in messages. */
size_t il_fields_length(const il_fields *f, const char *what);

/* The numbers of the array, or the one number, at the top of the stack, which stays; what names it
 * in messages. */
double *il_fields_numbers_at_top(const il_fields *f, const char *what, bool finite, size_t *n);

/* Raise "CALL: PATHwhat is VALUE; allowed: ALLOWED", VALUE being the one at index. */
_Noreturn void il_fields_refuse(const il_fields *f, const char *what, int index,
                                const char *allowed);

/* The same of the value at key. */
_Noreturn void il_fields_refuse_key(const il_fields *f, const char *key, const char *allowed);

/* Raise "CALL: PATHkey is missing; ...". */
_Noreturn void il_fields_miss(const il_fields *f, const char *key, const char *allowed);

/* The value at index in a few words: "'abc'", "3.5", "nan", "a table". */
void il_lua_describe(lua_State *L, int index, char *out, size_t capacity);

/* The value at index, which is to be of this type of ours: the object that a method is called of,
 * or an error that says how methods are called. */
void *il_lua_check_self(lua_State *L, int index, const char *type);

/* "s" unless n is 1: "1 case", "2 cases". */
const char *il_lua_plural(size_t n);

/* Raise err as a Lua error at the place of the script that called; its code survives to the top.
 * call (may be NULL) names the function. */
_Noreturn void il_lua_raise(lua_State *L, const char *call, const il_error *err);

/* The same with the message of il_fail. */
_Noreturn void il_lua_fail(lua_State *L, const char *call, il_status code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* il_lua_raise unless status is IL_OK. */
void il_lua_expect(lua_State *L, const char *call, il_status status, const il_error *err);

#endif
