/*
 * norm.c - norm = {name = "late", of = function(run, reference) ... return number end}
 *
 * run is what trajectory = true of lab.run gives, reference the solution that the record's errors
 * are taken from (its :at(t, side) gives q, u), nil without one. A norm needs whole runs, which
 * records do not hold: cases run once more with it, and are stored under it.
 */
#include "harness/lua/sweep/norm.h"

#include <lauxlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/lua/base/record.h"
#include "harness/measure/norm.h"
#include "harness/run/references.h"

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
    const il_lua_norm *norm = a->job->norm;
    il_error failure = {IL_OK, ""};
    if (il_lua_protect(norm->context, norm->identity.what, answer, a, &failure)) {
        return IL_OK;
    }
    return failure.code != IL_OK ? il_fail(err, failure.code, "%s", failure.message)
                                 : il_fail(err, IL_EINTERRUPTED, "%s", il_interrupt_reason());
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
        il_json_put(json_object_get(record, "error"), job->norm->name, a.value);
    }
    il_event_driven_destroy(events);
    il_problem_destroy(problem);
    il_params_destroy(params);
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Does error of records have a field of this name? */
static bool is_taken(const char *name) {
    bool taken = il_field_find(il_distance_fields, name) != NULL;
    for (size_t k = 0; il_norm_type_at(k) != NULL; k++) {
        const il_norm_type *norm = il_norm_type_at(k);
        taken = taken || strcmp(name, norm->name) == 0 || il_field_find(norm->values, name) != NULL;
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

il_lua_norm *il_lua_norm_declare(const il_fields *f) {
    static const char *const known[] = {"name", "of", "version", NULL};
    lua_State *L = f->L;
    il_fields_known(f, known);
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
