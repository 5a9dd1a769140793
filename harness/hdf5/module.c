/*
 * module.c - trajectories as HDF5 files.
 */
#include "harness/hdf5/module.h"

#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdlib.h>

/* The contacts as three columns. */
static herr_t write_contacts(hid_t file, const il_trajectory *w) {
    hsize_t n = w->ncontacts;
    unsigned long long *whole = malloc((w->ncontacts + 1) * sizeof *whole);
    double *impulse = malloc((w->ncontacts + 1) * sizeof *impulse);
    hid_t group = H5Gcreate2(file, "contacts", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    herr_t code = whole != NULL && impulse != NULL && group >= 0 ? 0 : -1;
    for (size_t k = 0; code >= 0 && k < w->ncontacts; k++) {
        whole[k] = w->contacts[k].step;
        impulse[k] = w->contacts[k].impulse;
    }
    code = code < 0 ? code : H5LTmake_dataset(group, "step", 1, &n, H5T_NATIVE_ULLONG, whole);
    for (size_t k = 0; code >= 0 && k < w->ncontacts; k++) {
        whole[k] = w->contacts[k].id;
    }
    code = code < 0 ? code : H5LTmake_dataset(group, "id", 1, &n, H5T_NATIVE_ULLONG, whole);
    code = code < 0 ? code : H5LTmake_dataset_double(group, "impulse", 1, &n, impulse);
    if (group >= 0) {
        (void)H5Gclose(group);
    }
    free(whole);
    free(impulse);
    return code;
}

/* A new file in the format of HDF5 1.8 or later: records of many bodies are longer than the 64 kB
 * that attributes of the first format hold. */
static hid_t create(const char *path) {
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = H5I_INVALID_HID;
    if (access >= 0 && H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST) >= 0) {
        file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    }
    if (access >= 0) {
        (void)H5Pclose(access);
    }
    return file;
}

int il_hdf5_write_trajectory(const il_trajectory *w, const char *path, const char *record) {
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* we report, not the library */
    hsize_t dims[2] = {w->nodes, w->d};
    hid_t file = create(path);
    herr_t code = file >= 0 ? 0 : -1;
    code = code < 0 ? code : H5LTmake_dataset_double(file, "t", 1, dims, w->t);
    code = code < 0 ? code : H5LTmake_dataset_double(file, "q", 2, dims, w->q);
    code = code < 0 ? code : H5LTmake_dataset_double(file, "u", 2, dims, w->u);
    code = code < 0 ? code : write_contacts(file, w);
    code = code < 0 ? code : H5LTset_attribute_string(file, "/", "record", record);
    if (file >= 0) {
        code = H5Fclose(file) < 0 ? -1 : code;
    }
    return code < 0 ? -1 : 0;
}
