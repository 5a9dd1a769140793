/*
 * order.c - log E = log C + p log h: which runs, which interval, which verdict.
 */
#include "harness/study/order.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/elementary.h"
#include "harness/study/order_model.h"

/* An observed order is compared with a claimed one to this. */
static const double MARGIN = 0.1;

/* A level is dropped when chance makes so bad a fit in fewer than one study of a hundred, and when
 * the line misses the levels by more than this in log E: what bends less moves the slope by less
 * than 0.01/log 2, a seventh of MARGIN. */
static const double LACK = 0.01;
static const double MATERIAL = 0.01;

/* A plateau is believed when chance makes it in fewer than one study of a thousand and its slope is
 * not told from FLAT, a slope that no scheme is claimed to have. Errors ten times above it are
 * clear of it: it adds at most a tenth to them. */
static const double BEND = 0.001;
static const double FLAT = 0.25;
static const double CLEAR = 10.0;

enum { LEAST_POINTS = 4, LEAST_STEPS = 3, LEAST_LEVELS = 3, SEN_MAX = 2000 };

/* The runs, coarsest first, and those that are used: [from, to). */
typedef struct {
    size_t n, from, to;
    double *x, *y; /* [n] log h, log E */
    double *work;  /* [n], or all pairs for Theil and Sen */
    size_t *level; /* [n] */
    bool *branch;  /* [n] */
} points;

const char *il_verdict_name(il_verdict verdict) {
    static const char *const names[] = {"PASS", "FAIL", "INCONCLUSIVE", "REPORTED"};
    return (unsigned)verdict < sizeof names / sizeof names[0] ? names[verdict] : "UNKNOWN";
}

const char *il_plateau_name(il_plateau cause) {
    static const char *const names[] = {"none", "rounding", "projector tolerance", "reference",
                                        "no convergence"};
    return (unsigned)cause < sizeof names / sizeof names[0] ? names[cause] : "unknown";
}

/* Decide; false, so that a test that ends the study can return it. */
static bool decide(il_order *o, il_verdict verdict, const char *reason) {
    o->verdict = verdict;
    (void)snprintf(o->reason, sizeof o->reason, "%s", reason);
    return false;
}

/* ---- points and levels ---------------------------------------------------------------------- */

static void release(points *s) {
    free(s->x);
    free(s->work);
    free(s->level);
    free(s->branch);
}

static bool acquire(points *s, size_t n) {
    size_t pairs = n <= SEN_MAX ? n * (n - 1) / 2 : 0;
    s->x = malloc(2 * n * sizeof *s->x);
    s->work = malloc((pairs > n ? pairs : n) * sizeof *s->work);
    s->level = malloc(n * sizeof *s->level);
    s->branch = malloc(n * sizeof *s->branch);
    s->y = s->x != NULL ? s->x + n : NULL;
    return s->x != NULL && s->work != NULL && s->level != NULL && s->branch != NULL;
}

typedef struct {
    double h, error;
} run;

static int by_step(const void *a, const void *b) {
    double x = ((const run *)a)->h;
    double y = ((const run *)b)->h;
    double ex = ((const run *)a)->error;
    double ey = ((const run *)b)->error;
    return x != y ? (x < y) - (x > y) : (ex > ey) - (ex < ey);
}

/* Sort the coarsest first. */
static bool sort_runs(points *s, const il_order_data *data) {
    run *runs = malloc(data->n * sizeof *runs);
    if (runs == NULL) {
        return false;
    }
    for (size_t i = 0; i < data->n; i++) {
        runs[i] = (run){data->h[i], data->error[i]};
    }
    qsort(runs, data->n, sizeof *runs, by_step);
    for (size_t i = 0; i < data->n; i++) {
        s->x[i] = il_log(runs[i].h);
        s->y[i] = il_log(runs[i].error);
    }
    s->n = s->to = data->n;
    s->from = 0;
    free(runs);
    return true;
}

/* Octaves below the coarsest step; those without runs are passed over. */
static void make_levels(points *s, il_order *o) {
    double octave = -1.0;
    for (size_t i = 0; i < s->n; i++) {
        /* a step that is half of the coarsest but for rounding begins the second octave */
        double mine = floor((s->x[0] - s->x[i]) / M_LN2 + 1e-9);
        if (mine > octave && o->levels < IL_ORDER_LEVELS_MAX) {
            octave = mine;
            o->level[o->levels++] = (il_order_level){.h = 0.0, .fate = IL_LEVEL_USED, .p = NAN};
        }
        s->level[i] = o->levels - 1;
        o->level[s->level[i]].n++;
        o->level[s->level[i]].h += s->x[i];
    }
    for (size_t k = 0; k < o->levels; k++) {
        o->level[k].h = il_exp(o->level[k].h / (double)o->level[k].n);
    }
}

