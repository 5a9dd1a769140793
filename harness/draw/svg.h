/*
 * svg.h - replaces the discs in gnuplot's SVG by circles. gnuplot writes a disc as a polygon of 120
 * corners, 1.7 kB: 8000 are 14 MB. <circle> takes a fifteenth of that and is round at every zoom.
 */
#ifndef IL_SVG_H
#define IL_SVG_H

#include <stdio.h>

/* Write the SVG that gnuplot drew: polygons and closed paths of sixty corners or more that lie on a
 * circle, to the two decimals in which gnuplot writes pixels, become circles of the same fill and
 * edge. All else stays as it is, discs that the frame cuts among it. */
void il_svg_put(FILE *out, const char *text);

#endif
