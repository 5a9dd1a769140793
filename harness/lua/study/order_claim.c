/*
 * order_claim.c - which claim an order is judged by, and whether it speaks of the problem: a
 * theorem is credited only where the problem's measured hypotheses admit it
 * (harness/study/hypotheses/hypotheses.h).
 */
#include <stdio.h>
#include <string.h>

#include "harness/lua/base/module.h"
#include "harness/lua/study/order.h"
#include "harness/study/hypotheses/hypotheses.h"

/* A problem of the sweep as its hypotheses see it, made when first asked for. */
struct il_result_problem {
    bool made, measured;
    il_params *params;
    il_problem *problem; /* NULL: it cannot be made, for why */
    il_constants constants;
    il_status status; /* of measuring, with why */
    il_error why;
};

static void close_problems(void *room) {
    il_result_problem *p = room;
    il_problem_destroy(p->problem);
    il_params_destroy(p->params);
}

/* The problem of the case that is `first`; not an error if it cannot be made. */
static il_result_problem *problem_of(lua_State *L, const il_result *result, size_t k,
                                     size_t first) {
    if (result->problems[k] == NULL) {
        result->problems[k] =
            il_lua_take(L, result->arena, 1, sizeof *result->problems[k], close_problems);
    }
    il_result_problem *p = result->problems[k];
    if (!p->made) {
        il_case c = il_sweep_case(result->sweep, first);
        il_lua_context_of(L)->L = L;
        p->status = il_case_problem(&c, &p->params, &p->problem, &p->why);
        p->made = true;
    }
    return p;
}

/* Its constants, measured once however many schemes and norms ask. */
static il_status measure(lua_State *L, const il_choice *choice, il_result_problem *p) {
    if (!p->measured) {
        il_lua_context_of(L)->L = L;
        il_status status = il_constants_measure(p->problem, NULL, &p->constants, &p->why);
        p->status = il_choice_verdict(choice, status, &p->why);
        p->measured = true;
    }
    return p->status;
}

static bool is_admitted(lua_State *L, const il_result *result, const il_order_query *query,
                        const il_claim *claim, il_admission *out) {
    const il_sweep *s = result->sweep;
    size_t first = il_result_first(result, query->problem, query->scheme);
    il_result_problem *p = problem_of(L, result, query->problem, first);
    *out = (il_admission){.admitted = false, .source = claim->source};
    il_params *params = NULL;
    il_error why = p->why;
    const il_scheme_choice *scheme = s->schemes[query->scheme];
    il_status status = p->problem == NULL
                           ? p->status
                           : il_scheme_params(scheme->type, scheme->settings, &params, &why);
    if (status == IL_OK) {
        status = il_claim_admitted(claim, p->problem, NULL, params, out, &why);
    }
    if (status == IL_OK && out->admitted) {
        status = measure(L, &s->problems[query->problem], p);
        why = p->why;
    }
    if (status == IL_OK && out->admitted) {
        status = il_claim_admitted(claim, p->problem, &p->constants, params, out, &why);
    }
    il_params_destroy(params);
    if (status == IL_ENOMEM) { /* says nothing of the hypotheses */
        il_lua_expect(L, NULL, status, &why);
    }
    if (status != IL_OK) {
        out->admitted = false;
        (void)snprintf(out->reason, sizeof out->reason,
                       "its hypotheses could not be measured: %.180s", why.message);
    }
    return out->admitted;
}

/* Does the scheme's claim speak of the norm and of problems of this order? */
static bool speaks(const il_claim *c, const char *norm, double order) {
    unsigned bit = order == 1.0 ? 1u : 2u;
    return strcmp(c->norm, norm) == 0 && (c->orders == 0 || (c->orders & bit) != 0);
}

const il_claim *il_result_claim(lua_State *L, const il_result *result, const il_order_query *query,
                                const char **barred) {
    *barred = query->barred;
    if (query->claim.norm != NULL) {
        return &query->claim;
    }
    size_t first = il_result_first(result, query->problem, query->scheme);
    double order = il_result_number(result, first, "order");
    const il_claim *refused = NULL;
    const il_claim *c = result->sweep->schemes[query->scheme]->type->claims;
    for (; c != NULL && c->norm != NULL; c++) {
        il_admission admission;
        if (speaks(c, query->norm, order)) {
            if (is_admitted(L, result, query, c, &admission)) {
                *barred = NULL;
                return c;
            }
            if (refused == NULL) {
                refused = c;
                *barred = il_lua_copy(L, result->arena, admission.reason);
            }
        }
    }
    return refused;
}
