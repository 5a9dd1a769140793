/*
 * elementary_angles.c - sine, cosine, tangent and their inverses.
 *
 * Forward: x = n pi/2 + r with |r| <= pi/4 (Cody and Waite; Payne and Hanek where x is large), then
 * r = c + s with c = k/64 from a table and sin(c + s) = sin c cos s + cos c sin s, s summed as
 * series. Backward: atan(y/x) = atan c + atan z with z = (y - c x)/(x + c y); asin and acos are
 * angles of (sqrt(1 - x^2), x).
 */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/base/double_double.h"
#include "harness/base/elementary.h"
#include "harness/base/elementary_tables.h"

/* pi/2 in parts of 33 bits, so that n times a part is exact for n below 2^20. */
static const double HALF_PI[4] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2ep-69,
                                  0x1.b839a252049c1p-104};
static const il_dd HALF_PI_DD = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
static const il_dd PI_DD = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
static const double TWO_OVER_PI = 0x1.45f306dc9c883p-1;

/* Adding and taking away rounds to an integer; its last bits are the integer's. */
static const double ROUNDER = 0x1.8p52;

/* Arguments above take the long division. */
static const double LARGE = 0x1p19;

enum { WINDOW = 6 }; /* words of 2/pi that matter to one argument */

/* ---- reduction ---------------------------------------------------------------------------- */

/* v[0..WINDOW) = m w mod 2^192, words from the most significant on. */
static void multiply_words(uint64_t m, const uint32_t *w, uint32_t *v) {
    uint64_t carry = 0;
    for (size_t k = WINDOW; k-- > 0;) {
        uint64_t low = (m & UINT32_MAX) * w[k];
        uint64_t high = k + 1 < WINDOW ? (m >> 32) * w[k + 1] : 0;
        uint64_t sum = (low & UINT32_MAX) + (high & UINT32_MAX) + (carry & UINT32_MAX);
        v[k] = (uint32_t)sum;
        carry = (sum >> 32) + (low >> 32) + (high >> 32) + (carry >> 32);
    }
}

/* x 2/pi mod 4 for large x = m 2^e: the bits of 2/pi above 2^(2-e) give multiples of 4, the 192
 * that follow leave an error below 2^-137. Returns the nearest quadrant. */
static unsigned reduce_large(double x, il_dd *r) {
    int e = 0;
    uint64_t m = (uint64_t)ldexp(frexp(fabs(x), &e), 53);
    int skipped = e - 53 - 2 + 64;
    size_t first = (size_t)skipped;
    uint32_t w[WINDOW];
    uint32_t v[WINDOW];
    for (size_t k = 0; k < WINDOW; k++) {
        size_t at = first / 32 + k;
        uint64_t two = (uint64_t)il_table_two_over_pi[at] << 32 | il_table_two_over_pi[at + 1];
        w[k] = (uint32_t)(two >> (32 - first % 32));
    }
    multiply_words(m, w, v);
    unsigned n = v[0] >> 30;
    v[0] &= 0x3fffffff;
    bool over = v[0] >> 29 != 0; /* nearer to the next quadrant: its complement, below zero */
    il_dd sum = {0.0, 0.0};
    double unit = 0x1p-30;
    for (size_t k = 0; k < WINDOW; k++, unit *= 0x1p-32) {
        double word = k == 0 && over ? (double)v[k] - 0x1p30 : (double)v[k];
        sum = il_dd_add(sum, (il_dd){word * unit, 0.0});
    }
    n += over;
    *r = il_dd_multiply(sum, HALF_PI_DD);
    if (x < 0.0) {
        *r = il_dd_negative(*r);
        n = 0U - n;
    }
    return n & 3U;
}

