/*
 * case.c - cases are read from tables.
 */
#include "harness/lua/scripted/case.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/judge/program.h"
#include "harness/lua/base/context.h"
#include "harness/lua/scripted/parts.h"
#include "harness/lua/scripted/reference.h"
#include "harness/lua/scripted/scheme.h"

/* ---- reading -------------------------------------------------------------------------------- */

static int by_key(const void *a, const void *b) {
    return strcmp(((const il_setting *)a)->key, ((const il_setting *)b)->key);
}

/* Raise an error for the value at the top of the stack, which stands at the key below it where no
 * second value is expected: most likely several problems are meant. */
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

/* The problem whose name is at the top of the stack. One of the script's own has none here. */
static const il_problem_type *find_problem(const il_fields *f) {
    lua_State *L = f->L;
    il_error err = {IL_OK, ""};
    const il_problem_type *type = NULL;
    il_status status = il_substitute_problem(substitutes_of(L), lua_tostring(L, -1), &type, &err);
    if (status != IL_OK) {
        il_text_append(err.message, sizeof err.message,
                       "; a problem of your own is given as what lab.problem returned");
    }
    il_lua_expect(L, f->call, status, &err);
    return type;
}

il_choice il_choice_read(const il_fields *f, const char *what, int keeper) {
    lua_State *L = f->L;
    il_choice choice = {0};
    char path[sizeof f->path] = "";
    il_text_append(path, sizeof path, "%s%s", f->path, what);
    const il_scripted *scripted = il_scripted_test(L, -1);
    if (scripted != NULL) {
        lua_pushvalue(L, -1);
        (void)luaL_ref(L, keeper);
        choice.type = &scripted->type;
        choice.callbacks = &scripted->callbacks;
        choice.label = choice.type->name;
        return choice;
    }
    if (lua_type(L, -1) == LUA_TSTRING) {
        choice.type = find_problem(f);
    } else if (lua_istable(L, -1)) {
        il_fields inner = il_fields_open(L, f->arena, -1, f->call, path);
        lua_pushinteger(L, 1);
        if (lua_rawgeti(L, inner.table, 1) != LUA_TSTRING) {
            refuse_place(&inner, path);
        }
        choice.type = find_problem(f);
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

/* reference = {file =} or {of =}: il_case_read_run reads it, once the problem is known. */
static bool is_own_reference(const il_fields *f, const il_option *option) {
    int top = lua_gettop(f->L);
    bool own = strcmp(option->key, "reference") == 0 && il_fields_push(f, option->key) &&
               lua_istable(f->L, -1) && lua_rawlen(f->L, -1) == 0;
    lua_settop(f->L, top);
    return own;
}

void il_case_known(const il_fields *f, unsigned where, const char *const *own) {
    enum { KEYS_MAX = 64 };
    const char *known[KEYS_MAX + 1];
    size_t n = 0;
    for (; own != NULL && own[n] != NULL && n < KEYS_MAX; n++) {
        known[n] = own[n];
    }
    for (size_t k = 0; il_option_at(k) != NULL && n < KEYS_MAX; k++) {
        if ((il_option_at(k)->where & where) != 0) {
            known[n++] = il_option_at(k)->key;
        }
    }
    known[n] = NULL;
    il_fields_known(f, known);
}

void il_case_read(const il_fields *f, unsigned where, il_case *c) {
    il_error err = {IL_OK, ""};
    il_lua_expect(f->L, f->call, il_case_init(c, substitutes_of(f->L), &err), &err);
    const il_lua_context *context = il_lua_context_of(f->L);
    c->script = context->name[0] != '\0' && il_text_is_utf8(context->name) ? context->name : NULL;
    c->script_sum = context->sum[0] != '\0' ? context->sum : NULL;
    c->patience = context->options->patience;
    c->look = il_judge_program;
    for (size_t k = 0; il_option_at(k) != NULL; k++) {
        if ((il_option_at(k)->where & where) != 0 && !is_own_reference(f, il_option_at(k))) {
            il_lua_read(f, il_option_at(k), c);
        }
    }
    if ((where & IL_WHERE_RUN) != 0) {
        il_lua_expect(f->L, f->call, il_options_check(c, false, &err), &err);
    }
}

/* Is the folder of this file, links followed, in that of the script or in the results? */
static bool is_own_file(lua_State *L, const char *file) {
    const il_lua_options *options = il_lua_context_of(L)->options;
    char *script = options->script != NULL ? il_text_folder(options->script) : il_alloc_text(".");
    char *folder = il_text_folder(file);
    const char *const owned[] = {script, options->results};
    char *real = realpath(folder, NULL);
    bool inside = false;
    for (size_t k = 0; real != NULL && !inside && k < 2; k++) {
        char *base = owned[k] != NULL ? realpath(owned[k], NULL) : NULL;
        size_t n = base != NULL ? strlen(base) : 0;
        inside = n > 0 && strncmp(real, base, n) == 0 && (real[n] == '/' || real[n] == '\0');
        free(base);
    }
    free(real);
    free(folder);
    free(script);
    return inside;
}

/* A guest's scheme starts no program, and reads its own files: settings are "FILE,mapping=FILE". */
static void check_guest(const il_fields *f, const il_scheme_choice *scheme) {
    if (!scheme->type->verbatim || il_lua_context_of(f->L)->options->trusted) {
        return;
    }
    if (scheme->type->starts) {
        il_lua_fail(f->L, f->call, IL_EINVAL,
                    "scheme is '%s', which starts another program; --trust allows it",
                    scheme->name);
    }
    for (const char *at = scheme->settings; *at != '\0'; at += *at == ',') {
        static const char MAPPING[] = "mapping=";
        size_t n = strcspn(at, ",");
        bool maps = strncmp(at, MAPPING, sizeof MAPPING - 1) == 0;
        const char *file = il_lua_print(f->L, f->arena, "%.*s", (int)n, at);
        file += maps ? sizeof MAPPING - 1 : 0;
        if ((maps || at == scheme->settings) && !is_own_file(f->L, file)) {
            il_lua_fail(f->L, f->call, IL_EINVAL,
                        "scheme '%s' reads '%s'; allowed: files in the folders of the script and "
                        "of the results; --trust allows others",
                        scheme->type->name, file);
        }
        at += n;
    }
}

const il_scheme_choice *il_case_scheme(const il_fields *f, const char *name) {
    il_error err = {IL_OK, ""};
    const il_lua_scheme *own = il_lua_scheme_find(f->L, name);
    if (own != NULL) {
        return &own->choice;
    }
    il_scheme_choice *scheme = il_lua_take(f->L, f->arena, 1, sizeof *scheme, NULL);
    const char *kept = il_lua_print(f->L, f->arena, "%s", name);
    il_lua_expect(f->L, f->call, il_scheme_choose(kept, scheme, &err), &err);
    check_guest(f, scheme);
    il_substitute_scheme(substitutes_of(f->L), scheme);
    return scheme;
}

/* The name of the scheme at the top of the stack, which messages call what. */
static const char *scheme_name_at_top(const il_fields *f, const char *what) {
    const il_lua_scheme *own = il_lua_scheme_test(f->L, -1);
    if (own == NULL && lua_type(f->L, -1) != LUA_TSTRING) {
        il_fields_refuse(f, what, -1, "the name of a scheme, or what lab.scheme returned");
    }
    return own != NULL ? own->type.name : il_lua_copy(f->L, f->arena, lua_tostring(f->L, -1));
}

const char *il_case_scheme_name(const il_fields *f, const char *key, const char *fallback) {
    const char *name = fallback;
    if (il_fields_push(f, key)) {
        name = scheme_name_at_top(f, key);
    }
    lua_pop(f->L, 1);
    return name;
}

const char **il_case_scheme_names(const il_fields *f, const char *key, size_t *n) {
    lua_State *L = f->L;
    bool there = il_fields_push(f, key);
    bool array = lua_istable(L, -1);
    *n = array ? (size_t)lua_rawlen(L, -1) : there;
    const char **names = il_lua_take(L, f->arena, *n, sizeof *names, NULL);
    for (size_t k = 0; array && k < *n; k++) {
        (void)lua_rawgeti(L, -1, (lua_Integer)k + 1);
        names[k] = scheme_name_at_top(f, il_lua_print(L, f->arena, "%s[%zu]", key, k + 1));
        lua_pop(L, 1);
    }
    if (there && !array) {
        names[0] = scheme_name_at_top(f, key);
    }
    lua_pop(L, 1);
    return names;
}

static il_choice read_problem(const il_fields *f, int keeper) {
    if (!il_fields_push(f, "problem")) {
        il_fields_miss(f, "problem", "a problem's name, {\"name\", key = value}, or a problem");
    }
    il_choice problem = il_choice_read(f, "problem", keeper);
    lua_pop(f->L, 1);
    return problem;
}

il_case il_case_read_run(const il_fields *f, unsigned where, il_choice *problem, int keeper) {
    *problem = read_problem(f, keeper);
    const char *scheme = il_case_scheme_name(f, "scheme", NULL);
    if (scheme == NULL) {
        il_fields_miss(f, "scheme", "the name of a scheme");
    }
    il_case c;
    il_case_read(f, where | IL_WHERE_CASE, &c);
    c.problem = problem;
    c.scheme = il_case_scheme(f, scheme);
    if ((where & IL_WHERE_RUN) != 0 && il_fields_push(f, "reference")) {
        if (lua_istable(f->L, -1)) {
            const il_problem *made = il_lua_case_problem(f->L, f->arena, f->call, &c, NULL);
            il_lua_reference_set(il_lua_reference_read(f, made, keeper), &c);
        }
        lua_pop(f->L, 1);
    }
    return c;
}

/* ---- making --------------------------------------------------------------------------------- */

il_problem *il_lua_case_problem(lua_State *L, il_lua_arena *arena, const char *call,
                                const il_case *c, const il_params **params) {
    il_error err = {IL_OK, ""};
    il_params **own = il_lua_take(L, arena, 1, sizeof(il_params *), il_lua_close_params);
    il_problem **problem = il_lua_take(L, arena, 1, sizeof *problem, il_lua_close_problem);
    il_lua_context_of(L)->L = L;
    il_lua_expect(L, call, il_case_problem(c, own, problem, &err), &err);
    if (params != NULL) {
        *params = *own;
    }
    return *problem;
}

il_problem *il_lua_make_problem(const il_fields *f, int keeper, il_choice **made,
                                const il_params **params) {
    il_choice *choice = il_lua_take(f->L, f->arena, 1, sizeof *choice, NULL);
    *choice = read_problem(f, keeper);
    *made = choice;
    il_case c = {.problem = choice};
    il_lua_read(f, &(il_option){"horizon", .kind = IL_OPTION_POSITIVE}, &c.horizon);
    return il_lua_case_problem(f->L, f->arena, f->call, &c, params);
}

void il_lua_expect_callbacks(const il_fields *f, const il_choice *choice) {
    il_error err = {IL_OK, ""};
    il_lua_expect(f->L, f->call, il_choice_verdict(choice, IL_OK, &err), &err);
}
