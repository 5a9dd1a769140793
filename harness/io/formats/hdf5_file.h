/*
 * hdf5_file.h - atomic HDF5 files, written and read by the module that contains the library.
 */
#ifndef IL_HDF5_FILE_H
#define IL_HDF5_FILE_H

#include <stddef.h>

#include "harness/base/status.h"
#include "harness/io/hdf5/module.h"

/* Is the module there? IL_EIO with where it was sought. */
il_status il_hdf5_file_check(il_error *err);

/* Write list[n] to path: through a scratch file in the same folder, renamed when it is complete.
 * record, where it is not NULL, becomes the root's attribute "record". IL_EIO when the module
 * cannot be loaded, or with the system's reason; IL_ENOMEM when HDF5 reports a failure or crashes:
 * the file is made in memory, in a child. */
il_status il_hdf5_file_write(const il_hdf5_array *list, size_t n, const char *record,
                             const char *path, il_error *err);

/* An array that was read, as doubles. */
typedef struct {
    il_hdf5_head head;
    size_t n;  /* of numbers; SIZE_MAX where it is not there or cannot be read */
    double *x; /* [n] */
} il_hdf5_numbers;

/* Read the arrays of these n names, into out[n], which il_hdf5_numbers_free frees in all cases.
 * IL_EINVAL with HDF5's own reason when it does not open the file, or ends the child that reads it;
 * IL_EIO, IL_ENOMEM. */
il_status il_hdf5_file_read(const char *path, const char *const *names, size_t n,
                            il_hdf5_numbers *out, il_error *err);
void il_hdf5_numbers_free(il_hdf5_numbers *list, size_t n);

#endif
