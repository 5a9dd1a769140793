/*
 * publish.c - see publish.h.
 */
#include "harness/draw/publish.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/io/file.h"
#include "harness/io/scratch.h"
#include "harness/io/sealed.h"

enum { REST = 64 /* bytes that a path has beside its folder and twice the name */ };

/* folder/NAME and the suffix in out. */
static const char *path_of(const il_publication *p, const char *folder, const char *suffix,
                           char out[PATH_MAX]) {
    (void)snprintf(out, PATH_MAX, "%s/%s%s", folder, p->name, suffix);
    return out;
}

il_status il_publication_open(il_publication *p, const char *dir, const char *name, il_error *err) {
    char target[PATH_MAX];
    *p = (il_publication){.dir = dir, .name = name};
    if (strlen(dir) + 2 * strlen(name) > PATH_MAX - REST) {
        return il_fail(err, IL_EINVAL, "the path of '%s' is too long", name);
    }
    il_status status = il_folder_make(dir, err);
    return status == IL_OK
               ? il_scratch_folder(path_of(p, dir, "", target), &p->folder, &p->lock, err)
               : status;
}

il_status il_publication_put(const il_publication *p, const char *suffix,
                             void (*put)(FILE *out, const void *data), const void *data,
                             il_error *err) {
    il_file file = {0};
    char path[PATH_MAX];
    il_status status = il_file_open(&file, path_of(p, p->folder, suffix, path), err);
    if (status == IL_OK) {
        file.passing = true; /* settle waits for the disk */
        put(file.stream, data);
        status = il_file_commit(&file, err);
    }
    return status;
}

/* A folder of that name would make a rename fail after others have been done: check before. */
static il_status check_place(const il_publication *p, const char *suffix, il_error *err) {
    char path[PATH_MAX];
    struct stat info;
    return stat(path_of(p, p->dir, suffix, path), &info) == 0 && S_ISDIR(info.st_mode)
               ? il_fail(err, IL_EIO, "cannot write '%s': it is a folder", path)
               : IL_OK;
}

/* A file on the disk, and its checksum. */
static il_status settle(const il_publication *p, const char *suffix, char sum[IL_SEALED_SUM],
                        il_error *err) {
    char path[PATH_MAX];
    int fd = open(path_of(p, p->folder, suffix, path), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    bool safe = fd >= 0 && fsync(fd) == 0;
    int reason = errno;
    if (fd >= 0) {
        (void)close(fd);
    }
    return safe ? il_sealed_sum_file(path, sum, err)
                : il_fail(err, IL_EIO, "cannot write '%s': %s", path, strerror(reason));
}

static json_t *section_json(const il_section *section) {
    return section == NULL
               ? json_null()
               : json_pack("{s:o, s:o, s:i}", "title", il_json_text_new(section->title), "text",
                           il_json_text_new(section->text), "order", section->order);
}

/* The members of the manifest that p says, and "files" and "sums". */
static il_status settle_all(const il_publication *p, const char *const *suffixes, int n,
                            json_t *manifest, il_error *err) {
    json_t *files = json_array();
    json_t *sums = json_array();
    il_status status = IL_OK;
    for (int k = 0; status == IL_OK && k < n; k++) {
        char sum[IL_SEALED_SUM];
        status = settle(p, suffixes[k], sum, err);
        if (status == IL_OK) {
            il_json_append(files, json_sprintf("%s%s", p->name, suffixes[k]));
            il_json_append(sums, json_string(sum));
        }
    }
    il_json_set(manifest, "order", json_integer(p->order));
    il_json_set(manifest, "section", section_json(p->section));
    il_json_set(manifest, "origin", p->origin != NULL ? il_json_copy(p->origin) : json_null());
    il_json_set(manifest, "files", files);
    il_json_set(manifest, "sums", sums);
    return status;
}

static il_status place(const il_publication *p, const char *suffix, il_error *err) {
    char from[PATH_MAX];
    char to[PATH_MAX];
    return rename(path_of(p, p->folder, suffix, from), path_of(p, p->dir, suffix, to)) == 0
               ? IL_OK
               : il_fail(err, IL_EIO, "cannot write '%s': %s", to, strerror(errno));
}

il_status il_publication_commit(const il_publication *p, const char *const *suffixes, int n,
                                const char *end, json_t *manifest, il_error *err) {
    char path[PATH_MAX];
    il_file file = {0};
    il_status status = check_place(p, end, err);
    for (int k = 0; status == IL_OK && k < n; k++) {
        status = check_place(p, suffixes[k], err);
    }
    if (status == IL_OK) {
        status = settle_all(p, suffixes, n, manifest, err);
    }
    if (status == IL_OK) {
        status = il_file_open(&file, path_of(p, p->dir, end, path), err);
    }
    if (status == IL_OK) {
        il_sealed_put(file.stream, manifest, JSON_INDENT(2));
        status = il_file_flush(&file, err);
    }
    for (int k = 0; status == IL_OK && k < n; k++) {
        status = place(p, suffixes[k], err);
    }
    if (status == IL_OK) {
        status = il_file_commit(&file, err);
    }
    il_file_abandon(&file);
    json_decref(manifest);
    return status;
}

void il_publication_close(il_publication *p) {
    if (p->folder != NULL) {
        il_scratch_remove(p->folder);
        (void)close(p->lock);
    }
    free(p->folder);
    p->folder = NULL;
}

static void put_text(FILE *out, const void *text) {
    (void)fputs(text, out);
}

il_status il_publish_texts(const il_publication *what, const char *const *suffixes,
                           const char *const *texts, int n, const char *end, json_t *manifest,
                           il_error *err) {
    il_publication p = {.folder = NULL};
    il_status status =
        il_text_is_file_name(what->name)
            ? il_publication_open(&p, what->dir, what->name, err)
            : il_fail(err, IL_EINVAL,
                      "the table's name is '%s'; allowed are letters, digits and ._- and it starts "
                      "with a letter, a digit or _",
                      what->name != NULL ? what->name : "");
    for (int k = 0; status == IL_OK && k < n; k++) {
        status = il_publication_put(&p, suffixes[k], put_text, texts[k], err);
    }
    p.order = what->order;
    p.section = what->section;
    p.origin = what->origin;
    if (status == IL_OK) {
        status = il_publication_commit(&p, suffixes, n, end, json_incref(manifest), err);
    }
    json_decref(manifest);
    il_publication_close(&p);
    return status;
}
