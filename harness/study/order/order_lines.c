/*
 * order_lines.c - straight and double lines through (log h, log E), and the median slope.
 */
#include "harness/study/order/order_lines.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

#include "harness/study/order/order_math.h"

/* Two branches: what they may leave of one line's residuals, how many times their scatter they
 * stand apart at the finest step, and by what factor in E at least (log 2). */
static const double SPLIT_SHARE = 0.1;
static const double SPLIT_APART = 6.0;
static const double SPLIT_FACTOR = 0.69;

enum { BRANCH_LEAST = 3, SPLIT_LEAST = 8, SPLIT_ITERATIONS = 40, SPLIT_CHANGES = 4 };

/* ---- the line ------------------------------------------------------------------------------- */

il_line il_line_fit(const double *x, const double *y, size_t n) {
    il_line l = {.n = n, .mean = gsl_stats_mean(x, 1, n)};
    double mean_y = gsl_stats_mean(y, 1, n);
    double sxy = 0.0;
    for (size_t i = 0; i < n; i++) {
        l.sxx += (x[i] - l.mean) * (x[i] - l.mean);
        sxy += (x[i] - l.mean) * (y[i] - mean_y);
    }
    l.slope = l.sxx > 0.0 ? sxy / l.sxx : NAN;
    l.constant = mean_y - l.slope * l.mean;
    for (size_t i = 0; i < n; i++) {
        double r = y[i] - l.constant - l.slope * x[i];
        l.rss += r * r;
    }
    return l;
}

/* ---- two branches --------------------------------------------------------------------------- */

/* The lines through both branches; false if one has too few points for a slope. */
static bool branch_lines(const double *x, const double *y, size_t n, const bool *branch,
                         il_line lines[2]) {
    for (int k = 0; k < 2; k++) {
        double m = 0.0;
        double mx = 0.0;
        double my = 0.0;
        for (size_t i = 0; i < n; i++) {
            bool mine = branch[i] == (k == 1);
            m += mine;
            mx += mine ? x[i] : 0.0;
            my += mine ? y[i] : 0.0;
        }
        mx /= m;
        my /= m;
        double sxx = 0.0;
        double sxy = 0.0;
        double syy = 0.0;
        for (size_t i = 0; i < n; i++) {
            bool mine = branch[i] == (k == 1);
            sxx += mine ? (x[i] - mx) * (x[i] - mx) : 0.0;
            sxy += mine ? (x[i] - mx) * (y[i] - my) : 0.0;
            syy += mine ? (y[i] - my) * (y[i] - my) : 0.0;
        }
        if (!(m >= BRANCH_LEAST && sxx > 0.0)) {
            return false;
        }
        lines[k] = (il_line){.n = (size_t)m, .slope = sxy / sxx, .mean = mx, .sxx = sxx};
        lines[k].constant = my - lines[k].slope * mx;
        lines[k].rss = fmax(syy - sxy * sxy / sxx, 0.0);
    }
    return true;
}

/* Points to the nearer line, until none moves. */
static bool settle(const double *x, const double *y, size_t n, bool *branch, il_line lines[2]) {
    for (int k = 0; k < SPLIT_ITERATIONS; k++) {
        if (!branch_lines(x, y, n, branch, lines)) {
            return false;
        }
        bool moved = false;
        for (size_t i = 0; i < n; i++) {
            double r0 = fabs(y[i] - lines[0].constant - lines[0].slope * x[i]);
            double r1 = fabs(y[i] - lines[1].constant - lines[1].slope * x[i]);
            bool to = r1 < r0;
            moved |= to != branch[i];
            branch[i] = to;
        }
        if (!moved) {
            break;
        }
    }
    return branch_lines(x, y, n, branch, lines);
}

/* How often neighbours lie on different branches, where these stand apart by more than their
 * scatter explains. A bent line, taken for two, changes once. */
static size_t changes(const double *x, size_t n, const bool *branch, const il_line lines[2],
                      double apart) {
    size_t count = 0;
    size_t last = n;
    for (size_t i = 0; i < n; i++) {
        double gap =
            lines[1].constant - lines[0].constant + (lines[1].slope - lines[0].slope) * x[i];
        if (fabs(gap) >= apart) {
            count += last < n && branch[last] != branch[i];
            last = i;
        }
    }
    return count;
}

