/*
 * fclib_file.h - the projection of one step as a file in the format of FCLib (fclib.h).
 */
#ifndef IL_FCLIB_FILE_H
#define IL_FCLIB_FILE_H

#include "harness/base/status.h"
#include "harness/data/step_problem.h"

/* Write problem with its answer to path, whole or not at all. title says what it is; record (JSON)
 * becomes the root's attribute "record". Errors of il_fclib_create and il_hdf5_file_write. */
il_status il_fclib_write(const il_step_problem *problem, const char *path, const char *title,
                         const char *record, il_error *err);

/* IL_OK if path ends in .hdf5 or .h5 and can be written now. */
il_status il_fclib_check_path(const char *path, il_error *err);

#endif
