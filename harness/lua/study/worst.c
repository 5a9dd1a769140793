/*
 * worst.c - the data with the largest error that a search finds:
 *
 *     lab.worst{problem = function(x) ... end, over = {{low, high}, ...}, scheme =,
 *               steps = N or {...}, norm = "u_L1", order = 1, horizon =, starts = 16, budget = 400}
 *
 * c(x) = the largest error/h^p over the numbers of steps. It jumps where an event passes a node, so
 * that nothing smooth will do: Nelder and Mead's simplex (GSL's nmsimplex2) from the best of
 * `starts` points of Sobol's sequence, one after the other, until the budget of points is spent. x
 * is folded back into its box. Nothing is drawn: the same call finds the same.
 */
#include <gsl/gsl_multimin.h>
#include <gsl/gsl_qrng.h>
#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "harness/base/elementary.h"
#include "harness/lua/base/args.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/setfield.h"

enum { DIMENSIONS_MAX = 40, STARTS_MAX = 10000 }; /* of GSL's Sobol sequences; of points */

/* The simplex begins with a tenth of the box, and ends at a millionth. */
static const double FIRST = 0.1;
static const double LAST = 1e-6;

typedef struct {
    const il_fields *f;
    int run; /* where on the stack lab.run is, and the problem's function */
    int problem;
    size_t d, nsteps, count, budget, failed;
    const double *low, *high, *steps;
    const char *norm;
    double order;
    double *x, *best; /* [d] in the box */
    double value, at; /* the largest, and its number of steps */
    bool broken;      /* an error is on the stack */
} search;

/* z, anywhere, folded into the unit interval: 0 to 1 and back. */
static double fold(double z) {
    double y = fabs(fmod(z, 2.0));
    return y <= 1.0 ? y : 2.0 - y;
}

/* One run, the problem's description being on top of the stack, which stays: error/h^p; NAN where
 * it fails. */
static double one_run(search *s, double steps) {
    lua_State *L = s->f->L;
    double c = NAN;
    lua_pushvalue(L, s->run);
    lua_newtable(L);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "problem");
    (void)il_fields_push(s->f, "scheme");
    lua_setfield(L, -2, "scheme");
    (void)il_fields_push(s->f, "horizon");
    lua_setfield(L, -2, "horizon");
    lua_pushinteger(L, (lua_Integer)steps);
    lua_setfield(L, -2, "steps");
    lua_newtable(L);
    lua_pushstring(L, "none");
    lua_rawseti(L, -2, 1);
    lua_setfield(L, -2, "norms");
    if (lua_pcall(L, 1, 1, 0) != LUA_OK) {
        s->broken = true;
        return NAN;
    }
    if (lua_getfield(L, -1, "error") == LUA_TTABLE) {
        (void)lua_getfield(L, -1, s->norm);
        (void)lua_getfield(L, -3, "h");
        c = lua_isnumber(L, -2) ? lua_tonumber(L, -2) / il_pow(lua_tonumber(L, -1), s->order) : NAN;
        lua_pop(L, 2);
    }
    lua_pop(L, 2);
    return c;
}

