/*
 * results.c - what harness/lua/library/results.lua asks of C.
 *
 *     host.ask(n, sql, text)       a frame of what index n answers; text is ?1
 *     host.columns                 {{name =, kind =}, ...} that every case has; a kind is "number",
 *                                  "text" or "beginning" (il_index_kind)
 *     host.stored(n)               its cases, without those that are damaged
 *     host.put(text)               to the file that is open, or else to be printed
 *     host.open(path) host.close() a file that is there when it is closed
 *     host.check_name(path)        an error where no file may be called so
 *     host.clear(path)             without what exports that were killed left beside it
 *     host.hdf5(path, frame, texts) host.sqlite(path, sql)
 *     host.nearest(word, names)    nil: none is near
 *     host.number(word)            nil: it spells none
 *     host.journals(n) host.claims(n)   what scripts and verify left there
 */
#include "harness/lua/results.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/io/file.h"
#include "harness/io/scratch.h"
#include "harness/io/store/journal.h"
#include "harness/lua/base/args.h"
#include "harness/lua/base/context.h"
#include "harness/lua/base/frame.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/record.h"
#include "harness/lua/script.h"
#include "harness/results/results.h"

typedef struct {
    const il_lua_results_request *request;
    const il_index *const *index; /* [2] */
    FILE *out;
    il_file file;
    json_t *answer;
} session;

static session *here(lua_State *L) {
    return lua_touserdata(L, lua_upvalueindex(1));
}

static const il_index *index_at(lua_State *L) {
    return here(L)->index[luaL_checkinteger(L, 1) - 1];
}

static int ask(lua_State *L) {
    il_error err = {IL_OK, ""};
    const char *sql = luaL_checkstring(L, 2);
    const char *text = luaL_optstring(L, 3, NULL);
    il_frame *frame = il_lua_push_frame(L);
    il_lua_expect(L, NULL, il_index_ask(index_at(L), sql, text, frame, &err), &err);
    return 1;
}

static int stored(lua_State *L) {
    const il_index *index = index_at(L);
    lua_pushinteger(L, (lua_Integer)(index->files - index->damaged));
    return 1;
}

/* ---- files ---------------------------------------------------------------------------------- */

static int put(lua_State *L) {
    size_t n = 0;
    const char *text = luaL_checklstring(L, 1, &n);
    session *s = here(L);
    (void)fwrite(text, 1, n, s->file.stream != NULL ? s->file.stream : s->out);
    return 0;
}

static int open_file(lua_State *L) {
    il_error err = {IL_OK, ""};
    il_lua_expect(L, NULL, il_file_open(&here(L)->file, luaL_checkstring(L, 1), &err), &err);
    return 0;
}

static int close_file(lua_State *L) {
    il_error err = {IL_OK, ""};
    il_lua_expect(L, NULL, il_file_end(&here(L)->file, IL_OK, &err), &err);
    return 0;
}

static int check_name(lua_State *L) {
    il_error err = {IL_OK, ""};
    const char *path = luaL_checkstring(L, 1);
    il_lua_expect(L, NULL, il_file_check_name(path, &err), &err);
    return 0;
}

/* What exports that were killed left beside the path goes. */
static int clear(lua_State *L) {
    il_scratch_clear_beside(luaL_checkstring(L, 1));
    return 0;
}

static int hdf5(lua_State *L) {
    il_error err = {IL_OK, ""};
    il_frame *frame = il_lua_check_frame(L, 2);
    bool *texts = lua_newuserdatauv(L, frame->columns + 1, 0);
    for (size_t k = 0; k < frame->columns; k++) {
        (void)lua_rawgeti(L, 3, (lua_Integer)k + 1);
        texts[k] = lua_toboolean(L, -1);
        lua_pop(L, 1);
    }
    il_lua_expect(L, NULL, il_export_hdf5(frame, texts, luaL_checkstring(L, 1), &err), &err);
    return 0;
}

static int sqlite(lua_State *L) {
    il_error err = {IL_OK, ""};
    il_status status =
        il_export_sqlite(here(L)->index[0], luaL_checkstring(L, 2), luaL_checkstring(L, 1), &err);
    il_lua_expect(L, NULL, status, &err);
    return 0;
}

