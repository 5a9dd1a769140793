/*
 * order.c - fits an order of convergence and judges a claim: order.h.
 */
#include "harness/study/order/order.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/elementary.h"

/* An order below this counts as none; and the tolerance of a claimed order below an interval: the
 * resolution of a study of a few octaves. */
static const double MARGIN = 0.1;
/* The slowest order that the literature proves of a scheme: Venel's and catching-up. */
static const double SLOWEST = 0.5;
static const double SEEN = 0.95;
static const double SURE = 0.995;
/* A constant error component of half of the finest errors is as large as the decreasing one, up to
 * rounding of the fit. */
static const double HALF = 0.5 - 1e-6;
/* Errors are trusted to six digits, so that the dispersion is never 0. */
static const double DISPERSION_LEAST = 1e-12;
static const double ORDER_LEAST = -8.0;

enum {
    RUNS_LEAST = 5,
    GROUPED = 500,
    OCTAVES = 1100,
    PARAMETERS = 3,
    ROUNDINGS = 8,
    DOUBLINGS = 40,
    LOOKS = 30
};
static const double REFERENCES = 10.0; /* errors below it cannot be told from the reference's own */

const char *il_verdict_name(il_verdict verdict) {
    static const char *const names[] = {"PASS", "FAIL", "INCONCLUSIVE", "REPORTED"};
    return (unsigned)verdict < sizeof names / sizeof names[0] ? names[verdict] : "unknown";
}

il_order_causes il_order_causes_of(double steps, double size, double tolerance, double violation,
                                   double reference) {
    double n = fmax(steps, 1.0); /* fmax passes over NaN */
    return (il_order_causes){.rounding = ROUNDINGS * n * DBL_EPSILON * (size > 0.0 ? size : 1.0),
                             .tolerance = n * fmax(fmax(tolerance, violation), 0.0),
                             .reference = fmax(reference, 0.0)};
}

/* Returns false, for a study that ends here. */
static bool decide(il_order *o, il_verdict verdict, const char *format, ...) {
    va_list args;
    va_start(args, format);
    o->verdict = verdict;
    (void)vsnprintf(o->reason, sizeof o->reason, format, args);
    va_end(args);
    return false;
}

/* ---- the runs ------------------------------------------------------------------------------- */

typedef struct {
    il_curve_data runs; /* e in units of the largest error */
    double *room;       /* of their arrays */
    double unit;
    size_t at_rounding;
} study;

/* Are all errors finite, and distances to one limit? Without a claim a failed run gives no
 * verdict. */
static bool sound(const il_order_data *d, const il_claim *claim, il_order *o) {
    size_t bad = 0;
    size_t finest = 0;
    size_t others = 0;
    for (size_t i = 0; i < d->n; i++) {
        bad += !(d->error[i] >= 0.0) || isinf(d->error[i]);
        finest = d->h[i] < d->h[finest] ? i : finest;
    }
    if (bad > 0 && bad <= d->unmeasured) {
        return decide(o, IL_ORDER_INCONCLUSIVE, "%zu of %zu runs did not measure this norm", bad,
                      d->n);
    }
    if (bad > 0) {
        return decide(o, IL_ORDER_FAIL,
                      "%zu of %zu runs failed: their errors are NaN, infinite or negative", bad,
                      d->n);
    }
    for (size_t i = 0; d->limit != NULL && i < d->n; i++) {
        others += d->limit[i] != d->limit[finest];
    }
    o->several_limits = others > 0;
    if (others > 0) {
        bool rate = claim != NULL && claim->kind != IL_CLAIM_CONVERGES;
        return decide(o, rate ? IL_ORDER_FAIL : IL_ORDER_INCONCLUSIVE,
                      "no single limit: %zu of %zu runs are nearest to another solution than the "
                      "finest",
                      others, d->n);
    }
    return true;
}

/* The first octave, counted from the coarsest step H, in which half of the runs or more are at
 * rounding level; it and finer ones are not used. */
