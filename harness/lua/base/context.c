/*
 * context.c - what belongs to one script, found from its Lua state.
 */
#include "harness/lua/base/context.h"

#include <lauxlib.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/text.h"

/* Lua copies the extra space of the main thread into every thread that is made later. */
il_lua_context *il_lua_context_of(lua_State *L) {
    il_lua_context *context = NULL;
    memcpy(&context, lua_getextraspace(L), sizeof(void *));
    return context;
}

void il_lua_expect_open(lua_State *L) {
    if (il_lua_context_of(L)->closing) {
        (void)luaL_error(L, "the script has ended");
    }
}

FILE *il_lua_waiting(const il_lua_context *context) {
    bool here = !context->options->quiet && context->pid == (int)getpid();
    return here ? context->options->messages : NULL;
}

__attribute__((format(printf, 2, 0))) static void say(FILE *out, const char *format, va_list args) {
    char *text = NULL;
    if (vasprintf(&text, format, args) >= 0) {
        il_text_make_printable(text, true);
        (void)fputs(text, out);
        free(text);
    }
    (void)fputc('\n', out);
    (void)fflush(out);
}

void il_lua_say(const il_lua_context *context, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (context->options->messages != NULL) {
        say(context->options->messages, format, args);
    }
    va_end(args);
}

void il_lua_tell(const il_lua_context *context, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (context->options->messages != NULL && !context->options->quiet) {
        say(context->options->messages, format, args);
    }
    va_end(args);
}

void il_lua_where(lua_State *L) {
    lua_Debug caller;
    int level = 1;
    while (lua_getstack(L, level, &caller) != 0 && lua_getinfo(L, "S", &caller) != 0 &&
           strcmp(caller.source, "=library") == 0) {
        level++;
    }
    luaL_where(L, level);
}

/* "FILE:LINE" of what luaL_where pushed, "FILE:LINE: "; the text at the top of the stack is
 * replaced. */
static const char *trim_place(lua_State *L) {
    size_t n = 0;
    const char *where = lua_tolstring(L, -1, &n);
    lua_pushlstring(L, where, n >= 2 ? n - 2 : 0);
    lua_remove(L, -2);
    return lua_tostring(L, -1);
}

void il_lua_note(lua_State *L, const char *kind, const char *text) {
    il_lua_where(L);
    il_journal_note(il_lua_context_of(L)->journal, kind, trim_place(L), text);
    lua_pop(L, 1);
}
