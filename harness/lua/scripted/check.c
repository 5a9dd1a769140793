/*
 * check.c - the problems that a script declares, checked one by one.
 */
#include "harness/lua/scripted/check.h"

#include <lauxlib.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/lua/base/context.h"
#include "harness/lua/base/identity.h"
#include "harness/lua/scripted/case.h"
#include "harness/lua/scripted/parts.h"
#include "harness/study/hypotheses/consistency.h"
#include "harness/study/hypotheses/hypotheses.h"

static const char PLACEHOLDER[] = "a value of what is not run";

static il_lua_checks *checks_of(lua_State *L) {
    return il_lua_context_of(L)->options->checks;
}

/* ---- placeholders -------------------------------------------------------------------------- */

/* More than a script asks for that does not loop until a placeholder says no, which none does. */
enum { PLACEHOLDER_MAX = 1000000 };

static int push_placeholder(lua_State *L) {
    if (checks_of(L)->placeholders++ == PLACEHOLDER_MAX) {
        checks_of(L)->placeholders = PLACEHOLDER_MAX; /* pcall gains nothing */
        il_lua_fail(L, NULL, IL_ESCRIPT,
                    "%d values of what is not run were asked for: a loop has no end",
                    PLACEHOLDER_MAX);
    }
    (void)lua_newuserdatauv(L, 0, 0);
    luaL_setmetatable(L, PLACEHOLDER);
    return 1;
}

/* ---- one problem ---------------------------------------------------------------------------- */

/* The failure that callbacks left as a line, and forgotten. */
static void take_failure(il_scripted *w, const char *name, il_check_outcome outcome,
                         il_check_lines *lines) {
    if (w->failure.code == IL_ESCRIPT) {
        il_check_add(lines, name, outcome, NAN, NAN, "%s", w->failure.message);
        w->failure = (il_error){IL_OK, ""};
    }
}

/* A failure that callbacks left is said elsewhere, but for lack of memory in Lua. */
static il_status forget_failure(il_scripted *w, il_error *err) {
    il_error left = w->failure;
    w->failure = (il_error){IL_OK, ""};
    return left.code == IL_ENOMEM ? il_fail(err, left.code, "%s", left.message) : IL_OK;
}

/* A constraint that moves, whose gradient is given and dt is not; SIZE_MAX if there is none. */
static size_t forgotten(const il_scripted *w) {
    for (size_t i = 0; i < w->p; i++) {
        if (w->made[i] == IL_MADE_RATE) {
            return i;
        }
    }
    return SIZE_MAX;
}

static void check_derivatives(const il_scripted *w, il_check_lines *lines) {
    const il_derivatives *found = &w->found;
    size_t moving = forgotten(w);
    if (w->p == 0) {
        il_check_add(lines, "derivatives", IL_CHECK_NOTE, NAN, NAN, "no constraints");
    } else if (moving != SIZE_MAX) {
        il_check_add(
            lines, "derivatives", IL_CHECK_FAIL, NAN, NAN,
            "constraint %zu moves, but grad is given and dt is forgotten: differences of g "
            "stand for it; give dt, or leave out grad too",
            moving + 1);
    } else if (strcmp(il_scripted_derivatives(w), "given") != 0) {
        il_check_add(lines, "derivatives", IL_CHECK_OK, w->made_error, NAN,
                     "those left out are made by differences, at the start to %.1g of the largest",
                     w->made_error);
    }
    if (found->compared > 0) {
        il_check_add(lines, "derivatives", IL_CHECK_OK, found->largest, NAN,
                     "%zu compared with differences at %zu points: within %.1g, %zu undecided",
                     found->compared, found->points, found->largest, found->undecided);
    }
}

/* A problem that overlaps at the start was refused by then. */
static void check_start(const il_problem *problem, il_check_lines *lines) {
    double gap = problem->start_gap;
    if (problem->p == 0) {
        il_check_add(lines, "start", IL_CHECK_OK, NAN, NAN, "feasible: no constraints");
    } else if (isnan(gap)) {
        il_check_add(lines, "start", IL_CHECK_FAIL, gap, 0.0, "some g is no number at q0");
    } else {
        il_check_add(lines, "start", IL_CHECK_OK, gap, 0.0, "feasible: least g is %.6g", gap);
    }
}

/* A hundred steps by the first scheme that suits: derivatives at first contacts, gaps that steps
 * explain, functions away from the start. */
