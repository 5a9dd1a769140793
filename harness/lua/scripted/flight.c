/*
 * flight.c - many steps of one coordinate and one constraint in one protected call.
 *
 * A function of a few lines calls force mean and constraints and takes their answer apart, so that
 * a step enters Lua once. Where anything is the matter with an answer, an error included, the
 * flight ends before its step, and nothing is said: the single step asks again, and says it
 * (callback.c). A flight that ended so is the run's last.
 */
#include <lauxlib.h>
#include <math.h>
#include <stdint.h>

#include "harness/base/interrupt.h"
#include "harness/lua/scripted/parts.h"

/* Both functions see one q, anew at every step, since a script may keep it, and again if the first
 * has changed it. */
static const char WITH_FORCE[] = "local force, constraints = ...\n"
                                 "return function(t0, t1, x)\n"
                                 "  local q = {x}\n"
                                 "  local f = force(t0, t1, q)\n"
                                 "  if q[1] ~= x then q = {x} end\n"
                                 "  local rows = constraints(t1, q)\n"
                                 "  local row = rows[1]\n"
                                 "  return f, rows, row, row.dt, row.g, row.grad\n"
                                 "end\n";
static const char WITHOUT[] = "local _, constraints = ...\n"
                              "return function(_, t1, x)\n"
                              "  local rows = constraints(t1, {x})\n"
                              "  local row = rows[1]\n"
                              "  return 0.0, rows, row, row.dt, row.g, row.grad\n"
                              "end\n";
enum { ANSWERS = 6, F = -6, ROWS, ROW, RATE, VALUE, GRADIENT };

/* The function at hand of that text, on top of the stack. */
static void push_together(lua_State *L, il_scripted *w) {
    if (w->together == LUA_NOREF) {
        bool force = w->function[IL_LUA_FORCE_MEAN] != LUA_NOREF;
        if (luaL_loadstring(L, force ? WITH_FORCE : WITHOUT) != LUA_OK) {
            (void)lua_error(L);
        }
        lua_rawgeti(L, LUA_REGISTRYINDEX, w->function[IL_LUA_FORCE_MEAN]);
        lua_rawgeti(L, LUA_REGISTRYINDEX, w->function[IL_LUA_CONSTRAINTS]);
        lua_call(L, 2, 1);
        w->together = luaL_ref(L, LUA_REGISTRYINDEX);
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, w->together);
}

/* Is there an array of n values at index, without a say in how it is read? */
static bool plain(lua_State *L, int index, size_t n) {
    if (lua_type(L, index) != LUA_TTABLE || lua_rawlen(L, index) != n) {
        return false;
    }
    return lua_getmetatable(L, index) == 0; /* else it is popped with the answer */
}

/* The finite number at index, or the only one of an array there; NAN for anything else. */
static double take(lua_State *L, int index) {
    double x = NAN;
    if (lua_type(L, index) == LUA_TNUMBER) {
        x = lua_tonumber(L, index);
    } else if (plain(L, index, 1)) {
        x = lua_rawgeti(L, index, 1) == LUA_TNUMBER ? lua_tonumber(L, -1) : (double)NAN;
        lua_pop(L, 1);
    }
    return isfinite(x) ? x : (double)NAN;
}

/* The answer on top of the stack. False where a single step would not take it as it is. */
static bool read(lua_State *L, const il_scripted *w, bool rates, double *f, double *g, double *b) {
    int rate = lua_type(L, RATE);
    bool rated = rates ? rate == LUA_TNUMBER && isfinite(lua_tonumber(L, RATE)) : rate == LUA_TNIL;
    bool value = lua_type(L, VALUE) == LUA_TNUMBER;
    if (!rated || !value || !plain(L, ROWS, 1) || !plain(L, ROW, 0)) {
        return false;
    }
    *f = w->constant != NULL ? w->constant[0] : take(L, F);
    *g = lua_tonumber(L, VALUE);
    *b = take(L, GRADIENT);
    return isfinite(*f) && isfinite(*g) && isfinite(*b) && *b != 0.0;
}

typedef struct {
    il_lua_instance *s;
    il_flight *flight;
} journey;

/* Runs under pcall. */
static int fly(lua_State *L) {
    journey *j = lua_touserdata(L, 1);
    const il_flight *at = j->flight;
    il_scripted *w = (il_scripted *)(uintptr_t)j->s->w;
    double f = 0.0;
    double g = 0.0;
    double b = 0.0;
    bool more = true;
    push_together(L, w);
    bool rates = (w->absent[0] & IL_MADE_RATE) == 0;
    j->s->grounded = true;
    while (more) {
        lua_pushvalue(L, 2);
        lua_pushnumber(L, at->t0);
        lua_pushnumber(L, at->t1);
        lua_pushnumber(L, at->q);
        lua_call(L, 3, ANSWERS);
        if (!read(L, w, rates, &f, &g, &b)) {
            return 0;
        }
        more = j->flight->advance(j->flight, f, g, b);
        lua_settop(L, 2);
    }
    j->s->grounded = false;
    return 0;
}

void il_scripted_fly(const il_problem *self, il_flight *flight) {
    il_lua_instance *s = self->data;
    il_scripted *w = (il_scripted *)(uintptr_t)s->w;
    lua_State *L = w->context->L;
    bool whole = w->made != NULL && w->made[0] == 0 && w->failure.code == IL_OK;
    if (s->grounded || !whole || il_interrupted() || lua_checkstack(L, 8) == 0) {
        return;
    }
    int top = lua_gettop(L);
    journey j = {.s = s, .flight = flight};
    flight->free = !s->touched;
    lua_pushcfunction(L, fly);
    lua_pushlightuserdata(L, &j);
    (void)lua_pcall(L, 1, 0, 0);
    w->context->L = L; /* as after a callback */
    lua_settop(L, top);
}
