/*
 * chance.h - statistics of many runs: proportions, medians and quantiles with confidence intervals
 * that hold for any distribution.
 */
#ifndef IL_CHANCE_H
#define IL_CHANCE_H

#include <stddef.h>

#include "harness/base/status.h"

/* More runs than this are refused: the work grows with their number. */
#define IL_CHANCE_MAX ((size_t)100000)

typedef struct {
    size_t hits, n;
    double share;     /* hits/n */
    double low, high; /* Clopper and Pearson's interval */
} il_share;

/* The share of hits among n runs. [low, high] covers the true share with at least probability level
 * whatever it is (Clopper & Pearson 1934): low is the p at which hits or more have probability
 * (1 - level)/2, high that at which hits or fewer do; 0 and 1 where there is none.
 * IL_EINVAL unless 1 <= n <= IL_CHANCE_MAX, hits <= n and 0 < level < 1. */
il_status il_share_of(size_t hits, size_t n, double level, il_share *out, il_error *err);

typedef struct {
    size_t n;
    size_t endless;   /* values that are +infinity */
    double value;     /* the quantile of the sample */
    double low, high; /* its interval; -infinity, +infinity where n is too small for one */
    double coverage;  /* at least this is the probability that [low, high] covers the true one */
} il_quantile;

/* The p-quantile of values[n]: the least value that at least n p of them do not exceed; for p = 1/2
 * and n even the mean of the two in the middle. +infinity stands for what did not end and is larger
 * than all else. [low, high] are two order statistics x_(r) and x_(s), r the largest and s the
 * least with P(B < r) <= (1 - level)/2 and P(B >= s) <= (1 - level)/2, B binomial (n, p):
 * distribution-free (David & Nagaraja 2003, 7.1). values are sorted in place. IL_EINVAL for NaN or
 * -infinity among them, p or level outside (0,1), n as above. */
il_status il_quantile_of(double *values, size_t n, double p, double level, il_quantile *out,
                         il_error *err);

/* P(B <= k) for B binomial (n, p), 0 <= p <= 1; 0 for k < 0 is the caller's. */
double il_binomial_below(size_t k, size_t n, double p);

#endif
