/*
 * deviation.c - sup of |q_h - q| and integral of |u_h - u|, in closed form piece by piece.
 */
#include "harness/measure/deviation.h"

#include <gsl/gsl_poly.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/sum.h"
#include "harness/base/vector.h"
#include "harness/base/worse.h"
#include "harness/measure/arc.h"
#include "harness/measure/expansion.h"
#include "harness/measure/mean_norm.h"

enum { GOLDEN = 60, PROBES = 5, STEPS = 64 };

/* So far before the end of a piece, of its length, a curve shows whether it rises; the excess of a
 * maximum behind is the square of that. */
static const double BESIDE = 1e-6;

/* A square this much below another one has the smaller root, whatever the roundings. */
static const double WELL = 1.0 - 1e-12;

struct il_deviation {
    const il_exact *reference;
    size_t d;
    size_t next; /* first break not yet passed */
    double sup;
    double sup2; /* a number whose root is no more than sup */
    il_sum integral;
    double t1;                                /* end of the last step */
    double *ea, *eb;                          /* [d] q_h - q at the ends of a piece */
    double *wa, *wb;                          /* [d] u_h - u just inside them */
    double *q, *u;                            /* [d] evaluation of the reference */
    double *last_q, *last_u;                  /* [d] state at the end of the last step */
    const double *step_q0, *step_q1, *step_u; /* the step at hand */
    double step_t0, step_t1;
    const il_motion *motion; /* inside the step at hand, or NULL */
    size_t part;             /* its piece at hand */
    double known;  /* the interval between breaks for which q and u hold the reference; or NaN */
    bool expanded; /* over [from, to] `expansion` is the reference */
    double from, to;
    size_t span; /* steps that the next one is to cover */
    il_expansion expansion;
    il_arc arc;
    il_mean_norm_rule rule;
};

/* v = u_h - u at t, as the limit from `side`. */
static void velocity_at(void *data, double t, int side, double *v) {
    il_deviation *w = data;
    if (w->expanded) {
        il_expansion_sum(&w->expansion, w->expansion.u, t, v);
    } else {
        w->reference->eval(w->reference, t, side, w->q, v);
    }
    const double *u = w->step_u;
    if (w->motion != NULL) {
        il_motion_eval(w->motion, w->step_t0, w->part, t, NULL, w->u);
        w->known = NAN;
        u = w->u;
    }
    for (size_t k = 0; k < w->d; k++) {
        v[k] = u[k] - v[k];
    }
}

il_deviation *il_deviation_create(const il_exact *reference, size_t d) {
    il_deviation *w = il_alloc_zero(1, sizeof *w);
    w->reference = reference;
    w->d = d;
    w->next = 1;
    w->known = NAN;
    w->span = 1;
    w->ea = il_alloc_zero((8 + IL_ARC_SIZE + IL_EXPANSION_SIZE) * d, sizeof *w->ea);
    il_mean_norm_make(&w->rule);
    double **parts[] = {&w->eb, &w->wa, &w->wb, &w->q, &w->u, &w->last_q, &w->last_u};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
        *parts[k] = w->ea + (k + 1) * d;
    }
    w->arc = il_arc_in(w->ea + 8 * d, d, &w->rule, velocity_at, w);
    w->expansion = il_expansion_in(w->ea + (8 + IL_ARC_SIZE) * d, d);
    return w;
}

void il_deviation_destroy(il_deviation *w) {
    if (w == NULL) {
        return;
    }
    free(w->ea);
    free(w);
}

static void raise_sup(il_deviation *w, double value) {
    if (isnan(value) || value > w->sup) {
        w->sup = value;
    }
}

/* The same with the square root of a number, which is computed only where it can matter. */
static void raise_sup_root(il_deviation *w, double square) {
    if (square <= w->sup2) {
        return;
    }
    raise_sup(w, sqrt(square));
    w->sup2 = square;
}

/* e = q_h - q and v = u_h - u at t, as the limit from `side`; either may be NULL. A step begins
 * where the last one ended: if the reference has no break there, its value is reused. */
