/*
 * hypotheses.c - the table of theorems, and their hypotheses, decided by measured constants.
 */
#include "harness/study/hypotheses/hypotheses.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A second difference of numbers of size one over steps of a hundredth: rounding stays below. */
static const double BENT = 1e-9;

enum {
    IMPACTS = IL_NEEDS_ORDER_2 | IL_NEEDS_UNGLUED | IL_NEEDS_SMOOTH,
    INELASTIC = IMPACTS | IL_NEEDS_INELASTIC,
    MAURY = INELASTIC | IL_NEEDS_FIXED | IL_NEEDS_CONVEX | IL_NEEDS_ONE | IL_NEEDS_INTERIOR,
    BERNICOT_LEFEBVRE = INELASTIC | IL_NEEDS_CONVEX | IL_NEEDS_INDEPENDENT,
    ADLY_THIEU = INELASTIC | IL_NEEDS_SLATER,
    SWEEPING = IL_NEEDS_ORDER_1 | IL_NEEDS_INDEPENDENT | IL_NEEDS_LIPSCHITZ,
    VENEL = SWEEPING | IL_NEEDS_CONVEX | IL_NEEDS_SMOOTH,
    ONE_FIXED = IL_NEEDS_ONE | IL_NEEDS_FIXED
};

static const il_theorem theorems[] = {
    {"M-T1", "Maury 2006, Theorem 1", "maury: a subsequence converges, one contact", MAURY},
    {"BL-T1.3", "Bernicot & Lefebvre-Lepot 2010, Theorem 1.3",
     "maury: a subsequence converges, several contacts, moving constraints", BERNICOT_LEFEBVRE},
    {"AT-T4.1", "Adly & Thieu 2022, Theorem 4.1, from A1-A3",
     "paoli: a subsequence converges uniformly, to a motion that may break the impact law",
     ADLY_THIEU},
    {"AT-T4.1-A4", "Adly & Thieu 2022, Theorem 4.1",
     "paoli: with A4 too, a subsequence converges uniformly to a solution",
     ADLY_THIEU | IL_NEEDS_ACUTE},
    {"V-T3.4", "Venel 2011, Theorem 3.4", "venel: the whole sequence converges uniformly", VENEL},
    /* Known here by its abstract and the beginning of its introduction (arXiv 1009.2837): Venel's
     * scheme, finitely many inequality constraints, whose sets meet in a metrically qualified way.
     * Its hypotheses in detail were not available. Credited only where Venel's own hold. */
    {"BV-2013", "Bernicot & Venel 2013, SIAM J. Control Optim. 51, 3075",
     "venel: converges uniformly with order 1/2 at least", VENEL},
    /* Proved in the page named. The implicit Euler method for one fixed convex set is of order 1
     * (Lippold, by the introduction above): catching_up takes f explicitly, so that is no claim of
     * ours. */
    {"CU-order", "scripts/claims, The order of catching-up, after Moreau 1977",
     "catching_up: converges uniformly with order 1/2 at least, Q(t) prox-regular and Lipschitz",
     SWEEPING},
    {"Moreau-1977", "Moreau 1977; Venel 2011, section 1",
     "catching_up: the whole sequence converges uniformly, Q(t) prox-regular and Lipschitz",
     SWEEPING},
    {"MM-1993", "Monteiro Marques 1993; Mabrouk 1998",
     "moreau_jean: a subsequence converges, one contact, any restitution", IMPACTS | ONE_FIXED},
    {"S-1978", "Schatzman 1978; Paoli & Schatzman 1993",
     "penalty: a subsequence converges as the stiffness grows, one contact", IMPACTS | ONE_FIXED},
    {"L-2009", "Lefebvre 2009, of her scheme; BL Remark 4.3",
     "gluey_maury: a subsequence converges, one contact",
     IL_NEEDS_ORDER_2 | ONE_FIXED | IL_NEEDS_INELASTIC}};

enum { THEOREMS = sizeof theorems / sizeof theorems[0] };

const il_theorem *il_theorem_at(size_t k) {
    return k < THEOREMS ? &theorems[k] : NULL;
}

const il_theorem *il_theorem_find(const char *id) {
    for (size_t k = 0; k < THEOREMS; k++) {
        if (strcmp(theorems[k].id, id) == 0) {
            return &theorems[k];
        }
    }
    return NULL;
}

/* ---- hypotheses ----------------------------------------------------------------------------- */

