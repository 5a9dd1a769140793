/*
 * lua_result.c - what a sweep left: r.cases, r.failed, r:records(), r:order{...}.
 */
#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/lua_limits.h"
#include "harness/lua_record.h"
#include "harness/lua_result.h"

static const char RESULT[] = "impactlab.result";

static const char *const norms[] = {"u_L1", "q_Linf", "final_q", "final_u", NULL};

/* ---- reading records ------------------------------------------------------------------------ */

double il_result_number(const il_result *result, size_t k, const char *path) {
    const json_t *value = result->records[k];
    while (value != NULL && *path != '\0') {
        char key[64];
        size_t n = strcspn(path, ".");
        (void)snprintf(key, sizeof key, "%.*s", (int)(n < sizeof key ? n : sizeof key - 1), path);
        value = json_object_get(value, key);
        path += n + (path[n] == '.');
    }
    return json_is_number(value) ? json_number_value(value) : NAN;
}

void il_result_expect_complete(lua_State *L, const il_result *result, const char *call) {
    if (result->missing > 0) {
        il_error err = {IL_OK, ""};
        (void)il_fail(&err, IL_EINTERRUPTED,
                      "%zu of %zu case%s of sweep %s %s missing; run the other shards, then this "
                      "script without --shard",
                      result->missing, il_sweep_count(result->sweep),
                      il_lua_plural(il_sweep_count(result->sweep)), result->sweep->name,
                      result->missing == 1 ? "is" : "are");
        il_lua_raise(L, call, &err);
    }
}

double il_result_step(const il_result *result, size_t k) {
    double h = il_result_number(result, k, "h");
    const il_sweep *s = result->sweep;
    size_t size = k % s->nsizes;
    return isfinite(h) ? h : s->hs != NULL ? s->hs[size] : 1.0 / s->steps[size];
}

size_t il_result_first(const il_result *result, size_t problem, size_t scheme) {
    return (problem * result->sweep->nschemes + scheme) * result->sweep->nsizes;
}

/* ---- orders --------------------------------------------------------------------------------- */

static double size_of(const json_t *vector) {
    double sum = 0.0;
    size_t k = 0;
    json_t *x = NULL;
    json_array_foreach((json_t *)(uintptr_t)vector, k, x) {
        sum += json_number_value(x) * json_number_value(x);
    }
    return sqrt(sum);
}

/* The size of the solution, for the rounding floor: what the runs end with, and for u_L1 that over
 * the whole time. */
static double scale(const il_result *result, size_t first, const char *norm) {
    double most = 0.0;
    for (size_t k = first; k < first + result->sweep->nsizes; k++) {
        const json_t *final = json_object_get(result->records[k], "final");
        bool velocity = strcmp(norm, "u_L1") == 0 || strcmp(norm, "final_u") == 0;
        double x = size_of(json_object_get(final, velocity ? "u" : "q"));
        double T = il_result_number(result, k, "horizon");
        x *= strcmp(norm, "u_L1") == 0 && T > 0.0 ? T : 1.0;
        most = fmax(most, x);
    }
    return most > 0.0 ? most : 1.0;
}

/* What the scheme's literature claims for the norm; NaN for nothing or for convergence alone. */
static double claim(const il_scheme_type *scheme, const char *norm, int *sharp) {
    for (const il_claim *c = scheme->claims; c != NULL && c->norm != NULL; c++) {
        if (strcmp(c->norm, norm) == 0 && c->kind != IL_CLAIM_CONVERGES) {
            *sharp = c->kind == IL_CLAIM_SHARP;
            return c->order;
        }
    }
    *sharp = 0;
    return NAN;
}

il_order il_result_fit(lua_State *L, il_lua_arena *arena, const il_result *result,
                       const il_order_query *query) {
    size_t n = result->sweep->nsizes;
    size_t first = il_result_first(result, query->problem, query->scheme);
    double *h = il_lua_take(L, arena, n, sizeof *h, NULL);
    double *e = il_lua_take(L, arena, n, sizeof *e, NULL);
    char path[64];
    (void)snprintf(path, sizeof path, "error.%.40s", query->norm);
    for (size_t k = 0; k < n; k++) {
        h[k] = il_result_step(result, first + k);
        e[k] = il_result_number(result, first + k, path);
    }
    double claimed = query->claimed;
    int sharp = query->sharp;
    if (isnan(claimed)) {
        claimed = claim(result->sweep->schemes[query->scheme]->type, query->norm, &sharp);
    }
    return il_order_fit(h, e, n, query->level, claimed, sharp, scale(result, first, query->norm));
}

