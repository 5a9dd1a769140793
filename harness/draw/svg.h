/*
 * svg.h - what gnuplot writes as SVG, without what nobody sees. A disc is a polygon of 120 corners,
 * 1.7 kB: 8000 are 14 MB. Written as what it is, <circle>, it takes a fifteenth and is round at
 * every zoom. A line of a thousand points across two centimetres keeps some tens.
 */
#ifndef IL_SVG_H
#define IL_SVG_H

#include "harness/base/status.h"

/* Rewrite the SVG file that gnuplot drew: polygons and closed paths of sixty corners or more that
 * lie on a circle, to the two decimals in which gnuplot writes pixels, become circles of the same
 * fill and edge; lines lose corners that lie within 0.06 pixels (a sixtieth of a millimetre) of
 * the line without them. All else stays as it is, discs that the frame cuts among it. The file is
 * replaced whole or not at all. IL_EIO, IL_ENOMEM. */
il_status il_svg_lighten(const char *path, il_error *err);

#endif
