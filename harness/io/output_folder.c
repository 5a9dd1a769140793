/*
 * output_folder.c - a scratch folder beside the target, renamed when it is whole.
 */
#include "harness/io/output_folder.h"

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

il_status il_output_folder_check(const char *path, const char *suffix, il_error *err) {
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

static void release(il_output_folder *output) {
    free(output->path);
    free(output->scratch);
    *output = (il_output_folder){0};
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

il_status il_output_folder_open(il_output_folder *output, const char *path, const char *suffix,
                                il_error *err) {
    *output = (il_output_folder){.suffix = suffix};
    il_status status = il_output_folder_check(path, suffix, err);
    if (status != IL_OK) {
        return status;
    }
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    output->path = strndup(path, n);
    if (output->path == NULL ||
        asprintf(&output->scratch, "%s.part-%ld", output->path, (long)getpid()) < 0) {
        output->scratch = NULL;
        release(output);
        return il_fail(err, IL_ENOMEM, "no memory to open '%s'", path);
    }
    status = make_parent(output->path, err);
    if (status == IL_OK && mkdir(output->scratch, 0777) != 0) {
        status = il_fail(err, IL_EIO, "cannot make the folder '%s': %s", output->scratch,
                         strerror(errno));
    }
    if (status != IL_OK) {
        release(output);
    }
    return status;
}

char *il_output_folder_file(const il_output_folder *output, const char *name) {
    char *path = NULL;
    return asprintf(&path, "%s/%s", output->scratch, name) < 0 ? NULL : path;
}

/* What stands at path steps aside until the new folder is in its place. */
il_status il_output_folder_commit(il_output_folder *output, il_error *err) {
    char *aside = NULL;
    il_status status = il_output_folder_check(output->path, output->suffix, err);
    if (status == IL_OK && asprintf(&aside, "%s.old-%ld", output->path, (long)getpid()) < 0) {
        aside = NULL;
        status = il_fail(err, IL_ENOMEM, "no memory to write '%s'", output->path);
    }
    bool moved = false;
    if (status == IL_OK) {
        moved = rename(output->path, aside) == 0;
        if (rename(output->scratch, output->path) != 0) {
            status = il_fail(err, IL_EIO, "cannot write '%s': %s", output->path, strerror(errno));
            if (moved) {
                (void)rename(aside, output->path);
                moved = false;
            }
        }
    }
    if (moved) {
        sweep(aside);
    }
    free(aside);
    if (status == IL_OK) {
        release(output);
    } else {
        il_output_folder_abandon(output);
    }
    return status;
}

void il_output_folder_abandon(il_output_folder *output) {
    if (output->scratch != NULL) {
        sweep(output->scratch);
    }
    release(output);
}
