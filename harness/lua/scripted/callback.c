/*
 * callback.c - one call of a function of a problem written in Lua, and reading what it returns.
 *
 * Every call is protected. A function that fails is noted once, with its place in the script, and
 * none is called again.
 */
#include <assert.h>
#include <lauxlib.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/lua/scripted/parts.h"

enum { PLACES = 100 }; /* levels of the stack that a message looks at */

const char *const il_lua_function_names[IL_LUA_FUNCTIONS + 1] = {"force", "force_mean",
                                                                 "constraints", "exact", NULL};

const il_error *il_scripted_failure(const il_scripted *problem) {
    return problem != NULL && problem->failure.code != IL_OK ? &problem->failure : NULL;
}

il_status il_scripted_verdict(const il_scripted *problem, il_status status, il_error *err) {
    const il_error *failure = il_scripted_failure(problem);
    return failure != NULL ? il_fail(err, failure->code, "%s", failure->message) : status;
}

/* "ball.lua:12: force": the function by its place. */
static void complain(lua_State *L, const il_lua_request *r, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void complain(lua_State *L, const il_lua_request *r, const char *format, ...) {
    lua_Debug where;
    char text[512];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    lua_rawgeti(L, LUA_REGISTRYINDEX, r->w->function[r->what]);
    (void)lua_getinfo(L, ">S", &where);
    (void)luaL_error(L, "%s:%d: %s %s", where.short_src, where.linedefined,
                     il_lua_function_names[r->what], text);
}

/* The vector at index into x[d]. */
static void read_vector(lua_State *L, const il_lua_request *r, int index, const char *what,
                        double *x) {
    size_t d = r->w->d;
    char given[96];
    index = lua_absindex(L, index);
    if (d == 1 && lua_type(L, index) == LUA_TNUMBER) {
        x[0] = lua_tonumber(L, index);
    } else if (!lua_istable(L, index) || lua_rawlen(L, index) != d) {
        il_lua_describe(L, index, given, sizeof given);
        complain(L, r, "gave %s as %s%s; allowed: an array of %zu number%s", what, given,
                 lua_istable(L, index) ? " of another length" : "", d, d == 1 ? "" : "s");
    } else {
        for (size_t k = 0; k < d; k++) {
            if (lua_rawgeti(L, index, (lua_Integer)k + 1) != LUA_TNUMBER) {
                il_lua_describe(L, -1, given, sizeof given);
                complain(L, r, "gave %s[%zu] as %s; allowed: a number", what, k + 1, given);
            }
            x[k] = lua_tonumber(L, -1);
            lua_pop(L, 1);
        }
    }
    for (size_t k = 0; k < d; k++) {
        if (!isfinite(x[k])) {
            complain(L, r, "gave %s[%zu] as %g; it must be finite", what, k + 1,
                     isnan(x[k]) ? (double)NAN : x[k]);
        }
    }
}

/* Note that the row at hand came without a derivative. */
static void note_missing(lua_State *L, const il_lua_request *r, size_t i, unsigned what) {
    il_lua_instance *s = r->rows;
    if (i >= s->missing_room) {
        size_t room = 2 * i + 8;
        if (!il_memory_grow(&s->missing, room, sizeof *s->missing)) {
            s->rows.starved = true;
            complain(L, r, "met the end of memory");
            return; /* it does not come here */
        }
        memset(s->missing + s->missing_room, 0, room - s->missing_room);
        s->missing_room = room;
    }
    assert(s->missing != NULL); /* it has missing_room entries */
    s->missing[i] = (unsigned char)(s->missing[i] | what);
}

/* Raise an error if row i, the table below the top of the stack by `depth`, has a key that no row
 * has. */
static void expect_known(lua_State *L, const il_lua_request *r, size_t i, int depth) {
    static const char *const known[] = {"g", "grad", "dt", NULL};
    int table = lua_absindex(L, -1 - depth);
    for (lua_pushnil(L); lua_next(L, table) != 0; lua_pop(L, 1)) {
        const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "[...]";
        bool found = false;
        for (size_t k = 0; known[k] != NULL; k++) {
            found |= strcmp(key, known[k]) == 0;
        }
        if (!found) {
            complain(L, r, "gave constraint %zu the unknown key '%s'; known: g, grad, dt", i + 1,
                     key);
        }
    }
}

static double read_number(lua_State *L, const il_lua_request *r, size_t i, const char *key) {
    double x = 0.0;
    lua_pushstring(L, key);
    int type = lua_rawget(L, -2);
    if (type == LUA_TNUMBER) {
        x = lua_tonumber(L, -1);
    }
    bool absent_dt = type == LUA_TNIL && strcmp(key, "dt") == 0;
    if (absent_dt) {
        note_missing(L, r, i, IL_MADE_RATE);
    } else if (type != LUA_TNUMBER || !isfinite(x)) {
        char given[96];
        expect_known(L, r, i, 1);
        il_lua_describe(L, -1, given, sizeof given);
        complain(L, r, "gave %s of constraint %zu as %s; allowed: a finite number", key, i + 1,
                 given);
    }
    lua_pop(L, 1);
    return x;
}

/* Every coordinate, for a gradient that is made later. */
static size_t leave_open(lua_State *L, const il_lua_request *r, size_t i) {
    il_lua_instance *s = r->rows;
    note_missing(L, r, i, IL_MADE_GRADIENT);
    for (size_t k = 0; k < r->w->d; k++) {
        s->coef[k] = 0.0;
        s->col[k] = k;
    }
    return r->w->d;
}

/* The gradient at the top of the stack into coef and col of the instance, without zeros. */
static size_t read_gradient(lua_State *L, const il_lua_request *r, size_t i) {
    il_lua_instance *s = r->rows;
    char what[64];
    if (lua_isnil(L, -1)) {
        return leave_open(L, r, i);
    }
    (void)snprintf(what, sizeof what, "grad of constraint %zu", i + 1);
    read_vector(L, r, -1, what, s->coef);
    size_t n = 0;
    for (size_t k = 0; k < r->w->d; k++) {
        if (s->coef[k] != 0.0) {
            s->coef[n] = s->coef[k];
            s->col[n++] = k;
        }
    }
    if (n == 0) {
        complain(L, r, "gave constraint %zu a gradient that vanishes", i + 1);
    }
    return n;
}

/* The keys of a row, at the bottom of the stack of answer(): found there they need not be looked up
 * by their letters at every row. */
enum { KEY_G = 2, KEY_GRAD, KEY_DT, KEYS = 3 /* of a row */ };

/* The number that the row at the top of the stack has under a key; NAN for anything else. */
static double take_number(lua_State *L, int key) {
    lua_pushvalue(L, key);
    double x = lua_rawget(L, -2) == LUA_TNUMBER ? lua_tonumber(L, -1) : (double)NAN;
    lua_pop(L, 1);
    return x;
}

/* The gradient at the top of the stack into coef and col, without zeros: how many numbers, or 0 if
 * something is the matter with them. */
static size_t take_gradient(lua_State *L, const il_lua_instance *s) {
    size_t d = s->w->d;
    size_t n = 0;
    if (!lua_istable(L, -1) || lua_rawlen(L, -1) != d) {
        return 0;
    }
    for (size_t k = 0; k < d; k++) {
        bool number = lua_rawgeti(L, -1, (lua_Integer)k + 1) == LUA_TNUMBER;
        double x = lua_tonumber(L, -1);
        lua_pop(L, 1);
        if (!number || !isfinite(x)) {
            return 0;
        }
        s->coef[n] = x;
        s->col[n] = k;
        n += x != 0.0;
    }
    return n;
}

/* Has the table at the top of the stack n keys? */
static bool has_keys(lua_State *L, int n) {
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        if (n-- == 0) {
            lua_pop(L, 2);
            return false;
        }
    }
    return n == 0;
}

