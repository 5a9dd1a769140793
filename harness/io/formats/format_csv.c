/*
 * format_csv.c - one line a node: columns t, q0.., u0.., all digits (%.17g); the record in a
 * comment before them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/io/file.h"
#include "harness/io/formats/trajectory_file.h"

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

static void print_vector(FILE *out, const double *x, size_t d) {
    for (size_t i = 0; i < d; i++) {
        (void)fprintf(out, ",%.17g", x[i]);
    }
}

static void print_node(FILE *out, const il_trajectory *w, size_t n) {
    (void)fprintf(out, "%.17g", w->t[n]);
    print_vector(out, w->q + n * w->d, w->d);
    print_vector(out, w->u + n * w->d, w->d);
    (void)fputc('\n', out);
}

/* How often a file that is being written checks for an interruption. */
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
    return il_file_end(&file, status, err);
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

/* The line at *rest, without its end; NULL behind the last. */
static char *next_line(char **rest) {
    return *rest != NULL && **rest != '\0' ? strsep(rest, "\n") : NULL;
}

/* Lines after the header; number counts them. */
static il_status read_lines(il_trajectory *w, char *rest, size_t number, const char *path,
                            il_error *err) {
    double *x = malloc((2 * w->d + 1) * sizeof *x);
    il_status status = IL_OK;
    if (x == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for '%s'", path);
    }
    for (char *line = NULL; status == IL_OK && (line = next_line(&rest)) != NULL; number++) {
        if (!read_numbers(line, 2 * w->d + 1, x)) {
            status = il_fail(err, IL_EINVAL,
                             "trajectory file '%s', line %zu: '%.40s...'; allowed: %zu numbers "
                             "between commas",
                             path, number, line, 2 * w->d + 1);
        } else if (il_trajectory_add(w, x[0], x + 1, x + 1 + w->d) != IL_OK) {
            status = il_fail(err, IL_ENOMEM, "no memory for line %zu of '%s'", number, path);
        }
    }
    free(x);
    return status;
}

static il_status read_text(il_trajectory *w, char *text, const char *path, il_error *err) {
    static const char MARK[] = "\xef\xbb\xbf"; /* which spreadsheets put before UTF-8 */
    char *rest = text + (strncmp(text, MARK, sizeof MARK - 1) == 0 ? sizeof MARK - 1 : 0);
    char *line = next_line(&rest);
    size_t number = 1;
    for (; line != NULL && line[0] == '#'; number++) {
        line = next_line(&rest);
    }
    size_t d = line != NULL ? count_coordinates(line) : 0;
    if (d == 0) {
        return il_fail(err, IL_EINVAL,
                       "trajectory file '%s', line %zu: the columns are not t,q0,...,u0,...", path,
                       number);
    }
    il_status status = il_trajectory_init(w, d, 256, err);
    return status == IL_OK ? read_lines(w, rest, number + 1, path, err) : status;
}

static il_status read_file(il_trajectory *w, const char *path, il_error *err) {
    char *text = NULL;
    size_t n = 0;
    il_error why = {IL_OK, "No such file or directory"};
    il_status status = il_file_load(path, &text, &n, &why);
    if (text == NULL) {
        return il_fail(err, status == IL_ENOMEM ? status : IL_EIO, "cannot read '%s': %s", path,
                       why.message);
    }
    status = strlen(text) == n
                 ? read_text(w, text, path, err)
                 : il_fail(err, IL_EINVAL,
                           "trajectory file '%s' holds a zero byte; allowed: a text", path);
    free(text);
    return status;
}

const il_format_type il_format_csv = {
    .name = "csv",
    .text = "one line a node: t, q, u",
    .write = write_file,
    .read = read_file,
};
