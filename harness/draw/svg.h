/*
 * svg.h - gnuplot draws a disc in SVG as a polygon of 120 corners, 1.7 kB each: a figure of 8000
 * discs is 14 MB. Written as what it is, <circle>, it takes a twentieth and is round at every zoom.
 */
#ifndef IL_SVG_H
#define IL_SVG_H

#include "harness/base/status.h"

/* Rewrite the SVG file that gnuplot drew: polygons and closed paths of sixty corners or more that
 * lie on a circle, to the two decimals in which gnuplot writes pixels, become circles of the same
 * fill and edge. All else stays as it is, discs that the frame cuts among it. The file is replaced
 * whole or not at all. IL_EIO. */
il_status il_svg_round(const char *path, il_error *err);

#endif
