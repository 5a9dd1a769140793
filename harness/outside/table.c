/*
 * table.c - columns of numbers from a text file, or from arrays in memory.
 */
#include "harness/outside/table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/io/file.h"
#include "harness/io/formats/trajectory_file.h"

const char *il_number_table_place(const il_number_table *w, size_t row, size_t column, char *out,
                                  size_t capacity) {
    (void)snprintf(out, capacity, "'%.200s', %s %zu", w->path, w->lines != NULL ? "line" : "row",
                   w->lines != NULL ? w->lines[row] : row + 1);
    if (column < w->n) {
        il_text_append(out, capacity, ", column %zu (%.40s)", column + 1, w->columns[column].name);
    }
    return out;
}

static il_status starved(const il_number_table *w, il_error *err) {
    return il_fail(err, IL_ENOMEM, "no memory for '%s'", w->path);
}

/* A column x[row * stride], called name[length] without blanks and quotes around it. */
static il_status add_column(il_number_table *w, const char *name, size_t length, const double *x,
                            size_t stride, il_error *err) {
    while (length > 0 && strchr(" \t\r\n\"", name[length - 1]) != NULL) {
        length--;
    }
    while (length > 0 && strchr(" \t\"", name[0]) != NULL) {
        name++;
        length--;
    }
    char *copy = strndup(name, length);
    if (copy == NULL || !il_memory_append(&w->columns, w->n, sizeof *w->columns)) {
        free(copy);
        return starved(w, err);
    }
    w->columns[w->n++] = (il_column){copy, x, stride};
    return IL_OK;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* No two columns have the same name. */
static il_status check_names(const il_number_table *w, il_error *err) {
    const char **names = malloc((w->n + 1) * sizeof *names);
    if (names == NULL) {
        return starved(w, err);
    }
    for (size_t k = 0; k < w->n; k++) {
        names[k] = w->columns[k].name;
    }
    qsort(names, w->n, sizeof *names, by_name);
    il_status status = IL_OK;
    for (size_t k = 1; status == IL_OK && k < w->n; k++) {
        if (strcmp(names[k], names[k - 1]) == 0) {
            status = il_fail(err, IL_EINVAL, "'%s' has two columns '%s'; allowed: one of a name",
                             w->path, names[k]);
        }
    }
    free(names);
    return status;
}

/* ---- CSV ------------------------------------------------------------------------------------ */

typedef struct {
    FILE *in;
    char *line;
    size_t room, number; /* lines read so far */
} reader;

/* The next line that is neither empty nor a comment; *any is false at the end. */
static il_status read_line(const il_number_table *w, reader *r, bool *any, il_error *err) {
    do {
        errno = 0;
        ssize_t n = getline(&r->line, &r->room, r->in);
        *any = n >= 0;
        r->number += *any;
        if (n < 0 && feof(r->in) == 0) {
            int reason = errno != 0 ? errno : EIO;
            return il_fail(err, il_status_of_errno(reason), "cannot read '%s' to its end: %s",
                           w->path, strerror(reason));
        }
        if (n > 0 && memchr(r->line, '\0', (size_t)n) != NULL) {
            return il_fail(err, IL_EINVAL, "'%s', line %zu holds a zero byte; allowed: a text",
                           w->path, r->number);
        }
    } while (*any && (r->line[0] == '#' || r->line[strspn(r->line, " \t\r\n")] == '\0'));
    return IL_OK;
}

static il_status read_names(il_number_table *w, reader *r, il_error *err) {
    static const char MARK[] = "\xef\xbb\xbf"; /* spreadsheets put it before UTF-8 */
    bool any = false;
    il_status status = read_line(w, r, &any, err);
    if (status == IL_OK && !any) {
        return il_fail(err, IL_EINVAL, "'%s' is empty; allowed: names of columns, then numbers",
                       w->path);
    }
    const char *at = r->line;
    if (status == IL_OK && strncmp(at, MARK, sizeof MARK - 1) == 0) {
        at += sizeof MARK - 1;
    }
    while (status == IL_OK && at != NULL) {
        size_t n = strcspn(at, ",");
        status = add_column(w, at, n, NULL, 0, err);
        at = at[n] == ',' ? at + n + 1 : NULL;
    }
    return status == IL_OK ? check_names(w, err) : status;
}

/* The numbers of a line become the last row. */
static il_status read_numbers(il_number_table *w, const char *line, il_error *err) {
    char place[320];
    size_t row = w->rows - 1;
    const char *at = line;
    for (size_t k = 0; k < w->n; k++) {
        char *end = NULL;
        w->numbers[row * w->n + k] = strtod(at, &end);
        end += strspn(end, " \t");
        bool last = *end == '\0' || *end == '\r' || *end == '\n';
        if (end == at || !(last || *end == ',')) {
            return il_fail(err, IL_EINVAL, "%s is '%.*s'; allowed: a number",
                           il_number_table_place(w, row, k, place, sizeof place),
                           (int)strcspn(at, ",\r\n"), at);
        }
        if (last != (k + 1 == w->n)) {
            return il_fail(err, IL_EINVAL, "%s has %s; allowed: %zu, as the line of names has",
                           il_number_table_place(w, row, w->n, place, sizeof place),
                           last ? "fewer numbers" : "more numbers", w->n);
        }
        at = end + 1;
    }
    return IL_OK;
}

static il_status read_csv(il_number_table *w, il_error *err) {
    il_error why = {IL_OK, ""};
    reader r = {.in = il_file_read(w->path, &why)};
    if (r.in == NULL) {
        return il_fail(err, why.code, "%s", why.message);
    }
    bool any = true;
    il_status status = read_names(w, &r, err);
    while (status == IL_OK) {
        status = read_line(w, &r, &any, err);
        if (status != IL_OK || !any) {
            break;
        }
        if (!il_memory_append(&w->lines, w->rows, sizeof *w->lines) ||
            !il_memory_append(&w->numbers, w->rows, w->n * sizeof *w->numbers)) {
            status = starved(w, err);
            break;
        }
        w->lines[w->rows++] = r.number;
        status = read_numbers(w, r.line, err);
    }
    for (size_t k = 0; k < w->n; k++) {
        w->columns[k].x = w->rows > 0 ? w->numbers + k : NULL;
        w->columns[k].stride = w->n;
    }
    free(r.line);
    (void)fclose(r.in);
    return status;
}

/* ---- in memory ------------------------------------------------------------------------------ */

/* Columns x0, x1, ... of an array of rows. */
static il_status add_columns(il_number_table *w, const char *name, const double *x, size_t columns,
                             il_error *err) {
    il_status status = IL_OK;
    char own[96];
    for (size_t k = 0; status == IL_OK && k < columns; k++) {
        int n = snprintf(own, sizeof own, "%.60s%zu", name, k);
        status = add_column(w, own, (size_t)n, x + k, columns, err);
    }
    return status;
}

static il_status add_samples(il_number_table *w, const il_samples_given *given, il_error *err) {
    w->rows = given->nodes;
    il_status status = add_column(w, "t", 1, given->t, 1, err);
    status = status == IL_OK ? add_columns(w, "q", given->q, given->d, err) : status;
    return status == IL_OK && given->u != NULL ? add_columns(w, "u", given->u, given->d, err)
                                               : status;
}

static il_status read_h5(il_number_table *w, il_error *err) {
    il_status status = il_trajectory_read(&w->run, w->path, &w->contacts, err);
    const il_trajectory *run = &w->run;
    const il_samples_given given = {run->nodes, run->d, run->t, run->q, run->u};
    return status == IL_OK ? add_samples(w, &given, err) : status;
}

static il_status read_npz(il_number_table *w, il_error *err) {
    il_status status = il_npz_read(&w->npz, w->path, err);
    for (size_t k = 0; status == IL_OK && k < w->npz.n; k++) {
        const il_npz_array *a = &w->npz.arrays[k];
        if (k > 0 && a->rows != w->rows) {
            return il_fail(err, IL_EINVAL,
                           "'%s': array '%.60s' has %zu rows, '%.60s' has %zu; allowed: as many",
                           w->path, a->name, a->rows, w->npz.arrays[0].name, w->rows);
        }
        w->rows = a->rows;
        status = a->flat ? add_column(w, a->name, strlen(a->name), a->x, 1, err)
                         : add_columns(w, a->name, a->x, a->columns, err);
    }
    return status == IL_OK ? check_names(w, err) : status;
}

/* ---- all ------------------------------------------------------------------------------------ */

il_status il_number_table_read(il_number_table *w, const char *path, il_error *err) {
    const char *end = il_file_extension(path);
    w->path = path;
    return strcmp(end, ".csv") == 0   ? read_csv(w, err)
           : strcmp(end, ".npz") == 0 ? read_npz(w, err)
           : strcmp(end, ".h5") == 0
               ? read_h5(w, err)
               : il_fail(err, IL_EINVAL, "the file is '%s'; allowed: NAME.csv, NAME.npz, NAME.h5",
                         path);
}

il_status il_number_table_of(il_number_table *w, const il_samples_given *given, il_error *err) {
    w->path = "samples";
    return add_samples(w, given, err);
}

void il_number_table_free(il_number_table *w) {
    for (size_t k = 0; k < w->n; k++) {
        free(w->columns[k].name);
    }
    free(w->columns);
    free(w->lines);
    free(w->numbers);
    il_npz_free(&w->npz);
    il_trajectory_free(&w->run);
}
