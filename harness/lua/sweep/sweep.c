/*
 * sweep.c - lab.sweep: problems x schemes x sizes, and axes of sweep_axes.c, declared.
 *
 *     lab.sweep{problem = | problems = {...}, scheme = | schemes = {...},
 *               steps = {...} | hs = {...}, projectors = {...}, tols = {...}, seeds = {...},
 *               ensemble =, name =,
 *               reference = "exact" | "event_driven" | "none" | {"self", steps =, scheme =} |
 *                           {file =} | {of =, breaks =, name =, version =},
 *               and what lab.run takes beside trajectory}
 *
 * Everything is checked here, before anything runs: names, parameters, whether each scheme means
 * something on each problem, whether the exact solution that is asked for exists. Without reference
 * the errors are those against the exact solution where one is known, and absent elsewhere.
 */
#include "harness/lua/sweep/sweep.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/lua/base/identity.h"
#include "harness/lua/base/module.h"

static const char CALL[] = "lab.sweep";
static const char SWEEP[] = "impactlab.sweep";

size_t il_sweep_count(const il_sweep *sweep) {
    return sweep->nproblems * sweep->nschemes * sweep->nsizes;
}

il_case il_sweep_case(const il_sweep *sweep, size_t k) {
    il_case c = sweep->common;
    size_t size = k % sweep->nsizes;
    c.scheme = sweep->schemes[k / sweep->nsizes % sweep->nschemes];
    c.problem = &sweep->problems[k / sweep->nsizes / sweep->nschemes];
    if (sweep->variants != NULL) {
        const il_variant *v = &sweep->variants[k / sweep->nsizes / sweep->nschemes];
        c.projector = v->projector;
        c.projection.tolerance = v->tolerance;
        c.has_seed = v->has_seed;
        c.seed = v->seed;
    }
    c.steps = sweep->steps != NULL ? (size_t)sweep->steps[size] : 0;
    c.h = sweep->hs != NULL ? sweep->hs[size] : 0.0;
    c.reference_key = sweep->reference_name;
    c.event_driven = sweep->reference == IL_REFERENCE_EVENTS;
    if (sweep->own != NULL) {
        il_lua_reference_set(sweep->own, &c);
    }
    return c;
}

il_case il_sweep_reference_case(const il_sweep *s, size_t i, bool half) {
    il_case c = s->common;
    if (s->reference == IL_REFERENCE_EVENTS) {
        return il_sweep_case(s, i * s->nschemes * s->nsizes);
    }
    c.problem = &s->problems[i];
    if (s->variants != NULL) {
        c.problem = &s->variants[i].plain;
        c.has_seed = s->variants[i].has_seed;
        c.seed = s->variants[i].seed;
    }
    c.scheme = s->reference_scheme;
    c.steps = half ? s->reference_steps / 2 : s->reference_steps;
    c.nsamples = 0;
    c.final_only = !half;
    c.reference_key = half ? s->reference_name : c.reference_key;
    return c;
}

