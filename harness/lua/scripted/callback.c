/*
 * callback.c - one call of a function of a problem written in Lua, and reading what it returns.
 *
 * Every call is protected. A function that fails is noted once, with its place in the script, and
 * none is called again. Keys that no row has are looked for in the first call only: in a later one
 * a misspelt key means that g, grad or dt is missing, and that is said.
 */
#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/lua/base/record.h"
#include "harness/lua/scripted/parts.h"

const char *const il_lua_function_names[IL_LUA_FUNCTIONS + 1] = {"force", "force_mean",
                                                                 "constraints", "exact", NULL};

const il_error *il_scripted_failure(const void *scripted) {
    const il_scripted *problem = scripted;
    return problem->failure.code != IL_OK ? &problem->failure : NULL;
}

il_status il_scripted_verdict(const il_scripted *problem, il_status status, il_error *err) {
    const il_error *failure = il_scripted_failure(problem);
    return failure != NULL ? il_fail(err, failure->code, "%s", failure->message) : status;
}

/* Raise an error at the function that was asked. */
#define complain(L, r, ...) il_lua_blame((L), (r)->w->function[(r)->what], __VA_ARGS__)

/* Raise an error at the value at the top of the stack, which is not allowed. */
static _Noreturn void refuse(lua_State *L, const il_lua_request *r, const char *what,
                             const char *allowed) {
    char given[96];
    il_lua_describe(L, -1, given, sizeof given);
    complain(L, r, "constraints %s %s; allowed: %s", what, given, allowed);
}

/* The vector at index into x[d]; `what`, with the number of its constraint unless that is 0, names
 * it where it is refused. */
static void read_vector(lua_State *L, const il_lua_request *r, int index, const char *what,
                        size_t constraint, double *x) {
    char why[IL_LUA_WHY];
    char name[64];
    if (constraint > 0) {
        (void)snprintf(name, sizeof name, "%s of constraint %zu", what, constraint);
        what = name;
    }
    if (!il_lua_read_vector(L, index, what, true, x, r->w->d, why)) {
        complain(L, r, "%s gave %s", il_lua_function_names[r->what], why);
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* The keys of a row, at the bottom of the stack of answer(): found there they need not be looked up
 * by their letters at every row. */
enum { KEY_G = 2, KEY_GRAD, KEY_DT };

/* Note that row i came without a derivative. */
static void note_missing(const il_lua_request *r, size_t i, unsigned what) {
    il_lua_instance *s = r->rows;
    s->missing[i] = (unsigned char)(s->missing[i] | what);
    s->incomplete = true;
}

/* Raise an error if row i, the table at the top of the stack, has a key that no row has. */
static void expect_known(lua_State *L, const il_lua_request *r, size_t i) {
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        if (!lua_rawequal(L, -2, KEY_G) && !lua_rawequal(L, -2, KEY_GRAD) &&
            !lua_rawequal(L, -2, KEY_DT)) {
            complain(L, r,
                     "constraints gave constraint %zu the unknown key '%s'; known: g, grad, dt",
                     i + 1, lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "[...]");
        }
    }
}

/* g, or dt, which may be left out. */
static double read_number(lua_State *L, const il_lua_request *r, size_t i, int key) {
    lua_pushvalue(L, key);
    int type = lua_rawget(L, -2);
    double x = lua_tonumber(L, -1);
    if (type == LUA_TNIL && key == KEY_DT) {
        note_missing(r, i, IL_MADE_RATE);
    } else if (type != LUA_TNUMBER || !isfinite(x)) {
        char what[80];
        (void)snprintf(what, sizeof what, "gave %s of constraint %zu as", lua_tostring(L, key),
                       i + 1);
        refuse(L, r, what, "a finite number");
    }
    lua_pop(L, 1);
    return x;
}

/* The gradient of the row at the top of the stack into coef and col of the instance, without
 * zeros; all coordinates for one that is made later. */
static size_t read_gradient(lua_State *L, const il_lua_request *r, size_t i) {
    il_lua_instance *s = r->rows;
    size_t n = 0;
    lua_pushvalue(L, KEY_GRAD);
    bool given = lua_rawget(L, -2) != LUA_TNIL;
    if (given) {
        read_vector(L, r, -1, "grad", i + 1, s->coef);
    } else {
        note_missing(r, i, IL_MADE_GRADIENT);
    }
    for (size_t k = 0; k < r->w->d; k++) {
        s->coef[n] = given ? s->coef[k] : 0.0;
        s->col[n] = k;
        n += !given || s->coef[n] != 0.0;
    }
    lua_pop(L, 1);
    if (n == 0) {
        complain(L, r, "constraints gave constraint %zu a gradient that vanishes", i + 1);
    }
    return n;
}

/* The row {g =, grad =, dt =} at the top of the stack, appended. */
static void read_row(lua_State *L, const il_lua_request *r, size_t i) {
    il_lua_instance *s = r->rows;
    if (!lua_istable(L, -1)) {
        char what[48];
        (void)snprintf(what, sizeof what, "gave constraint %zu as", i + 1);
        refuse(L, r, what, "{g =, grad = {...}, dt =}");
    }
    if (r->w->p == SIZE_MAX) {
        expect_known(L, r, i);
    }
    double g = read_number(L, r, i, KEY_G);
    double rate = read_number(L, r, i, KEY_DT);
    size_t n = read_gradient(L, r, i);
    il_rows_append(&s->rows, i, g, rate, n, s->col, s->coef);
}

/* Raise an error if the table of p rows at the top of the stack has anything else: a row beside the
 * array, as in {g = ..., grad = ...} without braces around it, would be no constraint. */
static void expect_array(lua_State *L, const il_lua_request *r, size_t p) {
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        if (!lua_isinteger(L, -2) || lua_tointeger(L, -2) < 1 ||
            (lua_Unsigned)lua_tointeger(L, -2) > p) {
            lua_pushvalue(L, -2);
            refuse(L, r, "returned a table with the key",
                   "an array of constraints, {{g =, grad = {...}, dt =}, ...}");
        }
    }
}