/* The numbers that a hypothesis is decided by, and room for why it fails. */
typedef struct {
    const il_problem *problem;
    const il_constants *c;
    char *reason;
    size_t capacity;
    bool unknown; /* it is not known whether the hypothesis holds: the reason says why */
} question;

/* False, with the reason. */
#define REFUSE(ask, ...) ((void)snprintf((ask)->reason, (ask)->capacity, __VA_ARGS__), false)

/* Not known, because what decides it was not measured. */
static bool unknown(question *ask, const char *what) {
    ask->unknown = true;
    return REFUSE(ask, "%s was not measured: %s", what, ask->c->unmeasured);
}

static bool order_1(question *ask) {
    return ask->problem->order == 1 || REFUSE(ask, "order 2");
}

static bool order_2(question *ask) {
    return ask->problem->order == 2 || REFUSE(ask, "order 1");
}

static bool inelastic(question *ask) {
    double e = ask->problem->restitution;
    return e == 0.0 || REFUSE(ask, "impacts are not inelastic: e = %.3g", e);
}

static bool one(question *ask) {
    return ask->problem->p <= 1 || REFUSE(ask, "%zu constraints, not one", ask->problem->p);
}

static bool interior(question *ask) {
    double gap = ask->problem->start_gap;
    return gap > 0.0 || REFUSE(ask, "the start is in contact: min g = %.3g", gap);
}

static bool force_free(question *ask) {
    const il_problem *problem = ask->problem;
    bool none = problem->type->force == NULL && problem->type->force_mean == NULL;
    return none || (problem->traits & IL_FORCE_FREE) != 0 || REFUSE(ask, "a force acts");
}

static bool unglued(question *ask) {
    return ask->problem->gamma0 == NULL || REFUSE(ask, "contacts hold");
}

/* Where nothing was measured, problems say of themselves whether some hypotheses hold, but not
 * those of scripts. */
static bool untold(const question *ask) {
    return (ask->problem->traits & IL_ROWS_UNKNOWN) != 0;
}

static bool fixed(question *ask) {
    if (ask->c->unmeasured != NULL) {
        return (ask->problem->traits & IL_ROWS_FIXED) != 0 ||
               (untold(ask) ? unknown(ask, "whether the constraints move")
                            : REFUSE(ask, "the constraints move"));
    }
    return !(ask->c->rate > 0.0) ||
           REFUSE(ask, "the constraints move: |d_t g| reaches %.3g", ask->c->rate);
}

static bool convex(question *ask) {
    if (ask->c->unmeasured != NULL) {
        return (ask->problem->traits & IL_ROWS_CONVEX) != 0 ||
               (untold(ask) ? unknown(ask, "whether every g_i is convex in q")
                            : REFUSE(ask, "some g_i is not convex in q"));
    }
    return ask->c->convex >= -BENT ||
           REFUSE(ask, "some g_i is not convex in q: its second difference reaches %.3g",
                  ask->c->convex);
}

/* N balls, and walls that one direction raises: for every N, any radii, any rho (constants.h). */
static bool closed(const question *ask) {
    return ask->c->closed > 0.0;
}

static bool independent(question *ask) {
    if (ask->c->unmeasured != NULL) {
        return closed(ask) ||
               unknown(ask, "how independent the gradients of active constraints are");
    }
    bool moves = ask->c->rate > 0.0;
    double inverse = moves ? ask->c->inverse : ask->c->active_inverse;
    return closed(ask) || inverse > BENT ||
           REFUSE(ask, "no direction raises all constraints that are %sactive (1/nu = %.2g)",
                  moves ? "nearly " : "", inverse);
}

static bool slater(question *ask) {
    if (ask->c->unmeasured != NULL) {
        return closed(ask) || unknown(ask, "mu of A2");
    }
    return closed(ask) || ask->c->mu > BENT ||
           REFUSE(ask,
                  "no direction raises all constraints at once, active or not (mu = %.2g): A2 "
                  "fails as it is written",
                  ask->c->mu);
}

static bool acute(question *ask) {
    if (ask->c->unmeasured !=
        NULL) { /* in some corner of three balls that touch the angle is acute */
        const il_problem *p = ask->problem;
        bool three = closed(ask) && p->space > 1 && p->d >= 3 * p->space;
        return three
                   ? REFUSE(ask, "three bodies that all touch have active gradients that lean the "
                                 "same way: A4 fails")
                   : unknown(ask, "A4");
    }
    return ask->c->angle <= BENT ||
           REFUSE(ask, "active gradients lean the same way (cosine %.3g): A4 fails", ask->c->angle);
}