/* Levels and steps among the used. */
static size_t levels_used(const points *s) {
    return s->to > s->from ? s->level[s->to - 1] - s->level[s->from] + 1 : 0;
}

static size_t steps_used(const points *s) {
    size_t count = s->to > s->from;
    for (size_t i = s->from + 1; i < s->to; i++) {
        count += s->x[i - 1] - s->x[i] > 1e-12;
    }
    return count;
}

/* The runs of the first or the last level that is used: [*a, *b). */
static void edge(const points *s, bool fine, size_t *a, size_t *b) {
    size_t level = s->level[fine ? s->to - 1 : s->from];
    *a = fine ? s->to : s->from;
    *b = *a;
    while (fine && *a > s->from && s->level[*a - 1] == level) {
        (*a)--;
    }
    while (!fine && *b < s->to && s->level[*b] == level) {
        (*b)++;
    }
}

static void drop(points *s, il_order *o, bool fine, il_level_fate fate, double p) {
    size_t a = 0;
    size_t b = 0;
    edge(s, fine, &a, &b);
    o->level[s->level[a]].fate = fate;
    o->level[s->level[a]].p = p;
    s->from = fine ? s->from : b;
    s->to = fine ? a : s->to;
}

/* ---- is it a power law? --------------------------------------------------------------------- */

static bool errors_are_finite(il_order *o, const il_order_data *data) {
    for (size_t i = 0; i < data->n; i++) {
        if (!isfinite(data->error[i]) || data->error[i] < 0.0) {
            return decide(o, IL_ORDER_FAIL, "an error is not finite: a run failed or blew up");
        }
    }
    return true;
}

static bool usable(il_order *o, const il_order_data *data, const points *s) {
    size_t floor_count = 0;
    size_t zeros = 0;
    for (size_t i = 0; i < data->n; i++) {
        floor_count += data->error[i] <= data->rounding;
        zeros += data->error[i] == 0.0;
    }
    o->at_floor = data->n > 0 ? (double)floor_count / (double)data->n : 0.0;
    if (data->n < LEAST_POINTS || steps_used(s) < LEAST_STEPS) {
        return decide(o, IL_ORDER_INCONCLUSIVE,
                      "too few runs: an order needs four, with three different steps");
    }
    if (2 * floor_count > data->n) {
        o->cause = IL_PLATEAU_ROUNDING;
        return decide(o, IL_ORDER_INCONCLUSIVE,
                      "most errors are at rounding level: the scheme is exact here, or nearly");
    }
    return zeros == 0 ||
           decide(o, IL_ORDER_INCONCLUSIVE, "some errors are exactly zero: no power law");
}

/* Do all runs follow one power law? Two rates are several orders, and no convergence at all of some
 * runs several limits. */
static bool one_limit(il_order *o, const il_order_data *data, const points *s,
                      const il_claim *claim) {
    size_t others = 0;
    size_t finest = 0;
    for (size_t i = 0; i < data->n; i++) {
        finest = data->h[i] < data->h[finest] ? i : finest;
    }
    for (size_t i = 0; data->limit != NULL && i < data->n; i++) {
        others += data->limit[i] != data->limit[finest];
    }
    il_split split = il_line_split(s->x, s->y, s->n, s->branch);
    if (others == 0 && !split.two) {
        return true;
    }
    bool rates = others == 0 && split.upper > FLAT;
    bool order_claimed = claim != NULL && claim->kind != IL_CLAIM_CONVERGES;
    o->several_limits = !rates;
    o->verdict = order_claimed && !rates ? IL_ORDER_FAIL : IL_ORDER_INCONCLUSIVE;
    if (others > 0) {
        (void)snprintf(o->reason, sizeof o->reason,
                       "no single limit: %zu of %zu runs are nearest to another solution than the "
                       "finest",
                       others, data->n);
    } else {
        (void)snprintf(o->reason, sizeof o->reason,
                       rates ? "no single order: the errors of %zu of %zu runs fall with slope "
                               "%.2f, those of the others with %.2f"
                             : "no single limit: the errors of %zu of %zu runs stay away (slope "
                               "%.2f) from what the others tend to (slope %.2f)",
                       split.upper_n, data->n, split.upper, split.lower);
    }
    return false;
}

/* ---- the plateau ---------------------------------------------------------------------------- */

/* The cause whose size is nearest to the height, of those that reach it. */
static il_plateau cause_of(const il_order_data *data, double height) {
    const double reach[] = {0.0, data->rounding, data->tolerance, data->reference};
    il_plateau cause = IL_PLATEAU_UNEXPLAINED;
    for (int k = IL_PLATEAU_ROUNDING; k <= IL_PLATEAU_REFERENCE; k++) {
        bool nearer = cause == IL_PLATEAU_UNEXPLAINED || reach[k] < reach[cause];
        cause = height <= reach[k] && nearer ? (il_plateau)k : cause;
    }
    return cause;
}