/* No rows yet, and room to note what each comes without. */
static void begin_rows(const il_lua_request *r, size_t p) {
    il_lua_instance *s = r->rows;
    il_rows_clear(&s->rows);
    s->incomplete = false;
    if (p > s->missing_room) {
        il_memory_grow(&s->missing, p, 1);
        s->missing_room = p;
    }
    if (p > 0) {
        memset(s->missing, 0, p);
    }
}

static void read_rows(lua_State *L, const il_lua_request *r) {
    if (!lua_istable(L, -1)) {
        refuse(L, r, "returned", "an array of {g =, grad = {...}, dt =}");
    }
    size_t p = (size_t)lua_rawlen(L, -1);
    if (r->w->p == SIZE_MAX) {
        expect_array(L, r, p);
    } else if (p != r->w->p) {
        complain(
            L, r,
            "constraints returned %zu constraints at t = %g and %zu at the start; their number "
            "must not change",
            p, r->t0, r->w->p);
    }
    if (r->rows != NULL) {
        begin_rows(r, p);
    }
    for (size_t i = 0; i < p; i++) {
        (void)lua_rawgeti(L, -1, (lua_Integer)i + 1);
        if (r->rows == NULL) {
            r->values[i] = lua_istable(L, -1) ? read_number(L, r, i, KEY_G) : (double)NAN;
        } else {
            read_row(L, r, i);
        }
        lua_pop(L, 1);
    }
}

/* ---- a call ---------------------------------------------------------------------------------- */

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
        il_lua_push_numbers(L, r->q, r->w->d, 1);
    }
    lua_call(L, n, 2);
    if (r->what == IL_LUA_CONSTRAINTS) {
        lua_pop(L, 1);
        read_rows(L, r);
    } else if (r->what == IL_LUA_EXACT) {
        read_vector(L, r, -2, "q", 0, r->x);
        read_vector(L, r, -1, "u", 0, r->y);
    } else {
        read_vector(L, r, -2, "f", 0, r->x);
    }
    return 0;
}

bool il_scripted_ask(il_lua_request *r) {
    il_scripted *w = r->w;
    return w->failure.code == IL_OK &&
           il_lua_protect(w->context, w->identity.what, answer, r, &w->failure);
}

/* ---- constraints that are numbers ------------------------------------------------------------ */

double il_scripted_affine_value(const il_scripted *w, size_t i, double t, const double *q) {
    const double *row = w->affine + i * (w->d + 2);
    double g = row[0] + row[1] * t;
    for (size_t k = 0; k < w->d; k++) {
        g += row[2 + k] * q[k];
    }
    return g;
}

void il_scripted_affine_values(const il_scripted *w, double t, const double *q, double *g) {
    for (size_t i = 0; i < w->naffine; i++) {
        g[i] = il_scripted_affine_value(w, i, t, q);
    }
}
