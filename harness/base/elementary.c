/*
 * elementary.c - exponentials, logarithms and what comes from them; roots.
 *
 * e^x = 2^(n/64) e^s with x = n log(2)/64 + s and 2^(k/64) from a table; log x = k log 2 + log c +
 * 2 artanh z with x = 2^k m, c = i/64 near m from a table, and z = (m - c)/(m + c).
 */
#include "harness/base/elementary.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "harness/base/double_double.h"
#include "harness/base/elementary_tables.h"

/* log(2)/64 in parts of 36 bits: n times a part is exact for n below 2^17. */
static const double STEP[3] = {0x1.62e42fefap-7, 0x1.cf79abc9ep-46, 0x1.d9cc01f97b57ap-85};
static const double STEPS_PER_LOG2 = 0x1.71547652b82fep+6;
/* log 2, the first part of 42 bits. */
static const il_dd LOG2 = {0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45};
static const il_dd PER_LOG2 = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
static const il_dd PER_LOG10 = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
static const il_dd THIRD = {0x1.5555555555555p-2, 0x1.5555555555555p-56};

static const double ROUNDER = 0x1.8p52; /* adding and taking away rounds to an integer */

/* Beyond these e^x is infinite and zero. */
static const double EXP_MAX = 0x1.62e42fefa39efp+9;
static const double EXP_MIN = -745.2;

/* Below this odd functions round to x, and log(1 + x), e^x - 1 are x and one more term. */
static const double TINY = 0x1p-30;

