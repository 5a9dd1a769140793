/*
 * order.c - fits an order of convergence and judges a claim: order.h.
 */
#include "harness/study/order/order.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/elementary.h"
#include "harness/base/memory.h"

/* A floor of half of the finest errors is as large as what falls, up to rounding of the fit. */
static const double HALF = 0.5 - 1e-6;
/* A claim of convergence is judged by four octaves that one curve explains (less what random places
 * of steps leave out), an order by five; or by fewer over which errors fall as much as those of
 * order one do over five: errors of high order are at rounding after three or four. */
static const double OCTAVES_LEAST = 3.7;
static const double OCTAVES_LONG = 4.7;
/* Errors of this order on have a regular expansion in h: a bend is its next term, and few octaves
 * tell. */
static const double REGULAR = 2.0;
/* Orders that are proved of schemes are halves: one that is refuted is nearer to another half. */
static const double REFUTED = 0.25;

/* While local slopes rise, the next of them may be the order. */
static const double HIGHER = 0.5;
static const double REFERENCES = 10.0; /* errors below it cannot be told from the reference's own */
/* An octave at rounding may have errors that fall like h^5 to it. */
static const double TO_ROUNDING = 32.0;

enum { GROUPED = 250, ROUNDINGS = 8 };

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

typedef struct {
    double h, e;
} run;

static int finest_first(const void *a, const void *b) {
    const run *r = a;
    const run *q = b;
    return r->h != q->h ? (r->h > q->h) - (r->h < q->h) : (r->e > q->e) - (r->e < q->e);
}

/* The runs at the fine end that are at rounding: octaves where half of them are, and none is above
 * it by more than an octave of order five makes. Other zeros are data. */
static size_t at_rounding(const run *runs, size_t n, double rounding) {
    size_t from = 0;
    for (;;) {
        size_t k = from;
        size_t low = 0;
        for (; k < n && runs[k].h < 2.0 * (1.0 - 1e-9) * runs[from].h; k++) {
            low += runs[k].e <= rounding;
            if (runs[k].e > TO_ROUNDING * rounding) {
                return from;
            }
        }
        if (k == from || 2 * low < k - from) {
            return from;
        }
        from = k;
    }
}

/* n runs, as means of groups of neighbours, which is enough for a mean over phases. */
static void group(const run *runs, size_t n, size_t groups, il_order_study *s) {
    double *x = s->room;
    double *e = x + groups;
    for (size_t k = 0; k < groups; k++) {
        size_t from = k * n / groups;
        size_t to = (k + 1) * n / groups;
        x[k] = e[k] = 0.0;
        for (size_t i = from; i < to; i++) {
            x[k] += il_log(runs[i].h / runs[0].h) / (double)(to - from);
            e[k] += runs[i].e / s->unit / (double)(to - from);
        }
        e[k] = fmax(e[k], IL_CURVE_ZERO);
    }
    s->rho = e + groups;
    s->runs = (il_curve_data){groups, x, e, s->rho + groups};
}

/* The runs that are used, sorted. s->room is the caller's to free. */
static void open_runs(const il_order_data *d, il_order_study *s, il_order *o) {
    run *runs = il_alloc(d->n, sizeof *runs);
    s->room = il_alloc((GROUPED + 1) * 6, sizeof *s->room);
    for (size_t i = 0; i < d->n; i++) {
        runs[i] = (run){d->h[i], d->error[i]};
    }
    qsort(runs, d->n, sizeof *runs, finest_first);
    s->dropped = at_rounding(runs, d->n, d->causes.rounding);
    const run *used = runs + s->dropped;
    o->used = d->n - s->dropped;
    for (size_t i = 0; i < o->used; i++) {
        s->unit = fmax(s->unit, used[i].e);
    }
    if (o->used > 0) {
        o->h_min = used[0].h;
        o->h_max = used[o->used - 1].h;
        o->range = o->octaves = il_log(o->h_max / o->h_min) / il_log(2.0);
        o->rounded = s->dropped;
        group(used, o->used, o->used < GROUPED ? o->used : GROUPED, s);
    }
    free(runs);
}

