/*
 * order_claim.c - which claim an order is judged by, and whether it speaks of the problem: a
 * theorem is credited only where the problem's measured hypotheses admit it
 * (harness/study/hypotheses/hypotheses.h).
 */
#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#include "harness/lua/base/module.h"
#include "harness/lua/base/record.h"
#include "harness/lua/study/order.h"
#include "harness/study/hypotheses/hypotheses.h"

const char *const il_lua_claim_kinds[] = {"converges", "bound", "sharp", NULL};

/* A problem of the sweep as its hypotheses see it, made when first asked for. */
struct il_result_problem {
    il_params *params;
    il_problem *problem; /* NULL: it cannot be made */
    bool measured;
    il_constants constants;
    il_status status; /* of making, then of measuring, with why */
    il_error why;
};

static void close_problems(void *room) {
    il_result_problem *p = room;
    il_problem_destroy(p->problem);
    il_params_destroy(p->params);
}

/* Problem k, as the case that is `first` has it; not an error if it cannot be made. */
static il_result_problem *problem_of(lua_State *L, const il_result *result, size_t k,
                                     size_t first) {
    if (result->problems[k] == NULL) {
        il_case c = il_sweep_case(result->sweep, first);
        il_result_problem *p = il_lua_take(L, result->arena, 1, sizeof *p, close_problems);
        il_lua_context_of(L)->L = L;
        p->status = il_case_problem(&c, &p->params, &p->problem, &p->why);
        result->problems[k] = p;
    }
    return result->problems[k];
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

/* Does the claim's theorem admit the problem? */
static il_admission admit(lua_State *L, const il_result *result, size_t problem, size_t scheme,
                          const il_claim *claim) {
    const il_sweep *s = result->sweep;
    il_result_problem *p = problem_of(L, result, problem, il_result_first(result, problem, scheme));
    il_admission out = {.admitted = false, .source = claim->source};
    il_params *params = NULL;
    il_error why = p->why;
    const il_scheme_choice *by = s->schemes[scheme];
    il_status status =
        p->problem == NULL ? p->status : il_scheme_params(by->type, by->settings, &params, &why);
    if (status == IL_OK) {
        status = il_claim_admitted(claim, p->problem, NULL, params, &out, &why);
    }
    if (status == IL_OK && out.admitted) {
        status = measure(L, &s->problems[problem], p);
        why = p->why;
    }
    if (status == IL_OK && out.admitted) {
        status = il_claim_admitted(claim, p->problem, &p->constants, params, &out, &why);
    }
    il_params_destroy(params);
    if (status == IL_ENOMEM) { /* says nothing of the hypotheses */
        il_lua_expect(L, NULL, status, &why);
    }
    if (status != IL_OK) {
        out.admitted = false;
        out.unknown = true;
        (void)snprintf(out.reason, sizeof out.reason,
                       "its hypotheses could not be measured: %.180s", why.message);
    }
    return out;
}

/* Does the scheme's claim speak of the norm and of problems of this order? */
static bool speaks(const il_claim *c, const char *norm, double order) {
    unsigned bit = order == 1.0 ? 1u : 2u;
    return strcmp(c->norm, norm) == 0 && (c->orders == 0 || (c->orders & bit) != 0);
}

void il_lua_push_claim(lua_State *L, const il_claim *claim) {
    il_lua_make(L, IL_SET("kind", il_lua_claim_kinds[claim->kind]), IL_SET("order", claim->order),
                IL_SET("factor", claim->factor > 0.0 ? claim->factor : IL_ORDER_FACTOR),
                IL_SET("hypothesis", claim->hypothesis), IL_SET("source", claim->source));
}

/* The first claim of the scheme that speaks of the norm and whose theorem admits the problem. If
 * none does, the first of them, and why: the theorem refuses it, or is not known to admit it.
 * Measures the problem's constants when first asked about a theorem. */
int il_lua_claim(lua_State *L) {
    const il_result *result = il_lua_check_result(L, 1);
    size_t problem = (size_t)luaL_checkinteger(L, 2) - 1;
    size_t scheme = (size_t)luaL_checkinteger(L, 3) - 1;
    const char *norm = luaL_checkstring(L, 4);
    double order =
        il_json_pack_number(result->records, il_result_first(result, problem, scheme), "order");
    const il_claim *refused = NULL;
    il_admission why;
    const il_claim *c = result->sweep->schemes[scheme]->type->claims;
    for (; c != NULL && c->norm != NULL; c++) {
        if (!speaks(c, norm, order)) {
            continue;
        }
        il_admission admission = admit(L, result, problem, scheme, c);
        if (admission.admitted) {
            il_lua_push_claim(L, c);
            return 1;
        }
        if (refused == NULL) {
            refused = c;
            why = admission;
        }
    }
    if (refused == NULL) {
        return 0;
    }
    il_lua_push_claim(L, refused);
    lua_pushfstring(L, "%s: %s",
                    why.unknown ? "it is not known whether the claim applies"
                                : "the claim does not apply",
                    why.reason);
    return 2;
}
