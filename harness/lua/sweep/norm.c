/*
 * norm.c - norm = {name = "late", of = function(run, reference) ... return number end}
 *
 * run is what trajectory = true of lab.run gives, reference the solution that the record's errors
 * are taken from (its :at(t, side) gives q, u), nil without one. A norm needs whole runs, which
 * records do not hold: cases run once more with it, and are stored under it.
 */
#include "harness/lua/sweep/norm.h"

#include <lauxlib.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/lua/base/record.h"
#include "harness/lua/sweep/execute.h"
#include "harness/lua/sweep/kept.h"
#include "harness/lua/sweep/notice.h"
#include "harness/measure/norm.h"
#include "harness/run/references.h"

static const char WHAT[] = "the name of a norm, or {name =, of = function(run, reference) ... end}";

static const char NORMS[] = "impactlab.norms"; /* in the registry: names to il_lua_norm */

/* ---- measuring, in a worker ------------------------------------------------------------------ */

typedef struct {
    il_lua_norm_job *job;
    const il_exact *reference;
    double value;
} question;

/* Under pcall. The stack keeps what the function is given: of one that takes no run, or no
 * reference, it would be collected while it is lent. */
static int answer(lua_State *L) {
    question *a = lua_touserdata(L, 1);
    il_trajectory *run = il_lua_push_trajectory(L);
    const il_exact **reference = NULL;
    if (a->reference != NULL) {
        reference = il_lua_push_solution(L, a->reference, a->job->run.d);
    } else {
        lua_pushnil(L);
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, a->job->norm->of);
    lua_pushvalue(L, 2);
    lua_pushvalue(L, 3);
    *run = a->job->run; /* nothing may raise an error before it is taken back */
    int code = lua_pcall(L, 2, 1, 0);
    *run = (il_trajectory){0};
    if (reference != NULL) {
        *reference = NULL;
    }
    if (code != LUA_OK) {
        return lua_error(L);
    }
    if (lua_type(L, -1) != LUA_TNUMBER) {
        char given[96];
        il_lua_describe(L, -1, given, sizeof given);
        return luaL_error(L, "it returned %s; allowed: a number", given);
    }
    a->value = lua_tonumber(L, -1);
    return 0;
}

static il_status ask(question *a, il_error *err) {
    lua_State *L = a->job->norm->context->L;
    int top = lua_gettop(L);
    if (lua_checkstack(L, 8) == 0) {
        return il_fail(err, IL_ESCRIPT, "no room on the Lua stack for a norm");
    }
    lua_pushcfunction(L, answer);
    lua_pushlightuserdata(L, a);
    int code = lua_pcall(L, 1, 0, 0);
    il_status status = IL_OK;
    if (code != LUA_OK) {
        const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "an error";
        status = il_fail(err, code == LUA_ERRMEM ? IL_ENOMEM : IL_ESCRIPT, "norm '%.60s': %.900s",
                         a->job->norm->name, text);
    }
    lua_settop(L, top);
    a->job->norm->context->L = L;
    return status;
}

/* The problem's own solution that the record names. */
static const il_exact *named(const il_problem *problem, const json_t *record) {
    const json_t *error = json_object_get(record, "error");
    const char *name = json_string_value(json_object_get(error, "reference"));
    for (size_t k = 0; name != NULL && k < problem->nexact; k++) {
        if (strcmp(problem->exact[k].name, name) == 0) {
            return &problem->exact[k];
        }
    }
    return NULL;
}

void il_lua_norm_key(const il_lua_norm *norm, il_case *c) {
    if (norm != NULL) {
        c->norms = IL_NORM_NONE;
        c->norms_functions = &norm->identity.now;
    }
}

