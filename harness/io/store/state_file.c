/*
 * state_file.c - a head with a checksum, and bytes.
 */
#include "harness/io/store/state_file.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/io/file.h"
#include "harness/io/sealed.h"

static const char HEAD[] = "impactlab state 1 ";

static il_status make_folder(const char *path, const char *results, il_error *err) {
    if (results == NULL) {
        return IL_OK;
    }
    const char *inner = path + strlen(results) + 1;
    const char *slash = strrchr(inner, '/');
    char *folder = strndup(inner, slash != NULL ? (size_t)(slash - inner) : 0);
    il_status status = folder == NULL ? il_fail(err, IL_ENOMEM, "no memory for '%s'", path)
                                      : il_folder_make_inside(results, folder, err);
    free(folder);
    return status;
}

il_status il_state_file_put(const char *path, const char *results, const char *key,
                            const unsigned char *bytes, size_t n, il_error *err) {
    char sum[IL_SEALED_SUM];
    il_file file = {0};
    char *body = NULL;
    int head = asprintf(&body, "%zu\n%s", strlen(key), key);
    char *bigger = head < 0 ? NULL : realloc(body, (size_t)head + n);
    if (bigger == NULL) {
        free(head < 0 ? NULL : body);
        return il_fail(err, IL_ENOMEM, "no memory to keep a state of %zu bytes", n);
    }
    body = bigger;
    memcpy(body + head, bytes, n);
    il_sealed_sum(body, (size_t)head + n, sum);
    il_status status = make_folder(path, results, err);
    if (status == IL_OK) {
        status = il_file_open(&file, path, err);
    }
    if (status == IL_OK) {
        /* what could not be written is seen by the commit */
        (void)fprintf(file.stream, "%s%s\n", HEAD, sum);
        (void)fwrite(body, 1, (size_t)head + n, file.stream);
        status = il_file_commit(&file, err);
        il_file_abandon(&file);
    }
    free(body);
    return status;
}

/* All of a file, NUL behind it; NULL where there is none, or no memory, and then *starved. */
static char *read_all(const char *path, size_t *n, bool *starved) {
    struct stat info;
    FILE *in = il_file_read(path, NULL);
    char *text = NULL;
    *n = 0;
    if (in != NULL && fstat(fileno(in), &info) == 0) {
        text = malloc((size_t)info.st_size + 1);
        *starved = text == NULL;
        *n = text != NULL ? fread(text, 1, (size_t)info.st_size, in) : 0;
    }
    if (in != NULL) {
        (void)fclose(in);
    }
    if (text != NULL) {
        text[*n] = '\0';
    }
    return text;
}

static bool has_head(const char *text, size_t n) {
    return n >= sizeof HEAD - 1 && memcmp(text, HEAD, sizeof HEAD - 1) == 0;
}

/* Is text[n] a state as it was written? */
static bool whole(const char *text, size_t n) {
    char sum[IL_SEALED_SUM];
    size_t at = sizeof HEAD - 1 + IL_SEALED_SUM;
    if (n < at || !has_head(text, n) || text[at - 1] != '\n') {
        return false;
    }
    il_sealed_sum(text + at, n - at, sum);
    return memcmp(sum, text + sizeof HEAD - 1, IL_SEALED_SUM - 1) == 0;
}

/* Where the bytes begin in text[n]; 0 if this is no state of key. */
static size_t begin_of(const char *text, size_t n, const char *key) {
    size_t at = sizeof HEAD - 1 + IL_SEALED_SUM;
    if (!whole(text, n)) {
        return 0;
    }
    char *end = NULL;
    size_t length = strtoull(text + at, &end, 10);
    size_t key_at = (size_t)(end - text) + 1;
    bool ours =
        length == strlen(key) && key_at + length <= n && memcmp(text + key_at, key, length) == 0;
    return ours ? key_at + length : 0;
}

