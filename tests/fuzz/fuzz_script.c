/*
 * fuzz_script.c - a text as a script, in the state that scripts have, with a bound on instructions
 * and on memory: it ends, by itself or with an error that has a message, and nothing of it stays.
 * What a guest may take (harness/lua/base/guard.h), a gigabyte and a day, is too much for one input, and
 * seconds are not the same twice: here instructions are counted.
 */
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "harness/lua/base/context.h"
#include "harness/lua/script.h"
#include "tests/fuzz/fuzz.h"

enum { INSTRUCTIONS = 20000, AGAIN = 100 };
static const size_t MEMORY = (size_t)32 << 20;

typedef struct {
    const char *text;
    size_t used; /* bytes that Lua holds */
    lua_Alloc inner;
    void *inner_data;
} guest;

static void *allocate(void *data, void *block, size_t old, size_t size) {
    guest *g = data;
    size_t before = block != NULL ? old : 0;
    if (size > before && g->used + (size - before) > MEMORY) {
        return NULL;
    }
    void *result = g->inner(g->inner_data, block, old, size);
    if (size == 0 || result != NULL) {
        g->used += size;
        g->used -= before;
    }
    return result;
}

/* From here on every few instructions: pcall does not go on for long. */
static void stop(lua_State *L, lua_Debug *where) {
    (void)where;
    lua_sethook(L, stop, LUA_MASKCOUNT, AGAIN);
    (void)luaL_error(L, "too many instructions");
}

static int run(lua_State *L) {
    guest *g = lua_touserdata(L, 1);
    g->inner = lua_getallocf(L, &g->inner_data);
    lua_setallocf(L, allocate, g);
    lua_sethook(L, stop, LUA_MASKCOUNT, INSTRUCTIONS);
    if (luaL_loadbufferx(L, g->text, strlen(g->text), "=script", "t") != LUA_OK) {
        return lua_error(L);
    }
    lua_call(L, 0, 0);
    return 0;
}

static il_status one(const uint8_t *data, size_t n, il_error *err) {
    static const il_lua_options options = {.script = "script", .workers = 1};
    il_bytes bytes = {data, n};
    char *text = il_bytes_text(&bytes);
    guest g = {.text = text,
               .used = (size_t)16 << 20}; /* what was there before is let go of, too */
    il_lua_context context = {.options = &options};
    il_error said = {IL_OK, ""};
    il_status status = il_lua_call(&context, run, &g, &said);
    if (status != IL_OK && said.message[0] == '\0') {
        status = il_fail(err, IL_EINTERNAL, "%s without a word", il_status_name(status));
    } else {
        status = IL_OK;
    }
    for (size_t k = 0; k < context.outcome.checks_failed; k++) {
        free(context.complaints[k]);
    }
    free(context.complaints);
    free(context.traceback);
    free(text);
    return status;
}

const il_fuzz il_fuzz_script = {
    .name = "script",
    .text = "Lua texts as scripts: lab.run, lab.problem, sweeps, tables",
    .one = one,
};
