/*
 * trajectory.c - trajectories in memory, in HDF5 and in CSV.
 */
#include "harness/trajectory.h"

#include <errno.h>
#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/file.h"

static bool resize(il_trajectory *w, size_t nodes) {
    if (w->d > 0 && nodes > SIZE_MAX / sizeof(double) / w->d) {
        return false;
    }
    double *t = realloc(w->t, nodes * sizeof *t);
    w->t = t != NULL ? t : w->t;
    double *q = realloc(w->q, nodes * w->d * sizeof *q);
    w->q = q != NULL ? q : w->q;
    double *u = realloc(w->u, nodes * w->d * sizeof *u);
    w->u = u != NULL ? u : w->u;
    if (t == NULL || q == NULL || u == NULL) {
        return false;
    }
    w->room = nodes;
    return true;
}

il_status il_trajectory_init(il_trajectory *w, size_t d, size_t nodes, il_error *err) {
    memset(w, 0, sizeof *w);
    w->d = d;
    if (!resize(w, nodes > 0 ? nodes : 1)) {
        il_trajectory_free(w);
        return il_fail(err, IL_ENOMEM,
                       "no memory for a trajectory of %zu nodes and %zu coordinates", nodes, d);
    }
    return IL_OK;
}

void il_trajectory_free(il_trajectory *w) {
    if (w == NULL) {
        return;
    }
    free(w->t);
    free(w->q);
    free(w->u);
    free(w->contacts);
    memset(w, 0, sizeof *w);
}

il_status il_trajectory_add(il_trajectory *w, double t, const double *q, const double *u) {
    if (w->nodes == w->room && !resize(w, 2 * w->room)) {
        return IL_ENOMEM;
    }
    w->t[w->nodes] = t;
    memcpy(w->q + w->nodes * w->d, q, w->d * sizeof *q);
    memcpy(w->u + w->nodes * w->d, u, w->d * sizeof *u);
    w->nodes++;
    return IL_OK;
}

il_status il_trajectory_add_contact(il_trajectory *w, il_contact contact) {
    if (w->ncontacts == w->contacts_room) {
        size_t room = w->contacts_room > 0 ? 2 * w->contacts_room : 64;
        il_contact *more = realloc(w->contacts, room * sizeof *more);
        if (more == NULL) {
            return IL_ENOMEM;
        }
        w->contacts = more;
        w->contacts_room = room;
    }
    w->contacts[w->ncontacts++] = contact;
    return IL_OK;
}

/* The node k >= 1 that ends the step holding t; at a node, side says which of the two steps. */
static size_t step_of(const il_trajectory *w, double t, int side) {
    size_t low = 1;
    size_t high = w->nodes - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        bool before = side > 0 ? w->t[middle] <= t : w->t[middle] < t;
        if (before) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void exact_eval(const il_exact *exact, double t, int side, double *q, double *u) {
    const il_trajectory *w = exact->data;
    if (w->nodes < 2) {
        memcpy(q, w->q, w->d * sizeof *q);
        memcpy(u, w->u, w->d * sizeof *u);
        return;
    }
    size_t k = step_of(w, t, side);
    double theta = (t - w->t[k - 1]) / (w->t[k] - w->t[k - 1]);
    const double *a = w->q + (k - 1) * w->d;
    for (size_t i = 0; i < w->d; i++) {
        q[i] = theta >= 1.0 ? a[w->d + i] : a[i] + theta * (a[w->d + i] - a[i]);
        u[i] = w->u[k * w->d + i];
    }
}

il_exact il_trajectory_as_exact(const il_trajectory *w, const char *name) {
    return (il_exact){.name = name,
                      .origin = "a stored run",
                      .quadratic = true,
                      .nbreaks = w->nodes,
                      .breaks = w->t,
                      .eval = exact_eval,
                      .data = w};
}

static const char *extension(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot != NULL && strchr(dot, '/') == NULL ? dot : "";
}

il_status il_trajectory_check_path(const char *path, il_error *err) {
    if (strcmp(extension(path), ".h5") != 0 && strcmp(extension(path), ".csv") != 0) {
        return il_fail(err, IL_EINVAL,
                       "trajectory file '%s': the name must end in .h5 or .csv to say the format",
                       path);
    }
    il_file file;
    il_status status = il_file_open(&file, path, err);
    if (status == IL_OK) {
        il_file_abandon(&file);
    }
    return status;
}

static il_status write_csv(const il_trajectory *w, const char *path, const char *record,
                           il_error *err) {
    il_file file;
    il_status status = il_file_open(&file, path, err);
    if (status != IL_OK) {
        return status;
    }
    FILE *out = file.stream;
    (void)fprintf(out, "# %s\nt", record);
    for (size_t i = 0; i < w->d; i++) {
        (void)fprintf(out, ",q%zu", i);
    }
    for (size_t i = 0; i < w->d; i++) {
        (void)fprintf(out, ",u%zu", i);
    }
    (void)fputc('\n', out);
    for (size_t n = 0; n < w->nodes; n++) {
        (void)fprintf(out, "%.17g", w->t[n]);
        for (size_t i = 0; i < w->d; i++) {
            (void)fprintf(out, ",%.17g", w->q[n * w->d + i]);
        }
        for (size_t i = 0; i < w->d; i++) {
            (void)fprintf(out, ",%.17g", w->u[n * w->d + i]);
        }
        (void)fputc('\n', out);
    }
    return il_file_commit(&file, err);
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

static il_status write_h5(const il_trajectory *w, const char *path, const char *record,
                          il_error *err) {
    size_t room = strlen(path) + 32;
    char *scratch = malloc(room);
    if (scratch == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory to write '%s'", path);
    }
    (void)snprintf(scratch, room, "%s.part-%ld", path, (long)getpid());
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* we report, not the library */
    hsize_t dims[2] = {w->nodes, w->d};
    hid_t file = H5Fcreate(scratch, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    herr_t code = file >= 0 ? 0 : -1;
    code = code < 0 ? code : H5LTmake_dataset_double(file, "t", 1, dims, w->t);
    code = code < 0 ? code : H5LTmake_dataset_double(file, "q", 2, dims, w->q);
    code = code < 0 ? code : H5LTmake_dataset_double(file, "u", 2, dims, w->u);
    code = code < 0 ? code : write_contacts(file, w);
    code = code < 0 ? code : H5LTset_attribute_string(file, "/", "record", record);
    if (file >= 0) {
        code = H5Fclose(file) < 0 ? -1 : code;
    }
    il_status status = IL_OK;
    if (code < 0 || rename(scratch, path) != 0) {
        status = il_fail(err, IL_EIO, "cannot write '%s': %s", path,
                         code < 0 ? "HDF5 reports a failure" : strerror(errno));
        (void)remove(scratch);
    }
    free(scratch);
    return status;
}

il_status il_trajectory_write(const il_trajectory *w, const char *path, const char *record,
                              il_error *err) {
    if (strcmp(extension(path), ".csv") == 0) {
        return write_csv(w, path, record, err);
    }
    if (strcmp(extension(path), ".h5") == 0) {
        return write_h5(w, path, record, err);
    }
    return il_trajectory_check_path(path, err);
}
