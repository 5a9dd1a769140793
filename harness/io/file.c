/*
 * file.c - writes a scratch file beside the target and renames it when it is complete.
 */
#include "harness/io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/base/memory_limit.h"
#include "harness/base/text.h"
#include "harness/io/scratch.h"

static void release(il_file *file) {
    if (file->scratch != NULL) {
        (void)close(file->lock);
    }
    free(file->path);
    free(file->scratch);
    memset(file, 0, sizeof *file);
}

il_status il_file_open(il_file *file, const char *path, il_error *err) {
    memset(file, 0, sizeof *file);
    file->path = il_alloc_text(path);
    il_status status = il_scratch_file(path, &file->scratch, &file->lock, err);
    if (status == IL_OK) {
        int fd = fcntl(file->lock, F_DUPFD_CLOEXEC, 0); /* the lock outlives the stream */
        file->stream = fd >= 0 ? fdopen(fd, "wb") : NULL;
        if (file->stream == NULL) {
            status = il_fail(err, il_status_of_errno(errno), "cannot write '%s': %s", path,
                             strerror(errno));
            if (fd >= 0) {
                (void)close(fd);
            }
            (void)remove(file->scratch);
        }
    }
    if (status != IL_OK) {
        release(file);
    }
    return status;
}

static il_status give_up(il_file *file, il_error *err) {
    int reason = errno;
    il_status status = il_fail(err, il_status_of_errno(reason), "cannot write '%s': %s", file->path,
                               strerror(reason));
    il_file_abandon(file);
    return status;
}

il_status il_file_flush(il_file *file, il_error *err) {
    int failed = fflush(file->stream) != 0 || ferror(file->stream);
    failed |= fclose(file->stream) != 0;
    file->stream = NULL;
    failed = failed || (!file->passing && fsync(file->lock) != 0);
    return failed ? give_up(file, err) : IL_OK;
}

il_status il_file_commit(il_file *file, il_error *err) {
    il_status status = file->stream != NULL ? il_file_flush(file, err) : IL_OK;
    if (status != IL_OK) {
        return status;
    }
    if (rename(file->scratch, file->path) != 0) {
        return give_up(file, err);
    }
    if (!file->passing) {
        il_scratch_sync_beside(file->path);
    }
    release(file);
    return IL_OK;
}

il_status il_file_end(il_file *file, il_status status, il_error *err) {
    if (status == IL_OK) {
        return il_file_commit(file, err);
    }
    il_file_abandon(file);
    return status;
}

void il_file_abandon(il_file *file) {
    if (file->stream != NULL) {
        (void)fclose(file->stream);
    }
    if (file->scratch != NULL) {
        (void)remove(file->scratch);
    }
    release(file);
}

il_status il_file_check_name(const char *path, il_error *err) {
    const char *last = path; /* where the last part begins */
    bool control = false;
    for (const char *c = path; *c != '\0'; c++) {
        control = control || (unsigned char)*c < 0x20 || *c == 0x7f;
        last = c > path && c[-1] == '/' && *c != '/' ? c : last;
    }
    return !control && *last != '-' && *last != '.'
               ? IL_OK
               : il_fail(err, IL_EINVAL,
                         "the name '%.200s' is not allowed: it %s; allowed are names that begin "
                         "with neither - nor . and hold no control characters",
                         path,
                         control        ? "holds a control character"
                         : *last == '-' ? "would be read as an option"
                                        : "would be hidden");
}

il_status il_file_can_write(const char *path, il_error *err) {
    struct stat info;
    il_status named = il_file_check_name(path, err);
    if (named != IL_OK) {
        return named;
    }
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
        return il_fail(err, IL_EIO, "cannot write '%s': it is a directory", path);
    }
    il_scratch_clear_beside(path);
    il_file file;
    il_status status = il_file_open(&file, path, err);
    if (status == IL_OK) {
        il_file_abandon(&file);
    }
    return status;
}