/* ---- words ---------------------------------------------------------------------------------- */

static int nearest(lua_State *L) {
    size_t n = (size_t)lua_rawlen(L, 2);
    const char **names = lua_newuserdatauv(L, (n + 1) * sizeof *names, 0);
    for (size_t k = 0; k < n; k++) {
        (void)lua_rawgeti(L, 2, (lua_Integer)k + 1);
        names[k] = lua_tostring(L, -1); /* the array keeps it */
        lua_pop(L, 1);
    }
    lua_pushstring(L, il_text_nearest(luaL_checkstring(L, 1), names, n));
    return 1;
}

static int number(lua_State *L) {
    double x = 0.0;
    if (il_text_number(luaL_checkstring(L, 1), &x)) {
        lua_pushnumber(L, x);
    } else {
        lua_pushnil(L);
    }
    return 1;
}

/* What is taken is pushed; an error when memory ran out. */
static int push_taken(lua_State *L, json_t *value) {
    json_t **room = il_lua_take(L, il_lua_arena_open(L), 1, sizeof *room, il_lua_close_json);
    *room = value;
    il_lua_push_json(L, value);
    return 1;
}

static int journals(lua_State *L) {
    json_t *troubles = json_array();
    json_t *all = il_journal_all(index_at(L)->results, troubles);
    json_decref(troubles);
    return push_taken(L, all);
}

static int claims(lua_State *L) {
    json_t *root = NULL;
    char *text = NULL;
    size_t n = 0;
    il_error none = {IL_OK, ""};
    lua_pushfstring(L, "%s/verify.json", index_at(L)->results);
    if (il_file_load(lua_tostring(L, -1), &text, &n, &none) == IL_OK && text != NULL) {
        (void)il_json_parse(text, &root, NULL);
    }
    free(text);
    return push_taken(L, root);
}

/* ---- entry ---------------------------------------------------------------------------------- */

static void set_columns(lua_State *L) {
    static const char *const kinds[] = {"number", "text", "beginning"};
    lua_newtable(L);
    for (size_t k = 0; il_index_fixed_at(k) != NULL; k++) {
        il_lua_make(L, IL_SET("name", il_index_fixed_at(k)->name),
                    IL_SET("kind", kinds[il_index_fixed_at(k)->kind]));
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_setfield(L, -2, "columns");
}

static void push_request(lua_State *L, const il_lua_results_request *r) {
    il_lua_make(L, IL_SET("action", r->action), IL_SET("results", r->results),
                IL_SET("word", r->word), IL_SET("second", r->second), IL_SET("where", r->where),
                IL_SET("norm", r->norm), IL_SET("figure", r->figure), IL_SET("names", r->names),
                IL_SET("json", r->json));
    il_lua_push_texts(L, r->columns, r->ncolumns);
    lua_setfield(L, -2, "columns");
}

static int body(lua_State *L) {
    static const luaL_Reg functions[] = {
        {"ask", ask},         {"stored", stored},    {"put", put},
        {"open", open_file},  {"close", close_file}, {"check_name", check_name},
        {"clear", clear},     {"hdf5", hdf5},        {"sqlite", sqlite},
        {"nearest", nearest}, {"number", number},    {"journals", journals},
        {"claims", claims},   {NULL, NULL}};
    session *s = lua_touserdata(L, 1);
    (void)lua_getfield(L, LUA_REGISTRYINDEX, IL_LUA_HOST);
    luaL_setfuncs(L, il_lua_host_words, 0);
    lua_pushlightuserdata(L, s);
    luaL_setfuncs(L, functions, 1);
    set_columns(L);
    il_lua_push_part(L, "results");
    lua_insert(L, -2);
    push_request(L, s->request);
    lua_call(L, 2, 1);
    s->answer = il_lua_report_take(L);
    return 0;
}

il_status il_lua_results(const il_lua_results_request *request, const il_index *const index[2],
                         FILE *out, json_t **answer, il_error *err) {
    session s = {.request = request, .index = index, .out = out};
    const il_lua_options options = {.trusted = true, .quiet = true};
    il_lua_context context = {.options = &options};
    il_status status = il_lua_call(&context, body, &s, err);
    il_file_abandon(&s.file);
    free(context.traceback);
    *answer = s.answer;
    return status;
}
