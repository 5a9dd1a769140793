/*
 * order.c - r:order and r:orders: observed orders of a sweep, judged by claims.
 *
 *     r:order{problem =, scheme =, norm =, level =, claim = {order =, kind =, source =}}
 *     r:orders{problems =, schemes =, norms =, level =, claim =}     an array of such orders
 *
 * An order is a table of numbers and texts that prints as one line:
 *
 *     maury u_L1 on two_spheres: order 1.02 [0.98, 1.06] (95 %, 48 runs), Theil-Sen 1.01 [0.97,
 *     1.05], 6 of 6 levels: PASS, why
 */
#include <float.h>
#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/lua/result.h"
#include "harness/lua/sensitivity.h"

/* How far causes other than the step reach. Every step rounds each coordinate some eight times, and
 * leaves a constraint violated by the projector's tolerance at most, which the next step may make
 * good with a jump: both add up over the steps. An error is a distance to the reference, which errs
 * itself: up to ten times that is not told apart from it. */
static const double ROUNDINGS = 8.0;
static const double REFERENCES = 10.0;

/* ---- from records to data ------------------------------------------------------------------- */

static double size_of(const json_t *vector) {
    double sum = 0.0;
    size_t k = 0;
    json_t *x = NULL;
    json_array_foreach((json_t *)(uintptr_t)vector, k, x) {
        sum += json_number_value(x) * json_number_value(x);
    }
    return sqrt(sum);
}

/* The size of what a norm measures: of the state that the runs end with, over the whole time for an
 * integral, the total impulse for contact forces; graphs are scaled already. */
static double size_in(const il_result *result, size_t k, const char *norm) {
    const json_t *final = json_object_get(result->records[k], "final");
    double T = il_result_number(result, k, "horizon");
    if (norm[0] == 'q' || strcmp(norm, "final_q") == 0) {
        return size_of(json_object_get(final, "q"));
    }
    if (norm[0] == 'u' || strcmp(norm, "final_u") == 0) {
        double u = size_of(json_object_get(final, "u"));
        return norm[0] == 'u' && T > 0.0 ? T * u : u;
    }
    if (strcmp(norm, "TV") == 0) {
        return il_result_number(result, k, "total_variation");
    }
    return strncmp(norm, "flat_lambda", 11) == 0
               ? il_result_number(result, k, "contacts.impulse_total")
               : 1.0;
}

static double scale(const il_result *result, size_t first, const char *norm) {
    double most = 0.0;
    for (size_t k = first; k < first + result->sweep->nsizes; k++) {
        most = fmax(most, size_in(result, k, norm)); /* fmax passes over NaN */
    }
    return most > 0.0 ? most : 1.0;
}

/* The largest of a number over the runs; NaN counts as 0. */
static double largest(const il_result *result, size_t first, const char *path, double sign) {
    double most = 0.0;
    for (size_t k = first; k < first + result->sweep->nsizes; k++) {
        most = fmax(most, sign * il_result_number(result, k, path));
    }
    return most;
}

/* How large errors are that have another cause than the step. */
static void set_causes(const il_result *result, size_t first, const char *norm,
                       il_order_data *data) {
    double size = scale(result, first, norm);
    double steps = fmax(largest(result, first, "work.steps", 1.0), 1.0);
    double violation = largest(result, first, "certificate.primal", -1.0);
    char path[96];
    (void)snprintf(path, sizeof path, "error.reference_error.%.40s", norm);
    data->rounding = ROUNDINGS * steps * DBL_EPSILON * size;
    data->tolerance = steps * fmax(result->sweep->common.projection.tolerance, violation);
    data->reference = REFERENCES * largest(result, first, path, 1.0);
}

