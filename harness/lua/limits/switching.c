/*
 * switching.c - limits:border and limits:borders, the phases at which the limit changes, for
 * limits.lua (harness/lua/library). harness/study/limits/switching.h has the method.
 *
 *     host.border(call, r, spec, about) -> {{m =, low =, high =, from =, to =, runs =, error =,
 *         final =}, ..., by =, counts = {...}, settled =, phases =, undecided =}
 *
 * r is the sweep that limits were found of, or its result, spec the script's table, about what was
 * found: {case =, norm =, horizon =, medoids = {case, ...}, steps = {h, ...}}. limits:border seeks
 * one point at each level m, limits:borders all points of one level; the second alone has counts
 * and what follows. from and to are labels of orbits by "flow", clusters from 1 by "level". error
 * and final are those of the record of the run in the middle.
 *
 * Runs are cases: found stored, or made and stored. Where functions of the script decide or nothing
 * is stored, each is made when its label is asked for; else workers make them first and leave them
 * in the store, where label finds them.
 */
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/io/sealed.h"
#include "harness/io/workers/pool.h"
#include "harness/lua/base/record.h"
#include "harness/lua/limits/limits.h"
#include "harness/lua/sweep/result.h"
#include "harness/run/conduct.h"
#include "harness/study/limits/switching.h"

/* Runs by "flow" have up to this many steps. */
enum { STEPS_MAX = 1 << 22 };

typedef struct {
    lua_State *L;
    il_lua_context *context;
    const char *call;
    const il_sweep *sweep;
    bool kept;   /* records are stored, and runs made by the pool */
    il_case run; /* but for its step */
    double c[2], tol;

    il_switching_flow flow; /* by the flow */

    il_limits_norm norm; /* by level */
    double T;
    size_t nmedoids;
    il_trajectory *medoids;
    const char *medoids_key; /* what labels depend on beside their run, for its key */
} search;

/* ---- runs ----------------------------------------------------------------------------------- */

static il_status make(const il_case *c, il_trajectory *run, json_t **record, il_error *err) {
    il_status status = il_case_run(c, run, record, err);
    if (status == IL_OK && !il_record_is_ok(*record)) {
        const char *why = json_string_value(json_object_get(*record, "message"));
        status = il_fail(err, il_interrupted() ? IL_EINTERRUPTED : IL_EINVAL,
                         "the run with h = %.17g failed: %s", c->h, why != NULL ? why : "");
        json_decref(*record);
        *record = NULL;
    }
    return status;
}

/* The record of a run that went well, as it is stored under its key like any case, or made, with
 * its nodes in *run (NULL: not asked for), and stored. */
static il_status find_or_make(const search *s, const il_case *c, il_trajectory *run,
                              json_t **record, il_error *err) {
    char *key = NULL;
    il_error note = {IL_OK, ""};
    *record = NULL;
    il_status status = s->kept ? il_case_key(c, &key, err) : IL_OK;
    if (status == IL_OK && key != NULL && !s->context->options->fresh) {
        status = il_store_find(s->context->store, key, record, &note);
        if (status != IL_OK) {
            (void)il_fail(err, status, "%s", note.message);
        } else if (note.code != IL_OK) {
            il_lua_say(s->context, "%s: %s", s->call, note.message);
        }
    }
    if (status == IL_OK && *record == NULL) {
        status = make(c, run, record, err);
        if (status == IL_OK && key != NULL) {
            status = il_store_put(s->context->store, key, *record, err);
        }
    }
    free(key);
    return status;
}

static il_case case_at(const search *s, double h) {
    il_case c = s->run;
    c.h = h;
    c.steps = 0;
    return c;
}

/* An il_switching_run. */
static il_status last_node(void *self, double h, double *t, double *q, double *u, il_error *err) {
    const search *s = self;
    json_t *record = NULL;
    il_case c = case_at(s, h);
    il_status status = find_or_make(s, &c, NULL, &record, err);
    if (status == IL_OK) {
        *t = il_lua_last_node(record, s->flow.orbits->dim / 2, q, u);
        json_decref(record);
    }
    return status;
}

static il_status label_by_flow(void *self, double c, int m, int *label, il_error *err) {
    search *s = self;
    return il_switching_by_flow(&s->flow, c, m, label, err);
}