static double rounding_from(const il_order_data *d, double H, double h_min) {
    double top = H;
    for (int k = 0; k < OCTAVES && top >= h_min; k++, top *= 0.5) {
        size_t n = 0;
        size_t low = 0;
        for (size_t i = 0; i < d->n; i++) {
            bool in_octave = d->h[i] <= top && d->h[i] > 0.5 * top;
            n += in_octave;
            low += in_octave && d->error[i] <= d->causes.rounding;
        }
        if (n > 0 && 2 * low >= n) {
            return top;
        }
    }
    return 0.0;
}

typedef struct {
    double h, e;
} run;

static int coarsest_first(const void *a, const void *b) {
    const run *r = a;
    const run *q = b;
    return r->h != q->h ? (r->h < q->h) - (r->h > q->h) : (r->e > q->e) - (r->e < q->e);
}

/* The runs that are used, sorted; of more than GROUPED the means of that many groups of neighbours,
 * which is enough for a mean over phases. s->room is the caller's to free. */
static il_status open_runs(const il_order_data *d, study *s, il_order *o, il_error *err) {
    run *runs = malloc((d->n + 1) * sizeof *runs);
    s->room = malloc((GROUPED + 1) * 5 * sizeof *s->room);
    if (runs == NULL || s->room == NULL) {
        free(runs);
        return il_fail(err, IL_ENOMEM, "no memory for %zu runs of a study", d->n);
    }
    for (size_t i = 0; i < d->n; i++) {
        runs[i] = (run){d->h[i], d->error[i]};
    }
    qsort(runs, d->n, sizeof *runs, coarsest_first);
    size_t n = d->n;
    double cut = n > 0 ? rounding_from(d, runs[0].h, runs[n - 1].h) : 0.0;
    while (n > 0 && runs[n - 1].h <= cut) {
        n--;
    }
    size_t groups = n < GROUPED ? n : GROUPED;
    double *x = s->room;
    double *root = x + GROUPED;
    double *whole = root + GROUPED;
    double *e = whole + GROUPED;
    for (size_t i = 0; i < n; i++) {
        s->unit = fmax(s->unit, runs[i].e);
    }
    s->unit = s->unit > 0.0 ? s->unit : 1.0;
    for (size_t k = 0; k < groups; k++) {
        size_t from = k * n / groups;
        size_t to = (k + 1) * n / groups;
        x[k] = e[k] = 0.0;
        for (size_t i = from; i < to; i++) {
            x[k] += il_log(runs[i].h / runs[0].h) / (double)(to - from);
            e[k] += runs[i].e / s->unit / (double)(to - from);
        }
        whole[k] = il_exp(x[k]);
        root[k] = sqrt(whole[k]);
    }
    o->used = n;
    o->h_max = n > 0 ? runs[0].h : NAN;
    o->h_min = n > 0 ? runs[n - 1].h : NAN;
    o->octaves = n > 0 ? il_log(o->h_max / o->h_min) / il_log(2.0) : 0.0;
    s->at_rounding = d->n - n;
    s->runs = (il_curve_data){groups, x, root, whole, e, e + GROUPED};
    free(runs);
    return IL_OK;
}

static bool enough(const study *s, const il_claim *claim, il_order *o, double rounding) {
    bool exact = 2 * s->at_rounding > o->runs;
    if (exact) {
        bool any_rate = claim == NULL || claim->kind != IL_CLAIM_SHARP;
        return decide(
            o, any_rate ? IL_ORDER_PASS : IL_ORDER_INCONCLUSIVE,
            "%zu of %zu errors are at rounding (%.2g): the scheme is exact here, or nearly",
            s->at_rounding, o->runs, rounding);
    }
    if (o->used < RUNS_LEAST) {
        return decide(o, IL_ORDER_INCONCLUSIVE, "%zu runs are too few: an order needs %d", o->used,
                      RUNS_LEAST);
    }
    if (o->octaves < 2.0 - 1e-9) {
        return decide(o, IL_ORDER_INCONCLUSIVE,
                      "the steps span a factor of %.3g: an order needs 4, two octaves",
                      o->h_max / o->h_min);
    }
    return true;
}

/* ---- the order ------------------------------------------------------------------------------ */

static double quantile(double level, size_t n) {
    return gsl_cdf_tdist_Pinv(level, (double)(n - PARAMETERS));
}

static double dispersion(const il_curve_data *d, const il_curve *c) {
    double phi = il_curve_pearson(d, c) / (double)(d->n - PARAMETERS);
    return fmax(phi, DISPERSION_LEAST);
}

