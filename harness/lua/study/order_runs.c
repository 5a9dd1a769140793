/*
 * order_runs.c - what an order is computed from: steps, errors and their causes, out of the records
 * of a sweep.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/lua/study/order_query.h"

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
static double size_in(lua_State *L, const il_result *result, size_t k, const char *norm) {
    const json_t *final = json_object_get(il_result_record(L, result, k), "final");
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

static double scale(lua_State *L, const il_result *result, size_t first, const char *norm) {
    double most = 0.0;
    for (size_t k = first; k < first + result->sweep->nsizes; k++) {
        most = fmax(most, size_in(L, result, k, norm)); /* fmax passes over NaN */
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
static il_order_causes causes(lua_State *L, const il_result *result, size_t first,
                              const char *norm) {
    char path[96];
    (void)snprintf(path, sizeof path, "error.reference_error.%.40s", norm);
    return il_order_causes_of(
        largest(result, first, "work.steps", 1.0), scale(L, result, first, norm),
        result->sweep->common.projection.tolerance,
        largest(result, first, "certificate.primal", -1.0), largest(result, first, path, 1.0));
}

/* Which solution each run is nearest to: the number of the first run that names the same. */
static const size_t *limits(lua_State *L, il_lua_arena *arena, const il_result *result,
                            size_t first) {
    size_t n = result->sweep->nsizes;
    size_t *limit = il_lua_take(L, arena, n, sizeof *limit, NULL);
    for (size_t k = 0; k < n; k++) {
        const char *name[2] = {"", ""};
        for (limit[k] = 0; limit[k] < k; limit[k]++) {
            const size_t at[2] = {k, limit[k]};
            for (int i = 0; i < 2; i++) {
                name[i] = il_result_text(result, first + at[i], "error.reference");
            }
            if (name[0][0] == '\0' || strcmp(name[0], name[1]) == 0) {
                break;
            }
        }
    }
    return limit;
}

const char *il_result_subject(lua_State *L, il_lua_arena *arena, const il_result *result,
                              size_t problem, size_t scheme) {
    const char *label = result->sweep->problems[problem].label;
    size_t first = il_result_first(result, problem, scheme);
    const char *solution = NULL;
    for (size_t k = first; k < first + result->sweep->nsizes; k++) {
        const json_t *error = json_object_get(il_result_record(L, result, k), "error");
        const char *name = il_result_text(result, k, "error.reference");
        bool several = json_object_size(json_object_get(error, "distances")) > 1;
        if (!several || name[0] == '\0' || (solution != NULL && strcmp(name, solution) != 0)) {
            return label;
        }
        solution = name;
    }
    return solution == NULL ? label : il_lua_print(L, arena, "%s to %s", label, solution);
}

/* Runs that ended well, whose positions have an error and this norm has none: it was not measured,
 * as by default in runs of many numbers. */
static size_t unmeasured(const il_result *result, size_t first, const double *e) {
    size_t count = 0;
    for (size_t k = 0; k < result->sweep->nsizes; k++) {
        const char *status = il_result_text(result, first + k, "status");
        bool placed = isfinite(il_result_number(result, first + k, "error.q_Linf"));
        count += isnan(e[k]) && placed && strcmp(status, "ok") == 0;
    }
    return count;
}

il_order il_result_fit(lua_State *L, il_lua_arena *arena, const il_result *result,
                       const il_order_query *query, const il_claim **judged) {
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
    const char *barred = NULL;
    const il_claim *claim = il_result_claim(L, result, query, &barred);
    il_order_data data = {.n = n,
                          .h = h,
                          .error = e,
                          .limit = limits(L, arena, result, first),
                          .causes = causes(L, result, first, query->norm),
                          .barred = barred,
                          .rounds = result->sweep->rounds,
                          .unmeasured = unmeasured(result, first, e)};
    il_order order;
    il_error err = {IL_OK, ""};
    il_status status = il_order_fit(&data, query->level, claim, &order, &err);
    il_lua_expect(L, "r:order", status, &err);
    if (judged != NULL) {
        *judged = claim;
    }
    return order;
}