static bool lipschitz(question *ask) {
    if (isnan(ask->c->jump)) {
        return unknown(ask, "whether the drift jumps");
    }
    return !(ask->c->jump > 0.0) ||
           REFUSE(ask, "the drift is not Lipschitz in q: it jumps by %.3g", ask->c->jump);
}

static bool smooth(question *ask) {
    if (ask->c->unmeasured != NULL) {
        return !untold(ask) || unknown(ask, "whether every g_i is smooth");
    }
    return !(ask->c->kink > 0.0) ||
           REFUSE(ask, "some g_i is not smooth: its gradient or its rate jumps by %.3g",
                  ask->c->kink);
}

/* In the order of il_needs. */
static const struct {
    const char *name;
    bool (*holds)(question *ask);
    bool plain; /* decided without constants */
} hypotheses[IL_NEEDS_COUNT] = {
    {"first", order_1, true},         {"second", order_2, true},
    {"inelastic", inelastic, true},   {"fixed", fixed, false},
    {"convex", convex, false},        {"one", one, true},
    {"interior", interior, true},     {"independent", independent, false},
    {"slater", slater, false},        {"acute", acute, false},
    {"force_free", force_free, true}, {"unglued", unglued, true},
    {"lipschitz", lipschitz, false},  {"smooth", smooth, false}};

unsigned il_hypothesis_find(const char *name) {
    for (size_t k = 0; k < IL_NEEDS_COUNT; k++) {
        if (strcmp(hypotheses[k].name, name) == 0) {
            return 1u << k;
        }
    }
    return 0;
}

bool il_hypothesis_holds(unsigned need, const il_problem *problem, const il_constants *constants,
                         char *reason, size_t capacity) {
    question ask = {problem, constants, reason, capacity, false};
    reason[0] = '\0';
    for (size_t k = 0; k < IL_NEEDS_COUNT; k++) {
        if (need == 1u << k) {
            return hypotheses[k].holds(&ask);
        }
    }
    return false;
}

/* ---- theorems and claims -------------------------------------------------------------------- */

void il_theorem_admits(const il_theorem *theorem, const il_problem *problem,
                       const il_constants *constants, il_admission *out) {
    static const il_constants none = {0};
    char why[IL_MESSAGE_MAX];
    *out = (il_admission){.admitted = true, .source = theorem->source};
    for (size_t k = 0; (out->admitted || out->unknown) && k < IL_NEEDS_COUNT; k++) {
        question ask = {problem, constants != NULL ? constants : &none, why, sizeof why, false};
        bool asked = (theorem->needs & 1u << k) != 0 && (constants != NULL || hypotheses[k].plain);
        if (asked && !hypotheses[k].holds(&ask) && (out->admitted || !ask.unknown)) {
            out->admitted = false;
            out->unknown = ask.unknown;
            memcpy(out->reason, why, sizeof why);
        }
    }
}

/* Is a parameter given that the claim must have left alone? */
static bool is_set(const il_claim *claim, const il_theorem *theorem, const il_params *scheme_params,
                   il_admission *out) {
    if (claim->unset == NULL || scheme_params == NULL ||
        !il_params_given(scheme_params, claim->unset)) {
        return false;
    }
    *out = (il_admission){.admitted = false, .source = theorem->source};
    (void)snprintf(out->reason, sizeof out->reason, "the scheme's %s is given: %s", claim->unset,
                   claim->hypothesis != NULL ? claim->hypothesis : theorem->says);
    return true;
}

il_status il_claim_admitted(const il_claim *claim, const il_problem *problem,
                            const il_constants *constants, const il_params *scheme_params,
                            il_admission *out, il_error *err) {
    *out = (il_admission){.admitted = true, .source = claim->source};
    if (claim->theorem == NULL) {
        return IL_OK;
    }
    const il_theorem *theorem = il_theorem_find(claim->theorem);
    if (theorem == NULL) {
        return il_fail(err, IL_EINVAL, "a claim for '%s' names theorem '%s', which is not known",
                       claim->norm, claim->theorem);
    }
    if (!is_set(claim, theorem, scheme_params, out)) {
        il_theorem_admits(theorem, problem, constants, out);
    }
    return IL_OK;
}
