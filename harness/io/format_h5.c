/*
 * format_h5.c - HDF5: datasets t [n], q [n][d], u [n][d], contacts/{step,id,impulse}, and the
 * record as attribute "record".
 */
#include "harness/io/format.h"
#include "harness/io/hdf5_file.h"

static il_status write(const il_trajectory *trajectory, const char *path, const char *record,
                       il_error *err) {
    return il_hdf5_file_write("il_hdf5_write_trajectory", trajectory, path, record, err);
}

const il_format_type il_format_h5 = {
    .name = "h5",
    .text = "HDF5, with contacts",
    .check = il_hdf5_file_check,
    .write = write,
};
