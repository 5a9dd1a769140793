/*
 * output_folder.c - fills a scratch folder beside the target and renames it when it is complete.
 */
#include "harness/io/output_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/io/file.h"
#include "harness/io/scratch.h"

static bool is_self_or_parent(const char *name) {
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

il_status il_output_folder_check(const char *path, const char *suffix, il_error *err) {
    il_status named = il_file_check_name(path, err);
    if (named != IL_OK) {
        return named;
    }
    DIR *dir = opendir(path);
    if (dir == NULL) {
        return errno == ENOENT ? IL_OK
                               : il_fail(err, il_status_of_errno(errno),
                                         "cannot write the folder '%s': %s", path, strerror(errno));
    }
    il_status status = IL_OK;
    struct dirent *item = NULL;
    while (status == IL_OK && (item = readdir(dir)) != NULL) {
        if (!is_self_or_parent(item->d_name) && !il_text_ends_with(item->d_name, suffix)) {
            status = il_fail(err, IL_EIO,
                             "cannot replace the folder '%s': it holds '%s'; allowed is a folder "
                             "with nothing but files *%s",
                             path, item->d_name, suffix);
        }
    }
    (void)closedir(dir);
    return status;
}

static void release(il_output_folder *output) {
    if (output->scratch != NULL) {
        (void)close(output->lock);
    }
    free(output->path);
    free(output->scratch);
    *output = (il_output_folder){0};
}

/* The folder that path is in, made if it is missing. */
static il_status make_parent(const char *path, il_error *err) {
    char *parent = il_text_folder(path);
    il_status status = il_folder_make(parent, err);
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
    output->path = il_alloc_letters(path, n);
    status = make_parent(output->path, err);
    if (status == IL_OK) {
        il_scratch_clear_beside(output->path);
        status = il_scratch_folder(output->path, &output->scratch, &output->lock, err);
    }
    if (status != IL_OK) {
        release(output);
    }
    return status;
}

char *il_output_folder_file(const il_output_folder *output, const char *name) {
    return il_alloc_format("%s/%s", output->scratch, name);
}

/* For file systems without an atomic exchange: the old entry at path is moved away, over a new
 * empty folder. */
static int replace_in_two(const il_output_folder *output) {
    char *aside = NULL;
    int lock = -1;
    if (il_scratch_folder(output->path, &aside, &lock, NULL) != IL_OK) {
        return -1;
    }
    int code = rename(output->path, aside);
    if (code == 0) {
        code = rename(output->scratch, output->path);
        int reason = errno;
        if (code != 0) {
            (void)rename(aside, output->path);
        }
        errno = reason;
    }
    int reason = errno;
    il_scratch_remove(aside);
    (void)close(lock);
    free(aside);
    errno = reason;
    return code;
}

/* Rename the scratch folder to path, and the old entry at path to the scratch folder's name. */
static int put_in_place(const il_output_folder *output) {
    if (rename(output->scratch, output->path) == 0) {
        return 0; /* nothing stood there, or an empty folder */
    }
    if (errno != EEXIST && errno != ENOTEMPTY) {
        return -1;
    }
    if (renameat2(AT_FDCWD, output->scratch, AT_FDCWD, output->path, RENAME_EXCHANGE) == 0) {
        return 0;
    }
    return errno == EINVAL || errno == ENOSYS ? replace_in_two(output) : -1;
}

/* Sync the files of the scratch folder, and give them the permissions that the umask allows. */
static bool settle(const il_output_folder *output) {
    mode_t mask = umask(0);
    (void)umask(mask);
    return fchmod(output->lock, 0777 & ~mask) == 0 && syncfs(output->lock) == 0;
}

il_status il_output_folder_commit(il_output_folder *output, il_error *err) {
    il_status status = il_output_folder_check(output->path, output->suffix, err);
    if (status == IL_OK && (!settle(output) || put_in_place(output) != 0)) {
        status = il_fail(err, IL_EIO, "cannot write '%s': %s", output->path, strerror(errno));
    }
    if (status != IL_OK) {
        il_output_folder_abandon(output);
        return status;
    }
    il_scratch_sync_beside(output->path);
    il_scratch_remove(output->scratch); /* what stood there before; the lock is what stands now */
    release(output);
    return status;
}

void il_output_folder_abandon(il_output_folder *output) {
    if (output->scratch != NULL) {
        (void)fchmod(output->lock, 0700); /* the umask may have shut us out */
        il_scratch_remove(output->scratch);
    }
    release(output);
}
