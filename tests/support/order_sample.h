/*
 * order_sample.h - synthetic errors whose order is known, and the judge's answer to them.
 *
 * The models: C h^p with lognormal noise; C h^p (1 + a w), w the sawtooth in [-1, 1) of the phase
 * s/h of an impact at time s in its step.
 */
#ifndef IL_TESTS_ORDER_SAMPLE_H
#define IL_TESTS_ORDER_SAMPLE_H

#include <gsl/gsl_rng.h>

#include "harness/study/order/order.h"

enum { IL_SAMPLE_LEVELS = 4, IL_SAMPLE_JITTER = 8, IL_SAMPLE_MAX = 128 };

#define IL_SAMPLE_C 0.7     /* C */
#define IL_SAMPLE_NOISE 0.3 /* of log E: what an impact's phase does */

typedef struct {
    size_t n;
    double h[IL_SAMPLE_MAX], e[IL_SAMPLE_MAX];
} il_sample;

/* Octaves of `ratio`, beginning with 64 steps, of jitter step counts each. */
typedef struct {
    double ratio;
    size_t levels, jitter;
} il_design;

extern const il_design il_design_usual; /* four octaves of eight */
extern const il_design il_design_six;   /* six octaves of eight */

extern const il_claim il_claim_bound_1;   /* u_L1 is of order 1 at least */
extern const il_claim il_claim_converges; /* u_L1 vanishes */

/* Steps as lab.levels draws them: uniform in log N about 64 ratio^k; with one a level, nested. */
il_sample il_sample_draw(gsl_rng *rng, il_design d);

void il_sample_lognormal(gsl_rng *rng, il_sample *s, double p, double noise);
void il_sample_sawtooth(il_sample *s, double p, double amplitude);

/* The order at 95 %; causes carries what else the judge may know. The other: rounding 1e-13. */
il_order il_sample_fit_with(const il_sample *s, const il_claim *claim, il_order_data causes);
il_order il_sample_fit(const il_sample *s, const il_claim *claim);

/* Octaves of that fate. */
size_t il_order_fates(const il_order *o, il_level_fate fate);

#endif