/* The index of the problem that is asked for: its label, or its name where that is unique. */
static size_t choose_problem(const il_fields *f, const il_sweep *s) {
    const char *name = il_fields_text(f, "problem", NULL);
    char known[400] = "";
    size_t found = 0;
    size_t hits = 0;
    for (size_t k = 0; k < s->nproblems; k++) {
        const il_choice *p = &s->problems[k];
        if (name != NULL && strcmp(p->label, name) == 0) {
            return k;
        }
        bool hit = name == NULL || strcmp(p->type->name, name) == 0;
        found = hit ? k : found;
        hits += hit;
        (void)snprintf(known + strlen(known), sizeof known - strlen(known), "%s'%.100s'",
                       k == 0 ? "" : ", ", p->label);
    }
    if (hits != 1) {
        (void)il_fields_push(f, "problem");
        il_fields_refuse(f, "problem", -1, known);
    }
    return found;
}

static size_t choose_scheme(const il_fields *f, const il_sweep *s) {
    const char *name = il_fields_text(f, "scheme", s->nschemes == 1 ? s->schemes[0]->name : NULL);
    char known[400] = "";
    for (size_t k = 0; k < s->nschemes; k++) {
        if (name != NULL && strcmp(s->schemes[k]->name, name) == 0) {
            return k;
        }
        (void)snprintf(known + strlen(known), sizeof known - strlen(known), "%s%.60s",
                       k == 0 ? "" : ", ", s->schemes[k]->name);
    }
    (void)il_fields_push(f, "scheme");
    il_fields_refuse(f, "scheme", -1, known);
}

const char *il_result_norm(const il_fields *f) {
    return norms[il_fields_choice(f, "norm", norms, 0)];
}

int il_result_kind(const il_fields *f, const char *const *kinds) {
    lua_State *L = f->L;
    char allowed[128] = "";
    int found = -1;
    (void)lua_rawgeti(L, f->table, 1);
    for (int k = 0; kinds[k] != NULL; k++) {
        bool same = lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), kinds[k]) == 0;
        found = same ? k : found;
        il_text_append(allowed, sizeof allowed, "%s\"%s\"", k == 0 ? "" : ", ", kinds[k]);
    }
    if (found < 0) {
        il_fields_refuse(f, "[1]", -1, allowed);
    }
    lua_pop(L, 1);
    return found;
}

double il_result_level(const il_fields *f) {
    double level = il_fields_positive(f, "level", 0.95);
    if (!(level < 1.0)) {
        (void)il_fields_push(f, "level");
        il_fields_refuse(f, "level", -1, "a number in (0, 1), such as 0.95");
    }
    return level;
}

/* maury u_L1 on two_spheres: order 1.02 [0.98, 1.06] (95 %, 48 runs): PASS, why */
static int order_text(lua_State *L) {
    static const char *const texts[] = {"scheme", "norm", "problem", "verdict", "reason"};
    static const char *const numbers[] = {"slope", "low", "high", "level"};
    const char *text[5];
    double number[4];
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    for (int k = 0; k < 5; k++) {
        (void)lua_getfield(L, 1, texts[k]);
        text[k] = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "?";
    }
    for (int k = 0; k < 4; k++) {
        (void)lua_getfield(L, 1, numbers[k]);
        number[k] = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
    }
    (void)lua_getfield(L, 1, "n");
    char out[1024];
    lua_Integer runs = lua_tointeger(L, -1);
    (void)snprintf(
        out, sizeof out,
        "%.100s %.20s on %.200s: order %.2f [%.2f, %.2f] (%g %%, %lld run%s): %.40s%s%.250s",
        text[0], text[1], text[2], number[0], number[1], number[2], 100.0 * number[3],
        (long long)runs, runs == 1 ? "" : "s", text[3], text[4][0] != '\0' ? ", " : "", text[4]);
    lua_pushstring(L, out);
    return 1;
}

static void set_number(lua_State *L, const char *key, double x) {
    lua_pushnumber(L, x);
    lua_setfield(L, -2, key);
}

static void set_text(lua_State *L, const char *key, const char *text) {
    lua_pushstring(L, text);
    lua_setfield(L, -2, key);
}

/* r:limits{...}, see lua_limits.c. */
static int result_limits(lua_State *L) {
    return il_lua_limits_call(L, il_lua_check_result(L, 1)->sweep);
}

