/*
 * reading.c - the reading part of the module: plain arrays out of untrusted files. Runs in a
 * process of its own, as all of the module does (module.c).
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <hdf5.h>
#include <hdf5_hl.h>

#include "harness/io/hdf5/module.h"

/* The dataset's numbers, count of them, to out. */
static int copy(hid_t file, const char *name, size_t count, FILE *out) {
    double *x = malloc((count + 1) * sizeof *x);
    int code = x == NULL ? IL_HDF5_FAILED : 0;
    if (code == 0 && H5LTread_dataset_double(file, name, x) < 0) {
        code = IL_HDF5_REFUSED;
    }
    if (code == 0 && fwrite(x, sizeof *x, count, out) != count) {
        code = -1;
    }
    free(x);
    return code;
}

/* Is the dataset there, with so many axes of these lengths? */
static int has_shape(hid_t file, const char *name, int axes, const hsize_t *shape) {
    hsize_t dims[2] = {0, 0};
    int rank = 0;
    if (H5LTfind_dataset(file, name) <= 0 || H5LTget_dataset_ndims(file, name, &rank) < 0 ||
        rank != axes || H5LTget_dataset_info(file, name, dims, NULL, NULL) < 0) {
        return 0;
    }
    return dims[0] == shape[0] && (axes == 1 || dims[1] == shape[1]);
}

/* How many contacts, or -1 where there is no list of them; then steps, constraints, impulses. */
static int copy_contacts(hid_t file, FILE *out) {
    static const char *const names[] = {"contacts/step", "contacts/id", "contacts/impulse"};
    hsize_t dims[3] = {0, 0, 0};
    bool listed = true;
    for (size_t k = 0; k < 3; k++) {
        int rank = 0;
        listed = listed && H5LTpath_valid(file, names[k], 1) > 0 &&
                 H5LTget_dataset_ndims(file, names[k], &rank) >= 0 && rank == 1 &&
                 H5LTget_dataset_info(file, names[k], &dims[k], NULL, NULL) >= 0 &&
                 dims[k] == dims[0];
    }
    double count = listed ? (double)dims[0] : -1.0;
    int code = fwrite(&count, sizeof count, 1, out) == 1 ? 0 : -1;
    for (size_t k = 0; code == 0 && count > 0.0 && k < 3; k++) {
        code = copy(file, names[k], (size_t)dims[0], out);
    }
    return code;
}

int il_hdf5_read_trajectory(const void *path, FILE *out, const char *record) {
    hsize_t dims[2] = {0, 0};
    int rank = 0;
    (void)record;
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0 || H5LTfind_dataset(file, "q") <= 0 ||
        H5LTget_dataset_ndims(file, "q", &rank) < 0 || rank != 2 ||
        H5LTget_dataset_info(file, "q", dims, NULL, NULL) < 0 || dims[0] == 0 || dims[1] == 0 ||
        dims[0] > SIZE_MAX / sizeof(double) / 2 / dims[1] || !has_shape(file, "t", 1, dims) ||
        !has_shape(file, "u", 2, dims)) {
        return IL_HDF5_REFUSED;
    }
    size_t n = (size_t)dims[0];
    size_t d = (size_t)dims[1];
    const double size[2] = {(double)n, (double)d};
    int code = fwrite(size, sizeof size[0], 2, out) == 2 ? 0 : -1;
    code = code != 0 ? code : copy(file, "t", n, out);
    code = code != 0 ? code : copy(file, "q", n * d, out);
    code = code != 0 ? code : copy(file, "u", n * d, out);
    return code != 0 ? code : copy_contacts(file, out);
}

/* ---- FCLib ---------------------------------------------------------------------------------- */

static int put(FILE *out, double x) {
    return fwrite(&x, sizeof x, 1, out) == 1 ? 0 : -1;
}

static bool read_int(hid_t at, const char *name, int *x) {
    return H5LTpath_valid(at, name, 1) > 0 && H5LTread_dataset_int(at, name, x) >= 0;
}

/* The number of entries of a vector, SIZE_MAX where there is none. */
static size_t length_of(hid_t at, const char *name) {
    hsize_t dims[4] = {0, 0, 0, 0};
    int rank = 0;
    if (H5LTpath_valid(at, name, 1) <= 0 || H5LTget_dataset_ndims(at, name, &rank) < 0 ||
        rank > 2 || H5LTget_dataset_info(at, name, dims, NULL, NULL) < 0) {
        return SIZE_MAX;
    }
    return rank == 0 ? 1 : rank == 1 ? (size_t)dims[0] : (size_t)(dims[0] * dims[1]);
}

/* Its numbers behind their count; -1 as the count where it is not there. */
static int put_vector(hid_t at, const char *name, FILE *out) {
    size_t n = length_of(at, name);
    int code = put(out, n == SIZE_MAX ? -1.0 : (double)n);
    return code != 0 || n == SIZE_MAX ? code : copy(at, name, n, out);
}

