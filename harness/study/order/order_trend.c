/*
 * order_trend.c - iteratively reweighted least squares with a prior, and its standard error.
 *
 * With z the terms at a point, w = (nu + 1)/(nu + r^2/s^2)/s^2 its weight and L the diagonal of
 * prior precisions, each iteration solves (sum w z z' + L) theta = sum w z y and takes new scales.
 * The error is that of an estimator with influence psi = r w (Huber 1967), whose residuals are
 * enlarged for their leverage (MacKinnon & White's HC3), plus what the prior leaves open:
 *
 *     V = A^-1 (sum psi^2 z z' + L) A^-1,   A = sum psi' z z' + L.
 */
#include "harness/study/order/order_trend.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <string.h>

#include "harness/study/order/order_math.h"

static const double NU = 4.0; /* of Student's distribution */

/* A level's scale is that of its runs and of so many runs of the pooled scale. */
static const double SHARED = 4.0;

/* Neighbours are alike, or octaves differ, where that is by chance once of 100, 2.326 being the
 * normal quantile; neighbours are never the same. */
static const double ALIKE = 2.326;
static const double ALIKE_MOST = 0.9;

/* Scatter of half a per cent hides no floor of 45 % however it repeats itself: of one run it is a
 * hundredth of that. And h log(1/h) is as near to a power over six octaves, but for a parabola. */
static const double SMALL = 5e-3;

enum { ITERATIONS = 40, T = IL_TREND_TERMS };

typedef struct {
    const il_trend_data *d;
    double *z[T]; /* [n] each: derivatives of the curve */
    double *r, *w;
    double *near[2]; /* [n] exp(x - x_0), exp(-q (x - x_n)) */
    double prior[T];
    int terms, of[2]; /* which terms the allowances are, or 0 */
} system_of;

double il_trend_weight(double r, double scale) {
    double u = r / scale;
    return (NU + 1.0) / (NU + u * u);
}

/* ---- small symmetric systems ---------------------------------------------------------------- */

/* The inverse of a symmetric positive definite matrix by Gauss and Jordan; false if singular. */
static bool invert(int n, double a[T][T], double inverse[T][T]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            inverse[i][j] = i == j;
        }
    }
    for (int k = 0; k < n; k++) {
        double pivot = a[k][k];
        if (!(pivot > 1e-300)) {
            return false;
        }
        for (int j = 0; j < n; j++) {
            a[k][j] /= pivot;
            inverse[k][j] /= pivot;
        }
        for (int i = 0; i < n; i++) {
            double factor = i == k ? 0.0 : a[i][k];
            for (int j = 0; j < n && i != k; j++) {
                a[i][j] -= factor * a[k][j];
                inverse[i][j] -= factor * inverse[k][j];
            }
        }
    }
    return true;
}

/* sum_i weight_i z_i z_i' */
static void moments(const system_of *s, const double *weight, double m[T][T]) {
    for (int a = 0; a < s->terms; a++) {
        for (int b = 0; b < s->terms; b++) {
            m[a][b] = 0.0;
            for (size_t i = 0; i < s->d->n; i++) {
                m[a][b] += weight[i] * s->z[a][i] * s->z[b][i];
            }
        }
    }
}

/* ---- the fit -------------------------------------------------------------------------------- */

static void set_terms(system_of *s, il_trend *out) {
    const il_trend_data *d = s->d;
    const double width[2] = {d->coarse, d->floor};
    double q = fmin(fmax(d->guess, 0.25), 2.0);
    out->mean = gsl_stats_mean(d->x, 1, d->n);
    s->r = d->room;
    s->w = d->room + d->n;
    for (int k = 0; k < T; k++) {
        s->z[k] = d->room + (size_t)(2 + k) * d->n;
        s->prior[k] = 0.0;
    }
    s->near[0] = d->room + (size_t)(2 + T) * d->n;
    s->near[1] = s->near[0] + d->n;
    s->terms = 2;
    for (int j = 0; j < 2; j++) {
        s->of[j] = width[j] > 0.0 ? s->terms++ : 0;
        s->prior[s->of[j]] = s->of[j] > 0 ? 1.0 / (width[j] * width[j]) : 0.0;
    }
    for (size_t i = 0; i < d->n; i++) {
        s->z[0][i] = 1.0;
        s->z[1][i] = d->x[i] - out->mean;
        s->near[0][i] = il_order_exp(d->x[i] - d->x[0]);
        s->near[1][i] = il_order_exp(-q * (d->x[i] - d->x[d->n - 1]));
    }
}