void il_sweep_push_colors(lua_State *L, const il_sweep *s) {
    il_lua_push_shared(L, "colors");
    lua_createtable(L, (int)s->nschemes, 0);
    lua_newtable(L);
    for (size_t k = 0; k < s->nschemes; k++) {
        const il_scheme_choice *scheme = s->schemes[k];
        lua_pushstring(L, scheme->name);
        lua_rawseti(L, -3, (lua_Integer)k + 1);
        lua_pushstring(L, scheme->functions != NULL ? scheme->type->color : NULL);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_call(L, 2, 1);
}

/* ---- reading -------------------------------------------------------------------------------- */

/* Push the value of one of two keys: what a sweep has one of is `one`, several are `many`. Returns
 * which. */
static const char *push_either(const il_fields *f, const char *one, const char *many) {
    if (!il_fields_push(f, many)) {
        lua_pop(f->L, 1);
        if (!il_fields_push(f, one)) {
            il_fields_miss(f, one, "one, or its plural an array");
        }
        return one;
    }
    if (il_fields_push(f, one)) {
        il_fields_refuse(f, one, -1, "nothing where its plural is given");
    }
    lua_pop(f->L, 1);
    return many;
}

/* The value at the top of the stack, number k of key, stands there as number i already: each run
 * would count twice in every fit. */
static _Noreturn void refuse_twice(const il_fields *f, const char *key, size_t k, size_t i) {
    il_fields_refuse(f, il_lua_print(f->L, f->arena, "%s[%zu]", key, k + 1), -1,
                     il_lua_print(f->L, f->arena, "each once; it is number %zu already", i + 1));
}

static void read_problems(const il_fields *f, il_sweep *s, int keeper) {
    lua_State *L = f->L;
    const char *key = push_either(f, "problem", "problems");
    bool many = strcmp(key, "problems") == 0;
    if (many && (!lua_istable(L, -1) || lua_rawlen(L, -1) == 0)) {
        il_fields_refuse(f, key, -1, "an array of problems, one at least");
    }
    s->nproblems = many ? il_fields_length(f, key) : 1;
    s->problems = il_lua_take(L, f->arena, s->nproblems, sizeof *s->problems, NULL);
    for (size_t k = 0; k < s->nproblems; k++) {
        if (!many) {
            s->problems[0] = il_choice_read(f, key, keeper);
            continue;
        }
        (void)lua_rawgeti(L, -1, (lua_Integer)k + 1);
        const il_choice *its = &s->problems[k];
        s->problems[k] =
            il_choice_read(f, il_lua_print(L, f->arena, "%s[%zu]", key, k + 1), keeper);
        for (size_t i = 0; i < k && its->nsettings == 0; i++) {
            const il_choice *other = &s->problems[i];
            if (other->nsettings == 0 && other->type == its->type &&
                other->callbacks == its->callbacks) {
                refuse_twice(f, key, k, i);
            }
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void read_schemes(const il_fields *f, il_sweep *s) {
    lua_State *L = f->L;
    const char *key = push_either(f, "scheme", "schemes");
    lua_pop(L, 1);
    const char **names = il_case_scheme_names(f, key, &s->nschemes);
    if (s->nschemes == 0) {
        il_fields_miss(f, key, "the name of a scheme, or an array of names");
    }
    s->schemes = il_lua_take(L, f->arena, s->nschemes, sizeof *s->schemes, NULL);
    for (size_t k = 0; k < s->nschemes; k++) {
        s->schemes[k] = il_case_scheme(f, names[k]);
        for (size_t i = 0; i < k; i++) {
            if (strcmp(names[i], names[k]) == 0) {
                lua_pushstring(L, names[k]);
                refuse_twice(f, key, k, i);
            }
        }
    }
}

const double *il_sweep_numbers(const il_fields *f, const char *key, bool whole, double least,
                               size_t *n) {
    const double *x = il_fields_numbers(f, key, true, n);
    for (size_t k = 0; k < *n; k++) {
        bool integer = x[k] >= least && x[k] < 0x1p53 && x[k] == floor(x[k]);
        if (whole ? !integer : !(x[k] > 0.0)) {
            lua_pushnumber(f->L, x[k]);
            il_fields_refuse(f, il_lua_print(f->L, f->arena, "%s[%zu]", key, k + 1), -1,
                             whole ? il_lua_print(f->L, f->arena, "an integer >= %g", least)
                                   : "a number > 0");
        }
        for (size_t i = 0; i < k; i++) {
            if (x[i] == x[k]) {
                lua_pushnumber(f->L, x[k]);
                refuse_twice(f, key, k, i);
            }
        }
    }
    return x;
}

/* Whether key holds what lab.phases returned; its c and m then are the sweep's. */
static bool read_phases(const il_fields *f, const char *key, il_sweep *s) {
    lua_State *L = f->L;
    bool phases = il_fields_push(f, key) && lua_istable(L, -1) && lua_getmetatable(L, -1) != 0;
    if (phases) {
        (void)luaL_getmetatable(L, IL_LUA_PHASES);
        phases = lua_rawequal(L, -1, -2);
        lua_pop(L, 2);
    }
    if (phases) {
        size_t nc = 0;
        size_t nm = 0;
        il_fields inner = il_fields_open(L, f->arena, -1, f->call, key);
        s->phase_c = il_fields_numbers(&inner, "c", true, &nc);
        s->phase_m = il_fields_numbers(&inner, "m", true, &nm);
        size_t n = (size_t)lua_rawlen(L, -1);
        phases = nc == n && nm == n; /* a script may have cut it */
        s->phase_c = phases ? s->phase_c : NULL;
    }
    lua_pop(L, 1);
    return phases;
}

/* steps = {counts}, or hs = {step sizes}; lab.phases, which are step sizes, as either. */
static void read_sizes(const il_fields *f, il_sweep *s) {
    size_t nsteps = 0;
    size_t nhs = 0;
    bool as_steps = read_phases(f, "steps", s);
    if (!as_steps) {
        (void)read_phases(f, "hs", s);
        s->steps = il_sweep_numbers(f, "steps", true, 1.0, &nsteps);
    }
    s->hs = il_sweep_numbers(f, as_steps ? "steps" : "hs", false, 0.0, &nhs);
    if (il_fields_push(f, "hs") && (as_steps || s->steps != NULL)) {
        il_fields_refuse(f, "hs", -1, "nothing beside steps");
    }
    lua_pop(f->L, 1);
    s->nsizes = nsteps + nhs;
    if (s->nsizes == 0) {
        il_fields_miss(f, "steps", "an array of step counts, or instead of it hs, of step sizes");
    }
}

static void read_self(const il_fields *f, il_sweep *s) {
    static const char *const known[] = {"steps", "scheme", NULL};
    lua_State *L = f->L;
    il_fields inner = il_fields_open(L, f->arena, -1, f->call, "reference");
    il_fields_known(&inner, 1, known);
    bool named = lua_rawgeti(L, -1, 1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), "self") == 0;
    if (!named) {
        il_fields_refuse(&inner, "[1]", -1, "\"self\"");
    }
    lua_pop(L, 1);
    s->reference = IL_REFERENCE_SELF;
    s->reference_steps = il_fields_count(&inner, "steps", 1, 0);
    if (s->reference_steps == 0) {
        il_fields_miss(&inner, "steps", "the number of steps of the reference");
    }
    const char *scheme = il_case_scheme_name(&inner, "scheme", s->schemes[0]->name);
    s->reference_scheme = il_case_scheme(&inner, scheme);
    s->reference_name =
        il_lua_print(L, f->arena, "self: %s, %zu steps", scheme, s->reference_steps);
}

/* A file or a function: of one problem, whose dimension and horizon it has to have. */
static void read_own(const il_fields *f, il_sweep *s, int keeper) {
    if (s->nproblems != 1) {
        il_fields_refuse(f, "reference", -1, "a file or a function for one problem alone");
    }
    il_case c = il_sweep_case(s, 0);
    s->reference = IL_REFERENCE_OWN;
    const il_params *params = NULL;
    const il_problem *problem = il_lua_case_problem(f->L, f->arena, f->call, &c, &params);
    s->own = il_lua_reference_read(f, problem, keeper);
}

static void read_reference(const il_fields *f, il_sweep *s, int keeper) {
    lua_State *L = f->L;
    s->reference = IL_REFERENCE_NONE;
    if (il_fields_push(f, "reference")) {
        const char *word = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
        if (lua_istable(L, -1) && lua_rawlen(L, -1) == 0) {
            read_own(f, s, keeper);
        } else if (lua_istable(L, -1)) {
            read_self(f, s);
        } else if (strcmp(word, "exact") == 0) {
            s->reference = IL_REFERENCE_EXACT;
        } else if (strcmp(word, "event_driven") == 0) {
            s->reference = IL_REFERENCE_EVENTS;
            s->reference_name = "event_driven";
        } else if (strcmp(word, "none") != 0) {
            il_fields_refuse(f, "reference", -1,
                             "\"exact\", \"event_driven\", \"none\", {\"self\", steps = N, "
                             "scheme = \"name\"}, {file = \"x.csv\"}, {of = function}");
        }
    }
    lua_pop(L, 1);
}

/* The name given, or the problem's, with a number when another sweep has it already: two sweeps of
 * one script must not overwrite each other's figures. */
static void read_name(const il_fields *f, il_sweep *s) {
    lua_State *L = f->L;
    s->name = il_fields_text(f, "name", NULL);
    if (s->name != NULL && !il_text_is_file_name(s->name)) {
        il_fields_refuse_key(f, "name", "letters, digits and ._-, a letter, digit or _ first");
    }
    bool given = s->name != NULL;
    if (!given) {
        char name[200] = "";
        for (size_t k = 0; k < s->nproblems && strlen(name) < 100; k++) {
            if (s->variants != NULL && k > 0 &&
                s->variants[k].plain.settings == s->variants[k - 1].plain.settings &&
                s->problems[k].type == s->problems[k - 1].type) {
                continue; /* the same with another projector, tolerance or seed */
            }
            il_text_append(name, sizeof name, "%s%.60s", k == 0 ? "" : "-",
                           s->problems[k].type->name);
        }
        il_text_make_file_name(name); /* a scripted problem is called as it likes */
        s->name = il_lua_copy(L, f->arena, name);
    }
    (void)luaL_getsubtable(L, LUA_REGISTRYINDEX, "impactlab.sweep.names");
    (void)lua_getfield(L, -1, s->name);
    lua_Integer before = lua_tointeger(L, -1);
    lua_pushinteger(L, before + 1);
    lua_setfield(L, -3, s->name);
    lua_pop(L, 2);
    if (!given && before > 0) {
        s->name = il_lua_print(L, f->arena, "%s-%lld", s->name, (long long)before + 1);
    }
}

static void check_all(lua_State *L, const il_sweep *s) {
    il_error err = {IL_OK, ""};
    il_lua_context_of(L)->L = L;
    for (size_t k = 0; k < il_sweep_count(s); k += s->nsizes) {
        il_case c = il_sweep_case(s, k);
        il_lua_expect(L, CALL,
                      il_case_check_sizes(&c, s->nsizes, s->steps, s->hs,
                                          s->reference == IL_REFERENCE_EXACT, &err),
                      &err);
        if (s->reference == IL_REFERENCE_SELF) {
            c.scheme = s->reference_scheme;
            il_lua_expect(L, CALL, il_case_check(&c, false, &err), &err);
        }
    }
}

/* ---- the value ------------------------------------------------------------------------------ */

static int sweep_text(lua_State *L) {
    const il_sweep *s = luaL_checkudata(L, 1, SWEEP);
    if (!il_lua_arena_alive(s->arena)) {
        lua_pushliteral(L, "sweep (closed)");
        return 1;
    }
    lua_pushfstring(L, "sweep %s: %I problem%s x %I scheme%s x %I size%s", s->name,
                    (LUAI_UACINT)s->nproblems, il_lua_plural(s->nproblems),
                    (LUAI_UACINT)s->nschemes, il_lua_plural(s->nschemes), (LUAI_UACINT)s->nsizes,
                    il_lua_plural(s->nsizes));
    return 1;
}

static il_sweep *push_handle(lua_State *L) {
    il_sweep *s = lua_newuserdatauv(L, sizeof *s, 2);
    *s = (il_sweep){0};
    s->arena = il_lua_arena_new(L);
    (void)lua_setiuservalue(L, -2, 1);
    luaL_setmetatable(L, SWEEP);
    return s;
}

static int sweep(lua_State *L) {
    static const char *const own[] = {
        "problem", "problems",  "scheme", "schemes",  "steps",  "hs",    "projectors", "tols",
        "seeds",   "reference", "name",   "ensemble", "rounds", "round", "quiet",      NULL};
    lua_settop(L, 1);
    il_sweep *s = push_handle(L);
    il_fields f = il_fields_open(L, s->arena, 1, CALL, "");
    il_case_known(&f, IL_WHERE_SWEEP, own);
    s->rounds = il_fields_count(&f, "rounds", 1, 1);
    s->round = il_fields_count(&f, "round", 1, 1);
    s->quiet = il_fields_flag(&f, "quiet", false);
    lua_newtable(L); /* keeps scripted problems alive as long as the sweep */
    lua_pushvalue(L, -1);
    (void)lua_setiuservalue(L, 2, 2);
    read_problems(&f, s, 3);
    read_schemes(&f, s);
    read_sizes(&f, s);
    il_case_read(&f, IL_WHERE_SWEEP, &s->common);
    s->common.references = il_lua_context_of(L)->references;
    il_sweep_read_axes(&f, s);
    read_reference(&f, s, 3);
    s->ensemble = il_fields_count(&f, "ensemble", 2, 0);
    read_name(&f, s);
    check_all(L, s);
    lua_settop(L, 2);
    return 1;
}

/* The metatable, whose methods other files add to. */
static void make_class(lua_State *L) {
    (void)luaL_newmetatable(L, SWEEP);
    lua_pushcfunction(L, sweep_text);
    lua_setfield(L, -2, "__tostring");
    lua_newtable(L);
    lua_setfield(L, -2, "__index");
    lua_pushliteral(L, "impactlab");
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}

const il_sweep *il_lua_check_sweep(lua_State *L, int index) {
    const il_sweep *s = luaL_checkudata(L, index, SWEEP);
    if (!il_lua_arena_alive(s->arena)) {
        (void)luaL_error(L, "the sweep was closed");
    }
    return s;
}

void il_lua_sweep_method(lua_State *L, const char *name, lua_CFunction method) {
    (void)luaL_getmetatable(L, SWEEP);
    lua_getfield(L, -1, "__index");
    lua_pushcfunction(L, method);
    lua_setfield(L, -2, name);
    lua_pop(L, 2);
}

void il_lua_add_sweep(lua_State *L) {
    static const luaL_Reg functions[] = {{"sweep", sweep}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
    make_class(L);
}
