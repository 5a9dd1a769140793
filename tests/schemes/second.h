/*
 * second.h - what second implementations of schemes share: a problem in dense loops, projections by
 * trying every set of active rows, and the comparison with a run.
 */
#ifndef IL_TESTS_SECOND_H
#define IL_TESTS_SECOND_H

#include "harness/run/run.h"

enum { D_MAX = 8, P_MAX = 4, STEPS = 400, WORDS = 5 };

typedef struct {
    const il_problem *problem;
    size_t p, d;
    double g[P_MAX], rate[P_MAX], b[P_MAX][D_MAX]; /* at one (t,q) */
    double mass[D_MAX];
    double R[P_MAX]; /* rows may be missed by R times their impulse */
    double e, h;
    double kept[P_MAX]; /* what a scheme keeps of contacts from step to step, 0 at the start, */
    int mark[P_MAX];    /* and marks on them */
} second;

typedef struct {
    const char *name;
    void (*step)(second *s, double t, double *q, double *u);
    bool affine; /* only where constraints are */
} twin;

/* The rows at (t, q) into s. */
void second_look(second *s, double t, const double *q);

/* <grad g_i, v>, and d_t g_i + <grad g_i, v>. */
double second_dot(const second *s, size_t i, const double *v);
double second_speed(const second *s, size_t i, const double *v);

/* u + h M^{-1} fbar(q) into v. */
void second_fly(const second *s, double t, const double *q, const double *u, double *v);

/* v onto { w : <b_i, w> + R_i p_i >= c_i, i in set }, p_i >= 0 the impulses: of all choices of
 * rows that hold with equality the one whose impulses are >= 0 and that violates none. */
void second_project(const second *s, unsigned set, const double *c, double *v);

/* The largest difference over the nodes of a run of the problem words[0] with the parameters
 * words[1] = words[2], ...; the velocities at its end into last[d], or NULL. */
double second_apart(const twin *w, const char *const *words, double T, double *last);

#endif