/* Residuals y - curve, and the derivatives of log(1 + (e^g - 1) near) by g. */
static void set_residuals(system_of *s, const double *theta) {
    double grown[2];
    for (int j = 0; j < 2; j++) {
        grown[j] = s->of[j] > 0 ? il_order_exp(theta[s->of[j]]) : 1.0;
    }
    for (size_t i = 0; i < s->d->n; i++) {
        s->r[i] = s->d->y[i] - theta[0] - theta[1] * s->z[1][i];
        for (int j = 0; j < 2; j++) {
            double factor = fmax(1.0 + (grown[j] - 1.0) * s->near[j][i], 1e-300);
            if (s->of[j] > 0) {
                s->r[i] -= il_order_log(factor);
                s->z[s->of[j]][i] = grown[j] * s->near[j][i] / factor;
            }
        }
    }
}

/* A line of the given slope through the median, and the median distance from it. */
static void start(system_of *s, il_trend *out) {
    const il_trend_data *d = s->d;
    memset(out->theta, 0, sizeof out->theta);
    out->theta[1] = d->guess;
    set_residuals(s, out->theta);
    memcpy(s->w, s->r, d->n * sizeof *s->w);
    gsl_sort(s->w, 1, d->n);
    out->theta[0] = gsl_stats_median_from_sorted_data(s->w, 1, d->n);
    for (size_t i = 0; i < d->n; i++) {
        s->r[i] -= out->theta[0];
        s->w[i] = fabs(s->r[i]);
    }
    gsl_sort(s->w, 1, d->n);
    out->scale = 1.5 * gsl_stats_median_from_sorted_data(s->w, 1, d->n);
    out->scale = fmax(out->scale, IL_TREND_SCALE_LEAST);
    for (size_t l = 0; l < IL_TREND_LEVELS; l++) {
        out->level_scale[l] = out->scale;
    }
}

void il_trend_scales(size_t n, const double *r, const size_t *level, double taken, double *scale,
                     double *level_scale) {
    double sum[IL_TREND_LEVELS] = {0.0};
    double count[IL_TREND_LEVELS] = {0.0};
    double all = 0.0;
    double share = ((double)n - taken) / (double)n;
    for (size_t i = 0; i < n; i++) {
        size_t l = level[i];
        double r2 = r[i] * r[i];
        sum[l] += il_trend_weight(r[i], level_scale[l]) * r2;
        all += il_trend_weight(r[i], *scale) * r2;
        count[l] += 1.0;
    }
    *scale = fmax(sqrt(all / (double)n / share), IL_TREND_SCALE_LEAST);
    for (size_t l = 0; l < IL_TREND_LEVELS; l++) {
        double pooled = SHARED * *scale * *scale;
        double mine = sqrt((pooled + sum[l] / share) / (SHARED + count[l]));
        level_scale[l] = count[l] > 1.0 ? fmax(mine, IL_TREND_SCALE_LEAST) : *scale;
    }
}

/* (1 + r)/(1 - r), r being the correlation of neighbours: n runs tell as much of a slope as so many
 * times fewer. `taken` smooth terms of a fit take taken/n from it: of n frequencies, the mean of
 * whose cosines is zero, they take the lowest. */
static double of_neighbours(size_t n, const double *psi, double taken) {
    double product = 0.0;
    double square = psi[0] * psi[0];
    for (size_t i = 1; i < n; i++) {
        product += psi[i] * psi[i - 1];
        square += psi[i] * psi[i];
    }
    double r = fmin(product / square + taken / (double)n, ALIKE_MOST);
    return r * sqrt((double)n) > ALIKE ? (1.0 + r) / (1.0 - r) : 1.0;
}

