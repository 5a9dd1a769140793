/*
 * npz.c - reads the central directory of a ZIP archive, then the header and the numbers of each
 * member.
 */
#include "harness/outside/npz.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/io/file.h"

enum { END_SIZE = 22, ENTRY_SIZE = 46, LOCAL_SIZE = 30, MAGIC_SIZE = 8 };

typedef struct {
    const char *path;
    const unsigned char *bytes;
    size_t n;
    il_error *err;
} archive;

static uint64_t number(const unsigned char *at, int bytes) {
    uint64_t x = 0;
    for (int k = bytes; k-- > 0;) {
        x = x << 8 | at[k];
    }
    return x;
}

static il_status refuse(const archive *w, const char *why) {
    return il_fail(w->err, IL_EINVAL, "'%s' %s; allowed: what numpy.savez writes", w->path, why);
}

/* What stands behind 'key': in a header that is a Python dictionary. */
static const char *value_of(const char *header, const char *key) {
    char quoted[32];
    (void)snprintf(quoted, sizeof quoted, "'%s':", key);
    const char *at = strstr(header, quoted);
    return at != NULL ? at + strlen(quoted) + strspn(at + strlen(quoted), " ") : "";
}

static bool element(const char *kind, const unsigned char *at, double *x) {
    if (strcmp(kind, "<f8") == 0) {
        memcpy(x, at, sizeof *x);
    } else if (strcmp(kind, "<f4") == 0) {
        float f;
        memcpy(&f, at, sizeof f);
        *x = f;
    } else if (strcmp(kind, "<i8") == 0) {
        *x = (double)(int64_t)number(at, 8);
    } else if (strcmp(kind, "<i4") == 0) {
        *x = (double)(int32_t)number(at, 4);
    } else {
        return false;
    }
    return true;
}

/* rows and columns of "(3,)" or "(3, 2)"; false for other shapes. */
static bool shape_of(const char *text, il_npz_array *a) {
    char *end = NULL;
    if (*text != '(') {
        return false;
    }
    a->rows = strtoull(text + 1, &end, 10);
    if (end == text + 1 || *end != ',') {
        return false;
    }
    end += 1 + strspn(end + 1, " ");
    a->columns = 1;
    a->flat = *end == ')';
    if (!a->flat) {
        const char *second = end;
        a->columns = strtoull(second, &end, 10);
        return end != second && *end == ')';
    }
    return true;
}

/* A member of n bytes: its header, then its numbers. Of other kinds and shapes nothing is added. */
static il_status add_member(const archive *w, il_npz *npz, const unsigned char *at, size_t n,
                            const char *name, size_t length) {
    static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    il_npz_array a = {.rows = 0};
    if (n < 12 || memcmp(at, magic, sizeof magic) != 0) {
        return refuse(w, "has a member that is no array");
    }
    size_t start = at[6] == 1 ? 10 : 12;
    size_t size = (size_t)number(at + MAGIC_SIZE, at[6] == 1 ? 2 : 4);
    if (size > n - start) {
        return refuse(w, "is cut off");
    }
    char *header = strndup((const char *)at + start, size);
    if (header == NULL) {
        return il_fail(w->err, IL_ENOMEM, "no memory for '%s'", w->path);
    }
    char kind[4] = "";
    const char *descr = value_of(header, "descr");
    (void)snprintf(kind, sizeof kind, "%.3s", *descr != '\0' ? descr + 1 : "");
    bool by_columns = strncmp(value_of(header, "fortran_order"), "True", 4) == 0;
    bool known =
        shape_of(value_of(header, "shape"), &a) && a.columns > 0 && a.rows <= n / a.columns;
    free(header);
    double probe = 0.0;
    size_t each = kind[2] == '8' ? 8 : 4;
    size_t count = a.rows * a.columns;
    if (!known || !element(kind, at, &probe)) {
        return IL_OK;
    }
    if (count > (n - start - size) / each) {
        return refuse(w, "is cut off");
    }
    a.x = malloc((count + 1) * sizeof *a.x);
    if (a.x == NULL || !il_memory_append(&npz->arrays, npz->n, sizeof *npz->arrays)) {
        free(a.x);
        return il_fail(w->err, IL_ENOMEM, "no memory for '%s'", w->path);
    }
    for (size_t k = 0; k < count; k++) {
        size_t to = by_columns ? k % a.rows * a.columns + k / a.rows : k;
        (void)element(kind, at + start + size + k * each, &a.x[to]);
    }
    size_t bare = length > 4 && memcmp(name + length - 4, ".npy", 4) == 0 ? length - 4 : length;
    (void)snprintf(a.name, sizeof a.name, "%.*s", (int)(bare < 60 ? bare : 60), name);
    npz->arrays[npz->n++] = a;
    return IL_OK;
}

/* An entry of the central directory; *at moves behind it. */
static il_status add_entry(const archive *w, il_npz *npz, size_t *at) {
    const unsigned char *e = w->bytes + *at;
    if (*at + ENTRY_SIZE > w->n || number(e, 4) != 0x02014b50) {
        return refuse(w, "has no list of members");
    }
    size_t method = (size_t)number(e + 10, 2);
    uint64_t size = number(e + 24, 4);
    size_t length = (size_t)number(e + 28, 2);
    size_t extra = (size_t)number(e + 30, 2);
    uint64_t local = number(e + 42, 4);
    *at += ENTRY_SIZE + length + extra + (size_t)number(e + 32, 2);
    if (*at > w->n) {
        return refuse(w, "is cut off");
    }
    if (method != 0) {
        return refuse(w, "is compressed (numpy.savez_compressed)");
    }
    if (local > w->n || LOCAL_SIZE > w->n - local) {
        return refuse(w, "is cut off");
    }
    const unsigned char *l = w->bytes + local;
    size_t start =
        (size_t)local + LOCAL_SIZE + (size_t)number(l + 26, 2) + (size_t)number(l + 28, 2);
    if (start > w->n || size > w->n - start) {
        return refuse(w, "is cut off");
    }
    return add_member(w, npz, w->bytes + start, (size_t)size, (const char *)e + ENTRY_SIZE, length);
}

static il_status read_members(const archive *w, il_npz *npz) {
    size_t end = w->n;
    while (end >= END_SIZE && number(w->bytes + end - END_SIZE, 4) != 0x06054b50) {
        end--;
    }
    if (end < END_SIZE) {
        return refuse(w, "is no ZIP archive");
    }
    const unsigned char *tail = w->bytes + end - END_SIZE;
    size_t members = (size_t)number(tail + 10, 2);
    size_t at = (size_t)number(tail + 16, 4);
    il_status status = IL_OK;
    for (size_t k = 0; status == IL_OK && k < members; k++) {
        status = add_entry(w, npz, &at);
    }
    return status;
}

il_status il_npz_read(il_npz *npz, const char *path, il_error *err) {
    char *bytes = NULL;
    size_t n = 0;
    il_error why = {IL_OK, "No such file or directory"};
    il_status status = il_file_load(path, &bytes, &n, &why);
    if (bytes == NULL) {
        return il_fail(err, status == IL_ENOMEM ? status : IL_EIO, "cannot read '%s': %s", path,
                       why.message);
    }
    const archive w = {.path = path, .bytes = (const unsigned char *)bytes, .n = n, .err = err};
    status = read_members(&w, npz);
    free(bytes);
    return status;
}

void il_npz_free(il_npz *npz) {
    for (size_t k = 0; k < npz->n; k++) {
        free(npz->arrays[k].x);
    }
    free(npz->arrays);
    *npz = (il_npz){0, NULL};
}