static bool enough(const il_order_study *s, const il_claim *claim, il_order *o, double rounding) {
    if (2 * s->dropped > o->runs && s->dropped >= IL_ORDER_RUNS_LEAST) {
        bool any_rate = claim == NULL || claim->kind != IL_CLAIM_SHARP;
        return decide(
            o, any_rate ? IL_ORDER_PASS : IL_ORDER_INCONCLUSIVE,
            "%zu of %zu errors are at rounding (%.2g): the scheme is exact here, or nearly",
            s->dropped, o->runs, rounding);
    }
    if (o->used < IL_ORDER_RUNS_LEAST) {
        return decide(o, IL_ORDER_INCONCLUSIVE, "%zu runs are too few: an order needs %d", o->used,
                      IL_ORDER_RUNS_LEAST);
    }
    if (o->octaves < 2.0 - 1e-9) {
        return decide(o, IL_ORDER_INCONCLUSIVE,
                      "the steps span a factor of %.3g: an order needs 4, two octaves",
                      o->h_max / o->h_min);
    }
    return true;
}

/* ---- the verdict ---------------------------------------------------------------------------- */

/* The known cause of an error component of that size; NULL: none. */
static const char *cause_of(const il_order_causes *causes, double floor) {
    return floor <= causes->rounding                 ? "rounding"
           : floor <= causes->tolerance              ? "the projector's tolerance"
           : floor <= REFERENCES * causes->reference ? "the reference's own error"
                                                     : NULL;
}

/* One run an octave: phases of halved steps are not independent (theta doubles, so that
 * 2 theta (1 - theta) h may stand still), and a few say little of a bend. */
static bool nested(const il_order_study *s, const il_order *o) {
    return (double)s->runs.n < o->octaves + 1.5;
}

/* Is the window long enough to accuse? */
static bool is_long(const il_order_study *s, const il_order *o) {
    return o->octaves >= OCTAVES_LONG + (nested(s, o) ? 1.0 : 0.0);
}

/* Do the errors fall as much as those of order one over five octaves? */
static bool is_steep(const il_order *o) {
    return o->fold >= il_pow(2.0, OCTAVES_LONG);
}

/* Errors stand that do so over a long window and its finest octaves, or in every run of the finest
 * three octaves, whatever was coarser. */
static bool stands(const il_order_study *s, const il_order *o, const il_order_findings *f) {
    bool long_line = o->octaves >= OCTAVES_LONG ||
                     (o->octaves >= OCTAVES_LONG - 1.0 && f->fine.all[1] < IL_ORDER_MARGIN);
    bool flat = long_line && f->sure.line[1] < IL_ORDER_MARGIN && f->fine_order < IL_ORDER_MARGIN;
    bool fits = f->line_fits || f->best_fits || f->floor_fits;
    return (flat && !f->rising && fits) || (f->level && (!f->whole || long_line) && !nested(s, o));
}

/* A FAIL accuses somebody's program: it has to stand over the window and over the finest octaves
 * alone, by all curves, with the margin that a PASS has. */
