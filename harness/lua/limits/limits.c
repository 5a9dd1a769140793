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
#include "harness/lua/base/setfield.h"
#include "harness/lua/sweep/notice.h"
#include "harness/lua/sweep/result.h"
#include "harness/run/provenance.h"
#include "harness/run/stored.h"

static const char CALL[] = "sweep:limits";
static const char LIMITS[] = "impactlab.limits";
static const char HANDLE = 0; /* its address is the key of the handle in the table */

static const char *const norms[] = {"u_L1", "q_Linf", NULL};

const char *il_lua_limits_norm_name(il_limits_norm norm) {
    return norms[norm];
}

/* ---- the handle ----------------------------------------------------------------------------- */

static void close_limits(void *room) {
    il_limits_free(room);
}

typedef struct {
    size_t n;
    json_t **list;
} records;

static void close_records(void *room) {
    records *r = room;
    for (size_t k = 0; k < r->n; k++) {
        json_decref(r->list[k]);
    }
}

typedef struct {
    size_t n;
    il_trajectory *list;
} trajectories;

static void close_trajectories(void *room) {
    trajectories *r = room;
    for (size_t k = 0; k < r->n; k++) {
        il_trajectory_free(&r->list[k]);
    }
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
    w->records = il_lua_take(L, w->arena, room, sizeof(json_t *), NULL);
    records *owned = il_lua_take(L, w->arena, 1, sizeof *owned, close_records);
    *owned = (records){room, w->records};
    return w;
}

il_lua_limits *il_lua_limits_check(lua_State *L, int index, const char *call) {
    il_lua_limits *w = NULL;
    if (lua_istable(L, index)) {
        (void)lua_rawgetp(L, index, &HANDLE);
        w = lua_touserdata(L, -1);
        lua_pop(L, 1); /* the table keeps it */
    }
    if (w == NULL) {
        (void)luaL_error(L, "%s: it is a method of what sweep:limits returned", call);
    } else if (!il_lua_arena_alive(w->arena) || !il_lua_arena_alive(w->sweep->arena)) {
        (void)luaL_error(L, "%s: the limits were closed", call);
    }
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
        (void)il_fields_push(f, key);
        il_fields_refuse(f, key, -1, w->problem == NULL ? problems : schemes);
    }
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
    il_lua_arena *arena = il_lua_arena_open(L);
    il_trajectory *traj = il_lua_take(L, arena, w->n, sizeof *traj, NULL);
    trajectories *owned = il_lua_take(L, arena, 1, sizeof *owned, close_trajectories);
    *owned = (trajectories){w->n, traj};
    il_lua_limits_run(L, w, traj);
    compare_all(L, w, traj);
    close_trajectories(owned);
    owned->n = 0;
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
            il_lua_limits_forget_runs(L, w);
        }
    }
    il_lua_say(context, "limits of sweep %s: %zu run%s compared in %s%s", w->sweep->name, w->n,
               il_lua_plural(w->n), norms[w->norm], found ? ", found stored" : "");
    if (w->failed > 0) {
        il_lua_say(context, "limits of sweep %s: %zu run%s failed and %s left out", w->sweep->name,
                   w->failed, il_lua_plural(w->failed), w->failed == 1 ? "is" : "are");
    }
}

/* ---- the table ------------------------------------------------------------------------------ */

void il_lua_limits_push_distances(lua_State *L, const json_t *record, il_limits_norm norm) {
    json_t *known = json_object_get(json_object_get(record, "error"), "distances");
    const char *name = NULL;
    json_t *one = NULL;
    lua_newtable(L);
    json_object_foreach(known, name, one) {
        const json_t *value = json_object_get(one, norms[norm]);
        if (json_is_number(value)) {
            il_lua_set_number(L, name, json_number_value(value));
        }
    }
}

