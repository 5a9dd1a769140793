/*
 * format_csv.c - one line a node: columns t, q0.., u0.., all digits (%.17g); the record in a
 * comment before them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/interrupt.h"
#include "harness/io/file.h"
#include "harness/io/formats/format.h"

static void print_header(FILE *out, size_t d) {
    (void)fputc('t', out);
    for (size_t i = 0; i < d; i++) {
        (void)fprintf(out, ",q%zu", i);
    }
    for (size_t i = 0; i < d; i++) {
        (void)fprintf(out, ",u%zu", i);
    }
    (void)fputc('\n', out);
}

static void print_node(FILE *out, const il_trajectory *w, size_t n) {
    (void)fprintf(out, "%.17g", w->t[n]);
    for (size_t i = 0; i < w->d; i++) {
        (void)fprintf(out, ",%.17g", w->q[n * w->d + i]);
    }
    for (size_t i = 0; i < w->d; i++) {
        (void)fprintf(out, ",%.17g", w->u[n * w->d + i]);
    }
    (void)fputc('\n', out);
}

/* So often a file that is being written asks whether there is still time for it. */
enum { LINES = 256 };

static il_status write_file(const il_trajectory *w, const char *path, const char *record,
                            il_error *err) {
    il_file file;
    il_status status = il_file_open(&file, path, err);
    if (status != IL_OK) {
        return status;
    }
    (void)fprintf(file.stream, "# %s\n", record);
    print_header(file.stream, w->d);
    for (size_t n = 0; n < w->nodes && status == IL_OK; n++) {
        print_node(file.stream, w, n);
        if (n % LINES == 0 && il_interrupt_presses()) {
            status = il_fail(err, IL_EINTERRUPTED, "%s while '%s' was written",
                             il_interrupt_reason(), path);
        }
    }
    if (status == IL_OK) {
        return il_file_commit(&file, err);
    }
    il_file_abandon(&file);
    return status;
}

/* A reader may see half a line, in the moment of a write. What could not be written is cut off. */
static bool append(const il_trajectory *w, const char *path, const il_grown *from) {
    int fd = open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
    FILE *out = fd >= 0 ? fdopen(fd, "ab") : NULL;
    if (out == NULL) {
        if (fd >= 0) {
            (void)close(fd);
        }
        return false;
    }
    for (size_t n = from->nodes; n < w->nodes; n++) {
        print_node(out, w, n);
    }
    bool whole = fflush(out) == 0 && ferror(out) == 0;
    if (!whole) {
        (void)ftruncate(fd, (off_t)from->bytes);
    }
    return fclose(out) == 0 && whole;
}

/* ---- reading -------------------------------------------------------------------------------- */

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

/* A byte-order mark, which spreadsheets put before UTF-8. */
static void drop_mark(char *line) {
    static const char MARK[] = "\xef\xbb\xbf";
    size_t n = sizeof MARK - 1;
    if (strncmp(line, MARK, n) == 0) {
        memmove(line, line + n, strlen(line + n) + 1);
    }
}

static il_status read_file(il_trajectory *w, const char *path, il_error *err) {
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
        if (status == IL_OK && any && number == 0) {
            drop_mark(line);
        }
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
    w->ncontacts = SIZE_MAX;
    return status;
}

const il_format_type il_format_csv = {
    .name = "csv",
    .text = "one line a node: t, q, u",
    .write = write_file,
    .begin = write_file,
    .append = append,
    .read = read_file,
};
