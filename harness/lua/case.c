/*
 * case.c - cases are read from tables.
 */
#include "harness/lua/case.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/lua/context.h"

/* ---- reading -------------------------------------------------------------------------------- */

static int by_key(const void *a, const void *b) {
    return strcmp(((const il_setting *)a)->key, ((const il_setting *)b)->key);
}

/* Raise an error for the value at the top of the stack, which stands at the key below it where no
 * second value is expected: most likely somebody means several problems. */
static _Noreturn void refuse_place(const il_fields *f, const char *path) {
    char key[96];
    char what[200];
    il_lua_describe(f->L, -2, key, sizeof key);
    (void)snprintf(what, sizeof what, "%.90s[%s]", path, key);
    il_fields outer = *f;
    outer.path[0] = '\0';
    il_fields_refuse(&outer, what, -1,
                     "the problem's name first, then parameter = value; several problems are given "
                     "to lab.sweep as problems = {...}");
}

/* The parameters beside the name, sorted: a Lua table has no order, and keys and labels need one.
 */
static void read_settings(const il_fields *f, const char *path, il_choice *choice) {
    lua_State *L = f->L;
    size_t n = 0;
    lua_pushnil(L);
    while (lua_next(L, f->table) != 0) {
        bool name = lua_isinteger(L, -2) && lua_tointeger(L, -2) == 1;
        if (!name && lua_type(L, -2) != LUA_TSTRING) {
            refuse_place(f, path);
        }
        n += !name;
        lua_pop(L, 1);
    }
    il_setting *settings = il_lua_take(L, f->arena, n, sizeof *settings, NULL);
    size_t k = 0;
    lua_pushnil(L);
    while (lua_next(L, f->table) != 0) {
        if (lua_type(L, -2) == LUA_TSTRING) {
            il_setting *s = &settings[k++];
            s->key = il_lua_copy(L, f->arena, lua_tostring(L, -2));
            if (lua_type(L, -1) == LUA_TSTRING) {
                s->text = il_lua_copy(L, f->arena, lua_tostring(L, -1));
            } else if (lua_type(L, -1) == LUA_TNUMBER || lua_istable(L, -1)) {
                s->x = il_fields_numbers_at_top(f, s->key, true, &s->n);
            } else {
                il_fields_refuse(f, s->key, -1, "a number, an array of numbers, a string");
            }
        }
        lua_pop(L, 1);
    }
    qsort(settings, n, sizeof *settings, by_key);
    choice->settings = settings;
    choice->nsettings = n;
}

static const char *label(const il_fields *f, const il_choice *choice) {
    char text[256] = "";
    for (size_t k = 0; k < choice->nsettings; k++) {
        const il_setting *s = &choice->settings[k];
        il_text_append(text, sizeof text, "%s%s=", k == 0 ? "(" : ", ", s->key);
        if (s->text != NULL) {
            il_text_append(text, sizeof text, "%s", s->text);
        }
        for (size_t i = 0; i < s->n && i < 6; i++) {
            il_text_append(text, sizeof text, "%s%.6g", i == 0 ? "" : ",", s->x[i]);
        }
        il_text_append(text, sizeof text, "%s%s", s->n > 6 ? ",..." : "",
                       k + 1 == choice->nsettings ? ")" : "");
    }
    return il_lua_print(f->L, f->arena, "%s%s", choice->type->name, text);
}

static const il_substitutes *substitutes_of(lua_State *L) {
    return il_lua_context_of(L)->options->substitutes;
}

static const char *callback_failure(const void *scripted) {
    return il_scripted_failure(scripted);
}

static const il_callbacks *watch_callbacks(const il_fields *f, const il_scripted *scripted) {
    il_callbacks *callbacks = il_lua_take(f->L, f->arena, 1, sizeof *callbacks, NULL);
    *callbacks = (il_callbacks){.self = scripted, .failure = callback_failure};
    return callbacks;
}

il_choice il_choice_read(const il_fields *f, const char *what, int keeper) {
    lua_State *L = f->L;
    il_choice choice = {0};
    il_error err = {IL_OK, ""};
    char path[sizeof f->path] = "";
    il_text_append(path, sizeof path, "%s%s", f->path, what);
    const il_scripted *scripted = il_scripted_test(L, -1);
    if (scripted != NULL) {
        lua_pushvalue(L, -1);
        (void)luaL_ref(L, keeper);
        choice.type = il_scripted_type(scripted);
        choice.callbacks = watch_callbacks(f, scripted);
        choice.label = choice.type->name;
        return choice;
    }
    if (lua_type(L, -1) == LUA_TSTRING) {
        il_lua_expect(
            L, f->call,
            il_substitute_problem(substitutes_of(L), lua_tostring(L, -1), &choice.type, &err),
            &err);
    } else if (lua_istable(L, -1)) {
        il_fields inner = il_fields_open(L, f->arena, -1, f->call, path);
        lua_pushinteger(L, 1);
        if (lua_rawgeti(L, inner.table, 1) != LUA_TSTRING) {
            refuse_place(&inner, path);
        }
        il_lua_expect(
            L, f->call,
            il_substitute_problem(substitutes_of(L), lua_tostring(L, -1), &choice.type, &err),
            &err);
        lua_pop(L, 2);
        read_settings(&inner, path, &choice);
    } else {
        il_fields_refuse(f, what, -1,
                         "the name of a problem, {\"name\", key = value}, or what lab.problem "
                         "returned");
    }
    choice.label = label(f, &choice);
    return choice;
}

