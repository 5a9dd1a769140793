/*
 * order_model.c - straight, broken and double lines through (log h, log E).
 *
 * A model with one regressor z more than the line needs no matrix (Frisch and Waugh): with z' the
 * residual of z on the line's regressors 1 and x, the coefficient of z is <z',y>/<z',z'>, it is
 * uncorrelated with the line's slope, and it lowers the residual sum by <z',y>^2/<z',z'>.
 */
#include "harness/study/order_model.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

#include "harness/base/elementary.h"

/* Slopes are compared with what rounding leaves of a residual: y is accurate to some 1e-10. */
static const double NOISE_FLOOR = 1e-20;

/* Two branches: what they may leave of one line's residuals, how many times their scatter they
 * stand apart at the finest step, and by what factor in E at least (log 2). */
static const double SPLIT_SHARE = 0.1;
static const double SPLIT_APART = 6.0;
static const double SPLIT_FACTOR = 0.69;

enum {
    BEND_LEAST = 6,
    BENDS_MAX = 64,
    BRANCH_LEAST = 3,
    SPLIT_LEAST = 8,
    SPLIT_ROUNDS = 40,
    SPLIT_CHANGES = 4
};

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

double il_line_half(double rss, double freedom, double variance, double confidence) {
    return gsl_cdf_tdist_Pinv(0.5 + 0.5 * confidence, freedom) * sqrt(rss / freedom * variance);
}

/* A further regressor z beside the line. */
typedef struct {
    double coefficient;
    double along;  /* slope of z on x */
    double szz;    /* <z',z'> */
    double rss;    /* of the model with it */
    double offset; /* of z on x: z' = z - offset - along x */
} extension;

static extension extend(const il_line *l, const double *x, const double *y, const double *z) {
    extension e = {.rss = l->rss};
    il_line on_x = il_line_fit(x, z, l->n);
    double szy = 0.0;
    for (size_t i = 0; i < l->n; i++) {
        double r = z[i] - on_x.constant - on_x.slope * x[i];
        szy += r * (y[i] - l->constant - l->slope * x[i]);
    }
    e.along = on_x.slope;
    e.offset = on_x.constant;
    e.szz = on_x.rss;
    e.coefficient = e.szz > 0.0 ? szy / e.szz : NAN;
    e.rss = e.szz > 0.0 ? fmax(l->rss - szy * szy / e.szz, 0.0) : NAN;
    return e;
}

/* The same for z = (x - mean)^2. The sums are those of extend, without room for z. */
static extension extend_square(const il_line *l, const double *x, const double *y) {
    double m2 = l->sxx / (double)l->n;
    double m3 = 0.0;
    for (size_t i = 0; i < l->n; i++) {
        m3 += il_pow(x[i] - l->mean, 3.0);
    }
    extension e = {.along = m3 / l->sxx};
    double szy = 0.0;
    for (size_t i = 0; i < l->n; i++) {
        double c = x[i] - l->mean;
        double r = c * c - m2 - e.along * c;
        e.szz += r * r;
        szy += r * (y[i] - l->constant - l->slope * x[i]);
    }
    bool there = e.szz > 1e-12 * l->sxx * l->sxx; /* at two different x there is no square */
    e.coefficient = there ? szy / e.szz : NAN;
    e.rss = there ? fmax(l->rss - szy * szy / e.szz, 0.0) : NAN;
    return e;
}

double il_line_drift(const double *x, const double *y, size_t n) {
    il_line l = il_line_fit(x, y, n);
    extension e = extend_square(&l, x, y);
    /* the fitted slope at x is slope + coefficient (2 (x - mean) - along) */
    return isfinite(e.coefficient) ? e.coefficient * (2.0 * (x[n - 1] - l.mean) - e.along) : 0.0;
}

/* ---- lack of fit ---------------------------------------------------------------------------- */

/* The chance of so large an F = (explained/by)/(rss/freedom). */
static il_lack chance(double explained, double by, double rss, double freedom, double n) {
    double noise = fmax(rss / freedom, NOISE_FLOOR);
    explained = fmax(explained, 0.0);
    return (il_lack){.p = gsl_cdf_fdist_Q(explained / by / noise, by, freedom),
                     .missed = sqrt(explained / n)};
}

