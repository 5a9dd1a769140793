/*
 * double_double.h - sums of two doubles, hi + lo with |lo| <= ulp(hi)/2: 106 bits from plain
 * additions and products, the same ones on every machine (Dekker 1971, Knuth TAOCP 4.2.2; the names
 * are those of Shewchuk 1997). No fused multiply-add: machines without it take a slow way there.
 *
 * For arguments between 2^-900 and 2^900, where no product of parts overflows or loses bits.
 */
#ifndef IL_HARNESS_BASE_DOUBLE_DOUBLE_H
#define IL_HARNESS_BASE_DOUBLE_DOUBLE_H

#include <math.h>

typedef struct {
    double hi, lo;
} il_dd;

/* a + b, exactly. */
static inline il_dd il_two_sum(double a, double b) {
    double s = a + b;
    double t = s - a;
    return (il_dd){s, (a - (s - t)) + (b - t)};
}

/* a + b, exactly, where |a| >= |b| or a = 0. */
static inline il_dd il_fast_sum(double a, double b) {
    double s = a + b;
    return (il_dd){s, b - (s - a)};
}

/* a b, exactly: each factor is split into halves of 26 bits (Veltkamp). */
static inline il_dd il_two_product(double a, double b) {
    static const double split = 0x1p27 + 1.0;
    double p = a * b;
    double ca = split * a;
    double cb = split * b;
    double ah = ca - (ca - a);
    double bh = cb - (cb - b);
    double al = a - ah;
    double bl = b - bh;
    return (il_dd){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

/* The following are right to a few parts in 2^104. */

static inline il_dd il_dd_add(il_dd a, il_dd b) {
    il_dd s = il_two_sum(a.hi, b.hi);
    il_dd t = il_two_sum(a.lo, b.lo);
    s = il_fast_sum(s.hi, s.lo + t.hi);
    return il_fast_sum(s.hi, s.lo + t.lo);
}

static inline il_dd il_dd_negative(il_dd a) {
    return (il_dd){-a.hi, -a.lo};
}

static inline il_dd il_dd_subtract(il_dd a, il_dd b) {
    return il_dd_add(a, il_dd_negative(b));
}

/* a + b of one double, in half the operations. */
static inline il_dd il_dd_add_double(il_dd a, double b) {
    il_dd s = il_two_sum(a.hi, b);
    return il_fast_sum(s.hi, s.lo + a.lo);
}

static inline il_dd il_dd_multiply(il_dd a, il_dd b) {
    il_dd p = il_two_product(a.hi, b.hi);
    return il_fast_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static inline il_dd il_dd_scale(il_dd a, double s) {
    il_dd p = il_two_product(a.hi, s);
    return il_fast_sum(p.hi, p.lo + a.lo * s);
}

static inline il_dd il_dd_divide(il_dd a, il_dd b) {
    double q = a.hi / b.hi;
    il_dd rest = il_dd_subtract(a, il_dd_scale(b, q));
    double more = rest.hi / b.hi;
    rest = il_dd_subtract(rest, il_dd_scale(b, more));
    il_dd s = il_fast_sum(q, more);
    return il_fast_sum(s.hi, s.lo + rest.hi / b.hi);
}

/* The same to 2^-100 or so, with one correction less. */
static inline il_dd il_dd_ratio(il_dd a, il_dd b) {
    double q = a.hi / b.hi;
    il_dd p = il_two_product(q, b.hi);
    return il_fast_sum(q, ((a.hi - p.hi) - p.lo + (a.lo - q * b.lo)) / b.hi);
}

/* a >= 0. */
static inline il_dd il_dd_root(il_dd a) {
    double r = sqrt(a.hi);
    if (!(r > 0.0)) {
        return (il_dd){r, 0.0};
    }
    il_dd rest = il_dd_subtract(a, il_two_product(r, r));
    return il_fast_sum(r, rest.hi / (2.0 * r));
}

#endif
