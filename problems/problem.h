/*
 * problem.h - a problem: its data, its constraints, its force and, where known, its exact
 * solutions. It does not depend on schemes.
 *
 * Order 2 (frictionless contact, inelastic impact), Maury (2)-(3), Bernicot & Lefebvre-Lepot
 * (1.5)-(1.8), Adly & Thieu (P):
 *
 *     M du = f(t,q) dt + sum_i lambda_i grad g_i(t,q),   g_i(t,q) >= 0,   lambda_i >= 0 carried by
 *     {g_i = 0},   u+ = P_C(u-) - e P_N(u-),
 *
 * with C = {v : d_t g_i + <grad g_i, v> >= 0 for the active i} and N its polar in the metric of M.
 * Order 1 (perturbed sweeping process), Venel (16): q' + N(Q(t), q) contains f(t,q).
 *
 * Vectors are plain arrays of d doubles. Bodies in R^space are stored body by body: coordinate c of
 * body i is q[space * i + c].
 *
 * To add a problem, write problems/NAME.c with one `const il_problem_type il_problem_NAME`; the
 * build finds it.
 */
#ifndef IL_PROBLEM_H
#define IL_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/metric.h"
#include "harness/base/params.h"
#include "harness/base/rational.h"
#include "harness/base/rows.h"
#include "harness/base/status.h"
#include "harness/base/team.h"

typedef struct il_problem il_problem;
typedef struct il_problem_type il_problem_type;
typedef struct il_exact il_exact;

/* An exact solution on [0, horizon].
 *
 * breaks[0..nbreaks) increase strictly from breaks[0] = 0 to breaks[nbreaks-1] = horizon; between
 * two of them the solution is smooth. If quadratic, every coordinate of q is a polynomial of degree
 * at most 2 in t there, and measures integrate in closed form; else they use quadrature.
 * eval writes q[d] and u[d] at t in [0, horizon]; at a break, side < 0 asks for the limit from the
 * left and side > 0 for the one from the right (at 0 and at the horizon the two agree, the initial
 * velocity being the one after the projection onto C). */
struct il_exact {
    const char *name;   /* "exact", or "A", "B", ... where there are several */
    const char *origin; /* how it is known: "closed form", "ODE with event location to 1e-13" */
    bool quadratic;
    size_t nbreaks;
    const double *breaks;
    void (*eval)(const il_exact *exact, double t, int side, double *q, double *u);
    const void *data;

    /* Lambda_i = lambda_i([0,t]) for side > 0 and lambda_i([0,t)) for side < 0, into Lambda[p]: the
     * contact impulses up to t, so that M (u(t) - u_0) - int f = int sum grad g_i dLambda_i, u_0
     * the initial velocity before its projection. Jumps are percussions. Where the solution is
     * quadratic it is affine between breaks. Optional: NULL where multipliers are not unique or not
     * written down. At 0 both sides give lambda_i({0}). */
    void (*impulse)(const il_exact *exact, double t, int side, double *Lambda);
};

/* A plane wall: <n,x> >= c for points x of the room. Bodies keep their radius away from it. */
typedef struct {
    const char *name; /* "floor" */
    double n[3];      /* unit normal, into the room */
    double c;
} il_plane;

/* Properties of the problem that a theorem or a measure may assume. */
enum {
    IL_ROWS_AFFINE = 1u << 0,    /* every g_i is affine in q */
    IL_ROWS_CONVEX = 1u << 1,    /* every g_i is convex in q: the linearised set lies in Q(t) */
    IL_ROWS_FIXED = 1u << 2,     /* no g_i depends on t */
    IL_ROWS_INVARIANT = 1u << 3, /* g_i unchanged by a common translation of all bodies: momentum
                                    balance */
    IL_FORCE_FREE = 1u << 4,     /* f = 0 */
    IL_FORCE_OF_TIME = 1u << 5,  /* f does not depend on q */
    IL_ROWS_BALLS = 1u << 7,     /* every g_i is the gap of two balls, or of a ball and a wall of
                                    `walls` */
    IL_ROWS_UNKNOWN = 1u << 6    /* unknown whether the first four hold: rows are functions of a
                                    script or caller, and expensive; measures test it themselves */
};

