/*
 * border.c - limits:border: between two phases that lead to different clusters, the phase at
 * which the cluster changes.
 *
 *     limits:border{c = {c0, c1}, m = m or {...}, tol = 1e-13, problem =, scheme =}
 *         -> {{m =, low =, high =, from =, to =, runs =, distances = {A =, ...}, final =}, ...}
 *
 * By bisection: a run with h = c 2^-m belongs to the cluster whose medoid is nearest, in the norm
 * and on the interval of the limits; [low, high] holds a change from cluster `from` to cluster
 * `to`, and high - low <= tol high. distances and final are those of the run in the middle: what
 * stands on the border. With problem = other runs are made, of perturbed data, say, and compared
 * with the same medoids.
 */
#include <lauxlib.h>
#include <math.h>

#include "harness/base/interrupt.h"
#include "harness/lua/limits.h"
#include "harness/lua/notice.h"
#include "harness/lua/record.h"

static const char CALL[] = "limits:border";

typedef struct {
    lua_State *L;
    const il_lua_limits *w;
    il_case run; /* but for its step */
    il_trajectory *medoids;
    size_t runs;
} search;

static void close_one(void *room) {
    il_trajectory_free(room);
}

/* The run with step h; the trajectory and the record (may be NULL) are the caller's. */
static void make_run(search *s, double h, il_trajectory *trajectory, json_t **record) {
    il_error err = {IL_OK, ""};
    json_t *own = NULL;
    il_case c = s->run;
    c.h = h;
    c.steps = 0;
    c.final_only = record == NULL;
    s->runs++;
    il_status status = il_case_run(&c, trajectory, &own, &err);
    bool well = status == IL_OK && il_record_went_well(own);
    if (status == IL_OK && !well) {
        const char *why = json_string_value(json_object_get(own, "message"));
        (void)il_fail(&err, il_interrupted() ? IL_EINTERRUPTED : IL_EINVAL,
                      "the run with h = %.17g failed: %s", h, why != NULL ? why : "");
    }
    if (record != NULL) {
        *record = own;
    } else {
        json_decref(own);
    }
    if (!well) {
        il_lua_raise(s->L, CALL, &err);
    }
}

/* The cluster whose medoid is nearest to a run. */
static size_t nearest(const search *s, const il_trajectory *run) {
    double least = INFINITY;
    size_t best = 0;
    double end = run->t[run->nodes - 1];
    for (size_t k = 0; k < s->w->limits.nclusters; k++) {
        double d = il_limits_distance(run, &s->medoids[k], fmin(s->w->T, end), s->w->norm);
        best = d < least ? k : best;
        least = fmin(least, d);
    }
    return best;
}

static size_t classify(search *s, const il_fields *f, double c, double m) {
    il_trajectory *run = il_lua_take(s->L, f->arena, 1, sizeof *run, close_one);
    make_run(s, ldexp(c, -(int)m), run, NULL);
    size_t k = nearest(s, run);
    il_trajectory_free(run);
    *run = (il_trajectory){0};
    return k;
}

static void set(lua_State *L, const char *key, double x) {
    lua_pushnumber(L, x);
    lua_setfield(L, -2, key);
}

/* One border, pushed as a table. */
static void bisect(search *s, const il_fields *f, const double *ends, double m, double tol) {
    lua_State *L = s->L;
    double low = ends[0];
    double high = ends[1];
    s->runs = 0;
    size_t from = classify(s, f, low, m);
    size_t to = classify(s, f, high, m);
    if (from == to) {
        il_error err = {IL_OK, ""};
        (void)il_fail(&err, IL_EINVAL,
                      "at m = %.0f both c = %.17g and c = %.17g lead to cluster %zu; allowed: ends "
                      "that lead to different clusters",
                      m, low, high, from + 1);
        il_lua_raise(L, CALL, &err);
    }
    while (high - low > tol * high) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) {
            break; /* neighbours among the doubles */
        }
        size_t k = classify(s, f, middle, m);
        if (k == from) {
            low = middle;
        } else {
            high = middle;
            to = k;
        }
    }
    json_t **record = il_lua_take(L, f->arena, 1, sizeof *record, il_lua_close_json);
    il_trajectory *run = il_lua_take(L, f->arena, 1, sizeof *run, close_one);
    make_run(s, ldexp(0.5 * (low + high), -(int)m), run, record);
    lua_newtable(L);
    lua_pushinteger(L, (lua_Integer)m);
    lua_setfield(L, -2, "m");
    set(L, "low", low);
    set(L, "high", high);
    lua_pushinteger(L, (lua_Integer)from + 1);
    lua_setfield(L, -2, "from");
    lua_pushinteger(L, (lua_Integer)to + 1);
    lua_setfield(L, -2, "to");
    lua_pushinteger(L, (lua_Integer)s->runs);
    lua_setfield(L, -2, "runs");
    il_lua_limits_push_distances(L, *record, s->w->norm);
    lua_setfield(L, -2, "distances");
    il_lua_push_json(L, json_object_get(*record, "final"));
    lua_setfield(L, -2, "final");
}

