/*
 * order_floor.c - profile likelihood of a floor.
 *
 * At a given floor a the curve is fitted by Gauss and Newton in (log b, p) with Student's weights;
 * its derivatives are those of a line, times the share b h^p/(a + b h^p) that falls. Trial floors
 * from 0 to above the finest errors find the best; from there the bounds are where the weighted sum
 * of squares has grown by t^2 k, t Student's quantile and k what the weights lose (Huber 1981):
 *
 *     k = <(w r)^2> <w> / <(w r)'>^2    in units of the scales.
 */
#include "harness/study/order/order_floor.h"

#include <gsl/gsl_statistics_double.h>
#include <string.h>

#include "harness/study/order/order_math.h"

enum { STEPS = 12, TRIALS = 10, BISECTIONS = 18, LEAST = 4 };

static const double P_LEAST = 0.2;
static const double P_MOST = 4.0;
static const double NU = 4.0;

/* What lies below a floor by half, and by so many times the median distance, is no scatter (in a
 * normal distribution the latter are four standard deviations); near it is what is at most three
 * times as high. */
static const double HALF = 0.69314718055994531;
static const double DIP = 6.0;
static const double NEAR = 2.0;

/* Neighbours are alike by so many standard errors (5 % by chance; it only widens), and never the
 * same. */
static const double ALIKE = 1.645;
static const double ALIKE_MOST = 0.9;

/* The floors that are tried, in units of the finest errors. */
static const double trial[TRIALS] = {0.0, 0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95, 1.0, 1.1};

typedef struct {
    const il_trend_data *d;
    double *r, *w;
    double *share; /* of the error that falls, b h^p/(a + b h^p) */
    double mean;
    double alpha, p; /* log b h^p at the mean of x; p */
    double most;     /* p at most */
    double scale, level_scale[IL_TREND_LEVELS];
} curve;

/* Residuals at floor a, and the shares of the errors that fall. */
static void residuals(curve *c, double a) {
    for (size_t i = 0; i < c->d->n; i++) {
        double falling = il_order_exp(c->alpha + c->p * (c->d->x[i] - c->mean));
        c->share[i] = falling / (a + falling);
        c->r[i] = c->d->y[i] - il_order_log(a + falling);
    }
}

/* The weighted sum of squares of the residuals, and the normal equations of a step. */
static double normal_equations(const curve *c, double sums[5]) {
    double q = 0.0;
    memset(sums, 0, 5 * sizeof *sums);
    for (size_t i = 0; i < c->d->n; i++) {
        double x = c->d->x[i] - c->mean;
        double share = c->share[i];
        double w = c->w[i] * share;
        sums[0] += w * share;
        sums[1] += w * share * x;
        sums[2] += w * share * x * x;
        sums[3] += w * c->r[i];
        sums[4] += w * c->r[i] * x;
        q += c->w[i] * c->r[i] * c->r[i];
    }
    return q;
}

/* One damped step; p stays in its range. */
static void step(curve *c, const double sums[5]) {
    double damping = 1.0 + 1e-9;
    double s0 = sums[0] * damping + 1e-300;
    double s2 = sums[2] * damping + 1e-300;
    double det = s0 * s2 - sums[1] * sums[1];
    double by_alpha = det > 0.0 ? (sums[3] * s2 - sums[4] * sums[1]) / det : 0.0;
    double by_p = det > 0.0 ? (sums[4] * s0 - sums[3] * sums[1]) / det : 0.0;
    double p = fmin(fmax(c->p + fmin(fmax(by_p, -1.0), 1.0), P_LEAST), c->most);
    if (p != c->p + by_p) { /* at a bound alpha alone is fitted */
        by_alpha = (sums[3] - (p - c->p) * sums[1]) / s0;
    }
    c->p = p;
    c->alpha += fmin(fmax(by_alpha, -3.0), 3.0);
}