static int result_order(lua_State *L) {
    static const char *const known[] = {"scheme", "norm",  "problem", "claimed",
                                        "sharp",  "level", NULL};
    const il_result *result = il_lua_check_result(L, 1);
    const il_sweep *s = result->sweep;
    lua_settop(L, 2);
    il_lua_arena *arena = il_lua_arena_open(L);
    il_fields f = il_fields_open(L, arena, 2, "r:order", "");
    il_fields_known(&f, 0, known);
    il_result_expect_complete(L, result, "r:order");
    il_order_query query = {.problem = choose_problem(&f, s),
                            .scheme = choose_scheme(&f, s),
                            .norm = il_result_norm(&f),
                            .level = il_result_level(&f),
                            .claimed = il_fields_positive(&f, "claimed", NAN),
                            .sharp = il_fields_flag(&f, "sharp", false)};
    il_order order = il_result_fit(L, arena, result, &query);
    il_lua_outcome *total = &il_lua_context_of(L)->outcome;
    total->orders++;
    total->orders_failed += order.verdict == IL_ORDER_FAIL;
    lua_createtable(L, 0, 16);
    set_text(L, "scheme", s->schemes[query.scheme]->name);
    set_text(L, "problem", s->problems[query.problem].label);
    set_text(L, "norm", query.norm);
    set_text(L, "verdict", il_verdict_name(order.verdict));
    set_text(L, "reason", order.reason);
    set_number(L, "slope", order.slope);
    set_number(L, "low", order.low);
    set_number(L, "high", order.high);
    set_number(L, "level", order.level);
    set_number(L, "constant", order.constant);
    set_number(L, "spread", order.spread);
    set_number(L, "at_floor", order.at_floor);
    lua_pushinteger(L, (lua_Integer)order.n);
    lua_setfield(L, -2, "n");
    if (luaL_newmetatable(L, "impactlab.order")) {
        lua_pushcfunction(L, order_text);
        lua_setfield(L, -2, "__tostring");
    }
    lua_setmetatable(L, -2);
    return 1;
}

/* ---- the value ------------------------------------------------------------------------------ */

/* Records with what the case was: problem_label, and steps and h also where nothing ran. */
static int result_records(lua_State *L) {
    const il_result *result = il_lua_check_result(L, 1);
    const il_sweep *s = result->sweep;
    lua_Integer n = 0;
    lua_newtable(L);
    for (size_t k = 0; k < il_sweep_count(s); k++) {
        if (result->records[k] == NULL) {
            continue; /* another shard's */
        }
        il_case c = il_sweep_case(s, k);
        il_lua_push_json(L, result->records[k]);
        lua_pushinteger(L, (lua_Integer)k + 1);
        lua_setfield(L, -2, "case");
        set_text(L, "label", c.problem->label);
        lua_rawseti(L, -2, ++n);
    }
    return 1;
}

/* r.cases and the like are numbers, the rest are methods. */
static int result_index(lua_State *L) {
    const il_result *r = il_lua_check_result(L, 1);
    const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    const struct {
        const char *key;
        size_t value;
    } counts[] = {{"cases", il_sweep_count(r->sweep)},
                  {"found", r->found},
                  {"ran", r->ran},
                  {"failed", r->failed},
                  {"missing", r->missing}};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        if (strcmp(key, counts[k].key) == 0) {
            lua_pushinteger(L, (lua_Integer)counts[k].value);
            return 1;
        }
    }
    if (strcmp(key, "name") == 0) {
        lua_pushstring(L, r->sweep->name);
        return 1;
    }
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) == LUA_TNIL) {
        return luaL_error(L,
                          "a result of a sweep has no '%s'; it has cases, found, ran, failed, "
                          "missing, name, records, order, limits, table, figure",
                          key);
    }
    return 1;
}

typedef struct {
    size_t n;
    json_t *list[];
} records;

static void close_records(void *room) {
    records *r = room;
    for (size_t k = 0; k < r->n; k++) {
        json_decref(r->list[k]);
    }
}

il_result *il_lua_push_result(lua_State *L, int index, const il_sweep *sweep) {
    static const luaL_Reg methods[] = {{"records", result_records},  {"order", result_order},
                                       {"limits", result_limits},    {"table", il_result_table},
                                       {"figure", il_result_figure}, {NULL, NULL}};
    index = lua_absindex(L, index);
    il_result *r = lua_newuserdatauv(L, sizeof *r, 2);
    *r = (il_result){.sweep = sweep};
    lua_pushvalue(L, index);
    (void)lua_setiuservalue(L, -2, 2); /* the sweep lives as long as its result */
    r->arena = il_lua_arena_new(L);
    (void)lua_setiuservalue(L, -2, 1);
    size_t n = il_sweep_count(sweep);
    records *room =
        il_lua_take(L, r->arena, 1, sizeof *room + n * sizeof room->list[0], close_records);
    room->n = n;
    r->records = room->list;
    if (luaL_newmetatable(L, RESULT)) {
        luaL_newlib(L, methods);
        lua_pushcclosure(L, result_index, 1);
        lua_setfield(L, -2, "__index");
        lua_pushliteral(L, "impactlab");
        lua_setfield(L, -2, "__metatable");
    }
    lua_setmetatable(L, -2);
    return r;
}

il_result *il_lua_check_result(lua_State *L, int index) {
    il_result *r = luaL_checkudata(L, index, RESULT);
    if (!il_lua_arena_alive(r->arena) || !il_lua_arena_alive(r->sweep->arena)) {
        (void)luaL_error(L, "the result was closed");
    }
    return r;
}
