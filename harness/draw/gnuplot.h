/*
 * gnuplot.h - gnuplot as a child process, with its errors detected. Used only in harness/draw.
 */
#ifndef IL_GNUPLOT_H
#define IL_GNUPLOT_H

#include <stddef.h>

#include "harness/base/status.h"

/* Run `gnuplot -d` in folder (no start-up files are read) with script[length] piped to its standard
 * input, for at most a minute; the script is to draw the files pictures[n] there. The environment
 * variable IMPACTLAB_GNUPLOT names another program to run.
 *
 * IL_EPLOT when it cannot be started, ends with a status other than 0 or by a signal, takes too
 * long, leaves some of the script unread, prints any error, or leaves a picture empty; IL_EIO when
 * a picture is cut off, as on a full disk, which gnuplot ignores. figure is its name in messages.
 * */
il_status il_gnuplot_run(const char *folder, const char *script, size_t length,
                         const char *const *pictures, size_t n, const char *figure, il_error *err);

#endif