il_status il_lua_norm_add(void *self, json_t *record, il_error *err) {
    il_lua_norm_job *job = self;
    const il_case *c = job->c;
    question a = {.job = job, .reference = c->reference};
    il_params *params = NULL;
    il_problem *problem = NULL;
    il_event_driven *events = NULL;
    il_status status = il_case_problem(c, &params, &problem, err);
    if (status == IL_OK && c->event_driven) {
        status = il_reference_events(&events, c, false, err);
        a.reference = status == IL_OK ? il_event_driven_exact(events) : NULL;
    } else if (status == IL_OK && a.reference == NULL) {
        a.reference = named(problem, record);
    }
    status = status == IL_OK ? ask(&a, err) : status;
    if (status == IL_OK) {
        status = il_choice_verdict(c->problem, status, err);
    }
    const il_callbacks *given = c->reference_callbacks;
    const il_error *failure = given != NULL ? given->failure(given->self) : NULL;
    if (status == IL_OK && failure != NULL) {
        status = il_fail(err, failure->code, "%s", failure->message);
    }
    if (status == IL_OK) {
        il_json w = {false};
        il_json_put(&w, json_object_get(record, "error"), job->norm->name, a.value);
        status = w.failed ? il_fail(err, IL_ENOMEM, "no memory for a norm") : IL_OK;
    }
    il_event_driven_destroy(events);
    il_problem_destroy(problem);
    il_params_destroy(params);
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Does error of records have a field of this name? */
static bool is_taken(const char *name) {
    static const char *const keys[] = {"reference", "origin",   "q_Linf",    "u_L1",
                                       "final_q",   "final_u",  "distances", "reference_error",
                                       "reason",    "no_lambda"};
    bool taken = false;
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        taken = taken || strcmp(name, keys[k]) == 0;
    }
    for (size_t k = 0; il_norm_type_at(k) != NULL; k++) {
        const il_norm_type *norm = il_norm_type_at(k);
        taken = taken || strcmp(name, norm->name) == 0;
        for (size_t i = 0; norm->values[i].key != NULL; i++) {
            taken = taken || strcmp(name, norm->values[i].key) == 0;
        }
    }
    return taken;
}

/* The name of the norm that f declares: a path into a record has dots. */
static const char *read_name(const il_fields *f) {
    const char *name = il_fields_text(f, "name", NULL);
    if (name == NULL || !il_text_is_file_name(name) || strpbrk(name, ".-") != NULL ||
        strlen(name) >= 40 || is_taken(name)) {
        il_fields_refuse_key(
            f, "name", "letters, digits and _, at most 39, and no name that records have already");
    }
    return name;
}

/* The norm that the table of f, {name =, of = function(run, reference), version =}, declares, made
 * once a script; an error for anything else. */
static il_lua_norm *declare(const il_fields *f) {
    static const char *const known[] = {"name", "of", "version", NULL};
    lua_State *L = f->L;
    il_fields_known(f, 0, known);
    const char *name = read_name(f);
    if (!il_fields_push(f, "of") || !lua_isfunction(L, -1)) {
        il_fields_refuse(f, "of", -1, "a function(run, reference) that returns a number");
    }
    (void)luaL_getsubtable(L, LUA_REGISTRYINDEX, NORMS);
    int kept = lua_gettop(L);
    if (lua_getfield(L, kept, name) == LUA_TUSERDATA) {
        il_lua_norm *norm = lua_touserdata(L, -1);
        lua_rawgeti(L, LUA_REGISTRYINDEX, norm->of);
        if (lua_rawequal(L, -1, kept - 1) == 0) {
            il_fields_refuse_key(f, "name", "another name: a norm of another function has it");
        }
        return norm;
    }
    il_lua_norm *norm = lua_newuserdatauv(L, sizeof *norm, 1);
    int place = lua_gettop(L);
    il_fields inner = *f;
    inner.arena = il_lua_arena_new(L); /* lives as long as the norm */
    (void)lua_setiuservalue(L, place, 1);
    *norm = (il_lua_norm){.name = il_lua_copy(L, inner.arena, name),
                          .context = il_lua_context_of(L),
                          .of = LUA_NOREF};
    il_lua_identity_declare(&norm->identity, &inner,
                            il_lua_print(L, inner.arena, "norm '%s'", name));
    lua_pushvalue(L, kept - 1);
    norm->of = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_pushvalue(L, place);
    lua_setfield(L, kept, name); /* last: one that is refused is not declared */
    return norm;
}

/* ---- measuring a result ---------------------------------------------------------------------- */

/* The norm's value out of each record of `from`, and of a self reference's own error; one that its
 * function failed in is an error. */
