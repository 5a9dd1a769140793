/*
 * order_judge.c - verdicts, and the words for them.
 */
#include "harness/study/order/order_judge.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/study/order/order_math.h"
#include "harness/study/order/order_part.h"

/* A floor of less than this part is none: no study of some octaves tells it from the next power. */
static const double IMMATERIAL = 0.1;

/* Errors that stand over all octaves may yet fall over the finest, with at least this slope. */
static const double FALLING = 0.25;

/* A factor that swings slowly, as where an impact's place in its step comes round once in several
 * octaves, may be this many times as large at one end of the range as at the other: 1 +- 1/2. */
static const double SWINGS = 3.0;

/* Over three octaves all of that may be slope; over five a swing of a period of eight is a bend,
 * which the interval covers. */
static const double HIDES = 3.0;
static const double SHOWS = 5.0;

/* Errors that differ by no more than this are the same: no factor of a power of h stays so close to
 * what makes up for the power over two octaves. */
static const double SAME = 0.01;

/* What falls less than half as fast as all has halted, as in order_plateau.c. */
static const double HALTED = 0.5;

/* Runs without which nothing PASSes: a floor, a factor and a power are three numbers, and the
 * scatter is told by what is left. */
enum { VERDICT_RUNS = 5 };

static const char MORE[] = "finer steps, or more step counts an octave, would decide";

bool il_order_decide(il_order *o, il_verdict verdict, const char *format, ...) {
    va_list args;
    va_start(args, format);
    o->verdict = verdict;
    (void)vsnprintf(o->reason, sizeof o->reason, format, args);
    va_end(args);
    return false;
}

/* What a logarithm log(H/h) that a claim leaves out lowers the slope by: the slope of log log(H/h)
 * over the steps that are used. */
static double logarithm(const il_order *o) {
    double coarse = il_order_log(IL_ORDER_COARSE_STEPS);
    double octaves = il_order_log(o->h_max / o->h_min);
    return il_order_log((coarse + octaves) / coarse) / octaves;
}

/* What a factor that swings may add to the slope, or take from it. */
static double swing(const il_order *o) {
    double range = il_order_log(o->h_max / o->h_min);
    double hidden = (SHOWS - range / IL_ORDER_LN2) / (SHOWS - HIDES);
    return fmin(fmax(hidden, 0.0), 1.0) * il_order_log(SWINGS) / range;
}

/* Do the errors not change at all? */
static bool same(const il_order *o) {
    double change = fabs(o->whole.slope) * il_order_log(o->h_max / o->h_min);
    return change <= SAME && o->spread * il_order_log(10.0) <= SAME;
}

/* Do they stand over all octaves, and do not fall over the finest? */
static bool stand(const il_order *o) {
    return o->sure_whole_high < IL_ORDER_MARGIN && o->fine.slope < FALLING;
}

/* Do the errors surely not fall, not even like h^p, p that is claimed or 1/2, with a factor that
 * swings? */
static bool surely_stand(const il_order *o, double claimed) {
    double high = stand(o) ? fmin(o->sure_whole_high, o->sure.high) : o->sure.high;
    double least = fmin(IL_ORDER_MARGIN, fmax(claimed, IL_ORDER_SLOWEST) - swing(o));
    return !o->phase_repeats && (high < least || same(o));
}

/* Do the errors fall at all? False if the study ends here. */
static bool falls(il_order *o, double claimed) {
    if (surely_stand(o, claimed)) {
        return il_order_decide(o, IL_ORDER_FAIL,
                               "the errors do not fall with the step (%.2g at the finest)",
                               o->finest);
    }
    if (o->cause == IL_PLATEAU_UNEXPLAINED) {
        return il_order_decide(o, IL_ORDER_FAIL,
                               "the errors stop falling at %.2g [%.2g, %.2g], which neither "
                               "rounding nor the projector nor the reference explains",
                               o->floor, o->floor_low, o->floor_high);
    }
    if (o->phase_repeats && stand(o)) {
        return il_order_decide(o, IL_ORDER_INCONCLUSIVE,
                               "errors are the same several times in a row (%.2g at the finest), "
                               "and each step is half of another: an impact whose phase repeats "
                               "makes them so; other step counts would decide",
                               o->finest);
    }
    if (o->swings) {
        return il_order_decide(o, IL_ORDER_INCONCLUSIVE,
                               "the errors stop falling at %.2g [%.2g, %.2g], or are those of "
                               "a power whose factor swings slowly, which looks the same here; "
                               "finer steps would decide",
                               o->floor, o->floor_low, o->floor_high);
    }
    return true;
}

