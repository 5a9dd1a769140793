/*
 * file.c - write to a scratch file beside the target, rename when it is whole.
 */
#include "harness/io/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void release(il_file *file) {
    free(file->path);
    free(file->scratch);
    memset(file, 0, sizeof *file);
}

il_status il_file_open(il_file *file, const char *path, il_error *err) {
    memset(file, 0, sizeof *file);
    size_t room = strlen(path) + 32;
    file->path = strdup(path);
    file->scratch = malloc(room);
    if (file->path == NULL || file->scratch == NULL) {
        release(file);
        return il_fail(err, IL_ENOMEM, "no memory to open '%s'", path);
    }
    (void)snprintf(file->scratch, room, "%s.part-%ld", path, (long)getpid());
    file->stream = fopen(file->scratch, "wb");
    if (file->stream == NULL) {
        il_status status =
            il_fail(err, il_status_of_errno(errno), "cannot write '%s': %s", path, strerror(errno));
        release(file);
        return status;
    }
    return IL_OK;
}

il_status il_file_commit(il_file *file, il_error *err) {
    il_status status = IL_OK;
    int failed = fflush(file->stream) != 0 || ferror(file->stream);
    failed |= fclose(file->stream) != 0;
    if (failed || rename(file->scratch, file->path) != 0) {
        status = il_fail(err, il_status_of_errno(errno), "cannot write '%s': %s", file->path,
                         strerror(errno));
        (void)remove(file->scratch);
    }
    release(file);
    return status;
}

void il_file_abandon(il_file *file) {
    if (file->stream != NULL) {
        (void)fclose(file->stream);
        (void)remove(file->scratch);
    }
    release(file);
}

il_status il_file_can_write(const char *path, il_error *err) {
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

const char *il_file_extension(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot != NULL && strchr(dot, '/') == NULL ? dot : "";
}

il_status il_folder_make(const char *path, il_error *err) {
    char *copy = strdup(path);
    if (copy == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory to make '%s'", path);
    }
    il_status status = IL_OK;
    for (char *c = copy; status == IL_OK && *c != '\0'; c++) {
        char *slash = strchr(c + 1, '/');
        if (slash != NULL) {
            *slash = '\0';
        }
        struct stat info;
        if (mkdir(copy, 0777) != 0 &&
            (errno != EEXIST || stat(copy, &info) != 0 || !S_ISDIR(info.st_mode))) {
            status =
                il_fail(err, IL_EIO, "cannot make the folder '%s': %s", copy,
                        errno == EEXIST ? "a file of that name stands there" : strerror(errno));
        }
        if (slash == NULL) {
            break;
        }
        *slash = '/';
        c = slash - 1 > c ? slash - 1 : c;
    }
    free(copy);
    return status;
}