/* ---- by level ------------------------------------------------------------------------------- */

typedef struct {
    const search *s;
    const il_trajectory *run;
} nearness;

/* An il_addition: the medoid that is nearest, from 1, and how near it is. */
static il_status add_nearest(void *self, json_t *record, il_error *err) {
    (void)err;
    const nearness *n = self;
    const search *s = n->s;
    double T = fmin(s->T, n->run->t[n->run->nodes - 1]);
    double least = INFINITY;
    size_t nearest = 0;
    for (size_t k = 0; k < s->nmedoids; k++) {
        double d = il_limits_distance(n->run, &s->medoids[k], T, s->norm);
        nearest = d < least ? k + 1 : nearest;
        least = fmin(least, d);
    }
    json_t *limit = json_object();
    il_json_put_count(limit, "nearest", nearest);
    il_json_put(limit, "distance", least);
    il_json_set(record, "limit", limit);
    return IL_OK;
}

static il_status label_by_level(void *self, double phase, int m, int *label, il_error *err) {
    const search *s = self;
    il_trajectory run = {0};
    nearness near = {s, &run};
    json_t *record = NULL;
    il_case c = case_at(s, ldexp(phase, -m));
    c.reference_key = s->medoids_key;
    c.addition = (il_addition){&near, add_nearest};
    il_status status = find_or_make(s, &c, &run, &record, err);
    if (status == IL_OK) {
        const json_t *limit = json_object_get(record, "limit");
        *label = (int)json_integer_value(json_object_get(limit, "nearest")) - 1;
    }
    json_decref(record);
    il_trajectory_free(&run);
    return status;
}

/* Run the medoids again, and name them for the keys of runs. */
static void run_medoids(const il_fields *about, search *s) {
    lua_State *L = s->L;
    il_error err = {IL_OK, ""};
    char sum[IL_SEALED_SUM] = "";
    const char *all = "";
    const double *cases = il_fields_numbers(about, "medoids", IL_OPTION_NUMBERS, &s->nmedoids);
    const double *h = il_fields_numbers(about, "steps", IL_OPTION_NUMBERS, &s->nmedoids);
    if (s->nmedoids < 2) {
        il_lua_fail(L, s->call, IL_EINVAL,
                    "the limits have %zu cluster%s; a switching point is between two", s->nmedoids,
                    il_lua_plural(s->nmedoids));
    }
    il_trajectory *runs =
        il_lua_take(L, about->arena, s->nmedoids, sizeof *runs, il_lua_close_trajectory);
    for (size_t k = 0; k < s->nmedoids; k++) {
        json_t **record = il_lua_take(L, about->arena, 1, sizeof *record, il_lua_close_json);
        char **key = il_lua_take(L, about->arena, 1, sizeof *key, il_lua_close_text);
        il_case c = il_sweep_case(s->sweep, (size_t)cases[k] - 1);
        il_lua_expect(L, s->call, s->kept ? il_case_key(&c, key, &err) : IL_OK, &err);
        s->kept = *key != NULL;
        all = il_lua_print(L, about->arena, "%s\n%s", all, s->kept ? *key : "");
        c.final_only = true;
        c.h = h[k];
        c.steps = 0;
        il_lua_expect(L, s->call, make(&c, &runs[k], record, &err), &err);
    }
    s->medoids = runs;
    il_sealed_sum(all, strlen(all), sum);
    s->medoids_key = il_lua_print(L, about->arena, "limits in %s to t = %.17g: %s",
                                  il_lua_limits_norms[s->norm], s->T, sum);
}

/* ---- runs made in advance ------------------------------------------------------------------- */

typedef struct {
    const search *s;
    il_status (*job)(void *data, size_t k, il_error *err);
    void *data;
} plan;

static char *work(void *data, size_t k) {
    const plan *p = data;
    il_error err = {IL_OK, ""};
    il_store_watch(p->s->context->store, NULL); /* the roster is the parent's to write */
    /* A run that fails otherwise fails again where it is asked for. */
    return p->job(p->data, k, &err) != IL_ENOMEM ? il_alloc_text("") : NULL;
}

