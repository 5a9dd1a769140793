/*
 * frame.c - frames as Lua values.
 */
#include "harness/lua/base/frame.h"

#include <lauxlib.h>

#include "harness/lua/base/args.h"

static const char FRAME[] = "impactlab.frame";

il_frame *il_lua_check_frame(lua_State *L, int index) {
    return luaL_checkudata(L, index, FRAME);
}

static void push_cell(lua_State *L, const il_cell *cell) {
    switch (cell->kind) {
    case IL_CELL_COUNT:
        lua_pushinteger(L, (lua_Integer)cell->count);
        break;
    case IL_CELL_REAL:
        lua_pushnumber(L, cell->real);
        break;
    case IL_CELL_TEXT:
        lua_pushstring(L, cell->text);
        break;
    default:
        lua_pushboolean(L, false);
    }
}

static int rows(lua_State *L) {
    lua_pushinteger(L, (lua_Integer)il_lua_check_frame(L, 1)->rows);
    return 1;
}

static int names(lua_State *L) {
    const il_frame *frame = il_lua_check_frame(L, 1);
    lua_createtable(L, (int)frame->columns, 0);
    for (size_t k = 0; k < frame->columns; k++) {
        lua_pushstring(L, frame->names[k]);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    return 1;
}

static int column(lua_State *L) {
    const il_frame *frame = il_lua_check_frame(L, 1);
    size_t k = (size_t)luaL_checkinteger(L, 2) - 1;
    lua_createtable(L, (int)frame->rows, 0);
    for (size_t i = 0; i < frame->rows; i++) {
        push_cell(L, &frame->cells[i * frame->columns + k]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static int at(lua_State *L) {
    push_cell(L, &il_lua_check_frame(L, 1)->cells[luaL_checkinteger(L, 2) - 1]);
    return 1;
}

static int free_frame(lua_State *L) {
    il_frame_free(il_lua_check_frame(L, 1));
    return 0;
}

il_frame *il_lua_push_frame(lua_State *L) {
    static const luaL_Reg meta[] = {{"__len", rows}, {"__gc", free_frame}, {NULL, NULL}};
    static const luaL_Reg methods[] = {
        {"names", names}, {"column", column}, {"at", at}, {NULL, NULL}};
    il_frame *frame = lua_newuserdatauv(L, sizeof *frame, 0);
    *frame = (il_frame){.rows = 0};
    if (il_lua_new_type(L, FRAME, meta)) {
        luaL_newlib(L, methods);
        lua_setfield(L, -2, "__index");
    }
    lua_setmetatable(L, -2);
    return frame;
}
