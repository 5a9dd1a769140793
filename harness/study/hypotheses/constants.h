/*
 * constants.h - the constants in the hypotheses of theorems, measured on a problem by sampling
 * times, boundary points of Q(t), and pairs of points near them.
 *
 * Sampling can only underestimate a supremum and overestimate an infimum: a hypothesis that fails
 * here fails; one that holds here holds at the sampled points.
 */
#ifndef IL_CONSTANTS_H
#define IL_CONSTANTS_H

#include <stdint.h>

#include "problems/problem.h"

/* Gaps up to this count as contact: above what projections leave, below every gap that a sampled
 * configuration has by chance. In units of g. */
#define IL_CONSTANTS_CONTACT 1e-9

typedef struct {
    size_t points; /* boundary points at each of the times; 0: 12 */
    double scale;  /* length over which the set bends; 0: least radius of a body, or 1 */
} il_constants_query;

/* All norms Euclidean but for angle. Suprema are over the points, infima too. */
typedef struct {
    const char *unmeasured; /* why nothing was measured (static text), or NULL */
    size_t points;          /* boundary points in all */
    size_t contacts;        /* most constraints that were active at one of them */
    double rho;             /* up to this gap constraints are nearly active: 0.02 scale */
    double alpha, beta;     /* inf and sup |grad g_i| */
    double rate;            /* sup |d_t g_i| */
    double M, Mt, Mtt;      /* sup |D^2 g_i|, |d_t grad g_i|, |d_t^2 g_i|, by differences */
    double hypo;            /* sup <grad g_i(x) - grad g_i(y), x - y>/|x - y|^2: gamma of A1(ii) */
    double convex;          /* inf (g_i(y) - g_i(x) - <grad g_i(x), y - x>)/|y - x|^2 */
    double inverse;         /* 1/nu of (A6), over nearly active constraints; INFINITY without any */
    double slope;           /* Venel's delta, over the same */
    double active_inverse;  /* 1/nu of (A6'), over active ones alone */
    double mu;              /* mu of A2 of Adly & Thieu: slope over all constraints */
    double angle;           /* largest cosine of two active gradients in the metric of M^-1; A4 asks
                               for <= 0; -INFINITY where never two are active */
    double kink;            /* of some (grad g_i, d_t g_i) in time or within Q(t); 0: none found */
    double closed;          /* a lower bound of slope and mu, for any rho, in closed form: balls.c;
                               0 where none is known. There also where nothing was measured */
    double jump;            /* of the drift in q, order 1 (below); 0 where none was found, NaN where
                               there are too many bodies to look for one */
} il_constants;

/* Measure. query NULL: all defaults. Dense, as feasible.h is: problems of more than 300
 * coordinates or 600 constraints are left unmeasured, but for closed and jump, and so is a
 * problem none of whose boundary was found. IL_ENUMERIC where a constraint cannot be computed at a
 * point of Q(t). */
il_status il_constants_measure(const il_problem *problem, const il_constants_query *query,
                               il_constants *out, il_error *err);

/* How fast one unit direction raises all constraints of N balls, and of walls that one direction
 * raises: a lower bound for every N, any radii, any rho; 0 for other problems (balls.c). */
double il_balls_slope(const il_problem *problem);

/* ---- jumps (drift.c) ------------------------------------------------------------------------ */

/* Does the drift f(t,q) of a problem of order 1 jump in q? Theorems on sweeping processes assume it
 * Lipschitz in q. The search is for a counterexample: two points of Q(t), a billionth of the scale
 * apart, with different drifts. One body at a time is moved along a straight line, cut into sixteen
 * parts; the part with the largest change is bisected as long as it keeps a fraction of that
 * change. A jump that is found exists; there may be others.
 *
 * The largest |f(t,a) - f(t,b)| found, Euclidean; 0 where none is, and for problems of order 2.
 * scale > 0 is a length over which the set bends, seed is not 0. */
double il_drift_jump(const il_problem *problem, double scale, uint64_t seed);

/* The same of the gradients and rates of constraints: the largest jump of (grad g_i, d_t g_i) in
 * time, or in q within Q(t). Theorems ask for constraints that are twice differentiable, or whose
 * gradients are Lipschitz at least. */
double il_constraints_jump(const il_problem *problem, double scale, uint64_t seed);

#endif
