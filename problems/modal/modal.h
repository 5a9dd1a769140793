/*
 * modal.h - the exact motion of a linear system of order 2 against one stop, by normal modes:
 *
 *     M q'' = f - K q + lambda e_k,   q_k >= stop,   u+ = P_C u- - e P_N u-,
 *
 * M symmetric positive definite, K symmetric positive semidefinite, f constant.
 */
#ifndef IL_PROBLEMS_MODAL_H
#define IL_PROBLEMS_MODAL_H

#include "problems/modal/modes.h"
#include "problems/problem.h"

typedef struct il_modal il_modal;

/* The motion from 0 to horizon. IL_EINVAL for a K that is not positive semidefinite, and naming the
 * parameter 'stiffness'. Where no exact solution can be offered *out is NULL, the status IL_OK and
 * *why says why. The creator destroys. */
il_status il_modal_create(il_modal **out, const il_modal_system *system, double horizon,
                          const char **why, il_error *err);
void il_modal_destroy(il_modal *modal);

/* The solution, with the impulse of the stop; owned by modal. */
const il_exact *il_modal_exact(const il_modal *modal);

#endif