/* A descriptor of a regular file, without following a link; -1 with the reason, and errno. */
static int open_plain(const char *path, const char **reason) {
    struct stat info;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd >= 0 && (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))) {
        (void)close(fd);
        fd = -1;
        errno = EINVAL;
    }
    *reason = fd >= 0           ? NULL
              : errno == ELOOP  ? "it is a link, which is not followed"
              : errno == EINVAL ? "it is not a file"
                                : strerror(errno);
    return fd;
}

FILE *il_file_read(const char *path, il_error *err) {
    const char *reason = NULL;
    int fd = open_plain(path, &reason);
    FILE *in = fd >= 0 ? fdopen(fd, "rb") : NULL;
    if (in == NULL) {
        il_status status = fd >= 0 ? il_status_of_errno(errno) : IL_EIO;
        (void)il_fail(err, status, "cannot read '%s': %s", path,
                      reason != NULL ? reason : strerror(errno));
        if (fd >= 0) {
            (void)close(fd);
        }
    }
    return in;
}

/* All that the file has now, n of size bytes. */
static il_status read_whole(int fd, char *text, size_t size, size_t *n, il_error *err) {
    while (*n < size) {
        ssize_t got = read(fd, text + *n, size - *n);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return il_fail(err, IL_EINVAL, "%s",
                           got < 0 ? strerror(errno) : "it became shorter while it was read");
        }
        *n += got > 0 ? (size_t)got : 0;
    }
    text[size] = '\0';
    return IL_OK;
}

il_status il_file_load(const char *path, char **text, size_t *n, il_error *err) {
    const char *reason = NULL;
    struct stat info = {.st_size = 0};
    *text = NULL;
    *n = 0;
    int fd = open_plain(path, &reason);
    if (fd < 0) {
        bool its_own = errno == ELOOP || errno == ENXIO || errno == EACCES || errno == EPERM ||
                       errno == EINVAL;
        return errno == ENOENT ? IL_OK : il_fail(err, its_own ? IL_EINVAL : IL_EIO, "%s", reason);
    }
    (void)fstat(fd, &info);
    size_t size = (size_t)info.st_size;
    il_status status = il_memory_ask(text, size + 1, 1, "bytes", err);
    status = status == IL_OK ? read_whole(fd, *text, size, n, err) : status;
    (void)close(fd);
    if (status != IL_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}

static bool stat_folder(const char *path, struct stat *info) {
    char *folder = il_text_folder(path);
    bool found = stat(folder, info) == 0;
    free(folder);
    return found;
}

bool il_file_same(const char *a, const char *b) {
    struct stat of_a;
    struct stat of_b;
    const char *last_a = strrchr(a, '/');
    const char *last_b = strrchr(b, '/');
    if (strcmp(a, b) == 0) {
        return true;
    }
    return strcmp(last_a != NULL ? last_a + 1 : a, last_b != NULL ? last_b + 1 : b) == 0 &&
           stat_folder(a, &of_a) && stat_folder(b, &of_b) && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

const char *il_file_extension(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot != NULL && strchr(dot, '/') == NULL ? dot : "";
}

/* mkdir -p. The first `trusted` letters of path may name links. */
static il_status make(const char *path, size_t trusted, il_error *err) {
    char *copy = il_alloc_text(path);
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
        } else if (strlen(copy) > trusted && lstat(copy, &info) == 0 && S_ISLNK(info.st_mode)) {
            status = il_fail(err, IL_EIO,
                             "'%s' is a link to a folder, into which nothing is written: remove "
                             "it, or name another folder",
                             copy);
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

il_status il_folder_make(const char *path, il_error *err) {
    return make(path, SIZE_MAX, err);
}

il_status il_folder_make_inside(const char *outer, const char *inner, il_error *err) {
    char *path = il_alloc_format("%s/%s", outer, inner);
    struct stat info;
    bool there = strchr(inner, '/') == NULL && lstat(path, &info) == 0 && S_ISDIR(info.st_mode);
    il_status status = there ? IL_OK : make(path, strlen(outer), err);
    free(path);
    return status;
}
