/*
 * hdf5_file.h - atomic HDF5 files, written by the module that contains the library.
 */
#ifndef IL_HDF5_FILE_H
#define IL_HDF5_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "harness/base/status.h"

/* Is the module there? IL_EIO with where it was sought. */
il_status il_hdf5_file_check(il_error *err);

/* Have the module's function (an il_hdf5_write of harness/io/hdf5/module.h) write subject and text
 * to path: through a scratch file in the same folder, renamed when it is complete. IL_EIO when the
 * module cannot be loaded, or with the system's reason; IL_ENOMEM when HDF5 reports a failure or
 * crashes: the file is made in memory, in a child. */
il_status il_hdf5_file_write(const char *function, const void *subject, const char *path,
                             const char *text, il_error *err);

/* Have the module's function (an il_hdf5_write whose subject is the path) read a file in a child;
 * *out, the caller's to close, holds what it wrote, from its beginning. IL_EINVAL when the file is
 * not what the function reads, IL_EIO, IL_ENOMEM. */
il_status il_hdf5_file_read(const char *function, const char *path, FILE **out, il_error *err);

#endif
