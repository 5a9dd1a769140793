/*
 * motion.c - reads motions of steps.
 */
#include "harness/lua/scripted/motion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

enum { MOST = IL_MOTION_DEGREE_MAX + 1 };

void il_lua_motion_free(il_lua_motion *w) {
    free(w->end);
    free(w->c);
}

static bool refuse(char why[IL_LUA_WHY], const char *what, size_t n, const char *allowed) {
    (void)snprintf(why, IL_LUA_WHY, "motion.%s of %zu; allowed: %s", what, n, allowed);
    return false;
}

static void reserve(il_lua_motion *w, size_t n, size_t d) {
    if (n > w->room) {
        il_memory_grow(&w->end, n, sizeof *w->end);
        il_memory_grow(&w->c, n * MOST * d, sizeof *w->c);
        w->room = n;
    }
}

/* The length of the table on top of the stack; 0 for anything else. */
static size_t length(lua_State *L) {
    return lua_istable(L, -1) ? (size_t)lua_rawlen(L, -1) : 0;
}

/* Coefficients of piece j, on top of the stack, at c; those left out are zero. *most grows to
 * their number. */
static bool read_piece(lua_State *L, size_t d, double *c, size_t j, size_t *most,
                       char why[IL_LUA_WHY]) {
    char what[64];
    size_t n = length(L);
    *most = n > *most ? n : *most;
    (void)snprintf(what, sizeof what, "c[%zu]", j + 1);
    if (n < 2 || n > MOST) {
        return refuse(why, what, n, "2 to 8 arrays, of s^0, s^1, ...");
    }
    memset(c, 0, MOST * d * sizeof *c);
    bool good = true;
    for (size_t k = 0; good && k < n; k++) {
        (void)snprintf(what, sizeof what, "motion.c[%zu][%zu]", j + 1, k + 1);
        (void)lua_rawgeti(L, -1, (lua_Integer)k + 1);
        good = il_lua_read_vector(L, -1, what, false, c + k * d, d, why);
        lua_pop(L, 1);
    }
    return good;
}

bool il_lua_motion_read(lua_State *L, int index, size_t d, il_lua_motion *w, char why[IL_LUA_WHY]) {
    if (!lua_istable(L, index)) {
        (void)snprintf(why, IL_LUA_WHY,
                       "no motion behind q and u; allowed: {ends = {...}, c = {{c0, c1, ...}, "
                       "...}}, as dense = true says");
        return false;
    }
    index = lua_absindex(L, index);
    size_t most = 0;
    (void)lua_getfield(L, index, "ends");
    size_t n = length(L);
    bool good = n > 0 || refuse(why, "ends", n, "the time at which each piece ends");
    if (good) {
        reserve(w, n, d);
    }
    good = good && il_lua_read_vector(L, -1, "motion.ends", false, w->end, n, why);
    lua_pop(L, 1);
    (void)lua_getfield(L, index, "c");
    if (good && length(L) != n) {
        good = refuse(why, "c", length(L), "one array a piece, as many as motion.ends has");
    }
    for (size_t j = 0; good && j < n; j++) {
        (void)lua_rawgeti(L, -1, (lua_Integer)j + 1);
        good = read_piece(L, d, w->c + j * MOST * d, j, &most, why);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    for (size_t j = 1; good && j < n; j++) {
        memmove(w->c + j * most * d, w->c + j * MOST * d, most * d * sizeof *w->c);
    }
    w->motion = (il_motion){.d = d, .n = n, .degree = most - 1, .end = w->end, .c = w->c};
    return good;
}