static void take_values(lua_State *L, il_result *to, const il_result *from, const char *name) {
    il_error err = {IL_OK, ""};
    il_json w = {false};
    for (size_t k = 0; k < il_sweep_count(to->sweep); k++) {
        const json_t *record = il_result_record(L, from, k);
        const json_t *measured = json_object_get(record, "error");
        json_t *mine = il_result_record(L, to, k);
        json_t *error = json_object_get(mine, "error");
        json_t *own = json_object_get(error, "reference_error");
        json_t *value = json_object_get(measured, name);
        json_t *its = json_object_get(json_object_get(measured, "reference_error"), name);
        if (value == NULL && il_execution_has_status(record, IL_ESCRIPT) &&
            !il_execution_has_status(mine, IL_ESCRIPT)) {
            (void)il_fail(&err, IL_ESCRIPT, "%s", il_json_get_text(record, "message"));
            il_lua_raise(L, NULL, &err);
        }
        if (!json_is_object(error)) {
            continue;
        }
        il_json_set(&w, error, name, value != NULL ? json_incref(value) : json_null());
        if (json_is_object(own) && its != NULL) {
            il_json_set(&w, own, name, json_incref(its));
        }
        il_lua_expect(L, NULL, il_result_put(to, k, mine, &err), &err);
    }
    il_lua_expect(L, NULL, w.failed ? il_fail(&err, IL_ENOMEM, "no memory for a norm") : IL_OK,
                  &err);
}

/* Measure what the result's records do not have of the norm yet, through the store and the
 * workers. */
static void measure(lua_State *L, const il_result *result, const il_lua_norm *norm) {
    const il_sweep *sweep = result->sweep;
    il_lua_identity *identity = (il_lua_identity *)(uintptr_t)&norm->identity;
    bool all = true;
    for (size_t k = 0; k < il_sweep_count(sweep); k++) {
        const json_t *error = json_object_get(il_result_record(L, result, k), "error");
        all = all && (!json_is_object(error) || json_object_get(error, norm->name) != NULL);
    }
    if (all) {
        return;
    }
    il_lua_identify(L, identity);
    il_lua_tell_unkept(L, sweep, identity->now.why);
    (void)lua_getiuservalue(L, 1, 2); /* the sweep; the result is what the method was called on */
    const il_result *measured = il_lua_execute(L, -1, norm);
    take_values(L, (il_result *)(uintptr_t)result, measured, norm->name);
    lua_pop(L, 2);
}

/* ---- by their names, and a script's own ------------------------------------------------------ */

static const char *const norms[] = {"u_L1",    "q_Linf",      "final_q",         "final_u",
                                    "graph_H", "flat_lambda", "flat_lambda_max", "TV",
                                    NULL};

/* The name of the norm at the top of the stack, which stays and is called what in messages. One of
 * the script's own the result's records then have. */
static const char *norm_at_top(const il_fields *f, const char *what, const il_result *result) {
    lua_State *L = f->L;
    int top = lua_gettop(L);
    if (lua_istable(L, top)) {
        il_fields inner = il_fields_open(L, f->arena, top, f->call, what);
        const il_lua_norm *norm = declare(&inner);
        lua_settop(L, top);
        measure(L, result, norm);
        return norm->name;
    }
    char allowed[256] = "";
    const char *name = lua_type(L, top) == LUA_TSTRING ? lua_tostring(L, top) : NULL;
    for (size_t k = 0; norms[k] != NULL; k++) {
        if (name != NULL && strcmp(name, norms[k]) == 0) {
            return norms[k];
        }
        il_text_append(allowed, sizeof allowed, "%s%s", k == 0 ? "" : ", ", norms[k]);
    }
    il_fields_refuse(f, what, -1, name != NULL ? allowed : WHAT);
}

const char *il_result_norm(const il_fields *f, const il_result *result) {
    const char *name = il_fields_push(f, "norm") ? norm_at_top(f, "norm", result) : norms[0];
    lua_pop(f->L, 1);
    return name;
}

const char **il_result_norms(const il_fields *f, const il_result *result, size_t *n) {
    lua_State *L = f->L;
    bool given = il_fields_push(f, "norms");
    bool table = given && lua_istable(L, -1);
    size_t many = table ? (size_t)lua_rawlen(L, -1) : 0;
    if (table && many == 0) { /* one of the script's own; {} stands for the usual */
        lua_pushnil(L);
        given = lua_next(L, -2) != 0;
        lua_pop(L, given ? 2 : 0);
    }
    *n = many > 0 ? many : given ? 1 : 2;
    const char **asked = il_lua_take(L, f->arena, *n, sizeof *asked, NULL);
    if (!given) { /* the usual: velocities and positions */
        memcpy(asked, norms, *n * sizeof *asked);
    } else if (many == 0) {
        asked[0] = norm_at_top(f, "norms", result);
    }
    for (size_t k = 0; k < many; k++) {
        (void)lua_rawgeti(L, -1, (lua_Integer)k + 1);
        asked[k] = norm_at_top(f, "norms", result);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return asked;
}
