/*
 * order_study.c - a study from its runs to its verdict: the steps that the head of order.h numbers.
 */
#include "harness/study/order/order_study.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>

#include "harness/study/order/order_judge.h"
#include "harness/study/order/order_lines.h"
#include "harness/study/order/order_math.h"
#include "harness/study/order/order_part.h"
#include "harness/study/order/order_plateau.h"

/* A bend of so many standard errors is one (1 % by chance). */
static const double BENT = 2.6;

/* Where the finer octaves fall faster than the coarser ones, by two standard errors (it only
 * widens), the order may go on to rise: by so many times as much. For h log(1/h), h from 1/64 to
 * 1/2048, it is 2.6 times. Or errors drop there once, between two parts that fall alike: the
 * interval covers the coarser octaves' slope, too. */
static const double DRIFTS = 2.0;
static const double DRIFT = 3.0;

/* How far the next power of h is from the order at least. */
static const double NEXT_POWER = 0.5;

/* Scatter that grows with so many standard errors (5 % by chance; it only widens). */
static const double GROWS = 1.645;

/* What refutes a claim is surer than what an interval leaves out: at most one such verdict of a
 * hundred may be wrong. */
static const double REFUTES = 0.99;

/* Branches that fall at least so fast converge, each at its rate. */
static const double FLAT = 0.25;

/* A floor that is needed reaches this part of the finest errors. */
static const double NEAR = 0.5;

/* The standard error of so few runs is itself hardly known, phases do not scatter like Student's
 * distribution, and whether the scatter grows is not seen: the interval covers that of Theil and
 * Sen, which holds for any scatter, and that of the finer half. */
enum { FEW_RUNS = 16 };

/* Octaves from the coarsest to the finest step without which there is no verdict. */
static const double NARROW = 2.0;

enum { KEPT_LEVELS = 4, KEPT_POINTS = 6 };

/* ---- is there one order? -------------------------------------------------------------------- */

static bool enough_runs(il_order *o, const il_order_points *s, double rounding) {
    if (2 * o->at_rounding > o->runs - o->repeated) {
        o->cause = IL_PLATEAU_ROUNDING;
        return il_order_decide(o, IL_ORDER_INCONCLUSIVE,
                               "most errors are at rounding level (%zu of %zu are at most %.2g): "
                               "the scheme is exact here, or nearly",
                               o->at_rounding, o->runs, rounding);
    }
    if (s->n < IL_ORDER_POINTS_LEAST || il_order_steps_used(s) < IL_ORDER_STEPS_LEAST) {
        return il_order_decide(o, IL_ORDER_INCONCLUSIVE,
                               "too few runs: an order needs four, with three different steps; "
                               "there are %zu, %zu of them at rounding",
                               o->runs, o->at_rounding);
    }
    return true;
}

/* Runs that the caller knows to be near another solution than the finest. */
static size_t others(const il_order_data *data) {
    size_t count = 0;
    size_t finest = 0;
    for (size_t i = 0; i < data->n; i++) {
        finest = data->h[i] < data->h[finest] ? i : finest;
    }
    for (size_t i = 0; data->limit != NULL && i < data->n; i++) {
        count += data->limit[i] != data->limit[finest];
    }
    return count;
}

/* Do all runs follow one power law? Two rates are several orders, and no convergence at all of some
 * runs several limits. A few runs that fall faster are special steps, which the fit passes over. */
