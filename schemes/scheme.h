/*
 * scheme.h - a scheme makes one step: (q_n, u_n) at t_n to (q_{n+1}, u_{n+1}) at t_{n+1}.
 *
 * A step is a prediction (inertial, q_n + h (u_n + h M^{-1} fbar_n(q_n)), or overdamped,
 * q_n + h f(t_n, q_n)) and a correction (a projection onto the linearised set, the true set or the
 * tangent cone).
 *
 * To add a scheme, write schemes/NAME.c with one `const il_scheme_type il_scheme_NAME`; the build
 * finds it.
 */
#ifndef IL_SCHEME_H
#define IL_SCHEME_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/contacts.h"
#include "harness/base/motion.h"
#include "problems/problem.h"
#include "schemes/projection/projector.h"

/* Problems with at most this many constraints may be offered whole. */
enum { IL_OFFER_ALL = 1024 };

typedef struct {
    double *q;     /* [d] at the node */
    double *u;     /* [d] on the step that ends at the node */
    double *gamma; /* [p] at the node, of a gluey problem; else NULL, and not looked at */
    /* The active contacts of the step that ends at the node, in the units of the scheme's
     * projector: the warm start of the next step, a guess that may be wrong. NULL: none is read or
     * written. Schemes that project onto the linearised set read and write it (maury, venel,
     * gluey_maury); the others do not touch it. */
    il_contacts *contacts;
    double *carried; /* [carries(problem)] what else the scheme takes from node to node; NaN before
                        the first step. NULL where it carries nothing */
} il_state;

/* The results of a step, for measures. Valid until the next step of the same scheme. */
typedef struct {
    const il_rows *rows;  /* rows that were solved with */
    const double *lambda; /* [rows->p] contact force: M (u_{n+1} - u_n)/h = fbar + sum lambda grad g
                            (order 2; with restitution the sum also carries e), so that h lambda is
                            the impulse; order 1: M ((q_{n+1} - q_n)/h - f) = sum lambda grad g */
    const double *force;  /* [d] fbar_n, or the drift */
    il_certificate certificate; /* of the problem that the scheme claims to solve */
    size_t iterations;          /* of the projector, over all its calls in the step */
    size_t factorisations;      /* numeric, of the sparse factor, in those calls, */
    size_t analyses;            /* and symbolic */
    size_t solves;              /* calls of the projector */
    size_t scans;               /* scans of all constraints */
    size_t rows_offered;        /* and rows that these found, over all of them */
    double share;               /* of a projection onto Q(t): s of stepping/true_set.h, at most 1
                                   where it is known to be the nearest point; NAN: unknown. 0 where
                                   the set projected onto is convex */
    bool stalled;               /* the projector stopped early and its best iterate was taken */
    const double *between;      /* [d] the velocity on the step, where it is not that at its end; or
                                   NULL */
    const il_motion *motion;    /* the motion inside the step; NULL: q affine, u constant */
} il_step_report;

typedef enum { IL_CLAIM_CONVERGES, IL_CLAIM_BOUND, IL_CLAIM_SHARP } il_claim_kind;

/* A claim that the literature proves of a scheme, for verdicts; ends with norm = NULL. Of several
 * claims for one norm the first counts that is for the problem's order and whose theorem applies to
 * the problem: the strongest comes first. */
typedef struct {
    const char *norm;       /* "u_L1", "q_Linf" */
    il_claim_kind kind;     /* converges (no rate), at least this order, exactly this order */
    double order;           /* of h; 0 for convergence without a rate */
    double factor;          /* the errors must fall by it over the range; 0: 4 */
    unsigned orders;        /* problems that it is about, as in il_scheme_type; 0: all */
    const char *hypothesis; /* when it holds, in words; NULL: always */
    const char *source;     /* paper and theorem; NULL: the user's own claim */
    const char
        *theorem; /* the theorem's id in harness/study/hypotheses/hypotheses.h; NULL: the user's own
                     claim */
    const char *unset; /* a parameter of the scheme that must not be given; NULL: none */
} il_claim;

/* An observer of every projection of a step once it is solved: its data and, in the projector's own
 * units, its answer x[d] and lambda[p]. All of it is valid during the call only. */
typedef struct {
    void (*see)(void *context, const il_qp *qp, const double *x, const double *lambda);
    void *context;
} il_projection_watch;

typedef struct {
    const struct il_scheme_type *type; /* that is created, for those that share a create; or NULL */
    const il_params *params;           /* of the scheme type's specs; NULL if it has none */
    const il_projector_type *projector;
    il_projector_options projection;
    struct {
        const il_params *params; /* of the problem */
        const char *settings;    /* of the scheme, as they were given */
        size_t steps;
        double h, horizon;
    } asked;                   /* what the run is, for schemes that tell another program */
    bool certify;              /* recompute the certificate in every step */
    bool accept_stalled;       /* go on with the best iterate of a projector that stopped early */
    bool first_stall;          /* and end the step at the first of them, with no more rounds */
    il_projection_watch watch; /* see = NULL: no observer */
} il_scheme_options;

