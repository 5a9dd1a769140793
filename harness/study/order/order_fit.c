/*
 * order_fit.c - the window of a study, its order and its floor: order_fit.h.
 */
#include "harness/study/order/order_fit.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "harness/base/elementary.h"

/* The slowest order that the literature proves of a scheme: Venel's and catching-up. */
static const double SLOWEST = 0.5;
static const double SEEN = 0.95;
static const double SURE = 0.995;
static const double CONTRADICTED = 0.999;
/* No curve of two or three numbers is exact: a thousandth of an error is its own, whatever the
 * data. */
static const double DISPERSION_LEAST = 1e-6;
static const double ORDER_LEAST = -8.0;
static const double SAME_STEP = 1e-9; /* in ln h */
static const double LN2 = 0.693147180559945309;

enum { PARAMETERS = 3, OCTAVES = 64, FINEST = 3, STEPS_LEAST = 3, FIVE = 5, DOUBLINGS = 40 };
enum { LOOKS = 30, SHARES = 8 };

static double quantile(double level, size_t dof) {
    return gsl_cdf_tdist_Pinv(level, (double)dof);
}

/* The quantile's level at either end of a two-sided interval. */
static double both(double level) {
    return 0.5 + 0.5 * level;
}

static double dispersion(double pearson, size_t dof) {
    return fmax(pearson / (double)dof, DISPERSION_LEAST);
}

/* By how much of its deviance a curve of n runs has to be better for t standard errors; what a
 * curve misses of each run is alike in neighbours, so that it adds up. */
static double gain_of(double t, double phi, size_t n) {
    return t * t * phi + (double)n * DISPERSION_LEAST;
}

/* ---- residuals and windows ------------------------------------------------------------------ */

/* Are residuals of neighbours alike, so that the curve does not fit? von Neumann's ratio (1941,
 * Ann. Math. Statist. 12, 367): the mean square of successive differences over the variance is
 * near 2 for independent ones, with a standard error of 2/n^(1/2). Runs of one step have no
 * order: they count as their mean, times the root of their number. */
static bool alike(const il_order_study *s, const il_curve_data *d, const il_curve *c,
                  double level) {
    double square = 0.0;
    double steps = 0.0;
    double before = 0.0;
    double n = 0.0;
    (void)il_curve_residuals(d, c, s->rho);
    for (size_t i = 0; i < d->n; n++) {
        double sum = 0.0;
        size_t first = i;
        for (; i < d->n && d->x[i] <= d->x[first] + SAME_STEP; i++) {
            sum += s->rho[i];
        }
        double z = sum / sqrt((double)(i - first));
        steps += n > 0.0 ? (z - before) * (z - before) : 0.0;
        square += z * z;
        before = z;
    }
    double t = gsl_cdf_ugaussian_Pinv(level);
    return square > n * DISPERSION_LEAST && steps < (2.0 - 2.0 * t / sqrt(n)) * square;
}

/* The finest octaves, and of steps that lie wide apart the finest three; `some` of their errors are
 * not 0. */
static il_curve_data finest(const il_order_study *s, double octaves, size_t *some) {
    il_curve_data d = s->runs;
    int steps = 0;
    *some = 0;
    for (d.n = 0; d.n < s->runs.n; d.n++) {
        bool other = d.n == 0 || d.x[d.n] > d.x[d.n - 1] + SAME_STEP;
        if (other && d.x[d.n] > octaves * LN2 + 1e-9 && steps >= STEPS_LEAST) {
            break;
        }
        steps += other;
        *some += d.e[d.n] > IL_CURVE_ZERO;
    }
    return d;
}

/* The scatter of runs from the first on about a line of their own: that of coarse octaves is often
 * wider, where phases of impacts in their steps are an effect of the next order in h. */
static double own_scatter(const il_order_study *s, const il_curve_data *d, size_t first) {
    il_curve_data newest = {d->n - first, d->x + first, d->e + first, d->room};
    if (newest.n < PARAMETERS) {
        return 0.0;
    }
    il_curve line = il_curve_line(&newest, ORDER_LEAST);
    return il_curve_residuals(&newest, &line, s->rho) / (double)(newest.n - 2);
}

/* The runs of the finest octaves that one curve explains: three octaves, and one more while no
 * shorter window is contradicted (Lepski 1990, Theory Probab. Appl. 35, 454). */
