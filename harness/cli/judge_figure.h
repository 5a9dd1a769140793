/*
 * judge_figure.h - errors of files against their steps, with the curve that was fitted.
 */
#ifndef IL_CLI_JUDGE_FIGURE_H
#define IL_CLI_JUDGE_FIGURE_H

#include <stddef.h>

#include "harness/base/status.h"
#include "harness/study/order/order.h"

/* One norm of a figure. */
typedef struct {
    const char *norm;
    size_t n;
    const double *h, *error; /* [n] */
    const il_order *order;
} il_judge_errors;

/* Draw FOLDER/NAME.png, .pdf, .svg from path "FOLDER/NAME" (or NAME, or NAME.png). IL_EINVAL,
 * IL_EIO, IL_EPLOT. */
il_status il_judge_figure(const char *path, const char *caption, const il_judge_errors *errors,
                          size_t n, il_error *err);

#endif
