/*
 * faults.h - faults in samples, in words: each known explanation is tried on the data, and reported
 * where it reduces the error to a hundredth.
 */
#ifndef IL_JUDGE_FAULTS_H
#define IL_JUDGE_FAULTS_H

#include "harness/outside/replay.h"
#include "problems/problem.h"

enum { IL_FAULTS_MAX = 12 };

typedef struct {
    const char *name; /* "shifted samples", ... */
    char text[400];   /* with the numbers that show it */
} il_fault;

typedef struct {
    size_t n;
    il_fault list[IL_FAULTS_MAX];
    bool whole;           /* false: there were too many samples to look for faults */
    size_t impacts;       /* that stood alone, and what they say of the restitution e: */
    double e_low, e_high; /* what their intervals share, or medians of the ends */
} il_faults;

/* Look at the samples of track, which a replay has gone through with what it found. IL_ENOMEM. */
il_status il_faults_find(il_faults *faults, const il_problem *problem, const il_track *track,
                         il_between between, const il_residuals *found, il_error *err);

/* ---- used only in faults*.c ------------------------------------------------------------------ */

/* An explanation must reduce the error to this fraction. */
#define IL_FAULTS_EXPLAINS 0.01

/* Of the largest speed, or of one plus the largest coordinate: more is no rounding, and no
 * tolerance of a solver that means to solve. */
#define IL_FAULTS_RELATIVE 1e-9

typedef struct {
    double start;    /* |q_0 - q(0)|_inf, |u_0 - u(0)|_inf */
    double motion;   /* sum of what velocities leave of positions */
    double residual; /* the largest of a step, */
    double sum;      /* and the sum of squares */
} il_assessment;

typedef struct {
    const il_problem *problem;
    const il_residuals *found; /* by the replay */
    il_dynamics *dynamics;
    il_between between;
    bool has_u;
    size_t d, nodes;
    const double *t;     /* [nodes] */
    double *q, *u;       /* [nodes][d] */
    double *scratch;     /* [d] */
    double speed;        /* the largest |u_k|, */
    double scale;        /* and what counts as a velocity where all rests: positions, the force's */
    double path;         /* sum of |q_{n+1} - q_n|_1 */
    double acceleration; /* |M^{-1} f|_inf at the start */
    il_assessment now;   /* of the samples as they are */
    bool starts;         /* they start where the problem does, */
    bool explained;      /* and the residual is at rounding */
    /* what is tried */
    double force;    /* the force counts so many times */
    double delay;    /* samples stand for so much later times */
    bool both_signs; /* impulses may pull */
} il_fault_work;

void il_faults_add(il_faults *faults, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* u_n; at the start of a file without velocities the problem's own. */
const double *il_faults_velocity(const il_fault_work *w, size_t n);

/* Step n to n + 1. */
il_status il_faults_explain(il_fault_work *w, size_t n, il_explained *e, il_error *err);

/* The motion as it stands in w, until it comes to enough. IL_ENOMEM; what has no gradient counts
 * nothing. */
il_status il_faults_assess(il_fault_work *w, double enough, il_assessment *out, il_error *err);

/* An explanation: adds a fault where it explains what w->now leaves. IL_ENOMEM. */
typedef il_status il_faults_try(il_fault_work *w, il_faults *faults, il_error *err);

/* In faults_try.c: the factor of the force that explains flight; impulses that pull; the mass of a
 * body. */
il_faults_try il_faults_try_force, il_faults_try_pull, il_faults_try_masses;

/* In faults_read.c: contacts that overlap for several samples with a force that grows with it;
 * restitution and a drift of the momentum. */
il_faults_try il_faults_springs, il_faults_read;

#endif
