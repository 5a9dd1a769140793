/*
 * module.c - trajectories and step problems as HDF5 files. Not linked to the rest of the program:
 * it reads plain arrays. Its functions run once, in a process of their own
 * (harness/io/formats/hdf5_file.c).
 */
#include "harness/io/hdf5/module.h"

#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/trajectory.h"
#include "harness/io/formats/columns.h"
#include "harness/io/formats/fclib.h"

/* The image grows by this many bytes. */
static const size_t MORE = (size_t)1 << 20;

/* A new file in memory, where no disk can fail, whose attributes may be longer than 64 KiB, as
 * records of thousands of bodies are: only files of version 1.8 and later can hold them. */
static hid_t create(void) {
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* we report, not the library */
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = -1;
    if (access >= 0 && H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST) >= 0 &&
        H5Pset_fapl_core(access, MORE, false) >= 0) {
        file = H5Fcreate("image", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    }
    if (access >= 0) {
        (void)H5Pclose(access);
    }
    return file;
}

/* Write the bytes of the file, of which the driver has the only copy, to out. HDF5 is not closed:
 * it has reported all that it will, and the process ends. */
static int conclude(hid_t file, herr_t code, FILE *out) {
    void *image = NULL;
    code = code < 0 ? code : H5Fflush(file, H5F_SCOPE_GLOBAL);
    ssize_t size =
        code < 0 ? -1 : H5Fget_file_image(file, NULL, 0); /* without what is to grow into */
    code = size < 0 ? -1 : code;
    code = code < 0 ? code : H5Fget_vfd_handle(file, H5P_DEFAULT, &image);
    if (code < 0) {
        return IL_HDF5_FAILED;
    }
    return fwrite(*(void **)image, 1, (size_t)size, out) == (size_t)size ? 0 : -1;
}

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

int il_hdf5_write_trajectory(const void *subject, FILE *out, const char *record) {
    const il_trajectory *w = subject;
    hsize_t dims[2] = {w->nodes, w->d};
    hid_t file = create();
    herr_t code = file >= 0 ? 0 : -1;
    code = code < 0 ? code : H5LTmake_dataset_double(file, "t", 1, dims, w->t);
    code = code < 0 ? code : H5LTmake_dataset_double(file, "q", 2, dims, w->q);
    code = code < 0 ? code : H5LTmake_dataset_double(file, "u", 2, dims, w->u);
    code = code < 0 ? code : write_contacts(file, w);
    code = code < 0 ? code : H5LTset_attribute_string(file, "/", "record", record);
    return conclude(file, code, out);
}

/* ---- step problems -------------------------------------------------------------------------- */

static herr_t write_int(hid_t at, const char *name, int value) {
    return H5LTmake_dataset_int(at, name, 1, (const hsize_t[]){1}, &value);
}

static herr_t write_vector(hid_t at, const char *name, int n, const double *x) {
    return H5LTmake_dataset_double(at, name, 1, (const hsize_t[]){(hsize_t)n}, x);
}

