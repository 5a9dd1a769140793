/*
 * picture.c - the sums and positions that a picture keeps of itself.
 */
#include "harness/draw/picture.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Bytes. An empty frame takes more than SMALLEST_PICTURE in every format. */
enum { SMALLEST_PICTURE = 512, TAIL = 64, ENTRY = 20 };

typedef struct {
    const unsigned char *text;
    size_t size;
} bytes;

static bool starts(bytes b, size_t at, const char *with) {
    size_t n = strlen(with);
    return at <= b.size && n <= b.size - at && memcmp(b.text + at, with, n) == 0;
}

static uint32_t big_endian(const unsigned char *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Of a chunk: x^32 + x^26 + ... + 1, reflected (PNG specification, annex D). */
static uint32_t checksum(const unsigned char *at, size_t n) {
    uint32_t c = 0xffffffffu;
    for (size_t k = 0; k < n; k++) {
        c ^= at[k];
        for (int bit = 0; bit < 8; bit++) {
            c = c >> 1 ^ (c & 1u ? 0xedb88320u : 0);
        }
    }
    return ~c;
}

/* Chunks of length, name, data and checksum, the last of them IEND. */
static bool png_whole(bytes b) {
    size_t at = 8;
    if (!starts(b, 0, "\x89PNG\r\n\x1a\n")) {
        return false;
    }
    while (b.size - at >= 12) {
        size_t n = big_endian(b.text + at);
        if (n > b.size - at - 12 ||
            checksum(b.text + at + 4, n + 4) != big_endian(b.text + at + 8 + n)) {
            return false;
        }
        if (starts(b, at + 4, "IEND")) {
            return at + 12 + n == b.size;
        }
        at += 12 + n;
    }
    return false;
}

/* Bytes lost anywhere move the table of objects from where the end says that it is, or, lost from
 * it, make it end early; newer versions of cairo have an object there. */
static bool pdf_whole(bytes b) {
    size_t end = b.size > TAIL ? b.size - TAIL : 0;
    const char *last = memmem(b.text + end, b.size - end, "startxref\n", 10);
    if (!starts(b, 0, "%PDF-") || last == NULL || strstr(last, "%%EOF") == NULL) {
        return false;
    }
    size_t at = strtoul(last + 10, NULL, 10);
    if (!starts(b, at, "xref\n0 ")) {
        return at < b.size && strstr((const char *)b.text + at, " obj") != NULL &&
               strtoul((const char *)b.text + at, NULL, 10) > 0;
    }
    char *entries = NULL;
    size_t n = strtoul((const char *)b.text + at + 7, &entries, 10);
    size_t first = (size_t)(entries - (const char *)b.text) + 1;
    return n <= b.size / ENTRY && starts(b, first + n * ENTRY, "trailer");
}

/* Of what is between nothing tells: gnuplot_pipe.h. */
static bool svg_whole(bytes b) {
    size_t end = b.size > TAIL ? b.size - TAIL : 0;
    return starts(b, 0, "<?xml") && memmem(b.text + end, b.size - end, "</svg>", 6) != NULL;
}

static bool picture_whole(const char *suffix, bytes b) {
    static const struct {
        const char *suffix;
        bool (*whole)(bytes b);
    } format[] = {{"pdf", pdf_whole}, {"svg", svg_whole}, {"png", png_whole}};
    for (size_t k = 0; k < sizeof format / sizeof *format; k++) {
        if (strcmp(suffix, format[k].suffix) == 0) {
            return b.size >= SMALLEST_PICTURE && format[k].whole(b);
        }
    }
    return false;
}

/* FOLDER/NAME.SUFFIX, a NUL behind it; the caller frees. */
static il_status read_picture(const char *folder, const char *name, const char *suffix, bytes *b,
                              il_error *err) {
    char *path = NULL;
    *b = (bytes){.size = 0};
    if (asprintf(&path, "%s/%s.%s", folder, name, suffix) < 0) {
        return il_fail(err, IL_ENOMEM, "no memory for a file name");
    }
    FILE *in = fopen(path, "rb");
    struct stat info = {0};
    il_status status = IL_OK;
    if (in == NULL && errno != ENOENT) {
        status =
            il_fail(err, il_status_of_errno(errno), "cannot read '%s': %s", path, strerror(errno));
    } else if (in == NULL || fstat(fileno(in), &info) != 0) {
        status = il_fail(err, IL_EPLOT, "gnuplot wrote no %s.%s", name, suffix);
    } else {
        char *text = malloc((size_t)info.st_size + 1);
        if (text == NULL) {
            status = il_fail(err, IL_ENOMEM, "no memory for the %lld bytes of '%s'",
                             (long long)info.st_size, path);
        } else {
            b->size = fread(text, 1, (size_t)info.st_size, in);
            text[b->size] = '\0';
            b->text = (unsigned char *)text;
        }
    }
    if (in != NULL) {
        (void)fclose(in);
    }
    free(path);
    return status;
}

static il_status not_whole(const char *name, const char *suffix, size_t size, il_error *err) {
    return il_fail(err, IL_EPLOT,
                   "gnuplot's %s.%s is not a whole picture (%zu bytes); of a full disk gnuplot "
                   "says nothing",
                   name, suffix, size);
}

il_status il_picture_check(const char *folder, const char *name, const char *suffix,
                           il_error *err) {
    bytes b;
    il_status status = read_picture(folder, name, suffix, &b, err);
    if (status == IL_OK && !picture_whole(suffix, b)) {
        status = not_whole(name, suffix, b.size, err);
    }
    free((void *)b.text);
    return status;
}
