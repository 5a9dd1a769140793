/*
 * bundle.c - a scratch folder beside the target, renamed when it is whole.
 */
#include "harness/io/bundle.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/io/file.h"

static bool ends_in(const char *name, const char *suffix) {
    size_t n = strlen(name);
    size_t m = strlen(suffix);
    return n >= m && strcmp(name + n - m, suffix) == 0;
}

static bool is_self_or_parent(const char *name) {
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

il_status il_bundle_check(const char *path, const char *suffix, il_error *err) {
    DIR *dir = opendir(path);
    if (dir == NULL) {
        struct stat info;
        return stat(path, &info) != 0 && errno == ENOENT
                   ? IL_OK
                   : il_fail(err, IL_EIO, "cannot write the folder '%s': %s", path,
                             S_ISDIR(info.st_mode) ? strerror(EACCES) : strerror(ENOTDIR));
    }
    il_status status = IL_OK;
    struct dirent *item = NULL;
    while (status == IL_OK && (item = readdir(dir)) != NULL) {
        if (!is_self_or_parent(item->d_name) && !ends_in(item->d_name, suffix)) {
            status = il_fail(err, IL_EIO,
                             "cannot replace the folder '%s': it holds '%s'; allowed is a folder "
                             "with nothing but files *%s",
                             path, item->d_name, suffix);
        }
    }
    (void)closedir(dir);
    return status;
}

/* Remove a folder and the files in it. */
static void sweep(const char *path) {
    DIR *dir = opendir(path);
    struct dirent *item = NULL;
    while (dir != NULL && (item = readdir(dir)) != NULL) {
        if (!is_self_or_parent(item->d_name)) {
            (void)unlinkat(dirfd(dir), item->d_name, 0);
        }
    }
    if (dir != NULL) {
        (void)closedir(dir);
    }
    (void)rmdir(path);
}

static void release(il_bundle *bundle) {
    free(bundle->path);
    free(bundle->scratch);
    *bundle = (il_bundle){0};
}

/* The folder that path is in, made if it is missing. */
static il_status make_parent(const char *path, il_error *err) {
    const char *slash = strrchr(path, '/');
    if (slash == NULL || slash == path) {
        return IL_OK;
    }
    char *parent = strndup(path, (size_t)(slash - path));
    il_status status = parent != NULL ? il_folder_make(parent, err)
                                      : il_fail(err, IL_ENOMEM, "no memory to make '%s'", path);
    free(parent);
    return status;
}

il_status il_bundle_open(il_bundle *bundle, const char *path, const char *suffix, il_error *err) {
    *bundle = (il_bundle){.suffix = suffix};
    il_status status = il_bundle_check(path, suffix, err);
    if (status != IL_OK) {
        return status;
    }
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    bundle->path = strndup(path, n);
    if (bundle->path == NULL ||
        asprintf(&bundle->scratch, "%s.part-%ld", bundle->path, (long)getpid()) < 0) {
        bundle->scratch = NULL;
        release(bundle);
        return il_fail(err, IL_ENOMEM, "no memory to open '%s'", path);
    }
    status = make_parent(bundle->path, err);
    if (status == IL_OK && mkdir(bundle->scratch, 0777) != 0) {
        status = il_fail(err, IL_EIO, "cannot make the folder '%s': %s", bundle->scratch,
                         strerror(errno));
    }
    if (status != IL_OK) {
        release(bundle);
    }
    return status;
}

char *il_bundle_file(const il_bundle *bundle, const char *name) {
    char *path = NULL;
    return asprintf(&path, "%s/%s", bundle->scratch, name) < 0 ? NULL : path;
}

/* What stands at path steps aside until the new folder is in its place. */
il_status il_bundle_commit(il_bundle *bundle, il_error *err) {
    char *aside = NULL;
    il_status status = il_bundle_check(bundle->path, bundle->suffix, err);
    if (status == IL_OK && asprintf(&aside, "%s.old-%ld", bundle->path, (long)getpid()) < 0) {
        aside = NULL;
        status = il_fail(err, IL_ENOMEM, "no memory to write '%s'", bundle->path);
    }
    bool moved = false;
    if (status == IL_OK) {
        moved = rename(bundle->path, aside) == 0;
        if (rename(bundle->scratch, bundle->path) != 0) {
            status = il_fail(err, IL_EIO, "cannot write '%s': %s", bundle->path, strerror(errno));
            if (moved) {
                (void)rename(aside, bundle->path);
                moved = false;
            }
        }
    }
    if (moved) {
        sweep(aside);
    }
    free(aside);
    if (status == IL_OK) {
        release(bundle);
    } else {
        il_bundle_abandon(bundle);
    }
    return status;
}

void il_bundle_abandon(il_bundle *bundle) {
    if (bundle->scratch != NULL) {
        sweep(bundle->scratch);
    }
    release(bundle);
}
