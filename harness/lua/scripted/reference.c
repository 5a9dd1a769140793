/*
 * reference.c - what runs are compared with where no exact solution is known, or another is meant.
 *
 *     reference = {file = "fine.h5"}                      what trajectory = "fine.h5" wrote
 *     reference = {of = function(t, side) return q, u end, breaks = {...}, name = "mine"}
 *
 * A file is looked for in RESULTS/trajectories, then beside the script; other folders are for
 * trusted scripts. Its run may be longer than those that are compared, not shorter. side is
 * -1 or 1 where the limit is wanted at 0, a break or the end, and 0 elsewhere.
 */
#include "harness/lua/scripted/reference.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "harness/io/file.h"
#include "harness/io/formats/trajectory_file.h"
#include "harness/io/sealed.h"
#include "harness/lua/base/context.h"
#include "harness/lua/base/identity.h"
#include "harness/lua/base/record.h"

struct il_lua_reference {
    il_exact exact;
    const char *key;        /* for the key of a case */
    bool scripted;          /* by a function: the rest */
    il_callbacks callbacks; /* of the function */
    il_lua_identity identity;
    il_lua_context *context;
    size_t d;
    int of; /* the function, a reference into the registry */
    il_error failure;
};

/* ---- a file ---------------------------------------------------------------------------------- */

/* The end may be missed by the rounding with which it was added up. */
static const double ENDS = 1e-12;

/* Where the file is: in the results, or beside the script. */
static const char *find_file(const il_fields *f, const char *name) {
    lua_State *L = f->L;
    const il_lua_options *options = il_lua_context_of(L)->options;
    bool outside = name[0] == '/' || strncmp(name, "../", 3) == 0 || strstr(name, "/../") != NULL;
    if (outside && !options->trusted) {
        il_fields_refuse_key(
            f, "file",
            "a file in the results' trajectories or beside the script; --trust allows "
            "others");
    }
    if (options->results != NULL && strchr(name, '/') == NULL) {
        const char *path = il_lua_print(L, f->arena, "%s/trajectories/%s", options->results, name);
        if (access(path, F_OK) == 0) {
            return path;
        }
    }
    const char *slash = options->script != NULL ? strrchr(options->script, '/') : NULL;
    return slash == NULL || name[0] == '/'
               ? name
               : il_lua_print(L, f->arena, "%.*s/%s", (int)(slash - options->script),
                              options->script, name);
}

/* The sum of its numbers, for keys. */
static const char *sum_of(const il_fields *f, const il_trajectory *w) {
    char sum[4][IL_SEALED_SUM];
    const il_pieces *p = &w->pieces;
    size_t n = w->nodes * sizeof *w->t;
    il_sealed_sum((const char *)w->t, n, sum[0]);
    il_sealed_sum((const char *)w->q, n * w->d, sum[1]);
    il_sealed_sum((const char *)w->u, n * w->d, sum[2]);
    const char *key = il_lua_print(f->L, f->arena, "file: %s %s %s %s",
                                   il_fields_text(f, "file", ""), sum[0], sum[1], sum[2]);
    if (p->n == 0) {
        return key;
    }
    il_sealed_sum((const char *)p->c, p->n * (p->degree + 1) * w->d * sizeof *p->c, sum[3]);
    return il_lua_print(f->L, f->arena, "%s %s", key, sum[3]);
}

