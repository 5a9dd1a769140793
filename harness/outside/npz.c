/*
 * npz.c - reads the central directory of a ZIP archive, then the header and the numbers of each
 * member.
 */
#include "harness/outside/npz.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/memory_limit.h"
#include "harness/io/file.h"

enum { END_SIZE = 22, ENTRY_SIZE = 46, LOCAL_SIZE = 30, MAGIC_SIZE = 8 };

typedef struct {
    const char *path;
    const unsigned char *bytes;
    size_t n;
    il_error *err;
    uint64_t members;  /* bytes of those that were read */
    uint32_t crc[256]; /* of each byte, by the polynomial of ZIP */
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

/* The text behind 'key': in a header that is a Python dictionary. */
static const char *value_of(const char *header, const char *key) {
    char quoted[32];
    (void)snprintf(quoted, sizeof quoted, "'%s':", key);
    const char *at = strstr(header, quoted);
    return at != NULL ? at + strlen(quoted) + strspn(at + strlen(quoted), " ") : "";
}

/* The half-precision number of these bits (IEEE 754 binary16). */
static double half(unsigned bits) {
    int exponent = (int)(bits >> 10 & 31);
    double mantissa = bits & 1023;
    double x = exponent == 0    ? ldexp(mantissa, -24)
               : exponent == 31 ? (mantissa > 0.0 ? NAN : INFINITY)
                                : ldexp(1024.0 + mantissa, exponent - 25);
    return bits >> 15 != 0 ? -x : x;
}

/* The bytes of a number of NumPy's type, "<f8": order, kind, length; 0: not read here. */
static size_t length_of(const char *type) {
    size_t n = type[0] != '\0' && strchr("<>|", type[0]) != NULL && type[1] != '\0' &&
                       strchr("fiub", type[1]) != NULL && strlen(type) == 3
                   ? (size_t)(type[2] - '0')
                   : 0;
    return n == 8 || n == 4 || n == 2 || (n == 1 && type[1] != 'f') ? n : 0;
}

static double element(const char *type, const unsigned char *at, size_t n) {
    unsigned char turned[8] = {0};
    for (size_t k = 0; k < n; k++) {
        turned[k] = at[type[0] == '>' ? n - 1 - k : k];
    }
    uint64_t bits = number(turned, (int)n);
    double x = (double)bits;
    if (type[1] == 'f' && n == 8) {
        memcpy(&x, &bits, sizeof x);
    } else if (type[1] == 'f' && n == 4) {
        uint32_t word = (uint32_t)bits;
        float f;
        memcpy(&f, &word, sizeof f);
        x = f;
    } else if (type[1] == 'f') {
        x = half((unsigned)bits);
    } else if (type[1] == 'i' && bits >> (8 * n - 1) != 0) { /* two's complement */
        x = -(double)((~bits & (UINT64_MAX >> (64 - 8 * n))) + 1);
    }
    return x;
}

/* rows and columns of "(3,)", "(3, 2)" or "(3, 2, 3)"; false for "()", and for more numbers than
 * `most`. */
static bool shape_of(const char *text, size_t most, il_npz_array *a) {
    char *end = NULL;
    a->columns = 1;
    for (text += *text == '('; *text != ')'; text = end) {
        size_t n = (size_t)strtoull(text, &end, 10);
        if (end == text || n == 0 || n > most) {
            return false;
        }
        *(a->dimensions == 0 ? &a->rows : &a->columns) = a->dimensions == 0 ? n : a->columns * n;
        if (a->columns > most / a->rows) {
            return false;
        }
        a->dimensions++;
        end += strspn(end, ", ");
    }
    return a->dimensions > 0;
}

/* Read from a header the type of its numbers, and into *a their shape, or why they are not read;
 * each number has at least a byte of the n that there are. */
static void read_header(const char *header, size_t n, char type[16], il_npz_array *a) {
    const char *descr = value_of(header, "descr");
    const char *shape = value_of(header, "shape");
    (void)snprintf(type, 16, "%.*s", (int)strcspn(descr + (*descr == '\''), "'\n"),
                   descr + (*descr == '\''));
    a->bits = type[1] != 'f' ? 0 : type[2] == '2' ? 11 : type[2] == '4' ? 24 : 0;
    if (length_of(type) == 0) {
        (void)snprintf(a->why, sizeof a->why, "of type '%s'", type);
    } else if (!shape_of(shape, n, a)) {
        (void)snprintf(a->why, sizeof a->why, "of shape %.*s", (int)strcspn(shape, ")") + 1, shape);
    }
}

/* A member of n bytes: its header, then its numbers. */
static il_status add_member(const archive *w, il_npz *npz, const unsigned char *at, size_t n,
                            const char *name, size_t length) {
    static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    il_npz_array a = {.rows = 0};
    char type[16];
    if (n < 12 || memcmp(at, magic, sizeof magic) != 0) {
        return refuse(w, "has a member that is no array");
    }
    size_t start = at[6] == 1 ? 10 : 12;
    size_t size = (size_t)number(at + MAGIC_SIZE, at[6] == 1 ? 2 : 4);
    if (size > n - start) {
        return refuse(w, "is cut off");
    }
    char *header = il_alloc_letters((const char *)at + start, size);
    read_header(header, n, type, &a);
    bool by_columns = strncmp(value_of(header, "fortran_order"), "True", 4) == 0;
    free(header);
    if (by_columns && a.columns > 1 && a.why[0] == '\0' && a.dimensions > 2) {
        (void)snprintf(a.why, sizeof a.why, "of %zu dimensions in the order of Fortran",
                       a.dimensions);
    }
    size_t each = length_of(type);
    size_t count = a.why[0] == '\0' ? a.rows * a.columns : 0;
    if (count > 0 && (each == 0 || count > (n - start - size) / each)) {
        return refuse(w, "is cut off");
    }
    if (count > 0 && il_memory_ask(&a.x, count, sizeof *a.x, "numbers", w->err) != IL_OK) {
        return IL_ENOMEM;
    }
    il_memory_append(&npz->arrays, npz->n, sizeof *npz->arrays);
    for (size_t k = 0; k < count; k++) {
        size_t to = by_columns ? k % a.rows * a.columns + k / a.rows : k;
        a.x[to] = element(type, at + start + size + k * each, each);
    }
    size_t bare = length > 4 && memcmp(name + length - 4, ".npy", 4) == 0 ? length - 4 : length;
    (void)snprintf(a.name, sizeof a.name, "%.*s", (int)(bare < 60 ? bare : 60), name);
    npz->arrays[npz->n++] = a;
    return IL_OK;
}

/* The check sum of ZIP. */
static uint32_t sum_of(const archive *w, const unsigned char *at, size_t n) {
    uint32_t c = UINT32_MAX;
    for (size_t k = 0; k < n; k++) {
        c = c >> 8 ^ w->crc[(c ^ at[k]) & 255];
    }
    return ~c;
}

/* An entry of the central directory; *at moves behind it. */
static il_status add_entry(archive *w, il_npz *npz, size_t *at) {
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
        return refuse(w, "is compressed, by numpy.savez_compressed");
    }
    if (local > w->n || LOCAL_SIZE > w->n - local) {
        return refuse(w, "is cut off");
    }
    const unsigned char *l = w->bytes + local;
    size_t start =
        (size_t)local + LOCAL_SIZE + (size_t)number(l + 26, 2) + (size_t)number(l + 28, 2);
    w->members += size;
    if (start > w->n || size > w->n - start || w->members > w->n) {
        return refuse(w, "is cut off");
    }
    if (sum_of(w, w->bytes + start, (size_t)size) != number(e + 16, 4)) {
        return il_fail(w->err, IL_EINVAL, "'%s' is damaged: %.*s has not its check sum", w->path,
                       (int)(length < 60 ? length : 60), (const char *)e + ENTRY_SIZE);
    }
    return add_member(w, npz, w->bytes + start, (size_t)size, (const char *)e + ENTRY_SIZE, length);
}

static il_status read_members(archive *w, il_npz *npz) {
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
    archive w = {.path = path, .bytes = (const unsigned char *)bytes, .n = n, .err = err};
    for (uint32_t k = 0; k < 256; k++) {
        w.crc[k] = k;
        for (int bit = 0; bit < 8; bit++) {
            w.crc[k] = w.crc[k] >> 1 ^ ((w.crc[k] & 1) != 0 ? 0xedb88320 : 0);
        }
    }
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
