/*
 * trajectory_file.h - trajectories as files, in the format of the name's extension.
 */
#ifndef IL_TRAJECTORY_FILE_H
#define IL_TRAJECTORY_FILE_H

#include "harness/base/status.h"
#include "harness/data/trajectory.h"

/* Write path by its extension, which names one of the formats of format.h; record is a JSON text.
 * IL_EINVAL for another extension; the file appears whole or not at all. */
il_status il_trajectory_write(const il_trajectory *trajectory, const char *path, const char *record,
                              il_error *err);

/* Read what such a file holds, without contacts, into *trajectory, which is zeroed and the caller's
 * to free: finite numbers, times that begin with 0 and increase, two nodes at least. IL_EINVAL
 * names what is not so, and where; IL_EIO, IL_ENOMEM. */
il_status il_trajectory_read(il_trajectory *trajectory, const char *path, il_error *err);

/* The same with its contacts; *contacts is false where the file has no list of them. */
il_status il_trajectory_read_whole(il_trajectory *trajectory, const char *path, bool *contacts,
                                   il_error *err);

/* IL_OK if il_trajectory_write would know path's extension and can write there now. */
il_status il_trajectory_check_path(const char *path, il_error *err);

#endif