static bool refuted(const il_order_study *s, il_order *o, const il_claim *claim,
                    const il_order_findings *f) {
    bool rate = claim->kind != IL_CLAIM_CONVERGES && f->best_fits &&
                (is_long(s, o) ||
                 (claim->order >= REGULAR && is_steep(o) && o->octaves > 3.0 && !nested(s, o)));
    double high = fmax(o->sure_high, f->fine.all[1]);
    double low = fmin(o->sure_low, f->fine.all[0]);
    /* few octaves, or slopes that rise, are near an order that is a half more */
    double by = !is_long(s, o) || (f->curved && f->best.inverse) ? HIGHER : 0.0;
    double line = fmax(f->sure.line[1], f->fine.line[1]);
    if (stands(s, o, f)) {
        (void)decide(o, IL_ORDER_FAIL, "the errors do not fall");
    } else if (is_long(s, o) && f->floor_sure && f->share >= HALF && f->floor_fits) {
        (void)decide(o, IL_ORDER_FAIL, "they tend to a floor of %.2g, %.0f %% of the finest error",
                     o->floor, 100.0 * f->share);
    } else if (rate && high < claim->order - by - IL_ORDER_MARGIN &&
               line < claim->order - REFUTED) {
        (void)decide(o, IL_ORDER_FAIL, "order %g is refuted: at most %.2f", claim->order, high);
    } else if (rate && claim->kind == IL_CLAIM_SHARP && low > claim->order + by + IL_ORDER_MARGIN &&
               fmin(f->sure.line[0], f->fine.line[0]) > claim->order + REFUTED) {
        (void)decide(o, IL_ORDER_FAIL, "order %g is refuted: at least %.2f", claim->order, low);
    } else {
        return false;
    }
    return true;
}

/* Is the fall itself in doubt? */
static bool may_stand(il_order *o, const il_claim *claim, const il_order_findings *f) {
    double factor = claim->factor > 0.0 ? claim->factor : IL_ORDER_FACTOR;
    if (f->floor_seen && f->share < 0.0) {
        (void)decide(o, IL_ORDER_INCONCLUSIVE, "a floor of the other sign may be there, %.2g",
                     o->floor);
    } else if (f->floor_seen) {
        (void)decide(o, IL_ORDER_INCONCLUSIVE,
                     "a floor of %.2g may be there, %.0f %% of the finest error: two more octaves "
                     "would tell",
                     o->floor, 100.0 * f->share);
    } else if (!(f->fine.line[0] >= IL_ORDER_MARGIN)) {
        (void)decide(
            o, IL_ORDER_INCONCLUSIVE,
            "over the finest octaves alone it is not sure that they fall: h^%.2f, at least "
            "h^%.2f",
            f->fine_order, f->fine.line[0]);
    } else if (!f->rises) {
        (void)decide(o, IL_ORDER_INCONCLUSIVE,
                     "they may fall by chance: too many finer runs have larger errors");
    } else if (!(o->fold >= factor)) {
        (void)decide(o, IL_ORDER_INCONCLUSIVE,
                     "they fall by less than a factor of %g: twice as many octaves would tell",
                     factor);
    } else if (!f->whole && o->octaves < OCTAVES_LEAST && !is_steep(o)) {
        (void)decide(o, IL_ORDER_INCONCLUSIVE, "fewer than four octaves alike");
    } else {
        return false;
    }
    return true;
}

/* Does the order not bear out a claim? On few octaves the hull of all curves lies nearer to it than
 * to the next half below. Slopes of regular errors that rise count at the fine end. */
