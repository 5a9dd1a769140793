/*
 * case.c - reading, checking, naming and running one case.
 */
#include "harness/lua/case.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "build_id.h"
#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/data/history.h"
#include "harness/lua/context.h"
#include "harness/reference/proof.h"
#include "harness/run/record_json.h"
#include "harness/run/substitute.h"

/* Records of another layout must not be found. */
static const int RECORD_FORMAT = 2;

enum { OBSERVERS_MAX = 4 };

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

il_choice il_choice_read(const il_fields *f, const char *what, int keeper) {
    lua_State *L = f->L;
    il_choice choice = {0};
    il_error err = {IL_OK, ""};
    char path[sizeof f->path] = "";
    il_text_append(path, sizeof path, "%s%s", f->path, what);
    choice.scripted = il_scripted_test(L, -1);
    if (choice.scripted != NULL) {
        lua_pushvalue(L, -1);
        (void)luaL_ref(L, keeper);
        choice.type = il_scripted_type(choice.scripted);
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

static il_status set(il_params *params, const il_setting *s, il_error *err) {
    return s->text != NULL ? il_params_set_text(params, s->key, s->text, err)
                           : il_params_set_numbers(params, s->key, s->x, s->n, err);
}

/* Does the problem draw numbers? Others only record the seed. */
static bool draws(const il_problem_type *type) {
    const il_param_spec *spec = type->params;
    while (spec->key != NULL && strcmp(spec->key, "seed") != 0) {
        spec++;
    }
    return spec->key != NULL;
}

il_status il_case_params(const il_case *c, il_params **params, il_error *err) {
    il_error why = {IL_OK, ""};
    const il_choice *problem = c->problem;
    il_status status = il_params_create(params, problem->type->params, &why);
    for (size_t k = 0; status == IL_OK && k < problem->nsettings; k++) {
        status = set(*params, &problem->settings[k], &why);
    }
    if (status == IL_OK && c->has_seed && draws(problem->type)) {
        double seed = (double)c->seed;
        status = il_params_set_numbers(*params, "seed", &seed, 1, &why);
    }
    if (status != IL_OK) {
        il_params_destroy(*params);
        *params = NULL;
        return il_fail(err, status, "problem '%s': %.900s", problem->type->name, why.message);
    }
    return IL_OK;
}

il_status il_case_problem(const il_case *c, il_params **params, il_problem **problem,
                          il_error *err) {
    il_status status = il_case_params(c, params, err);
    double T = c->h > 0.0 && c->steps > 0 ? (double)c->steps * c->h : c->horizon;
    if (status == IL_OK) {
        status = il_problem_create(problem, c->problem->type, *params, T, err);
    }
    if (status != IL_OK && c->problem->scripted != NULL) {
        status = il_scripted_verdict(c->problem->scripted, status, err);
    }
    return status;
}

static void close_problem(void *room) {
    il_problem_destroy(*(il_problem **)room);
}

il_problem *il_lua_case_problem(lua_State *L, il_lua_arena *arena, const char *call,
                                const il_case *c, const il_params **params) {
    il_error err = {IL_OK, ""};
    il_params **own = il_lua_take(L, arena, 1, sizeof(il_params *), il_lua_close_params);
    il_problem **problem = il_lua_take(L, arena, 1, sizeof *problem, close_problem);
    il_lua_context_of(L)->L = L;
    il_lua_expect(L, call, il_case_problem(c, own, problem, &err), &err);
    *params = *own;
    return *problem;
}

il_problem *il_lua_make_problem(const il_fields *f, int keeper, il_choice **made) {
    const il_params *params = NULL;
    if (!il_fields_push(f, "problem")) {
        il_fields_miss(f, "problem", "a problem's name, {\"name\", key = value}, or a problem");
    }
    il_choice *choice = il_lua_take(f->L, f->arena, 1, sizeof *choice, NULL);
    *choice = il_choice_read(f, "problem", keeper);
    *made = choice;
    lua_pop(f->L, 1);
    il_case c = {.problem = choice, .horizon = il_fields_positive(f, "horizon", 0.0)};
    return il_lua_case_problem(f->L, f->arena, f->call, &c, &params);
}

void il_lua_expect_callbacks(const il_fields *f, const il_choice *choice) {
    if (choice->scripted != NULL) {
        il_error err = {IL_OK, ""};
        il_lua_expect(f->L, f->call, il_scripted_verdict(choice->scripted, IL_OK, &err), &err);
    }
}

il_status il_case_check(const il_case *c, bool needs_exact, il_error *err) {
    il_params *params = NULL;
    il_problem *problem = NULL;
    il_status status = il_case_problem(c, &params, &problem, err);
    if (status == IL_OK) {
        status = il_scheme_admits(c->scheme->type, problem, err);
    }
    if (problem != NULL && status == IL_OK && needs_exact && problem->nexact == 0) {
        status = il_fail(err, IL_EINVAL,
                         "reference is 'exact', but no exact solution of %s is known: %s; "
                         "allowed: {\"self\", steps = N}, \"none\"",
                         c->problem->label,
                         problem->no_exact != NULL ? problem->no_exact : "there is none here");
    }
    il_problem_destroy(problem);
    il_params_destroy(params);
    return status;
}

/* ---- running -------------------------------------------------------------------------------- */

/* A callback that failed made NaN of a number: whatever came of that, the script is to blame. */
static void blame_script(const il_case *c, il_record *record) {
    const char *failure = il_scripted_failure(c->problem->scripted);
    if (failure == NULL) {
        return;
    }
    record->status = IL_ESCRIPT;
    (void)snprintf(record->message, sizeof record->message, "%s", failure);
    for (size_t k = 0; k < record->ndistances; k++) {
        record->distances[k].error = (il_deviation_result){NAN, NAN, NAN, NAN};
        record->distances[k].norms = il_norms_none();
    }
}

/* Put the same run in exact arithmetic into the record. */
static il_status prove(const il_case *c, const il_run_spec *spec, const il_record *record,
                       const il_trajectory *trajectory, json_t *out, il_error *err) {
    il_proof proof = {.d = 0};
    il_proof_query query = {.problem = spec->problem,
                            .params = spec->params,
                            .scheme = spec->scheme,
                            .h = spec->h,
                            .horizon = spec->horizon,
                            .h_text = c->h_text,
                            .steps = record->steps_done,
                            .trajectory = trajectory};
    il_status status = il_proof_run(&proof, &query, err);
    json_t *json = status == IL_OK ? il_proof_json(&proof, record->q, record->u) : NULL;
    if (status == IL_OK && json_object_set_new(out, "exact", json) != 0) {
        status = il_fail(err, IL_ENOMEM, "no memory for a record");
    }
    il_proof_free(&proof);
    return status;
}

/* Those who watch the run: the case's own, and history if a series is asked for. */
static size_t gather(const il_case *c, il_history *history, il_observer *observers) {
    size_t n = 0;
    for (size_t k = 0; k < c->nobservers && k + 1 < OBSERVERS_MAX; k++) {
        observers[n++] = c->observers[k];
    }
    if (c->series) {
        observers[n++] = il_history_observer(history);
    }
    return n;
}

il_status il_case_run(const il_case *c, il_trajectory *trajectory, json_t **out, il_error *err) {
    il_record record = {0};
    il_history history = {0};
    il_observer observers[OBSERVERS_MAX];
    size_t nobservers = gather(c, &history, observers);
    il_run_spec spec = {.problem = c->problem->type,
                        .scheme = c->scheme->type,
                        .scheme_name = c->scheme->name,
                        .scheme_settings = c->scheme->settings,
                        .projector = c->projector,
                        .projection = c->projection,
                        .accept_stalled = c->accept_stalled,
                        .seed = c->seed,
                        .has_seed = c->has_seed,
                        .steps = c->steps,
                        .h = c->h,
                        .horizon = c->horizon,
                        .samples = c->samples,
                        .nsamples = c->nsamples,
                        .loads = c->loads,
                        .observers = observers,
                        .nobservers = nobservers,
                        .final_only = c->final_only,
                        .event_driven = c->event_driven,
                        .multipliers = c->multipliers,
                        .series = c->series,
                        .reference = c->reference,
                        .reference_run = c->reference_run,
                        .norms = c->norms};
    *out = NULL;
    il_status status = il_case_params(c, &spec.params, err);
    if (status != IL_OK) {
        return status;
    }
    if (c->exact) {
        status = il_proof_admits(spec.problem, spec.scheme, err);
    }
    if (status == IL_OK) {
        status = il_run(&spec, &record, trajectory, err);
    }
    if (status == IL_OK && c->substitutes != NULL && c->substitutes->record != NULL) {
        c->substitutes->record(&record);
    }
    if (c->problem->scripted != NULL) {
        if (status == IL_OK) {
            blame_script(c, &record);
        } else {
            status = il_scripted_verdict(c->problem->scripted, status, err);
        }
    }
    if (status == IL_OK) {
        *out = il_record_json(&record, spec.params);
        if (c->reference_error != NULL) {
            (void)json_object_set_new(json_object_get(*out, "error"), "reference_error",
                                      json_deep_copy(c->reference_error));
        }
        if (*out != NULL && c->series) {
            il_history_put(&history, *out);
        }
        status = *out != NULL ? IL_OK : il_fail(err, IL_ENOMEM, "no memory for a record");
    }
    if (status == IL_OK && c->exact && record.status == IL_OK) {
        status = prove(c, &spec, &record, trajectory, *out, err);
    }
    il_history_free(&history);
    il_record_free(&record);
    il_params_destroy(spec.params);
    return status;
}

json_t *il_case_lost(const il_case *c, il_status status, const char *message) {
    return json_pack("{s:s, s:s, s:s, s:I, s:o, s:n, s:s, s:s, s:{s:n, s:n, s:n, s:n, s:n}}",
                     "problem", c->problem->type->name, "scheme", c->scheme->name, "projector",
                     c->projector->name, "steps", (json_int_t)c->steps, "h",
                     il_json_number(c->h > 0.0 ? c->h : NAN), "final", "status",
                     il_status_name(status), "message", message, "error", "reference", "q_Linf",
                     "u_L1", "final_q", "final_u");
}

/* ---- naming --------------------------------------------------------------------------------- */

static json_t *projection_json(const il_case *c) {
    return json_pack("{s:s, s:o, s:I, s:i, s:o, s:b}", "name", c->projector->name, "tolerance",
                     il_json_number(c->projection.tolerance), "max_iterations",
                     (json_int_t)c->projection.max_iterations, "rho_rule",
                     (int)c->projection.rho_rule, "rho", il_json_number(c->projection.rho),
                     "accept_stalled", (int)c->accept_stalled);
}

char *il_case_key(const il_case *c) {
    il_params *params = NULL;
    if (c->problem->scripted != NULL || il_case_params(c, &params, NULL) != IL_OK) {
        return NULL;
    }
    json_t *samples = json_array();
    for (size_t k = 0; k < c->nsamples; k++) {
        (void)json_array_append_new(samples, il_json_number(c->samples[k]));
    }
    json_t *seed = c->has_seed ? json_integer((json_int_t)c->seed) : json_null();
    json_t *key = json_pack(
        "{s:s, s:i, s:i, s:s, s:o, s:o, s:s, s:o, s:I, s:o, s:o, s:o, s:s, s:s}", "build",
        IL_BUILD_ID, "format", RECORD_FORMAT, "norms", (int)c->norms, "problem",
        c->problem->type->name, "parameters", il_params_json(params), "seed", seed, "scheme",
        c->scheme->name, "projector", projection_json(c), "steps", (json_int_t)c->steps, "h",
        il_json_number(c->h), "horizon", il_json_number(c->horizon), "samples", samples, "record",
        c->final_only ? "final" : "full", "reference",
        c->reference_key != NULL ? c->reference_key : "own");
    char *text = key != NULL
                     ? json_dumps(key, JSON_SORT_KEYS | JSON_COMPACT | JSON_REAL_PRECISION(17))
                     : NULL;
    json_decref(key);
    il_params_destroy(params);
    return text;
}