static hid_t group(hid_t at, const char *name) {
    return H5Gcreate2(at, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

static herr_t leave(hid_t at, herr_t code) {
    return at >= 0 && H5Gclose(at) >= 0 ? code : -1;
}

/* Compressed columns, which FCLib marks by nz = -1. */
static herr_t write_matrix(hid_t parent, const char *name, const il_fclib_matrix *w) {
    hsize_t columns = (hsize_t)w->n + 1;
    hsize_t entries = (hsize_t)w->nzmax;
    hid_t at = group(parent, name);
    herr_t code = at >= 0 ? 0 : -1;
    code = code < 0 ? code : write_int(at, "nzmax", w->nzmax);
    code = code < 0 ? code : write_int(at, "m", w->m);
    code = code < 0 ? code : write_int(at, "n", w->n);
    code = code < 0 ? code : write_int(at, "nz", -1);
    code = code < 0 ? code : H5LTmake_dataset_int(at, "p", 1, &columns, w->p);
    code = code < 0 ? code : H5LTmake_dataset_int(at, "i", 1, &entries, w->i);
    code = code < 0 ? code : H5LTmake_dataset_double(at, "x", 1, &entries, w->x);
    return leave(at, code);
}

static herr_t write_vectors(hid_t parent, const il_fclib *w) {
    hid_t at = group(parent, "vectors");
    herr_t code = at >= 0 ? 0 : -1;
    code = code < 0 ? code : write_vector(at, "f", w->M.m, w->f);
    code = code < 0 ? code : write_vector(at, "w", w->H.n, w->w);
    code = code < 0 ? code : write_vector(at, "mu", w->H.n / IL_FCLIB_SPACEDIM, w->mu);
    return leave(at, code);
}

static herr_t write_info(hid_t parent, const il_fclib *w) {
    hid_t at = group(parent, "info");
    herr_t code = at >= 0 ? 0 : -1;
    code = code < 0 ? code : H5LTmake_dataset_string(at, "title", w->title);
    code = code < 0 ? code : H5LTmake_dataset_string(at, "description", w->description);
    code = code < 0 ? code : H5LTmake_dataset_string(at, "math_info", w->math_info);
    return leave(at, code);
}

static herr_t write_problem(hid_t file, const il_fclib *w) {
    hid_t at = group(file, "fclib_global");
    herr_t code = at >= 0 ? 0 : -1;
    code = code < 0 ? code : write_int(at, "spacedim", IL_FCLIB_SPACEDIM);
    code = code < 0 ? code : write_matrix(at, "M", &w->M);
    code = code < 0 ? code : write_matrix(at, "H", &w->H);
    code = code < 0 ? code : write_vectors(at, w);
    code = code < 0 ? code : write_info(at, w);
    return leave(at, code);
}

static herr_t write_solution(hid_t file, const il_fclib *w) {
    hid_t at = group(file, "solution");
    herr_t code = at >= 0 ? 0 : -1;
    code = code < 0 ? code : write_vector(at, "v", w->M.m, w->v);
    code = code < 0 ? code : write_vector(at, "u", w->H.n, w->u);
    code = code < 0 ? code : write_vector(at, "r", w->H.n, w->r);
    return leave(at, code);
}

int il_hdf5_write_fclib(const void *subject, FILE *out, const char *record) {
    const il_fclib *w = subject;
    hid_t file = create();
    herr_t code = file >= 0 ? 0 : -1;
    code = code < 0 ? code : write_problem(file, w);
    code = code < 0 ? code : write_solution(file, w);
    code = code < 0 ? code : H5LTset_attribute_string(file, "/", "record", record);
    return conclude(file, code, out);
}

/* ---- columns -------------------------------------------------------------------------------- */

static herr_t write_texts(hid_t at, const char *name, size_t rows, char *const *text) {
    hsize_t n = rows;
    size_t most = 1;
    for (size_t k = 0; k < rows; k++) {
        size_t letters = text[k] != NULL ? strlen(text[k]) : 0;
        most = letters > most ? letters : most;
    }
    char *block = calloc(rows * most + 1, 1);
    hid_t type = H5Tcopy(H5T_C_S1);
    herr_t code = block != NULL && type >= 0 ? 0 : -1;
    for (size_t k = 0; code >= 0 && k < rows; k++) {
        if (text[k] != NULL) {
            memcpy(block + k * most, text[k], strlen(text[k]));
        }
    }
    code = code < 0 ? code : H5Tset_size(type, most);
    code = code < 0 ? code : H5Tset_strpad(type, H5T_STR_NULLPAD);
    code = code < 0 ? code : H5Tset_cset(type, H5T_CSET_UTF8);
    code = code < 0 ? code : H5LTmake_dataset(at, name, 1, &n, type, block);
    free(block);
    return code;
}

static herr_t write_column(hid_t at, const il_column *c, size_t rows) {
    hsize_t n = rows;
    char *name = strdup(c->name);
    if (name == NULL) {
        return -1;
    }
    for (char *letter = name; *letter != '\0'; letter++) {
        if (*letter == '/') {
            *letter = '_';
        }
    }
    herr_t code = c->number ? H5LTmake_dataset_double(at, name, 1, &n, c->x)
                            : write_texts(at, name, rows, c->text);
    free(name);
    return code;
}

int il_hdf5_write_columns(const void *subject, FILE *out, const char *text) {
    const il_columns *w = subject;
    hid_t file = create();
    hid_t way = H5Pcreate(H5P_GROUP_CREATE);
    herr_t code = file >= 0 && way >= 0 ? 0 : -1;
    code = code < 0
               ? code
               : H5Pset_link_creation_order(way, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    hid_t at = code < 0 ? -1 : H5Gcreate2(file, text, H5P_DEFAULT, way, H5P_DEFAULT);
    code = at >= 0 ? code : -1;
    for (size_t k = 0; code >= 0 && k < w->n; k++) {
        code = write_column(at, &w->list[k], w->rows);
    }
    code = leave(at, code);
    return conclude(file, code, out);
}