static bool one_limit(il_order *o, const il_order_data *data, const il_order_points *s,
                      const il_claim *claim) {
    size_t elsewhere = others(data);
    il_split split = il_line_split(s->x, s->y, s->n, s->branch);
    bool rates = elsewhere == 0 && split.upper > FLAT;
    bool special = rates && 4 * (s->n - split.upper_n) < s->n;
    if (elsewhere == 0 && (!split.two || special)) {
        return true;
    }
    bool order_claimed = claim != NULL && claim->kind != IL_CLAIM_CONVERGES;
    il_verdict verdict = order_claimed && !rates ? IL_ORDER_FAIL : IL_ORDER_INCONCLUSIVE;
    o->several_limits = !rates;
    if (elsewhere > 0) {
        return il_order_decide(o, verdict,
                               "no single limit: %zu of %zu runs are nearest to another solution "
                               "than the finest",
                               elsewhere, data->n);
    }
    if (rates) {
        return il_order_decide(o, verdict,
                               "no single order: the errors of %zu of %zu runs fall with slope "
                               "%.2f, those of the others with %.2f",
                               split.upper_n, data->n, split.upper, split.lower);
    }
    return il_order_decide(o, verdict,
                           "no single limit: the errors of %zu of %zu runs stay away (slope %.2f) "
                           "from what the others tend to (slope %.2f)",
                           split.upper_n, data->n, split.upper, split.lower);
}

/* ---- the order ------------------------------------------------------------------------------ */

/* What remains of a plateau may be too little for a slope. */
static bool enough_left(il_order *o, const il_order_points *s) {
    if (o->cause == IL_PLATEAU_NONE || (il_order_levels_used(s) >= IL_ORDER_LEVELS_LEAST &&
                                        il_order_steps_used(s) >= IL_ORDER_STEPS_LEAST &&
                                        s->to - s->from >= IL_ORDER_POINTS_LEAST)) {
        return true;
    }
    bool fails = o->cause == IL_PLATEAU_UNEXPLAINED;
    return il_order_decide(o, fails ? IL_ORDER_FAIL : IL_ORDER_INCONCLUSIVE,
                           "the errors stop falling at %.2g (%s) before three levels show an order",
                           o->plateau, il_plateau_name(o->cause));
}

/* Coarse levels where the next power of h is seen are not of the order that is asked for. */
static void drop_coarse(il_order_points *s, il_order *o) {
    il_trend trend;
    while (il_order_levels_used(s) > KEPT_LEVELS && il_order_fit_all(s, &trend) &&
           fabs(trend.bend[0]) > BENT) {
        il_order_points rest = *s;
        il_order before = *o;
        il_order_drop(s, o, false, trend.bend[0]);
        if (s->to - s->from < KEPT_POINTS) {
            *s = rest;
            *o = before;
            return;
        }
    }
}

/* The order's interval covers the other estimates: where they part, none is known to be right. */
static void widen(il_order_slope *to, double low, double high) {
    to->low = low < to->low ? low : to->low;
    to->high = high > to->high ? high : to->high;
}

/* Do the finer octaves fall faster than the coarser ones, dropped ones among them? */
static void widen_by_drift(il_order_slope *to, const il_order_slope *half,
                           const il_order_slope *coarse, double confidence) {
    double t = il_order_normal_quantile(0.5 + 0.5 * confidence);
    double a = (half->high - half->slope) / t;
    double b = (coarse->high - coarse->slope) / t;
    double drift = half->slope - coarse->slope;
    if (drift > DRIFTS * sqrt(a * a + b * b)) {
        to->high = fmax(to->high, half->slope + DRIFT * drift);
        to->low = fmin(to->low, coarse->slope);
    }
}

/* What a next power u = c h^r, r = 1/2, adds to the slope, r u/(1 + u), is the larger the coarser
 * the octaves. Of two slopes at steps whose u have the ratio `less` < 1, the coarser one is larger
 * by `drift`: what is added to the finer one. Richardson's extrapolation where u is small; where it
 * is not, the slope hardly changes over the coarser octaves, and r (1 - less^(1/2))/(1 +
 * less^(1/2)) is the largest drift that there is: larger ones are taken for that. */
static double added_by_next_power(double drift, double less) {
    double root = sqrt(less);
    double d = fmin(fmax(drift / NEXT_POWER, 0.0), (1.0 - root) / (1.0 + root));
    /* d less u^2 + (d (1 + less) - (1 - less)) u + d = 0, the smaller u */
    double half = 0.5 * (1.0 - less - d * (1.0 + less));
    double u = d / (half + sqrt(fmax(half * half - d * d * less, 0.0)));
    return NEXT_POWER * u * less / (1.0 + u * less);
}

