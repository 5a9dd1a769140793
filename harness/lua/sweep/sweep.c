/*
 * sweep.c - a sweep: what harness/lua/library/sweep.lua has read, with its problems and schemes.
 *
 *     host.declare_sweep(t, p) -> the sweep
 *     host.sweep_options() -> keys of the options that a sweep has
 *
 * t is the script's own table; p says under which keys of t the problems and schemes are (problem,
 * scheme), and has steps or hs, phase_c, phase_m, projectors, tols, seeds, quiet, lenient,
 * ensemble, name, reference (exact, event_driven, none, self, own) and reference_steps.
 *
 * Each problem with each projector, tolerance and seed, the last fastest, counts as a problem of
 * its own from there on: it has a label ("pile(N=20), newton, tol=1e-06, seed=3"), its own curves,
 * orders and rows of tables. A reference of the sweep's own is made by the projector and the
 * tolerance of the sweep, once for each problem and seed.
 */
#include "harness/lua/sweep/sweep.h"

#include <lauxlib.h>
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
    il_case c = sweep->variants[k / sweep->nsizes / sweep->nschemes].common;
    size_t size = k % sweep->nsizes;
    c.scheme = sweep->schemes[k / sweep->nsizes % sweep->nschemes];
    c.steps = sweep->steps != NULL ? (size_t)sweep->steps[size] : 0;
    c.h = sweep->hs != NULL ? sweep->hs[size] : 0.0;
    c.reference_key = sweep->reference_name;
    c.event_driven = sweep->reference == IL_REFERENCE_EVENTS;
    if (sweep->own != NULL) {
        il_lua_reference_set(sweep->own, &c);
    }
    return c;
}

size_t il_sweep_reference_of(const il_sweep *s, size_t problem) {
    return s->variants[problem].reference;
}

il_case il_sweep_reference_case(const il_sweep *s, size_t i, bool half) {
    il_case c = s->common;
    if (s->reference == IL_REFERENCE_EVENTS) {
        return il_sweep_case(s, i * s->nschemes * s->nsizes);
    }
    c.problem = &s->variants[i].plain;
    c.has_seed = s->variants[i].common.has_seed;
    c.seed = s->variants[i].common.seed;
    c.scheme = s->reference_scheme;
    c.steps = half ? s->reference_steps / 2 : s->reference_steps;
    c.nsamples = 0;
    c.final_only = !half;
    c.reference_key = half ? s->reference_name : c.reference_key;
    return c;
}

/* ---- reading -------------------------------------------------------------------------------- */

/* The value at the top of the stack, number k of key, stands there as number i already: a second
 * run of the same would count twice in every fit. */
static _Noreturn void refuse_twice(const il_fields *f, const char *key, size_t k, size_t i) {
    il_fields_refuse(f, il_lua_print(f->L, f->arena, "%s[%zu]", key, k + 1), -1,
                     il_lua_print(f->L, f->arena, "each once; it is number %zu already", i + 1));
}