/* Which solution each run is nearest to: the number of the first run that names the same. */
static const size_t *limits(lua_State *L, il_lua_arena *arena, const il_result *result,
                            size_t first) {
    size_t n = result->sweep->nsizes;
    size_t *limit = il_lua_take(L, arena, n, sizeof *limit, NULL);
    for (size_t k = 0; k < n; k++) {
        const char *name[2] = {NULL, NULL};
        for (limit[k] = 0; limit[k] < k; limit[k]++) {
            const size_t at[2] = {k, limit[k]};
            for (int i = 0; i < 2; i++) {
                const json_t *error = json_object_get(result->records[first + at[i]], "error");
                name[i] = json_string_value(json_object_get(error, "reference"));
            }
            if (name[0] == NULL || (name[1] != NULL && strcmp(name[0], name[1]) == 0)) {
                break;
            }
        }
    }
    return limit;
}

/* What the scheme's literature claims for the norm on problems of this order, or NULL. */
static const il_claim *claim_of(const il_scheme_type *scheme, const char *norm, double order) {
    unsigned bit = order == 1.0 ? 1u : 2u;
    for (const il_claim *c = scheme->claims; c != NULL && c->norm != NULL; c++) {
        if (strcmp(c->norm, norm) == 0 && (c->orders == 0 || (c->orders & bit) != 0)) {
            return c;
        }
    }
    return NULL;
}

static const il_claim *claim_for(const il_result *result, const il_order_query *query) {
    size_t first = il_result_first(result, query->problem, query->scheme);
    return query->claim.norm != NULL
               ? &query->claim
               : claim_of(result->sweep->schemes[query->scheme]->type, query->norm,
                          il_result_number(result, first, "order"));
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
    il_order_data data = {.n = n, .h = h, .error = e, .limit = limits(L, arena, result, first)};
    set_causes(result, first, query->norm, &data);
    il_order order;
    il_error err = {IL_OK, ""};
    il_status status = il_order_fit(&data, query->level, claim_for(result, query), &order, &err);
    il_lua_expect(L, "r:order", status, &err);
    il_result_doubt(L, result, query, &order);
    return order;
}

/* ---- words ---------------------------------------------------------------------------------- */

const char *il_order_levels_text(lua_State *L, il_lua_arena *arena, const il_order *o) {
    size_t used = 0;
    for (size_t k = 0; k < o->levels; k++) {
        used += o->level[k].fate == IL_LEVEL_USED;
    }
    return il_lua_print(L, arena, "%zu of %zu", isnan(o->slope) ? 0 : used, o->levels);
}

const char *il_order_plateau_text(lua_State *L, il_lua_arena *arena, const il_order *o) {
    return isnan(o->plateau)
               ? NULL
               : il_lua_print(L, arena, "%.1e (%s)", o->plateau, il_plateau_name(o->cause));
}

static const char *fate_name(il_level_fate fate) {
    return fate == IL_LEVEL_USED ? "used" : fate == IL_LEVEL_COARSE ? "coarse" : "plateau";
}

/* ", 4 of 6 levels (1 coarse dropped, p = 0.003; 1 plateau)" */
static void tell_levels(lua_State *L, il_lua_arena *arena, const il_order *o, char *out,
                        size_t capacity) {
    size_t coarse = 0;
    size_t plateau = 0;
    double p = NAN;
    for (size_t k = 0; k < o->levels; k++) {
        bool mine = o->level[k].fate == IL_LEVEL_COARSE;
        coarse += mine;
        plateau += o->level[k].fate == IL_LEVEL_PLATEAU;
        p = mine ? o->level[k].p : p;
    }
    il_text_append(out, capacity, ", %s level%s", il_order_levels_text(L, arena, o),
                   il_lua_plural(o->levels));
    if (coarse > 0) {
        il_text_append(out, capacity, " (dropped the coarsest %zu, p = %.2g)", coarse, p);
    }
    if (plateau > 0 || !isnan(o->plateau)) {
        il_text_append(out, capacity, ", plateau of %zu at %s", plateau,
                       il_order_plateau_text(L, arena, o));
    }
}

