/*
 * rational.h - exact rational numbers, and the exact values of text and doubles.
 *
 * A number is a fraction in lowest terms of integers of any length. It belongs to an array made by
 * il_rational_array. Operations write into existing numbers; the result may be one of the
 * arguments. il_rational_bits tells how long a number has become. GMP ends a program that has no
 * memory for it. Only rational.c uses GMP.
 */
#ifndef IL_BASE_RATIONAL_H
#define IL_BASE_RATIONAL_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/params.h"

typedef struct il_rational il_rational;

/* GMP takes memory as il_alloc does. A program calls it first; a library leaves GMP, which its host
 * may use too, as it is. */
void il_rational_init(void);

/* n zeros. The creator frees. */
il_rational **il_rational_array(size_t n);
void il_rational_free(il_rational **x);

void il_rational_set(il_rational *r, const il_rational *a);
void il_rational_set_fraction(il_rational *r, long p, unsigned long q); /* p/q, q > 0 */

/* Exactly x, which must be finite: a fraction with a power of two below. */
void il_rational_set_double(il_rational *r, double x);

/* The number that the whole of text spells: 1.8 is 9/5, 1e-3 is 1/1000, 1/3 is a third. False for
 * anything else, and for exponents beyond 9999; r then is undefined. */
bool il_rational_set_text(il_rational *r, const char *text);

/* The number of the fewest decimal digits that reads back as the double x, which must be finite:
 * what a person wrote that a program reads as x, as long as it was no longer than it had to be. */
void il_rational_set_shortest(il_rational *r, double x);

/* Number k of parameter key as it was given: the text's own number, the shortest decimal of a
 * number that came as a double, exactly the double that the problem derived. A single number stands
 * for all k. */
void il_rational_set_param(il_rational *r, const il_params *params, const char *key, size_t k);

void il_rational_add(il_rational *r, const il_rational *a, const il_rational *b);
void il_rational_sub(il_rational *r, const il_rational *a, const il_rational *b);
void il_rational_mul(il_rational *r, const il_rational *a, const il_rational *b);
void il_rational_div(il_rational *r, const il_rational *a, const il_rational *b); /* b not zero */
void il_rational_scale(il_rational *r, const il_rational *a, int e);              /* a 2^e */

int il_rational_sign(const il_rational *a);
int il_rational_compare(const il_rational *a, const il_rational *b); /* sign of a - b */

/* e with 2^e <= a < 2^{e+1}, for a > 0. */
int il_rational_log2(const il_rational *a);

/* The double next to a toward zero: right to less than one unit in the last place. */
double il_rational_double(const il_rational *a);

/* x - a as a double, correct to its last place whatever cancels. x finite. */
double il_rational_error(double x, const il_rational *a);

/* Bits of the longer of numerator and denominator. */
size_t il_rational_bits(const il_rational *a);

/* "p/q", or "p" for integers. The caller frees. */
char *il_rational_text(const il_rational *a);

#endif
