/*
 * limits.c - sweep:limits: do the runs of a sweep tend to one limit or to several?
 *
 *     sweep:limits{norm = "u_L1" | "q_Linf", problem =, scheme =}
 *         -> {verdict =, evidence =, clusters = {{members = {...}, medoid =, distances = {A =,
 * ...}, levels =, radius =, tail =, separation =}, ...}, runs = {...}, ...}
 *
 * harness/study/limits/limits.h has the rule. A member, a medoid and a run are
 * {h =, c =, m =, steps =, scheme =, case =, cluster =, linked =, distances = {...}}, the same
 * table wherever the run occurs. What was computed is stored like a case: runs, distances and all.
 */
#include "harness/lua/limits/limits.h"

#include <assert.h>
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "build_id.h"
#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/lua/base/module.h"
#include "harness/lua/base/record.h"
#include "harness/lua/sweep/execute.h"
#include "harness/lua/sweep/notice.h"
#include "harness/lua/sweep/result.h"
#include "harness/run/case.h"
#include "harness/run/stored.h"
#include "harness/study/limits/limits_motion.h"

static const char CALL[] = "sweep:limits";

static const char *const norms[] = {"u_L1", "q_Linf", NULL};

const char *il_lua_limits_norm_name(il_limits_norm norm) {
    return norms[norm];
}

/* ---- the handle ----------------------------------------------------------------------------- */

static void close_limits(void *room) {
    il_limits_free(room);
}

/* A table with the handle in it, both pushed; the handle keeps the value at index 1 alive. */
static il_lua_limits *push_handle(lua_State *L, size_t room) {
    il_lua_limits *w = lua_newuserdatauv(L, sizeof *w, 2);
    *w = (il_lua_limits){0};
    lua_pushvalue(L, 1);
    (void)lua_setiuservalue(L, -2, 2);
    w->arena = il_lua_arena_new(L);
    (void)lua_setiuservalue(L, -2, 1);
    w->cases = il_lua_take(L, w->arena, room, sizeof *w->cases, NULL);
    w->steps = il_lua_take(L, w->arena, room, sizeof *w->steps, NULL);
    w->records = il_lua_take(L, w->arena, room, sizeof(json_t *), il_lua_close_json);
    return w;
}

/* ---- running -------------------------------------------------------------------------------- */

static il_limits_step step_of(const il_sweep *s, size_t k, double h) {
    size_t size = k % s->nsizes;
    if (s->phase_c != NULL) {
        return (il_limits_step){.h = h, .c = s->phase_c[size], .m = (int)s->phase_m[size]};
    }
    return il_limits_step_of(h);
}

static void choose_cases(const il_fields *f, il_lua_limits *w) {
    const il_sweep *s = w->sweep;
    const char *label =
        il_fields_text(f, "problem", s->nproblems == 1 ? s->problems[0].label : NULL);
    const char *scheme = il_case_scheme_name(f, "scheme", NULL);
    char problems[400] = "";
    char schemes[400] = "";
    assert(s->nsizes > 0);
    for (size_t k = 0; k < il_sweep_count(s); k += s->nsizes) {
        il_case c = il_sweep_case(s, k);
        bool wanted = label != NULL && strcmp(label, c.problem->label) == 0;
        bool by = scheme == NULL || strcmp(scheme, c.scheme->name) == 0;
        w->problem = wanted ? c.problem : w->problem;
        for (size_t i = k; wanted && by && i < k + s->nsizes; i++) {
            w->cases[w->n++] = i;
        }
        if (k / s->nsizes % s->nschemes == 0) {
            il_text_append(problems, sizeof problems, "%s'%.100s'", k == 0 ? "" : ", ",
                           c.problem->label);
        }
        if (k / s->nsizes < s->nschemes) {
            il_text_append(schemes, sizeof schemes, "%s%.60s", k == 0 ? "" : ", ", c.scheme->name);
        }
    }
    if (w->n == 0) {
        const char *key = w->problem == NULL ? "problem" : "scheme";
        il_fields_refuse_key(f, key, w->problem == NULL ? problems : schemes);
    }
}

/* Run the cases of w as whole cases of the sweep; the records and traj[n], zeroed, of those that
 * end well come first, n is their number then, and failed that of the others. Workers leave each
 * run's nodes in RESULTS/references and its record among the cases, until the study is stored as a
 * whole: one that was ended goes on where it was. */
