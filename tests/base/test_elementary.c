/*
 * test_elementary.c - elementary functions against MPFR, which rounds correctly at any precision:
 * the error in units in the last place, over random and hard arguments; symmetries, order, special
 * values.
 */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include <mpfr.h>

#include "harness/base/elementary.h"
#include "harness/base/elementary_tables.h"
#include "tests/support/suite.h"

/* Digits of the judge, far more than any result is near a tie. */
enum { PRECISION = 400, DRAWS = 4000 };

/* Half a unit, and what sums of two doubles lose before the rounding (elementary.h). */
static const double NEAREST = 0.501;
static const double HYPERBOLIC = 0.51; /* and expm1 */
static const double ROOT_OF_SUM = 1.3;

/* xorshift64*: numbers of our own, the same in every run. */
typedef struct {
    uint64_t state;
} source;

static uint64_t draw(source *s) {
    s->state ^= s->state >> 12;
    s->state ^= s->state << 25;
    s->state ^= s->state >> 27;
    return s->state * 2685821657736338717U;
}

static double uniform(source *s, double low, double high) {
    return low + (high - low) * ((double)(draw(s) >> 11) * 0x1p-53);
}

/* A double with any sign, exponent and digits. */
static double any(source *s) {
    double x = NAN;
    while (!isfinite(x)) {
        uint64_t bits = draw(s);
        memcpy(&x, &bits, sizeof x);
    }
    return x;
}

/* A double between 2^low and 2^high with either sign, its exponent uniform. */
static double spread(source *s, int low, int high) {
    int k = low + (int)(draw(s) % (uint64_t)(high - low));
    return (draw(s) & 1U ? -1.0 : 1.0) * ldexp(uniform(s, 1.0, 2.0), k);
}

/* |got - want| in units in the last place of want (of the smallest number where want is below
 * DBL_MIN); infinite where one is NaN or infinite and the other is not the same. */
static double units(double got, const mpfr_t want) {
    double nearest = mpfr_get_d(want, MPFR_RNDN);
    if (isnan(nearest) || isnan(got)) {
        return isnan(nearest) && isnan(got) ? 0.0 : INFINITY;
    }
    if (isinf(nearest) || isinf(got)) {
        return nearest == got ? 0.0 : INFINITY;
    }
    int e = 0;
    (void)frexp(nearest, &e);
    e = e < DBL_MIN_EXP || nearest == 0.0 ? DBL_MIN_EXP : e;
    mpfr_t d;
    mpfr_init2(d, PRECISION);
    mpfr_sub_d(d, want, got, MPFR_RNDN);
    mpfr_mul_2si(d, d, DBL_MANT_DIG - e, MPFR_RNDN);
    double error = fabs(mpfr_get_d(d, MPFR_RNDN));
    mpfr_clear(d);
    return error;
}

