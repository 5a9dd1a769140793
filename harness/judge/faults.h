/*
 * faults.h - faults in samples, in words: what no right motion leaves, and each known explanation
 * tried on the data.
 */
#ifndef IL_JUDGE_FAULTS_H
#define IL_JUDGE_FAULTS_H

#include "harness/base/progress.h"
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
    bool whole;           /* false: none were looked for, as there are too many samples, or pieces
                             that are no parabolas */
    size_t impacts;       /* that stood alone, and what they say of the restitution e: */
    double e_low, e_high; /* what their intervals share, or medians of the ends */
} il_faults;

/* Look at the samples of track. An interrupt ends it with what was found. progress: of all passes
 * over the samples, as many as there are explanations to try; or NULL. */
il_status il_faults_find(il_faults *faults, const il_problem *problem, const il_track *track,
                         il_between between, il_progress *progress, il_error *err);

/* ---- used only in faults*.c ------------------------------------------------------------------ */

/* An explanation must reduce what is left to this fraction. */
#define IL_FAULTS_EXPLAINS 0.01

/* The error that a start, a gap, a speed may have, of one plus the largest coordinate, or of the
 * largest speed, beside the resolution of the data: a tolerance of programs. */
#define IL_FAULTS_TOLERANCE 1e-9

/* The parts that are left beyond what is allowed; 0: nothing. */
typedef struct {
    double start;  /* |q_0 - q(0)|_inf, |u_0 - u(0)|_inf */
    double motion; /* the largest difference between positions and velocities, a velocity, */
    size_t at, coordinate; /* in the step that ends there */
    double residual;       /* the largest of a step, as |.|_M, */
    size_t step;           /* there, */
    size_t steps;          /* how many steps have one, */
    double sum;            /* and the sum of squares */
} il_assessment;

/* The contacts that explain a step. */
typedef struct {
    bool known;
    size_t felt, id; /* contacts with an impulse that is felt, and one of them */
    bool closed;     /* they are closed at the end */
} il_fault_step;

/* Steps in which an overlap deepens. */
typedef struct {
    size_t steps, pushed; /* all, and those with an impulse of that contact */
    size_t step, id;      /* the first, */
    double gap;           /* its overlap at the beginning, */
    double deepest;       /* and the deepest of all */
} il_overlaps;

typedef struct {
    const il_problem *problem;
    const il_track *track;
    il_dynamics *dynamics;
    il_progress *progress; /* or NULL */
    il_between between;
    bool has_u;
    size_t d, nodes;
    double *t;           /* [nodes] */
    double *q, *u;       /* [nodes][d] */
    double *scratch;     /* [d] */
    size_t *first;       /* [nodes + 1] the contacts of the track by their steps, */
    bool given;          /* which are the impulses */
    il_fault_step *step; /* [nodes - 1] of the samples as they are */
    double *moved;       /* [nodes][space] momentum that neither force nor contacts explain */
    double momentum;     /* of all bodies at the largest speed */
    double speed;        /* the largest |u_k| */
    double acceleration; /* the largest |M^{-1} fbar|_inf */
    il_assessment now;   /* of the samples as they are */
    il_overlaps overlaps;
    double pull; /* the most negative impulse given that is felt, */
    size_t pull_step, pull_id;
    size_t hovers; /* steps with impulses at gaps that the samples do not close: units of time */
    double far;    /* the largest gap at which a given impulse acts that motion does not close */
    size_t far_step, far_id;
    /* what is tried */
    double force;    /* the force counts so many times */
    double delay;    /* samples stand for so much later times */
    bool both_signs; /* impulses may pull */
    double reach;    /* contacts act at gaps of so many times the motion; 0: IL_DYNAMICS_REACH */
} il_fault_work;

void il_faults_add(il_faults *faults, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* u_n; at the start of a file without velocities the problem's own. */
const double *il_faults_velocity(const il_fault_work *w, size_t n);

/* Step n to n + 1 as samples have it. */
void il_faults_interval(const il_fault_work *w, size_t n, il_interval *s);

/* What explains that step; false where no impulses can be found. */
bool il_faults_explain(il_fault_work *w, size_t n, il_explained *e);

/* M^{-1} of how the force changes from its mean over step n to n + 1 to the ends, by coordinates:
 * |.| of both, into out[d]. */
void il_faults_varying(il_fault_work *w, size_t n, const double *mean, double *out);

/* The error of x that the resolution of the data lets be. */
double il_faults_wrong(const il_fault_work *w, double x);

/* The samples as they are, into w->now, and with it what the tests of faults_read.c ask. */
void il_faults_look(il_fault_work *w);

/* The motion as it stands in w, until it comes to enough; what has no gradient counts nothing. */
void il_faults_assess(il_fault_work *w, double enough, il_assessment *out);

/* The sum of what is left, of different units: 0 where nothing is. */
double il_faults_total(const il_assessment *a);

/* An explanation: adds a fault where it explains what w->now leaves. */
typedef void il_faults_try(il_fault_work *w, il_faults *faults);

/* In faults_units.c: do velocities count so many times, in all steps, what positions move by? The
 * factor of changes of positions over h times velocities, and that of changes of velocities in
 * flight over what the force makes. */
bool il_faults_gross(il_fault_work *w);
bool il_faults_hovers(const il_fault_work *w); /* do impulses hold bodies at gaps all the time? */
void il_faults_ratios(il_fault_work *w, double *motion, double *force);

/* Velocities of another sample; other units. */
il_faults_try il_faults_try_side, il_faults_try_scales;

/* In faults_try.c: shifted samples; coordinates exchanged or mirrored; the factor of the force that
 * explains flight; impulses that pull; contacts that act at a distance; the mass of a body. */
il_faults_try il_faults_try_shift, il_faults_try_swaps, il_faults_try_force, il_faults_try_pull,
    il_faults_try_distance, il_faults_try_masses;

/* Step n to n + 1 of the samples as they are, into w->overlaps. */
void il_faults_see_overlaps(il_fault_work *w, size_t n, const il_explained *e);

/* In faults_read.c: bodies that move into each other; restitution; a drift of the momentum. */
il_faults_try il_faults_overlaps, il_faults_restitution, il_faults_momentum;

#endif