/* The split that starts from who is above the line of the given slope through the middle. */
static bool split_from(const double *x, const double *y, size_t n, const il_line *one, double slope,
                       bool *branch, il_line lines[2]) {
    double middle = one->constant + one->slope * one->mean;
    for (size_t i = 0; i < n; i++) {
        branch[i] = y[i] > middle + slope * (x[i] - one->mean);
    }
    return settle(x, y, n, branch, lines);
}

il_split il_line_split(const double *x, const double *y, size_t n, bool *branch) {
    il_split best = {.two = false};
    double least = INFINITY;
    il_line one = il_line_fit(x, y, n);
    for (int start = 0; start < 3 && n >= SPLIT_LEAST; start++) {
        il_line lines[2];
        if (!split_from(x, y, n, &one, start * one.slope, branch, lines) ||
            !(lines[0].rss + lines[1].rss < least)) {
            continue;
        }
        least = lines[0].rss + lines[1].rss;
        double gap =
            lines[1].constant - lines[0].constant + (lines[1].slope - lines[0].slope) * x[n - 1];
        int up = gap > 0.0;
        double apart = fmax(SPLIT_APART * sqrt(least / (double)n), SPLIT_FACTOR);
        best =
            (il_split){.upper_n = lines[up].n, .upper = lines[up].slope, .lower = lines[!up].slope};
        best.two = least <= SPLIT_SHARE * one.rss && fabs(gap) >= apart && best.lower > 0.0 &&
                   best.upper < 0.5 * best.lower &&
                   changes(x, n, branch, lines, apart) >= SPLIT_CHANGES;
    }
    return best;
}

/* ---- Theil and Sen -------------------------------------------------------------------------- */

/* The variance of Kendall's statistic; ties in x lower it (Sen 1968, (2.6)). */
static double kendall_variance(const double *x, size_t n) {
    double m = (double)n;
    double sum = m * (m - 1.0) * (2.0 * m + 5.0);
    for (size_t i = 0; i < n;) {
        size_t end = i;
        while (end < n && x[end] == x[i]) {
            end++;
        }
        double u = (double)(end - i);
        sum -= u * (u - 1.0) * (2.0 * u + 5.0);
        i = end;
    }
    return sum / 18.0;
}

double il_line_kendall(const double *x, const double *y, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++) {
            double sign = (x[j] - x[i]) * (y[j] - y[i]);
            sum += (sign > 0.0) - (sign < 0.0);
        }
    }
    double variance = kendall_variance(x, n);
    return variance > 0.0 ? sum / sqrt(variance) : 0.0;
}

/* The slopes of all pairs with different x into room; how many. */
static size_t slopes(const double *x, const double *y, size_t n, double *room) {
    size_t pairs = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++) {
            if (x[i] != x[j]) {
                room[pairs++] = (y[j] - y[i]) / (x[j] - x[i]);
            }
        }
    }
    return pairs;
}

double il_line_sen_slope(const double *x, const double *y, size_t n, double *room) {
    size_t pairs = slopes(x, y, n, room);
    return pairs > 0 ? gsl_stats_median(room, 1, pairs) : NAN;
}

il_sen il_line_sen(const double *x, const double *y, size_t n, double confidence, double repeats,
                   double *room) {
    size_t pairs = slopes(x, y, n, room);
    if (pairs == 0) {
        return (il_sen){NAN, NAN, NAN};
    }
    gsl_sort(room, 1, pairs);
    double c =
        il_order_normal_quantile(0.5 + 0.5 * confidence) * sqrt(repeats * kendall_variance(x, n));
    double first = floor(0.5 * ((double)pairs - c)); /* counted from 1 */
    double last = ceil(0.5 * ((double)pairs + c)) + 1.0;
    return (il_sen){.slope = gsl_stats_median_from_sorted_data(room, 1, pairs),
                    .low = first >= 1.0 ? room[(size_t)first - 1] : -INFINITY,
                    .high = last <= (double)pairs ? room[(size_t)last - 1] : INFINITY};
}
