/*
 * npz.h - arrays of numpy.savez: a ZIP archive of .npy members that are stored, not compressed
 * (APPNOTE.TXT 6.3.10; NumPy enhancement proposal 1). Real numbers of at most eight bytes become
 * doubles, row by row; arrays of more dimensions than two are read as [rows][all the rest].
 */
#ifndef IL_OUTSIDE_NPZ_H
#define IL_OUTSIDE_NPZ_H

#include <stddef.h>

#include "harness/base/status.h"

enum { IL_ARRAY_WHY = 160 };

typedef struct {
    char name[64];
    size_t rows, columns;
    size_t dimensions;
    int bits;  /* of its numbers' fractions, where they are shorter than a double's; or 0 */
    double *x; /* [rows * columns]; NULL: it is there and cannot be read, */
    char why[IL_ARRAY_WHY]; /* for this reason */
} il_npz_array;

typedef struct {
    size_t n;
    il_npz_array *arrays;
} il_npz;

/* Read path into *npz, which is zeroed and freed by il_npz_free, also after a failure. IL_EINVAL
 * where it is no such file, compressed, or damaged by its check sums; IL_EIO. */
il_status il_npz_read(il_npz *npz, const char *path, il_error *err);
void il_npz_free(il_npz *npz);

#endif