/* The deviance of the best curve for a given value of the profiled parameter: p, or a floor. */
typedef double (*profile)(const il_curve_data *d, double value);

static double of_next(const il_curve_data *d, double p) {
    return il_curve_through(d, p).deviance;
}

static double of_power(const il_curve_data *d, double p) {
    il_curve c = {.p = p};
    il_curve_fit_scale(d, &c);
    return c.deviance;
}

static double of_floor(const il_curve_data *d, double a) {
    return il_curve_above(d, MARGIN, a).deviance;
}

/* Where the signed square root of a profile above its minimum, in standard deviations, reaches t,
 * on the side of `from` that step points to. The root is nearly linear, so regula falsi (Illinois)
 * takes few evaluations. */
static double end_of(const il_curve_data *d, profile of, const il_curve *best, double phi, double t,
                     double from, double step) {
    double a = from;
    double b = from;
    double fa = -t;
    double fb = -t;
    for (int k = 0; k < DOUBLINGS && !(fb > 0.0); k++, step *= 2.0) {
        a = b;
        fa = fb;
        b = from + step;
        fb = sqrt(fmax(of(d, b) - best->deviance, 0.0) / phi) - t;
    }
    for (int k = 0; k < LOOKS && fb > 0.0 && fabs(b - a) > 1e-4 * fabs(b - from); k++) {
        double c = (a * fb - b * fa) / (fb - fa);
        double fc = sqrt(fmax(of(d, c) - best->deviance, 0.0) / phi) - t;
        if (fc > 0.0) {
            b = c;
            fb = fc;
            fa *= 0.5;
        } else {
            a = c;
            fa = fc;
            fb = fc < -1e-3 * t ? fb * 0.5 : fb;
        }
    }
    return b;
}

/* The standard error of a power's order, as a first guess of widths. */
static double width(const il_curve_data *d, double phi) {
    double mean = 0.0;
    double square = 0.0;
    for (size_t i = 0; i < d->n; i++) {
        mean += d->x[i] / (double)d->n;
    }
    for (size_t i = 0; i < d->n; i++) {
        square += (d->x[i] - mean) * (d->x[i] - mean);
    }
    return sqrt(phi / square);
}

/* The hull of all orders p for which a curve has a deviance at most t^2 phi above the minimum: from
 * each minimum outwards, as there may be several. */
static void interval(const il_curve_data *d, const il_curve *found, size_t n, double t, double *low,
                     double *high) {
    double phi = dispersion(d, &found[0]);
    double step = t * width(d, phi);
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t k = 0; k < n; k++) {
        double p = found[k].p;
        if (found[k].deviance <= found[0].deviance + t * t * phi) {
            *low = p < *low ? end_of(d, of_next, &found[0], phi, t, p, -step) : *low;
            *high = p > *high ? end_of(d, of_next, &found[0], phi, t, p, step) : *high;
        }
    }
}

static void fit_order(const study *s, il_order *o, double level, double sure) {
    const il_curve_data *d = &s->runs;
    il_curve found[IL_CURVE_MINIMA];
    size_t n = il_curve_next(d, ORDER_LEAST, found);
    o->order = found[0].p;
    interval(d, found, n, quantile(0.75 + 0.25 * level, d->n), &o->low, &o->high);
    interval(d, found, n, quantile(0.5 + 0.5 * sure, d->n), &o->sure_low, &o->sure_high);
    o->scatter = sqrt(dispersion(d, &found[0]));
    o->curve = found[0];
    o->curve.b *= s->unit;
    o->finest = il_curve_at(&o->curve, o->h_min / o->h_max);
}

/* An end of the interval for the order of a pure power: the trend of the errors over the whole
 * range. */
static double power_end(const il_curve_data *d, double level, double side) {
    il_curve best = il_curve_power(d, ORDER_LEAST);
    double phi = dispersion(d, &best);
    double t = quantile(level, d->n);
    return end_of(d, of_power, &best, phi, t, best.p, side * t * width(d, phi));
}

/* ---- the floor ------------------------------------------------------------------------------ */

