/*
 * order_swing.h - errors b h^p s(h) whose factor s swings slowly. Not for use outside
 * harness/study/order*.
 */
#ifndef IL_ORDER_SWING_H
#define IL_ORDER_SWING_H

#include "harness/study/order/order_data.h"

/* The logarithm of the likelihood of b h^p (1 + A sin(2 pi log_2(h)/P + phi)), p >= 1/2, for the
 * runs in use, as il_floor.likelihood is that of a curve with a floor; A <= 0.6, and P from 4 to 8
 * octaves: one or two turns of the factor look like a floor. -INFINITY where nothing can be
 * fitted. */
double il_order_swing_likelihood(const il_order_points *s);

#endif
