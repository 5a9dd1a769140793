/*
 * roots.h - where polynomials of degree at most 4 change their sign: gaps of flights in time.
 *
 * Coefficients c[0..degree], of s^0 first.
 */
#ifndef IL_SPHERES_ROOTS_H
#define IL_SPHERES_ROOTS_H

#include <stdbool.h>

/* sum c_k s^k. */
double il_polynomial(const double *c, int degree, double s);

/* The sign changes in (0, top), increasing, into z[degree], each to the last bit. Only those from +
 * to - if falling. Returns how many. */
int il_sign_changes(const double *c, int degree, double top, bool falling, double *z);

#endif
