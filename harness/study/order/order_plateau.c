/*
 * order_plateau.c - errors that stop falling.
 */
#include "harness/study/order/order_plateau.h"

#include <math.h>

#include "harness/study/order/order_judge.h"
#include "harness/study/order/order_math.h"
#include "harness/study/order/order_part.h"
#include "harness/study/order/order_swing.h"

/* A bend of so many standard errors is one (1 % by chance). */
static const double BENT = 2.6;

/* Errors have stopped where they surely fall less than half as fast as the part above the floor
 * does, or as second order: a part that seems to fall faster yet is scatter of few coarse runs;
 * errors ten times above a plateau are clear of it: it adds at most a tenth to them. */
static const double STOPPED = 0.5;
static const double FASTEST = 2.0;
static const double CLEAR = 10.0;
static const double NEAR = 0.5;

/* One curve of as many parameters is worse than another: the normal quantile of 0.999, squared. */
static const double WORSE = 9.5;

/* -2 log of the ratio of likelihoods of two curves that are d standard deviations apart is normal,
 * of mean -d^2 and standard deviation 2 d where the second is true: it exceeds z^2 with a chance of
 * Phi(-(d^2 + z^2)/(2 d)) <= Phi(-z), whatever d is. z is the normal quantile of 0.99. */
static const double LIKELIER = 5.41;

/* Over so many octaves or fewer floors do not FAIL. */
static const double FEW_OCTAVES = 3.0;

/* Branches that fall at least so fast converge, each at its rate. */
static const double FLAT = 0.25;

/* The flattest, by its upper bound, of the finest two, three and four octaves and of the finer half
 * of all. One of four may be flat by chance four times as often: each is the surer for it
 * (Bonferroni). */
static il_order_slope flattest(const il_order_points *s, const il_trend *whole, double confidence) {
    confidence = 1.0 - 0.25 * (1.0 - confidence);
    double half = 0.5 * (s->x[s->from] - s->x[s->to - 1]) / IL_ORDER_LN2;
    il_order_slope least =
        il_order_fit_part(s, il_order_fine_from(s, half), s->to, whole, confidence);
    for (int octaves = 2; octaves <= 4; octaves++) {
        il_order_slope fine =
            il_order_fit_part(s, il_order_fine_from(s, octaves), s->to, whole, confidence);
        least = least.high < fine.high ? least : fine;
    }
    return least;
}

/* Do the finest octaves by themselves fall as little as the curve with the floor does there? */
static bool stands(const il_order_points *s, const il_floor *f, const il_trend *whole,
                   double octaves, double confidence) {
    size_t from = il_order_fine_from(s, octaves);
    double finest = s->x[s->to - 1];
    double way = s->x[from] - finest;
    double rise =
        (1.0 + il_floor_rise(f, s->x[from], finest)) / (1.0 + il_floor_rise(f, finest, finest));
    il_order_slope fine = il_order_fit_part(s, from, s->to, whole, confidence);
    return !(fine.low > il_order_log(rise) / way + IL_ORDER_MARGIN);
}

/* Is the fall that of a power of log(H/h), slower than any power of h? Not where these need a floor
 * as well, nor where they fit worse: -2 log of the ratio of likelihoods. */
static bool logarithms_explain(const il_order_points *s) {
    il_floor slow;
    if (!il_order_floor_of_logarithms(s, &slow) || slow.low > 0.0) {
        return false;
    }
    double n = (double)(s->to - s->from);
    return !(2.0 * n * il_order_log(slow.misfit / s->floor_misfit) > WORSE);
}

/* Would errors b h^p + c/log(H/h), which converge, look alike? They are told from a floor where the
 * floor is the likelier one by LIKELIER. */
static bool tail_explains(const il_order_points *s) {
    il_floor tail;
    return il_order_tail_of_logarithms(s, IL_ORDER_MARGIN, &tail) &&
           2.0 * (s->floor_likelihood - tail.likelihood) < LIKELIER;
}

/* Would a power whose factor swings look alike? Over three octaves one that is on no grid does. */
static bool swing_explains(const il_order_points *s) {
    bool few = s->x[s->from] - s->x[s->to - 1] <= FEW_OCTAVES * IL_ORDER_LN2 + 1e-9;
    return few || 2.0 * (s->floor_likelihood - il_order_swing_likelihood(s)) < LIKELIER;
}

/* Is it a floor, and not an error that changes its sign? That dips, rises and falls again: what
 * dips below is no floor, nor is what goes on to fall over the finest octaves. */
static bool is_floor(const il_order_points *s, il_order *o, double order, const il_trend *whole) {
    il_floor f = {.floor = o->floor, .order = order, .finest = o->finest};
    il_trend_data data = il_order_part(s, s->from, s->to);
    if (!stands(s, &f, whole, 1.0, o->confidence) || !stands(s, &f, whole, 2.0, o->confidence) ||
        il_floor_dips(&data, &f)) {
        return false;
    }
    o->tail = logarithms_explain(s) || tail_explains(s);
    o->swings = !o->tail && swing_explains(s);
    return !o->tail && !o->swings;
}

/* Cut off a floor that is surely there, and what it reaches. */
static void cut_floor(il_order_points *s, il_order *o, const il_order_data *data) {
    il_trend trend;
    double order = il_order_fit_floor(s, o);
    if (!(order > 0.0) || !(o->floor_low > 0.0)) {
        return;
    }
    const il_trend *whole = il_order_fit_all(s, &trend) ? &trend : NULL;
    il_order_slope all = il_order_fit_part(s, s->from, s->to, whole, o->confidence);
    if (all.high < IL_ORDER_MARGIN) {
        return; /* nothing falls: there is no part above a floor */
    }
    il_plateau cause = il_order_cause(&data->causes, o->floor);
    bool near = o->floor_low >= NEAR * o->finest;
    /* the fall by itself: less than half as fast as what falls, h^order */
    bool stopped =
        flattest(s, whole, IL_ORDER_FLOOR_CONFIDENCE).high < STOPPED * fmin(order, FASTEST);
    bool known = cause != IL_PLATEAU_UNEXPLAINED;
    if (!stopped || !(known || (near && !o->phase_repeats && is_floor(s, o, order, whole)))) {
        return;
    }
    o->cause = o->cause == IL_PLATEAU_NONE ? cause : o->cause;
    o->plateau = o->floor;
    double clear = il_order_log(CLEAR * o->floor);
    double t = il_order_normal_quantile(IL_ORDER_FLOOR_CONFIDENCE);
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
        if (cause == IL_PLATEAU_UNEXPLAINED) {
            return;
        }
        bool known = il_order_fit_all(s, &trend);
        il_order_slope fine = flattest(s, known ? &trend : NULL, o->confidence);
        if (!(fine.high < FLAT)) {
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
        if (reach <= 0.0 || il_order_levels_used(s) <= IL_ORDER_LEVELS_LEAST ||
            !il_order_fit_all(s, &trend) || trend.bend[1] > -BENT) {
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

void il_order_cut_plateau(il_order_points *s, il_order *o, const il_order_data *data) {
    cut_floor(s, o, data);
    cut_sunken(s, o, data);
    cut_hidden(s, o, data);
}