static void differences(il_deviation *w, double t, int side, double *e, double *v) {
    if (w->expanded && e != NULL) {
        il_expansion_sum(&w->expansion, w->expansion.q, t, w->q);
    }
    if (w->expanded && v != NULL) {
        il_expansion_sum(&w->expansion, w->expansion.u, t, w->u);
    }
    if (!w->expanded && t != w->known) {
        w->reference->eval(w->reference, t, side, w->q, w->u);
    }
    w->known = NAN;
    if (w->motion != NULL) {
        il_motion_eval(w->motion, w->step_t0, w->part, t, e, v);
        for (size_t k = 0; k < w->d; k++) {
            if (e != NULL) {
                e[k] -= w->q[k];
            }
            if (v != NULL) {
                v[k] -= w->u[k];
            }
        }
        return;
    }
    double theta = t == w->step_t0   ? 0.0
                   : t == w->step_t1 ? 1.0
                                     : (t - w->step_t0) / (w->step_t1 - w->step_t0);
    for (size_t k = 0; e != NULL && k < w->d; k++) {
        double a = w->step_q0[k];
        double b = w->step_q1[k];
        double q = theta <= 0.0 ? a : theta >= 1.0 ? b : a + theta * (b - a);
        e[k] = q - w->q[k];
    }
    for (size_t k = 0; v != NULL && k < w->d; k++) {
        v[k] = w->step_u[k] - w->u[k];
    }
}

/* |e(s)| of a quadratic piece, from its end values and its curvature, e'' = L (wb - wa):
 *
 *     e(s) = ea + s (eb - ea) - s (1 - s)/2 L (wb - wa).
 *
 * Its slope wa at the start is not used: u_h is the velocity that a scheme reports, and for
 * moreau_jean and penalty q_h moves with another one between the nodes. */
static double norm_at(const il_deviation *w, double L, double s) {
    double sum = 0.0;
    for (size_t k = 0; k < w->d; k++) {
        double bend = L * (w->wb[k] - w->wa[k]);
        double e = w->ea[k] + s * (w->eb[k] - w->ea[k] - 0.5 * (1.0 - s) * bend);
        sum += e * e;
    }
    return sqrt(sum);
}

/* Does the cubic c certainly have no root in [0,1], nor one that is near by a solver's rounding?
 * Its Bernstein coefficients, between which it lies, have one sign. */
static bool rootless(const double *c) {
    static const double CLEAR = 1e-4;
    double size =
        il_greater(il_greater(fabs(c[0]), fabs(c[1])), il_greater(fabs(c[2]), fabs(c[3])));
    double sign = c[0] > 0.0 ? 1.0 : -1.0;
    double least = CLEAR * size;
    return sign * c[0] > least && sign * (c[0] + c[1] / 3.0) > least &&
           sign * (c[0] + (2.0 * c[1] + c[2]) / 3.0) > least &&
           sign * (c[0] + c[1] + c[2] + c[3]) > least;
}

/* The extrema of |e|^2 inside a quadratic piece: <e, e'> = 0, a cubic in s. */
static void sup_quadratic(il_deviation *w, double L) {
    double c[4] = {0.0};
    for (size_t k = 0; k < w->d; k++) {
        double e = w->ea[k];
        double a = w->wb[k] - w->wa[k];
        double v = (w->eb[k] - w->ea[k]) / L - 0.5 * a; /* e'(0) = L v */
        c[0] += e * v;
        c[1] += e * a + L * v * v;
        c[2] += 1.5 * L * v * a;
        c[3] += 0.5 * L * a * a;
    }
    if (rootless(c)) {
        return; /* true of almost every piece whose end is the farthest point so far */
    }
    double root[3];
    int n = 0;
    double others = fmax(fabs(c[0]), fmax(fabs(c[1]), fabs(c[2])));
    if (fabs(c[3]) > 1e-10 * others) {
        n = gsl_poly_solve_cubic(c[2] / c[3], c[1] / c[3], c[0] / c[3], &root[0], &root[1],
                                 &root[2]);
    } else {
        n = gsl_poly_solve_quadratic(c[2], c[1], c[0], &root[0], &root[1]);
    }
    for (int i = 0; i < n; i++) {
        if (root[i] > 0.0 && root[i] < 1.0) {
            raise_sup(w, norm_at(w, L, root[i]));
        }
    }
}