static void read_run(const il_fields *f, search *s, il_choice *choice, int keeper) {
    const il_sweep *sweep = s->w->sweep;
    il_error err = {IL_OK, ""};
    s->run = il_sweep_case(sweep, s->w->cases[0]);
    if (il_fields_push(f, "problem")) {
        *choice = il_choice_read(f, "problem", keeper);
        s->run.problem = choice;
    }
    lua_pop(f->L, 1);
    const char *scheme = il_fields_text(f, "scheme", NULL);
    if (scheme != NULL) {
        s->run.scheme = il_case_scheme(f, scheme);
    }
    s->run.horizon = s->w->sweep->common.horizon;
    il_lua_expect(f->L, f->call, il_case_check(&s->run, false, &err), &err);
}

static void run_medoids(const il_fields *f, search *s) {
    il_case asked = s->run;
    size_t n = s->w->limits.nclusters;
    s->medoids = il_lua_take(s->L, f->arena, n, sizeof *s->medoids, NULL);
    for (size_t k = 0; k < n; k++) {
        size_t i = s->w->limits.clusters[k].medoid;
        il_trajectory *own = il_lua_take(s->L, f->arena, 1, sizeof *own, close_one);
        s->run = il_sweep_case(s->w->sweep, s->w->cases[i]);
        make_run(s, s->w->steps[i].h, own, NULL);
        s->medoids[k] = *own;
    }
    s->run = asked;
}

int il_lua_limits_border(lua_State *L) {
    static const char *const known[] = {"c", "m", "tol", "problem", "scheme", NULL};
    search s = {.L = L, .w = il_lua_limits_check(L, 1, CALL)};
    il_error err = {IL_OK, ""};
    lua_settop(L, 2);
    il_lua_arena *arena = il_lua_arena_open(L);
    lua_newtable(L);
    int keeper = lua_gettop(L);
    il_fields f = il_fields_open(L, arena, 2, CALL, "");
    il_fields_known(&f, 0, known);
    size_t nc = 0;
    size_t nm = 0;
    const double *c = il_fields_numbers(&f, "c", true, &nc);
    const double *m = il_fields_numbers(&f, "m", true, &nm);
    if (nc != 2 || !(c[0] > 0.0 && c[0] < c[1])) {
        il_fields_miss(&f, "c", "{c0, c1} with 0 < c0 < c1");
    }
    for (size_t k = 0; k < nm || k == 0; k++) {
        if (nm == 0 || m[k] != floor(m[k]) || fabs(m[k]) > 40.0) {
            il_fields_miss(&f, "m", "an integer from -40 to 40, or an array of them");
        }
    }
    double tol = il_fields_positive(&f, "tol", 1e-13);
    if (s.w->limits.nclusters < 2) {
        (void)il_fail(&err, IL_EINVAL, "the limits have %zu cluster%s; a border is between two",
                      s.w->limits.nclusters, il_lua_plural(s.w->limits.nclusters));
        il_lua_raise(L, CALL, &err);
    }
    il_lua_context_of(L)->L = L;
    il_choice *choice = il_lua_take(L, arena, 1, sizeof *choice, NULL);
    read_run(&f, &s, choice, keeper);
    run_medoids(&f, &s);
    lua_createtable(L, (int)nm, 0);
    for (size_t k = 0; k < nm; k++) {
        bisect(&s, &f, c, m[k], tol);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    return 1;
}
