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

/* The motion from 0 to the horizon becomes the exact solution of self, with the impulse of the
 * stop; or self->no_exact says why there is none. IL_EINVAL for a K that is not positive
 * semidefinite, and naming the parameter 'stiffness'. */
il_status il_modal_offer(il_problem *self, const il_modal_system *system, il_error *err);

#endif