static bool may_be_less(const il_order_study *s, il_order *o, const il_claim *claim,
                        const il_order_findings *f) {
    bool rate = claim->kind != IL_CLAIM_CONVERGES;
    bool sharp = claim->kind == IL_CLAIM_SHARP;
    double least = rate ? claim->order - IL_ORDER_MARGIN : IL_ORDER_MARGIN;
    double most = claim->order + IL_ORDER_MARGIN;
    bool few = rate && o->octaves < (f->curved || nested(s, o) ? OCTAVES_LONG : OCTAVES_LEAST);
    double hull = f->bend ? f->seen.all[0] : fmin(f->seen.all[0], f->seen.line[0]);
    double low = few || (rate && nested(s, o)) ? hull : o->low;
    double low_least = few ? claim->order - REFUTED : least;
    double fine = rate ? fmin(f->fine_order, f->five_order) : f->fine_order;
    if (rate && f->rising && claim->order >= REGULAR) {
        fine = f->slopes[2];
    }
    fine = few ? fmin(fine, o->order) : fine;
    if (few && !(claim->order >= REGULAR && is_steep(o))) {
        (void)decide(o, IL_ORDER_INCONCLUSIVE,
                     f->curved ? "their slope changes: fewer than five octaves alike, for an order"
                               : "fewer than five octaves alike, for an order");
    } else if (!(low >= low_least && fine >= least) && f->rising) {
        (void)decide(o, IL_ORDER_INCONCLUSIVE, "local slopes still rise: %.2f, %.2f, %.2f",
                     f->slopes[0], f->slopes[1], f->slopes[2]);
    } else if (!(low >= low_least)) {
        (void)decide(o, IL_ORDER_INCONCLUSIVE,
                     low < o->low ? "a curve of order %.2f fits too"
                                  : "the interval reaches below %.2g",
                     low < o->low ? low : low_least);
    } else if (!(fine >= least)) {
        (void)decide(o, IL_ORDER_INCONCLUSIVE, "the finest octaves fall like h^%.2f", fine);
    } else if (sharp && !(o->high <= most)) {
        (void)decide(o, IL_ORDER_INCONCLUSIVE, "the interval reaches above %.2g", most);
    } else {
        return false;
    }
    return true;
}

static void judge(const il_order_study *s, il_order *o, const il_order_causes *causes,
                  const il_claim *claim, const il_order_findings *f) {
    bool stand = f->floor_seen || f->sure.line[1] < IL_ORDER_MARGIN;
    double end = f->floor_seen ? fabs(o->floor) : o->finest;
    const char *cause = stand ? cause_of(causes, end) : NULL;
    if (cause != NULL) {
        (void)decide(o, IL_ORDER_INCONCLUSIVE, "they end at %.2g, which %s may make", end, cause);
    } else if (refuted(s, o, claim, f) || may_stand(o, claim, f) || may_be_less(s, o, claim, f)) {
        return;
    } else if (claim->kind == IL_CLAIM_CONVERGES) {
        (void)decide(o, IL_ORDER_PASS, "as claimed");
    } else {
        (void)decide(o, IL_ORDER_PASS, "order %g%s, as claimed", claim->order,
                     claim->kind == IL_CLAIM_SHARP ? "" : " at least");
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

/* Errors below which others stay, by which they do not converge either. */
static il_status judge_below(const il_order_data *d, double level, il_order *o, il_error *err) {
    const il_claim converges = {.norm = "", .kind = IL_CLAIM_CONVERGES};
    il_order_data smaller = *d;
    il_order below;
    for (size_t i = 0; i < d->n; i++) {
        if (!(d->below[i] <= d->error[i])) {
            return IL_OK;
        }
    }
    smaller.error = d->below;
    smaller.below = NULL;
    smaller.barred = NULL;
    il_status status = il_order_fit(&smaller, level, &converges, &below, err);
    if (status == IL_OK && below.verdict == IL_ORDER_FAIL) {
        (void)decide(o, IL_ORDER_INCONCLUSIVE,
                     "errors of these runs in a smaller norm do not converge: %.150s",
                     below.reason);
    }
    return status;
}

il_status il_order_fit(const il_order_data *data, double level, const il_claim *claim,
                       il_order *out, il_error *err) {
    il_order_study s = {.room = NULL};
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
        open_runs(data, &s, out);
        if (enough(&s, claim, out, data->causes.rounding)) {
            il_order_findings f;
            double rounds = fmax((double)data->rounds, 1.0);
            if (!il_order_measure(&s, rounds, out, &f)) {
                (void)decide(out, IL_ORDER_INCONCLUSIVE, "the finest octaves follow no curve");
            } else if (claim != NULL) {
                judge(&s, out, &data->causes, claim, &f);
            }
        }
        free(s.room);
    }
    if (claim != NULL && out->verdict == IL_ORDER_PASS && data->below != NULL) {
        status = judge_below(data, level, out, err);
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
