/*
 * trajectory_file.h - trajectories as files, in the format of the name's extension.
 *
 * A format is one file of this room that defines
 *
 *     const il_format_type il_format_NAME = {...};
 *
 * where NAME is the extension of its files; the build finds it, and `run --trajectory FILE.NAME`
 * writes it; if it can be read, `reference = {file = "FILE.NAME"}` of a script compares with it.
 */
#ifndef IL_TRAJECTORY_FILE_H
#define IL_TRAJECTORY_FILE_H

#include "harness/base/status.h"
#include "harness/data/trajectory.h"

typedef struct {
    const char *name; /* the extension without its dot: "csv" */
    const char *text; /* what is in such a file, a few words */

    /* Can files be written here at all? NULL: always. IL_EIO with the reason. */
    il_status (*check)(il_error *err);

    /* Write path, whole or not at all (file.h). record is the run's record, a JSON text. IL_EIO,
     * IL_EINTERRUPTED where il_interrupt_presses and it is not whole. */
    il_status (*write)(const il_trajectory *trajectory, const char *path, const char *record,
                       il_error *err);

    /* Read t, q and u of such a file into *trajectory, which is zeroed and the caller's to free.
     * IL_EINVAL with the place where the file is wrong; IL_EIO. NULL: these files are
     * not read. */
    il_status (*read)(il_trajectory *trajectory, const char *path, il_error *err);
} il_format_type;

/* Format k by name, NULL past the end. */
const il_format_type *il_format_type_at(size_t k);

/* Write path by its extension; record is a JSON text. IL_EINVAL for another extension; the file
 * appears whole or not at all. */
il_status il_trajectory_write(const il_trajectory *trajectory, const char *path, const char *record,
                              il_error *err);

/* Read such a file into *trajectory, which is zeroed and the caller's to free: finite numbers,
 * times that begin with 0 and increase, two nodes at least; contacts are not read. IL_EINVAL names
 * what is not so, and where; IL_EIO. */
il_status il_trajectory_read(il_trajectory *trajectory, const char *path, il_error *err);

/* IL_OK if il_trajectory_write would know path's extension and can write there now. */
il_status il_trajectory_check_path(const char *path, il_error *err);

#endif