static void set_weights(curve *c) {
    const il_trend_data *d = c->d;
    il_trend_scales(d->n, c->r, d->level, 3.0, &c->scale, c->level_scale);
    for (size_t i = 0; i < d->n; i++) {
        double s = c->level_scale[d->level[i]];
        c->w[i] = il_trend_weight(c->r[i], s) / (s * s);
    }
}

/* Student's log likelihood, but for constants. */
static double likelihood(const curve *c) {
    double sum = 0.0;
    double log_scale = 0.0;
    for (size_t i = 0; i < c->d->n; i++) {
        bool same = i > 0 && c->d->level[i] == c->d->level[i - 1];
        double s = c->level_scale[c->d->level[i]];
        double u = c->r[i] / s;
        log_scale = same ? log_scale : il_order_log(s);
        sum -= log_scale + 0.5 * (NU + 1.0) * il_order_log(1.0 + u * u / NU);
    }
    return sum;
}

/* Fit b, p, scales and weights at floor a. */
static double fit_robustly(curve *c, double a) {
    double sums[5];
    for (int k = 0; k < STEPS; k++) {
        residuals(c, a);
        set_weights(c);
        (void)normal_equations(c, sums);
        step(c, sums);
    }
    residuals(c, a);
    set_weights(c);
    return likelihood(c);
}

/* The weighted sum of squares at floor a, weights as they are. */
static double profile(const curve *best, double a) {
    curve c = *best;
    double sums[5];
    residuals(&c, a);
    double least = normal_equations(&c, sums);
    for (int k = 0; k < STEPS; k++) {
        step(&c, sums);
        residuals(&c, a);
        double q = normal_equations(&c, sums);
        bool done = fabs(q - least) <= 1e-6;
        least = fmin(q, least);
        if (done) {
            break;
        }
    }
    return least;
}

/* k of the head of this file, with the freedom that three parameters take. */
static double inflation(const curve *c) {
    double square = 0.0;
    double weight = 0.0;
    double slope = 0.0;
    double n = (double)c->d->n;
    for (size_t i = 0; i < c->d->n; i++) {
        double u = c->r[i] / c->level_scale[c->d->level[i]];
        double below = NU + u * u;
        double w = (NU + 1.0) / below;
        square += w * w * u * u / n;
        weight += w / n;
        slope += (NU + 1.0) * (NU - u * u) / (below * below) / n;
    }
    slope = fmax(slope, 0.1);
    return square * weight / (slope * slope) * n / (n - 3.0);
}

/* Errors that swing about the curve, as where they change their sign, repeat themselves from run to
 * run: n runs tell as much as n (1 - r)/(1 + r) that do not, r being the correlation of neighbours,
 * taken of what the weights leave of the residuals. 1 where r is not significant. */
static double repetition(const curve *c) {
    double product = 0.0;
    double square = 0.0;
    double last = 0.0;
    double n = (double)c->d->n;
    for (size_t i = 0; i < c->d->n; i++) {
        double s = c->level_scale[c->d->level[i]];
        double psi = c->r[i] / s * il_trend_weight(c->r[i], s);
        product += psi * last;
        square += psi * psi;
        last = psi;
    }
    double r = square > 0.0 ? fmin(product / square, ALIKE_MOST) : 0.0;
    return r * sqrt(n) > ALIKE ? (1.0 + r) / (1.0 - r) : 1.0;
}

/* Between a floor that is allowed and one that is not. */
static double bisect(const curve *best, double inside, double outside, double most) {
    for (int k = 0; k < BISECTIONS; k++) {
        double middle = 0.5 * (inside + outside);
        bool allowed = profile(best, middle) <= most;
        inside = allowed ? middle : inside;
        outside = allowed ? outside : middle;
    }
    return inside;
}

static double finest_error(const il_trend_data *d) {
    size_t a = d->n - 1;
    while (a > 0 && d->level[a - 1] == d->level[d->n - 1]) {
        a--;
    }
    double sum = 0.0;
    memcpy(d->room, d->y + a, (d->n - a) * sizeof *d->room);
    sum = gsl_stats_median(d->room, 1, d->n - a);
    return il_order_exp(sum);
}

