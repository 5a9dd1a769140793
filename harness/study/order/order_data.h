/*
 * order_data.h - the runs of a study as points (log h, log E), and their levels. Not for use
 * outside harness/study/order*.
 */
#ifndef IL_ORDER_DATA_H
#define IL_ORDER_DATA_H

#include "harness/study/order/order.h"

enum { IL_ORDER_SEN_MAX = 2000 };

/* The coarsest first; those that are used are [from, to). */
typedef struct {
    size_t n, from, to;
    double *x, *y;  /* [n] log h, log E */
    double *work;   /* [8 n], or all pairs for Theil and Sen */
    size_t *level;  /* [n] octave below the coarsest run, those without runs not counted; and [n] of
                      work */
    bool *branch;   /* [n] */
    double repeats; /* n runs tell as much as n/repeats independent ones; 0: not known */
    double reference;            /* the reference's own error */
    size_t floor_from, floor_to; /* what a floor was last fitted to */
    double floor_order;          /* of what falls above it */
    double floor_misfit;         /* scale of the scatter about that curve */
    double floor_likelihood;     /* its logarithm */
} il_order_points;

/* Sort, and set aside what is at rounding: o->at_rounding, o->at_floor. il_order_points_close
 * frees, also after a failure. */
il_status il_order_points_open(il_order_points *s, const il_order_data *data, il_order *o,
                               il_error *err);
void il_order_points_close(il_order_points *s);

/* Set aside runs that lie far below the line of the others: o->far_below. */
void il_order_set_aside_low(il_order_points *s, il_order *o);

/* Keep the run of each octave that lies highest above the line. */
void il_order_keep_worst(il_order_points *s);

/* Number the octaves, and fill o->level. */
void il_order_make_levels(il_order_points *s, il_order *o);

/* Levels and different steps among the used. */
size_t il_order_levels_used(const il_order_points *s);
size_t il_order_steps_used(const il_order_points *s);

/* The median log E of the finest level that is used. */
double il_order_finest_height(const il_order_points *s);

/* Drop the finest or the coarsest level that is used. */
void il_order_drop(il_order_points *s, il_order *o, bool fine, double misfit);

#endif