/* Is that to zero, as far as can be seen? */
static bool converges(il_order *o) {
    if (o->tail) {
        return il_order_decide(
            o, IL_ORDER_INCONCLUSIVE,
            "the errors stop falling at %.2g [%.2g, %.2g], or go on to fall like "
            "1/log(1/h), which looks the same here; finer steps would decide",
            o->floor, o->floor_low, o->floor_high);
    }
    if (o->sure.high < IL_ORDER_MARGIN || stand(o)) {
        return il_order_decide(o, IL_ORDER_INCONCLUSIVE,
                               "the errors do not fall over these %.1f octaves (%.2g at the "
                               "finest), which a factor of h^(1/2) that swings between 1/2 and 3/2 "
                               "explains over so few; coarser or finer steps would decide",
                               il_order_log(o->h_max / o->h_min) / IL_ORDER_LN2, o->finest);
    }
    if (o->low < IL_ORDER_MARGIN) {
        return il_order_decide(o, IL_ORDER_INCONCLUSIVE,
                               "the interval of the order reaches below 0.1: convergence is not "
                               "shown; %s",
                               MORE);
    }
    return true;
}

/* How many times as many step counts an octave would exclude a floor of IL_ORDER_LOW, 99 times of
 * 100: the bound lies t sigma above the estimate, which lies within t sigma of zero if there is
 * none; so that 2 t sigma = IL_ORDER_LOW of the finest errors, and sigma falls with the root of the
 * runs. Of studies that were then made so, four of five PASSed: sigma is itself estimated. */
static double times_as_many(const il_order *o) {
    double root = 2.0 * (o->floor_high - o->floor) / (IL_ORDER_LOW * o->finest);
    return root * root;
}

static void room_for_a_floor(il_order *o) {
    double part = o->floor_high / o->finest;
    double times = ceil(times_as_many(o));
    if (part < 1.0 && times > 1.0) {
        (void)il_order_decide(o, IL_ORDER_INCONCLUSIVE,
                              "a floor of up to %.0f %% of the finest errors fits as well; finer "
                              "steps, or some %.0f times as many step counts an octave, would "
                              "decide",
                              100.0 * part, times);
    } else {
        (void)il_order_decide(o, IL_ORDER_INCONCLUSIVE,
                              "a floor of up to %.0f %% of the finest errors fits as well; %s",
                              fmin(100.0 * part, 100.0), MORE);
    }
}

/* What the error of a reference takes away is no floor. That error is known from a run of half the
 * reference's steps, which is 2^p - 1 times as far from it as it is from the truth: below order 1
 * it is farther from the truth than from that run. */
static double taken_by_reference(const il_order *o) {
    double nearer = il_order_exp(IL_ORDER_LN2 * fmax(o->slope, IL_ORDER_MARGIN)) - 1.0;
    return o->reference / fmin(nearer, 1.0);
}

/* Floors that a curve with a floor does not show: what tends to the reference but for floor_high
 * may tend to a place that is farther from the truth by the reference's error. */
static bool hidden_floors_are_low(il_order *o) {
    if (!(o->floor_high + o->reference <= IL_ORDER_LOW * o->finest)) {
        return il_order_decide(o, IL_ORDER_INCONCLUSIVE,
                               "the reference itself errs by %.2g, %.0f %% of the finest errors, "
                               "and a floor of up to %.0f %% fits as well; a finer reference, or "
                               "coarser steps, would decide",
                               o->reference, 100.0 * o->reference / o->finest,
                               100.0 * o->floor_high / o->finest);
    }
    if (o->floor_below - taken_by_reference(o) > IL_ORDER_LOW * o->finest) {
        return il_order_decide(o, IL_ORDER_INCONCLUSIVE,
                               "errors that change their sign below the finest step, and then stay "
                               "at %.0f %% of the finest errors or more, fit as well; %s",
                               100.0 * IL_ORDER_LOW, MORE);
    }
    if (o->beside_high > IL_ORDER_LOW) {
        return il_order_decide(o, IL_ORDER_INCONCLUSIVE,
                               "a floor of up to %.0f %% of the finest errors fits as well, beside "
                               "a next power of the step that hides it; %s",
                               100.0 * o->beside_high, MORE);
    }
    if (o->square_high > IL_ORDER_LOW_SQUARED) {
        return il_order_decide(o, IL_ORDER_INCONCLUSIVE,
                               "a floor at a right angle to what falls, of up to %.0f %% of the "
                               "finest errors, fits as well; %s",
                               100.0 * sqrt(o->square_high), MORE);
    }
    return true;
}