/* x = n pi/2 + r, x finite: r, and n mod 4. */
static unsigned reduce(double x, il_dd *r) {
    if (!(fabs(x) > 0x1.921fb54442d18p-1)) {
        *r = (il_dd){x, 0.0};
        return 0;
    }
    if (fabs(x) > LARGE) {
        return reduce_large(x, r);
    }
    double n = (x * TWO_OVER_PI + ROUNDER) - ROUNDER;
    il_dd s = il_two_sum(x - n * HALF_PI[0], -n * HALF_PI[1]);
    il_dd t = il_two_sum(s.lo, -n * HALF_PI[2]);
    s = il_two_sum(s.hi, t.hi);
    *r = il_fast_sum(s.hi, s.lo + (t.lo - n * HALF_PI[3]));
    return (unsigned)((int)n & 3);
}

/* ---- forward ------------------------------------------------------------------------------ */

/* r = c + s with c = k/64, 0 <= r <= pi/4 and a little, and what sums of sines and cosines need. */
typedef struct {
    il_dd S, C;        /* sin c, cos c */
    double h;          /* s to 53 bits */
    double sin3, cos2; /* sin s - h, cos s - 1 */
} split_angle;

static split_angle split(il_dd r) {
    double k = (r.hi * IL_TABLE_STEPS + ROUNDER) - ROUNDER;
    il_dd s = il_fast_sum(r.hi - k / IL_TABLE_STEPS, r.lo);
    double h = s.hi;
    double hh = h * h;
    double odd = -1.0 / 6.0 + hh * (1.0 / 120.0 + hh * (-1.0 / 5040.0));
    double even = -0.5 + hh * (1.0 / 24.0 + hh * (-1.0 / 720.0 + hh * (1.0 / 40320.0)));
    return (split_angle){.S = il_table_sine[(int)k],
                         .C = il_table_cosine[(int)k],
                         .h = h,
                         .sin3 = s.lo + h * hh * odd,
                         .cos2 = hh * even - h * s.lo};
}

/* sin(c + s) and cos(c + s): the error is below 2^-66 of each. */
static il_dd sine_of(const split_angle *a) {
    il_dd p = il_two_product(a->C.hi, a->h);
    il_dd sum = il_two_sum(a->S.hi, p.hi);
    double low = a->S.hi * a->cos2 + (a->C.hi * a->sin3 + (a->S.lo + a->C.lo * a->h));
    return il_fast_sum(sum.hi, sum.lo + (p.lo + low));
}

static il_dd cosine_of(const split_angle *a) {
    il_dd p = il_two_product(a->S.hi, -a->h);
    il_dd sum = il_fast_sum(a->C.hi, p.hi);
    double low = a->C.hi * a->cos2 + (-a->S.hi * a->sin3 + (a->C.lo - a->S.lo * a->h));
    return il_fast_sum(sum.hi, sum.lo + (p.lo + low));
}

/* Sine (turn = 0) or cosine (turn = 1) of r + n pi/2. */
static il_dd turned(unsigned n, bool below, const split_angle *a, unsigned turn) {
    n += turn;
    il_dd value = n & 1U ? cosine_of(a) : sine_of(a);
    bool negative = ((n & 2U) != 0) != (below && (n & 1U) == 0);
    return negative ? il_dd_negative(value) : value;
}

/* Sine or cosine of any finite x, both if wanted. */
static il_dd sine_at(double x, unsigned turn, il_dd *cosine) {
    il_dd r;
    unsigned n = reduce(x, &r);
    bool below = r.hi < 0.0;
    split_angle a = split(below ? il_dd_negative(r) : r);
    if (cosine != NULL) {
        *cosine = turned(n, below, &a, 1);
    }
    return turned(n, below, &a, turn);
}

/* Below this sin x, tan x, atan x, asin x round to x. */
static const double TINY = 0x1p-30;

double il_sin(double x) {
    if (!isfinite(x)) {
        return x - x;
    }
    return fabs(x) < TINY ? x : sine_at(x, 0, NULL).hi;
}

double il_cos(double x) {
    return isfinite(x) ? sine_at(x, 1, NULL).hi : x - x;
}

void il_sincos(double x, double *sine, double *cosine) {
    if (!isfinite(x)) {
        *sine = *cosine = x - x;
        return;
    }
    il_dd c;
    il_dd s = sine_at(x, 0, &c);
    *sine = fabs(x) < TINY ? x : s.hi;
    *cosine = c.hi;
}