static void start(curve *c, const il_trend_data *d, double unit, double a) {
    c->d = d;
    c->r = d->room;
    c->w = d->room + d->n;
    c->share = d->room + 2 * d->n;
    c->mean = gsl_stats_mean(d->x, 1, d->n);
    c->alpha = gsl_stats_mean(d->y, 1, d->n);
    c->most = d->steepest > 0.0 ? d->steepest : P_MOST;
    c->p = fmin(fmax(d->guess * (1.0 + a / unit), P_LEAST), c->most);
    c->scale = 1.0;
    for (size_t i = 0; i < d->n; i++) {
        c->w[i] = 1.0;
    }
    for (size_t l = 0; l < IL_TREND_LEVELS; l++) {
        c->level_scale[l] = 1.0;
    }
}

bool il_floor_fit(const il_trend_data *d, double confidence, il_floor *out) {
    if (d->n < LEAST || !(d->x[0] > d->x[d->n - 1])) {
        return false;
    }
    double unit = finest_error(d);
    curve best = {.d = NULL};
    double most = -INFINITY;
    double at = 0.0;
    for (int k = 0; k < TRIALS; k++) {
        curve c;
        start(&c, d, unit, trial[k] * unit);
        double l = fit_robustly(&c, trial[k] * unit);
        if (l > most) {
            most = l;
            best = c;
            at = trial[k] * unit;
        }
    }
    if (best.d == NULL) {
        return false;
    }
    (void)fit_robustly(&best, at); /* the room holds the weights of the last trial */
    /* the least sum of squares between the trials' neighbours, by golden section */
    double a = fmax(at - 0.25 * unit, 0.0);
    double b = at + 0.25 * unit;
    for (int k = 0; k < BISECTIONS; k++) {
        double u = a + 0.381966 * (b - a);
        double v = b - 0.381966 * (b - a);
        bool left = profile(&best, u) <= profile(&best, v);
        b = left ? v : b;
        a = left ? a : u;
    }
    at = profile(&best, a) <= profile(&best, b) ? a : b;
    at = profile(&best, 0.0) <= profile(&best, at) ? 0.0 : at;
    double least = profile(&best, at);
    double t = il_order_t_quantile(confidence, (double)d->n - 3.0);
    double room = t * t * inflation(&best);
    double limit = least + room;
    double below = least + room * repetition(&best);
    out->floor = at;
    out->low = profile(&best, 0.0) <= below ? 0.0 : bisect(&best, at, 0.0, below);
    out->high =
        profile(&best, 4.0 * unit) <= limit ? INFINITY : bisect(&best, at, 4.0 * unit, limit);
    curve c = best;
    double sums[5];
    for (int k = 0; k < STEPS; k++) {
        residuals(&c, at);
        (void)normal_equations(&c, sums);
        step(&c, sums);
    }
    out->order = c.p;
    out->finest = at + il_order_exp(c.alpha + c.p * (d->x[d->n - 1] - c.mean));
    out->misfit = best.scale;
    return true;
}

double il_floor_rise(const il_floor *f, double x, double finest_x) {
    return (f->finest - f->floor) / f->floor * il_order_exp(f->order * (x - finest_x));
}

bool il_floor_dips(const il_trend_data *d, const il_floor *f) {
    double *distance = d->room;
    double deepest = 0.0;
    size_t n = 0;
    for (size_t i = 0; i < d->n; i++) {
        double rise = il_floor_rise(f, d->x[i], d->x[d->n - 1]);
        if (rise <= NEAR) {
            double r = d->y[i] - il_order_log(f->floor * (1.0 + rise));
            deepest = fmin(deepest, r);
            distance[n++] = fabs(r);
        }
    }
    return n >= LEAST && -deepest > fmax(HALF, DIP * gsl_stats_median(distance, 1, n));
}