static il_status receive(void *data, size_t k, const char *text, const il_pool_loss *loss,
                         il_error *err) {
    (void)data;
    (void)k;
    return text != NULL ? IL_OK
                        : il_fail(err, IL_ECRASHED, "a run about a border is lost: %s", loss->why);
}

static il_status make_ahead(void *self, il_status (*job)(void *data, size_t k, il_error *err),
                            void *data, size_t n, il_error *err) {
    const search *s = self;
    plan p = {s, job, data};
    il_pool pool = {.workers = s->context->options->workers,
                    .jobs = n,
                    .work = work,
                    .receive = receive,
                    .data = &p};
    return s->kept && n > 0 && !s->context->options->fresh ? il_pool_run(&pool, err) : IL_OK;
}

/* ---- what is asked -------------------------------------------------------------------------- */

static void read_run(const il_fields *f, search *s, size_t first, il_choice *choice, int keeper) {
    il_error err = {IL_OK, ""};
    s->run = il_sweep_case(s->sweep, first);
    if (il_fields_push(f, "problem")) {
        *choice = il_choice_read(f, "problem", keeper);
        s->run.problem = choice;
    }
    lua_pop(f->L, 1);
    const char *scheme = il_case_scheme_name(f, "scheme", NULL);
    if (scheme != NULL) {
        s->run.scheme = il_case_scheme(f, scheme);
    }
    s->run.horizon = s->sweep->common.horizon;
    s->run.final_only = true;
    il_lua_expect(f->L, f->call, il_case_check(&s->run, false, &err), &err);
    /* No record is stored where functions of the script decide. */
    s->kept = s->context->store != NULL && s->run.problem->callbacks == NULL &&
              s->run.scheme->functions == NULL && s->run.reference_callbacks == NULL;
}

static int read_finest(const il_fields *f, double T) {
    int finest = 0;
    (void)frexp(STEPS_MAX / T, &finest); /* T 2^(finest-1) is at most STEPS_MAX */
    double asked = il_fields_number(f, "finest", finest - 1);
    if (asked != floor(asked) || fabs(asked) > 40.0) {
        il_fields_refuse_key(f, "finest", "an integer from -40 to 40");
    }
    return (int)asked;
}

/* How limits are distinguished: by the flow if there is one, unless by level is asked for. */
static il_switching_labels read_rule(const il_fields *f, const il_fields *about, search *s) {
    const il_orbits *orbits = il_lua_orbits_of(s->L, f->arena, s->call, &s->run);
    bool level = il_fields_choice(f, "by", "flow|level", orbits == NULL) == 1;
    if (!level && orbits == NULL) {
        il_fields_refuse_key(f, "by", "level; the problem offers no motion over a period");
    }
    if (level) {
        run_medoids(about, s);
        return (il_switching_labels){s, label_by_level, make_ahead};
    }
    double T = orbits->problem->horizon;
    s->flow = (il_switching_flow){
        .orbits = orbits, .run = last_node, .self = s, .horizon = T, .finest = read_finest(f, T)};
    return (il_switching_labels){s, label_by_flow, make_ahead};
}

static int *read_levels(const il_fields *f, size_t *n) {
    const double *m = il_fields_numbers(f, "m", IL_OPTION_NUMBERS, n);
    int *levels = il_lua_take(f->L, f->arena, *n, sizeof *levels, NULL);
    for (size_t k = 0; k < *n || k == 0; k++) {
        if (*n == 0 || m[k] != floor(m[k]) || fabs(m[k]) > 40.0) {
            il_fields_miss(f, "m", "an integer from -40 to 40, or an array of them");
        }
        levels[k] = (int)m[k];
    }
    return levels;
}

static void read_interval(const il_fields *f, search *s) {
    size_t n = 0;
    const double *c = il_fields_numbers(f, "c", IL_OPTION_NUMBERS, &n);
    if (n != 2 || !(c[0] > 0.0 && c[0] < c[1])) {
        il_fields_miss(f, "c", "{c0, c1} with 0 < c0 < c1");
    }
    memcpy(s->c, c, sizeof s->c);
    s->tol = 1e-13;
    il_lua_read(f, &(il_option){"tol", .kind = IL_OPTION_POSITIVE}, &s->tol);
}

/* ---- what is answered ----------------------------------------------------------------------- */