/* The line that an order prints as. */
static const char *line(lua_State *L, il_lua_arena *arena, const char *head, const il_order *o,
                        const il_claim *claim) {
    char out[1600] = "";
    il_text_append(out, sizeof out, "%s: ", head);
    if (isnan(o->slope)) {
        il_text_append(out, sizeof out, "no order (%zu run%s)", o->runs, il_lua_plural(o->runs));
    } else {
        il_text_append(out, sizeof out,
                       "order %.2f [%.2f, %.2f] (%g %%, %zu run%s), Theil-Sen %.2f [%.2f, %.2f]",
                       o->slope, o->low, o->high, 100.0 * o->confidence, o->n, il_lua_plural(o->n),
                       o->sen, o->sen_low, o->sen_high);
        tell_levels(L, arena, o, out, sizeof out);
    }
    il_text_append(out, sizeof out, ": %s, %s", il_verdict_name(o->verdict), o->reason);
    if (claim != NULL && claim->source != NULL && !isnan(o->slope)) {
        il_text_append(out, sizeof out, " (%s)", claim->source);
    }
    return il_lua_copy(L, arena, out);
}

/* ---- tables --------------------------------------------------------------------------------- */

static void set_number(lua_State *L, const char *key, double x) {
    lua_pushnumber(L, x);
    lua_setfield(L, -2, key);
}

static void set_count(lua_State *L, const char *key, size_t n) {
    lua_pushinteger(L, (lua_Integer)n);
    lua_setfield(L, -2, key);
}

static void set_text(lua_State *L, const char *key, const char *text) {
    lua_pushstring(L, text); /* nil for NULL */
    lua_setfield(L, -2, key);
}

