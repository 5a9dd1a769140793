/*
 * identity_names.h - the lines of a function, the words on them, and the names of libraries.
 * Not for use outside harness/lua.
 */
#ifndef IL_LUA_IDENTITY_NAMES_H
#define IL_LUA_IDENTITY_NAMES_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* Lines first to last of a text, from 1: where they begin, and how many bytes they have; NULL where
 * there are no such lines. */
const char *il_lua_lines(const char *text, int first, int last, size_t *n);

/* The next word in [*at, end), those in comments and strings too, or NULL: *at moves behind it. Is
 * it a field or a method, as in t.word and t:word? */
const char *il_lua_next_word(const char **at, const char *end, size_t *n, bool *field);

/* Note the names of what the globals hold, before the script begins. */
void il_lua_note_libraries(lua_State *L);

/* The name of the value at index, pushed, if it is of a library; else NULL and nothing. */
const char *il_lua_push_library(lua_State *L, int index);

#endif
