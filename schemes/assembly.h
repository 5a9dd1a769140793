/*
 * assembly.h - a step composed by the user from the operations offered here (force, prediction and
 * projections), with a check that its result follows from them.
 *
 * A user's step function is not trusted. Every projection is made and certified here, from its
 * data, and the returned state must follow from one of them and the step before:
 *
 *     order 2:  u_{n+1} = u_n + h M^{-1} f + c w,      order 1:  (q_{n+1} - q_n)/h = f + c w,
 *
 * with f the force that the step asked for last, w = x - target of a projection, as a velocity, and
 * 1 <= c <= 1 + e, e being the restitution. Otherwise the step ends with IL_ENOTCERTIFIED. Together
 * with the certificate, M w = sum lambda_i grad g_i, that is the balance of il_step_report.
 *
 * Positions of order 2 move by a mean of both velocities, or are the result x of a projection:
 *
 *     (q_{n+1} - q_n)/h = (1 - theta) u_n + theta u_{n+1},   0 <= theta <= 1,   or x;
 *
 * which of them, and theta, may differ from step to step. For order 1 it is u_{n+1}.
 */
#ifndef IL_ASSEMBLY_H
#define IL_ASSEMBLY_H

#include "schemes/scheme.h"

typedef struct il_assembly il_assembly;

/* For problem, which must outlive it. The creator destroys; NULL is fine there. The status is that
 * of the projector's create. */
il_status il_assembly_create(il_assembly **out, const il_problem *problem,
                             const il_scheme_options *options, il_error *err);
void il_assembly_destroy(il_assembly *assembly);

/* Begin the step from in at t0 to t1 > t0. Nothing was projected and no force asked for. Both
 * states stay the caller's, and stay as they are until the step is finished but for their contacts.
 */
void il_assembly_begin(il_assembly *assembly, double t0, double t1, const il_state *in,
                       il_state *out);

/* Order 2: the mean of the force over the step at q[d]; order 1: the drift f(t0, q). Into f[d], and
 * noted as the force of the step. IL_ENUMERIC where a quadrature fails. */
il_status il_assembly_force(il_assembly *assembly, const double *q, double *f, il_error *err);

/* The free velocity of the step, as il_force_predict has it: order 2 u_n + h M^{-1} fbar_n(q_n),
 * order 1 f(t0, q_n). Into v[d]; its force is noted. */
il_status il_assembly_predict(il_assembly *assembly, double *v, il_error *err);

/* x = M^{-1} f, both [d] and distinct. */
void il_assembly_accelerate(const il_assembly *assembly, const double *f, double *x);

typedef enum {
    IL_ASSEMBLY_LINEARISED, /* onto the set linearised at `at` */
    IL_ASSEMBLY_EXACT,      /* onto Q(t1) */
    IL_ASSEMBLY_TANGENT,    /* velocities alone: onto the cone of predicted contacts, with e */
    IL_ASSEMBLY_CONTACTS,   /* velocities alone: onto chosen contacts, which may yield */
    IL_ASSEMBLY_KINDS
} il_assembly_kind;

typedef struct {
    il_assembly_kind kind;
    bool displacement;       /* target and answer are displacements from q_n, else velocities */
    const double *target;    /* [d] */
    const double *at;        /* [d] where constraints are linearised; NULL: q_n */
    double gamma, threshold; /* of IL_ASSEMBLY_TANGENT, as moreau_jean has them */
} il_assembly_projection;

/* Contacts that the caller chooses: those with g_i(t,q) <= margin, or closed but for roundings
 * where that is NAN. */
typedef struct {
    size_t p;
    const il_rows *rows;   /* at (t,q) */
    double *speed;         /* [p] b_i, to be written: 0 */
    double *compliance;    /* [p] R_i >= 0, likewise: 0 */
    const double *impulse; /* [p] p_i of the last IL_ASSEMBLY_CONTACTS */
} il_assembly_contacts;

/* Choose the contacts of IL_ASSEMBLY_CONTACTS, which then asks for d_t g_i + <grad g_i, v> + R_i
 * p_i >= b_i with impulses p_i >= 0 (stepping/slack.h). *out is valid until the next choice. Before
 * one there are none. The status is what scans say. */
il_status il_assembly_choose(il_assembly *assembly, double t, const double *q, double margin,
                             il_assembly_contacts *out, il_error *err);

/* Project target into x[d], distinct from it. Of several projections of one kind in a step the last
 * may make the state; all are certified, and counted. IL_ESTALLED, IL_EINFEASIBLE, IL_ENUMERIC,
 * as il_correct_solve. Allocates nothing once its buffers have grown. */
il_status il_assembly_project(il_assembly *assembly, const il_assembly_projection *projection,
                              double *x, il_error *err);

/* The sums over the projections of the step so far: for a step that fails. */
const il_step_report *il_assembly_report(const il_assembly *assembly);

/* As il_assembly_finish, of a scheme that nothing is certified of: whatever q[d] and u[d] are, the
 * step ends with them and has no contact forces. */
void il_assembly_take(il_assembly *assembly, const double *q, const double *u,
                      il_step_report *report);

/* End the step with q[d] and u[d], which go to out, and fill the report. IL_ENOTCERTIFIED where
 * nothing was projected, a nonzero force was not asked for, or the state does not follow from a
 * projection, in velocity or position. */
il_status il_assembly_finish(il_assembly *assembly, const double *q, const double *u,
                             il_step_report *report, il_error *err);

#endif
