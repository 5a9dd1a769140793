/*
 * state_file.c - a header with a checksum, and bytes.
 */
#include "harness/io/store/state_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/io/file.h"
#include "harness/io/sealed.h"

static const char HEAD[] = "impactlab state 1 ";

static il_status make_folder(const char *path, const char *results, il_error *err) {
    const char *inner = path + strlen(results) + 1;
    const char *slash = strrchr(inner, '/');
    char *folder = il_alloc_letters(inner, slash != NULL ? (size_t)(slash - inner) : 0);
    il_status status = il_folder_make_inside(results, folder, err);
    free(folder);
    return status;
}

il_status il_state_file_put(const char *path, const char *results, const char *key,
                            const unsigned char *bytes, size_t n, il_error *err) {
    char sum[IL_SEALED_SUM];
    il_file file = {0};
    char *body = il_alloc_format("%zu\n%s", strlen(key), key);
    size_t head = strlen(body);
    il_memory_grow(&body, head + n, 1);
    memcpy(body + head, bytes, n);
    il_sealed_sum(body, head + n, sum);
    il_status status = make_folder(path, results, err);
    if (status == IL_OK) {
        status = il_file_open(&file, path, err);
    }
    if (status == IL_OK) {
        /* what could not be written is seen by the commit */
        (void)fprintf(file.stream, "%s%s\n", HEAD, sum);
        (void)fwrite(body, 1, head + n, file.stream);
        status = il_file_commit(&file, err);
        il_file_abandon(&file);
    }
    free(body);
    return status;
}

/* How a text stands to a key: it is a state of it, or why it is none. */
typedef enum { STATE, OF_ANOTHER_KEY, DAMAGED, FOREIGN } verdict;

static const char *const words[] = {
    [OF_ANOTHER_KEY] = "it is of another key",
    [DAMAGED] = "its checksum is not that of its content",
    [FOREIGN] = "it does not begin as such a file",
};

/* Is the text a state of key, or for NULL of any key and whatever the checksum is? The file's own
 * key ends at text[*begin], *length letters, where the bytes of the state begin. */
static verdict judge(const char *text, size_t n, const char *key, size_t *length, size_t *begin) {
    char sum[IL_SEALED_SUM];
    char *end = NULL;
    size_t at = sizeof HEAD - 1 + IL_SEALED_SUM;
    if (n < sizeof HEAD - 1 || memcmp(text, HEAD, sizeof HEAD - 1) != 0) {
        return FOREIGN;
    }
    if (n < at || text[at - 1] != '\n') {
        return DAMAGED;
    }
    if (key != NULL) {
        il_sealed_sum(text + at, n - at, sum);
        if (memcmp(sum, text + sizeof HEAD - 1, IL_SEALED_SUM - 1) != 0) {
            return DAMAGED;
        }
    }
    *length = strtoull(text + at, &end, 10);
    size_t key_at = (size_t)(end - text) + 1;
    *begin = key_at + *length;
    if (*length > n || *begin > n) {
        return DAMAGED;
    }
    return key == NULL || (*length == strlen(key) && memcmp(text + key_at, key, *length) == 0)
               ? STATE
               : OF_ANOTHER_KEY;
}

/* As il_file_load; what cannot be read is not there. */
static il_status load(const char *path, char **text, size_t *n, il_error *err) {
    il_error why = {IL_OK, ""};
    return il_file_load(path, text, n, &why) == IL_ENOMEM
               ? il_fail(err, IL_ENOMEM, "no memory for the state in '%s'", path)
               : IL_OK;
}

il_status il_state_file_find(const char *path, const char *key, unsigned char **bytes, size_t *n,
                             il_error *err) {
    char *text = NULL;
    size_t length = 0;
    size_t at = 0;
    *bytes = NULL;
    *n = 0;
    il_status status = load(path, &text, n, err);
    if (status != IL_OK || text == NULL) {
        return status;
    }
    verdict what = judge(text, *n, key, &length, &at);
    if (what != STATE) {
        free(text);
        return il_fail(err, IL_EINVAL, "%s", words[what]);
    }
    *n -= at;
    memmove(text, text + at, *n);
    *bytes = (unsigned char *)text;
    return IL_OK;
}

il_status il_state_file_key(const char *path, char **key, il_error *err) {
    char *text = NULL;
    size_t n = 0;
    size_t length = 0;
    size_t at = 0;
    *key = NULL;
    il_status status = load(path, &text, &n, err);
    if (status != IL_OK || text == NULL) {
        return status == IL_OK ? il_fail(err, IL_EINVAL, "it cannot be read") : status;
    }
    verdict what = judge(text, n, NULL, &length, &at);
    *key = what == STATE ? il_alloc_letters(text + at - length, length) : NULL;
    free(text);
    return what == STATE ? IL_OK : il_fail(err, IL_EINVAL, "%s", words[what]);
}
