/*
 * format_h5.c - HDF5: datasets t [n], q [n][d], u [n][d], contacts/{step,id,impulse}, and the
 * record as attribute "record".
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/io/formats/hdf5_file.h"
#include "harness/io/formats/trajectory_file.h"

static il_status write(const il_trajectory *trajectory, const char *path, const char *record,
                       il_error *err) {
    return il_hdf5_file_write("il_hdf5_write_trajectory", trajectory, path, record, err);
}

/* Contacts, by step; without a list of them their number stays SIZE_MAX. */
static il_status take_contacts(FILE *in, il_trajectory *w, il_error *err) {
    double count = 0.0;
    w->ncontacts = SIZE_MAX;
    if (fread(&count, sizeof count, 1, in) != 1 || !(count >= 0.0)) {
        return IL_OK;
    }
    size_t n = (size_t)count;
    double *x = malloc((3 * n + 1) * sizeof *x);
    w->ncontacts = 0;
    if (x == NULL || fread(x, sizeof *x, 3 * n, in) != 3 * n) {
        free(x);
        return il_fail(err, IL_ENOMEM, "no memory for %zu contacts", n);
    }
    il_status status = IL_OK;
    for (size_t k = 0; status == IL_OK && k < n; k++) {
        il_contact one = {(size_t)x[k], (size_t)x[n + k], x[2 * n + k]};
        status = il_trajectory_add_contact(w, one);
    }
    free(x);
    return status == IL_OK ? IL_OK : il_fail(err, status, "no memory for %zu contacts", n);
}

/* What il_hdf5_read_trajectory writes: nodes and d as numbers, then t, q, u. */
static il_status take(FILE *in, il_trajectory *w, const char *path, il_error *err) {
    double size[2] = {0.0, 0.0};
    if (fread(size, sizeof size[0], 2, in) != 2) {
        return il_fail(err, IL_EIO, "cannot read '%s'", path);
    }
    size_t n = (size_t)size[0];
    size_t d = (size_t)size[1];
    il_status status = il_trajectory_init(w, d, n, err);
    if (status == IL_OK) {
        w->nodes = n;
        bool whole = fread(w->t, sizeof *w->t, n, in) == n &&
                     fread(w->q, sizeof *w->q, n * d, in) == n * d &&
                     fread(w->u, sizeof *w->u, n * d, in) == n * d;
        status = whole ? take_contacts(in, w, err)
                       : il_fail(err, IL_EIO, "cannot read '%s' to its end", path);
    }
    return status;
}

static il_status read(il_trajectory *w, const char *path, il_error *err) {
    FILE *in = NULL;
    il_status status = il_hdf5_file_read("il_hdf5_read_trajectory", path, &in, err);
    if (status == IL_OK) {
        status = take(in, w, path, err);
        (void)fclose(in);
    }
    return status;
}

const il_format_type il_format_h5 = {
    .name = "h5",
    .text = "HDF5, with contacts",
    .check = il_hdf5_file_check,
    .write = write,
    .read = read,
};
