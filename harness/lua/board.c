/*
 * board.c - calls lab.board (scripts/board/board.lua) and takes what it returns.
 */
#include "harness/lua/board.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/lua/base/args.h"
#include "harness/lua/base/record.h"
#include "harness/lua/script.h"

typedef struct {
    const il_board_request *request;
    bool draws;
    json_t *report;
    char *page;
} call;

static void set_list(lua_State *L, const char *key, const char *const *list, size_t n) {
    if (n > 0) {
        il_lua_push_texts(L, list, n);
        lua_setfield(L, -2, key);
    }
}

/* JSON's null for what Lua's tables lack. */
static void complete(const json_t *report) {
    size_t k = 0;
    json_t *cell = NULL;
    json_array_foreach(json_object_get(report, "cells"), k, cell) {
        if (json_object_get(cell, "value") == NULL) {
            il_json_set(cell, "value", json_null());
        }
    }
}

static int body(lua_State *L) {
    call *c = lua_touserdata(L, 1);
    const il_board_request *r = c->request;
    il_error err = {IL_OK, ""};
    lua_getglobal(L, "require");
    lua_pushliteral(L, "impactlab");
    lua_call(L, 1, 1);
    lua_getfield(L, -1, "board");
    lua_newtable(L);
    set_list(L, "schemes", r->schemes, r->nschemes);
    set_list(L, "problems", r->problems, r->nproblems);
    set_list(L, "questions", r->questions, r->nquestions);
    il_lua_set(L, IL_SET("claim", r->claim), IL_SET("question_time", r->question_time),
               IL_SET("page", c->draws));
    lua_call(L, 1, 2);
    c->report = il_lua_value_take(L, -2, &err);
    il_lua_expect(L, NULL, c->report != NULL ? IL_OK : err.code, &err);
    complete(c->report);
    if (c->draws) {
        c->page = il_alloc_text(lua_tostring(L, -1));
    }
    return 0;
}

il_status il_lua_board(const il_lua_options *options, const il_board_request *request,
                       json_t **report, char **page, il_error *err) {
    call c = {.request = request, .draws = options->results != NULL};
    il_status status = il_lua_run_body(options, body, &c, NULL, err);
    if (status != IL_OK) {
        json_decref(c.report);
        free(c.page);
        c = (call){.report = NULL};
    }
    *report = c.report;
    *page = c.page;
    return status;
}