static void read_rho(const il_fields *f, il_case *c) {
    lua_State *L = f->L;
    if (il_fields_push(f, "rho")) {
        const char *word = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
        double rho = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
        if (strcmp(word, "measured") == 0) {
            c->projection.rho_rule = IL_RHO_MEASURED;
        } else if (strcmp(word, "explicit") == 0) {
            c->projection.rho_rule = IL_RHO_EXPLICIT;
        } else if (rho > 0.0 && isfinite(rho)) {
            c->projection.rho_rule = IL_RHO_GIVEN;
            c->projection.rho = rho;
        } else {
            il_fields_refuse(f, "rho", -1, "\"measured\", \"explicit\", a number > 0");
        }
    }
    lua_pop(L, 1);
}

/* Norms of the whole run: those named, or what suits the run's size. */
static unsigned read_norms(const il_fields *f) {
    size_t n = 0;
    const char **names = il_fields_texts(f, "norms", &n);
    unsigned all = 0;
    if (names == NULL) {
        return IL_NORM_AUTO;
    }
    for (size_t k = 0; k < n; k++) {
        unsigned bits = 0;
        if (!il_norm_bits(names[k], &bits)) {
            lua_pushstring(f->L, names[k]);
            il_fields_refuse(f, "norms", -1, il_norm_names);
        }
        all |= bits;
    }
    return all;
}

void il_case_read_common(const il_fields *f, il_case *c) {
    c->substitutes = substitutes_of(f->L);
    static const char *const records[] = {"full", "final", NULL};
    il_error err = {IL_OK, ""};
    il_status status = il_substitute_projector(
        substitutes_of(f->L), il_fields_text(f, "projector", "auto"), &c->projector, &err);
    il_lua_expect(f->L, f->call, status, &err);
    c->projection.tolerance = il_fields_positive(f, "tol", 0.0);
    c->projection.max_iterations = il_fields_count(f, "max_iterations", 1, 0);
    read_rho(f, c);
    c->accept_stalled = il_fields_flag(f, "accept_stalled", false);
    c->horizon = il_fields_positive(f, "horizon", 0.0);
    c->has_seed = il_fields_push(f, "seed");
    lua_pop(f->L, 1);
    c->seed = il_fields_count(f, "seed", 0, 0);
    c->samples = il_fields_numbers(f, "samples", true, &c->nsamples);
    c->final_only = il_fields_choice(f, "record", records, 0) == 1;
    c->norms = read_norms(f);
}

const il_scheme_choice *il_case_scheme(const il_fields *f, const char *name) {
    il_error err = {IL_OK, ""};
    il_scheme_choice *scheme = il_lua_take(f->L, f->arena, 1, sizeof *scheme, NULL);
    const char *kept = il_lua_print(f->L, f->arena, "%s", name);
    il_lua_expect(f->L, f->call, il_scheme_choose(kept, scheme, &err), &err);
    il_substitute_scheme(substitutes_of(f->L), scheme);
    return scheme;
}

/* h as a number, or as the text of one, which exact arithmetic takes at its word. */
static void read_step(const il_fields *f, il_case *c) {
    if (il_fields_push(f, "h") && lua_type(f->L, -1) == LUA_TSTRING) {
        c->h_text = il_lua_copy(f->L, f->arena, lua_tostring(f->L, -1));
        if (!il_text_number(c->h_text, &c->h) || !(c->h > 0.0 && isfinite(c->h))) {
            il_fields_refuse(f, "h", -1, "a number > 0, or the text of one such as \"1/3\"");
        }
    } else {
        c->h = il_fields_positive(f, "h", 0.0);
    }
    lua_pop(f->L, 1);
}

il_case il_case_read_run(const il_fields *f, il_choice *problem, int keeper) {
    if (!il_fields_push(f, "problem")) {
        il_fields_miss(f, "problem", "a problem's name, {\"name\", key = value}, or a problem");
    }
    *problem = il_choice_read(f, "problem", keeper);
    lua_pop(f->L, 1);
    const char *scheme = il_fields_text(f, "scheme", NULL);
    if (scheme == NULL) {
        il_fields_miss(f, "scheme", "the name of a scheme");
    }
    il_case c = {.problem = problem, .scheme = il_case_scheme(f, scheme)};
    il_case_read_common(f, &c);
    c.steps = il_fields_count(f, "steps", 1, 0);
    read_step(f, &c);
    return c;
}

/* ---- making --------------------------------------------------------------------------------- */

static void close_problem(void *room) {
    il_problem_destroy(*(il_problem **)room);
}

il_problem *il_lua_make_problem(const il_fields *f, int keeper, il_choice **made) {
    lua_State *L = f->L;
    il_error err = {IL_OK, ""};
    if (!il_fields_push(f, "problem")) {
        il_fields_miss(f, "problem", "a problem's name, {\"name\", key = value}, or a problem");
    }
    il_choice *choice = il_lua_take(L, f->arena, 1, sizeof *choice, NULL);
    *choice = il_choice_read(f, "problem", keeper);
    *made = choice;
    lua_pop(L, 1);
    il_case c = {.problem = choice, .horizon = il_fields_positive(f, "horizon", 0.0)};
    il_params **params = il_lua_take(L, f->arena, 1, sizeof(il_params *), il_lua_close_params);
    il_problem **problem = il_lua_take(L, f->arena, 1, sizeof *problem, close_problem);
    il_lua_context_of(L)->L = L;
    il_lua_expect(L, f->call, il_case_problem(&c, params, problem, &err), &err);
    return *problem;
}

void il_lua_expect_callbacks(const il_fields *f, const il_choice *choice) {
    il_error err = {IL_OK, ""};
    il_lua_expect(f->L, f->call, il_choice_verdict(choice, IL_OK, &err), &err);
}
