/*
 * order_sample.c - order_sample.h.
 */
#include "tests/support/order_sample.h"

#include <CUnit/CUnit.h>
#include <math.h>

il_claim il_sample_claim(il_claim_kind kind, double order) {
    return (il_claim){.norm = "", .kind = kind, .order = order};
}

il_sample il_sample_steps(gsl_rng *rng, size_t octaves, size_t per) {
    il_sample s = {.n = octaves * per};
    for (size_t i = 0; i < s.n; i++) {
        double within = per == 1 ? 0.0 : gsl_rng_uniform(rng);
        s.h[i] = ldexp(1.0, -5 - (int)(i / per)) * pow(2.0, -within);
    }
    return s;
}

double il_sample_finest(const il_sample *s) {
    double h = INFINITY;
    for (size_t i = 0; i < s->n; i++) {
        h = fmin(h, s->h[i]);
    }
    return h;
}

void il_sample_fill(gsl_rng *rng, il_sample *s, double a, double p, double c, double r,
                    double scatter) {
    for (size_t i = 0; i < s->n; i++) {
        double by = scatter > 0.0 ? scatter * (2.0 * gsl_rng_uniform(rng) - 1.0) : 0.0;
        s->e[i] = (a + pow(s->h[i], p) * (1.0 + c * pow(32.0 * s->h[i], r))) * (1.0 + by);
    }
}

il_order il_sample_judged(const il_sample *s, const il_claim *claim, il_order_data data) {
    il_order o;
    il_error err = {IL_OK, ""};
    data.n = s->n;
    data.h = s->h;
    data.error = s->e;
    CU_ASSERT_EQUAL(il_order_fit(&data, 0.95, claim, &o, &err), IL_OK);
    return o;
}