il_status il_state_file_find(const char *path, const char *key, unsigned char **bytes, size_t *n,
                             il_error *err) {
    bool starved = false;
    size_t size = 0;
    char *text = read_all(path, &size, &starved);
    *bytes = NULL;
    *n = 0;
    if (starved) {
        return il_fail(err, IL_ENOMEM, "no memory for the state in '%s'", path);
    }
    if (text == NULL) {
        return IL_OK;
    }
    size_t at = begin_of(text, size, key);
    if (at == 0) {
        const char *what = !has_head(text, size) ? "it does not begin as such a file"
                           : !whole(text, size)  ? "its checksum is not that of its content"
                                                 : "it is of another key";
        free(text);
        return il_fail(err, IL_EINVAL, "%s", what);
    }
    *n = size - at;
    memmove(text, text + at, *n);
    *bytes = (unsigned char *)text;
    return IL_OK;
}

il_status il_state_file_get(const char *path, const char *key, unsigned char **bytes, size_t *n,
                            il_error *err) {
    il_error why = {IL_OK, ""};
    il_status status = il_state_file_find(path, key, bytes, n, &why);
    if (status == IL_EINVAL) {
        (void)unlink(path);
        return IL_OK;
    }
    return status == IL_OK ? IL_OK : il_fail(err, status, "%s", why.message);
}

/* More than any key has. */
enum { KEY_MAX = 1 << 24 };

il_status il_state_file_key(const char *path, char **key, long long *size, il_error *err) {
    char head[sizeof HEAD + IL_SEALED_SUM] = "";
    char digits[24] = "";
    struct stat info;
    il_status status = IL_OK;
    FILE *in = il_file_read(path, NULL);
    *key = NULL;
    *size = 0;
    if (in == NULL) {
        return il_fail(err, IL_EINVAL, "it cannot be read");
    }
    bool good = fstat(fileno(in), &info) == 0 && fgets(head, sizeof head, in) != NULL &&
                has_head(head, strlen(head)) && fgets(digits, sizeof digits, in) != NULL &&
                strchr(digits, '\n') != NULL;
    size_t length = good ? strtoull(digits, NULL, 10) : 0;
    good = good && length > 0 && length < KEY_MAX;
    *key = good ? calloc(length + 1, 1) : NULL;
    if (good && *key == NULL) {
        status = il_fail(err, IL_ENOMEM, "no memory for the key of '%s'", path);
    } else if (!good || fread(*key, 1, length, in) != length) {
        status = il_fail(err, IL_EINVAL, "it does not begin as such a file");
        free(*key);
        *key = NULL;
    }
    *size = status == IL_OK ? (long long)info.st_size : 0;
    (void)fclose(in);
    return status;
}

/* A device, a pipe, a link, a folder is nobody's state, and must not be removed as one. */
static il_status expect_plain(const char *path, il_error *err) {
    struct stat info;
    return lstat(path, &info) != 0 || S_ISREG(info.st_mode)
               ? IL_OK
               : il_fail(err, IL_EINVAL, "'%s' is no plain file; a state is kept in one", path);
}

il_status il_state_file_check(const char *path, const char *key, il_error *err) {
    bool starved = false;
    size_t n = 0;
    il_status status = expect_plain(path, err);
    status = status == IL_OK ? il_file_can_write(path, err) : status;
    char *text = status == IL_OK ? read_all(path, &n, &starved) : NULL;
    if (starved) {
        status = il_fail(err, IL_ENOMEM, "no memory for the state in '%s'", path);
    } else if (text != NULL && !has_head(text, n)) {
        status = il_fail(err, IL_EINVAL, "'%s' is there, and no state of a run", path);
    } else if (text != NULL && whole(text, n) && begin_of(text, n, key) == 0) {
        status = il_fail(err, IL_EINVAL,
                         "'%s' is the state of another run or build; remove it, or name another "
                         "file",
                         path);
    }
    free(text);
    return status;
}