struct il_problem {
    const il_problem_type *type;
    int order;          /* 1 or 2 */
    size_t d;           /* degrees of freedom */
    size_t p;           /* constraints in all; ids are 0 .. p-1 */
    double horizon;     /* T > 0 */
    double restitution; /* e in [0,1] */
    unsigned traits;    /* IL_ROWS_... and IL_FORCE_... */
    size_t space;       /* bodies live in R^space; 0: there are no bodies */
    /* Bit c: contacts cannot change component c of the total momentum. With IL_ROWS_INVARIANT that
     * holds of all, whatever stands here. */
    unsigned conserved_axes;
    size_t nwalls; /* plane walls that bodies meet; needs the type's `wall` */
    const il_plane *walls;
    const double *q0; /* [d] */
    const double *u0; /* [d]; the drift is used instead for order 1 */
    double start_gap; /* min_i g_i(0, q0), infinite without constraints; by il_problem_create */
    /* [p] gamma_i(0) <= 0, a constraint with gamma_i < 0 being closed at the start: contacts are
     * gluey, gamma_i' = -lambda_i, and adhere, lambda_i of either sign, while gamma_i < 0 (Bernicot
     * & Lefebvre-Lepot 2010, Remark 4.3). NULL: lambda_i >= 0. Order 2, e = 0. */
    const double *gamma0;
    il_metric *mass; /* d x d */
    size_t nbreaks;  /* times at which the force may jump: quadrature splits there */
    const double *breaks;
    size_t nexact; /* exact solutions known; 0 if none */
    const il_exact *exact;
    const char *no_exact; /* why there is none, or NULL */
    il_team *team; /* threads that `scan` and `gap` may share their work among, with the same bits;
                      set and owned by the caller that runs the problem. NULL: none */
    void *data;    /* the problem's own */
    struct il_problem_block *blocks; /* what il_problem_alloc gave */
    il_metric *owned;                /* what il_problem_set_masses or _matrix made */
    il_exact offered;                /* set by il_problem_offer */
};

/* The same problem in exact arithmetic: M diagonal, a force of time alone, and as constraints
 * either a wall, q_0 >= gap_0 with d = 1, or a chain, q_{k+1} - q_k >= gap_k. All numbers are
 * exactly what the parameters say (il_rational_set_param). */
typedef struct il_exact_model {
    size_t d;
    bool chain;
    il_rational **horizon;          /* [1]; the others stand behind it */
    il_rational **q0, **u0, **mass; /* [d] */
    il_rational **gap;              /* [1] of a wall, [d-1] of a chain */
    il_rational **own;              /* what impulse needs */
    /* int_0^t f into F[d]; work has room for 4 numbers. NULL: no force. */
    void (*impulse)(const struct il_exact_model *model, const il_rational *t, il_rational **F,
                    il_rational **work);
} il_exact_model;

/* A problem without a scale of its own: force and constraints are unchanged by
 *
 *     t -> 2^time t,   q -> 2^position q,   u -> 2^(position - time) u.
 *
 * With z = (q,u)[2d] a solution from rest at the origin is a sequence of scaled states, one for
 * each period 2^(time k) <= t <= 2^(time (k+1)), each the image of the one before it under the
 * exact motion over a period. Limits of schemes are solutions: harness/study/limits/orbits.h looks
 * for periodic ones, harness/study/limits/switching.h for the step sizes between two of them. */
