/*
 * order_curve.c - fits the curves of order_curve.h.
 */
#include "harness/study/order/order_curve.h"

#include <math.h>

#include "harness/base/elementary.h"

/* The next power is at most SIX times the first at the coarsest step, v = 6/7, and cancels at most
 * half of the error there, v = -1. */
static const double SHARE_LEAST = -1.0;
static const double SHARE_MOST = 6.0 / 7.0;

/* No scheme is of an order above 8; errors that grow faster than h^-8 have blown up. */
static const double ORDER_MOST = 8.0;

/* A search ends where two evaluations differ by this fraction. */
static const double FLAT = 1e-9;
/* Starting values of a search: D may have several minima. */
enum { CELLS = IL_CURVE_MINIMA / 2 - 1, LOOKS = 30, SCORING_STEPS = 60 };
/* A floor is at most so many times the mean error of the finest octave. */
static const double FLOOR_MOST = 1.5;
static const double LN2 = 0.693147180559945309;
static const double GOLDEN = 0.6180339887498949;

/* Half of a deviance, sum - ln(product 2^exponent): one logarithm for all runs. */
typedef struct {
    double sum, product;
    int exponent;
} half_deviance;

/* Add rho - ln(1 + rho) for rho = (e - mu)/mu >= -1; its series where the difference would cancel.
 * ln 0 is that of the least normal number: the same for all curves. */
static void add_run(half_deviance *half, double rho) {
    if (fabs(rho) > 0.02) {
        int exponent = 0;
        half->sum += rho;
        half->product = frexp(half->product * fmax(1.0 + rho, 0x1p-1022), &exponent);
        half->exponent += exponent;
        return;
    }
    double sum = 0.0;
    for (int k = 9; k >= 2; k--) { /* 0.02^8/10 is below 2^-50 */
        sum = sum * -rho + 1.0 / k;
    }
    half->sum += sum * rho * rho;
}

static double deviance_of(const half_deviance *half) {
    double log = half->exponent * LN2 + il_log(half->product);
    double D = 2.0 * (half->sum - log);
    return isnan(D) ? INFINITY : D;
}

static double shape_of(const il_curve *c, double power, double next) {
    return power * (1.0 + c->v * (next - 1.0));
}

double il_curve_at(const il_curve *c, double whole) {
    double power = il_pow(whole, c->p);
    return c->a + c->b * shape_of(c, power, c->half ? sqrt(whole) : whole);
}

static double mean_at(const il_curve_data *d, const il_curve *c, size_t i) {
    double next = c->half ? d->root[i] : d->whole[i];
    return c->a + c->b * shape_of(c, il_exp(c->p * d->x[i]), next);
}

double il_curve_pearson(const il_curve_data *d, const il_curve *c) {
    double sum = 0.0;
    for (size_t i = 0; i < d->n; i++) {
        double rho = d->e[i] / mean_at(d, c, i) - 1.0;
        sum += rho * rho;
    }
    return sum;
}

/* ---- b and p -------------------------------------------------------------------------------- */

/* D, and where wanted the score and the information of (ln b, p). */
static double deviance(const il_curve_data *d, const il_curve *c, double score[2], double info[3]) {
    half_deviance half = {0.0, 1.0, 0};
    score[0] = score[1] = info[0] = info[1] = info[2] = 0.0;
    for (size_t i = 0; i < d->n; i++) {
        double mu = mean_at(d, c, i);
        double rho = (d->e[i] - mu) / mu;
        double by_b = (mu - c->a) / mu; /* d ln mu / d ln b */
        double by_p = by_b * d->x[i];
        add_run(&half, rho);
        score[0] += by_b * rho;
        score[1] += by_p * rho;
        info[0] += by_b * by_b;
        info[1] += by_b * by_p;
        info[2] += by_p * by_p;
    }
    return deviance_of(&half);
}

/* b = mean of (e - a)/shape, which is exact where a = 0 and p is given; more than nothing. */
static double scale_of(const il_curve_data *d, const il_curve *c) {
    il_curve unit = *c;
    double sum = 0.0;
    double least = 0.0;
    unit.a = 0.0;
    unit.b = 1.0;
    for (size_t i = 0; i < d->n; i++) {
        sum += (d->e[i] - c->a) / mean_at(d, &unit, i);
        least = fmax(least, 1e-3 * d->e[i]);
    }
    return fmax(sum / (double)d->n, least);
}

/* Fit b and p >= least of a curve whose a, v and r are given, by Fisher scoring from its b and p
 * (b <= 0: from the mean). */