static double height_of(const points *s, size_t a, size_t b) {
    return il_exp(gsl_stats_mean(s->y + a, 1, b - a));
}

/* Is a slope that of a plateau: not told from FLAT, and below half of what it was? */
static bool is_flat(double slope, double half, double coarse) {
    return slope - half <= FLAT && slope + half < 0.5 * coarse;
}

/* Are the last two octaves flat? The sum of a power and a constant is bent smoothly, and the knee
 * raises the slope below the best b. */
static bool tail_is_flat(const points *s, double coarse) {
    size_t a = s->n;
    while (a > 0 && (s->x[a - 1] <= s->x[s->n - 1] + 2.0 * M_LN2 || s->n - a < LEAST_POINTS)) {
        a--;
    }
    il_line tail = il_line_fit(s->x + a, s->y + a, s->n - a);
    double half = il_line_half(tail.rss, (double)tail.n - 2.0, 1.0 / tail.sxx, 0.95);
    return is_flat(tail.slope, half, coarse);
}

/* Cut off a plateau at the fine end, and what it reaches. */
static void cut_plateau(points *s, il_order *o, const il_order_data *data) {
    il_bend bend = il_line_bend(s->x, s->y, s->n, s->work);
    bool bent = bend.p <= BEND && bend.coarse > FLAT;
    if (!bent ||
        !(is_flat(bend.fine, bend.fine_half, bend.coarse) || tail_is_flat(s, bend.coarse))) {
        return;
    }
    size_t a = s->n;
    while (a > 0 && s->x[a - 1] < bend.at) {
        a--;
    }
    o->plateau = height_of(s, a, s->n);
    o->cause = cause_of(data, o->plateau);
    double clear = bend.at + il_log(CLEAR) / bend.coarse;
    while (s->to > s->from) {
        if (s->x[s->to - 1] >= clear) {
            break;
        }
        drop(s, o, true, IL_LEVEL_PLATEAU, bend.p);
    }
}

/* ---- the fit -------------------------------------------------------------------------------- */

/* Does the line miss the levels by more than chance explains and by more than matters? */
static bool misfit(const points *s, il_order *o) {
    il_lack lack =
        il_line_lack(s->x + s->from, s->y + s->from, s->level + s->from, s->to - s->from);
    o->fit_p = lack.p;
    return lack.p < LACK && lack.missed > MATERIAL;
}

/* Can the finest level be told from a cause that is known? Only asked where the line misses it. */
static bool sinks(const points *s, il_order *o, const il_order_data *data) {
    size_t a = 0;
    size_t b = 0;
    edge(s, true, &a, &b);
    double height = height_of(s, a, s->to);
    il_plateau cause = cause_of(data, height / CLEAR);
    /* Near its own error a reference may also hide errors: those of its own kind cancel. */
    bool slower = il_line_drift(s->x + s->from, s->y + s->from, s->to - s->from) < 0.0;
    if (cause == IL_PLATEAU_UNEXPLAINED || (!slower && cause != IL_PLATEAU_REFERENCE)) {
        return false;
    }
    o->plateau = isnan(o->plateau) ? height : o->plateau;
    o->cause = o->cause == IL_PLATEAU_NONE ? cause : o->cause;
    return true;
}

/* Drop levels while the line misses the levels and enough remain. */
static void drop_misfits(points *s, il_order *o, const il_order_data *data) {
    while (misfit(s, o) && levels_used(s) > LEAST_LEVELS) {
        points rest = *s;
        bool fine = sinks(s, o, data);
        size_t a = 0;
        size_t b = 0;
        edge(s, fine, &a, &b);
        rest.from = fine ? s->from : b;
        rest.to = fine ? a : s->to;
        if (rest.to - rest.from < LEAST_POINTS || steps_used(&rest) < LEAST_STEPS) {
            break;
        }
        drop(s, o, fine, fine ? IL_LEVEL_PLATEAU : IL_LEVEL_COARSE, o->fit_p);
    }
}

static void fit(points *s, il_order *o) {
    const double *x = s->x + s->from;
    const double *y = s->y + s->from;
    size_t n = s->to - s->from;
    il_line l = il_line_fit(x, y, n);
    double freedom = (double)n - 2.0;
    double half = il_line_half(l.rss, freedom, 1.0 / l.sxx, o->confidence);
    o->drift = o->fit_p < LACK ? fabs(il_line_drift(x, y, n)) : 0.0;
    o->n = n;
    o->slope = l.slope;
    o->low = l.slope - half - o->drift;
    o->high = l.slope + half + o->drift;
    o->constant = il_exp(l.constant);
    o->h_max = il_exp(x[0]);
    o->h_min = il_exp(x[n - 1]);
    o->spread = sqrt(l.rss / freedom) / il_log(10.0);
    if (n <= SEN_MAX) {
        il_sen sen = il_line_sen(x, y, n, o->confidence, s->work);
        o->sen = sen.slope;
        o->sen_low = sen.low;
        o->sen_high = sen.high;
    }
}

