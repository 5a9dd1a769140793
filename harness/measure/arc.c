/*
 * arc.c - int |v| of a smooth v. With c the line between the values of v at the ends of a part,
 *
 *     int |v| = int |c| + int (|v| - |c|),     |v| - |c| = <v - c, v + c>/(|v| + |c|).
 *
 * The first has a closed form, kink or not; the second is as small as v bends, and a rule of Gauss
 * and Kronrod has it. As a function of complex time |c| has branch points at least +- i width, the
 * zeros of <c,c>, from which the error of a rule depends:
 *
 *   - where |v_a| + |v_b| is above TURN |v_b - v_a|, with an allowance for the curvature of v, they
 *     lie outside of an ellipse on which that of fifteen points is 4.5^-24;
 *   - elsewhere the part is cut where v is nearest to zero, so that v - c vanishes there, and x =
 *     least + width sinh y, which makes |c| and dx multiples of cosh y, leaves but the square of
 *     the bend singular. Without width nothing is singular on either side of the cut.
 *
 * A part in which v bends more than BENT of its chord, or the rule's own estimate is too large, is
 * halved.
 */
#include "harness/measure/arc.h"

#include <gsl/gsl_integration.h>
#include <stdbool.h>

#include "harness/base/elementary.h"
#include "harness/base/sum.h"
#include "harness/base/vector.h"

enum { HALVINGS = 48, PARTS = 2000, SECANTS = 3 };

/* Bounds of what is straight, relative to the whole integral, of the rounding of velocities, and of
 * the estimate allowed to a rule: where it converges that is 200^(3/2) times |K - G|^(3/2), which
 * is itself above the error (Piessens et al. 1983, QUADPACK). */
static const double STRAIGHT = 5e-14;
static const double NOISE = 2e-15;
static const double QUADRATURE = 1e-11;

/* Where the rules resolve the norm, as above. With BENT 0.03, of 48 000 curves as
 * tests/measure/test_arc.c draws them with a near kink, three are off by more than 1e-12. */
static const double TURN = 2.36;
static const double BEND = 9.0;
static const double BENT = 0.015;

/* Widths below KINK leave singular less than their square, 1e-10, of the bend; and below NARROW y
 * would be so long that exp(3 y) is no polynomial to twenty-one points. */
static const double KINK = 1e-5;
static const double NARROW = 3e-3;

il_arc il_arc_in(double *room, size_t d, const il_mean_norm_rule *rule,
                 void (*at)(void *data, double t, int side, double *v), void *data) {
    return (il_arc){.d = d,
                    .rule = rule,
                    .at = at,
                    .data = data,
                    .wa = room,
                    .wb = room + d,
                    .wm = room + 2 * d};
}

static double mean_norm(const il_arc *w, const double *a, const double *b) {
    return il_mean_norm(w->rule, w->d, a, b, il_dot(a, a, w->d), il_dot(a, b, w->d),
                        il_dot(b, b, w->d));
}

/* |v - c| at x in (0,1) of the way from a to b, whose values are in wa and wb; v in wm. */
static double off_chord(il_arc *w, double a, double b, double x) {
    w->at(w->data, a + x * (b - a), 0, w->wm);
    double sum = 0.0;
    for (size_t k = 0; k < w->d; k++) {
        double off = w->wm[k] - w->wa[k] - x * (w->wb[k] - w->wa[k]);
        sum += off * off;
    }
    return sqrt(sum);
}

/* |v| - |c| at x of the way along the part at hand. */
static double remainder_at(double x, void *data) {
    il_arc *w = data;
    double vv = 0.0;
    double cc = 0.0;
    double difference = 0.0;
    w->at(w->data, w->near + w->way * x, 0, w->wm);
    for (size_t k = 0; k < w->d; k++) {
        double v = w->wm[k];
        double c = w->wa[k] + x * (w->wb[k] - w->wa[k]);
        vv += v * v;
        cc += c * c;
        difference += (v - c) * (v + c);
    }
    return difference == 0.0 ? 0.0 : difference / (sqrt(vv) + sqrt(cc));
}

/* The same times dx/dy, x = least + width sinh y. */
static double stretched_at(double y, void *data) {
    const il_arc *w = data;
    double e = il_exp(y);
    double x = w->least + 0.5 * w->width * (e - 1.0 / e);
    return remainder_at(x, data) * 0.5 * w->width * (e + 1.0 / e);
}

/* int |v| between near and far, whose values are in wa and wb, added to *value; stretched near the
 * zeros of <c,c>, if they may be near. False if the error is above what is allowed. */