static size_t choose_window(const il_order_study *s) {
    il_curve found[IL_CURVE_MINIMA];
    size_t n[OCTAVES];
    double P[OCTAVES];
    int kept = 0;
    double top = ceil(s->runs.x[s->runs.n - 1] / LN2 - 1e-9);
    for (double m = fmin(FINEST, top); m <= top && kept < OCTAVES; m++) {
        size_t some;
        il_curve_data d = finest(s, m, &some);
        if (d.n < IL_ORDER_RUNS_LEAST || some < IL_ORDER_RUNS_LEAST - 1 ||
            (kept > 0 && d.n == n[kept - 1])) {
            continue;
        }
        (void)il_curve_bent(&d, ORDER_LEAST, found);
        bool contradicted = kept > 0 && alike(s, &d, &found[0], CONTRADICTED);
        n[kept] = d.n;
        P[kept] = il_curve_residuals(&d, &found[0], s->rho);
        double own = kept > 0 ? own_scatter(s, &d, n[kept - 1]) : 0.0;
        for (int k = 0; k < kept; k++) {
            double more = (double)(d.n - n[k]);
            double F = (P[kept] - P[k]) / more / fmax(dispersion(P[k], n[k] - PARAMETERS), own);
            contradicted |= F > gsl_cdf_fdist_Pinv(CONTRADICTED, more, (double)(n[k] - PARAMETERS));
        }
        if (contradicted) {
            break;
        }
        kept++;
    }
    return kept > 0 ? n[kept - 1] : 0;
}

/* ---- the order ------------------------------------------------------------------------------ */

typedef double (*profile)(const il_curve_data *d, double value);

static double of_order(const il_curve_data *d, double p) {
    return il_curve_through(d, p).deviance;
}

static double of_share(const il_curve_data *d, double q) {
    return q < 1.0 ? il_curve_floor_of(d, q).deviance : INFINITY;
}

/* Where a profile is t^2 phi above its minimum, on the side of `from` that step points to. Its
 * signed root is nearly linear, so regula falsi (Illinois) takes few evaluations. */