/* Is a floor out of the question? */
static bool to_zero(il_order *o) {
    if (o->floor_low > 0.0 && o->floor_high > IMMATERIAL * o->finest) {
        return il_order_decide(o, IL_ORDER_INCONCLUSIVE,
                               "the errors bend towards a floor of %.2g [%.2g, %.2g] below %.2g; "
                               "finer steps would decide",
                               o->floor, o->floor_low, o->floor_high, o->finest);
    }
    if (!(o->floor_high <= IL_ORDER_LOW * o->finest)) {
        room_for_a_floor(o);
        return false;
    }
    if (!hidden_floors_are_low(o)) {
        return false;
    }
    if (o->worst_high > IL_ORDER_LOW) {
        return il_order_decide(o, IL_ORDER_INCONCLUSIVE,
                               "some step counts may stay away: of every four runs the worst fit a "
                               "floor of up to %.0f %% of their finest errors; %s",
                               fmin(100.0 * o->worst_high, 100.0), MORE);
    }
    if (o->n < VERDICT_RUNS) {
        return il_order_decide(o, IL_ORDER_INCONCLUSIVE,
                               "%zu runs: a floor and a power of h take three numbers, and one is "
                               "too few to tell the scatter by; a fifth run would decide",
                               o->n);
    }
    if (o->outliers > 0) {
        return il_order_decide(o, IL_ORDER_INCONCLUSIVE,
                               "%zu run%s of the finer half err%s like the coarsest steps; more "
                               "step counts an octave would decide",
                               o->outliers, o->outliers == 1 ? "" : "s",
                               o->outliers == 1 ? "s" : "");
    }
    if (o->last.high < HALTED * o->slope) {
        return il_order_decide(o, IL_ORDER_INCONCLUSIVE,
                               "the finest octave by itself surely falls less than half as fast as "
                               "all (slope %.2f [%.2f, %.2f]); finer steps would decide",
                               o->last.slope, o->last.low, o->last.high);
    }
    if (!(o->fine.low > 0.0)) {
        return il_order_decide(o, IL_ORDER_INCONCLUSIVE,
                               "the finest octaves by themselves do not fall for sure (slope %.2f "
                               "[%.2f, %.2f]); %s",
                               o->fine.slope, o->fine.low, o->fine.high, MORE);
    }
    return true;
}

/* Is the order above a sharp claim, and by more than a next power explains? */
static bool above(const il_order *o, double p) {
    bool none = o->leading_high <= (o->leading_low > 0.0 ? IMMATERIAL : IL_ORDER_LOW);
    return o->sure.low - swing(o) > p + IL_ORDER_MARGIN && none;
}

/* Does the interval contradict the claimed order? */
static bool contradicts(il_order *o, const il_claim *claim) {
    double p = claim->order;
    if (o->sure.high + fmax(logarithm(o), swing(o)) < p - IL_ORDER_MARGIN) {
        return !il_order_decide(o, IL_ORDER_FAIL, "below the claimed order %g", p);
    }
    if (claim->kind == IL_CLAIM_SHARP && above(o, p)) {
        return !il_order_decide(o, IL_ORDER_FAIL, "above the claimed order %g", p);
    }
    return false;
}

static void compare(il_order *o, const il_claim *claim) {
    double p = claim->order;
    bool sharp = claim->kind == IL_CLAIM_SHARP;
    bool least = o->low >= p - IL_ORDER_MARGIN;
    bool within = least && o->high <= p + IL_ORDER_MARGIN;
    if (claim->kind == IL_CLAIM_CONVERGES) {
        (void)il_order_decide(o, IL_ORDER_PASS, "the errors fall, as claimed");
    } else if (sharp ? within : least) {
        (void)il_order_decide(o, IL_ORDER_PASS,
                              sharp ? "the interval agrees with the claimed order"
                                    : "at least the claimed order");
    } else if (o->high < p - IL_ORDER_MARGIN) {
        (void)il_order_decide(o, IL_ORDER_INCONCLUSIVE,
                              "below the claimed order %g, by no more than a logarithm of the step "
                              "explains; finer steps would decide",
                              p);
    } else if (sharp && o->low > p + IL_ORDER_MARGIN) {
        (void)il_order_decide(o, IL_ORDER_INCONCLUSIVE,
                              "above the claimed order %g, by no more than a next power of the "
                              "step explains; finer steps would decide",
                              p);
    } else {
        (void)il_order_decide(o, IL_ORDER_INCONCLUSIVE,
                              "the interval is too wide to decide on order %g; %s", p, MORE);
    }
}

/* Runs that were set aside are always told. */
static void tell_aside(il_order *o) {
    if (o->at_rounding > 0) {
        il_text_append(o->reason, sizeof o->reason, "; %zu run%s at rounding set aside",
                       o->at_rounding, o->at_rounding == 1 ? "" : "s");
    }
    if (o->far_below > 0) {
        il_text_append(o->reason, sizeof o->reason, "; %zu run%s far below the others set aside",
                       o->far_below, o->far_below == 1 ? "" : "s");
    }
}

void il_order_judge(il_order *o, const il_claim *claim) {
    bool order = claim != NULL && claim->kind != IL_CLAIM_CONVERGES;
    if (!isfinite(o->low) || !isfinite(o->high)) {
        (void)il_order_decide(o, IL_ORDER_INCONCLUSIVE, "the regression could not be computed");
    } else if (falls(o, order ? claim->order : 0.0) && !(order && contradicts(o, claim)) &&
               converges(o) && to_zero(o)) {
        if (claim == NULL) {
            (void)il_order_decide(o, IL_ORDER_REPORTED, "the errors fall");
        } else {
            compare(o, claim);
        }
    }
    tell_aside(o);
}

void il_order_without_claim(il_order *o, const char *barred) {
    char seen[sizeof o->reason];
    (void)snprintf(seen, sizeof seen, "%s", o->reason);
    if (barred != NULL) {
        (void)il_order_decide(o, IL_ORDER_REPORTED, "the claim does not apply: %.200s; %.180s",
                              barred, seen);
    } else {
        (void)il_order_decide(o, IL_ORDER_REPORTED, "%.250s; no order is claimed", seen);
    }
}
