/*
 * scheme.c - a scheme written in Lua: what harness/lua/library/scheme.lua has read becomes a scheme
 * type; what its step is given, what it may ask, what it returns.
 *
 *     step = function(s) ... return q, u end
 *     step = function(s) ... return q, u, motion end      of dense schemes (motion.h)
 *
 * s has t0, t1, h, q, u, order, dimension, restitution; q and u are arrays that add (record.h).
 * Each of its functions is one of schemes/assembly.h, which also judges what is returned:
 *
 *     s:force_mean(q)       order 2: mean of the force over the step at q (s.q); order 1: f(t0, q)
 *     s:accelerate(f)       M^-1 f
 *     s:free_velocity()     order 2: u + h M^-1 fbar(q); order 1: f(t0, q)
 *     s:project_linearised{velocity = v | displacement = x, at = q}
 *     s:project_exact{velocity = v | displacement = x}
 *     s:project_tangent{velocity = v, gamma = 1/2, threshold = 0}
 *     s:contacts{at = q, t = t0, margin =}
 *     s:project_contacts{velocity = v, speeds = {...}, compliances = {...}}
 *
 * Each projection returns an array of the kind that it was given.
 */
#include "harness/lua/scripted/scheme.h"

#include <lauxlib.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/record.h"
#include "harness/lua/scripted/motion.h"
#include "schemes/assembly.h"

static const char SCHEME[] = "impactlab.scheme";
static const char DECLARED[] = "impactlab.schemes"; /* in the registry: name to value */

struct il_lua_stepper {
    il_lua_scheme *scheme;
    const il_problem *problem;
    il_assembly *assembly;
    double *buffer; /* [5 d] */
    double *q, *u;  /* [d] what the step returned */
    double *target; /* [d] arguments and answers of what it asks */
    double *at, *x; /* [d] */
    double t0, t1;
    const il_state *in;
    il_assembly_contacts contacts; /* that it chose */
    il_lua_motion motion;          /* that it left */
    il_error failure; /* of a projection or a force: the step's, whatever the script makes of it */
};

/* ---- what a step may ask --------------------------------------------------------------------- */

/* The stepper of the step that runs; an error between steps. */
static il_lua_stepper *self(lua_State *L) {
    const il_lua_scheme *scheme = lua_touserdata(L, lua_upvalueindex(1));
    const char *name = lua_tostring(L, lua_upvalueindex(2));
    if (scheme->active == NULL) {
        (void)luaL_error(L, "%s is called outside a step", name);
    }
    if (lua_type(L, 1) != LUA_TTABLE) {
        (void)luaL_error(L, "%s is called without its step; write s:%s with a colon", name, name);
    }
    scheme->context->L = L; /* callbacks of the problem run on this thread, maybe a coroutine */
    return scheme->active;
}

/* Raise the failure of what was asked, unless there is none. */
static void expect(lua_State *L, il_lua_stepper *s, il_status status) {
    if (status != IL_OK) {
        s->failure.code = status;
        (void)luaL_error(L, "%s", s->failure.message);
    }
}

static void read_argument(lua_State *L, int index, const char *what, size_t d, double *x) {
    char why[IL_LUA_WHY];
    if (!il_lua_read_vector(L, index, what, false, x, d, why)) {
        (void)luaL_error(L, "%s is given %s", lua_tostring(L, lua_upvalueindex(2)), why);
    }
}

static int force_mean(lua_State *L) {
    il_lua_stepper *s = self(L);
    size_t d = s->problem->d;
    const double *q = s->in->q;
    if (!lua_isnoneornil(L, 2)) {
        read_argument(L, 2, "q", d, s->at);
        q = s->at;
    }
    expect(L, s, il_assembly_force(s->assembly, q, s->x, &s->failure));
    il_lua_push_vector(L, s->x, d);
    return 1;
}

static int accelerate(lua_State *L) {
    il_lua_stepper *s = self(L);
    size_t d = s->problem->d;
    read_argument(L, 2, "f", d, s->target);
    il_assembly_accelerate(s->assembly, s->target, s->x);
    il_lua_push_vector(L, s->x, d);
    return 1;
}

