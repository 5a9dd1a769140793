/*
 * order_fit.h - what the finest octaves of a study say, before it is judged: order.h.
 */
#ifndef IL_ORDER_FIT_H
#define IL_ORDER_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/study/order/order_curve.h"

typedef enum { IL_ORDER_PASS, IL_ORDER_FAIL, IL_ORDER_INCONCLUSIVE, IL_ORDER_REPORTED } il_verdict;

typedef struct {
    double order, low, high;      /* p and its interval; NaN: undetermined */
    double level;                 /* of that interval, such as 0.95 */
    double sure_low, sure_high;   /* the ends of the 99.5 % interval: orders beyond are refuted */
    double fold;                  /* the factor by which errors decrease over the range, lower 95 %
                                     limit */
    double octaves, h_max, h_min; /* the window: log2(h_max/h_min) */
    double range;                 /* octaves of all runs that are not at rounding */
    double finest;                /* the curve at h_min */
    double floor, floor_high; /* a of the best floor; the largest that is not excluded at 95 % */
    double scatter;           /* relative, phi^(1/2) */
    il_curve curve;           /* that was fitted, of h/h_min; mu in units of the errors */
    size_t runs, used;        /* used: of the window */
    size_t rounded;           /* at the fine end, left out */
    bool several_limits;
    il_verdict verdict;
    char reason[240]; /* of the verdict, in words */
} il_order;

/* An order below this counts as none; and the tolerance of a claimed order: the resolution of a
 * study
 * of a few octaves. */
#define IL_ORDER_MARGIN 0.1

enum { IL_ORDER_RUNS_LEAST = 5 };

typedef struct {
    il_curve_data runs; /* finest first; e in units of the largest error */
    double *room, *rho; /* of these arrays; [n] for residuals */
    double unit;
    size_t dropped; /* at the fine end, at rounding */
} il_order_study;

/* Ends of intervals for an order: of a line, and the hull over all curves. */
typedef struct {
    double line[2], all[2];
} il_order_ends;

typedef struct {
    il_curve line, best, floor; /* of the window */
    il_order_ends seen, sure;   /* at the level asked for; at 99 %, that is 99.5 % each */
    il_order_ends fine;         /* of the finest octaves alone, 95 % */
    double fine_order;          /* of the line there */
    double five_order;          /* of the line over the finest five octaves */
    double share;               /* of the floor in the finest error */
    double slopes[3];           /* of the best curve: at the coarse end, amid, at the finest step */
    bool level;        /* the errors of the finest octaves differ by less than h^0.1 does there */
    bool rises;        /* errors with h, by their ranks (97.5 %) */
    bool whole;        /* no octave is left out */
    bool bend, rising; /* a bend is sure; local slopes rise towards the fine end */
    bool curved;       /* a bend is seen (95 %) */
    bool line_fits, best_fits, floor_fits; /* residuals in order of h are not alike (5 %) */
    bool floor_seen, floor_sure;           /* at 95 % and 99.5 % */
} il_order_findings;

/* Choose the window, fit, and fill the numbers of `out`, for interim analyses that share levels.
 * s->runs is the window then. Returns false, and changes nothing, where no curve fits. */
bool il_order_measure(il_order_study *s, double rounds, il_order *out, il_order_findings *f);

#endif