/* levels = {{h =, n =, fate =, p =}, ...} and dropped, those of them that are not used. */
static void set_levels(lua_State *L, const il_order *o) {
    lua_Integer ndropped = 0;
    lua_newtable(L);
    lua_createtable(L, (int)o->levels, 0);
    for (size_t k = 0; k < o->levels; k++) {
        const il_order_level *level = &o->level[k];
        lua_createtable(L, 0, 4);
        set_number(L, "h", level->h);
        set_count(L, "n", level->n);
        set_text(L, "fate", fate_name(level->fate));
        if (level->fate != IL_LEVEL_USED) {
            set_number(L, "p", level->p);
            lua_pushvalue(L, -1);
            lua_rawseti(L, -4, ++ndropped);
        }
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_setfield(L, -3, "levels");
    lua_setfield(L, -2, "dropped");
}

static void set_claim(lua_State *L, const il_claim *claim) {
    static const char *const kinds[] = {"converges", "bound", "sharp"};
    if (claim == NULL) {
        return;
    }
    lua_createtable(L, 0, 4);
    set_text(L, "kind", kinds[claim->kind]);
    set_number(L, "order", claim->order);
    set_text(L, "hypothesis", claim->hypothesis);
    set_text(L, "source", claim->source);
    lua_setfield(L, -2, "claim");
}

static int order_text(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    (void)lua_getfield(L, 1, "text");
    (void)luaL_tolstring(L, -1, NULL);
    return 1;
}

static void push_order(lua_State *L, il_lua_arena *arena, const il_result *result,
                       const il_order_query *query) {
    const il_sweep *s = result->sweep;
    il_order o = il_result_fit(L, arena, result, query);
    const il_claim *claim = claim_for(result, query);
    const char *head = il_lua_print(L, arena, "%s %s on %s", s->schemes[query->scheme]->name,
                                    query->norm, s->problems[query->problem].label);
    lua_createtable(L, 0, 32);
    set_text(L, "scheme", s->schemes[query->scheme]->name);
    set_text(L, "problem", s->problems[query->problem].label);
    set_text(L, "norm", query->norm);
    set_text(L, "verdict", il_verdict_name(o.verdict));
    set_text(L, "reason", o.reason);
    set_text(L, "cause", il_plateau_name(o.cause));
    set_text(L, "text", line(L, arena, head, &o, claim));
    set_number(L, "slope", o.slope);
    set_number(L, "low", o.low);
    set_number(L, "high", o.high);
    set_number(L, "level", o.confidence);
    set_number(L, "constant", o.constant);
    set_number(L, "spread", o.spread);
    set_number(L, "h_max", o.h_max);
    set_number(L, "h_min", o.h_min);
    set_number(L, "theil_sen", o.sen);
    set_number(L, "theil_sen_low", o.sen_low);
    set_number(L, "theil_sen_high", o.sen_high);
    set_number(L, "fit_p", o.fit_p);
    set_number(L, "drift", o.drift);
    set_number(L, "plateau", o.plateau);
    set_number(L, "at_floor", o.at_floor);
    set_count(L, "runs", o.runs);
    set_count(L, "n", o.n);
    lua_pushboolean(L, o.several_limits);
    lua_setfield(L, -2, "several_limits");
    set_levels(L, &o);
    set_claim(L, claim);
    if (luaL_newmetatable(L, "impactlab.order")) {
        lua_pushcfunction(L, order_text);
        lua_setfield(L, -2, "__tostring");
    }
    lua_setmetatable(L, -2);
    il_lua_outcome *total = &il_lua_context_of(L)->outcome;
    total->orders++;
    total->orders_failed += o.verdict == IL_ORDER_FAIL;
    if (o.verdict == IL_ORDER_FAIL) {
        (void)lua_getfield(L, -1, "text");
        il_lua_note(L, "order", lua_tostring(L, -1));
        lua_pop(L, 1);
    }
}

/* ---- what is asked -------------------------------------------------------------------------- */

/* claim = {order = 1, kind = "bound", source = "..."}, or a number, a bound. */
static il_claim read_claim(const il_fields *f) {
    static const char *const known[] = {"order", "kind", "source", "hypothesis", NULL};
    static const char *const kinds[] = {"converges", "bound", "sharp", NULL};
    lua_State *L = f->L;
    il_claim claim = {.norm = NULL};
    if (!il_fields_push(f, "claim")) {
        lua_pop(L, 1);
        return claim;
    }
    if (!lua_istable(L, -1)) {
        il_fields_refuse(f, "claim", -1, "a table such as {order = 1, kind = \"bound\"}");
    }
    il_fields inner = il_fields_open(L, f->arena, -1, f->call, "claim");
    il_fields_known(&inner, 0, known);
    claim.norm = ""; /* whatever the norm of the order is */
    claim.kind = (il_claim_kind)il_fields_choice(&inner, "kind", kinds, IL_CLAIM_BOUND);
    claim.order = il_fields_positive(&inner, "order", 0.0);
    claim.source = il_fields_text(&inner, "source", NULL);
    claim.hypothesis = il_fields_text(&inner, "hypothesis", NULL);
    if ((claim.kind == IL_CLAIM_CONVERGES) != (claim.order == 0.0)) {
        il_fields_miss(&inner, "order",
                       "a number > 0 for a bound or a sharp order, none for mere "
                       "convergence");
    }
    lua_pop(L, 1);
    return claim;
}

/* The index of the problem of that label, or of that name where it is unique. */
static size_t find_problem(const il_fields *f, const il_sweep *s, const char *key,
                           const char *name) {
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
        il_text_append(known, sizeof known, "%s'%.100s'", k == 0 ? "" : ", ", p->label);
    }
    if (hits != 1) {
        lua_pushstring(f->L, name);
        il_fields_refuse(f, key, -1, known);
    }
    return found;
}

static size_t find_scheme(const il_fields *f, const il_sweep *s, const char *key,
                          const char *name) {
    char known[400] = "";
    for (size_t k = 0; k < s->nschemes; k++) {
        if (name != NULL && strcmp(s->schemes[k]->name, name) == 0) {
            return k;
        }
        il_text_append(known, sizeof known, "%s%.60s", k == 0 ? "" : ", ", s->schemes[k]->name);
    }
    lua_pushstring(f->L, name);
    il_fields_refuse(f, key, -1, known);
}