static void push_point(const il_fields *f, const search *s, const il_switching_point *point,
                       int shift) {
    lua_State *L = s->L;
    il_error err = {IL_OK, ""};
    json_t **record = il_lua_take(L, f->arena, 1, sizeof *record, il_lua_close_json);
    il_case middle = case_at(s, ldexp(0.5 * (point->low + point->high), -point->m));
    middle.final_only = false;
    il_lua_expect(L, s->call, find_or_make(s, &middle, NULL, record, &err), &err);
    il_lua_make(L, IL_SET("m", point->m), IL_SET("low", point->low), IL_SET("high", point->high),
                IL_SET("from", point->from + shift), IL_SET("to", point->to + shift));
    if (point->labels > 0) {
        il_lua_set(L, IL_SET("runs", point->labels));
    }
    il_lua_push_json(L, json_object_get(*record, "error"));
    lua_setfield(L, -2, "error");
    il_lua_push_json(L, json_object_get(*record, "final"));
    lua_setfield(L, -2, "final");
}

static void close_chart(void *room) {
    il_switching_chart_free(room);
}

/* All points at level m, and of the grids that found them what the table at the top gets. */
static const il_switching_point *find_all(const il_fields *f, const search *s,
                                          const il_switching_labels *labels, int m, size_t *n) {
    lua_State *L = s->L;
    il_error err = {IL_OK, ""};
    double counts[IL_SWITCHING_GRIDS];
    il_switching_chart *chart = il_lua_take(L, f->arena, 1, sizeof *chart, close_chart);
    il_lua_expect(L, s->call,
                  il_switching_find(labels, s->c[0], s->c[1], m,
                                    il_fields_count(f, "phases", 2, 64),
                                    il_fields_count(f, "most", 2, 8192), s->tol, chart, &err),
                  &err);
    for (size_t k = 0; k < chart->grids; k++) {
        counts[k] = (double)chart->changes[k];
    }
    il_lua_set_numbers(L, "counts", counts, chart->grids, 1);
    il_lua_set(L, IL_SET("settled", chart->settled), IL_SET("phases", chart->phases),
               IL_SET("undecided", chart->undecided));
    *n = chart->n;
    return chart->points;
}

static const il_switching_point *find_one_a_level(const il_fields *f, const search *s,
                                                  const il_switching_labels *labels, const int *m,
                                                  size_t n) {
    il_error err = {IL_OK, ""};
    il_switching_point *points = il_lua_take(s->L, f->arena, n, sizeof *points, NULL);
    il_lua_expect(s->L, s->call,
                  il_switching_bisect(labels, s->c[0], s->c[1], m, n, s->tol, points, &err), &err);
    return points;
}

int il_lua_limits_border(lua_State *L) {
    lua_settop(L, 4);
    lua_newtable(L); /* keeps the problem alive */
    search s = {.L = L, .context = il_lua_context_of(L), .call = luaL_checkstring(L, 1)};
    s.context->L = L;
    s.sweep = il_lua_sweep_at(L, 2);
    il_lua_arena *arena = il_lua_arena_open(L);
    il_fields f = il_fields_open(L, arena, 3, s.call, "");
    il_fields about = il_fields_open(L, arena, 4, s.call, "");
    size_t n = 0;
    const int *m = read_levels(&f, &n);
    read_interval(&f, &s);
    (void)il_fields_push(&about, "norm");
    s.norm = (il_limits_norm)luaL_checkoption(L, -1, NULL, il_lua_limits_norms);
    s.T = il_fields_number(&about, "horizon", 0.0);
    read_run(&f, &s, il_fields_count(&about, "case", 1, 1) - 1,
             il_lua_take(L, arena, 1, sizeof(il_choice), NULL), 5);
    const il_switching_labels labels = read_rule(&f, &about, &s);
    bool by_level = labels.label == label_by_level;
    il_lua_make(L, IL_SET("by", by_level ? "level" : "flow"));
    bool all = strcmp(s.call, "limits:borders") == 0;
    const il_switching_point *points =
        all ? find_all(&f, &s, &labels, m[0], &n) : find_one_a_level(&f, &s, &labels, m, n);
    for (size_t k = 0; k < n; k++) {
        push_point(&f, &s, &points[k], by_level ? 1 : 0);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    return 1;
}