/* Sums over the steps of a stride: of the projector, and of rows, offered and solved with. */
typedef struct {
    size_t iterations, solves, rows;
} il_stride;

/* Bytes of the name that a scheme's settings may give it, with NUL. */
enum { IL_SCHEME_LABEL = 64 };

struct json_t;

typedef struct il_scheme il_scheme;

typedef struct il_scheme_type {
    const char *name;
    const char *title;
    const char *statement; /* one step in formulas; what `show` prints */
    const char *source;    /* paper and equation */
    unsigned orders;       /* bit 0: order-1 problems, bit 1: order-2 problems */
    bool restitution;      /* has an impact law with e > 0 */
    bool glue;             /* supports contacts that adhere: il_problem.gamma0 */
    /* On a problem of order 2 with affine constraints fixed in time and e = 0, a step is
     * q_{n+1} = P^M_Q(q_n + h (u_n + h M^{-1} fbar)), u_{n+1} = (q_{n+1} - q_n)/h: exact arithmetic
     * runs it so (harness/reference/proof.h). */
    bool projects_positions;
    /* The next three are of nodes, on problems with e = 0. */
    bool holds_positions; /* q_{n+1} lies in the set linearised at some position of the step, and so
                             in Q(t_{n+1}) where every g_i is convex */
    bool feasible_nodes;  /* q_{n+1} lies in Q(t_{n+1}), whatever its shape */
    bool dissipates;      /* where Q is convex and fixed, 1/2 |u|_M^2 rises by no more than the work
                             of the force in a step of order 2 (Maury (25)) */
    bool compliant;       /* contacts are springs: at rest they are compressed, and impacts through
                             touching bodies differ from the impact law */
    bool regularised;  /* contacts have a stiffness of their own, whatever h: the limit is a motion
                             with springs, and errors against rigid bodies end at a floor */
    bool other_limit;  /* as h -> 0 it tends to another motion on some problems (springs of a given
                         stiffness, sweeps that do not solve): errors end at a floor */
    bool dense;        /* leaves the motion inside its steps, of all or of some */
    bool open_start;   /* needs positive gaps at the start, and constraints fixed in time */
    bool outside;      /* another program makes its steps: none is certified */
    bool verbatim;     /* its settings are no parameters: a command, a file's name */
    bool starts;       /* and start another program */
    const char *color; /* of its curves, "#rrggbb"; NULL: one of those that are left */
    const il_claim *claims;
    const il_param_spec *params; /* what `--scheme NAME:key=value,...` may set; NULL for nothing */

    /* Reads verbatim settings: IL_EINVAL for what is none. label receives the name that they give
     * to what they make, "" without. */
    il_status (*read)(const char *settings, char label[IL_SCHEME_LABEL], il_error *err);

    il_status (*create)(void **self, const il_problem *problem, const il_scheme_options *options,
                        il_error *err);

    /* Optional: how many numbers a state carries on beside q and u. */
    size_t (*carries)(const il_problem *problem);

    /* Optional: where step n, from 1, ends; asked for once a step, in order. NULL: the run says. */
    il_status (*node)(void *self, size_t n, double *t, il_error *err);

    /* One step from t0 to t1 > t0. in is left untouched, out is distinct from it and undefined
     * after a failure. Allocates nothing once its buffers have grown to the number of rows. Depends
     * on its arguments alone: a failed or repeated step changes nothing that comes later. */
    il_status (*step)(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err);

    /* Optional: many steps that are not observed, from t_n = n h with n = from on, in place, with
     * the bits that `step` gives. Returns the node where it stopped, at most `to`: before a step
     * that it does not support, or whose answer would not be finite or not certified to
     * IL_PROJECTOR_EXACT; `step` makes that one, or fails. *made is written where it made any. */
    size_t (*stride)(void *self, size_t from, size_t to, double h, il_state *state,
                     il_stride *made);

    /* Optional, after the last step: a failure is one of the run. */
    il_status (*finish)(void *self, il_error *err);

    /* Optional, after the run, however it ended: what the record keeps of a program that made its
     * steps, an object, the caller's. */
    struct json_t *(*account)(void *self);
    void (*destroy)(void *self);
} il_scheme_type;

/* IL_OK if scheme is defined for problem, else IL_EUNSUPPORTED and the reason. */
il_status il_scheme_admits(const il_scheme_type *scheme, const il_problem *problem, il_error *err);

#endif