static void fit(const il_curve_data *d, double least, il_curve *c) {
    double score[2];
    double info[3];
    double more[2];
    double other[3];
    double damping = 1e-6;
    c->p = fmin(fmax(c->p, least), ORDER_MOST);
    c->b = c->b > 0.0 ? c->b : scale_of(d, c);
    c->deviance = deviance(d, c, score, info);
    for (int k = 0; k < SCORING_STEPS && damping < 1e9; k++) {
        bool held = (c->p <= least && score[1] * info[0] <= score[0] * info[1]) ||
                    (c->p >= ORDER_MOST && score[1] * info[0] >= score[0] * info[1]);
        double bb = info[0] * (1.0 + damping);
        double pp = info[2] * (1.0 + damping);
        double det = bb * pp - info[1] * info[1];
        il_curve t = *c;
        if (held || !(det > 0.0)) {
            t.b *= il_exp(fmax(fmin(score[0] / bb, 20.0), -20.0));
        } else {
            double to_p = c->p + (bb * score[1] - info[1] * score[0]) / det;
            t.p = fmin(fmax(to_p, least), ORDER_MOST);
            double by = (score[0] - info[1] * (t.p - c->p)) / bb;
            t.b *= il_exp(fmax(fmin(by, 20.0), -20.0));
        }
        t.deviance = deviance(d, &t, more, other);
        if (!(t.deviance < c->deviance)) {
            damping *= 10.0;
            continue;
        }
        bool settled = t.deviance > c->deviance * (1.0 - 1e-12);
        *c = t;
        if (settled) {
            return;
        }
        damping = fmax(damping * 0.1, 1e-12);
        for (int i = 0; i < 3; i++) {
            score[i % 2] = more[i % 2];
            info[i] = other[i];
        }
    }
}

void il_curve_fit_scale(const il_curve_data *d, il_curve *c) {
    double score[2];
    double info[3];
    c->b = scale_of(d, c);
    c->deviance = deviance(d, c, score, info);
}

/* ---- one more parameter --------------------------------------------------------------------- */

/* What a search of one number asks: the best curve for its value. */
typedef struct {
    const il_curve_data *data;
    double least;  /* of p */
    il_curve best; /* of all that were tried */
} search;

typedef void (*try_value)(search *s, il_curve *c, double value);

/* Keep the better one; returns D. */
static double try_at(search *s, try_value attempt, double value) {
    il_curve c = s->best;
    attempt(s, &c, value);
    if (c.deviance < s->best.deviance) {
        s->best = c;
    }
    return c.deviance;
}

/* Where the parabola through three points is least; golden section where that helps nothing. */
static double next_look(const double x[3], const double D[3]) {
    double left = (x[1] - x[0]) * (D[1] - D[2]);
    double right = (x[1] - x[2]) * (D[1] - D[0]);
    double at = x[1] - 0.5 * ((x[1] - x[0]) * left - (x[1] - x[2]) * right) / (left - right);
    double close = 1e-3 * (x[2] - x[0]);
    bool helps = at > x[0] + close && at < x[2] - close && fabs(at - x[1]) > 1e-9;
    bool longer_left = x[1] - x[0] > x[2] - x[1];
    double golden = x[1] + (1.0 - GOLDEN) * ((longer_left ? x[0] : x[2]) - x[1]);
    return helps ? at : golden;
}

/* The minimum between x[0] and x[2], about x[1] that is best of the three: successive parabolic
 * interpolation (Brent 1973, ch. 5), until the looks agree. */
static void narrow(search *s, try_value attempt, double x[3], double D[3]) {
    for (int k = 0; k < LOOKS && x[2] - x[0] > 1e-7; k++) {
        double at = next_look(x, D);
        double of = try_at(s, attempt, at);
        int side = at < x[1] ? 0 : 2; /* the end that the new point, or the old best, replaces */
        bool flat = fabs(of - D[1]) <= FLAT * D[1];
        if (of < D[1]) {
            x[2 - side] = x[1];
            D[2 - side] = D[1];
            x[1] = at;
            D[1] = of;
        } else {
            x[side] = at;
            D[side] = of;
        }
        if (flat && k > 2) {
            return;
        }
    }
}

/* A minimum at an end of the range is one if D grows from it on; else what lies beside it. */
static void look_at_end(search *s, try_value attempt, double end, double inner, double at_end,
                        double at_inner) {
    double near = end + 1e-4 * (inner - end);
    double of = try_at(s, attempt, near);
    if (of < at_end) {
        double x[3] = {fmin(end, inner), near, fmax(end, inner)};
        double D[3] = {end < inner ? at_end : at_inner, of, end < inner ? at_inner : at_end};
        narrow(s, attempt, x, D);
    }
}

/* The best of low to high, which may have several minima, into s->best; each of them into
 * found[*n] unless it is NULL. */