static il_status check_trial(il_scripted *w, const il_problem *problem, const il_choice *choice,
                             il_check_lines *lines, il_error *err) {
    il_case c;
    il_scheme_choice scheme = {.type = NULL};
    for (size_t k = 0; il_scheme_type_at(k) != NULL && scheme.type == NULL; k++) {
        const il_scheme_type *type = il_scheme_type_at(k);
        if (type->holds_positions && il_scheme_suits(type, problem, NULL) == IL_OK) {
            scheme = (il_scheme_choice){.type = type, .name = type->name};
        }
    }
    if (scheme.type == NULL) {
        return IL_OK;
    }
    json_t *record = NULL;
    il_status status = il_case_init(&c, NULL, err);
    c.problem = choice;
    c.scheme = &scheme;
    c.steps = 100;
    status = status == IL_OK ? il_case_run(&c, NULL, &record, err) : status;
    if (status != IL_OK) {
        return status;
    }
    const char *ended = json_string_value(json_object_get(record, "status"));
    const char *message = json_string_value(json_object_get(record, "message"));
    const json_t *feasibility = json_object_get(record, "feasibility");
    const json_t *least = json_object_get(feasibility, "nodes_min"); /* null: no constraints */
    bool well = ended != NULL && strcmp(ended, "ok") == 0;
    if (!well) {
        il_check_add(lines, "trial", IL_CHECK_FAIL, NAN, NAN, "100 steps of %s: %s: %s",
                     scheme.name, ended != NULL ? ended : "?", message != NULL ? message : "");
    } else if (!json_is_number(least)) {
        il_check_add(lines, "trial", IL_CHECK_OK, NAN, NAN, "100 steps of %s: ok, no constraints",
                     scheme.name);
    } else {
        il_check_add(lines, "trial", IL_CHECK_OK, json_number_value(least), NAN,
                     "100 steps of %s: ok, least g at nodes %.3g", scheme.name,
                     json_number_value(least));
    }
    json_decref(record);
    return forget_failure(w, err);
}

/* Empty where hypotheses cannot be measured. */
static json_t *theorems_of(const il_problem *problem) {
    il_constants constants;
    il_error none = {IL_OK, ""};
    json_t *array = json_array();
    il_status status = il_constants_measure(problem, NULL, &constants, &none);
    for (size_t k = 0; status == IL_OK && il_theorem_at(k) != NULL; k++) {
        const il_theorem *theorem = il_theorem_at(k);
        il_admission admission;
        il_theorem_admits(theorem, problem, &constants, &admission);
        json_t *one = json_object();
        il_json_put_text(one, "theorem", theorem->id);
        il_json_set(one, "applies", json_boolean(admission.admitted));
        il_json_set(one, "unknown", json_boolean(admission.unknown));
        il_json_put_text(one, "text", admission.admitted ? theorem->says : admission.reason);
        il_json_append(array, one);
    }
    return array;
}

/* All checks of a problem that was declared. */
static il_status check_all(il_scripted *w, const il_choice *choice, il_check_lines *lines,
                           json_t **theorems, il_error *err) {
    il_problem *problem = NULL;
    il_status status = il_problem_create(&problem, &w->type, NULL, 0.0, err);
    if (status != IL_OK) {
        return status;
    }
    il_check_add(lines, "mass", IL_CHECK_OK, il_metric_smallest(problem->mass), 0.0,
                 "symmetric and positive definite: least eigenvalue at least %.4g",
                 il_metric_smallest(problem->mass));
    check_start(problem, lines);
    check_derivatives(w, lines);
    il_check_force(problem, lines);
    take_failure(w, "force", IL_CHECK_FAIL, lines);
    if (problem->nexact > 0) {
        status = il_check_exact(problem, problem->exact, lines, err);
        if (status != IL_OK && il_scripted_failure(w) == NULL) {
            il_check_add(lines, "exact", IL_CHECK_FAIL, NAN, NAN, "%s", err->message);
        }
        take_failure(w, "exact", IL_CHECK_FAIL, lines);
    } else {
        il_check_add(lines, "exact", IL_CHECK_NOTE, NAN, NAN, "no exact solution is given");
    }
    status = il_scripted_verdict(w, IL_OK, err); /* memory: all else was taken */
    if (status == IL_OK) {
        status = check_trial(w, problem, choice, lines, err);
    }
    if (status == IL_OK) {
        *theorems = theorems_of(problem);
        take_failure(w, "hypotheses", IL_CHECK_NOTE, lines); /* samples lie anywhere */
        status = il_scripted_verdict(w, IL_OK, err);
    }
    il_problem_destroy(problem);
    return status;
}

