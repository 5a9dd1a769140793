/*
 * trajectory.c - trajectories in memory, in HDF5 and in CSV.
 */
#include "harness/trajectory.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/file.h"
#include "harness/hdf5/module.h"

/* Replaces *block by n numbers, or leaves it. n = 0 keeps one, so that NULL always means failure.
 */
static bool grow(double **block, size_t n) {
    double *bigger = realloc(*block, (n > 0 ? n : 1) * sizeof *bigger);
    if (bigger == NULL) {
        return false;
    }
    *block = bigger;
    return true;
}

static bool resize(il_trajectory *w, size_t nodes) {
    if (w->d > 0 && nodes > SIZE_MAX / sizeof(double) / w->d) {
        return false;
    }
    if (!grow(&w->t, nodes) || !grow(&w->q, nodes * w->d) || !grow(&w->u, nodes * w->d)) {
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
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
        return il_fail(err, IL_EIO, "cannot write '%s': it is a directory", path);
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

/* The writer of HDF5 files is a module beside the program, loaded when one is asked for: the
 * library brings some thirty others, which every start of the program would pay for. */
static void *open_module(il_error *err) {
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof IL_HDF5_MODULE);
    char *slash = NULL;
    if (length > 0) {
        path[length] = '\0';
        slash = strrchr(path, '/');
    }
    if (slash == NULL) {
        (void)il_fail(err, IL_EIO, "the program does not know where it stands");
        return NULL;
    }
    memcpy(slash + 1, IL_HDF5_MODULE, sizeof IL_HDF5_MODULE);
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (module == NULL) {
        (void)il_fail(err, IL_EIO, "the writer of .h5 files could not be loaded: %s", dlerror());
    }
    return module;
}

static il_status write_h5(const il_trajectory *w, const char *path, const char *record,
                          il_error *err) {
    size_t room = strlen(path) + 32;
    char *scratch = malloc(room);
    if (scratch == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory to write '%s'", path);
    }
    (void)snprintf(scratch, room, "%s.part-%ld", path, (long)getpid());
    il_hdf5_write *write = NULL;
    void *module = open_module(err);
    void *symbol = module != NULL ? dlsym(module, "il_hdf5_write_trajectory") : NULL;
    memcpy(&write, &symbol, sizeof write); /* POSIX's way from an object to a function pointer */
    il_status status = write != NULL ? IL_OK : IL_EIO;
    if (status == IL_OK && write(w, scratch, record) != 0) {
        status = il_fail(err, IL_EIO, "cannot write '%s': HDF5 reports a failure", path);
    }
    if (status == IL_OK && rename(scratch, path) != 0) {
        status = il_fail(err, IL_EIO, "cannot write '%s': %s", path, strerror(errno));
    }
    if (status != IL_OK) {
        (void)remove(scratch);
    }
    free(scratch);
    return status; /* the module stays loaded: HDF5 registers functions for the exit */
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
