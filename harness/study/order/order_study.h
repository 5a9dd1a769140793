/*
 * order_study.h - the steps of a study that the head of order.h numbers, from 2 on. Not for use
 * outside harness/study/order*.
 */
#ifndef IL_ORDER_STUDY_H
#define IL_ORDER_STUDY_H

#include "harness/study/order/order_data.h"

/* Study opened points, and judge by claim (NULL: none). */
void il_order_study(il_order_points *s, il_order *o, const il_order_data *data,
                    const il_claim *claim);

#endif
