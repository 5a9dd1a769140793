/*
 * notice.c - which failures have been told, and the lines that tell them.
 */
#include "harness/lua/sweep/notice.h"

#include <ctype.h>
#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/lua/base/context.h"

static const char TOLD[] = "impactlab.notices"; /* in the registry: kinds as keys */

bool il_execution_has_status(const json_t *record, il_status status) {
    return strcmp(il_json_get_text(record, "status"), il_status_name(status)) == 0;
}

bool il_record_went_well(const json_t *record) {
    return il_execution_has_status(record, IL_OK);
}

/* Push the kind of a failure: its status and message, with '#' for every number. The times and
 * residuals of a hundred cases differ where the failure is one and the same. */
static void push_kind(lua_State *L, const json_t *record) {
    luaL_Buffer kind;
    luaL_buffinit(L, &kind);
    luaL_addstring(&kind, il_json_get_text(record, "status"));
    luaL_addchar(&kind, ' ');
    const char *text = il_json_get_text(record, "message");
    while (*text != '\0') {
        if (isdigit((unsigned char)*text)) {
            luaL_addchar(&kind, '#');
            text += strspn(text, "0123456789.e+-");
        } else {
            luaL_addchar(&kind, *text++);
        }
    }
    luaL_pushresult(&kind);
}

/* Pop the kind at the top of the stack; true if it had not been told, as it then is. */
static bool is_news(lua_State *L) {
    (void)luaL_getsubtable(L, LUA_REGISTRYINDEX, TOLD);
    lua_insert(L, -2);
    lua_pushvalue(L, -1);
    bool news = lua_rawget(L, -3) == LUA_TNIL;
    lua_pop(L, 1);
    lua_pushboolean(L, true);
    lua_rawset(L, -3);
    lua_pop(L, 1);
    return news;
}

/* "sticky(N=8) by maury, 4 steps: not_converged: why" */
static void describe(const il_case *c, const json_t *record, char *out, size_t capacity) {
    out[0] = '\0';
    il_text_append(out, capacity, "%.200s by %.60s", c->problem->label, c->scheme->name);
    if (c->steps > 0) {
        il_text_append(out, capacity, ", %zu step%s", c->steps, il_lua_plural(c->steps));
    }
    if (c->h > 0.0) {
        il_text_append(out, capacity, ", h = %.6g", c->h);
    }
    const char *message = il_json_get_text(record, "message");
    il_text_append(out, capacity, ": %s%s%s", il_json_get_text(record, "status"),
                   message[0] != '\0' ? ": " : "", message);
}

void il_lua_notice_run(lua_State *L, const char *call, const il_case *c, const json_t *record) {
    il_lua_context *context = il_lua_context_of(L);
    context->outcome.runs++;
    if (il_record_went_well(record)) {
        return;
    }
    context->outcome.runs_failed++;
    push_kind(L, record);
    if (is_news(L)) {
        char line[1500];
        describe(c, record, line, sizeof line);
        il_lua_note(L, "run", line);
        il_lua_where(L);
        il_lua_say(context, "%s%s: %s", lua_tostring(L, -1), call, line);
        lua_pop(L, 1);
    }
}

/* Push a table from kinds to how many cases of the sweep are of each. */
static void push_counts(lua_State *L, const il_result *result) {
    lua_newtable(L);
    for (size_t k = 0; k < il_sweep_count(result->sweep); k++) {
        if (il_result_has(result, k) && !il_result_went_well(result, k)) {
            push_kind(L, il_result_record(L, result, k));
            lua_pushvalue(L, -1);
            (void)lua_rawget(L, -3);
            lua_Integer before = lua_tointeger(L, -1);
            lua_pop(L, 1);
            lua_pushinteger(L, before + 1);
            lua_rawset(L, -3);
        }
    }
}

void il_lua_notice_sweep(lua_State *L, const il_result *result) {
    il_lua_context *context = il_lua_context_of(L);
    push_counts(L, result);
    for (size_t k = 0; k < il_sweep_count(result->sweep); k++) {
        if (!il_result_has(result, k) || il_result_went_well(result, k)) {
            continue;
        }
        const json_t *record = il_result_record(L, result, k);
        push_kind(L, record);
        lua_pushvalue(L, -1);
        (void)lua_rawget(L, -3);
        lua_Integer alike = lua_tointeger(L, -1);
        lua_pop(L, 1);
        if (is_news(L)) {
            char line[1500];
            il_case c = il_sweep_case(result->sweep, k);
            describe(&c, record, line, sizeof line);
            if (alike > 1) {
                il_text_append(line, sizeof line, " (%lld cases so)", (long long)alike);
            }
            il_lua_note(L, "case", line);
            il_lua_say(context, "sweep %s: %s", result->sweep->name, line);
        }
    }
    lua_pop(L, 1);
}
