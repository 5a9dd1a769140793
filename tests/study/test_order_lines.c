/*
 * test_order_lines.c - lines, branches and median slopes from their definitions: sums about no
 * mean, ranks by counting, and variances over all permutations.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "harness/study/ensemble/disturb.h"
#include "harness/study/order/order_lines.h"
#include "tests/support/suite.h"

enum { N = 24, FEW = 6 };

/* Sums of two dozen products of numbers below ten, and quotients of their differences. */
static const double ROUNDING = 1e-11;

static double draw(uint64_t seed, uint64_t k) { /* uniform in [-1/2, 1/2] */
    double r = il_disturb_draw(seed, k);
    return r > 0.0 ? r - 0.5 : r + 0.5;
}

/* The line of those with mine[i], by sums of powers. */
static il_line fitted(const double *x, const double *y, const bool *mine, size_t n) {
    double s[2] = {0.0, 0.0};
    double sxx = 0.0;
    double sxy = 0.0;
    il_line l = {.n = 0};
    for (size_t i = 0; i < n; i++) {
        if (mine[i]) {
            l.n++;
            s[0] += x[i];
            s[1] += y[i];
            sxx += x[i] * x[i];
            sxy += x[i] * y[i];
        }
    }
    double m = (double)l.n;
    l.slope = (m * sxy - s[0] * s[1]) / (m * sxx - s[0] * s[0]);
    l.constant = (s[1] - l.slope * s[0]) / m;
    l.mean = s[0] / m;
    l.sxx = sxx - s[0] * s[0] / m;
    for (size_t i = 0; i < n; i++) {
        double r = mine[i] ? y[i] - l.constant - l.slope * x[i] : 0.0;
        l.rss += r * r;
    }
    return l;
}

static void lines_are_those_of_their_normal_equations(void) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        double x[N];
        double y[N];
        bool mine[N];
        size_t n = 3 + seed;
        for (size_t i = 0; i < n; i++) {
            x[i] = 3.0 - (double)i / 8.0;
            y[i] = 1.5 * x[i] + draw(seed, i);
            mine[i] = true;
        }
        il_line is = il_line_fit(x, y, n);
        il_line right = fitted(x, y, mine, n);
        CU_ASSERT_EQUAL(is.n, n);
        CU_ASSERT(fabs(is.slope - right.slope) <= ROUNDING);
        CU_ASSERT(fabs(is.constant - right.constant) <= ROUNDING);
        CU_ASSERT(fabs(is.mean - right.mean) <= ROUNDING);
        CU_ASSERT(fabs(is.sxx - right.sxx) <= ROUNDING && fabs(is.rss - right.rss) <= ROUNDING);
    }
}

/* Runs that fall to a limit with slope 1, and runs that stay 3 or more above it, in any order: the
 * branches are the lines through either. The scatter is a tenth. */
static void branches_are_the_lines_through_either(void) {
    for (uint64_t seed = 1; seed <= 50; seed++) {
        double x[N];
        double y[N];
        bool above[N];
        bool below[N];
        bool branch[N];
        size_t n = 16 + seed % 9;
        for (size_t i = 0; i < n; i++) {
            above[i] = i % 4 == 1 || (i % 4 == 2 && draw(seed, N + i) > 0.0);
            below[i] = !above[i];
            x[i] = -(double)i / 4.0;
            y[i] = (above[i] ? 3.0 + 0.1 * x[i] : x[i]) + 0.1 * draw(seed, i);
        }
        il_split is = il_line_split(x, y, n, branch);
        il_line upper = fitted(x, y, above, n);
        il_line lower = fitted(x, y, below, n);
        CU_ASSERT(is.two && is.upper_n == upper.n);
        CU_ASSERT(fabs(is.upper - upper.slope) <= ROUNDING);
        CU_ASSERT(fabs(is.lower - lower.slope) <= ROUNDING);
    }
}

/* Two branches that stand too near, change too seldom, or fall alike are none. */
static void other_branches_are_none(void) {
    static const struct {
        double apart, slope;
        size_t run; /* of neighbours on one branch */
        bool two;
    } cases[] = {{3.0, 0.1, 2, true},  {3.0, 0.1, 3, true},  {3.0, 0.1, 8, false},
                 {3.0, 0.6, 2, false}, {0.5, 1.0, 2, false}, {3.0, 1.0, 2, false}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        double x[N];
        double y[N];
        bool branch[N];
        for (size_t i = 0; i < N; i++) {
            bool up = i / cases[k].run % 2 == 1;
            x[i] = -(double)i / 8.0;
            y[i] = (up ? cases[k].apart + cases[k].slope * x[i] : x[i]) + 0.01 * draw(5, i);
        }
        CU_ASSERT_EQUAL(il_line_split(x, y, N, branch).two, cases[k].two);
    }
}

/* ---- medians of slopes ---------------------------------------------------------------------- */

/* Kendall's sum: pairs that rise less pairs that fall. */
static int concordance(const double *x, const double *y, size_t n) {
    int sum = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            int sx = (x[i] > x[j]) - (x[i] < x[j]);
            int sy = (y[i] > y[j]) - (y[i] < y[j]);
            sum += sx * sy;
        }
    }
    return sum;
}