static int free_velocity(lua_State *L) {
    il_lua_stepper *s = self(L);
    expect(L, s, il_assembly_predict(s->assembly, s->x, &s->failure));
    il_lua_push_vector(L, s->x, s->problem->d);
    return 1;
}

/* The table that the call was given, whose keys end with NULL. */
static il_fields open_argument(lua_State *L, const char *const *known) {
    il_fields f = il_fields_open(L, NULL, 2, lua_tostring(L, lua_upvalueindex(2)), "");
    il_fields_known(&f, known);
    return f;
}

/* The vector of a key into x; false where it is absent. */
static bool read_key(const il_fields *f, const char *key, size_t d, double *x) {
    bool given = il_fields_push(f, key);
    if (given) {
        read_argument(f->L, -1, key, d, x);
    }
    lua_pop(f->L, 1);
    return given;
}

/* Make the projection of the argument; displacements are allowed. */
static int project(const il_fields *f, il_lua_stepper *s, il_assembly_projection *p,
                   bool displacements) {
    size_t d = s->problem->d;
    bool velocity = read_key(f, "velocity", d, s->target);
    p->displacement = displacements && read_key(f, "displacement", d, velocity ? s->x : s->target);
    if (velocity == p->displacement) {
        (void)luaL_error(f->L, "%s is given %s; allowed: %s", f->call,
                         velocity ? "a velocity and a displacement" : "nothing to project",
                         displacements ? "velocity = v, or displacement = x" : "velocity = v");
    }
    p->target = s->target;
    expect(f->L, s, il_assembly_project(s->assembly, p, s->x, &s->failure));
    il_lua_push_vector(f->L, s->x, d);
    return 1;
}

static int project_linearised(lua_State *L) {
    static const char *const known[] = {"velocity", "displacement", "at", NULL};
    il_lua_stepper *s = self(L);
    il_fields f = open_argument(L, known);
    il_assembly_projection p = {.kind = IL_ASSEMBLY_LINEARISED};
    p.at = read_key(&f, "at", s->problem->d, s->at) ? s->at : NULL;
    return project(&f, s, &p, true);
}

static int project_exact(lua_State *L) {
    static const char *const known[] = {"velocity", "displacement", NULL};
    il_lua_stepper *s = self(L);
    il_fields f = open_argument(L, known);
    il_assembly_projection p = {.kind = IL_ASSEMBLY_EXACT};
    return project(&f, s, &p, true);
}

static int project_tangent(lua_State *L) {
    static const char *const known[] = {"velocity", "gamma", "threshold", NULL};
    il_lua_stepper *s = self(L);
    il_fields f = open_argument(L, known);
    il_assembly_projection p = {.kind = IL_ASSEMBLY_TANGENT,
                                .gamma = il_fields_number(&f, "gamma", 0.5),
                                .threshold = il_fields_number(&f, "threshold", 0.0)};
    if (!(p.gamma >= 0.0 && p.gamma <= 1.0)) {
        il_fields_refuse_key(&f, "gamma", "a number from 0 to 1");
    }
    if (!(p.threshold >= 0.0)) {
        il_fields_refuse_key(&f, "threshold", "a number >= 0");
    }
    return project(&f, s, &p, false);
}