static void read_problems(const il_fields *f, const char *key, il_sweep *s, int keeper) {
    lua_State *L = f->L;
    bool many = strcmp(key, "problems") == 0;
    (void)il_fields_push(f, key);
    s->nproblems = many ? il_fields_length(f, key) : 1;
    s->problems = il_lua_take(L, f->arena, s->nproblems, sizeof *s->problems, NULL);
    if (!many) {
        s->problems[0] = il_choice_read(f, key, keeper);
    }
    for (size_t k = 0; many && k < s->nproblems; k++) {
        il_choice *its = &s->problems[k];
        (void)lua_rawgeti(L, -1, (lua_Integer)k + 1);
        *its = il_choice_read(f, il_lua_print(L, f->arena, "%s[%zu]", key, k + 1), keeper);
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

static void read_schemes(const il_fields *f, const char *key, il_sweep *s) {
    lua_State *L = f->L;
    const char **names = il_case_scheme_names(f, key, &s->nschemes);
    if (s->nschemes == 0) {
        il_fields_miss(f, key, "the name of a scheme, or an array of names");
    }
    s->schemes = il_lua_take(L, f->arena, s->nschemes, sizeof *s->schemes, NULL);
    for (size_t k = 0; k < s->nschemes; k++) {
        s->schemes[k] = il_case_scheme(f, names[k]);
        for (size_t i = 0; i < k; i++) {
            if (strcmp(s->schemes[i]->name, s->schemes[k]->name) == 0) {
                lua_pushstring(L, s->schemes[k]->name);
                refuse_twice(f, key, k, i);
            }
        }
    }
}

/* ---- axes ----------------------------------------------------------------------------------- */

typedef struct {
    const char **projectors;           /* [nprojectors] or NULL: the sweep's own alone */
    const double *tols;                /* [ntols] or NULL, likewise */
    const double *seeds;               /* [nseeds] or NULL */
    size_t nprojectors, ntols, nseeds; /* 1 for NULL */
} axes;

/* Place k of the axes into the case c and its label. */
static void vary(const il_fields *f, const axes *a, size_t k, il_case *c, char *label,
                 size_t capacity) {
    il_error err = {IL_OK, ""};
    if (a->projectors != NULL) {
        const char *name = a->projectors[k / a->nseeds / a->ntols];
        il_lua_expect(f->L, f->call,
                      il_substitute_projector(c->substitutes, name, &c->projector, &err), &err);
        il_text_append(label, capacity, ", %s", name);
    }
    if (a->tols != NULL) {
        c->projection.tolerance = a->tols[k / a->nseeds % a->ntols];
        il_text_append(label, capacity, ", tol=%.6g", c->projection.tolerance);
    }
    if (a->seeds != NULL) {
        c->has_seed = true;
        c->seed = (size_t)a->seeds[k % a->nseeds];
        il_text_append(label, capacity, ", seed=%zu", c->seed);
    }
}

/* p has what sweep.lua has read. */
static void read_axes(const il_fields *f, const il_fields *p, il_sweep *s) {
    static const il_option projectors = {"projectors", .kind = IL_LUA_TEXTS,
                                         .at = offsetof(axes, projectors),
                                         .beside = offsetof(axes, nprojectors)};
    axes a = {.nprojectors = 0};
    il_lua_read(p, &projectors, &a);
    a.tols = il_fields_numbers(p, "tols", IL_OPTION_NUMBERS, &a.ntols);
    a.seeds = il_fields_numbers(p, "seeds", IL_OPTION_NUMBERS, &a.nseeds);
    a.nprojectors += a.projectors == NULL;
    a.ntols += a.tols == NULL;
    a.nseeds += a.seeds == NULL;
    size_t each = a.nprojectors * a.ntols * a.nseeds;
    size_t n = s->nproblems * each;
    il_choice *problems = il_lua_take(f->L, f->arena, n, sizeof *problems, NULL);
    s->variants = il_lua_take(f->L, f->arena, n, sizeof *s->variants, NULL);
    for (size_t i = 0; i < n; i++) {
        const il_choice *base = &s->problems[i / each];
        il_variant *v = &s->variants[i];
        char label[400];
        if (a.seeds != NULL && !il_problem_draws(base->type)) {
            lua_pushnumber(f->L, a.seeds[0]);
            il_fields_refuse(
                f, "seeds[1]", -1,
                il_lua_print(f->L, f->arena, "nothing: %s draws no numbers", base->label));
        }
        (void)snprintf(label, sizeof label, "%.200s", base->label);
        v->common = s->common;
        v->common.problem = &problems[i];
        vary(f, &a, i % each, &v->common, label, sizeof label);
        v->plain = problems[i] = *base;
        problems[i].label = il_lua_copy(f->L, f->arena, label);
        if (a.seeds != NULL) {
            v->plain.label =
                il_lua_print(f->L, f->arena, "%s, seed=%zu", base->label, v->common.seed);
        }
        v->reference = i / each * each + i % a.nseeds;
    }
    s->nproblems = n;
    s->problems = problems;
}

/* ---- references ----------------------------------------------------------------------------- */

/* A file or a function: of one problem, whose dimension and horizon it has to have. */
static void read_own(const il_fields *f, il_sweep *s, int keeper) {
    if (s->nproblems != 1) {
        il_fields_refuse(f, "reference", -1, "a file or a function for one problem alone");
    }
    il_case c = il_sweep_case(s, 0);
    const il_problem *problem = il_lua_case_problem(f->L, f->arena, f->call, &c, NULL);
    s->own = il_lua_reference_read(f, problem, keeper);
}

static void read_self(const il_fields *f, const il_fields *p, il_sweep *s) {
    il_fields inner = il_fields_open(f->L, f->arena, -1, f->call, "reference");
    const char *scheme = il_case_scheme_name(&inner, "scheme", s->schemes[0]->name);
    s->reference_scheme = il_case_scheme(&inner, scheme);
    s->reference_steps = il_fields_count(p, "reference_steps", 1, 0);
    s->reference_name =
        il_lua_print(f->L, f->arena, "self: %s, %zu steps", scheme, s->reference_steps);
}

static void read_reference(const il_fields *f, const il_fields *p, il_sweep *s, int keeper) {
    s->reference = (il_reference_kind)il_fields_choice(
        p, "reference", "none|exact|event_driven|self|own", IL_REFERENCE_NONE);
    (void)il_fields_push(f, "reference");
    if (s->reference == IL_REFERENCE_SELF) {
        read_self(f, p, s);
    } else if (s->reference == IL_REFERENCE_OWN) {
        read_own(f, s, keeper);
    } else if (s->reference == IL_REFERENCE_EVENTS) {
        s->reference_name = "event_driven";
    }
    lua_pop(f->L, 1);
}

/* The name given, or the problem's, with a number when another sweep has it already: two sweeps of
 * one script must not overwrite each other's figures. */
static void read_name(const il_fields *p, il_sweep *s) {
    lua_State *L = p->L;
    s->name = il_fields_text(p, "name", NULL);
    bool given = s->name != NULL;
    if (!given) {
        char name[200] = "";
        for (size_t k = 0; k < s->nproblems && strlen(name) < 100; k++) {
            if (k > 0 && s->problems[k].settings == s->problems[k - 1].settings &&
                s->problems[k].type == s->problems[k - 1].type) {
                continue; /* the same with another projector, tolerance or seed */
            }
            il_text_append(name, sizeof name, "%s%.60s", k == 0 ? "" : "-",
                           s->problems[k].type->name);
        }
        il_text_make_file_name(name); /* a scripted problem is called as it likes */
        s->name = il_lua_copy(L, p->arena, name);
    }
    (void)luaL_getsubtable(L, LUA_REGISTRYINDEX, "impactlab.sweep.names");
    (void)lua_getfield(L, -1, s->name);
    lua_Integer before = lua_tointeger(L, -1);
    lua_pushinteger(L, before + 1);
    lua_setfield(L, -3, s->name);
    lua_pop(L, 2);
    if (!given && before > 0) {
        s->name = il_lua_print(L, p->arena, "%s-%lld", s->name, (long long)before + 1);
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
    static const luaL_Reg meta[] = {{"__tostring", sweep_text}, {NULL, NULL}};
    il_sweep *s = lua_newuserdatauv(L, sizeof *s, 2);
    *s = (il_sweep){0};
    s->arena = il_lua_arena_new(L);
    (void)lua_setiuservalue(L, -2, 1);
    if (il_lua_new_type(L, SWEEP, meta)) {
        il_lua_push_shared(L, "sweep_methods");
        lua_setfield(L, -2, "__index");
    }
    lua_setmetatable(L, -2);
    return s;
}

static int declare_sweep(lua_State *L) {
    size_t nsteps = 0;
    size_t nhs = 0;
    size_t n = 0;
    lua_settop(L, 2);
    il_sweep *s = push_handle(L);
    il_fields f = il_fields_open(L, s->arena, 1, CALL, "");
    il_fields p = il_fields_open(L, s->arena, 2, CALL, "");
    s->quiet = il_fields_flag(&p, "quiet", false);
    s->lenient = il_fields_flag(&p, "lenient", false);
    s->ensemble = il_fields_count(&p, "ensemble", 2, 0);
    lua_newtable(L); /* keeps scripted problems alive as long as the sweep */
    lua_pushvalue(L, -1);
    (void)lua_setiuservalue(L, 3, 2);
    read_problems(&f, il_fields_text(&p, "problem", NULL), s, 4);
    read_schemes(&f, il_fields_text(&p, "scheme", NULL), s);
    s->steps = il_fields_numbers(&p, "steps", IL_OPTION_NUMBERS, &nsteps);
    s->hs = il_fields_numbers(&p, "hs", IL_OPTION_NUMBERS, &nhs);
    s->phase_c = il_fields_numbers(&p, "phase_c", IL_OPTION_NUMBERS, &n);
    s->phase_m = il_fields_numbers(&p, "phase_m", IL_OPTION_NUMBERS, &n);
    s->nsizes = nsteps + nhs;
    il_case_read(&f, IL_WHERE_SWEEP, &s->common);
    s->common.references = il_lua_context_of(L)->references;
    read_axes(&f, &p, s);
    read_reference(&f, &p, s, 4);
    read_name(&p, s);
    check_all(L, s);
    lua_settop(L, 3);
    return 1;
}

const il_sweep *il_lua_check_sweep(lua_State *L, int index) {
    const il_sweep *s = il_lua_check_self(L, index, SWEEP);
    if (!il_lua_arena_alive(s->arena)) {
        (void)luaL_error(L, "the sweep was closed");
    }
    return s;
}

static int sweep_options(lua_State *L) {
    lua_Integer n = 0;
    lua_newtable(L);
    for (size_t k = 0; il_option_at(k) != NULL; k++) {
        if ((il_option_at(k)->where & IL_WHERE_SWEEP) != 0) {
            lua_pushstring(L, il_option_at(k)->key);
            lua_rawseti(L, -2, ++n);
        }
    }
    return 1;
}

const luaL_Reg il_lua_host_sweep[] = {
    {"declare_sweep", declare_sweep}, {"sweep_options", sweep_options}, {NULL, NULL}};