/* c(x) for x = s->x, kept if it is the largest; NAN where no run ends well or a function raised. */
static double look(search *s) {
    lua_State *L = s->f->L;
    double worst = NAN;
    lua_pushvalue(L, s->problem);
    lua_createtable(L, (int)s->d, 0);
    for (size_t k = 0; k < s->d; k++) {
        lua_pushnumber(L, s->x[k]);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    s->broken = lua_pcall(L, 1, 1, 0) != LUA_OK;
    s->count++;
    for (size_t j = 0; !s->broken && j < s->nsteps; j++) {
        double c = one_run(s, s->steps[j]);
        s->failed += isnan(c) ? 1 : 0;
        if (c > worst || isnan(worst)) {
            worst = c;
        }
        if (c > s->value || (isnan(s->value) && !isnan(c))) {
            s->value = c;
            s->at = s->steps[j];
            memcpy(s->best, s->x, s->d * sizeof *s->x);
        }
    }
    if (!s->broken) {
        lua_pop(L, 1);
    }
    return worst;
}

/* What GSL makes small. Nothing more is run once something broke or the budget is spent. */
static double objective(const gsl_vector *z, void *self) {
    search *s = self;
    if (s->broken || s->count >= s->budget) {
        return GSL_POSINF;
    }
    for (size_t k = 0; k < s->d; k++) {
        s->x[k] = s->low[k] + (s->high[k] - s->low[k]) * fold(gsl_vector_get(z, k));
    }
    double c = look(s);
    return isnan(c) ? GSL_POSINF : -c;
}

/* The points of Sobol's sequence, [starts][d] into z, and what they give, into c; into order the
 * best first. */
static void scatter(search *s, size_t starts, gsl_qrng *sobol, double *z, double *c,
                    size_t *order) {
    for (size_t i = 0; i < starts && !s->broken; i++) {
        gsl_vector_view at = gsl_vector_view_array(z + i * s->d, s->d);
        (void)gsl_qrng_get(sobol, z + i * s->d);
        c[i] = objective(&at.vector, s);
        size_t j = i;
        for (; j > 0 && c[order[j - 1]] > c[i]; j--) {
            order[j] = order[j - 1];
        }
        order[j] = i;
    }
}

/* From one point down; GSL's own memory comes and goes here. */
static void descend(search *s, gsl_multimin_fminimizer *simplex, gsl_vector *step, double *z) {
    gsl_multimin_function function = {objective, s->d, s};
    gsl_vector_view from = gsl_vector_view_array(z, s->d);
    gsl_vector_set_all(step, FIRST);
    if (gsl_multimin_fminimizer_set(simplex, &function, &from.vector, step) != 0) {
        return;
    }
    while (!s->broken && s->count < s->budget && gsl_multimin_fminimizer_iterate(simplex) == 0 &&
           gsl_multimin_fminimizer_size(simplex) > LAST) {
    }
}

static bool find(search *s, size_t starts, double *z, double *c, size_t *order) {
    gsl_qrng *sobol = gsl_qrng_alloc(gsl_qrng_sobol, (unsigned)s->d);
    gsl_vector *step = gsl_vector_alloc(s->d);
    gsl_multimin_fminimizer *simplex =
        gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, s->d);
    bool good = sobol != NULL && step != NULL && simplex != NULL;
    if (good) {
        scatter(s, starts, sobol, z, c, order);
    }
    for (size_t i = 0; good && i < starts && !s->broken && s->count < s->budget; i++) {
        if (isfinite(c[order[i]])) {
            descend(s, simplex, step, z + order[i] * s->d);
        }
    }
    gsl_multimin_fminimizer_free(simplex);
    gsl_vector_free(step);
    gsl_qrng_free(sobol);
    return good;
}

