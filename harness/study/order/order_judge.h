/*
 * order_judge.h - what an order says of a claim. Not for use outside harness/study/order*.
 */
#ifndef IL_ORDER_JUDGE_H
#define IL_ORDER_JUDGE_H

#include "harness/study/order/order.h"

/* An observed order is compared with a claimed one to this; below it errors do not fall. */
#define IL_ORDER_MARGIN 0.1

/* The slowest order that is proved of a scheme here: h^(1/2). */
#define IL_ORDER_SLOWEST 0.5

/* A floor that is surely below this part of the finest errors leaves a fall to be seen: less than
 * half, for at half the floor is as large as what falls; the bound is taken at 99 %, so that one
 * such study of a hundred may PASS. The same of e/h^p: there the floor is the claimed power, and
 * what falls the next. */
#define IL_ORDER_LOW 0.45

/* The same of the errors' squares: a floor of nine tenths of what makes it as large as what falls,
 * 2 IL_ORDER_LOW, in square. */
#define IL_ORDER_LOW_SQUARED (0.5 * (2.0 * IL_ORDER_LOW) * (2.0 * IL_ORDER_LOW))

/* A verdict and its reason; false, so that a test that ends the study can return it. */
bool il_order_decide(il_order *o, il_verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Judge a finished study: all numbers of o are set. claim may be NULL. */
void il_order_judge(il_order *o, const il_claim *claim);

/* Without a claim, or with one that does not speak of the problem (barred says why), a verdict on a
 * claim becomes REPORTED, and keeps what was seen as its reason. Failed runs stay failures. */
void il_order_without_claim(il_order *o, const char *barred);

#endif
