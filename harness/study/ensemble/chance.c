/*
 * chance.c - proportions and quantiles of samples, with confidence intervals from the binomial
 * distribution.
 */
#include "harness/study/ensemble/chance.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "harness/base/text.h"
#include "harness/base/vector.h"

/* ---- the binomial distribution -------------------------------------------------------------- */

double il_binomial_below(size_t k, size_t n, double p) {
    return p < 1.0 || k >= n ? gsl_cdf_binomial_P((unsigned)k, p, (unsigned)n) : 0.0;
}

/* The p at which P(B <= k) = probability: it falls as p grows. By bisection, as gsl_cdf_beta_Pinv
 * of GSL 2.7 does not converge for 83 of 1800 intervals. */
static double share_where_below(size_t k, size_t n, double probability) {
    double low = 0.0;
    double high = 1.0;
    for (int i = 0; i < 60; i++) {
        double p = 0.5 * (low + high);
        if (il_binomial_below(k, n, p) > probability) {
            low = p;
        } else {
            high = p;
        }
    }
    return 0.5 * (low + high);
}

/* ---- shares --------------------------------------------------------------------------------- */

static il_status check(size_t n, double level, il_error *err) {
    if (n == 0 || n > IL_CHANCE_MAX) {
        return il_fail(err, IL_EINVAL, "%zu runs; allowed: 1 to %zu", n, IL_CHANCE_MAX);
    }
    if (!(level > 0.0 && level < 1.0)) {
        return il_fail(err, IL_EINVAL, "level is %s; allowed: a number between 0 and 1",
                       il_text_numeral(level).text);
    }
    return IL_OK;
}

il_status il_share_of(size_t hits, size_t n, double level, il_share *out, il_error *err) {
    il_status status = check(n, level, err);
    if (status == IL_OK && hits > n) {
        status = il_fail(err, IL_EINVAL,
                         "%zu hits among %zu runs; allowed: at most as many as runs", hits, n);
    }
    if (status != IL_OK) {
        return status;
    }
    double tail = 0.5 * (1.0 - level);
    *out = (il_share){.hits = hits, .n = n, .share = (double)hits / (double)n, .high = 1.0};
    if (hits > 0) { /* P(B >= hits) = tail: P(B <= hits - 1) = 1 - tail; by symmetry without loss */
        out->low = 1.0 - share_where_below(n - hits, n, tail);
    }
    if (hits < n) {
        out->high = share_where_below(hits, n, tail);
    }
    return IL_OK;
}

/* ---- quantiles ------------------------------------------------------------------------------ */

/* The largest r with P(B < r) <= tail; 0 if not even 1 will do. */
static size_t lower_rank(size_t n, double p, double tail) {
    size_t r = 0;
    size_t beyond = n + 1; /* bisection: the probability grows with r */
    while (beyond - r > 1) {
        size_t middle = r + (beyond - r) / 2;
        if (il_binomial_below(middle - 1, n, p) <= tail) {
            r = middle;
        } else {
            beyond = middle;
        }
    }
    return r;
}

static double sample_quantile(const double *x, size_t n, double p) {
    double at = ceil((double)n * p - 1e-9); /* 0.1 of 30 is the third */
    size_t k = at < 1.0 ? 1 : at > (double)n ? n : (size_t)at;
    if (p == 0.5 && n % 2 == 0) {
        return isinf(x[k]) ? x[k] : 0.5 * (x[k - 1] + x[k]);
    }
    return x[k - 1];
}

il_status il_quantile_of(double *values, size_t n, double p, double level, il_quantile *out,
                         il_error *err) {
    il_status status = check(n, level, err);
    if (status == IL_OK && !(p > 0.0 && p < 1.0)) {
        status = il_fail(err, IL_EINVAL, "p is %s; allowed: a number between 0 and 1",
                         il_text_numeral(p).text);
    }
    size_t endless = 0;
    for (size_t k = 0; status == IL_OK && k < n; k++) {
        if (isnan(values[k]) || values[k] == -INFINITY) {
            status =
                il_fail(err, IL_EINVAL,
                        "value %zu is %g; allowed: numbers, and +infinity for what did not end",
                        k + 1, values[k]);
        }
        endless += values[k] == INFINITY;
    }
    if (status != IL_OK) {
        return status;
    }
    qsort(values, n, sizeof *values, il_ascending);
    double tail = 0.5 * (1.0 - level);
    size_t r = lower_rank(n, p, tail);
    size_t above = lower_rank(n, 1.0 - p, tail); /* counted from the top */
    double missed = (r > 0 ? il_binomial_below(r - 1, n, p) : 0.0) +
                    (above > 0 ? il_binomial_below(above - 1, n, 1.0 - p) : 0.0);
    *out = (il_quantile){.n = n,
                         .endless = endless,
                         .value = sample_quantile(values, n, p),
                         .low = r > 0 ? values[r - 1] : -INFINITY,
                         .high = above > 0 ? values[n - above] : INFINITY,
                         .coverage = 1.0 - missed};
    return IL_OK;
}