/* The row at the top of the stack, appended, if nothing is the matter with it: most of what a
 * problem in Lua costs. False, and nothing said, for read_row to say what is, a key that no row has
 * among it. */
static bool take_row(lua_State *L, const il_lua_request *r, size_t i) {
    il_lua_instance *s = r->rows;
    if (!s->read || !lua_istable(L, -1)) {
        return false;
    }
    double g = take_number(L, KEY_G);
    double rate = take_number(L, KEY_DT);
    lua_pushvalue(L, KEY_GRAD);
    (void)lua_rawget(L, -2);
    size_t n = take_gradient(L, s);
    lua_pop(L, 1);
    return isfinite(g) && isfinite(rate) && n > 0 && has_keys(L, KEYS) &&
           il_rows_append(&s->rows, i, g, rate, n, s->col, s->coef) == IL_OK;
}

/* The row {g =, grad =, dt =} at the top of the stack, appended. */
static void read_row(lua_State *L, const il_lua_request *r, size_t i) {
    il_lua_instance *s = r->rows;
    if (!lua_istable(L, -1)) {
        char given[96];
        il_lua_describe(L, -1, given, sizeof given);
        complain(L, r, "gave constraint %zu as %s; allowed: {g =, grad = {...}, dt =}", i + 1,
                 given);
    }
    double g = read_number(L, r, i, "g");
    double rate = read_number(L, r, i, "dt");
    lua_pushliteral(L, "grad");
    (void)lua_rawget(L, -2);
    size_t n = read_gradient(L, r, i);
    lua_pop(L, 1);
    unsigned missing = s->missing != NULL && i < s->missing_room ? s->missing[i] : 0u;
    int keys = 3 - ((missing & IL_MADE_RATE) != 0) - ((missing & IL_MADE_GRADIENT) != 0);
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        keys--;
    }
    if (keys != 0) {
        expect_known(L, r, i, 0);
    }
    if (il_rows_append(&s->rows, i, g, rate, n, s->col, s->coef) != IL_OK) {
        complain(L, r, "met the end of memory");
    }
}