/* The next power of h may be as near as h^(p + 1/2). The order may lie as far below the slope of
 * the finer half as the slope of the coarser octaves says, D being the distance of their middles in
 * log h, and its bound with the scatter of both. */
static void widen_by_next_power(il_order_slope *to, const il_order_slope *half,
                                const il_order_slope *coarse, double distance) {
    double less = il_order_exp(-NEXT_POWER * distance);
    double share = less / (1.0 - less);
    double a = (1.0 + share) * (half->high - half->slope);
    double b = share * (coarse->high - coarse->slope);
    double drift = coarse->slope - half->slope;
    double added = drift > 0.0 ? added_by_next_power(drift, less) : share * drift;
    double low = half->slope - added - sqrt(a * a + b * b);
    to->low = fmin(to->low, low); /* NaN where the coarser half has too few runs */
}

/* Does the relative scatter grow as h falls? Phases scatter all errors of one power law alike;
 * where coarse octaves scatter less, another term makes most of their errors. By Kendall's
 * statistic of the residuals' sizes, which fit_all left in s->work. */
static bool scatter_grows(const il_order_points *s) {
    size_t n = s->to - s->from;
    for (size_t i = 0; i < n; i++) {
        s->work[i] = fabs(s->work[i]);
    }
    return n <= IL_ORDER_SEN_MAX && il_line_kendall(s->x + s->from, s->work, n) < -GROWS;
}

/* How far the line through the runs from `from` on may be turned by the reference's own error r: an
 * error e is e - r to e + r from the truth. Of least squares; 0.9 e is all that is taken off. */
static double turned(const il_order_points *s, const il_trend *trend, size_t from) {
    const double most = 0.9;
    double mean = gsl_stats_mean(s->x + from, 1, s->to - from);
    double square = 0.0;
    double sum = 0.0;
    for (size_t i = from; i < s->to; i++) {
        double z = s->x[i] - mean;
        double part = s->reference * il_order_exp(-trend->constant - trend->slope * s->x[i]);
        square += z * z;
        sum -= fabs(z) * il_order_log(1.0 - fmin(part, most));
    }
    return square > 0.0 ? sum / square : 0.0;
}

/* The interval of the order at a confidence; beside it the slopes that it covers. */
static il_order_slope interval(const il_order_points *s, const il_trend *trend, bool grows,
                               double confidence, il_order_slope *of_sen, il_order_slope *of_half) {
    size_t n = s->to - s->from;
    double t = il_order_t_quantile(0.5 + 0.5 * confidence, trend->freedom) * trend->error;
    il_order_slope to = {trend->slope, trend->slope - t, trend->slope + t};
    il_trend above; /* a floor only flattens: from below the order needs no allowance for one */
    if (il_order_fit_with(s, 0.0, &above)) {
        t = il_order_t_quantile(0.5 + 0.5 * confidence, above.freedom) * above.error;
        to.low = fmin(fmax(to.low, above.slope - t), to.slope);
    }
    double octaves = (s->x[s->from] - s->x[s->to - 1]) / IL_ORDER_LN2;
    size_t middle = il_order_fine_from(s, 0.5 * octaves);
    il_order_slope half = il_order_fit_part(s, middle, s->to, trend, confidence);
    il_order_slope coarse = il_order_fit_part(s, 0, middle, trend, confidence);
    double distance =
        gsl_stats_mean(s->x, 1, middle) - gsl_stats_mean(s->x + middle, 1, s->to - middle);
    if (n <= IL_ORDER_SEN_MAX) {
        il_sen sen =
            il_line_sen(s->x + s->from, s->y + s->from, n, confidence, s->repeats, s->work);
        *of_sen = (il_order_slope){sen.slope, sen.low, sen.high};
        widen(&to, sen.slope, sen.slope);
        if (n < FEW_RUNS && isfinite(sen.low) && isfinite(sen.high)) {
            widen(&to, sen.low, sen.high);
        }
    }
    /* fewer runs that tell more than all, or scatter that grows: the coarser octaves are not of the
     * finer ones' order */
    if (half.high - half.low < to.high - to.low || grows || n < FEW_RUNS) {
        widen(&to, half.low, half.high);
    }
    widen(&to, half.slope, half.slope);
    widen_by_drift(&to, &half, &coarse, confidence);
    widen_by_next_power(&to, &half, &coarse, distance);
    if (s->reference > 0.0) {
        double by = turned(s, trend, s->from);
        widen(&to, to.low - by, to.high + by);
        by = turned(s, trend, middle);
        widen(&to, half.slope - by, half.slope + by);
    }
    *of_half = half;
    return to;
}