il_lack il_line_lack(const double *x, const double *y, const size_t *level, size_t n) {
    double sxx = 0.0;
    double sxy = 0.0;
    double syy = 0.0;
    size_t levels = 0;
    for (size_t i = 0; i < n; levels++) {
        size_t end = i;
        while (end < n && level[end] == level[i]) {
            end++;
        }
        double mx = gsl_stats_mean(x + i, 1, end - i);
        double my = gsl_stats_mean(y + i, 1, end - i);
        for (; i < end; i++) {
            sxx += (x[i] - mx) * (x[i] - mx);
            sxy += (x[i] - mx) * (y[i] - my);
            syy += (y[i] - my) * (y[i] - my);
        }
    }
    il_line l = il_line_fit(x, y, n);
    /* Repetitions at one x say nothing of a slope: the pure error then is what scatters about the
     * means, and the line has two parameters of the levels' means. */
    bool sloped = sxx > 1e-12 * l.sxx;
    double rss = sloped ? fmax(syy - sxy * sxy / sxx, 0.0) : syy;
    double freedom = (double)n - (double)levels - (sloped ? 1.0 : 0.0);
    double by = (double)levels - (sloped ? 1.0 : 2.0);
    if (freedom >= 2.0 && by >= 1.0) {
        return chance(l.rss - rss, by, rss, freedom, (double)n);
    }
    extension e = extend_square(&l, x, y);
    return n >= 5 && isfinite(e.rss) ? chance(l.rss - e.rss, 1.0, e.rss, (double)n - 3.0, (double)n)
                                     : (il_lack){NAN, NAN};
}

/* ---- the broken line ------------------------------------------------------------------------ */

static il_bend bend_at(const il_line *l, const double *x, const double *y, double b, double *z) {
    for (size_t i = 0; i < l->n; i++) {
        z[i] = fmin(x[i] - b, 0.0);
    }
    extension e = extend(l, x, y, z);
    double freedom = (double)l->n - 3.0;
    double noise = fmax(e.rss / freedom, NOISE_FLOOR);
    double t = e.coefficient * sqrt(e.szz / noise);
    double p = l->slope - e.coefficient * e.along;
    double out = 1.0 - e.along;
    return (il_bend){
        .at = b,
        .rss = e.rss,
        .coarse = p,
        .fine = p + e.coefficient,
        .fine_half = il_line_half(noise * freedom, freedom, 1.0 / l->sxx + out * out / e.szz, 0.95),
        .p = 2.0 * gsl_cdf_tdist_Q(fabs(t), freedom)};
}

il_bend il_line_bend(const double *x, const double *y, size_t n, double *work) {
    il_bend best = {.at = NAN, .rss = NAN, .coarse = NAN, .fine = NAN, .fine_half = NAN, .p = NAN};
    if (n < BEND_LEAST) {
        return best;
    }
    il_line l = il_line_fit(x, y, n);
    size_t tried = 0;
    size_t stride = 1 + n / BENDS_MAX;
    for (size_t k = 2; k + 2 <= n; k += stride) {
        double b = 0.5 * (x[k - 1] + x[k]);
        il_bend here = bend_at(&l, x, y, b, work);
        bool better = isfinite(here.rss) && (tried == 0 || here.rss < best.rss);
        best = better ? here : best;
        tried += isfinite(here.rss) ? 1 : 0;
    }
    best.p = tried > 0 ? fmin(best.p * (double)tried, 1.0) : NAN;
    return best;
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
    for (int round = 0; round < SPLIT_ROUNDS; round++) {
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

il_sen il_line_sen(const double *x, const double *y, size_t n, double confidence, double *room) {
    size_t pairs = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++) {
            if (x[i] != x[j]) {
                room[pairs++] = (y[j] - y[i]) / (x[j] - x[i]);
            }
        }
    }
    if (pairs == 0) {
        return (il_sen){NAN, NAN, NAN};
    }
    gsl_sort(room, 1, pairs);
    double c = gsl_cdf_ugaussian_Pinv(0.5 + 0.5 * confidence) * sqrt(kendall_variance(x, n));
    double first = floor(0.5 * ((double)pairs - c)); /* counted from 1 */
    double last = ceil(0.5 * ((double)pairs + c)) + 1.0;
    return (il_sen){.slope = gsl_stats_median_from_sorted_data(room, 1, pairs),
                    .low = first >= 1.0 ? room[(size_t)first - 1] : -INFINITY,
                    .high = last <= (double)pairs ? room[(size_t)last - 1] : INFINITY};
}
