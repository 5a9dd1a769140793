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
 * cannot be loaded, or with the system's reason; IL_ENOMEM when HDF5 reports a failure: the file is
 * made in memory. */
il_status il_hdf5_file_write(const il_hdf5_array *list, size_t n, const char *record,
                             const char *path, il_error *err);

/* Read the arrays of these n names, into out[n], which il_hdf5_numbers_free frees in all cases.
 * IL_EINVAL with HDF5's own reason when it does not open the file; IL_EIO. */
il_status il_hdf5_file_read(const char *path, const char *const *names, size_t n,
                            il_hdf5_numbers *out, il_error *err);
void il_hdf5_numbers_free(il_hdf5_numbers *list, size_t n);

#endif
