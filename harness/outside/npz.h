/*
 * npz.h - arrays of numpy.savez: a ZIP archive of .npy members that are stored, not compressed
 * (APPNOTE.TXT 6.3.10; NumPy enhancement proposal 1). Doubles, floats and integers of one or two
 * dimensions become doubles, row by row; members of other shapes are left out.
 */
#ifndef IL_OUTSIDE_NPZ_H
#define IL_OUTSIDE_NPZ_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"

typedef struct {
    char name[64];
    size_t rows, columns;
    bool flat; /* of one dimension */
    double *x; /* [rows * columns] */
} il_npz_array;

typedef struct {
    size_t n;
    il_npz_array *arrays;
} il_npz;

/* Read path into *npz, which is zeroed and freed by il_npz_free, also after a failure. IL_EINVAL
 * where it is no such file, or compressed; IL_EIO, IL_ENOMEM. */
il_status il_npz_read(il_npz *npz, const char *path, il_error *err);
void il_npz_free(il_npz *npz);

#endif