/* The best floor; its significance, to be compared with Student's quantile, in *t. */
static il_curve fit_floor(const study *s, const il_curve *best, double *t) {
    const il_curve_data *d = &s->runs;
    const double slowest = SLOWEST - MARGIN;
    il_curve floor = il_curve_floor(d, MARGIN);
    double power = il_curve_power(d, MARGIN).deviance;
    il_curve next[IL_CURVE_MINIMA] = {*best};
    if (best->p < slowest) {
        (void)il_curve_next(d, slowest, next);
    }
    double gain = fmin(power, next[0].deviance) - floor.deviance;
    *t = sqrt(fmax(gain, 0.0) / dispersion(d, &floor));
    return floor;
}

/* The largest floor that is not excluded: the profile is followed outwards from each of the two
 * minima, with and without a next power. */
static double bound_floor(const study *s, const il_curve *floor, double level) {
    const il_curve_data *d = &s->runs;
    il_curve with = il_curve_above(d, MARGIN, floor->a);
    il_curve without = il_curve_above(d, MARGIN, 0.0);
    const il_curve *best = without.deviance < with.deviance ? &without : &with;
    double phi = dispersion(d, best);
    double t = quantile(level, d->n);
    double step = fmax(0.1 * floor->a, 1e-3 * floor->b);
    bool may = with.deviance <= best->deviance + t * t * phi;
    return s->unit * end_of(d, of_floor, best, phi, t, may ? with.a : 0.0, step);
}

/* ---- the verdict ---------------------------------------------------------------------------- */

/* The known cause of an error component of that size; NULL: none. */
static const char *cause_of(const il_order_causes *causes, double floor) {
    return floor <= causes->rounding                 ? "rounding"
           : floor <= causes->tolerance              ? "the projector's tolerance"
           : floor <= REFERENCES * causes->reference ? "the reference's own error"
                                                     : NULL;
}

typedef struct {
    bool floor_seen, floor_sure; /* at 95 and 99.5 % */
    double share;                /* of the floor in the finest errors */
    double power_high;           /* upper 99.5 % end of the power */
} findings;

static bool refuted(il_order *o, const il_claim *claim, const findings *f) {
    double claimed = claim->kind == IL_CLAIM_CONVERGES ? MARGIN : claim->order;
    if (f->power_high < MARGIN) {
        (void)decide(o, IL_ORDER_FAIL, "the errors do not fall");
    } else if (f->floor_sure && f->share >= HALF) {
        (void)decide(o, IL_ORDER_FAIL, "they tend to a floor of %.2g, %.0f %% of the finest error",
                     o->floor, 100.0 * f->share);
    } else if (o->sure_high < claimed) {
        (void)decide(o, IL_ORDER_FAIL, "order %g is refuted: at most %.2f", claimed, o->sure_high);
    } else if (claim->kind == IL_CLAIM_SHARP && o->sure_low > claimed + MARGIN) {
        (void)decide(o, IL_ORDER_FAIL, "order %g is refuted: at least %.2f", claimed, o->sure_low);
    } else {
        return false;
    }
    return true;
}

static void judge(il_order *o, const il_order_causes *causes, const il_claim *claim,
                  const findings *f) {
    bool converges = claim->kind == IL_CLAIM_CONVERGES;
    bool sharp = claim->kind == IL_CLAIM_SHARP;
    double factor = claim->factor > 0.0 ? claim->factor : IL_ORDER_FACTOR;
    double least = converges ? MARGIN : claim->order - MARGIN;
    bool stand = f->floor_seen || f->power_high < MARGIN;
    const char *cause = stand ? cause_of(causes, f->floor_seen ? o->floor : o->finest) : NULL;
    if (cause == NULL && refuted(o, claim, f)) {
        return;
    }
    if (cause != NULL) {
        (void)decide(o, IL_ORDER_INCONCLUSIVE, "they end at %.2g, which %s may make",
                     f->floor_seen ? o->floor : o->finest, cause);
    } else if (f->floor_seen) {
        (void)decide(o, IL_ORDER_INCONCLUSIVE,
                     "a floor of %.2g may be there, %.0f %% of the finest "
                     "error: two more octaves would tell",
                     o->floor, 100.0 * f->share);
    } else if (!(o->fold >= factor)) {
        (void)decide(o, IL_ORDER_INCONCLUSIVE,
                     "they fall by less than a factor of %g: twice as many octaves would tell",
                     factor);
    } else if (sharp && !(o->low <= claim->order && claim->order <= o->high)) {
        (void)decide(o, IL_ORDER_INCONCLUSIVE, "the interval does not hold the claimed order %g",
                     claim->order);
    } else if (!sharp && !(o->low >= least)) {
        (void)decide(o, IL_ORDER_INCONCLUSIVE, "the interval reaches below %.2g", least);
    } else if (converges) {
        (void)decide(o, IL_ORDER_PASS, "as claimed");
    } else {
        (void)decide(o, IL_ORDER_PASS, "order %g%s, as claimed", claim->order,
                     sharp ? "" : " at least");
    }
}

