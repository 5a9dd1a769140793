/*
 * module.c - arrays as HDF5 files, and back. Not linked to the rest of the program. Its functions
 * run once, in a process of their own (harness/io/formats/hdf5_file.c): HDF5 is not closed, and
 * files that are read are not trusted.
 */
#include "harness/io/hdf5/module.h"

#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing -------------------------------------------------------------------------------- */

/* The image grows by this many bytes. */
static const size_t MORE = (size_t)1 << 20;

/* A new file in memory, where no disk can fail, whose attributes may be longer than 64 KiB, as
 * records of thousands of bodies are: only files of version 1.8 and later can hold them. */
static hid_t create(void) {
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    bool ready = access >= 0 &&
                 H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST) >= 0 &&
                 H5Pset_fapl_core(access, MORE, false) >= 0;
    return ready ? H5Fcreate("image", H5F_ACC_TRUNC, H5P_DEFAULT, access) : -1;
}

/* The groups that name leads through. */
static bool make_groups(hid_t file, const char *name) {
    char *part = strdup(name);
    bool good = part != NULL;
    for (char *c = part; good && (c = strchr(c, '/')) != NULL; *c++ = '/') {
        *c = '\0';
        if (H5Lexists(file, part, H5P_DEFAULT) <= 0) {
            hid_t group = H5Gcreate2(file, part, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
            good = group >= 0 && H5Gclose(group) >= 0;
        }
    }
    free(part);
    return good;
}

static herr_t write_texts(hid_t file, const il_hdf5_array *a, const hsize_t *dims) {
    hid_t type = H5Tcopy(H5T_C_S1);
    bool made = H5Tset_size(type, a->dims[1]) >= 0 && H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0 &&
                H5Tset_cset(type, H5T_CSET_UTF8) >= 0;
    return made ? H5LTmake_dataset(file, a->name, 1, dims, type, a->data) : -1;
}

static bool write_array(hid_t file, const il_hdf5_array *a) {
    const hsize_t dims[2] = {a->dims[0], a->dims[1]};
    herr_t code = -1;
    if (!make_groups(file, a->name)) {
        return false;
    }
    switch (a->kind) {
    case IL_HDF5_DOUBLE:
        code = H5LTmake_dataset_double(file, a->name, a->rank, dims, a->data);
        break;
    case IL_HDF5_INT:
        code = H5LTmake_dataset_int(file, a->name, a->rank, dims, a->data);
        break;
    case IL_HDF5_COUNT:
        code = H5LTmake_dataset(file, a->name, a->rank, dims, H5T_NATIVE_ULLONG, a->data);
        break;
    case IL_HDF5_TEXT:
        code = H5LTmake_dataset_string(file, a->name, a->data);
        break;
    case IL_HDF5_TEXTS:
        code = write_texts(file, a, dims);
        break;
    }
    return code >= 0;
}

int il_hdf5_write(const void *subject, size_t n, const char *text, FILE *out) {
    const il_hdf5_array *list = subject;
    void *image = NULL;
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* we report, not the library */
    hid_t file = create();
    bool good = file >= 0;
    for (size_t k = 0; good && k < n; k++) {
        good = write_array(file, &list[k]);
    }
    good = good && (text == NULL || H5LTset_attribute_string(file, "/", "record", text) >= 0) &&
           H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0;
    ssize_t size = good ? H5Fget_file_image(file, NULL, 0) : -1; /* without what is to grow into */
    if (size < 0 || H5Fget_vfd_handle(file, H5P_DEFAULT, &image) < 0) {
        return IL_HDF5_FAILED;
    }
    return fwrite(*(void **)image, 1, (size_t)size, out) == (size_t)size ? 0 : -1;
}

/* ---- reading -------------------------------------------------------------------------------- */

static int read_array(hid_t file, const char *name, FILE *out) {
    hsize_t dims[2] = {1, 1};
    int rank = -1;
    bool there = H5LTpath_valid(file, name, 1) > 0 &&
                 H5LTget_dataset_ndims(file, name, &rank) >= 0 && rank >= 0 && rank <= 2 &&
                 H5LTget_dataset_info(file, name, dims, NULL, NULL) >= 0 &&
                 (dims[1] == 0 || dims[0] < SIZE_MAX / sizeof(double) / dims[1]);
    size_t n = there ? (size_t)(dims[0] * dims[1]) : 0;
    double *x = malloc((n + 1) * sizeof *x);
    if (x == NULL) {
        return IL_HDF5_FAILED;
    }
    there = there && H5LTread_dataset_double(file, name, x) >= 0;
    const double head[3] = {there ? rank : -1.0, (double)dims[0], (double)dims[1]};
    n = there ? n : 0;
    int code = fwrite(head, sizeof head, 1, out) == 1 && fwrite(x, sizeof *x, n, out) == n ? 0 : -1;
    free(x);
    return code;
}

int il_hdf5_read(const void *subject, size_t n, const char *text, FILE *out) {
    const char *const *names = subject;
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t file = H5Fopen(text, H5F_ACC_RDONLY, H5P_DEFAULT);
    int code = file >= 0 ? 0 : IL_HDF5_REFUSED;
    for (size_t k = 0; code == 0 && k < n; k++) {
        code = read_array(file, names[k], out);
    }
    return code;
}
