/*
 * hypotheses.h - which theorem applies to which problem, in one table. `show` prints it, `verify`
 * derives NOT APPLICABLE from it, and an order credits a claim to a theorem only where the theorem
 * applies.
 *
 * A theorem needs hypotheses. Each is decided by measured constants (constants.h) of the problem
 * with its parameters, and a refusal says which one fails and by which number. Usage, before "as
 * claimed" is printed:
 *
 *     il_admission admission;
 *     status = il_claim_admitted(&claim, problem, &constants, scheme_params, &admission, err);
 *     ... status == IL_OK:
 *     admission.admitted     credit claim->source
 *     !admission.admitted    REPORTED, with admission.reason: "some g_i is not convex in q: its
 *                            second difference reaches -0.25 (Bernicot & Lefebvre-Lepot 2010,
 *                            Theorem 1.3 asks for it)"
 *     admission.unknown      not admitted because it is not known whether a hypothesis holds
 *
 * Constants that cannot be measured may be known in closed form (constants.h, closed): (A5), (A6)
 * and A2 hold for N balls of any radii, in the open or among walls that one direction raises.
 *
 * problem was made by il_problem_create; scheme_params by il_scheme_params. For many claims on one
 * problem measure the constants once (constants.h).
 */
#ifndef IL_HYPOTHESES_H
#define IL_HYPOTHESES_H

#include "harness/study/hypotheses/constants.h"
#include "problems/problem.h"
#include "schemes/scheme.h"

typedef enum {
    IL_NEEDS_ORDER_1 = 1u << 0,
    IL_NEEDS_ORDER_2 = 1u << 1,
    IL_NEEDS_INELASTIC = 1u << 2,   /* e = 0 */
    IL_NEEDS_FIXED = 1u << 3,       /* no g_i depends on t */
    IL_NEEDS_CONVEX = 1u << 4,      /* every g_i is convex in q */
    IL_NEEDS_ONE = 1u << 5,         /* one constraint */
    IL_NEEDS_INTERIOR = 1u << 6,    /* the start has no contact */
    IL_NEEDS_INDEPENDENT = 1u << 7, /* (A6) of Bernicot & Lefebvre-Lepot, (A5) of Venel; their
                                       (A6'), (A5') where constraints are fixed */
    IL_NEEDS_SLATER = 1u << 8,      /* A2 of Adly & Thieu, over all constraints */
    IL_NEEDS_ACUTE = 1u << 9,       /* A4 of Adly & Thieu */
    IL_NEEDS_FORCE_FREE = 1u << 10, /* f = 0 */
    IL_NEEDS_UNGLUED = 1u << 11,    /* contact forces are never attractive */
    IL_NEEDS_LIPSCHITZ = 1u << 12,  /* the drift does not jump in q: order 1 */
    IL_NEEDS_SMOOTH = 1u << 13,     /* gradients and rates of constraints do not jump */
    IL_NEEDS_COUNT = 14
} il_needs;

typedef struct {
    const char *id;     /* "BL-T1.3": what il_claim.theorem names */
    const char *source; /* "Bernicot & Lefebvre-Lepot 2010, Theorem 1.3" */
    const char *says;   /* in one line */
    unsigned needs;     /* IL_NEEDS_... */
} il_theorem;

/* Theorem k of the table, NULL past the end; the one called id, NULL if there is none. */
const il_theorem *il_theorem_at(size_t k);
const il_theorem *il_theorem_find(const char *id);

typedef struct {
    bool admitted;
    bool unknown;                /* neither admitted nor refused: no hypothesis is known to fail */
    const char *source;          /* of the theorem, or of the claim that names none */
    char reason[IL_MESSAGE_MAX]; /* empty if admitted */
} il_admission;

/* Is one hypothesis (a bit of il_needs) known to be met? If not, why, in words with the number that
 * shows it, into reason. */
bool il_hypothesis_holds(unsigned need, const il_problem *problem, const il_constants *constants,
                         char *reason, size_t capacity);

/* The bit of its name in scripts, "convex"; 0 for a name that is not known. */
unsigned il_hypothesis_find(const char *name);

/* Does the theorem apply to problem? The first hypothesis that fails is the reason; if none
 * does, the first that is not known. constants NULL: by the hypotheses that need none alone;
 * not admitted is final then, admitted is not. Measuring thirty bodies takes seconds, and many
 * a claim is refused for the number of contacts or e > 0. */
void il_theorem_admits(const il_theorem *theorem, const il_problem *problem,
                       const il_constants *constants, il_admission *out);

/* May the claim of a scheme with these parameters be credited on problem? constants as above.
 * scheme_params may be NULL where the scheme has none. Beside the theorem's hypotheses: no
 * parameter of the scheme is given that the claim must have left alone (unset). A claim without a
 * theorem (the user's own) is admitted. IL_EINVAL for a claim whose theorem is not in the table. */
il_status il_claim_admitted(const il_claim *claim, const il_problem *problem,
                            const il_constants *constants, const il_params *scheme_params,
                            il_admission *out, il_error *err);

#endif
