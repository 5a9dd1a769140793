/*
 * picture.h - whether gnuplot's pictures are whole: it goes on after an error in piped input and
 * writes a file all the same.
 */
#ifndef IL_PICTURE_H
#define IL_PICTURE_H

#include "harness/base/status.h"

/* IL_OK if FOLDER/NAME.SUFFIX (pdf, svg, png) begins and ends as its format says and is larger than
 * an empty frame; else IL_EPLOT. */
il_status il_picture_check(const char *folder, const char *name, const char *suffix, il_error *err);

#endif