/* The slope of least squares, as if the errors were one power with equal scatter. */
static il_order_slope plain(const il_order_points *s, double confidence) {
    size_t n = s->to - s->from;
    il_line l = il_line_fit(s->x + s->from, s->y + s->from, n);
    double freedom = (double)n - 2.0;
    double t = il_order_t_quantile(0.5 + 0.5 * confidence, freedom);
    double half = t * sqrt(l.rss / freedom / l.sxx);
    return (il_order_slope){l.slope, l.slope - half, l.slope + half};
}

/* What a claimed power makes of the errors in use at most, h^p (b + c h^q): e/h^p has the floor b.
 * The points are e/h^p after it. */
static void fit_leading(il_order_points *s, il_order *o, double p) {
    il_floor f;
    for (size_t i = s->from; i < s->to; i++) {
        s->y[i] -= p * s->x[i];
    }
    il_trend_data data = il_order_part(s, s->from, s->to);
    if (il_floor_fit(&data, IL_ORDER_FLOOR_CONFIDENCE, &f)) {
        o->leading_low = f.low / f.finest;
        o->leading_high = f.high / f.finest;
    }
}

/* Runs of the finer half of the octaves, however few, that err like the coarsest steps. */
static void count_outliers(const il_order_points *s, il_order *o, const il_trend *trend) {
    double half = 0.5 * (s->x[s->from] - s->x[s->to - 1]) + 1e-9;
    for (size_t i = s->from; i < s->to; i++) {
        bool fine = s->x[i] <= s->x[s->to - 1] + half;
        o->outliers += fine && s->y[i] >= trend->constant + trend->slope * s->x[s->from];
    }
}

/* Is a floor surely there beside a next power, half an order higher or a whole one? What the order
 * does without where either makes the bend. */
static bool bent_by_a_floor(const il_order_points *s) {
    il_floor half;
    il_floor whole;
    const double sure = IL_ORDER_FLOOR_CONFIDENCE;
    return il_order_floor_beside(s, NEXT_POWER, sure, &half) && half.low > 0.0 &&
           il_order_floor_beside(s, 1.0, sure, &whole) && whole.low > 0.0;
}

