/*
 * deviation.c - sup of |q_h - q| and integral of |u_h - u|, in closed form piece by piece.
 */
#include "harness/measure/deviation.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_poly.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/sum.h"
#include "harness/base/vector.h"
#include "harness/base/worse.h"
#include "harness/measure/expansion.h"
#include "harness/measure/mean_norm.h"

enum { GOLDEN = 60, PROBES = 5, HALVINGS = 48, PARTS = 2000 };

/* Tolerances of the quadrature (part_smooth): what counts as straight relative to the whole piece,
 * what as rounding of velocities, the error allowed to the rule; and where its points resolve the
 * norm. */
static const double STRAIGHT = 5e-14;
static const double NOISE = 2e-15;
static const double QUADRATURE = 1e-13;
static const double TURN = 2.36;
static const double BEND = 9.0;

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
    double *wm;                               /* [d] v in the middle of a part */
    double *q, *u;                            /* [d] evaluation of the reference */
    double *last_q, *last_u;                  /* [d] state at the end of the last step */
    const double *step_q0, *step_q1, *step_u; /* the step at hand */
    double step_t0, step_t1;
    double known;  /* the interval between breaks for which q and u hold the reference; or NaN */
    bool expanded; /* over the piece at hand `expansion` is the reference */
    il_expansion expansion;
    il_mean_norm_rule rule;
};

il_status il_deviation_create(il_deviation **out, const il_exact *reference, size_t d,
                              il_error *err) {
    *out = NULL;
    il_deviation *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for errors");
    }
    w->reference = reference;
    w->d = d;
    w->next = 1;
    w->known = NAN;
    w->ea = calloc((9 + IL_EXPANSION_SIZE) * d, sizeof *w->ea);
    if (w->ea == NULL || !il_mean_norm_make(&w->rule)) {
        il_deviation_destroy(w);
        return il_fail(err, IL_ENOMEM, "no memory for errors of size %zu", d);
    }
    double **parts[] = {&w->eb, &w->wa, &w->wb, &w->wm, &w->q, &w->u, &w->last_q, &w->last_u};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
        *parts[k] = w->ea + (k + 1) * d;
    }
    w->expansion = il_expansion_in(w->ea + 9 * d, d);
    *out = w;
    return IL_OK;
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

