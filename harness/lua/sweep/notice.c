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
    for (const char *text = il_json_get_text(record, "message"); *text != '\0'; text++) {
        bool number = isdigit((unsigned char)*text);
        luaL_addchar(&kind, number ? '#' : *text);
        text += number ? strspn(text, "0123456789.e+-") - 1 : 0;
    }
    luaL_pushresult(&kind);
}

/* Tell of a failure whose kind, at the top of the stack, had not been told; it is popped. `before`
 * stands before the line, alike is how many cases of a sweep are of the kind. */
static void tell(lua_State *L, const char *before, const il_case *c, const json_t *record,
                 size_t alike) {
    char line[1500] = "";
    (void)luaL_getsubtable(L, LUA_REGISTRYINDEX, TOLD);
    lua_pushvalue(L, -2);
    bool told = lua_rawget(L, -2) != LUA_TNIL;
    lua_pushvalue(L, -3);
    lua_pushboolean(L, true);
    lua_rawset(L, -4);
    lua_pop(L, 3);
    if (told) {
        return;
    }
    il_text_append(line, sizeof line, "%.200s by %.60s", c->problem->label, c->scheme->name);
    if (c->steps > 0) {
        il_text_append(line, sizeof line, ", %zu step%s", c->steps, il_lua_plural(c->steps));
    }
    if (c->h > 0.0) {
        il_text_append(line, sizeof line, ", h = %.6g", c->h);
    }
    const char *message = il_json_get_text(record, "message");
    il_text_append(line, sizeof line, ": %s%s%s", il_json_get_text(record, "status"),
                   message[0] != '\0' ? ": " : "", message);
    if (alike > 1) {
        il_text_append(line, sizeof line, " (%zu cases so)", alike);
    }
    il_lua_note(L, alike > 0 ? "case" : "run", line);
    il_lua_say(il_lua_context_of(L), "%s: %s", before, line);
}

void il_lua_notice_run(lua_State *L, const char *call, const il_case *c, const json_t *record) {
    il_lua_context *context = il_lua_context_of(L);
    context->outcome.runs++;
    if (!il_record_went_well(record)) {
        context->outcome.runs_failed++;
        il_lua_where(L);
        const char *before = lua_pushfstring(L, "%s%s", lua_tostring(L, -1), call);
        push_kind(L, record);
        tell(L, before, c, record, 0);
        lua_pop(L, 2);
    }
}

void il_lua_notice_sweep(lua_State *L, const il_result *result) {
    size_t n = il_sweep_count(result->sweep);
    const char *before = lua_pushfstring(L, "sweep %s", result->sweep->name);
    lua_newtable(L); /* from kinds to how many cases are of each */
    for (int told = 0; told < 2; told++) {
        for (size_t k = 0; k < n; k++) {
            if (!il_result_has(result, k) || il_result_went_well(result, k)) {
                continue;
            }
            il_case c = il_sweep_case(result->sweep, k);
            const json_t *record = il_result_record(L, result, k);
            push_kind(L, record);
            lua_pushvalue(L, -1);
            (void)lua_rawget(L, -3);
            lua_Integer alike = lua_tointeger(L, -1);
            lua_pop(L, 1);
            if (told) {
                tell(L, before, &c, record, (size_t)alike);
            } else {
                lua_pushinteger(L, alike + 1);
                lua_rawset(L, -3);
            }
        }
    }
    lua_pop(L, 2);
}