static void piece_quadratic(il_deviation *w, double a, double b) {
    double L = b - a;
    /* squares and products, in one pass: of e at the ends, of v, of its change */
    double first = 0.0;
    double last = 0.0;
    double aa = 0.0;
    double ab = 0.0;
    double bb = 0.0;
    double turn = 0.0;
    for (size_t k = 0; k < w->d; k++) {
        double va = w->wa[k];
        double vb = w->wb[k];
        first += w->ea[k] * w->ea[k];
        last += w->eb[k] * w->eb[k];
        aa += va * va;
        ab += va * vb;
        bb += vb * vb;
        turn += (vb - va) * (vb - va);
    }
    raise_sup_root(w, first);
    raise_sup_root(w, last);
    il_sum_add(&w->integral, L * il_mean_norm(&w->rule, w->d, w->wa, w->wb, aa, ab, bb));
    /* Between the ends |e| exceeds the chord by at most L |wb - wa| / 8. Most pieces are done here,
     * most of these without a square root. */
    double ends = il_greater(first, last);
    double size = L * L * turn; /* the square of 8 times that; |a| + |b| <= sqrt(2 (a^2 + b^2)) */
    if (2.0 * ends + size * (2.0 / 64.0) <= WELL * w->sup2) {
        return;
    }
    if (sqrt(ends) + 0.125 * L * sqrt(turn) > w->sup) {
        sup_quadratic(w, L);
    }
}

/* The same of one coordinate: |e| is largest at an end, or where its slope changes sign. */
static void piece_line(il_deviation *w, double a, double b) {
    double L = b - a;
    double first = fabs(w->ea[0]);
    double last = fabs(w->eb[0]);
    double way = w->eb[0] - w->ea[0];
    double bend = L * (w->wb[0] - w->wa[0]);
    if (!(first <= w->sup && last <= w->sup)) {
        raise_sup(w, first);
        raise_sup(w, last);
    }
    il_sum_add(&w->integral, L * il_mean_size(w->wa[0], w->wb[0]));
    /* e'(0) = way - bend/2, e'(1) = way + bend/2 */
    if (fabs(way) < 0.5 * fabs(bend) && il_greater(first, last) + 0.125 * fabs(bend) > w->sup) {
        raise_sup(w, norm_at(w, L, 0.5 - way / bend));
    }
}

static double position_norm(il_deviation *w, double t) {
    differences(w, t, 0, w->eb, NULL);
    return sqrt(il_dot(w->eb, w->eb, w->d));
}

/* The maximum of |q_h - q| inside [a,b], for a curve that a few sample points resolve; first and
 * last at the ends. */
static void sup_smooth(il_deviation *w, double a, double b, double first, double last) {
    double probe[PROBES + 1];
    double best = -1.0;
    double at = NAN;
    for (int i = 0; i <= PROBES; i++) {
        double t = i == PROBES ? b : a + (b - a) * i / PROBES;
        probe[i] = i == 0 ? first : i == PROBES ? last : position_norm(w, t);
        if (isnan(probe[i])) {
            raise_sup(w, NAN);
            return;
        }
        if (probe[i] > best) {
            best = probe[i];
            at = t;
        }
    }
    double bend = 0.0;
    for (int i = 1; i < PROBES; i++) {
        bend = fmax(bend, fabs(probe[i - 1] - 2.0 * probe[i] + probe[i + 1]));
    }
    /* Between sample points a smooth curve exceeds them by at most an eighth of its second
     * difference; the test asks for a whole one. */
    if (best + bend <= w->sup) {
        return;
    }
    if (at == b && position_norm(w, b - BESIDE * (b - a)) <= best) {
        return; /* it rises up to its end, which is known */
    }
    const double golden = 0.5 * (sqrt(5.0) - 1.0);
    double low = fmax(a, at - (b - a) / PROBES);
    double high = fmin(b, at + (b - a) / PROBES);
    for (int i = 0; i < GOLDEN && high - low > 1e-9 * (b - a); i++) {
        double x = high - golden * (high - low);
        double y = low + golden * (high - low);
        double fx = position_norm(w, x);
        double fy = position_norm(w, y);
        best = fmax(best, fmax(fx, fy));
        if (fx > fy) {
            high = y;
        } else {
            low = x;
        }
    }
    raise_sup(w, best);
}