static double end_of(const il_curve_data *d, profile of, double least, double phi, double t,
                     double from, double step) {
    double a = from;
    double b = from;
    double fa = -t;
    double fb = -t;
    for (int k = 0; k < DOUBLINGS && !(fb > 0.0); k++, step *= 2.0) {
        a = b;
        fa = fb;
        b = from + step;
        fb = fmin(sqrt(fmax(of(d, b) - least, 0.0) / phi), 10.0 * t) - t;
    }
    for (int k = 0; k < LOOKS && fb > 0.0 && fabs(b - a) > 1e-4 * fabs(b - from); k++) {
        double c = (a * fb - b * fa) / (fb - fa);
        double fc = fmin(sqrt(fmax(of(d, c) - least, 0.0) / phi), 10.0 * t) - t;
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

/* Curves of some octaves: the line, the standard error of its order, all minima of bent curves. */
typedef struct {
    il_curve line, found[IL_CURVE_MINIMA];
    size_t n;
    double width, phi;
} fits;

static void fit(const il_order_study *s, const il_curve_data *d, fits *out) {
    double mean = 0.0;
    double square = 0.0;
    for (size_t i = 0; i < d->n; i++) {
        mean += d->x[i] / (double)d->n;
    }
    for (size_t i = 0; i < d->n; i++) {
        square += (d->x[i] - mean) * (d->x[i] - mean);
    }
    out->line = il_curve_line(d, ORDER_LEAST);
    out->width = sqrt(dispersion(il_curve_residuals(d, &out->line, s->rho), d->n - 2) / square);
    out->n = il_curve_bent(d, ORDER_LEAST, out->found);
    out->phi = dispersion(il_curve_residuals(d, &out->found[0], s->rho), d->n - PARAMETERS);
}

/* The hull of the orders, over all curves, whose deviance is at most t^2 phi above the minimum:
 * from each minimum outwards, as there may be several. */
static il_order_ends ends_of(const il_curve_data *d, const fits *of, double level) {
    double by = quantile(level, d->n - 2) * of->width;
    double t = quantile(level, d->n - PARAMETERS);
    double least = of->found[0].deviance;
    il_order_ends e = {{of->line.p - by, of->line.p + by}, {INFINITY, -INFINITY}};
    for (size_t k = 0; k < of->n; k++) {
        double p = of->found[k].p;
        if (of->found[k].deviance <= least + t * t * of->phi) {
            double step = t * of->width;
            e.all[0] = p < e.all[0] ? end_of(d, of_order, least, of->phi, t, p, -step) : e.all[0];
            e.all[1] = p > e.all[1] ? end_of(d, of_order, least, of->phi, t, p, step) : e.all[1];
        }
    }
    return e;
}

static double slope_at(const il_curve *c, double x) {
    double next = c->v * il_exp(c->r * x);
    double more = c->r * next / (1.0 - c->v + next);
    return c->inverse ? c->p - more : c->p + more;
}

/* Do errors rise with h, whatever the law of their scatter? Kendall's rank test (1938,
 * Biometrika 30, 81; Mann 1945, Econometrica 13, 245), one-sided. */
static bool rises(const il_curve_data *d, double level) {
    double n = (double)d->n;
    double sum = 0.0;
    for (size_t i = 0; i < d->n; i++) {
        for (size_t j = i + 1; j < d->n; j++) {
            sum += (d->x[j] > d->x[i]) * ((d->e[j] > d->e[i]) - (d->e[j] < d->e[i]));
        }
    }
    return sum - 1.0 >=
           gsl_cdf_ugaussian_Pinv(level) * sqrt(n * (n - 1.0) * (2.0 * n + 5.0) / 18.0);
}

/* The line's order, and where a bend is seen that of the best bent curve. */
static void fit_order(const il_order_study *s, double rounds, il_order *o, il_order_findings *f) {
    const il_curve_data *d = &s->runs;
    double level = both(1.0 - (1.0 - o->level) / rounds);
    double sure = 1.0 - (1.0 - SURE) / rounds;
    double t = quantile(sure, d->n - PARAMETERS);
    double x = d->x[d->n - 1];
    fits all;
    fit(s, d, &all);
    f->line = all.line;
    f->best = all.found[0];
    f->seen = ends_of(d, &all, level);
    f->sure = ends_of(d, &all, sure);
    double seen = quantile(both(1.0 - (1.0 - SEEN) / rounds), d->n - PARAMETERS);
    f->bend = f->line.deviance - f->best.deviance > gain_of(t, all.phi, d->n);
    f->curved = f->line.deviance - f->best.deviance > gain_of(seen, all.phi, d->n);
    f->rising = f->bend && f->best.inverse;
    f->rises = rises(d, both(1.0 - (1.0 - SEEN) / rounds));
    f->line_fits = !alike(s, d, &f->line, SEEN);
    f->best_fits = !alike(s, d, &f->best, SEEN);
    for (int k = 0; k < 3; k++) {
        f->slopes[k] = slope_at(&f->best, x * (1.0 - 0.5 * k));
    }
    const il_curve *c = f->bend ? &f->best : &f->line;
    const double *ends = f->bend ? f->seen.all : f->seen.line;
    double fold = f->line.p - quantile(1.0 - (1.0 - SEEN) / rounds, d->n - 2) * all.width;
    o->order = c->p;
    o->low = ends[0];
    o->high = ends[1];
    o->sure_low = fmin(f->sure.all[0], f->sure.line[0]);
    o->sure_high = fmax(f->sure.all[1], f->sure.line[1]);
    o->fold = il_exp(fmin(fold * x, 600.0));
    o->scatter = sqrt(all.phi);
    o->curve = *c;
    o->curve.b *= s->unit;
    o->finest = o->curve.b;
}

/* The finest octaves alone, where a verdict about h -> 0 has to stand too. Five runs that are
 * one an octave have few degrees of freedom: their interval is one-sided. */
static void fit_finest(const il_order_study *s, double rounds, il_order_findings *f) {
    size_t some;
    fits fine;
    il_curve_data d = finest(s, FINEST, &some);
    d.n = d.n < IL_ORDER_RUNS_LEAST ? IL_ORDER_RUNS_LEAST : d.n;
    fit(s, &d, &fine);
    double level = 1.0 - (1.0 - SEEN) / rounds;
    f->fine = ends_of(&d, &fine, d.n > IL_ORDER_RUNS_LEAST ? both(level) : level);
    f->fine_order = fine.line.p;
    double least = d.e[0];
    double most = d.e[0];
    for (size_t i = 1; i < d.n; i++) {
        least = fmin(least, d.e[i]);
        most = fmax(most, d.e[i]);
    }
    f->level = most < least * il_exp(IL_ORDER_MARGIN * d.x[d.n - 1]);
    d = finest(s, FIVE, &some);
    d.n = d.n < IL_ORDER_RUNS_LEAST ? IL_ORDER_RUNS_LEAST : d.n;
    f->five_order = il_curve_line(&d, ORDER_LEAST).p;
}

/* ---- the floor ------------------------------------------------------------------------------ */

/* The largest |floor| that is not excluded, in units of the study: for every share within its
 * interval, the largest finest error beside it. */
static double bound_floor(const il_curve_data *d, const il_curve *floor, double phi, double t) {
    double q = 1.0 - floor->v;
    double most = fabs(q) * floor->b;
    for (int side = -1; side <= 1; side += 2) {
        double end = end_of(d, of_share, floor->deviance, phi, t, q, side * 1e-3);
        end = fmin(end, 1.0 - 1e-9);
        for (int k = 1; k <= SHARES; k++) {
            il_curve c = il_curve_floor_of(d, q + (end - q) * k / SHARES);
            double room = fmax(floor->deviance + t * t * phi - c.deviance, 0.0);
            most = fmax(most, fabs(1.0 - c.v) * c.b * il_exp(sqrt(room / (double)d->n)));
        }
    }
    return most;
}

/* A floor is seen where its deviance is smaller by t^2 phi than that of every curve that
 * converges: a line of order 0.1, a bent curve of the slowest order less the margin. To be sure
 * of one, bent curves less twice the margin are excluded too, and that order in place of the
 * constant, those of order 0.1 fit no better, and what falls beside it falls as fast as the
 * slowest scheme, but both together no longer. */
static void fit_floor(const il_order_study *s, double rounds, il_order *o, il_order_findings *f) {
    const il_curve_data *d = &s->runs;
    il_curve found[IL_CURVE_MINIMA] = {f->best};
    double seen = quantile(both(1.0 - (1.0 - SEEN) / rounds), d->n - PARAMETERS);
    double sure = quantile(1.0 - (1.0 - SURE) / rounds, d->n - PARAMETERS);
    f->floor = il_curve_floor(d, 0.0);
    double slow[3]; /* deviances of the best curves of these orders at least */
    const double least[3] = {SLOWEST - IL_ORDER_MARGIN, SLOWEST - 2.0 * IL_ORDER_MARGIN,
                             IL_ORDER_MARGIN};
    for (int k = 0; k < 3; k++) {
        if (found[0].p < least[k]) {
            (void)il_curve_bent(d, least[k], found);
        }
        slow[k] = found[0].deviance;
        found[0] = f->best;
    }
    double slower = il_curve_floor(d, SLOWEST - 2.0 * IL_ORDER_MARGIN).deviance;
    double falls = fmin(slow[0], il_curve_line(d, IL_ORDER_MARGIN).deviance);
    double P =
        fmin(il_curve_residuals(d, &f->floor, s->rho), il_curve_residuals(d, &f->best, s->rho));
    double phi = dispersion(P, d->n - PARAMETERS);
    f->share = 1.0 - f->floor.v;
    f->floor_fits = !alike(s, d, &f->floor, SEEN);
    f->floor_seen = falls - f->floor.deviance > gain_of(seen, phi, d->n);
    f->floor_sure = f->floor.r >= SLOWEST && f->floor.r * f->floor.v < SLOWEST &&
                    f->floor.deviance < slow[2] &&
                    fmin(slow[1], slower) - f->floor.deviance > gain_of(sure, phi, d->n);
    o->floor = s->unit * f->share * f->floor.b;
    o->floor_high = s->unit * bound_floor(d, &f->floor, phi, seen);
}

bool il_order_measure(il_order_study *s, double rounds, il_order *o, il_order_findings *f) {
    size_t n = choose_window(s);
    if (n == 0) {
        return false;
    }
    f->whole = n == s->runs.n;
    o->used = (size_t)((double)o->used * (double)n / (double)s->runs.n + 0.5); /* of groups */
    s->runs.n = n;
    if (!f->whole) {
        o->octaves = s->runs.x[n - 1] / LN2;
        o->h_max = o->h_min * il_exp(s->runs.x[n - 1]);
    }
    fit_order(s, rounds, o, f);
    fit_finest(s, rounds, f);
    fit_floor(s, rounds, o, f);
    return true;
}
