/*
 * order_plateau.h - where errors stop falling, and why: step 4 of the head of order.h. Not for use
 * outside harness/study/order*.
 */
#ifndef IL_ORDER_PLATEAU_H
#define IL_ORDER_PLATEAU_H

#include "harness/study/order/order_data.h"

/* Cut off the levels where the errors stand, sink below what can be told, or hide behind the
 * reference's: o->cause, o->plateau, and s->to. */
void il_order_cut_plateau(il_order_points *s, il_order *o, const il_order_data *data);

#endif