/* over = {{low, high}, ...} into the search. */
static void read_box(const il_fields *f, search *s) {
    lua_State *L = f->L;
    if (!il_fields_push(f, "over") || !lua_istable(L, -1)) {
        il_fields_miss(f, "over", "an array of ranges: {{low, high}, ...}");
    }
    s->d = il_fields_length(f, "over");
    if (s->d == 0 || s->d > DIMENSIONS_MAX) {
        lua_pushinteger(L, (lua_Integer)s->d);
        il_fields_refuse(f, "#over", -1, "1 to 40 ranges");
    }
    double *low = il_lua_take(L, f->arena, s->d, sizeof *low, NULL);
    double *high = il_lua_take(L, f->arena, s->d, sizeof *high, NULL);
    for (size_t k = 0; k < s->d; k++) {
        size_t n = 0;
        const char *what = il_lua_print(L, f->arena, "over[%zu]", k + 1);
        (void)lua_rawgeti(L, -1, (lua_Integer)k + 1);
        const double *range = il_fields_numbers_at_top(f, what, true, &n);
        if (n != 2 || !(range[0] < range[1])) {
            if (n == 2) {
                (void)lua_pushfstring(L, "{%f, %f}", range[0], range[1]);
            }
            il_fields_refuse(f, what, -1, "{low, high}, low below high");
        }
        low[k] = range[0];
        high[k] = range[1];
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    s->low = low;
    s->high = high;
}

static void read_steps(const il_fields *f, search *s) {
    s->steps = il_fields_numbers(f, "steps", true, &s->nsteps);
    if (s->nsteps == 0) {
        il_fields_miss(f, "steps", "a number of steps, or an array of such");
    }
    for (size_t k = 0; k < s->nsteps; k++) {
        if (!(s->steps[k] >= 1.0 && s->steps[k] <= 1e9 && s->steps[k] == floor(s->steps[k]))) {
            lua_pushnumber(f->L, s->steps[k]);
            il_fields_refuse(f, "steps", -1, "integers in [1, 1e9]");
        }
    }
}

static void push_found(lua_State *L, const il_fields *f, const search *s) {
    luaL_Buffer b;
    lua_newtable(L);
    il_lua_set_number(L, "c", s->value);
    il_lua_set_numbers(L, "x", s->best, s->d, 1);
    il_lua_set_count(L, "steps", (size_t)s->at);
    il_lua_set_count(L, "points", s->count);
    il_lua_set_count(L, "failed", s->failed);
    il_lua_set_text(L, "norm", s->norm);
    luaL_buffinit(L, &b);
    luaL_addstring(
        &b, il_lua_print(L, f->arena,
                         "largest found at %zu points: %s = %.17g h^%.6g with %.0f steps, x =",
                         s->count, s->norm, s->value, s->order, s->at));
    for (size_t k = 0; k < s->d; k++) {
        luaL_addstring(&b, il_lua_print(L, f->arena, "%s%.17g", k == 0 ? " " : ", ", s->best[k]));
    }
    luaL_pushresult(&b);
    lua_setfield(L, -2, "text");
}

/* lab.run is the closure's own. */
static int lab_worst(lua_State *L) {
    static const char *const known[] = {"problem", "over",    "scheme", "steps",  "norm",
                                        "order",   "horizon", "starts", "budget", NULL};
    static const char *const norms[] = {"u_L1", "q_Linf", "final_q", "final_u", NULL};
    il_fields f = il_fields_begin(L, 1, "lab.worst", known);
    search s = {.f = &f, .value = NAN};
    read_box(&f, &s);
    read_steps(&f, &s);
    s.norm = norms[il_fields_choice(&f, "norm", norms, 0)];
    s.order = il_fields_positive(&f, "order", 1.0);
    s.budget = il_fields_count(&f, "budget", 1, 400);
    size_t starts = il_fields_count(&f, "starts", 1, 16);
    if (starts > STARTS_MAX) {
        (void)il_fields_push(&f, "starts");
        il_fields_refuse(&f, "starts", -1, "an integer in [1, 10000]");
    }
    s.x = il_lua_take(L, f.arena, s.d, sizeof *s.x, NULL);
    s.best = il_lua_take(L, f.arena, s.d, sizeof *s.best, NULL);
    double *z = il_lua_take(L, f.arena, starts * s.d, sizeof *z, NULL);
    double *c = il_lua_take(L, f.arena, starts, sizeof *c, NULL);
    size_t *order = il_lua_take(L, f.arena, starts, sizeof *order, NULL);
    lua_pushvalue(L, lua_upvalueindex(1));
    s.run = lua_gettop(L);
    if (!il_fields_push(&f, "problem") || !lua_isfunction(L, -1)) {
        il_fields_refuse(&f, "problem", -1,
                         "a function(x) that returns a problem, as lab.run takes it");
    }
    s.problem = lua_gettop(L);
    luaL_checkstack(L, 20, "lab.worst");
    if (!find(&s, starts, z, c, order)) {
        return luaL_error(L, "lab.worst: no memory for a search");
    }
    if (s.broken) {
        return lua_error(L);
    }
    if (isnan(s.value)) {
        return luaL_error(L,
                          "lab.worst: no run at any of %d points has an error: all failed, or "
                          "the problem has no exact solution",
                          (int)s.count);
    }
    push_found(L, &f, &s);
    return 1;
}

void il_lua_add_worst(lua_State *L) {
    (void)lua_getfield(L, -1, "run");
    lua_pushcclosure(L, lab_worst, 1);
    lua_setfield(L, -2, "worst");
}