int il_result_order(lua_State *L) {
    static const char *const known[] = {"scheme", "norm", "problem", "claim", "level", NULL};
    const il_result *result = il_lua_check_result(L, 1);
    const il_sweep *s = result->sweep;
    lua_settop(L, 2);
    il_lua_arena *arena = il_lua_arena_open(L);
    il_fields f = il_fields_open(L, arena, 2, "r:order", "");
    il_fields_known(&f, 0, known);
    il_result_expect_complete(L, result, f.call);
    const char *scheme =
        il_fields_text(&f, "scheme", s->nschemes == 1 ? s->schemes[0]->name : NULL);
    const char *problem = il_fields_text(&f, "problem", NULL);
    il_order_query query = {.problem = find_problem(&f, s, "problem", problem),
                            .scheme = find_scheme(&f, s, "scheme", scheme),
                            .norm = il_result_norm(&f),
                            .level = il_result_level(&f),
                            .claim = read_claim(&f)};
    push_order(L, arena, result, &query);
    return 1;
}

/* The indices that key names; all of them where it is absent. */
static const size_t *read_some(const il_fields *f, const il_sweep *s, const char *key, size_t all,
                               size_t (*find)(const il_fields *, const il_sweep *, const char *,
                                              const char *),
                               size_t *n) {
    const char **names = il_fields_texts(f, key, n);
    bool given = *n > 0;
    *n = given ? *n : all;
    size_t *some = il_lua_take(f->L, f->arena, *n, sizeof *some, NULL);
    for (size_t k = 0; k < *n; k++) {
        some[k] = given ? find(f, s, key, names[k]) : k;
    }
    return some;
}

static int orders_text(lua_State *L) {
    luaL_Buffer b;
    lua_Integer n = (lua_Integer)lua_rawlen(L, 1);
    luaL_buffinit(L, &b);
    for (lua_Integer k = 1; k <= n; k++) {
        (void)lua_rawgeti(L, 1, k);
        (void)luaL_tolstring(L, -1, NULL);
        lua_remove(L, -2);
        luaL_addvalue(&b);
        luaL_addstring(&b, k < n ? "\n" : "");
    }
    luaL_pushresult(&b);
    return 1;
}

int il_result_orders(lua_State *L) {
    static const char *const known[] = {"schemes", "norms", "problems", "claim", "level", NULL};
    const il_result *result = il_lua_check_result(L, 1);
    const il_sweep *s = result->sweep;
    lua_settop(L, 2);
    il_lua_arena *arena = il_lua_arena_open(L);
    il_fields f = il_fields_open(L, arena, 2, "r:orders", "");
    il_fields_known(&f, 0, known);
    il_result_expect_complete(L, result, f.call);
    size_t np = 0;
    size_t ns = 0;
    size_t nn = 0;
    const size_t *problems = read_some(&f, s, "problems", s->nproblems, find_problem, &np);
    const size_t *schemes = read_some(&f, s, "schemes", s->nschemes, find_scheme, &ns);
    const char **norms = il_result_norms(&f, &nn);
    il_order_query query = {.level = il_result_level(&f), .claim = read_claim(&f)};
    lua_createtable(L, (int)(np * ns * nn), 0);
    for (size_t k = 0; k < np * ns * nn; k++) {
        query.problem = problems[k / nn / ns];
        query.scheme = schemes[k / nn % ns];
        query.norm = norms[k % nn];
        push_order(L, arena, result, &query);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    if (luaL_newmetatable(L, "impactlab.orders")) {
        lua_pushcfunction(L, orders_text);
        lua_setfield(L, -2, "__tostring");
    }
    lua_setmetatable(L, -2);
    return 1;
}
