/*
 * order_sample.h - studies of errors whose order, floor and scatter are known.
 */
#ifndef IL_TESTS_ORDER_SAMPLE_H
#define IL_TESTS_ORDER_SAMPLE_H

#include <gsl/gsl_rng.h>

#include "harness/study/order/order.h"

enum { IL_SAMPLE_MOST = 256 };

typedef struct {
    size_t n;
    double h[IL_SAMPLE_MOST], e[IL_SAMPLE_MOST];
} il_sample;

/* The number of many studies that succeed, by the binomial law: of 40 with a chance of 95 % fewer
 * than 33 succeed once in 10^4 times, with one of 90 % fewer than 29; with a chance of 5 % more
 * than 8 do. */
enum { STUDIES = 40, OF_95 = 33, OF_90 = 29, OF_5 = 8 };

/* One run an octave, or `per` whose places in it are uniform; the coarsest step is 1/32. */
il_sample il_sample_steps(gsl_rng *rng, size_t octaves, size_t per);
double il_sample_finest(const il_sample *s);

/* e = (a + h^p (1 + c (32 h)^r)) (1 + scatter uniform in [-1, 1]). */
void il_sample_fill(gsl_rng *rng, il_sample *s, double a, double p, double c, double r,
                    double scatter);

il_claim il_sample_claim(il_claim_kind kind, double order);

/* With the other fields of data. */
il_order il_sample_judged(const il_sample *s, const il_claim *claim, il_order_data data);

#endif