/* Raise an error if the table of p rows at the top of the stack has anything else: a row beside the
 * array, as in {g = ..., grad = ...} without braces around it, would be no constraint. */
static void expect_array(lua_State *L, const il_lua_request *r, size_t p) {
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        char given[96];
        if (!lua_isinteger(L, -2) || lua_tointeger(L, -2) < 1 ||
            (lua_Unsigned)lua_tointeger(L, -2) > p) {
            il_lua_describe(L, -2, given, sizeof given);
            complain(L, r,
                     "returned a table with the key %s; allowed: an array of constraints, "
                     "{{g =, grad = {...}, dt =}, ...}",
                     given);
        }
    }
}

static void read_rows(lua_State *L, const il_lua_request *r) {
    if (!lua_istable(L, -1)) {
        char given[96];
        il_lua_describe(L, -1, given, sizeof given);
        complain(L, r, "returned %s; allowed: an array of {g =, grad = {...}, dt =}", given);
    }
    size_t p = (size_t)lua_rawlen(L, -1);
    if (r->w->p == SIZE_MAX) {
        expect_array(L, r, p);
    }
    if (r->w->p != SIZE_MAX && p != r->w->p) {
        complain(L, r,
                 "returned %zu constraints at t = %g and %zu at the start; their number "
                 "must not change",
                 p, r->t0, r->w->p);
    }
    if (r->rows != NULL) {
        il_rows_clear(&r->rows->rows);
        if (r->rows->missing != NULL) {
            memset(r->rows->missing, 0, r->rows->missing_room);
        }
    }
    for (size_t i = 0; i < p; i++) {
        (void)lua_rawgeti(L, -1, (lua_Integer)i + 1);
        if (r->rows == NULL) {
            r->values[i] = lua_istable(L, -1) ? read_number(L, r, i, "g") : (double)NAN;
        } else if (!take_row(L, r, i)) {
            read_row(L, r, i);
        }
        lua_pop(L, 1);
    }
}