/* The variance between levels over that of all, F, whose quantile is that of chi squared over its
 * freedom (Wilson and Hilferty 1931): of all there are many degrees of freedom. */
static double of_levels(size_t n, const double *psi, const size_t *level, double taken) {
    double square = 0.0;
    double between = 0.0;
    double levels = 0.0;
    for (size_t i = 0; i < n;) {
        double sum = 0.0;
        size_t first = i;
        for (; i < n && level[i] == level[first]; i++) {
            sum += psi[i];
            square += psi[i] * psi[i];
        }
        between += sum * sum / (double)(i - first);
        levels += 1.0;
    }
    double freedom = levels - taken;
    if (freedom < 1.0 - 1e-9 || (double)n < 2.0 * levels) {
        return 1.0;
    }
    double f = between / freedom / (square / ((double)n - taken));
    double c = 2.0 / (9.0 * freedom);
    double root = 1.0 - c + ALIKE * sqrt(c);
    return f > root * root * root ? f : 1.0;
}

/* Take a parabola in x from psi: what a curve leaves of errors that bend otherwise is smooth, and
 * no scatter. */
static void take_bend(size_t n, const double *x, double *psi) {
    double mean = gsl_stats_mean(x, 1, n);
    double s[5] = {0.0}; /* moments of x - mean */
    double p[5] = {0.0}; /* psi with their powers */
    for (size_t i = 0; i < n; i++) {
        double power = 1.0;
        for (int k = 0; k < 5; k++) {
            s[k] += power;
            p[k] += power * psi[i];
            power *= x[i] - mean;
        }
    }
    /* x^2 less its mean and slope is orthogonal to 1 and x */
    double slope = s[3] / s[2];
    double offset = s[2] / s[0];
    double square = s[4] - slope * s[3] - offset * s[2];
    double bend = square > 1e-9 * s[4] ? (p[2] - slope * p[1] - offset * p[0]) / square : 0.0;
    for (size_t i = 0; i < n; i++) {
        double z = x[i] - mean;
        psi[i] -= p[0] / s[0] + p[1] / s[2] * z + bend * (z * z - slope * z - offset);
    }
}

double il_trend_repetition(const il_trend_data *d, const double *residual,
                           const double *level_scale, double taken, double *work) {
    enum { BEND = 3 };
    double square = 0.0;
    for (size_t i = 0; i < d->n; i++) {
        double s = level_scale[d->level[i]];
        work[i] = residual[i] / s * il_trend_weight(residual[i], s);
    }
    taken = fmax(taken, BEND);
    if ((double)d->n < taken + 2.0) {
        return 1.0;
    }
    take_bend(d->n, d->x, work);
    for (size_t i = 0; i < d->n; i++) {
        double r = work[i] * level_scale[d->level[i]];
        square += r * r;
    }
    if (!(square > SMALL * SMALL * (double)d->n)) {
        return 1.0;
    }
    return fmax(of_neighbours(d->n, work, taken), of_levels(d->n, work, d->level, taken));
}

static void set_scales(const system_of *s, il_trend *out) {
    il_trend_scales(s->d->n, s->r, s->d->level, 2.0, &out->scale, out->level_scale);
}

static void set_weights(system_of *s, const il_trend *out) {
    for (size_t i = 0; i < s->d->n; i++) {
        double scale = out->level_scale[s->d->level[i]];
        s->w[i] = il_trend_weight(s->r[i], scale) / (scale * scale);
    }
}

/* A step of Gauss and Newton. */
static bool solve(system_of *s, il_trend *out) {
    double a[T][T];
    double inverse[T][T];
    double right[T] = {0.0};
    moments(s, s->w, a);
    for (int k = 0; k < s->terms; k++) {
        a[k][k] += s->prior[k];
        right[k] = -s->prior[k] * out->theta[k];
        for (size_t i = 0; i < s->d->n; i++) {
            right[k] += s->w[i] * s->z[k][i] * s->r[i];
        }
    }
    if (!invert(s->terms, a, inverse)) {
        return false;
    }
    for (int k = 0; k < s->terms; k++) {
        double step = 0.0;
        for (int j = 0; j < s->terms; j++) {
            step += inverse[k][j] * right[j];
        }
        out->theta[k] += k < 2 ? step : fmin(fmax(step, -1.0), 1.0);
    }
    return true;
}