static void push_run(lua_State *L, const il_lua_limits *w, size_t i) {
    lua_newtable(L);
    il_lua_set_number(L, "h", w->steps[i].h);
    il_lua_set_number(L, "c", w->steps[i].c);
    lua_pushinteger(L, w->steps[i].m);
    lua_setfield(L, -2, "m");
    il_lua_set_count(L, "steps",
                     (size_t)json_integer_value(json_object_get(w->records[i], "steps")));
    il_lua_set_text(L, "scheme", il_sweep_case(w->sweep, w->cases[i]).scheme->name);
    il_lua_set_count(L, "case", w->cases[i] + 1);
    if (w->limits.cluster[i] != IL_LIMITS_NONE) {
        il_lua_set_count(L, "cluster", (size_t)w->limits.cluster[i] + 1);
    }
    il_lua_set_flag(L, "linked", w->limits.linked[i]);
    il_lua_limits_push_distances(L, w->records[i], w->norm);
    lua_setfield(L, -2, "distances");
}

/* The runs are at the top of the stack. */
static void push_cluster(lua_State *L, const il_lua_limits *w, size_t k) {
    const il_limits_cluster *c = &w->limits.clusters[k];
    int runs = lua_gettop(L);
    lua_newtable(L);
    lua_newtable(L);
    lua_Integer n = 0;
    for (size_t i = 0; i < w->n; i++) {
        if (w->limits.cluster[i] == (int)k) {
            (void)lua_rawgeti(L, runs, (lua_Integer)i + 1);
            lua_rawseti(L, -2, ++n);
        }
    }
    lua_setfield(L, -2, "members");
    (void)lua_rawgeti(L, runs, (lua_Integer)c->medoid + 1);
    lua_setfield(L, -2, "medoid");
    il_lua_limits_push_distances(L, w->records[c->medoid], w->norm);
    lua_setfield(L, -2, "distances");
    il_lua_set_count(L, "levels", c->levels);
    il_lua_set_number(L, "radius", c->radius);
    il_lua_set_number(L, "tail", c->tail);
    il_lua_set_number(L, "separation", c->separation);
    if (c->orbit != IL_LIMITS_NONE) {
        const il_orbit *orbit = &w->orbits->list[c->orbit];
        il_lua_set_count(L, "period", (size_t)orbit->period);
        il_lua_set_count(L, "state", (size_t)c->index + 1);
        il_lua_set_number(L, "multiplier", orbit->multiplier);
        il_lua_set_number(L, "to_orbit", c->distance);
        il_lua_set_flag(L, "transient", c->transient);
    }
}

static void push_text(lua_State *L, const il_lua_limits *w) {
    lua_pushfstring(L, "%s on %s by %I runs in %s: %s", il_limits_verdict_name(w->limits.verdict),
                    w->problem->label, (LUAI_UACINT)w->n, norms[w->norm], w->limits.evidence);
}

static int limits_text(lua_State *L) {
    push_text(L, il_lua_limits_check(L, 1, "tostring"));
    return 1;
}

