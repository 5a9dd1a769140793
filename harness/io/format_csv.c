/*
 * format_csv.c - one line a node: columns t, q0.., u0.., all digits (%.17g); the record in a
 * comment before them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/file.h"
#include "harness/io/format.h"

static il_status write(const il_trajectory *w, const char *path, const char *record,
                       il_error *err) {
    il_file file;
    il_status status = il_file_open(&file, path, err);
    if (status != IL_OK) {
        return status;
    }
    FILE *out = file.stream;
    (void)fprintf(out, "# %s\nt", record);
    for (size_t i = 0; i < w->d; i++) {
        (void)fprintf(out, ",q%zu", i);
    }
    for (size_t i = 0; i < w->d; i++) {
        (void)fprintf(out, ",u%zu", i);
    }
    (void)fputc('\n', out);
    for (size_t n = 0; n < w->nodes; n++) {
        (void)fprintf(out, "%.17g", w->t[n]);
        for (size_t i = 0; i < w->d; i++) {
            (void)fprintf(out, ",%.17g", w->q[n * w->d + i]);
        }
        for (size_t i = 0; i < w->d; i++) {
            (void)fprintf(out, ",%.17g", w->u[n * w->d + i]);
        }
        (void)fputc('\n', out);
    }
    return il_file_commit(&file, err);
}

/* The coordinates that a header t,q0,...,u0,... names; 0 where it is another. */
static size_t count_coordinates(const char *line) {
    size_t columns = 1;
    for (const char *c = line; *c != '\0'; c++) {
        columns += *c == ',';
    }
    size_t d = columns / 2;
    char name[40];
    if (columns % 2 == 0 || d == 0 || line[0] != 't') {
        return 0;
    }
    line++;
    for (size_t k = 0; k < 2 * d; k++) {
        int n = snprintf(name, sizeof name, ",%c%zu", k < d ? 'q' : 'u', k < d ? k : k - d);
        if (strncmp(line, name, (size_t)n) != 0) {
            return 0;
        }
        line += n;
    }
    return line[strspn(line, "\r\n")] == '\0' ? d : 0;
}

/* The 2 d + 1 numbers of a line into x; false where it holds others, or more. */
static bool read_numbers(const char *line, size_t n, double *x) {
    for (size_t k = 0; k < n; k++) {
        char *end = NULL;
        x[k] = strtod(line, &end);
        if (end == line || (k + 1 < n && *end != ',')) {
            return false;
        }
        line = k + 1 < n ? end + 1 : end;
    }
    return line[strspn(line, "\r\n")] == '\0';
}

/* The next line, if there is any. A line that could not be read is not the file's end, and without
 * memory the stream knows of no error. */
static il_status read_line(FILE *in, const char *path, char **line, size_t *room, bool *any,
                           il_error *err) {
    errno = 0;
    ssize_t n = getline(line, room, in);
    *any = n >= 0;
    if (n > 0 && memchr(*line, '\0', (size_t)n) != NULL) {
        return il_fail(err, IL_EINVAL, "trajectory file '%s' holds a zero byte; allowed: a text",
                       path);
    }
    if (*any || feof(in) != 0) {
        return IL_OK;
    }
    int reason = errno != 0 ? errno : EIO;
    return il_fail(err, il_status_of_errno(reason), "cannot read '%s' to its end: %s", path,
                   strerror(reason));
}

/* Lines after the header; number counts them. */
static il_status read_lines(FILE *in, il_trajectory *w, const char *path, char **line, size_t *room,
                            size_t number, il_error *err) {
    double *x = malloc((2 * w->d + 1) * sizeof *x);
    il_status status = IL_OK;
    if (x == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for '%s'", path);
    }
    bool any = true;
    while (status == IL_OK) {
        status = read_line(in, path, line, room, &any, err);
        if (status != IL_OK || !any) {
            break;
        }
        number++;
        if (!read_numbers(*line, 2 * w->d + 1, x)) {
            status = il_fail(err, IL_EINVAL,
                             "trajectory file '%s', line %zu: '%.40s...'; allowed: %zu numbers "
                             "between commas",
                             path, number, *line, 2 * w->d + 1);
        } else if (il_trajectory_add(w, x[0], x + 1, x + 1 + w->d) != IL_OK) {
            status = il_fail(err, IL_ENOMEM, "no memory for line %zu of '%s'", number, path);
        }
    }
    free(x);
    return status;
}

static il_status read(il_trajectory *w, const char *path, il_error *err) {
    char *line = NULL;
    size_t room = 0;
    size_t number = 0;
    il_error why = {IL_OK, ""};
    FILE *in = il_file_read(path, &why);
    if (in == NULL) {
        return il_fail(err, why.code, "%s", why.message);
    }
    bool any = false;
    il_status status = IL_OK;
    do {
        status = read_line(in, path, &line, &room, &any, err);
        number++;
    } while (status == IL_OK && any && line[0] == '#');
    size_t d = status == IL_OK && any ? count_coordinates(line) : 0;
    if (status == IL_OK && d == 0) {
        status = il_fail(err, IL_EINVAL,
                         "trajectory file '%s', line %zu: the columns are not t,q0,...,u0,...",
                         path, number);
    }
    if (status == IL_OK) {
        status = il_trajectory_init(w, d, 256, err);
    }
    if (status == IL_OK) {
        status = read_lines(in, w, path, &line, &room, number, err);
    }
    free(line);
    (void)fclose(in);
    return status;
}

const il_format_type il_format_csv = {
    .name = "csv",
    .text = "one line a node: t, q, u",
    .write = write,
    .read = read,
};
