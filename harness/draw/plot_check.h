/*
 * plot_check.h - what may be asked of a figure.
 */
#ifndef IL_PLOT_CHECK_H
#define IL_PLOT_CHECK_H

#include "harness/base/status.h"
#include "harness/draw/figure.h"

/* Names, texts, colors, keys, limits and lengths of the whole figure. IL_EINVAL names what is wrong
 * and what is allowed. */
il_status il_plot_check(const il_figure *figure, il_error *err);

#endif
