/*
 * picture.c - head, tail and size of a picture.
 */
#include "harness/draw/picture.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SMALLEST_PICTURE = 512 }; /* bytes: an empty frame takes more in every format */

/* A picture that is whole begins and ends as its format says. */
static bool picture_whole(FILE *in, const char *suffix, long size) {
    static const struct {
        const char *suffix, *head, *tail;
    } format[] = {
        {"pdf", "%PDF-", "%%EOF"}, {"svg", "<?xml", "</svg>"}, {"png", "\x89PNG\r\n", "IEND"}};
    char head[8] = {0};
    char tail[33] = {0};
    for (size_t k = 0; k < sizeof format / sizeof *format; k++) {
        if (strcmp(suffix, format[k].suffix) == 0) {
            size_t n = strlen(format[k].head);
            return fread(head, 1, n, in) == n && memcmp(head, format[k].head, n) == 0 &&
                   fseek(in, size - 32, SEEK_SET) == 0 && fread(tail, 1, 32, in) == 32 &&
                   memmem(tail, 32, format[k].tail, strlen(format[k].tail)) != NULL;
        }
    }
    return false;
}

il_status il_picture_check(const char *folder, const char *name, const char *suffix,
                           il_error *err) {
    char *path = NULL;
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
    } else if (info.st_size < SMALLEST_PICTURE || !picture_whole(in, suffix, (long)info.st_size)) {
        status = il_fail(err, IL_EPLOT,
                         "gnuplot's %s.%s is not a whole picture (%lld bytes); of a full "
                         "disk gnuplot says nothing",
                         name, suffix, (long long)info.st_size);
    }
    if (in != NULL) {
        (void)fclose(in);
    }
    free(path);
    return status;
}
