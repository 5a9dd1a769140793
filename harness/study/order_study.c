/*
 * order_study.c - a study from its runs to its verdict: the steps that the head of order.h numbers.
 */
#include <math.h>

#include "harness/study/order.h"
#include "harness/study/order_data.h"
#include "harness/study/order_floor.h"
#include "harness/study/order_judge.h"
#include "harness/study/order_lines.h"
#include "harness/study/order_math.h"

/* Standard deviations of the allowances in log E: the next power of h at the coarsest step, as
 * large as the error itself or several times; a floor of some hundredths of the finest error. */
static const double ALLOW_COARSE = 2.0;
static const double ALLOW_FLOOR = 0.07;

/* A bend of so many standard errors is one (1 % by chance). */
static const double BENT = 2.6;

/* Where the finer octaves fall faster than the coarser ones, by two standard errors (it only
 * widens), the order may go on to rise: by so many times as much. For h log(1/h), h from 1/64 to
 * 1/2048, it is 2.6 times. */
static const double DRIFTS = 2.0;
static const double DRIFT = 3.0;

/* Bounds of a floor. */
static const double FLOOR_CONFIDENCE = 0.99;

/* Errors have stopped where they surely fall less than half as fast as the part above the floor
 * does; errors ten times above a plateau are clear of it: it adds at most a tenth to them. */
static const double STOPPED = 0.5;
static const double CLEAR = 10.0;
static const double NEAR = 0.5;

/* Branches that fall at least so fast converge, each at its rate. */
static const double FLAT = 0.25;

static const double LN2 = 0.69314718055994531;

enum { LEAST_POINTS = 4, LEAST_STEPS = 3, LEAST_LEVELS = 3, KEPT_LEVELS = 4, KEPT_POINTS = 6 };

/* ---- is there one order? -------------------------------------------------------------------- */

static bool errors_are_finite(il_order *o, const il_order_data *data) {
    for (size_t i = 0; i < data->n; i++) {
        if (!isfinite(data->error[i]) || data->error[i] < 0.0) {
            return il_order_decide(o, IL_ORDER_FAIL,
                                   "an error is not finite: a run failed or blew up");
        }
    }
    return true;
}