typedef int judge(mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int judge_of_two(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

typedef struct {
    const char *name;
    double (*f)(double);
    judge *exact;
    double low, high; /* where arguments lie densely; also 2^-40 to `far` and any double at all */
    int far;
    double bound;
    bool odd;
} function;

static const function functions[] = {
    {"sin", il_sin, mpfr_sin, -7.0, 7.0, 1000, NEAREST, true},
    {"cos", il_cos, mpfr_cos, -7.0, 7.0, 1000, NEAREST, false},
    {"tan", il_tan, mpfr_tan, -7.0, 7.0, 1000, NEAREST, true},
    {"asin", il_asin, mpfr_asin, -1.0, 1.0, 0, NEAREST, true},
    {"acos", il_acos, mpfr_acos, -1.0, 1.0, 0, NEAREST, false},
    {"atan", il_atan, mpfr_atan, -3.0, 3.0, 100, NEAREST, true},
    {"exp", il_exp, mpfr_exp, -750.0, 710.0, 5, NEAREST, false},
    {"expm1", il_expm1, mpfr_expm1, -2.0, 2.0, 9, HYPERBOLIC, false},
    {"log", il_log, mpfr_log, 0.5, 2.0, 1000, NEAREST, false},
    {"log1p", il_log1p, mpfr_log1p, -1.0, 1.0, 1000, NEAREST, false},
    {"log2", il_log2, mpfr_log2, 0.5, 2.0, 1000, NEAREST, false},
    {"log10", il_log10, mpfr_log10, 0.5, 2.0, 1000, NEAREST, false},
    {"sinh", il_sinh, mpfr_sinh, -2.0, 2.0, 9, HYPERBOLIC, true},
    {"cosh", il_cosh, mpfr_cosh, -2.0, 2.0, 9, NEAREST, false},
    {"tanh", il_tanh, mpfr_tanh, -2.0, 2.0, 5, HYPERBOLIC, true},
    {"asinh", il_asinh, mpfr_asinh, -2.0, 2.0, 1000, NEAREST, true},
    {"acosh", il_acosh, mpfr_acosh, 1.0, 3.0, 1000, NEAREST, false},
    {"atanh", il_atanh, mpfr_atanh, -1.0, 1.0, 0, NEAREST, true},
    {"cbrt", il_cbrt, mpfr_cbrt, -3.0, 3.0, 1000, NEAREST, true},
};

enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static double error_at(const function *f, double x) {
    mpfr_t y;
    mpfr_init2(y, PRECISION);
    mpfr_set_d(y, x, MPFR_RNDN);
    f->exact(y, y, MPFR_RNDN);
    double error = units(f->f(x), y);
    mpfr_clear(y);
    return error;
}

/* ---- accuracy ------------------------------------------------------------------------------- */

static void functions_are_rounded(void) {
    for (size_t k = 0; k < FUNCTIONS; k++) {
        const function *f = &functions[k];
        source s = {0x9e3779b97f4a7c15U + k};
        double worst = 0.0;
        for (int i = 0; i < DRAWS; i++) {
            double at[3] = {uniform(&s, f->low, f->high), spread(&s, -40, f->far), any(&s)};
            for (int j = 0; j < 3; j++) {
                double error = error_at(f, at[j]);
                worst = error <= worst ? worst : error;
            }
        }
        CU_ASSERT(worst <= f->bound);
    }
}

/* Multiples of pi/2 and their neighbours, where sines vanish; halves of steps of the tables. */
static void hard_arguments_are_rounded(void) {
    static const double hard[] = {
        6381956970095103.0 * 0x1p797, /* the double nearest to a multiple of pi/2 (Muller 2006) */
        0x1.921fb54442d18p+0,
        0x1.921fb54442d18p+1,
        0x1.2d97c7f3321d2p+2,
        0x1.921fb54442d19p-1,
        524288.0,
        0x1.921fb54442d18p+19,
        0x1.921fb54442d18p+20,
        DBL_MAX,
        DBL_MIN,
        0x1p-1074,
        1.0 / 128.0,
        3.0 / 128.0,
        0x1.0000000000001p0,
        0x1.fffffffffffffp-1,
        0x1.6a09e667f3bcdp0,
        0x1.6a09e667f3bcdp-1,
        1.4140625,
        0.70703125,
        709.782712893384,
        -745.1332191019412,
        -708.3964185322641,
        -708.4,
        40.0,
        0x1p-30,
        0x1p-7,
        0.25,
        0x1p100,
        0x1p120};
    for (size_t k = 0; k < FUNCTIONS; k++) {
        for (size_t i = 0; i < sizeof hard / sizeof hard[0]; i++) {
            CU_ASSERT(error_at(&functions[k], hard[i]) <= functions[k].bound);
            CU_ASSERT(error_at(&functions[k], -hard[i]) <= functions[k].bound);
        }
    }
}

static double error_at_two(double got, judge_of_two *exact, double x, double y) {
    mpfr_t a;
    mpfr_t b;
    mpfr_init2(a, PRECISION);
    mpfr_init2(b, PRECISION);
    mpfr_set_d(a, x, MPFR_RNDN);
    mpfr_set_d(b, y, MPFR_RNDN);
    exact(a, a, b, MPFR_RNDN);
    double error = units(got, a);
    mpfr_clear(a);
    mpfr_clear(b);
    return error;
}

static void functions_of_two_are_rounded(void) {
    source s = {12345};
    double worst[3] = {0.0};
    for (int i = 0; i < 4 * DRAWS; i++) {
        double x[4] = {uniform(&s, 0.0, 3.0), fabs(spread(&s, -300, 300)),
                       1.0 + spread(&s, -50, -3), any(&s)};
        double y[4] = {uniform(&s, -5.0, 5.0), spread(&s, -12, 3), spread(&s, 0, 40), any(&s)};
        double a = x[i % 4];
        double b = y[i % 4];
        double error[3] = {error_at_two(il_pow(a, b), mpfr_pow, a, b),
                           error_at_two(il_atan2(a, b), mpfr_atan2, a, b),
                           error_at_two(il_hypot(a, b), mpfr_hypot, a, b)};
        for (int k = 0; k < 3; k++) {
            worst[k] = error[k] <= worst[k] ? worst[k] : error[k];
        }
    }
    CU_ASSERT(worst[0] <= NEAREST);
    CU_ASSERT(worst[1] <= NEAREST);
    CU_ASSERT(worst[2] <= ROOT_OF_SUM);
}

static void sines_and_cosines_come_together(void) {
    source s = {7};
    for (int i = 0; i < DRAWS; i++) {
        double x = i % 2 == 0 ? uniform(&s, -10.0, 10.0) : any(&s);
        double sine = 0.0;
        double cosine = 0.0;
        il_sincos(x, &sine, &cosine);
        CU_ASSERT(sine == il_sin(x) && cosine == il_cos(x));
    }
}

/* ---- tables --------------------------------------------------------------------------------- */

/* hi is the nearest double, lo the nearest to what is left. */
static void expect_entry(const il_dd *entry, mpfr_t value) {
    CU_ASSERT(entry->hi == mpfr_get_d(value, MPFR_RNDN));
    mpfr_sub_d(value, value, entry->hi, MPFR_RNDN);
    CU_ASSERT(entry->lo == mpfr_get_d(value, MPFR_RNDN));
}

static void tables_hold_what_they_say(void) {
    static const struct {
        const il_dd *table;
        int first, n;
        judge *exact;
    } tables[] = {{il_table_sine, 0, IL_TABLE_SINE, mpfr_sin},
                  {il_table_cosine, 0, IL_TABLE_SINE, mpfr_cos},
                  {il_table_arctangent, 0, IL_TABLE_ARCTANGENT, mpfr_atan},
                  {il_table_power, 0, IL_TABLE_POWER, mpfr_exp2},
                  {il_table_logarithm, IL_TABLE_LOGARITHM_FIRST, IL_TABLE_LOGARITHM, mpfr_log}};
    mpfr_t x;
    mpfr_init2(x, PRECISION);
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        for (int k = 0; k < tables[t].n; k++) {
            mpfr_set_d(x, (double)(tables[t].first + k) / IL_TABLE_STEPS, MPFR_RNDN);
            tables[t].exact(x, x, MPFR_RNDN);
            expect_entry(&tables[t].table[k], x);
        }
    }
    mpfr_clear(x);
}

/* ---- symmetries, order, ends ---------------------------------------------------------------- */

static void odd_functions_are_odd(void) {
    source s = {99};
    for (int i = 0; i < DRAWS; i++) {
        double x = i % 2 == 0 ? uniform(&s, 0.0, 1.0) : any(&s);
        for (size_t k = 0; k < FUNCTIONS; k++) {
            double y = functions[k].f(x);
            CU_ASSERT(!functions[k].odd || isnan(y) || functions[k].f(-x) == -y);
        }
        CU_ASSERT(il_cos(-x) == il_cos(x) && il_hypot(-x, 1.0) == il_hypot(1.0, x));
        CU_ASSERT(il_sin(x) >= -1.0 && il_sin(x) <= 1.0);
    }
    for (size_t k = 0; k < FUNCTIONS; k++) {
        CU_ASSERT(!functions[k].odd ||
                  (signbit(functions[k].f(-0.0)) != 0 && signbit(functions[k].f(0.0)) == 0));
    }
}

/* From one double to the next a rising function does not fall, across the steps of its table too.
 */
static void rising_functions_rise(void) {
    static double (*const rising[])(double) = {il_exp,   il_log,   il_atan,  il_asin,
                                               il_expm1, il_log1p, il_sinh,  il_tanh,
                                               il_cbrt,  il_log2,  il_log10, il_asinh};
    for (size_t k = 0; k < sizeof rising / sizeof rising[0]; k++) {
        for (int step = 1; step < 2 * IL_TABLE_STEPS; step++) {
            double x = step / (2.0 * IL_TABLE_STEPS);
            for (int i = 0; i < 20; i++) {
                x = i == 0 ? x - 10.0 * DBL_EPSILON * x : x;
                double next = nextafter(x, 1.0);
                CU_ASSERT(rising[k](next) >= rising[k](x));
                x = next;
            }
        }
    }
}

static void powers_are_exact_where_they_can_be(void) {
    for (int k = -1074; k <= 1023; k++) {
        CU_ASSERT(il_pow(2.0, k) == ldexp(1.0, k));
        CU_ASSERT(il_log2(ldexp(1.0, k)) == k);
    }
    double power = 1.0;
    for (int k = 0; k <= 22; k++, power *= 10.0) { /* 10^22 is a double, 10^23 is none */
        CU_ASSERT(il_pow(10.0, k) == power);
        CU_ASSERT(il_log10(power) == k);
    }
    for (int k = 1; k <= 1000; k++) {
        double cube = (double)k * k * k;
        CU_ASSERT(il_cbrt(cube) == k && il_pow(k, 3.0) == cube && il_pow(-k, 3.0) == -cube);
        CU_ASSERT(il_pow((double)k * k, 0.5) == k && il_pow(k, -1.0) == 1.0 / k);
    }
}

static void ends_are_those_of_the_standard(void) {
    CU_ASSERT(il_exp(-INFINITY) == 0.0 && il_exp(INFINITY) == INFINITY && il_exp(0.0) == 1.0);
    CU_ASSERT(il_log(0.0) == -INFINITY && il_log(INFINITY) == INFINITY && isnan(il_log(-1.0)));
    CU_ASSERT(isnan(il_sin(INFINITY)) && isnan(il_cos(-INFINITY)) && isnan(il_tan(INFINITY)));
    CU_ASSERT(isnan(il_asin(1.1)) && isnan(il_acos(-1.1)) && isnan(il_acosh(0.9)));
    CU_ASSERT(il_atanh(1.0) == INFINITY && il_tanh(-INFINITY) == -1.0);
    CU_ASSERT(il_hypot(INFINITY, NAN) == INFINITY && il_hypot(0.0, -0.0) == 0.0);
    CU_ASSERT(il_hypot(3e300, 4e300) == 5e300 && il_hypot(3e-320, 0.0) == 3e-320);
    double x[] = {-INFINITY, -3.0, -2.5, -1.0,     -0.5, -0.0,  0.0,
                  0.5,       1.0,  2.0,  INFINITY, NAN,  -1e300};
    size_t n = sizeof x / sizeof x[0];
    for (size_t i = 0; i < n; i++) {
        CU_ASSERT(isnan(x[i]) == isnan(il_exp(x[i])));
        for (size_t j = 0; j < n; j++) {
            CU_ASSERT(error_at_two(il_pow(x[i], x[j]), mpfr_pow, x[i], x[j]) <= NEAREST);
            CU_ASSERT(error_at_two(il_atan2(x[i], x[j]), mpfr_atan2, x[i], x[j]) <= NEAREST);
        }
        for (size_t k = 0; k < FUNCTIONS; k++) {
            CU_ASSERT(error_at(&functions[k], x[i]) <= functions[k].bound);
        }
    }
    mpfr_free_cache();
}

/* The judge sees a result that is one unit off. */
static void a_wrong_bit_is_seen(void) {
    mpfr_t y;
    mpfr_init2(y, PRECISION);
    mpfr_set_d(y, 0.7, MPFR_RNDN);
    mpfr_sin(y, y, MPFR_RNDN);
    CU_ASSERT(!(units(nextafter(il_sin(0.7), 1.0), y) <= NEAREST));
    CU_ASSERT(!(units(nextafter(il_sin(0.7), 0.0), y) <= NEAREST));
    mpfr_clear(y);
}

static const il_test tests[] = {
    {"elementary functions are rounded to nearest, or nearly", functions_are_rounded},
    {"also at hard arguments", hard_arguments_are_rounded},
    {"powers, angles and hypotenuses too", functions_of_two_are_rounded},
    {"sines and cosines come together", sines_and_cosines_come_together},
    {"tables hold what they say", tables_hold_what_they_say},
    {"odd functions are odd", odd_functions_are_odd},
    {"rising functions rise", rising_functions_rise},
    {"powers are exact where they can be", powers_are_exact_where_they_can_be},
    {"infinities, zeros and NaN as in the standard", ends_are_those_of_the_standard},
    {"a wrong bit is seen", a_wrong_bit_is_seen},
    {NULL, NULL}};

const il_suite il_suite_elementary = {"elementary", tests};