static void read_file(const il_fields *f, const il_problem *problem, il_lua_reference *r) {
    lua_State *L = f->L;
    il_error err = {IL_OK, ""};
    const char *name = il_fields_text(f, "file", "");
    il_trajectory *run = il_lua_take(L, f->arena, 1, sizeof *run, il_lua_close_trajectory);
    const char *path = find_file(f, name);
    il_lua_expect(L, f->call, il_trajectory_read(run, path, &err), &err);
    double end = run->t[run->nodes - 1];
    if (run->d != problem->d) {
        il_lua_fail(L, f->call, IL_EINVAL,
                    "reference '%s' has %zu coordinate%s, and problem '%s' has %zu", name, run->d,
                    il_lua_plural(run->d), problem->type->name, problem->d);
    }
    if (!(end >= problem->horizon * (1.0 - ENDS))) {
        il_lua_fail(L, f->call, IL_EINVAL, "reference '%s' ends at t = %.10g, and the run at %.10g",
                    name, end, problem->horizon);
    }
    r->exact = il_trajectory_as_exact(run, il_lua_print(L, f->arena, "file: %s", name));
    r->exact.origin = "a file";
    r->key = sum_of(f, run);
}

/* ---- a function ------------------------------------------------------------------------------ */

typedef struct {
    il_lua_reference *r;
    double t;
    int side;
    double *q, *u;
} request;

/* Under pcall. */
static int answer(lua_State *L) {
    const request *a = lua_touserdata(L, 1);
    luaL_checkstack(L, 8, NULL);
    lua_rawgeti(L, LUA_REGISTRYINDEX, a->r->of);
    lua_pushnumber(L, a->t);
    lua_pushinteger(L, a->side);
    lua_call(L, 2, 2);
    char why[IL_LUA_WHY];
    if (!il_lua_read_vector(L, -2, "q", true, a->q, a->r->d, why) ||
        !il_lua_read_vector(L, -1, "u", true, a->u, a->r->d, why)) {
        il_lua_blame(L, a->r->of, "at t = %.10g it gave %s", a->t, why);
    }
    return 0;
}

static void eval(const il_exact *exact, double t, int side, double *q, double *u) {
    il_lua_reference *r = (il_lua_reference *)(uintptr_t)exact->data;
    request a = {r, t, side, q, u};
    bool done = r->failure.code == IL_OK &&
                il_lua_protect(r->context, r->identity.what, answer, &a, &r->failure);
    for (size_t k = 0; !done && k < r->d; k++) {
        q[k] = u[k] = NAN;
    }
}

static const il_error *failure_of(const void *self) {
    const il_lua_reference *r = self;
    return r->failure.code != IL_OK ? &r->failure : NULL;
}

static void forget_failure(const void *self) {
    ((il_lua_reference *)(uintptr_t)self)->failure = (il_error){IL_OK, ""};
}

/* 0, the breaks inside (0, T), T. */
static void read_breaks(const il_fields *f, double T, il_exact *exact) {
    size_t n = 0;
    const double *inside = il_fields_numbers(f, "breaks", IL_LUA_TIMES, &n);
    double *breaks = il_lua_take(f->L, f->arena, n + 2, sizeof *breaks, NULL);
    exact->nbreaks = 1;
    for (size_t k = 0; k < n; k++) {
        if (inside[k] < T) {
            breaks[exact->nbreaks++] = inside[k];
        }
    }
    breaks[exact->nbreaks++] = T;
    exact->breaks = breaks;
}

static void read_function(const il_fields *f, const il_problem *problem, il_lua_reference *r,
                          int keeper) {
    lua_State *L = f->L;
    if (!il_fields_push(f, "of") || !lua_isfunction(L, -1)) {
        il_fields_refuse(f, "of", -1, "a function(t, side) that returns q, u");
    }
    lua_pushvalue(L, -1);
    (void)luaL_ref(L, keeper);
    r->of = luaL_ref(L, LUA_REGISTRYINDEX); /* as long as the script: the arena cannot let it go */
    const char *name = il_fields_text(f, "name", "function");
    r->scripted = true;
    r->context = il_lua_context_of(L);
    r->d = problem->d;
    r->exact = (il_exact){.name = name, .origin = "a function", .eval = eval, .data = r};
    read_breaks(f, problem->horizon, &r->exact);
    r->key = il_lua_print(L, f->arena, "function: %s", name);
    r->callbacks = (il_callbacks){
        .self = r, .failure = failure_of, .begin = forget_failure, .functions = &r->identity.now};
    il_lua_identity_declare(&r->identity, f, il_lua_print(L, f->arena, "reference '%s'", name));
    double *x = il_lua_take(L, f->arena, 2 * problem->d, sizeof *x, NULL);
    r->context->L = L;
    eval(&r->exact, 0.0, 1, x, x + problem->d); /* wrong now or never */
    il_lua_expect(L, f->call, r->failure.code, &r->failure);
}

