/*
 * limits.c - what limits.lua (harness/lua/library) asks of C: do runs of a sweep tend to one limit
 * or to several (harness/study/limits/limits.h)?
 *
 *     host.limits(r, cases, norm)
 *         -> {verdict =, evidence =, limits =, horizon =, cut =, failed =, runs = {RUN, ...},
 *             errors = {...}, clusters = {{medoid =, ...}, ...}, D = {...}, leaves = {...},
 *             joins = {{a =, b =, height =}, ...}}
 *
 * r is a sweep or its result; cases, clusters, runs, leaves and joins are numbered from 1. RUN is
 * {h =, c =, m =, steps =, scheme =, case =, cluster =, linked =}, errors[k] the field error of the
 * record of run k, D the distances row by row. Runs and distances together are stored like a case.
 */
#include "harness/lua/limits/limits.h"

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
#include "harness/lua/sweep/result.h"
#include "harness/run/case.h"
#include "harness/study/limits/limits_motion.h"
#include "harness/study/limits/switching.h"

static const char CALL[] = "sweep:limits";

/* Runs that are compared; the arena owns all. */
typedef struct {
    il_lua_arena *arena;
    const il_sweep *sweep;
    il_limits_norm norm;
    double T;         /* end of the shortest run */
    size_t n, failed; /* runs that ended well, and others */
    size_t *cases;    /* [n] of the sweep */
    json_t **records; /* [n] */
    double *D;        /* [n*n] */
} comparison;

/* ---- running -------------------------------------------------------------------------------- */

/* Run the cases of w as whole cases of the sweep; the records and traj[n], zeroed, of those that
 * end well come first, n is their number then, and failed that of the others. Workers leave each
 * run's nodes in RESULTS/references and its record among the cases, until the comparison is stored
 * as a whole: one that was interrupted goes on where it was. */
static void run_all(lua_State *L, comparison *w, il_trajectory *traj) {
    size_t kept = 0;
    const il_result *result = il_lua_execute_whole(L, 1, w->sweep, w->cases, w->n, traj);
    for (size_t k = 0; k < w->n; k++) { /* those that failed are left out and counted */
        il_trajectory run = traj[k];
        traj[k] = (il_trajectory){.d = 0};
        if (!il_result_is_ok(result, w->cases[k])) {
            w->failed++;
            continue;
        }
        w->records[kept] = json_incref(il_result_record(result, w->cases[k]));
        traj[kept] = run;
        w->cases[kept++] = w->cases[k];
    }
    w->n = kept;
    lua_pop(L, 1);
}

static void compare_all(lua_State *L, comparison *w) {
    size_t n = w->n;
    il_trajectory *traj = il_lua_take(L, w->arena, n, sizeof *traj, il_lua_close_trajectory);
    run_all(L, w, traj);
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
            il_lua_fail(L, CALL, IL_EINTERRUPTED, "%s", il_interrupt_reason());
        }
    }
    for (size_t k = 0; k < n; k++) { /* they may be large */
        il_trajectory_free(&traj[k]);
    }
}

/* ---- storing -------------------------------------------------------------------------------- */

/* Whose runs they are, which key and record both say: {problem, scheme}, the caller's. */
static json_t *head_of(const comparison *w) {
    json_t *head = json_object();
    char schemes[400] = "";
    const char *last = "";
    for (size_t k = 0; k < w->n; k++) {
        const char *scheme = il_sweep_case(w->sweep, w->cases[k]).scheme->name;
        if (strcmp(scheme, last) != 0) {
            il_text_append(schemes, sizeof schemes, "%s%.60s", k == 0 ? "" : ", ", scheme);
        }
        last = scheme;
    }
    il_json_put_text(head, "problem", il_sweep_case(w->sweep, w->cases[0]).problem->type->name);
    il_json_put_text(head, "scheme", schemes);
    return head;
}

/* The key of the comparison, the caller's: it has those of all its cases; *key is NULL where one
 * has none, as it is written in Lua. */
static il_status key_of(const comparison *w, const json_t *head, char **key, il_error *err) {
    bool named = true;
    il_status status = IL_OK;
    json_t *cases = json_array();
    json_t *object = il_json_copy(head);
    *key = NULL;
    for (size_t k = 0; named && status == IL_OK && k < w->n; k++) {
        il_case c = il_sweep_case(w->sweep, w->cases[k]);
        char *one = NULL;
        char name[IL_STORE_NAME];
        status = il_case_key(&c, &one, err);
        named = one != NULL;
        if (named) {
            il_store_key_name(one, name);
            il_json_append(cases, json_string(name));
        }
        free(one);
    }
    il_case c = il_sweep_case(w->sweep, w->cases[0]);
    il_json_put_text(object, "build", IL_BUILD_ID);
    il_json_set(object, "projector", json_pack("{s:s}", "name", c.projector->name));
    il_json_set(object, "reference", json_sprintf("limits in %s", il_lua_limits_norms[w->norm]));
    il_json_set(object, "cases", cases);
    if (named && status == IL_OK) {
        *key = il_json_text_as(object, JSON_SORT_KEYS | JSON_COMPACT);
    }
    json_decref(object);
    return status;
}

