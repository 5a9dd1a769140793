/*
 * format_csv.c - one line a node: columns t, q0.., u0.., all digits (%.17g); the record in a
 * comment before them. Of a run with motions inside its steps, one line a piece, at its end, and
 * columns step, c00, c01, .., c10, .. (harness/data/dense.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/data/dense.h"
#include "harness/io/file.h"
#include "harness/io/formats/trajectory_file.h"

static void print_header(FILE *out, const il_trajectory *w) {
    size_t d = w->d;
    if (w->pieces.n > 0) {
        (void)fprintf(out, "# dense: %s\n", il_dense_text);
    }
    (void)fputc('t', out);
    for (size_t i = 0; i < d; i++) {
        (void)fprintf(out, ",q%zu", i);
    }
    for (size_t i = 0; i < d; i++) {
        (void)fprintf(out, ",u%zu", i);
    }
    for (size_t k = 0; w->pieces.n > 0 && k <= w->pieces.degree; k++) {
        (void)fputs(k == 0 ? ",step" : "", out);
        for (size_t i = 0; i < d; i++) {
            (void)fprintf(out, ",c%zu%zu", k, i);
        }
    }
    (void)fputc('\n', out);
}

static void print_vector(FILE *out, const double *x, size_t d) {
    for (size_t i = 0; i < d; i++) {
        (void)fprintf(out, ",%.17g", x[i]);
    }
}

static void print_row(FILE *out, const il_trajectory *w, const il_dense *rows, size_t n) {
    (void)fprintf(out, "%.17g", rows->t[n]);
    print_vector(out, rows->q + n * w->d, w->d);
    print_vector(out, rows->u + n * w->d, w->d);
    if (w->pieces.n > 0) {
        size_t size = (w->pieces.degree + 1) * w->d;
        (void)fprintf(out, ",%zu", (size_t)rows->step[n]);
        print_vector(out, rows->c + n * size, size);
    }
    (void)fputc('\n', out);
}

/* How often a file that is being written checks for an interruption. */
enum { LINES = 256 };

static il_status write_file(const il_trajectory *w, const char *path, const char *record,
                            il_error *err) {
    il_file file;
    il_dense rows;
    il_status status = il_file_open(&file, path, err);
    if (status != IL_OK) {
        return status;
    }
    il_dense_make(&rows, w);
    (void)fprintf(file.stream, "# %s\n", record);
    print_header(file.stream, w);
    for (size_t n = 0; n < rows.n && status == IL_OK; n++) {
        print_row(file.stream, w, &rows, n);
        if (n % LINES == 0 && il_interrupt_presses()) {
            status = il_fail(err, IL_EINTERRUPTED, "%s while '%s' was written",
                             il_interrupt_reason(), path);
        }
    }
    il_dense_free(&rows);
    return il_file_end(&file, status, err);
}

/* ---- reading -------------------------------------------------------------------------------- */

/* The dimension d that a header t,q0,..,u0,.. names, 0 where it is another; with step,c00,.. behind
 * it, *coefficients of each, else 0. */
static size_t read_header(const char *line, size_t *coefficients) {
    size_t d = 0;
    *coefficients = 0;
    for (const char *c = line; (c = strstr(c, ",q")) != NULL; c++) {
        d++;
    }
    size_t commas = 0;
    for (const char *c = line; *c != '\0'; c++) {
        commas += *c == ',';
    }
    if (d == 0 || line[0] != 't') {
        return 0;
    }
    bool dense = commas > 2 * d;
    *coefficients = dense ? (commas - 1) / d - 2 : 0;
    line++;
    for (size_t k = 0; k < commas; k++) {
        char name[48];
        size_t c = dense && k > 2 * d ? k - 2 * d - 1 : 0;
        int n = k == 2 * d  ? snprintf(name, sizeof name, ",step")
                : k > 2 * d ? snprintf(name, sizeof name, ",c%zu%zu", c / d, c % d)
                            : snprintf(name, sizeof name, ",%c%zu", k < d ? 'q' : 'u', k % d);
        if (strncmp(line, name, (size_t)n) != 0) {
            return 0;
        }
        line += n;
    }
    bool whole = commas == 2 * d || commas == 2 * d + 1 + *coefficients * d;
    return whole && line[strspn(line, "\r\n")] == '\0' ? d : 0;
}

/* The n numbers of a line into x; false where it holds others, or more. */
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
static il_status read_lines(il_trajectory *w, size_t coefficients, char *rest, size_t number,
                            const char *path, il_error *err) {
    size_t d = w->d;
    size_t n = 2 * d + 1 + (coefficients > 0 ? 1 + coefficients * d : 0);
    double *x = il_alloc(n, sizeof *x);
    il_status status = IL_OK;
    il_dense_reading reading = {.run = w, .coefficients = coefficients, .stepped = true};
    il_error why = {IL_OK, ""};
    for (char *line = NULL; status == IL_OK && (line = next_line(&rest)) != NULL; number++) {
        if (!read_numbers(line, n, x)) {
            (void)il_fail(&why, IL_EINVAL, "'%.40s...'; allowed: %zu numbers between commas", line,
                          n);
            status = IL_EINVAL;
        } else if (coefficients > 0) {
            status =
                il_dense_read(&reading, x[0], x + 1, x + 1 + d, x[2 * d + 1], x + 2 * d + 2, &why);
        } else if (il_trajectory_add(w, x[0], x + 1, x + 1 + d) != IL_OK) {
            status = il_fail(&why, IL_ENOMEM, "no memory for a node");
        }
    }
    status = status == IL_OK ? il_dense_end(&reading, &why) : status;
    if (status != IL_OK) {
        status = il_fail(err, status == IL_ENOMEM ? status : IL_EINVAL,
                         "trajectory file '%s', line %zu: %s", path, number - 1, why.message);
    }
    il_dense_reading_free(&reading);
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
    size_t coefficients = 0;
    size_t d = line != NULL ? read_header(line, &coefficients) : 0;
    if (d == 0) {
        return il_fail(err, IL_EINVAL,
                       "trajectory file '%s', line %zu: the columns are not t,q0,...,u0,..., "
                       "behind them step,c00,... or nothing",
                       path, number);
    }
    il_status status = il_trajectory_init(w, d, 256, err);
    return status == IL_OK ? read_lines(w, coefficients, rest, number + 1, path, err) : status;
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
    .text = "one line a node: t, q, u; with motions inside steps one a piece",
    .write = write_file,
    .read = read_file,
};
