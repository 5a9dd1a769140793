/*
 * switching.c - limits:border, limits:borders: switching points (harness/study/limits/switching.h),
 * the phases at which the limit changes.
 *
 *     limits:border{c = {c0, c1}, m = m or {...}, tol = 1e-13, by = "flow" | "level", finest =,
 *                   problem =, scheme =}
 *         -> {{m =, low =, high =, from =, to =, by =, runs =, distances = {A =, ...}, final =}}
 *
 *     limits:borders{c = {1, 2}, m = m, phases = 64, most = 8192, and the same}
 *         -> {{low =, ...}, ..., counts = {...}, settled =, phases =, undecided =, by =}
 *
 * By "flow", the default where the problem offers its motion, a limit is what that leads the run
 * to; by "level" it is the cluster whose medoid is nearest, in the norm and on the interval of the
 * limits. distances and final are those of the run in the middle of the point's interval. With
 * problem = other runs are made, of perturbed data, say. Runs are cases: made by the workers,
 * stored, and found again.
 */
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/io/sealed.h"
#include "harness/lua/base/record.h"
#include "harness/lua/limits/limits.h"
#include "harness/lua/limits/switching.h"
#include "harness/lua/sweep/notice.h"

/* Runs by "flow" have up to this many steps. */
enum { STEPS_MAX = 1 << 22 };

typedef il_lua_search search;

/* An il_switching_run: the last node. */
static il_status last_node(void *self, double h, double *t, double *q, double *u, il_error *err) {
    const search *s = self;
    json_t *record = NULL;
    il_status status = il_lua_search_run(s, h, &record, err);
    if (status == IL_OK) {
        const json_t *final = json_object_get(record, "final");
        *t = json_number_value(json_object_get(final, "t"));
        for (size_t k = 0; k < s->flow.orbits->dim / 2; k++) {
            q[k] = json_number_value(json_array_get(json_object_get(final, "q"), k));
            u[k] = json_number_value(json_array_get(json_object_get(final, "u"), k));
        }
        json_decref(record);
    }
    return status;
}

/* What labels by level depend on beside their run, for its key. */
static void name_medoids(const il_fields *f, search *s, char **key) {
    il_error err = {IL_OK, ""};
    char sum[IL_SEALED_SUM] = "";
    const char *all = "";
    for (size_t k = 0; s->kept && k < s->w->limits.nclusters; k++) {
        il_case c = il_sweep_case(s->w->sweep, s->w->cases[s->w->limits.clusters[k].medoid]);
        free(*key);
        il_lua_expect(s->L, s->call, il_case_key(&c, key, &err), &err);
        s->kept = *key != NULL;
        all = il_lua_print(s->L, f->arena, "%s\n%s", all, s->kept ? *key : "");
    }
    il_sealed_sum(all, strlen(all), sum);
    s->medoids_key = il_lua_print(s->L, f->arena, "limits in %s to t = %.17g: %s",
                                  il_lua_limits_norm_name(s->w->norm), s->w->T, sum);
}

static void run_medoids(const il_fields *f, search *s) {
    il_error err = {IL_OK, ""};
    size_t n = s->w->limits.nclusters;
    s->medoids = il_lua_take(s->L, f->arena, n, sizeof *s->medoids, NULL);
    for (size_t k = 0; k < n; k++) {
        size_t i = s->w->limits.clusters[k].medoid;
        il_trajectory *own = il_lua_take(s->L, f->arena, 1, sizeof *own, il_lua_close_trajectory);
        json_t **record = il_lua_take(s->L, f->arena, 1, sizeof *record, il_lua_close_json);
        il_case c = il_sweep_case(s->w->sweep, s->w->cases[i]);
        c.final_only = true;
        c.h = s->w->steps[i].h;
        c.steps = 0;
        il_lua_expect(s->L, s->call, il_case_run(&c, own, record, &err), &err);
        if (!il_record_went_well(*record)) {
            (void)il_fail(&err, il_interrupted() ? IL_EINTERRUPTED : IL_EINVAL,
                          "the run with h = %.17g failed: %s", c.h,
                          json_string_value(json_object_get(*record, "message")));
            il_lua_raise(s->L, s->call, &err);
        }
        s->medoids[k] = *own;
    }
    name_medoids(f, s, il_lua_take(s->L, f->arena, 1, sizeof(char *), il_lua_close_text));
}