/* Let an expansion be the reference from a to b, at best over many steps like [a,b], up to `end`
 * where the reference is smooth; else the reference is evaluated. */
static void expand(il_deviation *w, double a, double b, double end) {
    if (w->expanded && w->from <= a && b <= w->to) {
        return;
    }
    w->from = a;
    for (;; w->span /= 4) {
        w->span = w->span < 1 ? 1 : w->span;
        w->to = w->span == 1 ? b : fmin(end, a + (double)w->span * (b - a));
        w->expanded = il_expansion_make(&w->expansion, w->reference, a, w->to);
        if (w->expanded || w->span == 1) {
            break;
        }
    }
    w->span = w->expanded && w->span < STEPS ? 2 * w->span : w->span;
}

/* One piece of one step on which the reference is smooth, as it is up to `end`. */
static void piece(il_deviation *w, double a, double b, double end) {
    if (!w->reference->quadratic) {
        expand(w, a, b, end);
    }
    differences(w, a, 1, w->ea, w->wa);
    differences(w, b, -1, w->eb, w->wb);
    bool straight = w->motion == NULL && w->reference->quadratic;
    if (straight && w->d == 1) {
        piece_line(w, a, b);
    } else if (straight) {
        piece_quadratic(w, a, b);
    } else {
        double first = sqrt(il_dot(w->ea, w->ea, w->d));
        double last = sqrt(il_dot(w->eb, w->eb, w->d));
        double speed = 0.0;
        for (size_t k = 0; k < w->d; k++) {
            speed = fmax(speed, fabs(w->step_u[k]));
        }
        il_sum_add(&w->integral, il_arc_between(&w->arc, a, b, speed));
        raise_sup(w, first);
        raise_sup(w, last);
        sup_smooth(w, a, b, first, last);
    }
}

void il_deviation_step(il_deviation *w, double t0, double t1, const double *q0, const double *q1,
                       const double *u1, const il_motion *motion) {
    w->motion = motion;
    w->part = 0;
    w->step_t0 = t0;
    w->step_t1 = t1;
    w->step_q0 = q0;
    w->step_q1 = q1;
    w->step_u = u1;
    const il_exact *reference = w->reference;
    double a = t0;
    while (w->next < reference->nbreaks && reference->breaks[w->next] <= a) {
        w->next++;
    }
    while (a < t1) {
        bool inside = w->next < reference->nbreaks && reference->breaks[w->next] < t1;
        double b = inside ? reference->breaks[w->next] : t1;
        if (motion != NULL && motion->end[w->part] < b) {
            b = motion->end[w->part];
            inside = false;
        }
        piece(w, a, b, w->next < reference->nbreaks ? reference->breaks[w->next] : b);
        w->next += inside;
        w->part += motion != NULL && motion->end[w->part] == b && w->part + 1 < motion->n;
        a = b;
    }
    bool smooth = w->next < reference->nbreaks && reference->breaks[w->next] > t1;
    bool at_end = smooth && reference->quadratic && motion == NULL; /* the last evaluation was */
    w->known = at_end ? t1 : NAN;
    w->t1 = t1;
    for (size_t k = 0; k < w->d; k++) {
        w->last_q[k] = q1[k];
        w->last_u[k] = u1[k];
    }
}

il_deviation_result il_deviation_finish(const il_deviation *w) {
    double q = 0.0;
    double u = 0.0;
    w->reference->eval(w->reference, w->t1, -1, w->q, w->u);
    for (size_t k = 0; k < w->d; k++) {
        q += (w->last_q[k] - w->q[k]) * (w->last_q[k] - w->q[k]);
        u += (w->last_u[k] - w->u[k]) * (w->last_u[k] - w->u[k]);
    }
    return (il_deviation_result){.q_Linf = w->sup,
                                 .u_L1 = il_sum_value(&w->integral),
                                 .final_q = sqrt(q),
                                 .final_u = sqrt(u)};
}

double il_deviation_named(const il_deviation_result *result, const char *name) {
    return strcmp(name, "q_Linf") == 0    ? result->q_Linf
           : strcmp(name, "u_L1") == 0    ? result->u_L1
           : strcmp(name, "final_q") == 0 ? result->final_q
           : strcmp(name, "final_u") == 0 ? result->final_u
                                          : NAN;
}