static void minimise(search *s, try_value attempt, double low, double high, il_curve *found,
                     size_t *n) {
    double cell = (high - low) / CELLS;
    double D[CELLS + 1];
    il_curve best = s->best;
    for (int k = 0; k <= CELLS; k++) {
        D[k] = try_at(s, attempt, low + k * cell);
    }
    for (int k = 0; k <= CELLS; k++) {
        bool least = (k == 0 || D[k] <= D[k - 1]) && (k == CELLS || D[k] <= D[k + 1]);
        if (least) {
            s->best.deviance = INFINITY;
            double at = low + k * cell;
            (void)try_at(s, attempt, at);
            if (k == 0 || k == CELLS) {
                int inner = k == 0 ? 1 : CELLS - 1;
                look_at_end(s, attempt, at, low + inner * cell, D[k], D[inner]);
            } else {
                double x[3] = {at - cell, at, at + cell};
                double of[3] = {D[k - 1], D[k], D[k + 1]};
                narrow(s, attempt, x, of);
            }
            if (found != NULL) {
                found[(*n)++] = s->best;
            }
            best = s->best.deviance < best.deviance ? s->best : best;
        }
    }
    s->best = best;
}

/* v, with b and p fitted. */
static void try_share(search *s, il_curve *c, double v) {
    c->v = v;
    c->b = 0.0;
    fit(s->data, s->least, c);
}

il_curve il_curve_power(const il_curve_data *d, double least) {
    il_curve c = {.p = 1.0};
    fit(d, least, &c);
    return c;
}

size_t il_curve_next(const il_curve_data *d, double least, il_curve found[IL_CURVE_MINIMA]) {
    size_t n = 0;
    for (int k = 0; k < 2; k++) {
        search s = {.data = d, .least = least, .best = il_curve_power(d, least)};
        s.best.half = k == 0;
        minimise(&s, try_share, SHARE_LEAST, SHARE_MOST, found, &n);
    }
    for (size_t k = 1; k < n; k++) {
        if (found[k].deviance < found[0].deviance) {
            il_curve best = found[k];
            found[k] = found[0];
            found[0] = best;
        }
    }
    return n;
}

/* v, with p given: b is exact. */
static void try_share_through(search *s, il_curve *c, double v) {
    const il_curve_data *d = s->data;
    const double *next = c->half ? d->root : d->whole;
    double sum = 0.0;
    c->v = v;
    for (size_t i = 0; i < d->n; i++) {
        sum += d->e[i] / shape_of(c, d->power[i], next[i]);
    }
    c->b = sum / (double)d->n;
    half_deviance half = {0.0, 1.0, 0};
    for (size_t i = 0; i < d->n; i++) {
        double mu = c->b * shape_of(c, d->power[i], next[i]);
        add_run(&half, (d->e[i] - mu) / mu);
    }
    c->deviance = deviance_of(&half);
}

il_curve il_curve_through(const il_curve_data *d, double p) {
    search s = {.data = d, .best = {.p = p, .deviance = INFINITY}};
    for (size_t i = 0; i < d->n; i++) {
        d->power[i] = il_exp(p * d->x[i]);
    }
    for (int k = 0; k < 2; k++) {
        il_curve before = s.best;
        s.best = (il_curve){.p = p, .half = k == 0, .deviance = INFINITY};
        minimise(&s, try_share_through, SHARE_LEAST, SHARE_MOST, NULL, NULL);
        s.best = before.deviance <= s.best.deviance ? before : s.best;
    }
    return s.best;
}

/* a, with b and p fitted. */
static void try_floor(search *s, il_curve *c, double a) {
    c->a = a;
    c->b = 0.0;
    fit(s->data, s->least, c);
}

il_curve il_curve_floor(const il_curve_data *d, double least) {
    search s = {.data = d, .least = least, .best = il_curve_power(d, least)};
    double finest = 1.0;
    double sum = 0.0;
    double n = 0.0;
    for (size_t i = 0; i < d->n; i++) {
        finest = fmin(finest, d->whole[i]);
    }
    for (size_t i = 0; i < d->n; i++) {
        bool in_octave = d->whole[i] <= 2.0 * finest;
        sum += in_octave ? d->e[i] : 0.0;
        n += in_octave;
    }
    minimise(&s, try_floor, 0.0, FLOOR_MOST * sum / n, NULL, NULL);
    return s.best;
}

il_curve il_curve_above(const il_curve_data *d, double least, double a) {
    const double shares[] = {0.0, 0.5, SHARE_MOST};
    il_curve best = {.deviance = INFINITY};
    for (int k = 0; k < 3; k++) {
        il_curve c = {.a = a, .p = 1.0, .v = shares[k]};
        fit(d, least, &c);
        best = c.deviance < best.deviance ? c : best;
    }
    return best;
}
