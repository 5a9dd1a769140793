/*
 * format.h - a file format of trajectories. A member is one file of this room that defines
 *
 *     const il_format_type il_format_NAME = {...};
 *
 * where NAME is the extension of its files; the build finds it, and `run --trajectory FILE.NAME`
 * writes it; where it can be read, `reference = {file = "FILE.NAME"}` of a script compares with it.
 */
#ifndef IL_FORMAT_H
#define IL_FORMAT_H

#include <stdbool.h>

#include "harness/base/status.h"
#include "harness/data/trajectory.h"

typedef struct {
    const char *name; /* the extension without its dot: "csv" */
    const char *text; /* what is in such a file, a few words */

    /* Can files be written here at all? NULL: always. IL_EIO with the reason. */
    il_status (*check)(il_error *err);

    /* Write path, whole or not at all (file.h). record is the run's record, a JSON text. IL_EIO,
     * IL_ENOMEM; IL_EINTERRUPTED where il_interrupt_presses and it is not whole. */
    il_status (*write)(const il_trajectory *trajectory, const char *path, const char *record,
                       il_error *err);

    /* Read t, q and u of such a file, and its contacts (SIZE_MAX of them where it has no list of
     * contacts), into *trajectory, which is zeroed and the caller's to free. IL_EINVAL where it is
     * none of these, with the place; IL_EIO, IL_ENOMEM. */
    il_status (*read)(il_trajectory *trajectory, const char *path, il_error *err);
} il_format_type;

/* Format k by name, NULL past the end. */
const il_format_type *il_format_type_at(size_t k);

#endif