static void run_all(lua_State *L, il_lua_limits *w, il_trajectory *traj) {
    size_t kept = 0;
    const il_result *result = il_lua_execute_whole(L, 1, w->sweep, w->cases, w->n, traj);
    for (size_t k = 0; k < w->n; k++) { /* those that failed are left out and counted */
        il_trajectory run = traj[k];
        traj[k] = (il_trajectory){.d = 0};
        if (!il_result_went_well(result, w->cases[k])) {
            w->failed++;
            continue;
        }
        w->records[kept] = json_incref(il_result_record(L, result, w->cases[k]));
        traj[kept] = run;
        w->cases[kept++] = w->cases[k];
    }
    w->n = kept;
    lua_pop(L, 1);
}

static void compare_all(lua_State *L, il_lua_limits *w, const il_trajectory *traj) {
    w->T = INFINITY;
    for (size_t k = 0; k < w->n; k++) {
        w->T = fmin(w->T, traj[k].t[traj[k].nodes - 1]);
    }
    w->D = il_lua_take(L, w->arena, w->n * w->n, sizeof *w->D, NULL);
    for (size_t i = 0; i < w->n; i++) {
        for (size_t j = 0; j < i; j++) {
            w->D[i * w->n + j] = w->D[j * w->n + i] =
                il_limits_distance(&traj[i], &traj[j], w->T, w->norm);
        }
        if (il_interrupted()) {
            il_error err = {IL_OK, ""};
            (void)il_fail(&err, IL_EINTERRUPTED, "%s", il_interrupt_reason());
            il_lua_raise(L, CALL, &err);
        }
    }
}

static void compute(lua_State *L, il_lua_limits *w) {
    size_t n = w->n;
    il_trajectory *traj =
        il_lua_take(L, il_lua_arena_open(L), n, sizeof *traj, il_lua_close_trajectory);
    run_all(L, w, traj);
    compare_all(L, w, traj);
    for (size_t k = 0; k < n; k++) { /* they may be large */
        il_trajectory_free(&traj[k]);
    }
}

/* ---- storing -------------------------------------------------------------------------------- */

/* Whose runs they are; record and key both say so (harness/run/stored.h). */
static void put_head(il_json *b, json_t *object, const il_lua_limits *w) {
    char schemes[400] = "";
    const char *last = "";
    for (size_t k = 0; k < w->n; k++) {
        il_case c = il_sweep_case(w->sweep, w->cases[k]);
        if (strcmp(c.scheme->name, last) != 0) {
            il_text_append(schemes, sizeof schemes, "%s%.60s", k == 0 ? "" : ", ", c.scheme->name);
        }
        last = c.scheme->name;
    }
    il_json_put_text(b, object, "problem", w->problem->type->name);
    il_json_put_text(b, object, "scheme", schemes);
}

/* The key of the study, the caller's: it has those of all its cases; *key is NULL where one has
 * none, as it is written in Lua. */
static il_status key_of(const il_lua_limits *w, char **key, il_error *err) {
    il_json b = {false};
    bool named = true;
    il_status status = IL_OK;
    json_t *cases = json_array();
    json_t *object = json_object();
    *key = NULL;
    for (size_t k = 0; named && status == IL_OK && k < w->n; k++) {
        il_case c = il_sweep_case(w->sweep, w->cases[k]);
        char *one = NULL;
        char name[IL_STORE_NAME];
        status = il_case_key(&c, &one, err);
        named = one != NULL;
        if (named) {
            il_store_key_name(one, name);
            il_json_append(&b, cases, json_string(name));
        }
        free(one);
    }
    il_case c = il_sweep_case(w->sweep, w->cases[0]);
    put_head(&b, object, w);
    il_json_put_text(&b, object, "build", IL_BUILD_ID);
    il_json_set(&b, object, "projector", json_pack("{s:s}", "name", c.projector->name));
    il_json_set(&b, object, "reference", json_sprintf("limits in %s", norms[w->norm]));
    il_json_set(&b, object, "cases", cases);
    object = il_json_done(&b, object);
    if (named && status == IL_OK) {
        *key = il_json_text_as(object, JSON_SORT_KEYS | JSON_COMPACT);
        status =
            *key != NULL ? IL_OK : il_fail(err, IL_ENOMEM, "no memory for the name of a study");
    }
    json_decref(object);
    return status;
}