static void fit_and_judge(const study *s, const il_order_data *data, const il_claim *claim,
                          il_order *o) {
    double rounds = fmax((double)data->rounds, 1.0);
    double seen = 1.0 - (1.0 - SEEN) / rounds;
    double sure = 1.0 - (1.0 - SURE) / rounds;
    findings f;
    double t;
    fit_order(s, o, 1.0 - (1.0 - o->level) / rounds, sure);
    o->fold = il_exp(il_log(2.0) * o->octaves * power_end(&s->runs, seen, -1.0));
    f.power_high = power_end(&s->runs, sure, 1.0);
    il_curve floor = fit_floor(s, &o->curve, &t);
    o->floor = s->unit * floor.a;
    o->floor_high = bound_floor(s, &floor, 0.75 + 0.25 * seen);
    f.share = floor.a / il_curve_at(&floor, o->h_min / o->h_max);
    f.floor_seen = t > quantile(seen, s->runs.n);
    f.floor_sure = t > quantile(sure, s->runs.n);
    if (f.floor_seen) {
        o->curve = floor;
        o->curve.a *= s->unit;
        o->curve.b *= s->unit;
        o->finest = il_curve_at(&o->curve, o->h_min / o->h_max);
    }
    if (claim != NULL) {
        judge(o, &data->causes, claim, &f);
    }
}

/* ---- interface ------------------------------------------------------------------------------ */

static il_status check(const il_order_data *d, double level, il_error *err) {
    if (!(level > 0.0 && level < 1.0)) {
        return il_fail(err, IL_EINVAL, "level: %g; allowed: in (0, 1)", level);
    }
    if (d->n > IL_ORDER_RUNS_MAX) {
        return il_fail(err, IL_EINVAL, "%zu runs; allowed: at most %d", d->n, IL_ORDER_RUNS_MAX);
    }
    for (size_t i = 0; i < d->n; i++) {
        if (!(d->h[i] > 0.0) || isinf(d->h[i])) {
            return il_fail(err, IL_EINVAL, "h[%zu]: %g; allowed: a finite number > 0", i + 1,
                           d->h[i]);
        }
    }
    return IL_OK;
}

il_status il_order_fit(const il_order_data *data, double level, const il_claim *claim,
                       il_order *out, il_error *err) {
    study s = {.room = NULL};
    *out = (il_order){.order = NAN,
                      .low = NAN,
                      .high = NAN,
                      .level = level,
                      .sure_low = NAN,
                      .sure_high = NAN,
                      .fold = NAN,
                      .octaves = NAN,
                      .h_max = NAN,
                      .h_min = NAN,
                      .finest = NAN,
                      .floor = NAN,
                      .floor_high = NAN,
                      .scatter = NAN,
                      .runs = data->n};
    il_status status = check(data, level, err);
    if (status != IL_OK) {
        return status;
    }
    if (sound(data, claim, out)) {
        status = open_runs(data, &s, out, err);
        if (status == IL_OK && enough(&s, claim, out, data->causes.rounding)) {
            fit_and_judge(&s, data, claim, out);
        }
        free(s.room);
    }
    if (data->barred != NULL) {
        (void)decide(out, IL_ORDER_REPORTED, "%s", data->barred);
    } else if (claim == NULL && isnan(out->order)) {
        out->verdict = IL_ORDER_REPORTED; /* the reason stands */
    } else if (claim == NULL) {
        (void)decide(out, IL_ORDER_REPORTED, "nothing is claimed");
    }
    return status;
}
