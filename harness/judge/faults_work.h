/*
 * faults_work.h - the data on which explanations are tried. Used only in harness/judge/faults*.c.
 */
#ifndef IL_JUDGE_FAULTS_WORK_H
#define IL_JUDGE_FAULTS_WORK_H

#include "harness/judge/fault_list.h"
#include "harness/outside/replay.h"

/* An explanation must reduce the error to this fraction. */
#define IL_FAULTS_EXPLAINS 0.01

/* Of the largest speed, or of one plus the largest coordinate: more is no rounding, and no
 * tolerance of a solver that means to solve. */
#define IL_FAULTS_RELATIVE 1e-9

typedef struct {
    const il_problem *problem;
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
    double force;        /* it counts so many times */
    double delay;        /* samples stand for so much later times */
    bool both_signs;     /* impulses may pull */
} il_fault_work;

typedef struct {
    double start;    /* |q_0 - q(0)|_inf, |u_0 - u(0)|_inf */
    double motion;   /* sum of what velocities leave of positions */
    double residual; /* the largest of a step, */
    double sum;      /* and the sum of squares */
} il_assessment;

void il_faults_add(il_faults *faults, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* |x|_inf */
double il_faults_size(const double *x, size_t n);

/* u_n; at the start of a file without velocities the problem's own. */
const double *il_faults_velocity(const il_fault_work *w, size_t n);

/* Step n to n + 1. */
il_status il_faults_explain(il_fault_work *w, size_t n, il_explained *e, il_error *err);

/* The motion as it stands in w, until it comes to enough. IL_ENOMEM; what has no gradient counts
 * nothing. */
il_status il_faults_assess(il_fault_work *w, double enough, il_assessment *out, il_error *err);

/* The factor of the force that explains flight; impulses that pull; the mass of a body. Each adds
 * a fault where it explains what `now` leaves. IL_ENOMEM. */
il_status il_faults_try_force(il_fault_work *w, const il_assessment *now, il_faults *faults,
                              il_error *err);
il_status il_faults_try_pull(il_fault_work *w, const il_assessment *now, il_faults *faults,
                             il_error *err);
il_status il_faults_try_masses(il_fault_work *w, const il_assessment *now, il_faults *faults,
                               il_error *err);

/* Contacts that overlap for several samples with a force that grows with it. */
il_status il_faults_springs(il_fault_work *w, il_faults *faults, il_error *err);

/* Restitution, momentum. */
il_status il_faults_read(il_fault_work *w, il_faults *faults, il_error *err);

/* That impulses are found by. */
const il_projector_type *il_faults_projector(void);

#endif