/* 2^k, -1022 <= k <= 1023. */
static double power_of_two(int k) {
    uint64_t bits = (uint64_t)(k + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* (a.hi + a.lo) 2^k for a in (1/2, 2), rounded once: where bits below 2^-1074 go, adding a large
 * number drops them first. */
static double assemble(il_dd a, int k) {
    if (k > 1023) {
        return a.hi * 2.0 * power_of_two(k - 1);
    }
    if (k > -1022 || (k == -1022 && a.hi >= 1.0)) {
        return a.hi * power_of_two(k);
    }
    double large = ldexp(1.0, -1022 - k); /* its last bit is that of the result */
    il_dd s = il_two_sum(large, a.hi);
    s = il_two_sum(s.hi, s.lo + a.lo);
    return ldexp(s.hi - large, k);
}

/* ---- exponentials ------------------------------------------------------------------------- */

/* e^(x.hi + x.lo) = 2^k (a.hi + a.lo), EXP_MIN <= x.hi <= EXP_MAX. Into less, if wanted and where k
 * = 0, a - 1: to 2^-61 of itself where x is small. Returns k. */
static int exponential(il_dd x, il_dd *a, il_dd *less) {
    double n = (x.hi * STEPS_PER_LOG2 + ROUNDER) - ROUNDER;
    il_dd s = il_two_sum(x.hi - n * STEP[0], -n * STEP[1]);
    s = il_fast_sum(s.hi, s.lo + (x.lo - n * STEP[2]));
    double h = s.hi;
    double p = 1.0 / 24.0 + h * (1.0 / 120.0 + h * (1.0 / 720.0 + h * (1.0 / 5040.0)));
    p = s.lo + h * s.lo + h * h * (0.5 + h * (1.0 / 6.0 + h * p)); /* e^s - 1 - h */
    int whole = (int)n;
    int k = whole >> 6;
    const il_dd *T = &il_table_power[whole & 63];
    il_dd q = il_two_product(T->hi, h);
    il_dd sum = il_fast_sum(T->hi, q.hi);
    *a = il_fast_sum(sum.hi, sum.lo + (q.lo + (T->hi * p + T->lo * (1.0 + h))));
    if (less != NULL) {
        *less = whole == 0 ? il_fast_sum(h, p) : il_dd_add(*a, (il_dd){-1.0, 0.0});
    }
    return k;
}

/* e^(x.hi + x.lo) for any x. */
static double exponential_of(il_dd x) {
    if (!(x.hi <= EXP_MAX)) {
        return isnan(x.hi) ? x.hi : INFINITY;
    }
    if (x.hi < EXP_MIN) {
        return 0.0;
    }
    il_dd a;
    int k = exponential(x, &a, NULL);
    return assemble(a, k);
}

double il_exp(double x) {
    return exponential_of((il_dd){x, 0.0});
}

/* e^x - 1 and e^-x - 1, TINY <= x <= 40. */
static void less_one(double x, il_dd *up, il_dd *down) {
    il_dd a;
    int k = exponential((il_dd){x, 0.0}, &a, up);
    if (k != 0) {
        double scale = power_of_two(k);
        *up = il_dd_add((il_dd){a.hi * scale, a.lo * scale}, (il_dd){-1.0, 0.0});
    }
    /* 1/(1 + up) - 1 */
    il_dd whole = il_dd_add((il_dd){1.0, 0.0}, *up);
    *down = il_dd_negative(il_dd_divide(*up, whole));
}

double il_expm1(double x) {
    if (!(fabs(x) <= 40.0)) {
        return x < 0.0 ? -1.0 : il_exp(x) - 1.0;
    }
    if (fabs(x) < TINY) {
        return x == 0.0 ? x : x + 0.5 * x * x;
    }
    il_dd up;
    il_dd down;
    less_one(fabs(x), &up, &down);
    return x < 0.0 ? down.hi : up.hi;
}

/* Beyond this e^-x is nothing beside e^x. */
static const double ONE_SIDED = 40.0;

/* e^x/2, infinite later than e^x. */
static double half_exponential(double x) {
    il_dd half = il_two_sum(x, -LOG2.hi);
    half.lo -= LOG2.lo;
    return x <= DBL_MAX ? exponential_of(half) : x;
}

double il_sinh(double x) {
    if (fabs(x) < TINY) {
        return x;
    }
    if (!(fabs(x) <= ONE_SIDED)) {
        return copysign(half_exponential(fabs(x)), x);
    }
    il_dd up;
    il_dd down;
    less_one(fabs(x), &up, &down);
    return copysign(0.5 * il_dd_subtract(up, down).hi, x);
}

double il_cosh(double x) {
    if (fabs(x) < TINY) {
        return 1.0 + 0.5 * x * x;
    }
    if (!(fabs(x) <= ONE_SIDED)) {
        return half_exponential(fabs(x));
    }
    il_dd up;
    il_dd down;
    less_one(fabs(x), &up, &down);
    il_dd sum = il_dd_add(up, down);
    return il_dd_add((il_dd){1.0, 0.0}, (il_dd){0.5 * sum.hi, 0.5 * sum.lo}).hi;
}

double il_tanh(double x) {
    if (fabs(x) < TINY) {
        return x;
    }
    if (!(fabs(x) <= ONE_SIDED)) {
        return isnan(x) ? x : copysign(1.0, x);
    }
    il_dd up;
    il_dd down;
    less_one(fabs(x), &up, &down);
    il_dd sum = il_dd_add((il_dd){2.0, 0.0}, il_dd_add(up, down));
    return copysign(il_dd_divide(il_dd_subtract(up, down), sum).hi, x);
}

/* ---- logarithms --------------------------------------------------------------------------- */

/* 2 artanh z, |z| < 1/90: the error is below 2^-85 of it. */
static il_dd twice_artanh(il_dd z) {
    il_dd w = il_dd_multiply(z, z);
    double tail = w.hi * (1.0 / 5.0 + w.hi * (1.0 / 7.0 + w.hi * (1.0 / 9.0 + w.hi / 11.0)));
    il_dd series = il_fast_sum(THIRD.hi, THIRD.lo + tail);
    series = il_dd_multiply(w, series);
    il_dd sum = il_dd_add((il_dd){1.0, 0.0}, series);
    sum = il_dd_multiply(z, sum);
    return (il_dd){2.0 * sum.hi, 2.0 * sum.lo};
}

/* x.hi + x.lo = 2^k (c + above), c = i/64 and m = c + above in [0.707, 1.415], 0 < x.hi finite. */
typedef struct {
    int k, i;
    double c, m, low; /* above = (m - c) + low */
} scaled;

static scaled scale(il_dd x) {
    scaled s = {.m = x.hi, .low = x.lo};
    if (x.hi < DBL_MIN) {
        s.m *= 0x1p54;
        s.k = -54;
    }
    uint64_t bits;
    memcpy(&bits, &s.m, sizeof bits);
    int e = (int)(bits >> 52) - 1023;
    bits = (bits & 0xfffffffffffffU) | 0x3ff0000000000000U;
    memcpy(&s.m, &bits, sizeof bits);
    if (s.m >= 1.4140625) { /* 90.5/64, a little below sqrt(2) */
        s.m *= 0.5;
        e += 1;
    }
    s.k += e;
    if (x.lo != 0.0) {
        s.low = x.lo * power_of_two(-e); /* sums of two are neither huge nor tiny */
    }
    double i = (s.m * IL_TABLE_STEPS + ROUNDER) - ROUNDER;
    s.i = (int)i - IL_TABLE_LOGARITHM_FIRST;
    s.c = i / IL_TABLE_STEPS;
    return s;
}

/* log(x.hi + x.lo), 0 < x.hi finite: to 2^-66 of itself, */
static il_dd logarithm(il_dd x) {
    scaled s = scale(x);
    il_dd below = il_fast_sum(s.c, s.m);
    below.lo += s.low;
    il_dd z = il_dd_ratio((il_dd){s.m - s.c, s.low}, below);
    double w = z.hi * z.hi;
    double series = w * (1.0 / 3.0 + w * (1.0 / 5.0 + w * (1.0 / 7.0 + w / 9.0)));
    const il_dd *log = &il_table_logarithm[s.i];
    il_dd sum = il_two_sum(s.k * LOG2.hi, log->hi);
    double low = sum.lo + (s.k * LOG2.lo + (log->lo + 2.0 * (z.lo + z.hi * series)));
    sum = il_two_sum(sum.hi, 2.0 * z.hi);
    return il_fast_sum(sum.hi, sum.lo + low);
}

/* and to 2^-85, for powers. */
static il_dd logarithm_precise(double x) {
    scaled s = scale((il_dd){x, 0.0});
    il_dd z = il_dd_divide((il_dd){s.m - s.c, 0.0}, il_two_sum(s.m, s.c));
    il_dd log = il_dd_add(il_table_logarithm[s.i], twice_artanh(z));
    return il_dd_add(il_fast_sum(s.k * LOG2.hi, s.k * LOG2.lo), log);
}

/* What log-like functions give where x is not a positive finite number. */
static double improper(double x) {
    return x == 0.0 ? -INFINITY : (x < 0.0 ? NAN : x);
}

static bool proper(double x) {
    return x > 0.0 && x <= DBL_MAX;
}

double il_log(double x) {
    return proper(x) ? logarithm((il_dd){x, 0.0}).hi : improper(x);
}

double il_log2(double x) {
    return proper(x) ? il_dd_multiply(logarithm((il_dd){x, 0.0}), PER_LOG2).hi : improper(x);
}

double il_log10(double x) {
    return proper(x) ? il_dd_multiply(logarithm((il_dd){x, 0.0}), PER_LOG10).hi : improper(x);
}

/* log(1 + w), w > -1, w finite and |w| >= TINY. */
static il_dd logarithm_1p(il_dd w) {
    if (fabs(w.hi) < 0x1p-7) { /* directly, free of the rounding of 1 + w */
        return twice_artanh(il_dd_divide(w, il_dd_add((il_dd){2.0, 0.0}, w)));
    }
    return logarithm(w.hi > 0x1p120 ? w : il_dd_add((il_dd){1.0, 0.0}, w));
}

double il_log1p(double x) {
    if (fabs(x) < TINY) {
        return x - x * x * (0.5 - x / 3.0);
    }
    if (!(x > -1.0 && x <= DBL_MAX)) {
        return x == -1.0 ? -INFINITY : (x < -1.0 ? NAN : x);
    }
    return logarithm_1p((il_dd){x, 0.0}).hi;
}

double il_asinh(double x) {
    double a = fabs(x);
    if (!(a <= DBL_MAX)) {
        return x;
    }
    if (a < TINY) {
        return x;
    }
    if (a > 0x1p100) { /* log(2 a) */
        return copysign(il_dd_add(logarithm((il_dd){a, 0.0}), LOG2).hi, x);
    }
    il_dd square = il_two_product(a, a);
    il_dd root = il_dd_root(il_dd_add((il_dd){1.0, 0.0}, square));
    if (a > 0.25) {
        return copysign(logarithm(il_dd_add((il_dd){a, 0.0}, root)).hi, x);
    }
    /* a + a^2/(1 + sqrt(1 + a^2)) = a + sqrt(1 + a^2) - 1 without cancellation */
    il_dd more = il_dd_ratio(square, il_dd_add((il_dd){1.0, 0.0}, root));
    return copysign(logarithm_1p(il_dd_add((il_dd){a, 0.0}, more)).hi, x);
}

double il_acosh(double x) {
    if (!(x >= 1.0)) {
        return NAN;
    }
    if (x > 0x1p100) {
        return x <= DBL_MAX ? il_dd_add(logarithm((il_dd){x, 0.0}), LOG2).hi : x;
    }
    if (x == 1.0) {
        return 0.0;
    }
    /* log(1 + w), w = (x - 1) + sqrt((x - 1)(x + 1)) */
    il_dd less = il_two_sum(x, -1.0);
    il_dd root = il_dd_root(il_dd_multiply(less, il_two_sum(x, 1.0)));
    return logarithm_1p(il_dd_add(less, root)).hi;
}

double il_atanh(double x) {
    double a = fabs(x);
    if (!(a < 1.0)) {
        return a == 1.0 ? copysign(INFINITY, x) : NAN;
    }
    if (a < TINY) {
        return x;
    }
    il_dd w = il_dd_divide((il_dd){2.0 * a, 0.0}, il_two_sum(1.0, -a));
    return copysign(0.5 * logarithm_1p(w).hi, x);
}

/* ---- powers and roots --------------------------------------------------------------------- */

/* x^y where x or y is zero, infinite or NaN, or x = 1. */
static double pow_at_ends(double x, double y, bool odd) {
    if (y == 0.0 || x == 1.0) {
        return 1.0;
    }
    if (isnan(x) || isnan(y)) {
        return x + y;
    }
    double size = fabs(x);
    if (isinf(y)) {
        return size == 1.0 ? 1.0 : ((size > 1.0) == (y > 0.0) ? INFINITY : 0.0);
    }
    double value = (size > 1.0) == (y > 0.0) ? INFINITY : 0.0; /* x = 0 or infinite */
    return odd ? copysign(value, x) : value;
}

double il_pow(double x, double y) {
    bool whole = fabs(y) >= 0x1p53 || y == rint(y);
    bool odd = fabs(y) < 0x1p53 && whole && fmod(y, 2.0) != 0.0;
    if (y == 2.0) {
        return x * x;
    }
    if (y == 0.0 || x == 1.0 || x == 0.0 || !isfinite(x) || !isfinite(y)) {
        return pow_at_ends(x, y, odd);
    }
    if (x < 0.0 && !whole) {
        return NAN;
    }
    double sign = x < 0.0 && odd ? -1.0 : 1.0;
    double size = fabs(x);
    if (y == 1.0 || y == -1.0) { /* ties among these are common */
        return y > 0.0 ? x : 1.0 / x;
    }
    il_dd log = logarithm_precise(size);
    double rough = y * log.hi;
    if (!(fabs(rough) < 800.0)) {
        return sign * (rough > 0.0 ? INFINITY : 0.0);
    }
    if (fabs(rough) < 0x1p-70) {
        return sign * (1.0 + rough);
    }
    return sign * exponential_of(il_dd_scale(log, y));
}

double il_cbrt(double x) {
    if (x == 0.0 || !isfinite(x)) {
        return x;
    }
    il_dd log = logarithm((il_dd){fabs(x), 0.0});
    return copysign(exponential_of(il_dd_multiply(log, THIRD)), x);
}

double il_hypot(double x, double y) {
    x = fabs(x);
    y = fabs(y);
    double large = x > y ? x : y;
    double small = x > y ? y : x;
    if (large >= 0x1p-450 && large <= 0x1p450 && small <= large) {
        return sqrt(large * large + small * small);
    }
    if (isinf(x) || isinf(y)) {
        return INFINITY;
    }
    if (!(large > 0.0) || isnan(x + y)) {
        return x + y;
    }
    double scale = large > 1.0 ? 0x1p-600 : 0x1p600;
    large *= scale;
    small *= scale;
    return sqrt(large * large + small * small) / scale;
}
