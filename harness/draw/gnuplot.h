/*
 * gnuplot.h - gnuplot as a process: fed with a script, watched, judged.
 */
#ifndef IL_GNUPLOT_H
#define IL_GNUPLOT_H

#include <stddef.h>

#include "harness/base/status.h"
#include "harness/draw/gnuplot_pipe.h"

/* Run `gnuplot -d` in folder (no start-up files are read) with the size bytes of script as its
 * input, and wait for its end, at most a minute. The environment variable IMPACTLAB_GNUPLOT names
 * another program to run.
 *
 * IL_EPLOT when it cannot be started, ends with another exit status than 0 or by a signal, takes
 * too long, does not read the whole script, or says anything at all. figure stands in messages.
 * pipe, where it is not NULL, is read all the while. That the files are there and whole is left to
 * the caller to see. */
il_status il_gnuplot_run(const char *folder, const char *script, size_t size, const char *figure,
                         il_gnuplot_pipe *pipe, il_error *err);

#endif