static bool integrate(il_arc *w, double near, double far, bool stretched, double allowed,
                      double *value) {
    gsl_function f = {.function = remainder_at, .params = w};
    double rest = 0.0;
    double estimate = 0.0;
    double size = 0.0;
    double spread = 0.0;
    double aa = il_dot(w->wa, w->wa, w->d);
    double ab = il_dot(w->wa, w->wb, w->d);
    double bb = il_dot(w->wb, w->wb, w->d);
    w->near = near;
    w->way = far - near;
    if (stretched) {
        double turn = aa - 2.0 * ab + bb;
        w->least = (aa - ab) / turn;
        w->width = sqrt(fmax(aa / turn - w->least * w->least, 0.0));
        stretched = w->width > KINK || w->least < -KINK;
        w->width = fmax(w->width, NARROW);
    }
    if (stretched) {
        double first = il_asinh(-w->least / w->width);
        double last = il_asinh((1.0 - w->least) / w->width);
        f.function = stretched_at;
        gsl_integration_qk21(&f, first, last, &rest, &estimate, &size, &spread);
    } else {
        gsl_integration_qk15(&f, 0.0, 1.0, &rest, &estimate, &size, &spread);
    }
    *value += fabs(w->way) * (il_mean_norm(w->rule, w->d, w->wa, w->wb, aa, ab, bb) + rest);
    return !(fabs(w->way) * estimate > allowed);
}

/* Where |v| is least on [a,b], in parts of it, by secants: where v is normal to the chord from wa
 * to wb, its values at the ends. */
static double nearest_zero(il_arc *w, double a, double b, double turn) {
    double x0 = 0.0;
    double p0 = il_dot(w->wa, w->wb, w->d) - il_dot(w->wa, w->wa, w->d);
    double x = -p0 / turn;
    for (int i = 0; i < SECANTS && x > 0.0 && x < 1.0; i++) {
        w->at(w->data, a + x * (b - a), 0, w->wm);
        double p = il_dot(w->wm, w->wb, w->d) - il_dot(w->wm, w->wa, w->d);
        double slope = (p - p0) / (x - x0);
        x0 = x;
        p0 = p;
        x = slope > 0.0 ? x - p / slope : x;
    }
    return x;
}

/* The same from where |v| is least, x of the way from a to b. */
static bool integrate_from(il_arc *w, double a, double b, double x, double allowed, double *value) {
    double cut = a + x * (b - a);
    if (!(x > 0.0 && cut > a)) {
        return integrate(w, a, b, true, allowed, value);
    }
    if (!(x < 1.0 && cut < b)) {
        double *other = w->wa;
        w->wa = w->wb;
        w->wb = other;
        return integrate(w, b, a, true, allowed, value);
    }
    w->at(w->data, cut, 0, w->wa);
    bool right = integrate(w, cut, b, true, allowed, value);
    w->at(w->data, a, 1, w->wb);
    return integrate(w, cut, a, true, allowed, value) && right;
}

static void ends_of(il_arc *w, double a, double b) {
    w->at(w->data, a, 1, w->wa);
    w->at(w->data, b, -1, w->wb);
}

/* int |v| over [a,b], wa and wb being at its ends; false if it must be halved. */
static bool part(il_arc *w, double a, double b, double slack, double speed, double *value) {
    double bend = off_chord(w, a, b, 0.3); /* a cubic may meet its chord in the middle */
    bend = fmax(bend, off_chord(w, a, b, 0.5));
    double turn = 0.0;
    for (size_t k = 0; k < w->d; k++) {
        turn += (w->wb[k] - w->wa[k]) * (w->wb[k] - w->wa[k]);
    }
    double ends = sqrt(il_dot(w->wa, w->wa, w->d)) + sqrt(il_dot(w->wb, w->wb, w->d));
    double allowed = fmax(STRAIGHT * slack, NOISE * (speed + ends) * (b - a));
    if (!(bend * (b - a) > allowed)) { /* two chords: off by at most 1/6 bend (b - a) */
        *value = 0.5 * (b - a) * (mean_norm(w, w->wa, w->wm) + mean_norm(w, w->wm, w->wb));
        return true;
    }
    allowed = fmax(allowed, QUADRATURE * slack);
    *value = 0.0;
    if (ends >= TURN * sqrt(turn) + BEND * bend) {
        return integrate(w, a, b, false, allowed, value);
    }
    if (bend > BENT * sqrt(turn)) {
        *value = (b - a) * mean_norm(w, w->wa, w->wb);
        return false;
    }
    return integrate_from(w, a, b, nearest_zero(w, a, b, turn), allowed, value);
}

/* From left to right; ends[0..n] are those of the parts still to do. */
double il_arc_between(il_arc *w, double a, double b, double speed) {
    double ends[HALVINGS + 1] = {b};
    size_t n = 0;
    il_sum sum = {0};
    ends_of(w, a, b);
    w->at(w->data, 0.5 * (a + b), 0, w->wm);
    double size = fmax(il_dot(w->wa, w->wa, w->d), il_dot(w->wb, w->wb, w->d));
    double slack = (b - a) * sqrt(fmax(size, il_dot(w->wm, w->wm, w->d)));
    for (size_t parts = 1;; parts++) {
        double value = 0.0;
        if (part(w, a, ends[n], slack, speed, &value) || n == HALVINGS || parts >= PARTS) {
            il_sum_add(&sum, value);
            a = ends[n];
            if (n == 0) {
                return il_sum_value(&sum);
            }
            n--;
        } else {
            ends[n + 1] = 0.5 * (a + ends[n]);
            n++;
        }
        ends_of(w, a, ends[n]);
    }
}
