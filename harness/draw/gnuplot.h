/*
 * gnuplot.h - gnuplot as a process: started, watched, judged. Between harness/draw only.
 */
#ifndef IL_GNUPLOT_H
#define IL_GNUPLOT_H

#include <stddef.h>

#include "harness/base/status.h"

/* Run `gnuplot -d SCRIPT` in folder (no start-up files are read), at most a minute; the script is
 * to draw the files pictures[n] there. gnuplot looks at no write, so that one that fails would
 * leave a hole without a word: the pictures are named pipes while it runs, and the files are
 * written by us, an SVG with circles (svg.h). The environment variable IMPACTLAB_GNUPLOT names
 * another program to run.
 *
 * IL_EPLOT when it cannot be started, ends with another exit status than 0 or by a signal, takes
 * too long, says anything at all, or leaves a picture empty. figure stands in messages. */
il_status il_gnuplot_run(const char *folder, const char *script, const char *const *pictures,
                         size_t n, const char *figure, il_error *err);

#endif