/* The sum of its squares over the permutations of y[k..n), and how many there are. */
static void permute(const double *x, double *y, size_t k, size_t n, double *sum, double *count) {
    if (k == n) {
        int s = concordance(x, y, n);
        *sum += (double)s * s;
        *count += 1.0;
        return;
    }
    for (size_t i = k; i < n; i++) {
        double swapped = y[k];
        y[k] = y[i];
        y[i] = swapped;
        permute(x, y, k + 1, n, sum, count);
        y[i] = y[k];
        y[k] = swapped;
    }
}

static void kendalls_deviation_is_that_of_all_permutations(void) {
    static const double ties[][FEW] = {
        {6, 5, 4, 3, 2, 1}, {3, 3, 2, 2, 1, 1}, {4, 3, 3, 3, 2, 1}, {2, 2, 2, 2, 1, 1}};
    for (size_t k = 0; k < sizeof ties / sizeof ties[0]; k++) {
        double y[FEW] = {1, 2, 3, 4, 5, 6};
        double sum = 0.0;
        double count = 0.0;
        permute(ties[k], y, 0, FEW, &sum, &count);
        for (uint64_t seed = 1; seed <= 5; seed++) {
            for (size_t i = 0; i < FEW; i++) {
                y[i] = draw(seed, i);
            }
            double right = concordance(ties[k], y, FEW) / sqrt(sum / count);
            CU_ASSERT(fabs(il_line_kendall(ties[k], y, FEW) - right) <= ROUNDING);
        }
    }
}

/* Is v the k-th smallest of room[n], k from 1? Beyond the ends it is infinite. */
static bool has_rank(const double *room, size_t n, double v, double k) {
    size_t below = 0;
    size_t upto = 0;
    for (size_t i = 0; i < n; i++) {
        below += room[i] < v;
        upto += room[i] <= v;
    }
    return k < 1.0         ? v == -INFINITY
           : k > (double)n ? v == INFINITY
                           : (double)below < k && k <= (double)upto;
}

/* The c with P(|normal| <= c) = confidence, by halving. */
static double normal(double confidence) {
    double low = 0.0;
    double high = 10.0;
    for (int k = 0; k < 60; k++) {
        double c = 0.5 * (low + high);
        *(erf(c * sqrt(0.5)) < confidence ? &low : &high) = c;
    }
    return low;
}

/* Sen (1968): of N pairs with different x, the slopes of ranks (N - c)/2 and (N + c)/2 + 1, c the
 * normal quantile times Kendall's deviation, here that of all permutations of seven. */
static void median_slopes_have_their_ranks(void) {
    static const double confidences[] = {0.5, 0.9, 0.99};
    static const double repeats[] = {1.0, 1.7};
    for (uint64_t seed = 1; seed <= 24; seed++) {
        double x[7];
        double y[7];
        double room[21];
        double slopes[21];
        double sum = 0.0;
        double count = 0.0;
        size_t pairs = 0;
        for (size_t i = 0; i < 7; i++) {
            x[i] = -(double)(i - (seed % 3 == 0 ? i % 2 : 0));
            y[i] = (double)i;
        }
        permute(x, y, 0, 7, &sum, &count);
        for (size_t i = 0; i < 7; i++) {
            y[i] = x[i] + draw(seed, i);
            for (size_t j = 0; j < i; j++) {
                if (x[i] != x[j]) {
                    slopes[pairs++] = (y[i] - y[j]) / (x[i] - x[j]);
                }
            }
        }
        double half = (double)pairs / 2.0;
        double c = normal(confidences[seed % 3]) * sqrt(repeats[seed % 2] * sum / count);
        il_sen sen = il_line_sen(x, y, 7, confidences[seed % 3], repeats[seed % 2], room);
        CU_ASSERT(has_rank(slopes, pairs, sen.low, floor(half - 0.5 * c)));
        CU_ASSERT(has_rank(slopes, pairs, sen.high, ceil(half + 0.5 * c) + 1.0));
        CU_ASSERT(pairs % 2 == 0 || has_rank(slopes, pairs, sen.slope, half + 0.5));
        size_t above = 0;
        for (size_t i = 0; i < pairs; i++) {
            above += slopes[i] > sen.slope;
        }
        CU_ASSERT(2 * above <= pairs && 2 * above + 2 >= pairs);
        CU_ASSERT(fabs(il_line_sen_slope(x, y, 7, room) - sen.slope) <= ROUNDING);
    }
}

static const il_test tests[] = {
    {"lines are those of their normal equations", lines_are_those_of_their_normal_equations},
    {"branches are the lines through either", branches_are_the_lines_through_either},
    {"other branches are none", other_branches_are_none},
    {"Kendall's deviation is that of all permutations",
     kendalls_deviation_is_that_of_all_permutations},
    {"median slopes have their ranks", median_slopes_have_their_ranks},
    {NULL, NULL}};

extern const il_suite il_suite_order_lines;
const il_suite il_suite_order_lines = {"order lines", tests};