/* Contacts of a point, in the order of project_contacts. */
static int choose(lua_State *L) {
    static const char *const known[] = {"at", "t", "margin", NULL};
    il_lua_stepper *s = self(L);
    il_fields f = open_argument(L, known);
    const double *q = read_key(&f, "at", s->problem->d, s->at) ? s->at : s->in->q;
    double margin = il_fields_number(&f, "margin", NAN);
    double t = il_fields_number(&f, "t", s->t0);
    il_assembly_contacts found;
    expect(L, s, il_assembly_choose(s->assembly, t, q, margin, &found, &s->failure));
    s->contacts = found;
    lua_createtable(L, (int)found.p, 0);
    for (size_t i = 0; i < found.p; i++) {
        const il_rows *rows = found.rows;
        il_lua_make(L, IL_SET("id", rows->id[i]), IL_SET("g", rows->value[i]),
                    IL_SET("dt", rows->rate[i]),
                    IL_SET("speed", rows->rate[i] + il_rows_dot(rows, i, s->in->u)));
        memset(s->x, 0, s->problem->d * sizeof *s->x);
        il_rows_axpy(rows, i, 1.0, s->x);
        il_lua_push_vector(L, s->x, s->problem->d);
        lua_setfield(L, -2, "grad");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* A number a contact into x; 0 without the key. */
static void read_numbers(const il_fields *f, const char *key, size_t p, double least, double *x) {
    if (il_fields_push(f, key)) {
        read_argument(f->L, -1, key, p, x);
    }
    for (size_t i = 0; i < p; i++) {
        if (!(x[i] >= least && isfinite(x[i]))) {
            (void)luaL_error(f->L, "%s is given %s[%d] = %f; allowed: a number%s", f->call, key,
                             (int)i + 1, x[i], least == 0.0 ? " >= 0" : "");
        }
    }
    lua_pop(f->L, 1);
}

static int project_contacts(lua_State *L) {
    static const char *const known[] = {"velocity", "speeds", "compliances", NULL};
    il_lua_stepper *s = self(L);
    il_fields f = open_argument(L, known);
    il_assembly_contacts *c = &s->contacts;
    read_numbers(&f, "speeds", c->p, -INFINITY, c->speed);
    read_numbers(&f, "compliances", c->p, 0.0, c->compliance);
    il_assembly_projection p = {.kind = IL_ASSEMBLY_CONTACTS};
    (void)project(&f, s, &p, false);
    il_lua_push_vector(L, c->impulse, c->p);
    return 2;
}

/* ---- a step ---------------------------------------------------------------------------------- */

/* Push the table that a step is given. */
static void push_state(lua_State *L, const il_lua_stepper *s) {
    il_lua_make(L, IL_SET("order", s->problem->order), IL_SET("dimension", s->problem->d),
                IL_SET("restitution", s->problem->restitution), IL_SET("t0", s->t0),
                IL_SET("t1", s->t1), IL_SET("h", s->t1 - s->t0));
    il_lua_push_vector(L, s->in->q, s->problem->d);
    lua_setfield(L, -2, "q");
    il_lua_push_vector(L, s->in->u, s->problem->d);
    lua_setfield(L, -2, "u");
    lua_rawgeti(L, LUA_REGISTRYINDEX, s->scheme->class);
    lua_setmetatable(L, -2);
}

static void read_answer(lua_State *L, const il_lua_stepper *s, int index, const char *what,
                        double *x) {
    char why[IL_LUA_WHY];
    if (!il_lua_read_vector(L, index, what, false, x, s->problem->d, why)) {
        il_lua_blame(L, s->scheme->step, "step gave %s", why);
    }
}

/* The motion at index, which dense schemes leave and others do not. */
static void read_motion(lua_State *L, il_lua_stepper *s, int index) {
    char why[IL_LUA_WHY];
    if (!s->scheme->type.dense) {
        if (lua_istable(L, index)) {
            il_lua_blame(L, s->scheme->step, "step gave a motion; allowed: with dense = true");
        }
    } else if (!il_lua_motion_read(L, index, s->problem->d, &s->motion, why)) {
        il_lua_blame(L, s->scheme->step, "step gave %s", why);
    }
}

/* Under pcall. */
static int answer(lua_State *L) {
    il_lua_stepper *s = lua_touserdata(L, 1);
    luaL_checkstack(L, 16, NULL);
    lua_rawgeti(L, LUA_REGISTRYINDEX, s->scheme->step);
    push_state(L, s);
    lua_call(L, 1, 3);
    read_answer(L, s, -3, "q", s->q);
    read_answer(L, s, -2, "u", s->u);
    read_motion(L, s, -1);
    return 0;
}

/* Call the script's function; its answer is in s. */
static il_status ask(il_lua_stepper *s, il_error *err) {
    const il_lua_scheme *scheme = s->scheme;
    il_error raised = {IL_OK, ""};
    bool answered = il_lua_protect(scheme->context, scheme->identity.what, answer, s, &raised);
    if (il_interrupted()) {
        return il_fail(err, IL_EINTERRUPTED, "%s", il_interrupt_reason());
    }
    if (s->failure.code != IL_OK) {
        return il_fail(err, s->failure.code, "%s", s->failure.message);
    }
    return answered ? IL_OK : il_fail(err, raised.code, "%s", raised.message);
}

/* Not a balance's matter, and no error of the script: an overflow is data. */
static il_status check_finite(const il_lua_stepper *s, il_error *err) {
    for (size_t k = 0; k < s->problem->d; k++) {
        if (!isfinite(s->q[k]) || !isfinite(s->u[k])) {
            return il_fail(err, IL_ENUMERIC,
                           "scheme '%.60s': the step to t = %.10g returned %s[%zu] "
                           "as %g",
                           s->scheme->type.name, s->t1, isfinite(s->q[k]) ? "u" : "q", k + 1,
                           isfinite(s->q[k]) ? s->u[k] : s->q[k]);
        }
    }
    return IL_OK;
}

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    il_lua_stepper *s = self;
    il_lua_scheme *scheme = s->scheme;
    il_lua_stepper *outer = scheme->active; /* a step may run a run of the same scheme */
    s->t0 = t0;
    s->t1 = t1;
    s->in = in;
    s->failure = (il_error){IL_OK, ""};
    s->contacts = (il_assembly_contacts){.p = 0};
    il_assembly_begin(s->assembly, t0, t1, in, out);
    scheme->active = s;
    il_status status = ask(s, err);
    scheme->active = outer;
    status = status == IL_OK ? check_finite(s, err) : status;
    if (status != IL_OK) {
        *report = *il_assembly_report(s->assembly);
        return status;
    }
    if (scheme->uncertified) {
        il_assembly_take(s->assembly, s->q, s->u, report);
        report->motion = scheme->type.dense ? &s->motion.motion : NULL;
        return IL_OK;
    }
    il_error why = {IL_OK, ""};
    status = il_assembly_finish(s->assembly, s->q, s->u, report, &why);
    return status == IL_OK
               ? IL_OK
               : il_fail(err, status, "scheme '%.60s': %.900s", scheme->type.name, why.message);
}

static void destroy(void *self) {
    il_lua_stepper *s = self;
    if (s != NULL) {
        il_assembly_destroy(s->assembly);
        il_lua_motion_free(&s->motion);
        free(s->buffer);
    }
    free(s);
}

static il_status create(void **out, const il_problem *problem, const il_scheme_options *options,
                        il_error *err) {
    il_lua_scheme *scheme = (il_lua_scheme *)(uintptr_t)options->type;
    size_t d = problem->d;
    *out = NULL;
    il_lua_stepper *s = il_alloc_zero(1, sizeof *s);
    double *buffer = il_alloc_zero(5 * d, sizeof *buffer);
    *s = (il_lua_stepper){.scheme = scheme, .problem = problem, .buffer = buffer};
    s->q = buffer;
    s->u = buffer + d;
    s->target = buffer + 2 * d;
    s->at = buffer + 3 * d;
    s->x = buffer + 4 * d;
    il_status status = il_assembly_create(&s->assembly, problem, options, err);
    if (status != IL_OK) {
        destroy(s);
        return status;
    }
    *out = s;
    return IL_OK;
}

/* ---- the declaration ------------------------------------------------------------------------- */

il_lua_scheme *il_lua_scheme_test(lua_State *L, int index) {
    return luaL_testudata(L, index, SCHEME);
}

il_lua_scheme *il_lua_scheme_find(lua_State *L, const char *name) {
    (void)luaL_getsubtable(L, LUA_REGISTRYINDEX, DECLARED);
    (void)lua_getfield(L, -1, name);
    il_lua_scheme *scheme = il_lua_scheme_test(L, -1);
    lua_pop(L, 2);
    return scheme;
}

static int scheme_text(lua_State *L) {
    const il_lua_scheme *w = luaL_checkudata(L, 1, SCHEME);
    bool alive = il_lua_arena_alive(w->arena);
    lua_pushfstring(L, "scheme '%s' (lab.scheme)", alive ? w->type.name : "?");
    return 1;
}

static il_lua_scheme *push_handle(lua_State *L) {
    static const il_claim claims[] = {{.norm = NULL}};
    static const luaL_Reg meta[] = {{"__tostring", scheme_text}, {NULL, NULL}};
    il_lua_scheme *w = lua_newuserdatauv(L, sizeof *w, 1);
    *w = (il_lua_scheme){
        .type = {.claims = claims, .create = create, .step = step, .destroy = destroy},
        .context = il_lua_context_of(L),
        .step = LUA_NOREF,
        .class = LUA_NOREF};
    (void)il_lua_new_type(L, SCHEME, meta);
    lua_setmetatable(L, -2);
    w->arena = il_lua_arena_new(L);
    (void)lua_setiuservalue(L, -2, 1);
    return w;
}

/* Push the metatable of what a step of the scheme w, at index, is given. */
static void push_class(lua_State *L, int index) {
    static const luaL_Reg functions[] = {{"force_mean", force_mean},
                                         {"accelerate", accelerate},
                                         {"free_velocity", free_velocity},
                                         {"project_linearised", project_linearised},
                                         {"project_exact", project_exact},
                                         {"project_tangent", project_tangent},
                                         {"contacts", choose},
                                         {"project_contacts", project_contacts},
                                         {NULL, NULL}};
    lua_newtable(L);
    lua_newtable(L);
    for (const luaL_Reg *f = functions; f->name != NULL; f++) {
        lua_pushvalue(L, index);
        lua_pushstring(L, f->name);
        lua_pushcclosure(L, f->func, 2);
        lua_setfield(L, -2, f->name);
    }
    lua_setfield(L, -2, "__index");
    lua_pushliteral(L, "impactlab");
    lua_setfield(L, -2, "__metatable");
}

/* host.scheme(p, declared): p has name, title, statement, source, orders (bits), restitution,
 * color, certified, dense and step; declared is the script's own table. */
static int scheme(lua_State *L) {
    lua_settop(L, 2);
    il_lua_scheme *w = push_handle(L);
    il_fields f = il_fields_open(L, w->arena, 1, "lab.scheme", "");
    il_fields declared = il_fields_open(L, w->arena, 2, "lab.scheme", "");
    w->type.name = il_fields_text(&f, "name", NULL);
    w->type.title = il_fields_text(&f, "title", NULL);
    w->type.statement = il_fields_text(&f, "statement", NULL);
    w->type.source = il_fields_text(&f, "source", NULL);
    w->type.orders = (unsigned)il_fields_count(&f, "orders", 1, 0);
    w->type.restitution = il_fields_flag(&f, "restitution", false);
    w->type.color = il_fields_text(&f, "color", NULL);
    w->type.dense = il_fields_flag(&f, "dense", false);
    w->uncertified = !il_fields_flag(&f, "certified", true);
    (void)il_fields_push(&f, "step");
    w->step = luaL_ref(L, LUA_REGISTRYINDEX);
    push_class(L, 3);
    w->class = luaL_ref(L, LUA_REGISTRYINDEX);
    il_lua_identity_declare(&w->identity, &declared,
                            il_lua_print(L, w->arena, "scheme '%s'", w->type.name));
    w->choice =
        (il_scheme_choice){.name = w->type.name, .type = &w->type, .functions = &w->identity.now};
    (void)luaL_getsubtable(L, LUA_REGISTRYINDEX, DECLARED);
    lua_pushvalue(L, 3);
    lua_setfield(L, -2, w->type.name);
    lua_settop(L, 3);
    return 1;
}

/* host.scheme_types() -> {{name =, color =}, ...} of those of the program */
static int scheme_types(lua_State *L) {
    lua_newtable(L);
    for (size_t k = 0; il_scheme_type_at(k) != NULL; k++) {
        il_lua_make(L, IL_SET("name", il_scheme_type_at(k)->name),
                    IL_SET("color", il_scheme_type_at(k)->color));
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    return 1;
}

const luaL_Reg il_lua_host_scheme[] = {
    {"scheme", scheme}, {"scheme_types", scheme_types}, {NULL, NULL}};