typedef struct {
    int time;                                /* > 0 */
    int (*position)(const il_problem *self); /* and velocities by 2^(position - time) */

    /* The exact motion from z[2d] at t0 > 0 to z1[2d] at t1 >= t0. A velocity into the wall at t0
     * is projected first. derivative (may be NULL) is that of z1 by z, [2d * 2d] by rows, from one
     * side where there are two. */
    void (*flow)(const il_problem *self, double t0, const double *z, double t1, double *z1,
                 double *derivative);

    /* The same over the first period after t = 1 in rational numbers, scaled back: z[2d] to
     * next[2d] and derivative[2d * 2d]; work has room for 8 numbers. False where a time at which
     * the motion changes is not rational. Optional. */
    bool (*flow_exact)(const il_exact_model *model, il_rational **z, il_rational **next,
                       il_rational **derivative, il_rational **work);

    /* low[2d] and high[2d] of a box that every solution's scaled states at t = 1 lie in and that
     * the motion over a period maps into itself. */
    void (*box)(const il_problem *self, double *low, double *high);
} il_scaling;

struct il_problem_type {
    const char *name;      /* as on the command line */
    const char *title;     /* one line */
    const char *statement; /* equations, exact solution, remarks: what `show` prints */
    const char *source;    /* paper and section */
    /* Which theorems' hypotheses it meets, and why it fails the others: what `show` prints. NULL:
     * nothing is said. */
    const char *hypotheses;
    const il_param_spec *params;

    /* Bytes of self->data, which is there, zeroed, when create is called, and freed with the
     * problem. 0: create makes data, if it needs any, and destroy frees it. */
    size_t size;

    /* Fill self (zeroed but for type, data and horizon) from params. The horizon is the one asked
     * for, or the parameter T; 0 where neither is given, for create to choose. May write derived
     * parameters back. On failure nothing stays allocated but by the functions below. */
    il_status (*create)(il_problem *self, il_params *params, il_error *err);

    /* Free what else create made. Optional. */
    void (*destroy)(il_problem *self);

    /* Append constraint id at (t,q): value, rate, gradient. Required if p > 0. The gradient must
     * exist; IL_ENUMERIC where it does not (two centres that coincide). */
    il_status (*row)(const il_problem *self, double t, const double *q, size_t id, il_rows *rows);

    /* Append every constraint whose linearisation at (t,q), taken at x, is at most slack: g_i(t,q)
     * + <grad g_i(t,q), x - q> <= slack. Optional; without it all rows are evaluated. A problem
     * with very many constraints implements it by a neighbour search. */
    il_status (*scan)(const il_problem *self, double t, const double *q, const double *x,
                      double slack, il_rows *rows);

    /* min_i g_i(t,q) over all constraints, exactly, as il_problem_gap describes it. Optional;
     * without it all rows are evaluated. */
    double (*gap)(const il_problem *self, double t, const double *q, size_t *id);

    /* d^2/ds^2 g_i(t + s, q + s u) at s = 0: how the constraint bends along a straight flight.
     * Optional: for event-driven references, which take differences without it; where second
     * derivatives jump, those smear. */
    double (*curvature)(const il_problem *self, double t, const double *q, const double *u,
                        size_t id);

    /* The radius rho > 0 of the ball that rolls along constraint id at t from outside: with b =
     * grad g_i(t,q) and w = <b, M^{-1} b>, all q with g_i(t,q) = 0 and x with g_i(t,x) >= 0 have
     *
     *     <b, x - q> >= -w |x - q|_i^2/(2 rho),
     *
     * |.|_i the norm of M over the coordinates of constraint i, all of which are in its row. r_i +
     * r_j for spheres, infinite for a half-space: the radius of prox-regularity of that constraint
     * alone, in lengths (Adly & Thieu 2022, Proposition 3.1). Optional, for M diagonal with one
     * mass a body: without it a projection onto Q(t) is not known to give the nearest point, unless
     * Q(t) is a polyhedron. */
    double (*rolling)(const il_problem *self, double t, size_t id);

    /* The wall 0 .. nwalls-1 that constraint id is about, or nwalls if it is about none. Optional;
     * asked for only where nwalls > 0. */
    size_t (*wall)(const il_problem *self, size_t id);

    /* Radii of the bodies at t into r[d/space], for pictures and weighing. Optional: bodies are
     * points without it. */
    void (*radii)(const il_problem *self, double t, double *r);