static const char *const outcomes[] = {
    [IL_CHECK_OK] = "ok", [IL_CHECK_FAIL] = "fail", [IL_CHECK_NOTE] = "note"};

/* w NULL: the problem was refused. theorems is taken. */
static void append_problem(il_lua_checks *checks, const char *name, const il_scripted *w,
                           const il_check_lines *lines, json_t *theorems) {
    size_t failed = 0;
    json_t *array = json_array();
    for (size_t k = 0; k < lines->n; k++) {
        const il_check_line *line = &lines->line[k];
        json_t *one = json_object();
        il_json_put_text(one, "check", line->name);
        il_json_put_text(one, "outcome", outcomes[line->outcome]);
        il_json_put_text(one, "text", line->text);
        il_json_put(one, "measured", line->measured);
        il_json_put(one, "allowed", line->allowed);
        il_json_append(array, one);
        failed += line->outcome == IL_CHECK_FAIL;
    }
    json_t *object = json_object();
    il_json_put_text(object, "name", name);
    if (w != NULL) {
        il_json_put_count(object, "order", (size_t)w->order);
        il_json_put_count(object, "dimension", w->d);
        il_json_put_count(object, "constraints", w->p);
    }
    il_json_put_count(object, "failed", failed);
    il_json_set(object, "checks", array);
    il_json_set(object, "theorems", theorems != NULL ? theorems : json_array());
    il_json_append(checks->problems, object);
    checks->failed += failed;
}

/* The function that the script calls as lab.problem: upvalue 1 is the function itself. */
static int check_problem(lua_State *L) {
    il_lua_checks *checks = checks_of(L);
    il_check_lines lines = {.n = 0};
    il_error err = {IL_OK, ""};
    json_t *theorems = NULL;
    lua_settop(L, 1);
    const char *name = "?";
    if (lua_istable(L, 1) && lua_getfield(L, 1, "name") == LUA_TSTRING) {
        name = lua_tostring(L, -1); /* the table keeps it */
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushvalue(L, 1);
    int code = lua_pcall(L, 1, 1, 0);
    if (il_interrupted() || code == LUA_ERRMEM ||
        (code != LUA_OK && il_lua_context_of(L)->raised.code == IL_ENOMEM)) {
        return lua_error(L);
    }
    if (code != LUA_OK) {
        il_check_add(&lines, "declaration", IL_CHECK_FAIL, NAN, NAN, "%s",
                     lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "an error");
        append_problem(checks, name, NULL, &lines, NULL);
        return push_placeholder(L);
    }
    il_scripted *w = il_scripted_test(L, -1);
    il_choice choice = {.type = &w->type, .callbacks = &w->callbacks, .label = w->type.name};
    il_lua_context_of(L)->L = L;
    il_status status = check_all(w, &choice, &lines, &theorems, &err);
    if (status == IL_OK || status == IL_ESCRIPT || status == IL_EINVAL) {
        if (status != IL_OK) {
            il_check_add(&lines, "declaration", IL_CHECK_FAIL, NAN, NAN, "%s", err.message);
        }
        append_problem(checks, w->type.name, w, &lines, theorems);
        theorems = NULL;
        status = IL_OK;
    }
    json_decref(theorems);
    il_lua_expect(L, "check", status, &err);
    return 1;
}

/* ---- the module ----------------------------------------------------------------------------- */

static bool is_among(const char *const *names, const char *name) {
    bool among = false;
    for (size_t k = 0; names[k] != NULL; k++) {
        among |= strcmp(names[k], name) == 0;
    }
    return among;
}

void il_lua_check_install(lua_State *L) {
    static const char *const read[] = {"levels", "dyadic", "phases", "colors", NULL};
    int module = lua_gettop(L);
    il_lua_push_shared(L, "placeholder_type");
    lua_pushcfunction(L, push_placeholder);
    lua_call(L, 1, 1);
    lua_setfield(L, LUA_REGISTRYINDEX, PLACEHOLDER);
    for (lua_pushnil(L); lua_next(L, module) != 0; lua_settop(L, module + 1)) {
        const char *name = lua_tostring(L, -2);
        if (!lua_isfunction(L, -1) || is_among(read, name)) {
            continue;
        }
        if (strcmp(name, "problem") == 0) {
            lua_pushcclosure(L, check_problem, 1);
        } else {
            lua_pushcfunction(L, push_placeholder);
        }
        lua_setfield(L, module, name);
    }
    lua_pushcfunction(L, push_placeholder);
    lua_setglobal(L, "print");
}