/* ---- both ------------------------------------------------------------------------------------ */

const il_lua_reference *il_lua_reference_read(const il_fields *f, const il_problem *problem,
                                              int keeper) {
    static const char *const known[] = {"file", "of", "breaks", "name", "version", NULL};
    lua_State *L = f->L;
    il_lua_reference *r = il_lua_take(L, f->arena, 1, sizeof *r, NULL);
    int table = lua_gettop(L);
    il_fields inner = il_fields_open(L, f->arena, table, f->call, "reference");
    il_fields_known(&inner, known);
    bool file = il_fields_push(&inner, "file");
    bool of = il_fields_push(&inner, "of");
    if (file == of) {
        lua_pushvalue(L, table);
        il_fields_refuse(f, "reference", -1,
                         "{file = \"x.csv\"} or {of = function(t, side) ... end}, one of them");
    }
    lua_settop(L, table);
    if (file) {
        static const char *const more[] = {"breaks", "name", "version"};
        for (size_t k = 0; k < sizeof more / sizeof more[0]; k++) {
            if (il_fields_push(&inner, more[k])) {
                il_fields_refuse(&inner, more[k], -1, "it beside a function alone");
            }
            lua_pop(L, 1);
        }
        read_file(&inner, problem, r);
    } else {
        read_function(&inner, problem, r, keeper);
    }
    lua_settop(L, table);
    return r;
}

const il_exact *il_lua_reference_exact(const il_lua_reference *r) {
    return &r->exact;
}

void il_lua_reference_set(const il_lua_reference *r, il_case *c) {
    c->reference = &r->exact;
    c->reference_key = r->key;
    c->reference_callbacks = r->scripted ? &r->callbacks : NULL;
}

/* ---- as scripts see solutions ---------------------------------------------------------------- */

static const char SOLUTION[] = "impactlab.solution";

typedef struct {
    const il_exact *exact; /* first; NULL: over */
    size_t d;
} solution;

static const solution *check_solution(lua_State *L) {
    const solution *s = luaL_checkudata(L, 1, SOLUTION);
    if (s->exact == NULL) {
        (void)luaL_error(L, "a reference is looked at after the norm was computed");
    }
    return s;
}

/* reference:at(t, side) */
static int solution_at(lua_State *L) {
    const solution *s = check_solution(L);
    il_lua_context_of(L)->L = L;
    return il_lua_push_state_at(L, s->exact, s->d);
}

static int solution_index(lua_State *L) {
    const solution *s = check_solution(L);
    const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    if (strcmp(key, "at") == 0) {
        lua_pushcfunction(L, solution_at);
    } else if (strcmp(key, "name") == 0) {
        lua_pushstring(L, s->exact->name);
    } else if (strcmp(key, "origin") == 0) {
        lua_pushstring(L, s->exact->origin);
    } else if (strcmp(key, "breaks") == 0) {
        il_lua_push_vector(L, s->exact->breaks, s->exact->nbreaks);
    } else {
        return luaL_error(L, "a reference has no '%s'; it has at, name, origin, breaks", key);
    }
    return 1;
}

const il_exact **il_lua_push_solution(lua_State *L, const il_exact *exact, size_t d) {
    static const luaL_Reg meta[] = {{"__index", solution_index}, {NULL, NULL}};
    solution *s = lua_newuserdatauv(L, sizeof *s, 0);
    *s = (solution){exact, d};
    (void)il_lua_new_type(L, SOLUTION, meta);
    lua_setmetatable(L, -2);
    return &s->exact;
}
