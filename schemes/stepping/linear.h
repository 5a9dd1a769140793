/*
 * linear.h - shared by the schemes that project once onto a linearised set: a force, a correction,
 * and buffers.
 */
#ifndef IL_STEPPING_LINEAR_H
#define IL_STEPPING_LINEAR_H

#include "schemes/stepping/correct.h"
#include "schemes/stepping/force.h"

typedef struct {
    const il_problem *problem;
    il_scheme_options options;
    il_force *force;
    il_correct *correct;
    double *v;   /* [d] predicted velocity */
    double *x;   /* [d] unknown of the projection */
    double *f;   /* [d] force mean or drift */
    double *y;   /* [d] a point reached */
    double *z;   /* [d] a point of linearisation */
    il_rows row; /* one row at a time */
} il_linear;

/* Fill a zeroed il_linear. On failure nothing stays allocated. */
il_status il_linear_init(il_linear *w, const il_problem *problem, const il_scheme_options *options,
                         il_error *err);
void il_linear_free(il_linear *w);

/* il_linear as the whole state of a scheme: create and destroy of its table. */
il_status il_linear_create(void **self, const il_problem *problem, const il_scheme_options *options,
                           il_error *err);
void il_linear_destroy(void *self);

/* One step of the velocity scheme (maury.c),
 *
 *     u_{n+1} = P^M_{K_h(t1, q_n)} (u_n + h M^{-1} fbar_n(q_n) + pull),  q_{n+1} = q_n + h u_{n+1},
 *
 * for order 1 with the drift as prediction. pull[d] is a velocity, NULL for none. *report is filled
 * in whole; lambda are the projector's multipliers, contact force for order 2 without a pull. */
il_status il_linear_velocity_step(il_linear *w, double t0, double t1, const il_state *in,
                                  const double *pull, il_state *out, il_step_report *report,
                                  il_error *err);

/* Many of these steps at once for one coordinate and one constraint, as a loop written by hand
 * would make them (one_wall.c): il_scheme_type.stride of a scheme whose whole state is il_linear
 * and whose step is il_linear_velocity_step without a pull. Makes no step unless there are one
 * coordinate, one constraint, order 2, a force whose mean is known, and a projector of one row. */
size_t il_one_wall_stride(void *self, size_t from, size_t to, double h, il_state *state,
                          il_stride *made);

/* lambda *= factor: from the projector's units to contact force. */
void il_linear_scale_lambda(il_linear *w, const il_step_report *report, double factor);

/* Begin a step in positions: the displacement h v of the free velocity v into w->v, report anew. */
il_status il_linear_predict(il_linear *w, double t0, double t1, const il_state *in,
                            il_step_report *report, il_error *err);

/* The displacement w->x from in, made in time h, to a state; multipliers in units of M times
 * displacement become contact force. */
void il_linear_displace(il_linear *w, double h, const il_state *in, il_state *out,
                        const il_step_report *report);

#endif