/* ---- its error ------------------------------------------------------------------------------ */

/* psi' of Student's score, averaged over the runs: single ones may be negative. */
static double mean_derivative(const system_of *s, const il_trend *out) {
    double sum = 0.0;
    for (size_t i = 0; i < s->d->n; i++) {
        double u = s->r[i] / out->level_scale[s->d->level[i]];
        double below = NU + u * u;
        sum += (NU + 1.0) * (NU - u * u) / (below * below);
    }
    return fmax(sum / (double)s->d->n, 0.1);
}

static double leverage(const system_of *s, double inverse[T][T], size_t i) {
    double h = 0.0;
    for (int a = 0; a < s->terms; a++) {
        for (int b = 0; b < s->terms; b++) {
            h += s->z[a][i] * inverse[a][b] * s->z[b][i];
        }
    }
    return h;
}

static double sandwich(const system_of *s, double inverse[T][T], double meat[T][T], int of) {
    double sum = 0.0;
    for (int j = 0; j < s->terms; j++) {
        for (int k = 0; k < s->terms; k++) {
            sum += inverse[of][j] * meat[j][k] * inverse[k][of];
        }
    }
    return sum;
}

static bool set_error(system_of *s, il_trend *out) {
    double derivative = mean_derivative(s, out);
    double a[T][T];
    double inverse[T][T] = {{0.0}}; /* only [terms][terms] is computed */
    double meat[T][T] = {{0.0}};
    double taken = 0.0;
    for (size_t i = 0; i < s->d->n; i++) {
        double scale = out->level_scale[s->d->level[i]];
        s->w[i] = derivative / (scale * scale);
    }
    moments(s, s->w, a);
    for (int k = 0; k < s->terms; k++) {
        a[k][k] += s->prior[k];
    }
    if (!invert(s->terms, a, inverse)) {
        return false;
    }
    for (size_t i = 0; i < s->d->n; i++) {
        double scale = out->level_scale[s->d->level[i]];
        double h = fmin(s->w[i] * leverage(s, inverse, i), 0.9);
        double psi = s->r[i] * il_trend_weight(s->r[i], scale) / (scale * scale) / (1.0 - h);
        taken += h;
        s->w[i] = psi * psi;
    }
    moments(s, s->w, meat);
    for (int k = 0; k < s->terms; k++) {
        meat[k][k] += s->prior[k];
    }
    out->error = sqrt(sandwich(s, inverse, meat, 1));
    for (int j = 0; j < 2; j++) {
        int of = s->of[j];
        out->bend[j] = of > 0 ? out->theta[of] / sqrt(sandwich(s, inverse, meat, of)) : 0.0;
    }
    double n = (double)s->d->n;
    out->repeats = s->d->repeats;
    if (!(out->repeats >= 1.0)) {
        out->repeats = il_trend_repetition(s->d, s->r, out->level_scale, taken, s->w);
    }
    out->error *= sqrt(out->repeats);
    out->freedom = fmax(n / out->repeats - taken, 1.0);
    return true;
}

bool il_trend_fit(const il_trend_data *data, il_trend *out) {
    system_of s = {.d = data};
    if (data->n < 3 || !(data->x[0] > data->x[data->n - 1])) {
        return false;
    }
    set_terms(&s, out);
    start(&s, out);
    for (int k = 0; k < ITERATIONS; k++) {
        double before = out->theta[1];
        set_scales(&s, out);
        set_weights(&s, out);
        if (!solve(&s, out)) {
            return false;
        }
        set_residuals(&s, out->theta);
        if (fabs(out->theta[1] - before) <= 1e-12) {
            break;
        }
    }
    set_scales(&s, out);
    out->slope = out->theta[1];
    out->constant = out->theta[0] - out->theta[1] * out->mean;
    return set_error(&s, out);
}