static bool enough_runs(il_order *o, const il_order_points *s) {
    if (2 * o->at_rounding > o->runs) {
        o->cause = IL_PLATEAU_ROUNDING;
        return il_order_decide(o, IL_ORDER_INCONCLUSIVE,
                               "most errors are at rounding level (%zu of %zu): the scheme is "
                               "exact here, or nearly",
                               o->at_rounding, o->runs);
    }
    if (s->n < LEAST_POINTS || il_order_steps_used(s) < LEAST_STEPS) {
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

/* ---- fits of the runs in use ---------------------------------------------------------------- */

static double guess(const il_order_points *s, size_t from, size_t to) {
    size_t n = to - from;
    return n <= IL_ORDER_SEN_MAX ? il_line_sen(s->x + from, s->y + from, n, 0.95, s->work).slope
                                 : il_line_fit(s->x + from, s->y + from, n).slope;
}

static il_trend_data part(const il_order_points *s, size_t from, size_t to) {
    return (il_trend_data){.n = to - from,
                           .x = s->x + from,
                           .y = s->y + from,
                           .level = s->level + from,
                           .guess = guess(s, from, to),
                           .room = s->work};
}

static bool fit_all(const il_order_points *s, il_trend *trend) {
    il_trend_data data = part(s, s->from, s->to);
    data.coarse = ALLOW_COARSE;
    data.floor = ALLOW_FLOOR;
    return il_trend_fit(&data, trend);
}

/* The order of what falls above the floor, or 0. */
static double fit_floor(const il_order_points *s, il_order *o) {
    il_trend_data data = part(s, s->from, s->to);
    il_floor f;
    if (!il_floor_fit(&data, FLOOR_CONFIDENCE, &f)) {
        return 0.0;
    }
    o->floor = f.floor;
    o->floor_low = f.low;
    o->floor_high = f.high;
    o->finest = f.finest;
    return f.order;
}

/* The slope of [from, to) by itself, without allowances. Few runs do not know their scatter: that
 * of the whole serves, if the caller has it. */
static il_order_slope fit_part(const il_order_points *s, size_t from, size_t to,
                               const il_trend *whole, double confidence) {
    enum { OWN_SCATTER = 8 };
    double p = 0.5 + 0.5 * confidence;
    il_trend_data data = part(s, from, to);
    il_trend t;
    if (data.n >= OWN_SCATTER && il_trend_fit(&data, &t)) {
        double half = il_order_t_quantile(p, t.freedom) * t.error;
        return (il_order_slope){t.slope, t.slope - half, t.slope + half};
    }
    if (data.n < 2 || whole == NULL) {
        return (il_order_slope){NAN, NAN, NAN};
    }
    il_line l = il_line_fit(data.x, data.y, data.n);
    double half = il_order_t_quantile(p, whole->freedom) * whole->scale / sqrt(l.sxx);
    return (il_order_slope){l.slope, l.slope - half, l.slope + half};
}

/* Where the finest octaves begin: two, and at least six runs. */
static size_t fine_from(const il_order_points *s, double octaves) {
    size_t a = s->to;
    while (a > s->from &&
           (s->x[a - 1] <= s->x[s->to - 1] + octaves * LN2 + 1e-9 || s->to - a < LEAST_POINTS)) {
        a--;
    }
    return a;
}

/* ---- the plateau ---------------------------------------------------------------------------- */

/* The flattest, by its upper bound, of the finest two, three and four octaves and of the finer half
 * of all. */
static il_order_slope flattest(const il_order_points *s, const il_trend *whole, double confidence) {
    double half = 0.5 * (s->x[s->from] - s->x[s->to - 1]) / LN2;
    il_order_slope least = fit_part(s, fine_from(s, half), s->to, whole, confidence);
    for (int octaves = 2; octaves <= 4; octaves++) {
        il_order_slope fine = fit_part(s, fine_from(s, octaves), s->to, whole, confidence);
        least = least.high < fine.high ? least : fine;
    }
    return least;
}

/* Cut off a floor that is surely there, and what it reaches. */
static void cut_plateau(il_order_points *s, il_order *o, const il_order_data *data) {
    il_trend trend;
    double order = fit_floor(s, o);
    if (!(order > 0.0) || !(o->floor_low > 0.0)) {
        return;
    }
    const il_trend *whole = fit_all(s, &trend) ? &trend : NULL;
    il_order_slope all = fit_part(s, s->from, s->to, whole, o->confidence);
    if (all.high < IL_ORDER_MARGIN) {
        return; /* nothing falls: there is no part above a floor */
    }
    il_plateau cause = il_order_cause(&data->causes, o->floor);
    bool near = o->floor_low >= NEAR * o->finest;
    /* the fall by itself: less than half as fast as what falls, h^order */
    bool stopped = flattest(s, whole, FLOOR_CONFIDENCE).high < STOPPED * order;
    if (!stopped || !(near || cause != IL_PLATEAU_UNEXPLAINED)) {
        return;
    }
    o->cause = o->cause == IL_PLATEAU_NONE ? cause : o->cause;
    o->plateau = o->floor;
    double clear = il_order_log(CLEAR * o->floor);
    double t = il_order_normal_quantile(FLOOR_CONFIDENCE);
    double sure = t * o->floor / fmax(o->floor - o->floor_low, 1e-12 * o->floor);
    while (s->to > s->from && il_order_finest_height(s) < clear) {
        il_order_drop(s, o, true, sure);
    }
}

/* Cut off levels at the fine end while the finest octaves surely stand or rise, where a cause is as
 * large as they are: what rounding and tolerances leave adds up over the steps, and grows as they
 * get smaller. */
static void cut_sunken(il_order_points *s, il_order *o, const il_order_data *data) {
    while (il_order_levels_used(s) > 1) {
        il_trend trend;
        double height = il_order_exp(il_order_finest_height(s));
        il_plateau cause = il_order_cause(&data->causes, height);
        bool known = fit_all(s, &trend);
        il_order_slope fine = flattest(s, known ? &trend : NULL, o->confidence);
        if (cause == IL_PLATEAU_UNEXPLAINED || !(fine.high < FLAT)) {
            return;
        }
        o->cause = o->cause == IL_PLATEAU_NONE ? cause : o->cause;
        o->plateau = isnan(o->plateau) ? height : fmin(o->plateau, height);
        il_order_drop(s, o, true, (fine.slope - FLAT) / fmax(fine.high - fine.slope, 1e-12));
    }
}

/* Near its own error a reference also hides errors: those of its own kind cancel, and what is left
 * falls too fast. */
static void cut_hidden(il_order_points *s, il_order *o, const il_order_data *data) {
    double reach = il_order_reference_reach(&data->causes);
    il_trend trend;
    while (o->cause == IL_PLATEAU_NONE || o->cause == IL_PLATEAU_REFERENCE ||
           o->cause == IL_PLATEAU_BELOW_REFERENCE) {
        if (il_order_levels_used(s) <= LEAST_LEVELS || !fit_all(s, &trend) ||
            trend.bend[1] > -BENT || reach <= 0.0) {
            return;
        }
        double height = il_order_exp(il_order_finest_height(s));
        if (height > CLEAR * reach) {
            return;
        }
        o->cause =
            height < data->causes.reference ? IL_PLATEAU_BELOW_REFERENCE : IL_PLATEAU_REFERENCE;
        o->plateau = isnan(o->plateau) ? height : o->plateau;
        il_order_drop(s, o, true, trend.bend[1]);
    }
}

/* What remains of a plateau may be too little for a slope. */
static bool enough_left(il_order *o, const il_order_points *s) {
    if (o->cause == IL_PLATEAU_NONE ||
        (il_order_levels_used(s) >= LEAST_LEVELS && il_order_steps_used(s) >= LEAST_STEPS &&
         s->to - s->from >= LEAST_POINTS)) {
        return true;
    }
    bool fails = o->cause == IL_PLATEAU_UNEXPLAINED;
    return il_order_decide(o, fails ? IL_ORDER_FAIL : IL_ORDER_INCONCLUSIVE,
                           "the errors stop falling at %.2g (%s) before three levels show an order",
                           o->plateau, il_plateau_name(o->cause));
}

/* ---- the order ------------------------------------------------------------------------------ */

/* Coarse levels where the next power of h is seen are not of the order that is asked for. */
static void drop_coarse(il_order_points *s, il_order *o) {
    il_trend trend;
    while (il_order_levels_used(s) > KEPT_LEVELS && fit_all(s, &trend) &&
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
static void widen(il_order *o, const il_order_slope *other) {
    o->low = other->slope < o->low ? other->slope : o->low;
    o->high = other->slope > o->high ? other->slope : o->high;
}

/* Fewer runs that tell more than all: the coarser octaves are not of the finer ones' order, and the
 * whole interval of the finer half is covered. */
static void widen_by_half(il_order *o) {
    if (o->half.high - o->half.low < o->high - o->low) {
        o->low = fmin(o->low, o->half.low);
        o->high = fmax(o->high, o->half.high);
    }
}

/* Do the finer octaves fall faster than the coarser ones, dropped ones among them? */
static void widen_by_drift(il_order *o, const il_order_slope *coarse) {
    double t = il_order_normal_quantile(0.5 + 0.5 * o->confidence);
    double a = (o->half.high - o->half.slope) / t;
    double b = (coarse->high - coarse->slope) / t;
    double drift = o->half.slope - coarse->slope;
    if (drift > DRIFTS * sqrt(a * a + b * b)) {
        o->high = fmax(o->high, o->half.slope + DRIFT * drift);
    }
}

static bool fit(const il_order_points *s, il_order *o) {
    il_trend trend;
    size_t n = s->to - s->from;
    if (!fit_all(s, &trend)) {
        return false;
    }
    double half = il_order_t_quantile(0.5 + 0.5 * o->confidence, trend.freedom) * trend.error;
    o->n = n;
    o->slope = trend.slope;
    o->low = trend.slope - half;
    o->high = trend.slope + half;
    o->constant = il_order_exp(trend.constant);
    o->h_max = il_order_exp(s->x[s->from]);
    o->h_min = il_order_exp(s->x[s->to - 1]);
    o->spread = trend.scale / il_order_log(10.0);
    double octaves = (s->x[s->from] - s->x[s->to - 1]) / LN2;
    o->fine = fit_part(s, fine_from(s, 2.0), s->to, &trend, o->confidence);
    o->half = fit_part(s, fine_from(s, 0.5 * octaves), s->to, &trend, o->confidence);
    if (n <= IL_ORDER_SEN_MAX) {
        il_sen sen = il_line_sen(s->x + s->from, s->y + s->from, n, o->confidence, s->work);
        o->sen = (il_order_slope){sen.slope, sen.low, sen.high};
        widen(o, &o->sen);
    }
    widen_by_half(o);
    widen(o, &o->half);
    size_t middle = fine_from(s, 0.5 * octaves);
    il_order_slope coarse = fit_part(s, 0, middle, &trend, o->confidence);
    widen_by_drift(o, &coarse);
    for (size_t i = middle; i < s->to; i++) {
        o->outliers += s->y[i] >= trend.constant + trend.slope * s->x[s->from];
    }
    o->whole = fit_part(s, s->from, s->to, &trend, o->confidence);
    if (o->cause == IL_PLATEAU_UNEXPLAINED) {
        return true;
    }
    bool fitted = fit_floor(s, o) > 0.0;
    /* beside an allowance for the next power a low floor may not be needed */
    bool needed = trend.bend[1] >= BENT || o->floor_low >= NEAR * o->finest;
    o->floor_low = needed ? o->floor_low : 0.0;
    return fitted;
}

static void study(il_order_points *s, il_order *o, const il_order_data *data,
                  const il_claim *claim) {
    if (!enough_runs(o, s)) {
        il_order_make_levels(s, o);
        return;
    }
    if (!one_limit(o, data, s, claim)) {
        il_order_make_levels(s, o);
        return;
    }
    il_order_set_aside_low(s, o);
    il_order_make_levels(s, o);
    if (data->of == IL_ORDER_WORST) {
        il_order_keep_worst(s);
        il_order_make_levels(s, o);
    }
    if (!enough_runs(o, s)) {
        return;
    }
    cut_plateau(s, o, data);
    cut_sunken(s, o, data);
    cut_hidden(s, o, data);
    if (!enough_left(o, s)) {
        return;
    }
    drop_coarse(s, o);
    if (fit(s, o)) {
        il_order_judge(o, claim);
    } else {
        (void)il_order_decide(o, IL_ORDER_INCONCLUSIVE, "the regression could not be computed");
    }
}

static const il_order nothing = {.slope = NAN,
                                 .low = NAN,
                                 .high = NAN,
                                 .constant = NAN,
                                 .h_max = NAN,
                                 .h_min = NAN,
                                 .spread = NAN,
                                 .sen = {NAN, NAN, NAN},
                                 .whole = {NAN, NAN, NAN},
                                 .half = {NAN, NAN, NAN},
                                 .fine = {NAN, NAN, NAN},
                                 .floor = NAN,
                                 .floor_low = NAN,
                                 .floor_high = NAN,
                                 .finest = NAN,
                                 .plateau = NAN};

il_status il_order_fit(const il_order_data *data, double confidence, const il_claim *claim,
                       il_order *out, il_error *err) {
    *out = nothing;
    out->runs = data->n;
    out->confidence = confidence;
    if (!(confidence > 0.0 && confidence < 1.0)) {
        return il_fail(err, IL_EINVAL, "confidence is %g; allowed: a number in (0, 1)", confidence);
    }
    for (size_t i = 0; i < data->n; i++) {
        if (!(data->h[i] > 0.0) || isinf(data->h[i])) {
            return il_fail(err, IL_EINVAL, "h[%zu] is %g; allowed: a number > 0", i, data->h[i]);
        }
    }
    if (!errors_are_finite(out, data)) {
        return IL_OK;
    }
    if (data->n == 0) {
        (void)il_order_decide(out, IL_ORDER_INCONCLUSIVE, "there is no run");
        return IL_OK;
    }
    il_order_points s;
    il_status status = il_order_points_open(&s, data, out, err);
    if (status == IL_OK) {
        const char *barred = claim != NULL ? data->barred : NULL;
        study(&s, out, data, barred != NULL ? NULL : claim);
        if (barred != NULL || (claim == NULL && out->verdict != IL_ORDER_INCONCLUSIVE)) {
            il_order_without_claim(out, barred);
        }
    }
    il_order_points_close(&s);
    return status;
}
