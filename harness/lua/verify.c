/*
 * verify.c - what harness/lua/library/verify.lua, which checks the claims, is given: the claim
 * files that the build embedded, workers, verdicts, and JSON for what it makes.
 */
#include "harness/lua/verify.h"

#include <lauxlib.h>
#include <stdlib.h>

#include "build_id.h"
#include "claims.inc"
#include "harness/base/json.h"
#include "harness/io/workers/jobs.h"
#include "harness/io/workers/pool.h"
#include "harness/lua/base/args.h"
#include "harness/lua/base/context.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/record.h"
#include "harness/lua/script.h"
#include "harness/study/verdict.h"

typedef struct {
    const il_verify_options *options;
    const char *mode; /* "claims", "controls", "list" */
    json_t *result;
} verification;

/* ---- workers -------------------------------------------------------------------------------- */

/* host.share(names, costs, work) as it runs. */
typedef struct {
    lua_State *L; /* 1: names, 2: costs, 3: work */
    const char **names;
    json_t **results; /* [n] {"value": ...} or {"error": text} of each job */
    size_t n;
    il_jobs *watch; /* shows how far they are; or NULL */
} sharing;

static int with_traceback(lua_State *L) {
    luaL_traceback(L, L, luaL_tolstring(L, 1, NULL), 1);
    return 1;
}

/* In a worker: what work(k) returned, or its error. */
static char *work(void *data, size_t k) {
    const sharing *s = data;
    lua_State *L = s->L;
    il_error err = {IL_OK, ""};
    json_t *out = json_object();
    (void)il_jobs_begin(s->watch, k);
    lua_pushcfunction(L, with_traceback);
    lua_pushvalue(L, 3);
    lua_pushinteger(L, (lua_Integer)k + 1);
    il_lua_context_of(L)->raised.code = IL_OK;
    int code = lua_pcall(L, 1, 1, -3);
    bool room =
        code == LUA_OK || (code != LUA_ERRMEM && il_lua_context_of(L)->raised.code != IL_ENOMEM);
    json_t *value = code == LUA_OK ? il_lua_value_take(L, -1, &err) : NULL;
    if (value != NULL) {
        il_json_set(out, "value", value);
    } else {
        il_json_put_text(out, "error", code == LUA_OK ? err.message : lua_tostring(L, -1));
    }
    lua_pop(L, 2);
    char *text = room ? il_json_text(out) : NULL;
    json_decref(out);
    return text;
}

static il_status receive(void *data, size_t k, const char *text, const il_pool_loss *loss,
                         il_error *err) {
    const sharing *s = data;
    il_jobs_end(s->watch, k);
    if (text != NULL) {
        return il_json_parse(text, &s->results[k], err);
    }
    s->results[k] = json_pack("{s:s}", "error", loss->why);
    return IL_OK;
}

static void name_of(const void *data, size_t k, char *room, size_t capacity) {
    const sharing *s = data;
    (void)snprintf(room, capacity, "%s", s->names[k]);
}

static void tick(void *data) {
    const sharing *s = data;
    il_jobs_show(s->watch, "", name_of, s);
}

static void close_jobs(void *room) {
    il_jobs_destroy(*(il_jobs **)room);
}

/* Push the results of the jobs: values, and errors by the number of their job. */
static void push_results(lua_State *L, const sharing *s) {
    lua_newtable(L);
    lua_newtable(L);
    for (size_t k = 0; k < s->n; k++) {
        const json_t *error = json_object_get(s->results[k], "error");
        if (error != NULL) {
            lua_pushstring(L, json_string_value(error));
        } else {
            il_lua_push_json(L, json_object_get(s->results[k], "value"));
        }
        lua_rawseti(L, error != NULL ? -2 : -3, (lua_Integer)k + 1);
    }
}

/* host.share(names, costs, work) -> values, errors: work(k) for every name, by workers. What jobs
 * cost says what share of all is done. */
static int share(lua_State *L) {
    const verification *v = lua_touserdata(L, lua_upvalueindex(1));
    il_lua_arena *arena = il_lua_arena_open(L);
    il_error err = {IL_OK, ""};
    size_t n = (size_t)lua_rawlen(L, 1);
    sharing *s = il_lua_take(L, arena, 1, sizeof *s, NULL);
    *s = (sharing){.L = L, .n = n};
    s->results = il_lua_take(L, arena, n, sizeof(json_t *), il_lua_close_json);
    s->names = il_lua_take(L, arena, n, sizeof *s->names, NULL);
    size_t workers = v->options->workers;
    il_jobs **watch = il_lua_take(L, arena, 1, sizeof(il_jobs *), close_jobs);
    *watch = s->watch = il_jobs_create(v->options->messages, "verify", s->n);
    for (size_t k = 0; k < s->n; k++) {
        (void)lua_rawgeti(L, 1, (lua_Integer)k + 1);
        (void)lua_rawgeti(L, 2, (lua_Integer)k + 1);
        s->names[k] = il_lua_copy(L, arena, lua_tostring(L, -2));
        il_jobs_expect(s->watch, k, lua_tonumber(L, -1));
        lua_pop(L, 2);
    }
    il_pool pool = {.workers = workers,
                    .jobs = s->n,
                    .work = work,
                    .receive = receive,
                    .tick = tick,
                    .data = s};
    il_status status = il_pool_run(&pool, &err);
    il_jobs_destroy(*watch);
    *watch = s->watch = NULL;
    il_lua_expect(L, NULL, status, &err);
    push_results(L, s);
    return 2;
}

