/*
 * derivatives.h - checks grad g_i and d_t g_i of a problem against differences of g_i.
 *
 * A one-sided difference over a step s is D(s) = (g(x + s e) - g(x))/s. Its error is estimated from
 * its change between the steps of a ladder:
 *
 *     m = 4 max(|D+(s) - D+(16 s)|, |D-(s) - D-(16 s)|) + rounding(s),
 *     the derivative lies in [min(D-, D+) - m, max(D-, D+) + m],
 *
 * also at a kink, where any slope between the one-sided ones is accepted. A derivative is confirmed
 * by a step whose interval contains it and is at most 1e-5 of it wide. It is refuted if three steps
 * in a row exclude it, no step confirms it, and no shorter step has it inside a narrow interval
 * whose width is not rounding. Otherwise it is undecided. The ladder spans 24 decades around the
 * size of the coordinate, so that stiff, kinked and badly scaled constraints find their step.
 */
#ifndef IL_DERIVATIVES_H
#define IL_DERIVATIVES_H

#include <stdbool.h>
#include <stddef.h>

#include "problems/problem.h"

/* The derivatives that a problem's author did not give. */
enum { IL_MADE_GRADIENT = 1u << 0, IL_MADE_RATE = 1u << 1 };

typedef struct {
    const il_problem *problem;
    /* g_i(t,q) into g[p]; false where they cannot be computed, which harms nothing. NULL: from the
     * rows, of a problem whose rows can be asked for anywhere. */
    bool (*values)(const il_problem *problem, double t, const double *q, double *g);
    /* All rows, appended; false as above. NULL: il_problem_scan. */
    bool (*rows)(const il_problem *problem, double t, const double *q, il_rows *rows);
    const unsigned char *made; /* [p] IL_MADE_...: not compared; NULL: all is given */
} il_derivatives_query;

/* Component of a mismatch that is d_t g. */
#define IL_COMPONENT_RATE ((size_t)-1)

typedef struct {
    size_t points;    /* at which something was compared */
    size_t compared;  /* derivatives, one at a point each */
    size_t undecided; /* of these: neither confirmed nor refuted */
    double largest;   /* distance of a confirmed one from its difference, relative to the row's */
    /* The first mismatch. */
    bool mismatch;
    size_t id, component; /* from 0 */
    double t;
    double given, difference, error;
    char cause[160]; /* what it looks like: "the sign of the gradient is wrong"; may be empty */
} il_derivatives;

typedef struct il_derivatives_work il_derivatives_work;

/* query is copied; its pointers must outlive the work. The creator destroys. */
il_derivatives_work *il_derivatives_create(const il_derivatives_query *query);
void il_derivatives_destroy(il_derivatives_work *work);

/* Compare at (t,q) the rows i with wanted[i] (NULL: all), and add what comes of it to *out. Nothing
 * where the rows cannot be computed. Of more than 24 coordinates those of the first wanted row and
 * others, 24 in all, other ones at every point. */
void il_derivatives_compare(il_derivatives_work *work, double t, const double *q,
                            const bool *wanted, il_derivatives *out);

/* Compare at the start, at the start at another time, and near the boundary: from points around the
 * start along the gradient to where g_i = 0, constraint by constraint, at times over the horizon.
 * No random numbers: golden sections. Stops at the first mismatch. */
void il_derivatives_survey(il_derivatives_work *work, il_derivatives *out);

/* moves[p]: which g_i change with t, at fixed q around the start, by 64 times over the horizon. */
void il_derivatives_find_moving(il_derivatives_work *work, bool *moves);

/* The derivatives at (t,q) of all g_i by coordinate k, or by t (IL_COMPONENT_RATE), into D[p], and
 * what they may be off by into error[p] (INFINITY where no difference could be made): central
 * differences over steps that shrink by 4, extrapolated (Richardson; Ridders 1982), until the error
 * that consecutive extrapolations show grows or vanishes. Exactly 0 where g_i does not change. */
void il_derivatives_make(il_derivatives_work *work, double t, const double *q, size_t k, double *D,
                         double *error);

/* One level of that for one number: `difference` is T_{l,0}, known to `rounding`; old[4] has the T
 * of the level before, now[4] takes this one's; *best and *error are replaced where it knows
 * better. */
void il_derivatives_extrapolate(double difference, double rounding, int l, const double *old,
                                double *now, double *best, double *error);

/* A mismatch in words: "constraint 1: grad[2] is -1, but g changes by 1 (+- 2e-10) there, at t = 0:
 * the sign of the gradient is wrong". */
const char *il_derivatives_tell(const il_derivatives *found, char *out, size_t capacity);

#endif
