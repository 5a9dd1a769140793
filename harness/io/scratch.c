/*
 * scratch.c - mkostemp, mkdtemp, and flock to detect a killed owner.
 */
#include "harness/io/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"

static const char MARK[] = ".part.";
enum { RANDOM = 6, TRIES = 100 };

/* ---- making --------------------------------------------------------------------------------- */

static char *template_of(const char *path) {
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    return il_alloc_format("%.*s%sXXXXXX", (int)n, path, MARK);
}

/* The descriptor that the umask would have given; mkostemp gives 0600. */
static void open_to_others(int fd) {
    mode_t mask = umask(0);
    (void)umask(mask);
    (void)fchmod(fd, 0666 & ~mask);
}

/* Locks fd and says whether it is still what stands at name: between making and locking somebody
 * may have taken it for left over. A file system without locks has none to clear either. */
static bool lock_ours(int fd, const char *name) {
    struct stat ours;
    struct stat there;
    while (flock(fd, LOCK_EX) != 0 && errno == EINTR) {
    }
    return fstat(fd, &ours) == 0 && lstat(name, &there) == 0 && ours.st_ino == there.st_ino &&
           ours.st_dev == there.st_dev;
}

static int make_file(char *name) {
    int fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0) {
        open_to_others(fd);
    }
    return fd;
}

static int make_folder(char *name) {
    return mkdtemp(name) != NULL ? open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
}

static il_status make(int (*entry)(char *name), const char *path, char **name, int *lock,
                      il_error *err) {
    for (int k = 0; k < TRIES; k++) {
        *name = template_of(path);
        *lock = entry(*name);
        if (*lock < 0) {
            break;
        }
        if (lock_ours(*lock, *name)) {
            return IL_OK;
        }
        (void)close(*lock);
        *lock = -1;
        free(*name);
        *name = NULL;
        errno = EEXIST;
    }
    int reason = errno;
    free(*name);
    *name = NULL;
    return il_fail(err, il_status_of_errno(reason), "cannot write '%s': %s", path,
                   strerror(reason));
}

il_status il_scratch_file(const char *path, char **name, int *lock, il_error *err) {
    return make(make_file, path, name, lock, err);
}

il_status il_scratch_folder(const char *path, char **name, int *lock, il_error *err) {
    return make(make_folder, path, name, lock, err);
}

/* ---- removing ------------------------------------------------------------------------------- */

bool il_scratch_is_name(const char *name) {
    size_t n = strlen(name);
    size_t tail = sizeof MARK - 1 + RANDOM;
    return n > tail && strncmp(name + n - tail, MARK, sizeof MARK - 1) == 0;
}

/* Remove `name` in the folder `at`: a file, or a folder with the files in it. */
static void remove_at(int at, const char *name) {
    if (unlinkat(at, name, 0) == 0) {
        return;
    }
    int inside = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = inside >= 0 ? fdopendir(inside) : NULL;
    const struct dirent *item = NULL;
    while (dir != NULL && (item = readdir(dir)) != NULL) {
        (void)unlinkat(inside, item->d_name, 0);
    }
    if (dir != NULL) {
        (void)closedir(dir);
    } else if (inside >= 0) {
        (void)close(inside);
    }
    (void)unlinkat(at, name, AT_REMOVEDIR);
}

void il_scratch_remove(const char *name) {
    remove_at(AT_FDCWD, name);
}

/* Is the entry a file or folder of ours whose maker is gone? *held: its maker lives. */
static bool left_over(int at, const char *name, bool *held) {
    int fd = openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat info;
    bool ours = fd >= 0 && fstat(fd, &info) == 0 && info.st_uid == geteuid() &&
                (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode));
    bool locked = ours && flock(fd, LOCK_EX | LOCK_NB) == 0;
    *held = *held || (ours && !locked && errno == EWOULDBLOCK);
    if (fd >= 0) {
        (void)close(fd);
    }
    return locked;
}

bool il_scratch_clear(const char *folder, const char *target) {
    bool held = false;
    DIR *dir = opendir(folder);
    const struct dirent *item = NULL;
    size_t n = target != NULL ? strlen(target) : 0;
    while (dir != NULL && (item = readdir(dir)) != NULL) {
        const char *name = item->d_name;
        bool asked = il_scratch_is_name(name) &&
                     (target == NULL || (strncmp(name, target, n) == 0 &&
                                         strlen(name) == n + sizeof MARK - 1 + RANDOM));
        if (asked && left_over(dirfd(dir), name, &held)) {
            remove_at(dirfd(dir), name);
        }
    }
    if (dir != NULL) {
        (void)closedir(dir);
    }
    return held;
}

/* ---- beside a path -------------------------------------------------------------------------- */

void il_scratch_clear_beside(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = il_text_folder(path);
    (void)il_scratch_clear(folder, slash != NULL ? slash + 1 : path);
    free(folder);
}

void il_scratch_sync_beside(const char *path) {
    char *folder = il_text_folder(path);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        (void)close(fd);
    }
    free(folder);
}
