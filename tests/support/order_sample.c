/*
 * order_sample.c - synthetic errors.
 */
#include "tests/support/order_sample.h"

#include <gsl/gsl_randist.h>
#include <math.h>

#include "tests/support/suite.h"

/* The time of the impact whose phase enters an error: irrational, so that the phase wanders. */
static const double IMPACT = 0.31830988618379067;

const il_design il_design_usual = {2.0, IL_SAMPLE_LEVELS, IL_SAMPLE_JITTER};
const il_design il_design_six = {2.0, 6, IL_SAMPLE_JITTER};

const il_claim il_claim_bound_1 = {.norm = "u_L1", .kind = IL_CLAIM_BOUND, .order = 1.0};
const il_claim il_claim_converges = {.norm = "u_L1", .kind = IL_CLAIM_CONVERGES};

il_sample il_sample_draw(gsl_rng *rng, il_design d) {
    il_sample s = {.n = 0};
    for (size_t k = 0; k < d.levels; k++) {
        for (size_t j = 0; j < d.jitter; j++) {
            double off = d.jitter > 1 ? gsl_rng_uniform(rng) - 0.5 : 0.0;
            s.h[s.n++] = 1.0 / floor(64.0 * pow(d.ratio, (double)k + off));
        }
    }
    return s;
}

void il_sample_lognormal(gsl_rng *rng, il_sample *s, double p, double noise) {
    for (size_t i = 0; i < s->n; i++) {
        s->e[i] = IL_SAMPLE_C * pow(s->h[i], p) * exp(gsl_ran_gaussian(rng, noise));
    }
}

void il_sample_sawtooth(il_sample *s, double p, double amplitude) {
    for (size_t i = 0; i < s->n; i++) {
        double phase = IMPACT / s->h[i] - floor(IMPACT / s->h[i]);
        s->e[i] = IL_SAMPLE_C * pow(s->h[i], p) * (1.0 + amplitude * (2.0 * phase - 1.0));
    }
}

il_order il_sample_fit_with(const il_sample *s, const il_claim *claim, il_order_data causes) {
    il_order o;
    il_error err = {IL_OK, ""};
    causes.n = s->n;
    causes.h = s->h;
    causes.error = s->e;
    CU_ASSERT_EQUAL(il_order_fit(&causes, 0.95, claim, &o, &err), IL_OK);
    return o;
}

il_order il_sample_fit(const il_sample *s, const il_claim *claim) {
    return il_sample_fit_with(s, claim, (il_order_data){.causes = {.rounding = 1e-13}});
}

size_t il_order_fates(const il_order *o, il_level_fate fate) {
    size_t n = 0;
    for (size_t k = 0; k < o->levels; k++) {
        n += o->level[k].fate == fate;
    }
    return n;
}