/* Rows, columns and number of entries, then each entry's row, column and value. */
static int put_triplets(FILE *out, const int sizes[4], const int *p, const int *index,
                        const double *x) {
    int m = sizes[0];
    int n = sizes[1];
    int nz = sizes[3];
    int count = nz >= 0 ? nz : p[nz == -1 ? n : m];
    int code = put(out, m);
    code = code != 0 ? code : put(out, n);
    code = code != 0 ? code : put(out, count);
    int at = 0;
    for (int e = 0; code == 0 && e < count; e++) {
        while (nz < 0 && e >= p[at + 1]) {
            at++;
        }
        int major = nz < 0 ? at : p[e];
        int row = nz == -1 ? index[e] : nz == -2 ? major : index[e];
        int column = nz == -1 ? major : nz == -2 ? index[e] : major;
        code = row >= 0 && row < m && column >= 0 && column < n ? 0 : IL_HDF5_REFUSED;
        code = code != 0 ? code : put(out, row);
        code = code != 0 ? code : put(out, column);
        code = code != 0 ? code : put(out, x[e]);
    }
    return code;
}

/* By compressed columns (nz = -1), compressed rows (-2), or entry by entry. */
static int put_matrix(hid_t parent, const char *name, FILE *out) {
    int sizes[4] = {0, 0, 0, 0};
    static const char *const keys[] = {"m", "n", "nzmax", "nz"};
    hid_t at = H5LTpath_valid(parent, name, 1) > 0 ? H5Gopen2(parent, name, H5P_DEFAULT) : -1;
    bool good = at >= 0;
    for (size_t k = 0; good && k < 4; k++) {
        good = read_int(at, keys[k], &sizes[k]) && sizes[k] >= (k == 3 ? -2 : 0);
    }
    size_t entries = good ? length_of(at, "x") : 0;
    size_t want = good ? (size_t)(sizes[3] >= 0 ? sizes[3] : sizes[2]) : 0;
    size_t starts =
        good ? (sizes[3] >= 0 ? want : (size_t)(sizes[3] == -1 ? sizes[1] : sizes[0]) + 1) : 0;
    good = good && entries != SIZE_MAX && entries >= want && length_of(at, "i") == entries &&
           length_of(at, "p") >= starts && length_of(at, "p") != SIZE_MAX;
    int *p = good ? malloc((length_of(at, "p") + 1) * sizeof *p) : NULL;
    int *index = good ? malloc((entries + 1) * sizeof *index) : NULL;
    double *x = good ? malloc((entries + 1) * sizeof *x) : NULL;
    int code = !good                                     ? IL_HDF5_REFUSED
               : p == NULL || index == NULL || x == NULL ? IL_HDF5_FAILED
                                                         : 0;
    if (code == 0 &&
        (H5LTread_dataset_int(at, "p", p) < 0 || H5LTread_dataset_int(at, "i", index) < 0 ||
         H5LTread_dataset_double(at, "x", x) < 0)) {
        code = IL_HDF5_REFUSED;
    }
    for (size_t k = 0; code == 0 && sizes[3] < 0 && k + 1 < starts; k++) {
        code = p[0] == 0 && p[k] <= p[k + 1] && (size_t)p[k + 1] <= entries ? 0 : IL_HDF5_REFUSED;
    }
    code = code == 0 ? put_triplets(out, sizes, p, index, x) : code;
    free(p);
    free(index);
    free(x);
    if (at >= 0) {
        (void)H5Gclose(at);
    }
    return code;
}

int il_hdf5_read_fclib(const void *path, FILE *out, const char *text) {
    (void)text;
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) {
        return IL_HDF5_REFUSED;
    }
    bool local = H5LTpath_valid(file, "fclib_local", 1) > 0;
    if (!local && H5LTpath_valid(file, "fclib_global", 1) <= 0) {
        return IL_HDF5_REFUSED;
    }
    hid_t at = H5Gopen2(file, local ? "fclib_local" : "fclib_global", H5P_DEFAULT);
    int spacedim = 0;
    bool bilateral = H5LTpath_valid(at, local ? "V" : "G", 1) > 0;
    int code = read_int(at, "spacedim", &spacedim) ? 0 : IL_HDF5_REFUSED;
    code = code != 0 ? code : put(out, local);
    code = code != 0 ? code : put(out, spacedim);
    code = code != 0 ? code : put(out, bilateral);
    code = code != 0 ? code : put_matrix(at, local ? "W" : "M", out);
    code = code != 0 || local ? code : put_matrix(at, "H", out);
    code = code != 0 ? code : put_vector(at, local ? "vectors/q" : "vectors/f", out);
    code = code != 0 || local ? code : put_vector(at, "vectors/w", out);
    code = code != 0 ? code : put_vector(at, "vectors/mu", out);
    code = code != 0 ? code : put_vector(file, "solution/v", out);
    return code != 0 ? code : put_vector(file, "solution/r", out);
}