    /* f(t,q) into f[d]. Optional: without it and without force_mean, f = 0. For order 1 this is
     * the drift. */
    void (*force)(const il_problem *self, double t, const double *q, double *f);

    /* (1/(t1-t0)) int_{t0}^{t1} f(s,q) ds into f[d], exactly. Optional: without it GSL quadrature
     * of force over the pieces between breaks. */
    void (*force_mean)(const il_problem *self, double t0, double t1, const double *q, double *f);

    /* The arrays of a model into *model, which has been zeroed and is freed by
     * il_exact_model_free. params as create left them. Optional: without it proofs refuse the
     * problem. */
    void (*exact_model)(const il_problem *self, const il_params *params, il_exact_model *model);

    /* Optional: for problems that no rescaling of time changes. */
    const il_scaling *scaling;

    /* Constraint id in words for messages, into out: "spheres 3 and 7", "disc 3 and the floor". In
     * words bodies, constraints and coordinates count from 1; the ids of records and trajectory
     * files count from 0. Optional: without it "constraint 3". */
    void (*describe)(const il_problem *self, size_t id, char *out, size_t capacity);
};

/* For create. What these make is freed with the problem, and where create fails. */

/* Zeroed room for n things of this size. */
void *il_problem_alloc(il_problem *self, size_t n, size_t size);

/* Room for one thing more in a list of n of this size, of which the pointer at `list` (&w->x), NULL
 * for none yet, points to the first: doubled as n grows. */
void il_problem_append(il_problem *self, void *list, size_t n, size_t size);

/* d coordinates and M = diag(m[d]), all 1 where m is NULL; or M[d*d] by rows. */
il_status il_problem_set_masses(il_problem *self, size_t d, const double *m, il_error *err);
il_status il_problem_set_matrix(il_problem *self, size_t d, const double *M, il_error *err);

/* The piece between breaks that holds t, from 0: at a break the one before it for side < 0. */
size_t il_exact_piece(const il_exact *exact, double t, int side);

/* 0, those of events[n] that increase between 0 and the horizon, and the horizon, into
 * breaks[n + 2]; returns how many. */
size_t il_exact_breaks(double *breaks, const double *events, size_t n, double horizon);

/* The one exact solution. Its data is self->data and its name "exact" unless it has others. */
void il_problem_offer(il_problem *self, il_exact exact);

/* Room for the numbers of a model with d and chain set, and own of them. */
void il_exact_model_init(il_exact_model *model, size_t own);
void il_exact_model_free(il_exact_model *model);

/* Room for what describe writes. */
enum { IL_DESCRIPTION_MAX = 128 };

/* Create type's problem. horizon 0 keeps its own. Checks what every problem must satisfy: the start
 * is feasible (to 1e-12 of one plus its largest coordinate; otherwise the worst constraint is named
 * in words, with the places of its bodies), numbers are finite. */
il_status il_problem_create(il_problem **out, const il_problem_type *type, il_params *params,
                            double horizon, il_error *err);
void il_problem_destroy(il_problem *problem);

/* Rows as `scan` describes them, by the problem's own search or by evaluating every row. rows is
 * appended to, not cleared. slack = INFINITY appends all. */
il_status il_problem_scan(const il_problem *problem, double t, const double *q, const double *x,
                          double slack, il_rows *rows);

/* The type's `rolling`; infinite where all constraints are affine, NAN where it is unknown. */
double il_problem_rolling(const il_problem *problem, double t, size_t id);

/* min_i g_i(t,q), +INFINITY without constraints, NAN if some row cannot be computed; *id (may be
 * NULL) is the constraint that attains it, or a row that cannot be computed where it was asked for
 * by number, and is left alone where a search failed. By the problem's own search if it has one;
 * work is scratch for the others. */
double il_problem_gap(const il_problem *problem, double t, const double *q, size_t *id,
                      il_rows *work);

/* Constraint id in words, into out, which is returned: by the problem's own description, or
 * "constraint 1" for id 0. */
const char *il_problem_describe(const il_problem *problem, size_t id, char *out, size_t capacity);

#endif