/* The cluster that a label stands for, from 1; 0 where there is none. */
static size_t cluster_of(const search *s, int label) {
    if (s->label == il_lua_search_by_level) {
        return (size_t)label + 1;
    }
    il_orbits_end end = il_switching_name(s->flow.orbits, label);
    for (size_t k = 0; k < s->w->limits.nclusters && !s->other; k++) {
        const il_limits_cluster *c = &s->w->limits.clusters[k];
        if (c->orbit == end.orbit && c->index == end.index) {
            return k + 1;
        }
    }
    return 0;
}

/* ---- what is asked -------------------------------------------------------------------------- */

static void read_run(const il_fields *f, search *s, il_choice *choice, int keeper) {
    const il_sweep *sweep = s->w->sweep;
    il_error err = {IL_OK, ""};
    s->run = il_sweep_case(sweep, s->w->cases[0]);
    s->other = il_fields_push(f, "problem");
    if (s->other) {
        *choice = il_choice_read(f, "problem", keeper);
        s->run.problem = choice;
    }
    lua_pop(f->L, 1);
    const char *scheme = il_case_scheme_name(f, "scheme", NULL);
    if (scheme != NULL) {
        s->run.scheme = il_case_scheme(f, scheme);
    }
    s->run.horizon = s->w->sweep->common.horizon;
    s->run.final_only = true;
    il_lua_expect(f->L, f->call, il_case_check(&s->run, false, &err), &err);
    s->context = il_lua_context_of(f->L);
    s->kept = il_lua_search_keeps(s);
}

/* How limits are named: by the flow if there is one, and it was not refused. */
static void read_rule(const il_fields *f, search *s) {
    static const char *const rules[] = {"flow", "level", NULL};
    const il_orbits *orbits =
        s->other ? il_lua_orbits_of(s->L, f->arena, s->call, &s->run) : s->w->orbits;
    int rule = il_fields_choice(f, "by", rules, orbits == NULL);
    if (rule == 0 && orbits == NULL) {
        il_fields_refuse_key(f, "by", "level; the problem offers no motion over a period");
    }
    s->label = rule == 0 ? il_switching_by_flow : il_lua_search_by_level;
    s->self = rule == 0 ? (void *)&s->flow : s;
    if (rule == 0) {
        double T = orbits->problem->horizon;
        int finest = 0;
        (void)frexp(STEPS_MAX / T, &finest); /* T 2^(finest-1) is at most STEPS_MAX */
        double asked = il_fields_number(f, "finest", finest - 1);
        if (asked != floor(asked) || fabs(asked) > 40.0) {
            il_fields_refuse_key(f, "finest", "an integer from -40 to 40");
        }
        s->flow = (il_switching_flow){
            .orbits = orbits, .run = last_node, .self = s, .horizon = T, .finest = (int)asked};
        return;
    }
    if (s->w->limits.nclusters < 2) {
        il_error err = {IL_OK, ""};
        (void)il_fail(&err, IL_EINVAL,
                      "the limits have %zu cluster%s; a switching point is between two",
                      s->w->limits.nclusters, il_lua_plural(s->w->limits.nclusters));
        il_lua_raise(s->L, s->call, &err);
    }
    run_medoids(f, s);
}

static void read_levels(const il_fields *f, const double *m, size_t n) {
    for (size_t k = 0; k < n || k == 0; k++) {
        if (n == 0 || m[k] != floor(m[k]) || fabs(m[k]) > 40.0) {
            il_fields_miss(f, "m", "an integer from -40 to 40, or an array of them");
        }
    }
}

/* All but m. The argument is at index 2, keeper a table. */
static void read(const il_fields *f, search *s, int keeper) {
    size_t n = 0;
    const double *c = il_fields_numbers(f, "c", true, &n);
    if (n != 2 || !(c[0] > 0.0 && c[0] < c[1])) {
        il_fields_miss(f, "c", "{c0, c1} with 0 < c0 < c1");
    }
    s->c[0] = c[0];
    s->c[1] = c[1];
    s->tol = il_fields_positive(f, "tol", 1e-13);
    il_lua_context_of(s->L)->L = s->L;
    read_run(f, s, il_lua_take(s->L, f->arena, 1, sizeof(il_choice), NULL), keeper);
    read_rule(f, s);
}

/* ---- what is answered ----------------------------------------------------------------------- */

