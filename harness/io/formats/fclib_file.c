/*
 * fclib_file.c - step problems as FCLib's HDF5 files.
 */
#include "harness/io/formats/fclib_file.h"

#include <string.h>

#include "harness/io/file.h"
#include "harness/io/formats/fclib.h"
#include "harness/io/formats/hdf5_file.h"

il_status il_fclib_write(const il_step_problem *problem, const char *path, const char *title,
                         const char *record, il_error *err) {
    il_fclib w;
    il_status status = il_fclib_create(&w, problem, err);
    if (status != IL_OK) {
        return status;
    }
    w.title = title;
    status = il_hdf5_file_write("il_hdf5_write_fclib", &w, path, record, err);
    il_fclib_free(&w);
    return status;
}

il_status il_fclib_check_path(const char *path, il_error *err) {
    const char *extension = il_file_extension(path);
    if (strcmp(extension, ".hdf5") != 0 && strcmp(extension, ".h5") != 0) {
        return il_fail(err, IL_EINVAL, "FCLib file '%s': the name must end in .hdf5 or .h5", path);
    }
    il_status status = il_hdf5_file_check(err);
    return status == IL_OK ? il_file_can_write(path, err) : status;
}