static json_t *to_json(const comparison *w, const json_t *head) {
    json_t *cases = json_array();
    json_t *list = json_array();
    json_t *D = json_array();
    for (size_t i = 0; i < w->n; i++) {
        il_json_append(cases, json_integer((json_int_t)w->cases[i]));
        il_json_append(list, json_incref(w->records[i]));
        for (size_t j = 0; j < i; j++) {
            il_json_append(D, il_json_number(w->D[i * w->n + j]));
        }
    }
    il_case c = il_sweep_case(w->sweep, w->cases[0]);
    json_t *study = json_pack("{s:f, s:I, s:o, s:o, s:o, s:s, s:s}", "T", w->T, "failed",
                              (json_int_t)w->failed, "cases", cases, "records", list, "distances",
                              D, "projector", c.projector->name, "status", il_status_name(IL_OK));
    il_json_merge(study, head);
    il_json_set(study, "provenance", il_provenance_json(&c, NAN));
    return study;
}

static void from_json(lua_State *L, comparison *w, const json_t *stored) {
    const json_t *cases = json_object_get(stored, "cases");
    const json_t *list = json_object_get(stored, "records");
    const json_t *D = json_object_get(stored, "distances");
    size_t n = w->n = json_array_size(cases);
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
}

static void find_or_compute(lua_State *L, comparison *w) {
    il_lua_context *context = il_lua_context_of(L);
    il_error err = {IL_OK, ""};
    char **key = il_lua_take(L, w->arena, 1, sizeof *key, il_lua_close_text);
    json_t **head = il_lua_take(L, w->arena, 2, sizeof *head, il_lua_close_json);
    json_t **stored = head + 1;
    *head = head_of(w);
    il_lua_expect(L, CALL, key_of(w, *head, key, &err), &err);
    if (*key != NULL && !context->options->fresh) {
        il_lua_expect(L, CALL, il_store_find(context->store, *key, stored, &err), &err);
    }
    bool found = *stored != NULL;
    if (found) {
        from_json(L, w, *stored);
    } else {
        compare_all(L, w);
    }
    if (!found && *key != NULL && w->n > 0) {
        *stored = to_json(w, *head);
        il_lua_expect(L, CALL, il_store_put(context->store, *key, *stored, &err), &err);
        il_lua_drop_runs(L, w->sweep, w->cases, w->n);
    }
    il_lua_say(context, "limits of sweep %s: %zu run%s compared in %s%s", w->sweep->name, w->n,
               il_lua_plural(w->n), il_lua_limits_norms[w->norm], found ? ", found stored" : "");
    if (w->failed > 0) {
        il_lua_say(context, "limits of sweep %s: %zu run%s failed and %s left out", w->sweep->name,
                   w->failed, il_lua_plural(w->failed), w->failed == 1 ? "is" : "are");
    }
}

/* ---- the verdict ---------------------------------------------------------------------------- */

static il_limits_step step_of(const comparison *w, size_t k) {
    const il_sweep *s = w->sweep;
    size_t size = w->cases[k] % s->nsizes;
    double h = json_number_value(json_object_get(w->records[k], "h"));
    return s->phase_c == NULL ? il_limits_step_of(h)
                              : (il_limits_step){h, s->phase_c[size], (int)s->phase_m[size]};
}

/* Judge limits by the end of each run and the orbits of the problem; NULL where it has none. */
static void judge(lua_State *L, const comparison *w, const il_limits_step *steps,
                  const il_orbits *orbits, il_limits *limits) {
    if (orbits == NULL) {
        il_text_append(limits->evidence, sizeof limits->evidence,
                       "; by clusters of runs alone, which may be on their way still");
        return;
    }
    double q[IL_ORBITS_DIM_MAX];
    double u[IL_ORBITS_DIM_MAX];
    il_limits_end *ends = il_lua_take(L, w->arena, w->n, sizeof *ends, NULL);
    for (size_t i = 0; i < w->n; i++) {
        double t = il_lua_last_node(w->records[i], orbits->dim / 2, q, u);
        ends[i] = il_limits_end_of(orbits, orbits->problem->horizon, steps[i].h, t, q, u);
    }
    il_limits_judge(limits, steps, orbits, ends);
}

/* ---- as a table ----------------------------------------------------------------------------- */

static void push_run(lua_State *L, const comparison *w, const il_limits_step *step,
                     const il_limits *limits, size_t i) {
    il_lua_make(
        L, IL_SET("h", step->h), IL_SET("c", step->c), IL_SET("m", step->m),
        IL_SET("steps", (size_t)json_integer_value(json_object_get(w->records[i], "steps"))),
        IL_SET("scheme", il_sweep_case(w->sweep, w->cases[i]).scheme->name),
        IL_SET("case", w->cases[i] + 1));
    if (limits->cluster[i] != IL_LIMITS_NONE) {
        il_lua_set(L, IL_SET("cluster", limits->cluster[i] + 1));
    }
    il_lua_set(L, IL_SET("linked", limits->linked[i]));
}