/* The record of the study of a key. */
static json_t *to_json(const il_lua_limits *w, const char *key) {
    il_json b = {false};
    json_t *head = NULL;
    json_t *cases = json_array();
    json_t *list = json_array();
    json_t *D = json_array();
    for (size_t i = 0; i < w->n; i++) {
        il_json_append(&b, cases, json_integer((json_int_t)w->cases[i]));
        il_json_append(&b, list, json_incref(w->records[i]));
        for (size_t j = 0; j < i; j++) {
            il_json_append(&b, D, il_json_number(w->D[i * w->n + j]));
        }
    }
    il_case c = il_sweep_case(w->sweep, w->cases[0]);
    json_t *study = json_pack("{s:f, s:I, s:o, s:o, s:o, s:s, s:s}", "T", w->T, "failed",
                              (json_int_t)w->failed, "cases", cases, "records", list, "distances",
                              D, "projector", c.projector->name, "status", il_status_name(IL_OK));
    b.failed = b.failed || il_json_parse(key, &head, NULL) != IL_OK;
    il_json_set(&b, study, "problem", json_incref(json_object_get(head, "problem")));
    il_json_set(&b, study, "scheme", json_incref(json_object_get(head, "scheme")));
    json_decref(head);
    il_json_set(&b, study, "provenance", il_provenance_json(&c, NAN));
    return il_json_done(&b, study);
}

/* False if what is stored does not fit. */
static bool from_json(lua_State *L, il_lua_limits *w, const json_t *stored) {
    const json_t *cases = json_object_get(stored, "cases");
    const json_t *list = json_object_get(stored, "records");
    const json_t *D = json_object_get(stored, "distances");
    size_t n = json_array_size(cases);
    if (n == 0 || n > w->n || json_array_size(list) != n || json_array_size(D) != n * (n - 1) / 2) {
        return false;
    }
    w->n = n;
    w->T = json_number_value(json_object_get(stored, "T"));
    w->failed = (size_t)json_integer_value(json_object_get(stored, "failed"));
    w->D = il_lua_take(L, w->arena, n * n, sizeof *w->D, NULL);
    for (size_t i = 0, at = 0; i < n; i++) {
        w->cases[i] = (size_t)json_integer_value(json_array_get(cases, i));
        w->records[i] = json_incref(json_array_get(list, i));
        for (size_t j = 0; j < i; j++) {
            const json_t *d = json_array_get(D, at++);
            w->D[i * n + j] = w->D[j * n + i] = json_is_number(d) ? json_number_value(d) : NAN;
        }
    }
    return true;
}

static void find_or_compute(lua_State *L, il_lua_limits *w) {
    il_lua_context *context = il_lua_context_of(L);
    il_error err = {IL_OK, ""};
    char **key = il_lua_take(L, w->arena, 1, sizeof *key, il_lua_close_text);
    json_t **stored = il_lua_take(L, w->arena, 1, sizeof *stored, il_lua_close_json);
    il_lua_expect(L, CALL, key_of(w, key, &err), &err);
    if (*key != NULL && !context->options->fresh) {
        il_lua_expect(L, CALL, il_store_find(context->store, *key, il_stored_judge, stored, &err),
                      &err);
    }
    bool found = *stored != NULL && from_json(L, w, *stored);
    if (!found) {
        compute(L, w);
        json_decref(*stored);
        *stored = NULL;
        if (*key != NULL && w->n > 0) {
            *stored = to_json(w, *key);
            il_status status = *stored != NULL ? IL_OK : il_fail(&err, IL_ENOMEM, "no memory");
            il_lua_expect(L, CALL, status, &err);
            il_lua_expect(L, CALL, il_store_put(context->store, *key, *stored, &err), &err);
            il_lua_forget_runs(L, w->sweep, w->cases, w->n);
        }
    }
    il_lua_say(context, "limits of sweep %s: %zu run%s compared in %s%s", w->sweep->name, w->n,
               il_lua_plural(w->n), norms[w->norm], found ? ", found stored" : "");
    if (w->failed > 0) {
        il_lua_say(context, "limits of sweep %s: %zu run%s failed and %s left out", w->sweep->name,
                   w->failed, il_lua_plural(w->failed), w->failed == 1 ? "is" : "are");
    }
}

/* ---- the verdict ---------------------------------------------------------------------------- */

/* Find the orbits of the problem, if it offers its motion, and judge limits by what the stored
 * records say of each run's end (harness/study/limits/limits_motion.h). */
