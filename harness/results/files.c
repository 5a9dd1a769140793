/*
 * files.c - the files RESULTS/cases/AA/NAME.json.
 */
#include "harness/results/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/io/sealed.h"
#include "harness/io/store/store.h"

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

char *il_results_case_path(const char *results, const char *name) {
    char *path = NULL;
    return asprintf(&path, "%s/cases/%.2s/%s.json", results, name, name) < 0 ? NULL : path;
}

/* ---- listing -------------------------------------------------------------------------------- */

/* The name of a case's file, ".json" behind; not of what is being written. */
static bool is_case(const char *file, const char *folder) {
    return strspn(file, HEX) == LETTERS && strcmp(file + LETTERS, ".json") == 0 &&
           strncmp(file, folder, 2) == 0;
}

static bool is_aside(const char *file) {
    return strspn(file, HEX) == LETTERS && strncmp(file + LETTERS, ".json.damaged", 13) == 0;
}

static long long nanoseconds(struct timespec t) {
    return (long long)t.tv_sec * 1000000000LL + t.tv_nsec;
}

static il_status add(il_results_files *files, const char *file, const struct stat *info,
                     il_error *err) {
    if (!il_memory_append(&files->list, files->n, sizeof *files->list)) {
        return il_fail(err, IL_ENOMEM, "no memory for the names of cases");
    }
    il_index_file *one = &files->list[files->n++];
    *one = (il_index_file){.size = (long long)info->st_size,
                           .mtime = nanoseconds(info->st_mtim),
                           .ctime = nanoseconds(info->st_ctim),
                           .ino = (long long)info->st_ino};
    memcpy(one->name, file, LETTERS);
    return IL_OK;
}

static il_status cannot_read(const char *results, const char *name, int reason, il_error *err) {
    return il_fail(err, il_status_of_errno(reason), "cannot read '%s/cases/%s': %s", results, name,
                   strerror(reason));
}

static il_status list_folder(il_results_files *files, int cases, const char *results,
                             const char *name, il_error *err) {
    int fd = openat(cases, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    il_status status = IL_OK;
    const struct dirent *item = NULL;
    if (dir == NULL) {
        status = cannot_read(results, name, errno, err);
        if (fd >= 0) {
            (void)close(fd);
        }
        return status;
    }
    while (status == IL_OK && (item = readdir(dir)) != NULL) {
        struct stat info;
        bool known = is_case(item->d_name, name);
        bool aside = is_aside(item->d_name);
        if ((!known && !aside) || fstatat(fd, item->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) {
            continue; /* no case, or gone since */
        }
        if (known) {
            status = add(files, item->d_name, &info, err);
        } else {
            files->aside++;
        }
    }
    (void)closedir(dir);
    return status;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const il_index_file *)a)->name, ((const il_index_file *)b)->name);
}

il_status il_results_files_list(const char *results, il_results_files *files, il_error *err) {
    char *path = NULL;
    *files = (il_results_files){.list = NULL};
    if (asprintf(&path, "%s/cases", results) < 0) {
        return il_fail(err, IL_ENOMEM, "no memory for a path");
    }
    int cases = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int reason = errno;
    free(path);
    if (cases < 0) {
        return reason == ENOENT ? IL_OK
                                : il_fail(err, il_status_of_errno(reason),
                                          "cannot read '%s/cases': %s", results, strerror(reason));
    }
    il_status status = IL_OK;
    for (size_t k = 0; status == IL_OK && k < 256; k++) {
        const char name[3] = {HEX[k / 16], HEX[k % 16], '\0'};
        if (faccessat(cases, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
            status = list_folder(files, cases, results, name, err);
        }
        if (status == IL_OK && il_interrupted()) {
            status = il_fail(err, IL_EINTERRUPTED, "%s", il_interrupt_reason());
        }
    }
    (void)close(cases);
    if (files->n > 0) {
        qsort(files->list, files->n, sizeof *files->list, by_name);
    }
    return status;
}

void il_results_files_free(il_results_files *files) {
    free(files->list);
    *files = (il_results_files){.list = NULL};
}

/* ---- reading -------------------------------------------------------------------------------- */

static il_status judge(const json_t *object, const char *name, il_error *why) {
    char own[IL_STORE_NAME];
    const char *key = json_string_value(json_object_get(object, "key"));
    const json_t *record = json_object_get(object, "record");
    if (key == NULL || !json_is_object(record)) {
        return il_fail(why, IL_EINVAL, "it has no key and record");
    }
    il_store_key_name(key, own);
    return strcmp(own, name) == 0 ? IL_OK : il_fail(why, IL_EINVAL, "it is of another key");
}

il_status il_results_case_load(const char *results, const char *name, json_t **object,
                               il_error *why) {
    char *path = il_results_case_path(results, name);
    il_error reason = {IL_OK, ""};
    *object = NULL;
    if (path == NULL) {
        return il_fail(why, IL_ENOMEM, "no memory for a path");
    }
    il_status status = il_sealed_load(path, object, &reason);
    if (status == IL_OK && *object != NULL) {
        status = judge(*object, name, &reason);
    }
    if (status != IL_OK) {
        json_decref(*object);
        *object = NULL;
        if (status == IL_EINVAL || status == IL_ENOMEM) {
            (void)il_fail(why, status, "%s", reason.message);
        } else {
            (void)il_fail(why, status, "the stored case '%s' cannot be used: %.400s", path,
                          reason.message);
        }
    }
    free(path);
    return status;
}
