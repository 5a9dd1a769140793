/*
 * present.c - what parts of harness/lua/library that verbs ask are given.
 */
#include "harness/lua/present.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/progress.h"
#include "harness/base/text.h"
#include "harness/lua/base/context.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/record.h"
#include "harness/lua/script.h"

typedef struct {
    const char *form, *path;
    const json_t *report;
    FILE *out;
    json_t **answer;
} presentation;

/* host.printable(text): in one line, without control characters. */
static int printable(lua_State *L) {
    size_t n = 0;
    const char *text = luaL_checklstring(L, 1, &n);
    char *copy = lua_newuserdatauv(L, n + 1, 0);
    memcpy(copy, text, n + 1);
    il_text_make_printable(copy, false);
    lua_pushstring(L, copy);
    return 1;
}

/* host.duration(seconds): "3 min" */
static int duration(lua_State *L) {
    char words[32];
    il_progress_say_seconds(luaL_checknumber(L, 1), words, sizeof words);
    lua_pushstring(L, words);
    return 1;
}

/* host.numeral(x): in the fewest digits that read back as x. */
static int numeral(lua_State *L) {
    lua_pushstring(L, il_text_numeral(luaL_checknumber(L, 1)).text);
    return 1;
}

const luaL_Reg il_lua_host_words[] = {
    {"printable", printable}, {"duration", duration}, {"numeral", numeral}, {NULL, NULL}};

static int body(lua_State *L) {
    const presentation *p = lua_touserdata(L, 1);
    il_lua_push_part(L, "present");
    (void)lua_getfield(L, LUA_REGISTRYINDEX, IL_LUA_HOST);
    luaL_setfuncs(L, il_lua_host_words, 0);
    lua_call(L, 1, 1);
    lua_pushstring(L, p->form);
    il_lua_push_json(L, p->report);
    lua_pushstring(L, p->path);
    lua_call(L, 3, 2);
    if (p->out != NULL) {
        (void)fputs(lua_tostring(L, -2), p->out);
    }
    if (p->answer != NULL) {
        *p->answer = il_lua_report_take(L);
    }
    return 0;
}

il_status il_lua_present(const char *form, const json_t *report, const char *path, FILE *out,
                         json_t **answer, il_error *err) {
    presentation p = {form, path, report, out, answer};
    const il_lua_options options = {.trusted = true, .quiet = true};
    il_lua_context context = {.options = &options};
    il_status status = il_lua_call(&context, body, &p, err);
    free(context.traceback);
    return status;
}
