/*
 * velocity.h - shared by the schemes that project a velocity onto the cone of contacts that were
 * chosen beforehand: a force, a cone, and buffers.
 */
#ifndef IL_STEPPING_VELOCITY_H
#define IL_STEPPING_VELOCITY_H

#include "schemes/stepping/force.h"
#include "schemes/stepping/tangent.h"

typedef struct {
    const il_problem *problem;
    il_scheme_options options;
    il_force *force;
    il_tangent *tangent;
    double *v;       /* [d] free velocity */
    double *f;       /* [d] mean of the force */
    double *y;       /* [d] where rows are taken */
    double *x;       /* [d] scratch */
    il_rows rows;    /* contacts of the step, where it projects more than once, */
    double *lambda;  /* [rows.p] their impulses, summed over its projections, */
    double *speed;   /* [rows.p] and d_t g_i + <grad g_i, u> */
    size_t capacity; /* of these two */
} il_velocity;

/* A scheme's state of `size` bytes that begins with an il_velocity, zeroed but for that. On failure
 * nothing stays allocated. */
il_status il_velocity_create(void **self, size_t size, const il_problem *problem,
                             const il_scheme_options *options, il_error *err);

/* il_velocity as the whole state of a scheme: create of its table; and destroy, of larger ones
 * too. */
il_status il_velocity_create_alone(void **self, const il_problem *problem,
                                   const il_scheme_options *options, il_error *err);
void il_velocity_destroy(void *self);

/* Copy the rows that the tangent keeps, with impulses 0, for a step of several projections. */
void il_velocity_collect(il_velocity *w);

/* Room for a number for each row. */
void il_velocity_reserve(il_velocity *w);

/* Begin a step of several projections: the free velocity into w->v, *report anew, and as contacts
 * those that it would close, g_i + h <grad g_i, v> <= 0 (to il_tangent_closed), rows taken at
 * (t1, q_n), collected. */
il_status il_velocity_closing(il_velocity *w, double t0, double t1, const il_state *in,
                              il_step_report *report, il_error *err);

/* <grad g_i, M^{-1} grad g_i> of row i; w->y[d] is written where M is not diagonal. */
double il_velocity_mobility(il_velocity *w, const il_rows *rows, size_t i);

/* x[d] += c M^{-1} grad g_i of row i; w->y[d] is written where M is not diagonal. */
void il_velocity_push(il_velocity *w, const il_rows *rows, size_t i, double c, double *x);

/* Their approach speeds d_t g_i + <grad g_i, u> at u[d] into w->speed; returns the least, 0 without
 * rows. */
double il_velocity_speeds(il_velocity *w, const double *u);

/* Add the percussions of the last projection, times factor, to those of the rows collected. Rows of
 * the projection stand in the order of those. */
void il_velocity_add(il_velocity *w, const il_step_report *last, double factor);

/* Report the rows collected, with impulses over h, and the certificate of the worst projection. */
void il_velocity_report(il_velocity *w, double h, const il_certificate *worst,
                        il_step_report *report);

#endif