double il_tan(double x) {
    if (!isfinite(x)) {
        return x - x;
    }
    if (fabs(x) < TINY) {
        return x;
    }
    il_dd c;
    il_dd s = sine_at(x, 0, &c);
    return il_dd_ratio(s, c).hi;
}

/* ---- backward ----------------------------------------------------------------------------- */

/* atan(y/x) for 0 <= y <= x, both between 2^-900 and 2^900 or y = 0. */
static il_dd first_octant(il_dd y, il_dd x) {
    double k = (y.hi / x.hi * IL_TABLE_STEPS + ROUNDER) - ROUNDER;
    double c = k / IL_TABLE_STEPS;
    il_dd z = il_dd_ratio(il_dd_add(y, il_dd_scale(x, -c)), il_dd_add(x, il_dd_scale(y, c)));
    double h = z.hi;
    double hh = h * h;
    double series =
        -1.0 / 3.0 + hh * (1.0 / 5.0 + hh * (-1.0 / 7.0 + hh * (1.0 / 9.0 - hh * (1.0 / 11.0))));
    const il_dd *t = &il_table_arctangent[(int)k];
    il_dd a = il_two_sum(t->hi, h);
    return il_fast_sum(a.hi, a.lo + (t->lo + z.lo + h * hh * series));
}

/* The angle of (x, y) in (-pi, pi], parts as above. */
static il_dd angle_of(il_dd y, il_dd x) {
    bool below = y.hi < 0.0;
    bool left = x.hi < 0.0;
    y = below ? il_dd_negative(y) : y;
    x = left ? il_dd_negative(x) : x;
    bool steep = y.hi > x.hi;
    il_dd a = steep ? first_octant(x, y) : first_octant(y, x);
    if (steep) {
        a = il_dd_subtract(HALF_PI_DD, a);
    }
    if (left) {
        a = il_dd_subtract(PI_DD, a);
    }
    return below ? il_dd_negative(a) : a;
}

double il_atan2(double y, double x) {
    if (isnan(x) || isnan(y)) {
        return x + y;
    }
    if (isinf(x) && isinf(y)) {
        return copysign(x > 0.0 ? 0.5 * HALF_PI_DD.hi : 0x1.2d97c7f3321d2p+1, y);
    }
    if (y == 0.0 || isinf(x)) {
        return signbit(x) ? copysign(PI_DD.hi, y) : copysign(0.0, y);
    }
    if (x == 0.0 || isinf(y)) {
        return copysign(HALF_PI_DD.hi, y);
    }
    int ey = 0;
    int ex = 0;
    double my = frexp(y, &ey);
    double mx = frexp(x, &ex);
    int apart = ey - ex;
    if (apart > 120) {
        return copysign(HALF_PI_DD.hi, y);
    }
    if (apart < -120) { /* y/x, or what is left of pi */
        return x > 0.0 ? y / x : copysign(PI_DD.hi, y);
    }
    return angle_of((il_dd){ldexp(my, apart), 0.0}, (il_dd){mx, 0.0}).hi;
}

double il_atan(double x) {
    return fabs(x) < TINY ? x : il_atan2(x, 1.0);
}

/* sqrt(1 - x^2). */
static il_dd co(double x) {
    return il_dd_root(il_dd_multiply(il_two_sum(1.0, -x), il_two_sum(1.0, x)));
}

double il_asin(double x) {
    if (!(fabs(x) <= 1.0)) {
        return NAN;
    }
    return fabs(x) < TINY ? x : angle_of((il_dd){x, 0.0}, co(x)).hi;
}

double il_acos(double x) {
    if (!(fabs(x) <= 1.0)) {
        return NAN;
    }
    if (x == 1.0) {
        return 0.0;
    }
    return angle_of(co(x), (il_dd){fabs(x) < 0x1p-200 ? 0.0 : x, 0.0}).hi;
}
