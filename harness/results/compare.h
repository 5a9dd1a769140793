/*
 * compare.h - the same cases in two results folders, as two programs made them: by their keys
 * without the build and without the functions of a script, which are what differs.
 */
#ifndef IL_RESULTS_COMPARE_H
#define IL_RESULTS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"

enum { IL_COMPARED_NORMS = 2 }; /* q_Linf, u_L1 */

typedef struct {
    char *study; /* the key without build, functions and the step: cases of one study */
    char problem[64], scheme[128]; /* as the record has them */
    double h, steps;
    bool both;                          /* folders have it: true of all that are left */
    double error[2][IL_COMPARED_NORMS]; /* in the first folder and the second; NaN: none */
} il_compared;

typedef struct {
    size_t n;
    il_compared *list; /* [n] by study, then by h */
    size_t alone[2];   /* cases that one folder has alone */
} il_comparison;

/* "q_Linf", "u_L1" */
const char *il_compared_norm(size_t k);

/* Match the cases of two folders. IL_EINVAL where one is no results folder, IL_EIO, IL_ENOMEM. The
 * caller frees, also after a failure. */
il_status il_results_compare(const char *first, const char *second, il_comparison *out,
                             il_error *err);
void il_comparison_free(il_comparison *comparison);

#endif
