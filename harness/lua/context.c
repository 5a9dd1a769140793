/*
 * context.c - what belongs to one script, found from its Lua state.
 */
#include "harness/lua/context.h"

#include <lauxlib.h>
#include <stdarg.h>
#include <string.h>

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

void il_lua_say(const il_lua_context *context, const char *format, ...) {
    FILE *out = context->options->messages;
    if (out == NULL) {
        return;
    }
    va_list args;
    va_start(args, format);
    (void)vfprintf(out, format, args);
    va_end(args);
    (void)fputc('\n', out);
    (void)fflush(out);
}
