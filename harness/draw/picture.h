/*
 * picture.h - whether gnuplot's pictures are whole: it goes on after an error in piped input and
 * writes a file all the same, and looks at no write.
 */
#ifndef IL_PICTURE_H
#define IL_PICTURE_H

#include "harness/base/status.h"

/* IL_OK if FOLDER/NAME.SUFFIX is larger than an empty frame and nothing of it is lost, as far as
 * its format tells: checksums in a png, positions in a pdf, head and tail of an svg. Else IL_EPLOT.
 */
il_status il_picture_check(const char *folder, const char *name, const char *suffix, il_error *err);

#endif