/* ---- verdicts ------------------------------------------------------------------------------- */

/* host.judge(measured, bound, above, near, shows, finding, not_applicable, inconclusive)
 *     -> verdict, reason */
static int judge(lua_State *L) {
    il_checked checked;
    il_check check = {.measured = lua_tonumber(L, 1),
                      .bound = lua_tonumber(L, 2),
                      .above = lua_toboolean(L, 3),
                      .near = lua_tonumber(L, 4),
                      .shows = lua_tostring(L, 5),
                      .finding = lua_tostring(L, 6),
                      .not_applicable = lua_tostring(L, 7),
                      .inconclusive = lua_tostring(L, 8)};
    il_check_judge(&check, &checked);
    lua_pushstring(L, il_check_word(checked.verdict));
    lua_pushstring(L, checked.reason);
    return 2;
}

static void set_verdicts(lua_State *L) {
    lua_createtable(L, IL_CHECK_COUNT, 0);
    for (il_check_verdict c = 0; c < IL_CHECK_COUNT; c++) {
        il_lua_make(L, IL_SET("word", il_check_word(c)), IL_SET("key", il_check_key(c)));
        lua_rawseti(L, -2, (lua_Integer)c + 1);
    }
    lua_setfield(L, -2, "verdicts");
}

/* ---- files and ids -------------------------------------------------------------------------- */

/* host.load(text, name) -> a function */
static int load(lua_State *L) {
    size_t n = 0;
    const char *text = luaL_checklstring(L, 1, &n);
    if (luaL_loadbufferx(L, text, n, luaL_checkstring(L, 2), "t") != LUA_OK) {
        return lua_error(L);
    }
    return 1;
}

static void set_files(lua_State *L) {
    lua_Integer n = 0;
    lua_newtable(L);
    for (size_t k = 0; k < sizeof claim_files / sizeof claim_files[0]; k++) {
        il_lua_make(L, IL_SET("name", claim_files[k].name));
        lua_pushlstring(L, (const char *)claim_files[k].text, claim_files[k].size);
        lua_setfield(L, -2, "text");
        lua_rawseti(L, -2, ++n);
    }
    lua_setfield(L, -2, "files");
}

/* ---- entry ---------------------------------------------------------------------------------- */

static int body(lua_State *L) {
    verification *v = lua_touserdata(L, 1);
    il_lua_push_part(L, "verify");
    lua_getglobal(L, "require");
    lua_pushliteral(L, "impactlab");
    lua_call(L, 1, 1);
    lua_newtable(L);
    luaL_setfuncs(L, il_lua_host_fields, 0);
    lua_pushlightuserdata(L, v);
    lua_pushcclosure(L, share, 1);
    lua_setfield(L, -2, "share");
    lua_pushcfunction(L, judge);
    lua_setfield(L, -2, "judge");
    lua_pushcfunction(L, load);
    lua_setfield(L, -2, "load");
    il_lua_set(L, IL_SET("mode", v->mode), IL_SET("text", v->options->claims));
    set_verdicts(L);
    set_files(L);
    il_lua_push_texts(L, v->options->ids, v->options->nids);
    lua_setfield(L, -2, "ids");
    lua_call(L, 2, 1);
    v->result = il_lua_report_take(L);
    return 0;
}

static il_status run(const il_verify_options *o, const char *mode, json_t **out, il_error *err) {
    verification v = {.options = o, .mode = mode};
    il_lua_options options = {.workers = 1, .substitutes = o->substitutes};
    il_lua_context context = {.options = &options};
    il_status status = il_lua_call(&context, body, &v, err);
    free(context.traceback);
    *out = status == IL_OK ? v.result : NULL;
    if (status != IL_OK) {
        json_decref(v.result);
    }
    return status;
}

il_status il_verify(const il_verify_options *options, json_t **report, il_error *err) {
    return run(options, "claims", report, err);
}

il_status il_verify_controls(const il_verify_options *options, json_t **report, il_error *err) {
    return run(options, "controls", report, err);
}

il_status il_verify_list(json_t **list, il_error *err) {
    const il_verify_options none = {.nids = 0};
    return run(&none, "list", list, err);
}