static void set_if_any(lua_State *L, const char *key, size_t n) {
    if (n > 0) {
        il_lua_set_count(L, key, n);
    }
}

static void set_rule(const search *s) {
    il_lua_set_text(s->L, "by", s->label == il_lua_search_by_level ? "level" : "flow");
}

static void push_point(search *s, const il_fields *f, const il_switching_point *point, int m) {
    lua_State *L = s->L;
    il_error err = {IL_OK, ""};
    json_t **record = il_lua_take(L, f->arena, 1, sizeof *record, il_lua_close_json);
    double h = ldexp(0.5 * (point->low + point->high), -m);
    s->run.final_only = false;
    il_lua_expect(L, s->call, il_lua_search_run(s, h, record, &err), &err);
    s->run.final_only = true;
    lua_newtable(L);
    lua_pushinteger(L, m);
    lua_setfield(L, -2, "m");
    il_lua_set_number(L, "low", point->low);
    il_lua_set_number(L, "high", point->high);
    set_if_any(L, "from", cluster_of(s, point->from));
    set_if_any(L, "to", cluster_of(s, point->to));
    set_if_any(L, "runs", point->labels);
    set_rule(s);
    il_lua_limits_push_distances(L, *record, s->w->norm);
    lua_setfield(L, -2, "distances");
    il_lua_push_json(L, json_object_get(*record, "final"));
    lua_setfield(L, -2, "final");
}

#define COMMON_KEYS "c", "m", "tol", "by", "finest", "problem", "scheme"

/* Open the argument at index 2 and read it; n levels m. The arena closes with the C function. */
static il_fields begin(lua_State *L, search *s, const char *const *known, const double **m,
                       size_t *n) {
    s->L = L;
    s->w = il_lua_limits_check(L, 1, s->call);
    il_fields f = il_fields_begin(L, 2, s->call, known);
    lua_newtable(L);
    int keeper = lua_gettop(L);
    *m = il_fields_numbers(&f, "m", true, n);
    read_levels(&f, *m, *n);
    read(&f, s, keeper);
    return f;
}

int il_lua_limits_switching_point(lua_State *L) {
    static const char *const known[] = {COMMON_KEYS, NULL};
    il_error err = {IL_OK, ""};
    search s = {.call = "limits:border"};
    const double *m = NULL;
    size_t n = 0;
    il_fields f = begin(L, &s, known, &m, &n);
    il_lua_expect(L, s.call, il_lua_search_levels(&s, m, n, &err), &err);
    lua_createtable(L, (int)n, 0);
    for (size_t k = 0; k < n; k++) {
        il_switching_point point;
        il_lua_expect(
            L, s.call,
            il_switching_bisect(s.label, s.self, s.c[0], s.c[1], (int)m[k], s.tol, &point, &err),
            &err);
        push_point(&s, &f, &point, (int)m[k]);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    return 1;
}

static void close_chart(void *room) {
    il_switching_chart_free(room);
}

int il_lua_limits_switching_points(lua_State *L) {
    static const char *const known[] = {COMMON_KEYS, "phases", "most", NULL};
    il_error err = {IL_OK, ""};
    search s = {.call = "limits:borders"};
    const double *m = NULL;
    size_t n = 0;
    il_fields f = begin(L, &s, known, &m, &n);
    il_switching_chart *chart = il_lua_take(L, f.arena, 1, sizeof *chart, close_chart);
    size_t phases = il_fields_count(&f, "phases", 2, 64);
    il_switching_ahead ahead = {&s, il_lua_search_phases, il_lua_search_points};
    il_lua_expect(L, s.call,
                  il_switching_find(s.label, s.self, s.c[0], s.c[1], (int)m[0], phases,
                                    il_fields_count(&f, "most", 2, 8192), s.tol, &ahead, chart,
                                    &err),
                  &err);
    lua_createtable(L, (int)chart->n, 5);
    for (size_t k = 0; k < chart->n; k++) {
        push_point(&s, &f, &chart->points[k], (int)m[0]);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_createtable(L, (int)chart->grids, 0);
    for (size_t k = 0; k < chart->grids; k++) {
        lua_pushinteger(L, (lua_Integer)chart->changes[k]);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_setfield(L, -2, "counts");
    il_lua_set_flag(L, "settled", chart->settled);
    set_if_any(L, "phases", chart->phases);
    il_lua_set_count(L, "undecided", chart->undecided);
    set_rule(&s);
    return 1;
}
