/*
 * hdf5_file.c - loads the module that writes HDF5 files, and renames what it wrote into place.
 */
#include "harness/io/hdf5_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/io/hdf5/module.h"
#include "harness/io/scratch.h"

/* The writer of HDF5 files is a module beside the program, loaded when one is asked for: the
 * library brings some thirty others, which every start of the program would pay for. It stays
 * loaded: HDF5 registers functions for the exit. */
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
        (void)il_fail(err, IL_EIO, "the writer of HDF5 files could not be loaded: %s", dlerror());
    }
    return module;
}

/* What HDF5 wrote: errors that it kept to itself come out here. */
static bool on_disk(const char *name) {
    int fd = open(name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    bool synced = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0) {
        (void)close(fd);
    }
    return synced;
}

/* In a scratch folder that nobody else may enter: HDF5 opens a file by its name, and would follow a
 * link that was planted there. */
static il_status write_in_scratch(il_hdf5_write *write, const void *subject, const char *path,
                                  const char *text, il_error *err) {
    char *folder = NULL;
    char *name = NULL;
    int lock = -1;
    il_status status = il_scratch_folder(path, &folder, &lock, err);
    if (status != IL_OK) {
        return status;
    }
    if (asprintf(&name, "%s/whole.h5", folder) < 0) {
        name = NULL;
        status = il_fail(err, IL_ENOMEM, "no memory to write '%s'", path);
    } else if (write(subject, name, text) != 0) {
        status = il_fail(err, IL_EIO, "cannot write '%s': HDF5 reports a failure", path);
    } else if (!on_disk(name) || rename(name, path) != 0) {
        status = il_fail(err, IL_EIO, "cannot write '%s': %s", path, strerror(errno));
    } else {
        il_scratch_sync_beside(path);
    }
    il_scratch_remove(folder);
    (void)close(lock);
    free(name);
    free(folder);
    return status;
}

il_status il_hdf5_file_write(const char *function, const void *subject, const char *path,
                             const char *text, il_error *err) {
    void *module = open_module(err);
    if (module == NULL) {
        return IL_EIO;
    }
    void *symbol = dlsym(module, function);
    if (symbol == NULL) {
        return il_fail(err, IL_EIO,
                       "'%s' has no function '%s': another build's module stands "
                       "beside the program",
                       IL_HDF5_MODULE, function);
    }
    il_hdf5_write *write = NULL;
    memcpy(&write, &symbol, sizeof write); /* POSIX's way from an object to a function pointer */
    return write_in_scratch(write, subject, path, text, err);
}
