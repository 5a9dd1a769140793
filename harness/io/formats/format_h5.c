/*
 * format_h5.c - HDF5: datasets t [n], q [n][d], u [n][d], contacts/{step,id,impulse}, and the
 * record as attribute "record".
 */
#include <stdlib.h>
#include <string.h>

#include "harness/io/formats/hdf5_file.h"
#include "harness/io/formats/trajectory_file.h"

enum { T, Q, U, STEP, ID, IMPULSE, ARRAYS };

static const char *const names[ARRAYS] = {
    "t", "q", "u", "contacts/step", "contacts/id", "contacts/impulse"};

static il_status write(const il_trajectory *w, const char *path, const char *record,
                       il_error *err) {
    size_t n = w->ncontacts;
    unsigned long long *step = malloc((2 * n + 1) * sizeof *step);
    double *impulse = malloc((n + 1) * sizeof *impulse);
    il_status status = IL_ENOMEM;
    if (step == NULL || impulse == NULL) {
        (void)il_fail(err, status, "no memory for %zu contacts", n);
        goto done;
    }
    unsigned long long *id = step + n;
    for (size_t k = 0; k < n; k++) {
        step[k] = w->contacts[k].step;
        id[k] = w->contacts[k].id;
        impulse[k] = w->contacts[k].impulse;
    }
    const il_hdf5_array list[ARRAYS] = {
        {names[T], IL_HDF5_DOUBLE, 1, {w->nodes}, w->t},
        {names[Q], IL_HDF5_DOUBLE, 2, {w->nodes, w->d}, w->q},
        {names[U], IL_HDF5_DOUBLE, 2, {w->nodes, w->d}, w->u},
        {names[STEP], IL_HDF5_COUNT, 1, {n}, step},
        {names[ID], IL_HDF5_COUNT, 1, {n}, id},
        {names[IMPULSE], IL_HDF5_DOUBLE, 1, {n}, impulse},
    };
    status = il_hdf5_file_write(list, ARRAYS, record, path, err);
done:
    free(step);
    free(impulse);
    return status;
}

static il_status take(const il_hdf5_numbers *read, il_trajectory *w, const char *path,
                      il_error *err) {
    const il_hdf5_numbers *q = &read[Q];
    size_t n = q->head.dims[0];
    size_t d = q->head.dims[1];
    if (q->head.rank != 2 || n == 0 || d == 0 || read[T].head.rank != 1 || read[T].n != n ||
        read[U].head.rank != 2 || read[U].head.dims[0] != n || read[U].head.dims[1] != d) {
        for (size_t k = T; k <= U; k++) {
            if (read[k].head.why[0] != '\0') {
                return il_fail(err, IL_EINVAL, "trajectory file '%s': '%s' cannot be read: %s",
                               path, names[k], read[k].head.why);
            }
        }
        return il_fail(err, IL_EINVAL,
                       "trajectory file '%s' has not the datasets t [n], q [n][d] and u [n][d]",
                       path);
    }
    il_status status = il_trajectory_init(w, d, n, err);
    if (status != IL_OK) {
        return status;
    }
    w->nodes = n;
    memcpy(w->t, read[T].x, n * sizeof *w->t);
    memcpy(w->q, q->x, n * d * sizeof *w->q);
    memcpy(w->u, read[U].x, n * d * sizeof *w->u);
    return IL_OK;
}

static il_status read(il_trajectory *w, const char *path, il_error *err) {
    il_hdf5_numbers read[U + 1];
    il_status status = il_hdf5_file_read(path, names, U + 1, read, err);
    status = status == IL_OK ? take(read, w, path, err) : status;
    il_hdf5_numbers_free(read, U + 1);
    return status;
}

const il_format_type il_format_h5 = {
    .name = "h5",
    .text = "HDF5, with contacts",
    .check = il_hdf5_file_check,
    .write = write,
    .read = read,
};
