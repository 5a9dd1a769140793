/*
 * hdf5_file.c - loads the module that writes and reads HDF5 files when a file is first asked for:
 * the library brings some thirty others, which would slow down every start of the program.
 */
#include "harness/io/formats/hdf5_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/place.h"
#include "harness/io/file.h"

il_status il_hdf5_file_check(il_error *err) {
    char module[IL_PLACE_MAX];
    il_error why = {IL_OK, ""};
    return il_place_find(IL_PLACE_MODULE, IL_HDF5_MODULE, module, &why) == IL_OK
               ? IL_OK
               : il_fail(err, IL_EIO, "no HDF5 files can be written: %.900s", why.message);
}

/* The function of that name into *function, which has room for a pointer: POSIX's way from an
 * object to a function. The module stays loaded. */
static il_status load(const char *name, void *function, il_error *err) {
    char path[IL_PLACE_MAX];
    il_status status = il_place_find(IL_PLACE_MODULE, IL_HDF5_MODULE, path, err);
    if (status != IL_OK) {
        return status;
    }
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *symbol = module != NULL ? dlsym(module, name) : NULL;
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL
               ? IL_OK
               : il_fail(err, IL_EIO, "the module of HDF5 files cannot be loaded: %s", dlerror());
}

il_status il_hdf5_file_write(const il_hdf5_array *list, size_t n, const char *record,
                             const char *path, il_error *err) {
    il_file file;
    il_hdf5_writer *writer = NULL;
    il_status status = load("il_hdf5_write", &writer, err);
    status = status == IL_OK ? il_file_open(&file, path, err) : status;
    if (status != IL_OK) {
        return status;
    }
    /* HDF5 leaves gaps: zeros, large blocks being fresh and small ones filled (0xff ^ 0xff) */
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 17);
    (void)mallopt(M_PERTURB, 0xff);
    errno = 0;
    if (!writer(list, n, record, file.stream)) {
        status = errno != 0
                     ? il_fail(err, il_status_of_errno(errno), "cannot write '%s': %s", path,
                               strerror(errno))
                     : il_fail(err, IL_ENOMEM, "cannot write '%s': no memory for HDF5", path);
    }
    (void)mallopt(M_PERTURB, 0);
    return il_file_end(&file, status, err);
}

void il_hdf5_numbers_free(il_hdf5_numbers *list, size_t n) {
    for (size_t k = 0; k < n; k++) {
        free(list[k].x);
        list[k] = (il_hdf5_numbers){.head = {.rank = -1}, .n = SIZE_MAX};
    }
}

il_status il_hdf5_file_read(const char *path, const char *const *names, size_t n,
                            il_hdf5_numbers *out, il_error *err) {
    char why[IL_HDF5_WHY] = "";
    il_hdf5_reader *reader = NULL;
    for (size_t k = 0; k < n; k++) {
        out[k] = (il_hdf5_numbers){.head = {.rank = -1}, .n = SIZE_MAX};
    }
    FILE *in = il_file_read(path, err); /* a file, and no link or pipe */
    if (in == NULL) {
        return err != NULL ? err->code : IL_EIO;
    }
    (void)fclose(in);
    il_status status = load("il_hdf5_read", &reader, err);
    if (status == IL_OK && !reader(path, names, n, out, why)) {
        status = il_fail(err, IL_EINVAL, "cannot read '%s' as HDF5: %s", path, why);
    }
    return status;
}