/* The handle is at the top of the stack, and is replaced by the table. */
static void push_table(lua_State *L, const il_lua_limits *w) {
    lua_newtable(L);
    lua_insert(L, -2);
    lua_rawsetp(L, -2, &HANDLE);
    il_lua_set_text(L, "verdict", il_limits_verdict_name(w->limits.verdict));
    il_lua_set_text(L, "evidence", w->limits.evidence);
    il_lua_set_text(L, "norm", norms[w->norm]);
    il_lua_set_text(L, "problem", w->problem->label);
    il_lua_set_number(L, "horizon", w->T);
    il_lua_set_number(L, "cut", w->limits.cut);
    il_lua_set_count(L, "limits", w->limits.nlimits);
    il_lua_set_count(L, "failed", w->failed);
    lua_newtable(L);
    lua_createtable(L, (int)w->n, 0);
    for (size_t i = 0; i < w->n; i++) {
        push_run(L, w, i);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    for (size_t k = 0; k < w->limits.nclusters; k++) {
        push_cluster(L, w, k);
        lua_rawseti(L, -3, (lua_Integer)k + 1);
    }
    lua_setfield(L, -3, "runs");
    lua_setfield(L, -2, "clusters");
    luaL_setmetatable(L, LIMITS);
    push_text(L, w);
    il_journal_judge(il_lua_context_of(L)->journal, "limits",
                     il_limits_verdict_name(w->limits.verdict), lua_tostring(L, -1));
    lua_pop(L, 1);
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

int il_lua_limits_call(lua_State *L, const il_sweep *sweep) {
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
    il_lua_limits_judge(L, w, limits);
    w->limits = *limits;
    doubt(L, w);
    lua_pushvalue(L, handle);
    push_table(L, w);
    return 1;
}

static int sweep_limits(lua_State *L) {
    return il_lua_limits_call(L, il_lua_check_sweep(L, 1));
}

static int result_limits(lua_State *L) {
    return il_lua_limits_call(L, il_lua_check_result(L, 1)->sweep);
}

/* ---- what figures are drawn from ------------------------------------------------------------ */

static void set_places(lua_State *L, const char *key, const size_t *place, size_t n) {
    lua_createtable(L, (int)n, 0);
    for (size_t k = 0; k < n; k++) {
        lua_pushinteger(L, (lua_Integer)place[k] + 1);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_setfield(L, -2, key);
}

/* Which exact solution the medoid of each cluster is nearest to; false where none is known. */
static void set_nearest(lua_State *L, const il_lua_limits *w) {
    lua_createtable(L, (int)w->limits.nclusters, 0);
    for (size_t k = 0; k < w->limits.nclusters; k++) {
        const json_t *record = w->records[w->limits.clusters[k].medoid];
        const json_t *name = json_object_get(json_object_get(record, "error"), "reference");
        if (json_is_string(name)) {
            lua_pushstring(L, json_string_value(name));
        } else {
            lua_pushboolean(L, false);
        }
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_setfield(L, -2, "nearest");
}

/* host.tree(limits) -> {sweep =, D = {...}, leaves = {...}, joins = {{a =, b =, height =}, ...},
 * nearest = {...}}: the distances row by row, the tree of single linkage. */
static int tree(lua_State *L) {
    const il_lua_limits *w = il_lua_limits_check(L, 1, "limits:figure");
    lua_newtable(L);
    il_lua_set_text(L, "sweep", w->sweep->name);
    il_lua_set_numbers(L, "D", w->D, w->n * w->n, 1);
    set_places(L, "leaves", w->limits.leaves, w->n);
    set_nearest(L, w);
    lua_createtable(L, (int)w->n, 0);
    for (size_t k = 0; k + 1 < w->n; k++) {
        const il_linkage_join *join = &w->limits.joins[k];
        lua_createtable(L, 0, 3);
        il_lua_set_count(L, "a", join->a + 1);
        il_lua_set_count(L, "b", join->b + 1);
        il_lua_set_number(L, "height", join->height);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_setfield(L, -2, "joins");
    return 1;
}

/* host.tail(limits, k, m): the radius of cluster k at level m and finer; the diameter of all runs
 * for k = 0. */
static int tail(lua_State *L) {
    const il_lua_limits *w = il_lua_limits_check(L, 1, "limits:figure");
    size_t k = (size_t)luaL_checkinteger(L, 2);
    int m = (int)luaL_checkinteger(L, 3);
    double *scratch = il_lua_take(L, il_lua_arena_open(L), w->n, sizeof *scratch, NULL);
    lua_pushnumber(L, k == 0 ? il_limits_diameter(&w->limits, w->steps, w->D, m)
                             : il_limits_radius(&w->limits, w->steps, w->D, k - 1, m, scratch));
    return 1;
}

/* The metatable of limits, whose methods host.limits has. */
static void add_methods(lua_State *L) {
    static const luaL_Reg methods[] = {{"border", il_lua_limits_switching_point},
                                       {"borders", il_lua_limits_switching_points},
                                       {NULL, NULL}};
    luaL_newlib(L, methods);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, "limits");
    (void)luaL_newmetatable(L, LIMITS);
    lua_insert(L, -2);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, limits_text);
    lua_setfield(L, -2, "__tostring");
    lua_pushliteral(L, "impactlab");
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}

void il_lua_add_limits(lua_State *L) {
    static const luaL_Reg functions[] = {{"tree", tree}, {"tail", tail}, {NULL, NULL}};
    il_lua_sweep_method(L, "limits", sweep_limits);
    il_lua_result_method(L, "limits", result_limits);
    luaL_setfuncs(L, functions, 0);
    add_methods(L);
}
