/*
 * elementary.h - elementary functions whose bits are the same on every machine.
 *
 * A C library picks among several sines when a program starts, by what the processor offers, and
 * they differ in the last bit. These are additions, products, quotients and square roots of doubles
 * alone, which IEEE 754 fixes, so that every compiler (without contraction, CONTRIBUTING.md) and
 * every processor gives the same. They allocate nothing and set no errno.
 *
 * Sine, cosine, logarithm... come from a table, a short series and sums of two doubles
 * (double_double.h): what is rounded is right to about 2^-65 of itself, so that an error is below
 * 0.501 units in the last place - above one half only where the rounding was a tie to 12 further
 * bits; il_expm1, il_sinh and il_tanh below 0.51. il_hypot is plainer: below 1.3 units.
 *
 * Special values are C's (Annex F): poles give infinities, what is undefined gives NaN, odd
 * functions keep the sign of zero.
 *
 * The libraries that the program is linked with call these too: the Makefile renames what their
 * archives ask for. scripts/check_elementary.sh keeps the C library's out.
 */
#ifndef IL_HARNESS_BASE_ELEMENTARY_H
#define IL_HARNESS_BASE_ELEMENTARY_H

/* The value depends on the arguments alone: a compiler may call once where the text calls twice. */
#define IL_CONSTANT __attribute__((const))

/* ---- angles: elementary_angles.c ------------------------------------------------------------ */

double il_sin(double x) IL_CONSTANT;
double il_cos(double x) IL_CONSTANT;
double il_tan(double x) IL_CONSTANT;
void il_sincos(double x, double *sine, double *cosine); /* both for little more than one */
double il_asin(double x) IL_CONSTANT;
double il_acos(double x) IL_CONSTANT;
double il_atan(double x) IL_CONSTANT;
double il_atan2(double y, double x) IL_CONSTANT;

/* ---- exponentials, logarithms and what comes from them: elementary.c ------------------------- */

double il_exp(double x) IL_CONSTANT;
double il_expm1(double x) IL_CONSTANT;
double il_log(double x) IL_CONSTANT;
double il_log1p(double x) IL_CONSTANT;
double il_log2(double x) IL_CONSTANT;  /* exact at powers of two */
double il_log10(double x) IL_CONSTANT; /* exact at powers of ten */
double il_pow(double x, double y) IL_CONSTANT;
double il_sinh(double x) IL_CONSTANT;
double il_cosh(double x) IL_CONSTANT;
double il_tanh(double x) IL_CONSTANT;
double il_asinh(double x) IL_CONSTANT;
double il_acosh(double x) IL_CONSTANT;
double il_atanh(double x) IL_CONSTANT;

/* ---- roots ---------------------------------------------------------------------------------- */

double il_cbrt(double x) IL_CONSTANT;

/* sqrt(x^2 + y^2), without overflow or underflow on the way. */
double il_hypot(double x, double y) IL_CONSTANT;

#endif
