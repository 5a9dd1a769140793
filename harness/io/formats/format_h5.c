/*
 * format_h5.c - HDF5: datasets t [n], q [n][d], u [n][d], contacts/{step,id,impulse}, and the
 * record as attribute "record". Of a run with motions inside its steps a row of t, q and u is a
 * piece, at its end, and there are datasets step [n] and c0, c1, .. [n][d] (harness/data/dense.h).
 */
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/data/dense.h"
#include "harness/io/formats/hdf5_file.h"
#include "harness/io/formats/trajectory_file.h"

enum { T, Q, U, ROW, COEFFICIENT, STEP = COEFFICIENT + IL_MOTION_DEGREE_MAX + 1, ID, IMPULSE };
enum { ARRAYS = IMPULSE + 1 };

static const char *const names[ARRAYS] = {"t",
                                          "q",
                                          "u",
                                          "step",
                                          "c0",
                                          "c1",
                                          "c2",
                                          "c3",
                                          "c4",
                                          "c5",
                                          "c6",
                                          "c7",
                                          "contacts/step",
                                          "contacts/id",
                                          "contacts/impulse"};

/* Coefficients k of all rows behind one another, [degree + 1][n][d], the caller's. */
static double *part(const il_dense *rows, size_t degree, size_t d) {
    double *c = il_alloc((degree + 1) * rows->n * d, sizeof *c);
    for (size_t n = 0; n < rows->n; n++) {
        for (size_t k = 0; k <= degree; k++) {
            memcpy(c + (k * rows->n + n) * d, rows->c + (n * (degree + 1) + k) * d, d * sizeof *c);
        }
    }
    return c;
}

static il_status write(const il_trajectory *w, const char *path, const char *record,
                       il_error *err) {
    size_t n = w->ncontacts;
    unsigned long long *step = il_alloc(2 * n, sizeof *step);
    double *impulse = il_alloc(n, sizeof *impulse);
    il_dense rows;
    il_dense_make(&rows, w);
    double *c = rows.c != NULL ? part(&rows, w->pieces.degree, w->d) : NULL;
    unsigned long long *id = step + n;
    for (size_t k = 0; k < n; k++) {
        step[k] = w->contacts[k].step;
        id[k] = w->contacts[k].id;
        impulse[k] = w->contacts[k].impulse;
    }
    il_hdf5_array list[ARRAYS] = {
        {names[T], IL_HDF5_DOUBLE, 1, {rows.n}, rows.t},
        {names[Q], IL_HDF5_DOUBLE, 2, {rows.n, w->d}, rows.q},
        {names[U], IL_HDF5_DOUBLE, 2, {rows.n, w->d}, rows.u},
        {names[STEP], IL_HDF5_COUNT, 1, {n}, step},
        {names[ID], IL_HDF5_COUNT, 1, {n}, id},
        {names[IMPULSE], IL_HDF5_DOUBLE, 1, {n}, impulse},
    };
    size_t arrays = 6;
    if (c != NULL) {
        list[arrays++] = (il_hdf5_array){names[ROW], IL_HDF5_DOUBLE, 1, {rows.n}, rows.step};
    }
    for (size_t k = 0; c != NULL && k <= w->pieces.degree; k++) {
        list[arrays++] = (il_hdf5_array){
            names[COEFFICIENT + k], IL_HDF5_DOUBLE, 2, {rows.n, w->d}, c + k * rows.n * w->d};
    }
    il_status status = il_hdf5_file_write(list, arrays, record, path, err);
    il_dense_free(&rows);
    free(c);
    free(step);
    free(impulse);
    return status;
}

/* Is it an array of n rows of d numbers? */
static bool has_rows(const il_hdf5_numbers *a, size_t n, size_t d) {
    return a->head.rank == 2 && a->head.dims[0] == n && a->head.dims[1] == d;
}

/* Rows with steps and coefficients. */
static il_status take_dense(const il_hdf5_numbers *read, il_trajectory *w, const char *path,
                            il_error *err) {
    size_t n = read[Q].head.dims[0];
    size_t d = w->d;
    size_t k = 0;
    while (k <= IL_MOTION_DEGREE_MAX && has_rows(&read[COEFFICIENT + k], n, d)) {
        k++;
    }
    if (k < 2 || read[ROW].head.rank != 1 || read[ROW].n != n) {
        return il_fail(err, IL_EINVAL,
                       "trajectory file '%s' has step or c0, and not step [%zu] and c0, c1, ... "
                       "[%zu][%zu]",
                       path, n, n, d);
    }
    il_error why = {IL_OK, ""};
    il_dense_reading reading = {.run = w, .coefficients = k, .stepped = true};
    double *c = il_alloc(k * d, sizeof *c);
    il_status status = IL_OK;
    for (size_t row = 0; status == IL_OK && row < n; row++) {
        for (size_t i = 0; i < k; i++) {
            memcpy(c + i * d, read[COEFFICIENT + i].x + row * d, d * sizeof *c);
        }
        status = il_dense_read(&reading, read[T].x[row], read[Q].x + row * d, read[U].x + row * d,
                               read[ROW].x[row], c, &why);
    }
    status = status == IL_OK ? il_dense_end(&reading, &why) : status;
    if (status != IL_OK) {
        status = il_fail(err, status == IL_ENOMEM ? status : IL_EINVAL,
                         "trajectory file '%s', row %zu: %s", path, reading.rows, why.message);
    }
    il_dense_reading_free(&reading);
    free(c);
    return status;
}

static il_status take(const il_hdf5_numbers *read, il_trajectory *w, const char *path,
                      il_error *err) {
    const il_hdf5_numbers *q = &read[Q];
    size_t n = q->head.dims[0];
    size_t d = q->head.dims[1];
    if (q->head.rank != 2 || n == 0 || d == 0 || read[T].head.rank != 1 || read[T].n != n ||
        !has_rows(&read[U], n, d)) {
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
    if (read[ROW].head.rank > 0 || read[COEFFICIENT].head.rank > 0) {
        return take_dense(read, w, path, err);
    }
    w->nodes = n;
    memcpy(w->t, read[T].x, n * sizeof *w->t);
    memcpy(w->q, q->x, n * d * sizeof *w->q);
    memcpy(w->u, read[U].x, n * d * sizeof *w->u);
    return IL_OK;
}

static il_status read(il_trajectory *w, const char *path, il_error *err) {
    il_hdf5_numbers read[STEP];
    il_status status = il_hdf5_file_read(path, names, STEP, read, err);
    status = status == IL_OK ? take(read, w, path, err) : status;
    il_hdf5_numbers_free(read, STEP);
    return status;
}

const il_format_type il_format_h5 = {
    .name = "h5",
    .text = "HDF5, with contacts",
    .check = il_hdf5_file_check,
    .write = write,
    .read = read,
};
