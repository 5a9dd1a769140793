/*
 * context.c - what belongs to one script, found from its Lua state.
 */
#include "harness/lua/base/context.h"

#include <lauxlib.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"

enum { PLACES = 100 }; /* levels of the stack that a message looks at */

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

void il_lua_say(const il_lua_context *context, const char *format, ...) {
    FILE *out = context->options->messages;
    char *text = NULL;
    va_list args;
    if (out == NULL) {
        return;
    }
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0) {
        il_memory_end(0);
    }
    va_end(args);
    il_text_make_printable(text, true);
    (void)fputs(text, out);
    free(text);
    (void)fputc('\n', out);
    (void)fflush(out);
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

/* The message handler of a callback: the error's text, at a place of the script in any case, and
 * where the script called the function that failed, down to the callback itself: the innermost
 * places, because each level is found by walking from the first. */
static int locate(lua_State *L) {
    lua_Debug where;
    char text[700] = "";
    char last[100] = "";
    if (lua_type(L, 1) == LUA_TSTRING) {
        il_text_append(text, sizeof text, "%.500s", lua_tostring(L, 1));
    } else {
        il_text_append(text, sizeof text, "the error is a %s, not a message", luaL_typename(L, 1));
    }
    for (int level = 1; level <= PLACES && lua_getstack(L, level, &where) != 0; level++) {
        char place[100];
        (void)lua_getinfo(L, "Slf", &where);
        bool ours = lua_tocfunction(L, -1) == il_lua_context_of(L)->body;
        lua_pop(L, 1);
        if (ours) {
            break;
        }
        (void)snprintf(place, sizeof place, "%.80s:%d", where.short_src, where.currentline);
        if (where.currentline > 0 && strcmp(place, last) != 0) {
            if (strstr(text, place) == NULL) {
                il_text_append(text, sizeof text, last[0] == '\0' ? " (at %s)" : ", called at %s",
                               place);
            }
            (void)snprintf(last, sizeof last, "%s", place);
        }
    }
    lua_pushstring(L, text);
    return 1;
}

bool il_lua_protect(il_lua_context *context, const char *who, lua_CFunction body, void *data,
                    il_error *failure) {
    lua_State *L = context->L;
    lua_CFunction outer = context->body; /* a callback may run things of its own */
    int top = lua_gettop(L);
    if (lua_checkstack(L, 8) == 0) {
        (void)il_fail(failure, IL_ESCRIPT, "%.100s: no room on the Lua stack", who);
        return false;
    }
    context->body = body;
    lua_pushcfunction(L, locate);
    lua_pushcfunction(L, body);
    lua_pushlightuserdata(L, data);
    int code = lua_pcall(L, 1, 0, top + 1);
    context->body = outer;
    context->L = L; /* it may have been another thread's meanwhile */
    if (code != LUA_OK && failure->code == IL_OK && !il_interrupted()) {
        const char *text = lua_tostring(L, -1);
        (void)il_fail(failure, code == LUA_ERRMEM ? IL_ENOMEM : IL_ESCRIPT, "%.100s: %.900s", who,
                      text != NULL ? text : "an error while its error was handled");
    }
    lua_settop(L, top);
    return code == LUA_OK;
}

void il_lua_blame(lua_State *L, int ref, const char *format, ...) {
    lua_Debug where;
    char text[512];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    lua_rawgeti(L, LUA_REGISTRYINDEX, ref);
    (void)lua_getinfo(L, ">S", &where);
    (void)luaL_error(L, "%s:%d: %s", where.short_src, where.linedefined, text);
    abort(); /* luaL_error does not return, but does not say so */
}