static void judge(lua_State *L, il_lua_limits *w, il_limits *limits) {
    il_case c = il_sweep_case(w->sweep, w->cases[0]);
    w->orbits = il_lua_orbits_of(L, w->arena, CALL, &c);
    if (w->orbits == NULL) {
        il_text_append(limits->evidence, sizeof limits->evidence,
                       "; by clusters of runs alone, which may be on their way still");
        return;
    }
    double *z = il_lua_take(L, w->arena, w->orbits->dim, sizeof *z, NULL);
    il_limits_end *ends = il_lua_take(L, w->arena, w->n, sizeof *ends, NULL);
    il_error err = {IL_OK, ""};
    double T = w->orbits->problem->horizon;
    size_t d = w->orbits->dim / 2;
    for (size_t i = 0; i < w->n; i++) {
        const json_t *final = json_object_get(w->records[i], "final");
        for (size_t k = 0; k < d; k++) {
            z[k] = json_number_value(json_array_get(json_object_get(final, "q"), k));
            z[d + k] = json_number_value(json_array_get(json_object_get(final, "u"), k));
        }
        double t = json_number_value(json_object_get(final, "t"));
        ends[i] = il_limits_end_of(w->orbits, T, w->steps[i].h, t, z, z + d);
    }
    il_lua_expect(L, CALL, il_limits_judge(limits, w->steps, w->orbits, ends, &err), &err);
}

/* Runs whose end is chaotic are nearest to a limit by chance (sensitivity.lua). The sweep, or its
 * result, is at index 1. */
static void doubt(lua_State *L, il_lua_limits *w) {
    size_t coarse = 0;
    size_t fine = 0;
    for (size_t i = 1; i < w->n; i++) {
        coarse = w->steps[i].h > w->steps[coarse].h ? i : coarse;
        fine = w->steps[i].h < w->steps[fine].h ? i : fine;
    }
    (void)lua_getfield(L, LUA_REGISTRYINDEX, IL_LUA_HOST);
    (void)lua_getfield(L, -1, "doubt_ends");
    lua_pushvalue(L, 1);
    lua_pushinteger(L, (lua_Integer)w->cases[coarse] + 1);
    lua_pushinteger(L, (lua_Integer)w->cases[fine] + 1);
    lua_call(L, 3, 1);
    if (lua_isstring(L, -1)) {
        w->limits.verdict = IL_LIMITS_INCONCLUSIVE;
        w->limits.nlimits = 0;
        (void)snprintf(w->limits.evidence, sizeof w->limits.evidence, "%s", lua_tostring(L, -1));
    }
    lua_pop(L, 2);
}

/* sweep:limits{...} and r:limits{...}, the sweep at index 1, or what it belongs to; the argument at
 * index 2. */
static int limits_of(lua_State *L, const il_sweep *sweep) {
    static const char *const known[] = {"norm", "problem", "scheme", NULL};
    il_error err = {IL_OK, ""};
    if (lua_isnoneornil(L, 2)) {
        lua_settop(L, 1);
        lua_newtable(L);
    }
    lua_settop(L, 2);
    il_lua_limits *w = push_handle(L, il_sweep_count(sweep));
    int handle = lua_gettop(L);
    w->sweep = sweep;
    il_fields f = il_fields_open(L, w->arena, 2, CALL, "");
    il_fields_known(&f, 0, known);
    w->norm = (il_limits_norm)il_fields_choice(&f, "norm", norms, 0);
    choose_cases(&f, w);
    find_or_compute(L, w);
    if (w->n == 0) {
        (void)il_fail(&err, IL_EINVAL, "all %zu runs failed", w->failed);
        il_lua_raise(L, CALL, &err);
    }
    for (size_t i = 0; i < w->n; i++) {
        double h = json_number_value(json_object_get(w->records[i], "h"));
        w->steps[i] = step_of(sweep, w->cases[i], h);
    }
    il_limits *limits = il_lua_take(L, w->arena, 1, sizeof *limits, close_limits);
    il_lua_expect(L, CALL, il_limits_analyse(limits, w->steps, w->D, w->n, &err), &err);
    judge(L, w, limits);
    w->limits = *limits;
    doubt(L, w);
    lua_pushvalue(L, handle);
    il_lua_limits_push_table(L, w);
    return 1;
}

static int sweep_limits(lua_State *L) {
    return limits_of(L, il_lua_check_sweep(L, 1));
}

static int result_limits(lua_State *L) {
    return limits_of(L, il_lua_check_result(L, 1)->sweep);
}

void il_lua_add_limits(lua_State *L) {
    il_lua_sweep_method(L, "limits", sweep_limits);
    il_lua_result_method(L, "limits", result_limits);
    il_lua_limits_add_methods(L);
}
