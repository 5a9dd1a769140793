/*
 * record.h - records, vectors and trajectories as Lua values.
 */
#ifndef IL_LUA_RECORD_H
#define IL_LUA_RECORD_H

#include <jansson.h>
#include <lua.h>
#include <stdbool.h>

#include "harness/base/status.h"
#include "harness/data/trajectory.h"

/* Push a JSON value: objects and arrays become tables, null becomes nil (an absent field; a hole in
 * an array). A member "provenance" is left out: what a script makes must not depend on it.
 * {"#": "inf"}, {"#": "-inf"}, {"#": "nan"} are the numbers that JSON lacks. */
#define IL_LUA_NOT_FINITE "#"
void il_lua_push_json(lua_State *L, const json_t *value);

/* The other way, to cross from a worker: the value at index, which is nil, a boolean, a number
 * (infinities and NaN too), a string of UTF-8, an array or a table with text keys of such. NULL
 * with the reason in err for anything else. The caller owns it. */
json_t *il_lua_value_take(lua_State *L, int index, il_error *err);

/* The value at the top of the stack, which stays, as the JSON of a report; the caller's. A table
 * whose field n says how many keys and values follow each other in it is an object with its members
 * in that order, another one an array, a frame the array of its rows; numbers that are not finite,
 * and all that JSON lacks, are null. */
json_t *il_lua_report_take(lua_State *L);

/* Push an array of numbers x[0], x[stride], ..., n of them. */
void il_lua_push_numbers(lua_State *L, const double *x, size_t n, size_t stride);

/* Push an array of n texts. */
void il_lua_push_texts(lua_State *L, const char *const *texts, size_t n);

/* Set fields of the table at the top of the stack, which stays there, in their order:
 *
 *     il_lua_set(L, IL_SET("low", s.low), IL_SET("hits", s.hits), IL_SET("text", s.text));
 *
 * double, size_t, int, bool and text, which is copied; nothing is set for NULL. */
typedef struct {
    const char *key;
    char kind; /* d, i, b, t: which of these it is */
    double x;
    lua_Integer n;
    const char *text;
} il_lua_field;
#define IL_KIND(v)                                                                                 \
    _Generic((v), double: 'd', size_t: 'i', int: 'i', bool: 'b', char *: 't', const char *: 't')
#define IL_REAL_OF(v) _Generic((v), double : (v), default : 0.0)
#define IL_WHOLE_OF(v) (lua_Integer) _Generic((v), size_t : (v), int : (v), bool : (v), default : 0)
#define IL_TEXT_OF(v) _Generic((v), char * : (v), const char * : (v), default : NULL)
#define IL_SET(key, v)                                                                             \
    { (key), IL_KIND(v), IL_REAL_OF(v), IL_WHOLE_OF(v), IL_TEXT_OF(v) }
void il_lua_set_fields(lua_State *L, const il_lua_field *fields);
#define il_lua_set(L, ...)                                                                         \
    il_lua_set_fields((L), (const il_lua_field[]){__VA_ARGS__, {.key = NULL}})
/* The same of a new table, which is pushed. */
#define il_lua_make(L, ...)                                                                        \
    (lua_createtable((L), 0,                                                                       \
                     (int)(sizeof((const il_lua_field[]){__VA_ARGS__}) / sizeof(il_lua_field))),   \
     il_lua_set(L, __VA_ARGS__))

/* t[key] = the sequence of the n numbers x[0], x[stride], ... for the table t at the top. */
void il_lua_set_numbers(lua_State *L, const char *key, const double *x, size_t n, size_t stride);

/* Push x[d] as an array with + - between arrays, * and / by numbers, and a sign, coordinate by
 * coordinate: of two operands one may be a plain array. */
void il_lua_push_vector(lua_State *L, const double *x, size_t d);

/* Read the array of d numbers at index into x; a number alone where d is 1. False for anything
 * else, and where a number has to be finite and is not; why then says what is wrong with it, which
 * it calls `what`: "WHAT[2] as nan; allowed: a finite number". */
enum { IL_LUA_WHY = 200 };
bool il_lua_read_vector(lua_State *L, int index, const char *what, bool finite, double *x, size_t d,
                        char why[IL_LUA_WHY]);

/* Push an empty trajectory and return its room, which the Lua value owns. The value answers #traj
 * (nodes), traj:dimension(), traj:t(), traj:q(i), traj:u(i) (arrays over the nodes; i from 1) and
 * traj:contacts() (an array of {step, id, impulse}). */
il_trajectory *il_lua_push_trajectory(lua_State *L);

/* The values of :at(t, side): push q and u of a solution of dimension d at the arguments 2, t, and
 * 3, -1 or 1 for a limit from one side, 0 or absent elsewhere; 2. */
int il_lua_push_state_at(lua_State *L, const il_exact *solution, size_t d);

/* A closer for il_lua_take, of an il_trajectory. */
void il_lua_close_trajectory(void *room);

#endif
