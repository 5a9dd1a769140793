/*
 * export.h - columns as one file for other programs.
 */
#ifndef IL_RESULTS_EXPORT_H
#define IL_RESULTS_EXPORT_H

#include "harness/base/status.h"
#include "harness/io/formats/columns.h"

typedef enum {
    IL_EXPORT_CSV,    /* RFC 4180, numbers with all digits */
    IL_EXPORT_TEX,    /* a tabular, numbers with six */
    IL_EXPORT_SQLITE, /* a database with the table "cases" */
    IL_EXPORT_HDF5    /* a dataset for each column in the group "cases" */
} il_export_format;

/* What the end of a path asks for: .csv, .tex, .sqlite or .db, .h5 or .hdf5. IL_EINVAL for others,
 * and for a name that no file may have (il_file_check_name). */
il_status il_export_choose(const char *path, il_export_format *format, il_error *err);

/* Write it, whole or not at all. IL_EIO, IL_ENOMEM. */
il_status il_export_write(const il_columns *columns, il_export_format format, const char *path,
                          il_error *err);

#endif