static double mean_norm(const il_deviation *w, const double *a, const double *b) {
    return il_mean_norm(&w->rule, w->d, a, b, il_dot(a, a, w->d), il_dot(a, b, w->d),
                        il_dot(b, b, w->d));
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

static double velocity_norm(double t, void *data) {
    il_deviation *w = data;
    differences(w, t, 0, NULL, w->wb);
    return sqrt(il_dot(w->wb, w->wb, w->d));
}

static double position_norm(il_deviation *w, double t) {
    differences(w, t, 0, w->eb, NULL);
    return sqrt(il_dot(w->eb, w->eb, w->d));
}

/* The maximum of |q_h - q| inside [a,b], for a curve that a few sample points resolve. */
static void sup_smooth(il_deviation *w, double a, double b) {
    double probe[PROBES + 1];
    double best = -1.0;
    double at = NAN;
    for (int i = 0; i <= PROBES; i++) {
        double t = i == PROBES ? b : a + (b - a) * i / PROBES;
        probe[i] = position_norm(w, t);
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

/* |v(s) - chord(s)|, s in (0,1) between the ends of a part whose ends are in wa and wb; v in wm. */
static double off_chord(il_deviation *w, double a, double b, double s) {
    differences(w, a + s * (b - a), 0, NULL, w->wm);
    double sum = 0.0;
    for (size_t k = 0; k < w->d; k++) {
        double off = w->wm[k] - w->wa[k] - s * (w->wb[k] - w->wa[k]);
        sum += off * off;
    }
    return sqrt(sum);
}

static bool rule_of_fifteen(il_deviation *w, double a, double b, double allowed, double *value) {
    gsl_function f = {.function = velocity_norm, .params = w};
    double estimate = 0.0;
    double size = 0.0;
    double spread = 0.0;
    gsl_integration_qk15(&f, a, b, value, &estimate, &size, &spread);
    return !(estimate > fmax(allowed, QUADRATURE * fabs(*value)));
}

/* int |v| over [a,b], v = u_h - u; false if the interval must be halved.
 *
 * As a function of complex time |v| = sqrt(<v,v>) has branch points at the zeros of <v,v>. For v
 * affine they lie on the ellipse with foci a and b and half axes (rho +- 1/rho)/2 half lengths,
 * where
 *
 *     rho + 1/rho = 2 (|v_a| + |v_b|)/|v_b - v_a|,
 *
 * and the error of the fifteen-point Gauss-Kronrod rule decreases like rho^-24. The rule is used
 * only where rho > 4.5, with an allowance for the curvature of v; then no kink can hide between its
 * points, from the value and its error estimate alike. Elsewhere v is halved until it is straight,
 * for which there is a closed form, kink or not. */
static bool part_smooth(il_deviation *w, double a, double b, double slack, double *value) {
    differences(w, a, 1, NULL, w->wa);
    differences(w, b, -1, NULL, w->wb);
    double bend = off_chord(w, a, b, 0.5);
    double turn = 0.0;
    double speed = 0.0;
    for (size_t k = 0; k < w->d; k++) {
        turn += (w->wb[k] - w->wa[k]) * (w->wb[k] - w->wa[k]);
        speed = fmax(speed, fabs(w->step_u[k]));
    }
    double ends = sqrt(il_dot(w->wa, w->wa, w->d)) + sqrt(il_dot(w->wb, w->wb, w->d));
    double allowed = fmax(slack, NOISE * (speed + ends) * (b - a));
    if (bend * (b - a) > allowed) {
        if (ends >= TURN * sqrt(turn) + BEND * bend) {
            return rule_of_fifteen(w, a, b, allowed, value);
        }
        *value = (b - a) * mean_norm(w, w->wa, w->wb);
        return false;
    }
    /* two chords: off by at most 1/6 bend (b - a); a cubic may cross its chord in the middle */
    *value = 0.5 * (b - a) * (mean_norm(w, w->wa, w->wm) + mean_norm(w, w->wm, w->wb));
    return !(off_chord(w, a, b, 0.3) * (b - a) > allowed);
}

/* int |u_h - u| over a piece, wa and wb being at its ends. From left to right; ends[0..n] are those
 * of the parts still to do. */
static void integral_smooth(il_deviation *w, double a, double b) {
    double ends[HALVINGS + 1] = {b};
    size_t n = 0;
    differences(w, 0.5 * (a + b), 0, NULL, w->wm);
    double size = fmax(il_dot(w->wa, w->wa, w->d), il_dot(w->wb, w->wb, w->d));
    double slack = STRAIGHT * (b - a) * sqrt(fmax(size, il_dot(w->wm, w->wm, w->d)));
    for (size_t parts = 1;; parts++) {
        double value = 0.0;
        if (part_smooth(w, a, ends[n], slack, &value) || n == HALVINGS || parts >= PARTS) {
            il_sum_add(&w->integral, value);
            a = ends[n];
            if (n == 0) {
                return;
            }
            n--;
        } else {
            ends[n + 1] = 0.5 * (a + ends[n]);
            n++;
        }
    }
}

static void piece_smooth(il_deviation *w, double a, double b) {
    w->expanded = il_expansion_make(&w->expansion, w->reference, a, b);
    integral_smooth(w, a, b);
    sup_smooth(w, a, b);
    w->expanded = false;
}

/* One piece of one step on which the reference is smooth. */
static void piece(il_deviation *w, double a, double b) {
    differences(w, a, 1, w->ea, w->wa);
    differences(w, b, -1, w->eb, w->wb);
    if (w->reference->quadratic && w->d == 1) {
        piece_line(w, a, b);
    } else if (w->reference->quadratic) {
        piece_quadratic(w, a, b);
    } else {
        raise_sup(w, sqrt(il_dot(w->ea, w->ea, w->d)));
        raise_sup(w, sqrt(il_dot(w->eb, w->eb, w->d)));
        piece_smooth(w, a, b);
    }
}

void il_deviation_step(il_deviation *w, double t0, double t1, const double *q0, const double *q1,
                       const double *u1) {
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
        piece(w, a, b);
        w->next += inside;
        a = b;
    }
    bool smooth = w->next < reference->nbreaks && reference->breaks[w->next] > t1;
    w->known = smooth && reference->quadratic ? t1 : NAN; /* the last evaluation was at the end */
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
