/*
 * files.c - the files RESULTS/cases/AA/NAME.json.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/interrupt.h"
#include "harness/io/store/store.h"
#include "harness/results/index.h"

static const char HEX[] = "0123456789abcdef";
enum { LETTERS = IL_STORE_NAME - 1 };

il_status il_results_expect(const char *results, il_error *err) {
    struct stat info;
    if (stat(results, &info) != 0) {
        return il_fail(err, errno == ENOMEM ? IL_ENOMEM : IL_EINVAL,
                       "there is no results folder '%s' (%s); `impactlab sweep SCRIPT.lua "
                       "--results DIR` makes one, --results DIR names another",
                       results, strerror(errno));
    }
    return S_ISDIR(info.st_mode)
               ? IL_OK
               : il_fail(err, IL_EINVAL, "'%s' is no folder; --results DIR names another", results);
}

/* ---- listing -------------------------------------------------------------------------------- */

static long long nanoseconds(struct timespec t) {
    return (long long)t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Put the cases of one folder. A file that is still being written has another name. */
static il_status scan_folder(il_index *index, sqlite3_stmt *put, DIR *dir, const char *folder,
                             il_error *err) {
    int code = SQLITE_OK;
    const struct dirent *item = NULL;
    while (code == SQLITE_OK && (item = readdir(dir)) != NULL) {
        struct stat info;
        const char *name = item->d_name;
        const char *end = name + strspn(name, HEX);
        if (end != name + LETTERS || strncmp(end, ".json", 5) != 0 ||
            fstatat(dirfd(dir), name, &info, AT_SYMLINK_NOFOLLOW) != 0) {
            continue; /* no case, or gone since */
        }
        if (end[5] == '\0' && strncmp(name, folder, 2) == 0) {
            (void)sqlite3_bind_text(put, 1, name, LETTERS, SQLITE_STATIC);
            (void)sqlite3_bind_int64(put, 2, (long long)info.st_size);
            (void)sqlite3_bind_int64(put, 3, nanoseconds(info.st_mtim));
            (void)sqlite3_bind_int64(put, 4, nanoseconds(info.st_ctim));
            (void)sqlite3_bind_int64(put, 5, (long long)info.st_ino);
            code = il_index_step(put);
        }
        index->aside += strncmp(end, ".json.damaged", 13) == 0;
    }
    return il_index_fail(index, code, err);
}

/* The folder `name` of the folder `at`, not through a link; NULL, and errno, where it is not. */
static DIR *open_folder(int at, const char *name) {
    int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (dir == NULL && fd >= 0) {
        (void)close(fd);
    }
    return dir;
}

static il_status scan(il_index *index, sqlite3_stmt *put, int cases, il_error *err) {
    il_status status = IL_OK;
    for (size_t k = 0; status == IL_OK && k < 256; k++) {
        const char name[3] = {HEX[k / 16], HEX[k % 16], '\0'};
        DIR *dir = open_folder(cases, name);
        if (dir != NULL) {
            status = scan_folder(index, put, dir, name, err);
            (void)closedir(dir);
        } else if (errno != ENOENT) {
            status = il_fail(err, il_status_of_errno(errno), "cannot read '%s/cases/%s': %s",
                             index->results, name, strerror(errno));
        }
        if (status == IL_OK && il_interrupted()) {
            status = il_fail(err, IL_EINTERRUPTED, "%s", il_interrupt_reason());
        }
    }
    return status;
}

il_status il_results_scan(il_index *index, il_error *err) {
    char path[IL_STORE_PATH];
    sqlite3_stmt *put = NULL;
    index->aside = 0;
    (void)snprintf(path, sizeof path, "%s/cases", index->results);
    DIR *cases = open_folder(AT_FDCWD, path);
    if (cases == NULL) {
        return errno == ENOENT ? IL_OK
                               : il_fail(err, il_status_of_errno(errno), "cannot read '%s': %s",
                                         path, strerror(errno));
    }
    int code = sqlite3_prepare_v2(index->db, "INSERT INTO there VALUES(?,?,?,?,?)", -1, &put, NULL);
    il_status status =
        code == SQLITE_OK ? scan(index, put, dirfd(cases), err) : il_index_fail(index, code, err);
    (void)sqlite3_finalize(put);
    (void)closedir(cases);
    return status;
}
