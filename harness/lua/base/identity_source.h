/*
 * identity_source.h - the source of a function of a script, and the words in it. Not for use
 * outside harness/lua.
 */
#ifndef IL_LUA_IDENTITY_SOURCE_H
#define IL_LUA_IDENTITY_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *text; /* [n] from the first "function" of its first line to the last "end" of its
                         last */
    size_t n;
    bool ambiguous; /* several functions begin on its first line */
} il_lua_source;

/* The source between two lines (from 1) of a script. False where the script has no such lines. */
bool il_lua_source_of(const char *script, int first, int last, il_lua_source *source);

/* A name in a source, [n]. */
typedef struct {
    const char *text;
    size_t n;
} il_lua_name;

/* The next name in [at, end) that is neither a field nor a method, nor within a comment or a
 * string; after it, or NULL at the end. */
const char *il_lua_next_name(const char *at, const char *end, il_lua_name *name);

/* Does a literal field follow wherever the source has the name, as in name.field? */
bool il_lua_source_has_fields_alone(const il_lua_source *source, const il_lua_name *name);

/* A name in the source that stands for what is not the same every time (a random number, the clock,
 * files), or reaches what it does not name; NULL if there is none. */
const char *il_lua_source_suspect(const il_lua_source *source);

/* Does the script declare constants, whose values stand in the bytecode alone? */
bool il_lua_source_has_constants(const char *script);

#endif