static void push_vector(lua_State *L, const double *x, size_t d) {
    lua_createtable(L, (int)d, 0);
    for (size_t k = 0; k < d; k++) {
        lua_pushnumber(L, x[k]);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
}

/* Runs under pcall: all that can raise an error is in here. */
static int answer(lua_State *L) {
    const il_lua_request *r = lua_touserdata(L, 1);
    int n = 2;
    luaL_checkstack(L, 16, NULL);
    lua_pushliteral(L, "g"); /* KEY_G and so on */
    lua_pushliteral(L, "grad");
    lua_pushliteral(L, "dt");
    lua_rawgeti(L, LUA_REGISTRYINDEX, r->w->function[r->what]);
    lua_pushnumber(L, r->t0);
    if (r->what == IL_LUA_FORCE_MEAN) {
        lua_pushnumber(L, r->t1);
        n++;
    }
    if (r->what == IL_LUA_EXACT) {
        lua_pushinteger(L, r->side);
    } else {
        push_vector(L, r->q, r->w->d);
    }
    lua_call(L, n, 2);
    if (r->what == IL_LUA_CONSTRAINTS) {
        lua_pop(L, 1);
        read_rows(L, r);
    } else if (r->what == IL_LUA_EXACT) {
        read_vector(L, r, -2, "q", r->x);
        read_vector(L, r, -1, "u", r->y);
    } else {
        read_vector(L, r, -2, "f", r->x);
    }
    return 0;
}

/* The message handler of a callback: the error's text, at a place of the script in any case, and
 * where the script called the function that failed, down to the callback itself: the innermost
 * places, because each level is found by walking from the first. */
static int locate(lua_State *L) {
    lua_Debug where;
    char text[700] = "";
    char last[100] = "";
    if (lua_type(L, 1) == LUA_TSTRING) {
        il_text_append(text, sizeof text, "%.500s", lua_tostring(L, 1));
    } else {
        il_text_append(text, sizeof text, "the error is a %s, not a message", luaL_typename(L, 1));
    }
    for (int level = 1; level <= PLACES && lua_getstack(L, level, &where) != 0; level++) {
        char place[100];
        (void)lua_getinfo(L, "Slf", &where);
        bool ours = lua_tocfunction(L, -1) == answer;
        lua_pop(L, 1);
        if (ours) {
            break;
        }
        (void)snprintf(place, sizeof place, "%.80s:%d", where.short_src, where.currentline);
        if (where.currentline > 0 && strcmp(place, last) != 0) {
            if (strstr(text, place) == NULL) {
                il_text_append(text, sizeof text, last[0] == '\0' ? " (at %s)" : ", called at %s",
                               place);
            }
            (void)snprintf(last, sizeof last, "%s", place);
        }
    }
    lua_pushstring(L, text);
    return 1;
}

bool il_scripted_ask(il_lua_request *r) {
    il_scripted *w = r->w;
    lua_State *L = w->context->L;
    if (w->failure.code != IL_OK) {
        return false;
    }
    if (lua_checkstack(L, 8) == 0) {
        (void)il_fail(&w->failure, IL_ESCRIPT, "no room on the Lua stack for a callback");
        return false;
    }
    int top = lua_gettop(L);
    lua_pushcfunction(L, locate);
    lua_pushcfunction(L, answer);
    lua_pushlightuserdata(L, r);
    int code = lua_pcall(L, 1, 0, top + 1);
    w->context->L = L; /* the callback may have run things of its own, on other threads */
    if (code != LUA_OK && !il_interrupted()) { /* no failure of the script's */
        const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
        bool starved = code == LUA_ERRMEM || (r->rows != NULL && r->rows->rows.starved);
        (void)il_fail(&w->failure, starved ? IL_ENOMEM : IL_ESCRIPT, "problem '%.60s': %.900s",
                      w->type.name, text != NULL ? text : "an error while its error was handled");
    }
    lua_settop(L, top);
    return code == LUA_OK;
}