/* ---- the verdict ---------------------------------------------------------------------------- */

static void judge_claim(il_order *o, const il_claim *claim) {
    if (claim->kind == IL_CLAIM_CONVERGES) {
        if (o->low >= MARGIN) {
            (void)decide(o, IL_ORDER_PASS, "the errors fall, as claimed");
        } else {
            (void)decide(o, IL_ORDER_INCONCLUSIVE, "the errors fall too slowly to tell");
        }
        return;
    }
    double p = claim->order;
    bool sharp = claim->kind == IL_CLAIM_SHARP;
    bool above = o->low >= fmax(p - MARGIN, MARGIN);
    bool within = above && o->high <= p + MARGIN;
    bool outside = o->high < p - MARGIN || (sharp && o->low > p + MARGIN);
    if (sharp ? within : above) {
        (void)decide(o, IL_ORDER_PASS,
                     sharp ? "the interval agrees with the claimed order"
                           : "at least the claimed order");
    } else if (outside) {
        (void)decide(o, IL_ORDER_FAIL,
                     sharp ? "the interval excludes the claimed order" : "below the claimed order");
    } else {
        (void)decide(o, IL_ORDER_INCONCLUSIVE, "the interval is too wide to decide");
    }
}

static void judge(il_order *o, const il_claim *claim) {
    if (!isfinite(o->low) || !isfinite(o->high)) {
        (void)decide(o, IL_ORDER_INCONCLUSIVE, "the regression could not be computed");
    } else if (o->cause == IL_PLATEAU_UNEXPLAINED) {
        o->verdict = IL_ORDER_FAIL;
        (void)snprintf(o->reason, sizeof o->reason,
                       "the errors stop falling at %.1e, which neither rounding nor the projector "
                       "nor the reference explains",
                       o->plateau);
    } else if (o->low <= 0.0 && o->slope <= 0.0) {
        (void)decide(o, IL_ORDER_FAIL, "the errors do not fall with the step");
    } else if (o->low <= 0.0) {
        (void)decide(o, IL_ORDER_INCONCLUSIVE,
                     "the interval of the order reaches zero: convergence is not shown");
    } else if (claim == NULL) {
        (void)decide(o, IL_ORDER_REPORTED, "the errors fall; no order is claimed");
    } else {
        judge_claim(o, claim);
    }
}

/* What remains of a plateau may be too little for a slope. */
static bool enough(il_order *o, const points *s) {
    if (o->cause == IL_PLATEAU_NONE ||
        (levels_used(s) >= LEAST_LEVELS && steps_used(s) >= LEAST_STEPS &&
         s->to - s->from >= LEAST_POINTS)) {
        return true;
    }
    o->verdict = o->cause == IL_PLATEAU_UNEXPLAINED ? IL_ORDER_FAIL : IL_ORDER_INCONCLUSIVE;
    (void)snprintf(o->reason, sizeof o->reason,
                   "the errors stop falling at %.1e (%s) before three levels show an order",
                   o->plateau, il_plateau_name(o->cause));
    return false;
}

static void study(points *s, il_order *o, const il_order_data *data, const il_claim *claim) {
    make_levels(s, o);
    if (!usable(o, data, s) || !one_limit(o, data, s, claim)) {
        return;
    }
    cut_plateau(s, o, data);
    if (!enough(o, s)) {
        return;
    }
    drop_misfits(s, o, data);
    fit(s, o);
    judge(o, claim);
}

il_status il_order_fit(const il_order_data *data, double confidence, const il_claim *claim,
                       il_order *out, il_error *err) {
    *out = (il_order){.runs = data->n,
                      .slope = NAN,
                      .low = NAN,
                      .high = NAN,
                      .confidence = confidence,
                      .constant = NAN,
                      .h_max = NAN,
                      .h_min = NAN,
                      .spread = NAN,
                      .sen = NAN,
                      .sen_low = NAN,
                      .sen_high = NAN,
                      .fit_p = NAN,
                      .plateau = NAN};
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
        (void)decide(out, IL_ORDER_INCONCLUSIVE, "there is no run");
        return IL_OK;
    }
    points s = {.n = 0};
    il_status status = IL_OK;
    if (!acquire(&s, data->n) || !sort_runs(&s, data)) {
        status = il_fail(err, IL_ENOMEM, "no memory for an order of %zu runs", data->n);
    } else {
        study(&s, out, data, claim);
    }
    release(&s);
    return status;
}