static bool fit(il_order_points *s, il_order *o) {
    il_trend trend;
    if (!il_order_fit_all(s, &trend)) {
        return false;
    }
    s->repeats = trend.repeats;
    bool grows = scatter_grows(s);
    il_order_slope to = interval(s, &trend, grows, o->confidence, &o->sen, &o->half);
    double sure = fmax(o->confidence, REFUTES);
    il_order_slope sen = o->sen;
    il_order_slope half;
    o->sure = interval(s, &trend, grows, sure, &sen, &half);
    o->n = s->to - s->from;
    o->slope = to.slope;
    o->low = to.low;
    o->high = to.high;
    o->constant = il_order_exp(trend.constant);
    o->h_max = il_order_exp(s->x[s->from]);
    o->h_min = il_order_exp(s->x[s->to - 1]);
    o->spread = trend.scale / il_order_log(10.0);
    o->fine = il_order_fit_part(s, il_order_fine_from(s, 2.0), s->to, &trend, o->confidence);
    o->last = il_order_fit_part(s, il_order_fine_from(s, 1.0), s->to, &trend, sure);
    o->power = plain(s, o->confidence);
    o->whole = il_order_fit_part(s, s->from, s->to, &trend, o->confidence);
    il_order_slope whole = il_order_fit_part(s, s->from, s->to, &trend, sure);
    o->sure_whole_high = isfinite(sen.high) ? fmax(whole.high, sen.high) : whole.high;
    count_outliers(s, o, &trend);
    if (o->cause == IL_PLATEAU_UNEXPLAINED) {
        return true;
    }
    bool fitted = il_order_fit_floor(s, o) > 0.0;
    il_floor worst;
    il_floor beside;
    o->reference = s->reference;
    bool low = o->floor_high <= IL_ORDER_LOW * o->finest;
    if (low && il_order_floor_of_worst(s, o->half.slope, &worst)) {
        o->worst_high = worst.part_high;
    }
    if (low && il_order_floor_beside(s, 1.0, IL_ORDER_BESIDE_CONFIDENCE, &beside)) {
        o->beside_high = beside.part_high;
        o->floor_below = fmax(o->floor_below, beside.below);
    }
    if (low) {
        o->square_high = il_order_floor_of_squares(s);
    }
    /* beside an allowance for the next power a low floor may not be needed */
    bool needed = trend.bend[1] >= BENT || o->floor_low >= NEAR * o->finest ||
                  (low && o->floor_low > 0.0 && bent_by_a_floor(s));
    o->floor_low = needed ? o->floor_low : 0.0;
    return fitted;
}

/* Are the steps halves of each other, and errors the same, but for rounding, three to seven times
 * in a row? h (s/h - floor(s/h)) is where bits of s are zero. */
static bool phase_repeats(const il_order_points *s) {
    enum { SEVERAL = 3, ENOUGH = 8 };
    size_t row = 1;
    size_t same = 1;
    for (size_t i = 1; i < s->n; i++) {
        row = fabs(s->y[i - 1] - s->y[i]) <= 1e-6 ? row + 1 : 1;
        same = row > same ? row : same;
        double octaves = (s->x[i - 1] - s->x[i]) / IL_ORDER_LN2;
        if (fabs(octaves - floor(octaves + 0.5)) > 1e-9) {
            return false;
        }
    }
    return same >= SEVERAL && same < ENOUGH;
}

void il_order_study(il_order_points *s, il_order *o, const il_order_data *data,
                    const il_claim *claim) {
    if (!enough_runs(o, s, data->causes.rounding) || !one_limit(o, data, s, claim)) {
        il_order_make_levels(s, o);
        return;
    }
    il_order_set_aside_low(s, o);
    il_order_make_levels(s, o);
    if (data->of == IL_ORDER_WORST) {
        il_order_keep_worst(s);
        il_order_make_levels(s, o);
    }
    if (!enough_runs(o, s, data->causes.rounding)) {
        return;
    }
    o->phase_repeats = phase_repeats(s);
    bool narrow = s->x[0] - s->x[s->n - 1] < NARROW * IL_ORDER_LN2 - 1e-9;
    if (!narrow) {
        il_order_cut_plateau(s, o, data);
    }
    if (!enough_left(o, s)) {
        return;
    }
    drop_coarse(s, o);
    bool fitted = fit(s, o);
    if (fitted && narrow && claim != NULL) {
        (void)il_order_decide(o, IL_ORDER_INCONCLUSIVE,
                              "the steps span a factor of %.3g, a verdict needs 4: over so few "
                              "octaves floors and powers look alike",
                              o->h_max / o->h_min);
    } else if (fitted) {
        if (claim != NULL && claim->kind == IL_CLAIM_SHARP) {
            fit_leading(s, o, claim->order);
        }
        il_order_judge(o, claim);
    } else {
        (void)il_order_decide(o, IL_ORDER_INCONCLUSIVE, "the regression could not be computed");
    }
}
