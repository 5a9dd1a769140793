/*
 * order_curve.c - fits the curves of order_curve.h.
 */
#include "harness/study/order/order_curve.h"

#include <math.h>

#include "harness/base/elementary.h"

static const double SHARE_MOST = 0.5;
/* Slopes that rise towards the fine end rise by r v at most beyond it. */
static const double RISE_MOST = 0.25;
/* No scheme is of an order above 8; errors that grow faster than h^-8 have blown up. */
static const double ORDER_MOST = 8.0;
static const double FALL_LEAST = 0.1; /* of what falls beside a floor */
/* ln v of floors: shares from 0.9999 to -50. */
static const double FLOOR_LOW = -9.2;
static const double FLOOR_HIGH = 3.93;

/* A search ends where two evaluations differ by this fraction. */
static const double FLAT = 1e-9;
/* Starting values of a search: D may have several minima. */
enum { CELLS = 10, LOOKS = 30, SCORING_STEPS = 40, SHAPES = 8 };
static const double LN2 = 0.693147180559945309;
static const double GOLDEN = 0.6180339887498949;

/* Half of a deviance, sum - ln(product 2^exponent): one logarithm for all runs. */
typedef struct {
    double sum, product;
    int exponent;
} half_deviance;

/* Add rho - ln(1 + rho) for 1 + rho = e/mu; its series where the difference would cancel. */
static void add_run(half_deviance *half, double ratio) {
    double rho = ratio - 1.0;
    if (fabs(rho) > 0.02) {
        int exponent = 0;
        half->sum += rho;
        half->product = frexp(half->product * ratio, &exponent);
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

static double bend_of(const il_curve *c, double next) {
    double bend = 1.0 + c->v * (next - 1.0);
    return c->inverse ? 1.0 / bend : bend;
}

double il_curve_at(const il_curve *c, double Y) {
    return c->b * il_pow(Y, c->p) * bend_of(c, il_pow(Y, c->r));
}

double il_curve_residuals(const il_curve_data *d, const il_curve *c, double *rho) {
    double sum = 0.0;
    for (size_t i = 0; i < d->n; i++) {
        rho[i] = d->e[i] / il_curve_at(c, il_exp(d->x[i])) - 1.0;
        sum += rho[i] * rho[i];
    }
    return sum;
}

/* ---- b, and p or the r of a floor ----------------------------------------------------------- */

/* The powers Y^p of a curve in room[0..n), and Y^r in room[n..2n). */
static void raise_to(const il_curve_data *d, double exponent, double *powers) {
    for (size_t i = 0; i < d->n; i++) {
        powers[i] = il_exp(exponent * d->x[i]);
    }
}

typedef struct {
    double score, info; /* of the free exponent, b fitted */
} moments;

/* b = mean of e/shape, D, and the moments, from the powers in the room. */
static moments evaluate(const il_curve_data *d, il_curve *c) {
    const double *power = d->room;
    const double *next = power + d->n;
    double *ratio = d->room + 2 * d->n;
    double n = (double)d->n;
    double sum = 0.0;
    double mean = 0.0;
    double square = 0.0;
    moments m = {0.0, 0.0};
    half_deviance half = {0.0, 1.0, 0};
    for (size_t i = 0; i < d->n; i++) {
        ratio[i] = d->e[i] / (power[i] * bend_of(c, next[i]));
        sum += ratio[i];
    }
    c->b = sum / n;
    for (size_t i = 0; i < d->n; i++) {
        double by = c->floor ? d->x[i] * c->v * next[i] / bend_of(c, next[i]) : d->x[i];
        double of = ratio[i] / c->b;
        add_run(&half, of);
        mean += by / n;
        square += by * by;
        m.score += by * (of - 1.0);
    }
    m.info = square - n * mean * mean;
    c->deviance = deviance_of(&half);
    return m;
}

/* Fit b and the free exponent, p >= least or the r of a floor, of a curve whose other parameters
 * and powers are given, by scoring. */
static void fit(const il_curve_data *d, double least, il_curve *c) {
    double *exponent = c->floor ? &c->r : &c->p;
    double *powers = c->floor ? d->room + d->n : d->room;
    double step = 1.0;
    *exponent = fmin(fmax(*exponent, least), ORDER_MOST);
    raise_to(d, *exponent, powers);
    moments m = evaluate(d, c);
    for (int k = 0; k < SCORING_STEPS && step > 1e-4 && m.info > 0.0; k++) {
        il_curve before = *c;
        double to = *exponent + step * fmax(fmin(m.score / m.info, 3.0), -3.0);
        to = fmin(fmax(to, least), ORDER_MOST);
        if (fabs(to - *exponent) <= 1e-13) {
            return;
        }
        *exponent = to;
        raise_to(d, to, powers);
        moments there = evaluate(d, c);
        if (c->deviance > before.deviance) {
            *c = before;
            step *= 0.25;
            continue;
        }
        if (before.deviance - c->deviance <= FLAT * c->deviance) {
            return;
        }
        m = there;
        step = fmin(1.0, 2.0 * step);
    }
}

/* ---- one more parameter --------------------------------------------------------------------- */

/* A search of one number, which asks for the best curve for its value. */
typedef struct {
    const il_curve_data *data;
    double least;  /* of the free exponent */
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
        /* of equal ones the first, so that there are (CELLS + 2)/2 at most */
        bool least = (k == 0 || D[k] < D[k - 1]) && (k == CELLS || D[k] <= D[k + 1]);
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

/* The share by its logit, so that curves that part far from the fine end are not missed. */
static void share(il_curve *c, double logit) {
    c->v = 1.0 / (1.0 + il_exp(-logit));
}

static void try_share(search *s, il_curve *c, double logit) {
    share(c, logit);
    fit(s->data, s->least, c);
}

static void try_share_through(search *s, il_curve *c, double logit) {
    share(c, logit);
    (void)evaluate(s->data, c);
}

/* Search all shapes of bent curves; the range of the share begins where it is e^-4 at the coarsest
 * step. */
static void search_bent(search *s, try_value attempt, il_curve *found, size_t *n) {
    const il_curve_data *d = s->data;
    il_curve line = s->best;
    il_curve best = line;
    for (int k = 0; k < SHAPES; k++) {
        s->best = line;
        s->best.deviance = INFINITY;
        const int halves = 1 + k / 2;
        s->best.r = 0.5 * halves;
        s->best.inverse = k % 2 == 1;
        double most = s->best.inverse ? fmin(SHARE_MOST, RISE_MOST / s->best.r) : SHARE_MOST;
        raise_to(d, s->best.r, d->room + d->n);
        minimise(s, attempt, -s->best.r * d->x[d->n - 1] - 4.0, il_log(most / (1.0 - most)), found,
                 n);
        best = s->best.deviance < best.deviance ? s->best : best;
    }
    s->best = best;
}

il_curve il_curve_line(const il_curve_data *d, double least) {
    il_curve c = {.p = 1.0, .r = 1.0};
    raise_to(d, 0.0, d->room + d->n);
    fit(d, least, &c);
    return c;
}

size_t il_curve_bent(const il_curve_data *d, double least, il_curve found[IL_CURVE_MINIMA]) {
    size_t n = 1;
    found[0] = il_curve_line(d, least);
    search s = {.data = d, .least = least, .best = found[0]};
    search_bent(&s, try_share, found, &n);
    for (size_t k = 1; k < n; k++) {
        if (found[k].deviance < found[0].deviance) {
            il_curve best = found[k];
            found[k] = found[0];
            found[0] = best;
        }
    }
    return n;
}

il_curve il_curve_through(const il_curve_data *d, double p) {
    search s = {.data = d, .best = {.p = p, .r = 1.0}};
    raise_to(d, p, d->room);
    raise_to(d, 0.0, d->room + d->n);
    (void)evaluate(d, &s.best);
    search_bent(&s, try_share_through, NULL, NULL);
    return s.best;
}

/* ---- floors --------------------------------------------------------------------------------- */

static void try_floor(search *s, il_curve *c, double log_v) {
    c->v = il_exp(log_v);
    fit(s->data, s->least, c);
}

static search floors(const il_curve_data *d, double p) {
    raise_to(d, p, d->room);
    return (search){.data = d,
                    .least = FALL_LEAST,
                    .best = {.p = p, .r = 1.0, .floor = true, .deviance = INFINITY}};
}

il_curve il_curve_floor(const il_curve_data *d, double p) {
    search s = floors(d, p);
    minimise(&s, try_floor, FLOOR_LOW, FLOOR_HIGH, NULL, NULL);
    return s.best;
}

il_curve il_curve_floor_of(const il_curve_data *d, double q) {
    search s = floors(d, 0.0);
    il_curve best = s.best;
    const double starts[] = {0.5, 1.0, 3.0};
    for (int k = 0; k < 3; k++) {
        il_curve c = s.best;
        c.v = 1.0 - q;
        c.r = starts[k];
        fit(d, s.least, &c);
        best = c.deviance < best.deviance ? c : best;
    }
    return best;
}