static void push_cluster(lua_State *L, const il_limits_cluster *c, const il_orbits *orbits) {
    il_lua_make(L, IL_SET("medoid", c->medoid + 1), IL_SET("levels", c->levels),
                IL_SET("radius", c->radius), IL_SET("tail", c->tail),
                IL_SET("separation", c->separation));
    if (c->orbit != IL_LIMITS_NONE) {
        const il_orbits_end end = {.orbit = c->orbit, .index = c->index};
        il_lua_set(L, IL_SET("period", orbits->list[c->orbit].period),
                   IL_SET("state", c->index + 1),
                   IL_SET("multiplier", orbits->list[c->orbit].multiplier),
                   IL_SET("to_orbit", c->distance), IL_SET("transient", c->transient),
                   IL_SET("label", il_switching_number(orbits, end)));
    }
}

static void push_tree(lua_State *L, const il_limits *limits) {
    lua_createtable(L, (int)limits->n, 0);
    for (size_t k = 0; k < limits->n; k++) {
        lua_pushinteger(L, (lua_Integer)limits->leaves[k] + 1);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_setfield(L, -2, "leaves");
    lua_createtable(L, (int)limits->n, 0);
    for (size_t k = 0; k + 1 < limits->n; k++) {
        il_lua_make(L, IL_SET("a", limits->joins[k].a + 1), IL_SET("b", limits->joins[k].b + 1),
                    IL_SET("height", limits->joins[k].height));
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_setfield(L, -2, "joins");
}

static void push_limits(lua_State *L, const comparison *w, const il_limits_step *steps,
                        const il_orbits *orbits, const il_limits *limits) {
    il_lua_make(L, IL_SET("verdict", il_limits_verdict_name(limits->verdict)),
                IL_SET("evidence", limits->evidence), IL_SET("horizon", w->T),
                IL_SET("cut", limits->cut), IL_SET("limits", limits->nlimits),
                IL_SET("failed", w->failed));
    il_lua_set_numbers(L, "D", w->D, w->n * w->n, 1);
    push_tree(L, limits);
    lua_createtable(L, (int)w->n, 0);
    lua_createtable(L, (int)w->n, 0);
    for (size_t i = 0; i < w->n; i++) {
        push_run(L, w, &steps[i], limits, i);
        lua_rawseti(L, -3, (lua_Integer)i + 1);
        il_lua_push_json(L, json_object_get(w->records[i], "error"));
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -3, "errors");
    lua_setfield(L, -2, "runs");
    lua_createtable(L, (int)limits->nclusters, 0);
    for (size_t k = 0; k < limits->nclusters; k++) {
        push_cluster(L, &limits->clusters[k], orbits);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_setfield(L, -2, "clusters");
}

static void close_limits(void *room) {
    il_limits_free(room);
}

static int limits(lua_State *L) {
    lua_settop(L, 3);
    il_error err = {IL_OK, ""};
    comparison w = {.arena = il_lua_arena_open(L), .sweep = il_lua_sweep_at(L, 1)};
    w.norm = (il_limits_norm)luaL_checkoption(L, 3, NULL, il_lua_limits_norms);
    w.n = (size_t)lua_rawlen(L, 2);
    w.cases = il_lua_take(L, w.arena, w.n, sizeof *w.cases, NULL);
    w.records = il_lua_take(L, w.arena, w.n, sizeof(json_t *), il_lua_close_json);
    for (size_t k = 0; k < w.n; k++) {
        (void)lua_rawgeti(L, 2, (lua_Integer)k + 1);
        w.cases[k] = (size_t)lua_tointeger(L, -1) - 1;
        lua_pop(L, 1);
    }
    find_or_compute(L, &w);
    if (w.n == 0) {
        il_lua_fail(L, CALL, IL_EINVAL, "all %zu runs failed", w.failed);
    }
    il_limits_step *steps = il_lua_take(L, w.arena, w.n, sizeof *steps, NULL);
    for (size_t i = 0; i < w.n; i++) {
        steps[i] = step_of(&w, i);
    }
    il_limits *found = il_lua_take(L, w.arena, 1, sizeof *found, close_limits);
    il_lua_expect(L, CALL, il_limits_analyse(found, steps, w.D, w.n, &err), &err);
    il_case c = il_sweep_case(w.sweep, w.cases[0]);
    const il_orbits *orbits = il_lua_orbits_of(L, w.arena, CALL, &c);
    judge(L, &w, steps, orbits, found);
    push_limits(L, &w, steps, orbits, found);
    return 1;
}

const luaL_Reg il_lua_host_limits[] = {
    {"limits", limits}, {"border", il_lua_limits_border}, {NULL, NULL}};
