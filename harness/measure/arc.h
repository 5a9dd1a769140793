/*
 * arc.h - the integral of |v| over a time in which v is smooth: v is a difference of velocities,
 * whose norm has kinks or nearly so where it comes near zero.
 */
#ifndef IL_MEASURE_ARC_H
#define IL_MEASURE_ARC_H

#include <stddef.h>

#include "harness/measure/mean_norm.h"

enum { IL_ARC_SIZE = 3 };

typedef struct {
    size_t d;
    const il_mean_norm_rule *rule;
    void (*at)(void *data, double t, int side, double *v); /* v[d], at the ends from that side */
    void *data;
    double *wa, *wb, *wm; /* [d] v at the ends of a part, and between */
    double near, way;     /* the part at hand, from its end where |v| is least */
    double least, width;  /* where the line between is least on it, and how wide it is there */
} il_arc;

/* A quadrature in room, of IL_ARC_SIZE x d numbers; this, rule and data are the caller's. */
il_arc il_arc_in(double *room, size_t d, const il_mean_norm_rule *rule,
                 void (*at)(void *data, double t, int side, double *v), void *data);

/* int_a^b |v(t)| dt to 1e-12 of it, if fifteen points resolve v, or to the rounding of numbers of
 * size `speed` in v. NaN if v is. */
double il_arc_between(il_arc *w, double a, double b, double speed);

#endif
