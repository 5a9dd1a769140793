/*
 * expect.h - what suites of problems ask again and again: that an exact solution satisfies the
 * inclusion, that bad data are refused in words, that a file holds what it should.
 */
#ifndef IL_TESTS_EXPECT_H
#define IL_TESTS_EXPECT_H

#include <stddef.h>

#include "harness/base/status.h"
#include "tests/support/residual.h"

/* The same bound for every violation. */
il_residual il_residual_within(double most);

/* Every violation of r is at most that of most; each is an assertion of its own, which NaN fails.
 */
void il_expect_residual(const il_residual *r, const il_residual *most);

/* The problem made of "key=value" strings (ended by NULL) has one exact solution, which satisfies
 * the inclusion up to most: at its breaks and at SAMPLES points inside each piece. active as in
 * il_residual_of. */
void il_expect_solution(const char *name, const char *const *sets, double active,
                        const il_residual *most);

/* The exact solution of such a problem is within `within` of the event-driven reference, a
 * different method (Runge-Kutta with located events), in each coordinate's |q| + |u|, at 999 times
 * that are no events; two events at least, at most 8 coordinates. */
void il_expect_event_driven(const char *name, const char *const *sets, double within);

/* Setting these parameters, or the creation from them, is refused as IL_EINVAL in one line that
 * has words in it, and leaves no problem. */
void il_expect_refusal(const char *name, const char *const *sets, const char *words);

/* The bytes of folder/file, followed by a NUL, to be freed; NULL if there is none. size may be
 * NULL. */
char *il_test_slurp(const char *folder, const char *file, size_t *size);

#endif
