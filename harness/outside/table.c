/*
 * table.c - rows of numbers from a text file, or from arrays in memory.
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
#include "harness/outside/npz.h"

/* A column in memory: x[row * stride]. */
typedef struct {
    const double *x;
    size_t stride;
} array;

struct il_table {
    const char *path;
    char *kept_path;
    size_t n;     /* columns */
    char **names; /* [n] */
    size_t row;   /* rows read so far */
    /* CSV */
    FILE *in;
    char *line;
    size_t room, number; /* lines read so far */
    long first;          /* where the first row begins, */
    size_t first_number; /* and after how many lines */
    /* in memory */
    size_t rows;
    array *arrays; /* [n] */
    il_trajectory run;
    bool contacts; /* it has a list of them */
    il_npz npz;
};

size_t il_table_columns(const il_table *table) {
    return table->n;
}

const char *il_table_name(const il_table *table, size_t column) {
    return table->names[column];
}

const char *il_table_place(const il_table *w, const size_t *column, char *out, size_t capacity) {
    bool lines = w->in != NULL;
    (void)snprintf(out, capacity, "'%.200s', %s %zu", w->path, lines ? "line" : "row",
                   lines ? w->number : w->row);
    if (column != NULL) {
        il_text_append(out, capacity, ", column %zu (%.40s)", *column + 1, w->names[*column]);
    }
    return out;
}

static il_status starved(const il_table *w, il_error *err) {
    return il_fail(err, IL_ENOMEM, "no memory for '%s'", w->path);
}

static il_status add_name(il_table *w, const char *name, size_t length, il_error *err) {
    while (length > 0 && strchr(" \t\r\n\"", name[length - 1]) != NULL) {
        length--;
    }
    while (length > 0 && strchr(" \t\"", name[0]) != NULL) {
        name++;
        length--;
    }
    for (size_t k = 0; k < w->n; k++) {
        if (strlen(w->names[k]) == length && strncmp(w->names[k], name, length) == 0) {
            return il_fail(err, IL_EINVAL, "'%s' has two columns '%.*s'; allowed: one of a name",
                           w->path, (int)length, name);
        }
    }
    char *copy = strndup(name, length);
    if (copy == NULL || !il_memory_append(&w->names, w->n, sizeof *w->names)) {
        free(copy);
        return starved(w, err);
    }
    w->names[w->n++] = copy;
    return IL_OK;
}

/* ---- CSV ------------------------------------------------------------------------------------ */

static il_status read_line(il_table *w, bool *any, il_error *err) {
    do {
        errno = 0;
        ssize_t n = getline(&w->line, &w->room, w->in);
        *any = n >= 0;
        w->number += *any;
        if (n < 0 && feof(w->in) == 0) {
            int reason = errno != 0 ? errno : EIO;
            return il_fail(err, il_status_of_errno(reason), "cannot read '%s' to its end: %s",
                           w->path, strerror(reason));
        }
        if (n > 0 && memchr(w->line, '\0', (size_t)n) != NULL) {
            return il_fail(err, IL_EINVAL, "'%s', line %zu holds a zero byte; allowed: a text",
                           w->path, w->number);
        }
    } while (*any && (w->line[0] == '#' || w->line[strspn(w->line, " \t\r\n")] == '\0'));
    return IL_OK;
}

static il_status open_csv(il_table *w, il_error *err) {
    static const char MARK[] = "\xef\xbb\xbf"; /* spreadsheets put it before UTF-8 */
    il_error why = {IL_OK, ""};
    w->in = il_file_read(w->path, &why);
    if (w->in == NULL) {
        return il_fail(err, why.code, "%s", why.message);
    }
    bool any = false;
    il_status status = read_line(w, &any, err);
    if (status == IL_OK && !any) {
        return il_fail(err, IL_EINVAL, "'%s' is empty; allowed: names of columns, then numbers",
                       w->path);
    }
    const char *at = w->line;
    if (status == IL_OK && strncmp(at, MARK, sizeof MARK - 1) == 0) {
        at += sizeof MARK - 1;
    }
    while (status == IL_OK && at != NULL) {
        const char *comma = strchr(at, ',');
        status = add_name(w, at, comma != NULL ? (size_t)(comma - at) : strlen(at), err);
        at = comma != NULL ? comma + 1 : NULL;
    }
    w->first = ftell(w->in);
    w->first_number = w->number;
    return status;
}

static il_status next_line(il_table *w, double *x, bool *any, il_error *err) {
    char place[320];
    il_status status = read_line(w, any, err);
    const char *at = w->line;
    for (size_t k = 0; status == IL_OK && *any && k < w->n; k++) {
        char *end = NULL;
        x[k] = strtod(at, &end);
        end += strspn(end, " \t");
        bool last = *end == '\0' || *end == '\r' || *end == '\n';
        if (end == at || !(last || *end == ',')) {
            return il_fail(err, IL_EINVAL, "%s is '%.*s'; allowed: a number",
                           il_table_place(w, &k, place, sizeof place), (int)strcspn(at, ",\r\n"),
                           at);
        }
        if (last != (k + 1 == w->n)) {
            return il_fail(err, IL_EINVAL, "%s has %s; allowed: %zu, as the line of names has",
                           il_table_place(w, NULL, place, sizeof place),
                           last ? "fewer numbers" : "more numbers", w->n);
        }
        at = end + 1;
    }
    return status;
}

/* ---- in memory ------------------------------------------------------------------------------ */

static il_status add_array(il_table *w, const char *name, const double *x, size_t stride,
                           il_error *err) {
    if (!il_memory_append(&w->arrays, w->n, sizeof *w->arrays)) {
        return starved(w, err);
    }
    w->arrays[w->n] = (array){x, stride};
    return add_name(w, name, strlen(name), err);
}

/* Columns x0, x1, ... of an array of rows. */
static il_status add_arrays(il_table *w, const char *name, const double *x, size_t columns,
                            il_error *err) {
    il_status status = IL_OK;
    char own[96];
    for (size_t k = 0; status == IL_OK && k < columns; k++) {
        (void)snprintf(own, sizeof own, "%.60s%zu", name, k);
        status = add_array(w, own, x + k, columns, err);
    }
    return status;
}

static il_status open_h5(il_table *w, il_error *err) {
    il_status status = il_trajectory_read(&w->run, w->path, &w->contacts, err);
    w->rows = w->run.nodes;
    if (status == IL_OK) {
        status = add_array(w, "t", w->run.t, 1, err);
    }
    if (status == IL_OK) {
        status = add_arrays(w, "q", w->run.q, w->run.d, err);
    }
    return status == IL_OK ? add_arrays(w, "u", w->run.u, w->run.d, err) : status;
}

static il_status open_npz(il_table *w, il_error *err) {
    il_status status = il_npz_read(&w->npz, w->path, err);
    for (size_t k = 0; status == IL_OK && k < w->npz.n; k++) {
        const il_npz_array *a = &w->npz.arrays[k];
        if (k > 0 && a->rows != w->rows) {
            return il_fail(err, IL_EINVAL,
                           "'%s': array '%.60s' has %zu rows, '%.60s' has %zu; allowed: as many",
                           w->path, a->name, a->rows, w->npz.arrays[0].name, w->rows);
        }
        w->rows = a->rows;
        status = a->flat ? add_array(w, a->name, a->x, 1, err)
                         : add_arrays(w, a->name, a->x, a->columns, err);
    }
    return status;
}

const il_trajectory *il_table_contacts(const il_table *table) {
    return table->contacts ? &table->run : NULL;
}

/* ---- all ------------------------------------------------------------------------------------ */

il_status il_table_open(il_table **out, const char *path, il_error *err) {
    il_table *w = calloc(1, sizeof *w);
    *out = w;
    if (w == NULL || (w->kept_path = strdup(path)) == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for '%s'", path);
    }
    w->path = w->kept_path;
    const char *end = il_file_extension(path);
    if (strcmp(end, ".csv") == 0) {
        return open_csv(w, err);
    }
    if (strcmp(end, ".npz") == 0) {
        return open_npz(w, err);
    }
    if (strcmp(end, ".h5") == 0) {
        return open_h5(w, err);
    }
    return il_fail(err, IL_EINVAL, "the file is '%s'; allowed: NAME.csv, NAME.npz, NAME.h5", path);
}

il_status il_table_of(il_table **out, const il_samples_given *given, il_error *err) {
    il_table *w = calloc(1, sizeof *w);
    *out = w;
    if (w == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for samples");
    }
    w->path = "samples";
    w->rows = given->nodes;
    il_status status = add_array(w, "t", given->t, 1, err);
    status = status == IL_OK ? add_arrays(w, "q", given->q, given->d, err) : status;
    return status == IL_OK && given->u != NULL ? add_arrays(w, "u", given->u, given->d, err)
                                               : status;
}

void il_table_close(il_table *w) {
    if (w == NULL) {
        return;
    }
    if (w->in != NULL) {
        (void)fclose(w->in);
    }
    for (size_t k = 0; k < w->n; k++) {
        free(w->names[k]);
    }
    free(w->names);
    free(w->line);
    free(w->arrays);
    il_trajectory_free(&w->run);
    il_npz_free(&w->npz);
    free(w->kept_path);
    free(w);
}

il_status il_table_rewind(il_table *w, il_error *err) {
    w->row = 0;
    if (w->in != NULL) {
        w->number = w->first_number;
        if (fseek(w->in, w->first, SEEK_SET) != 0) {
            return il_fail(err, IL_EIO, "cannot read '%s' twice: %s", w->path, strerror(errno));
        }
    }
    return IL_OK;
}

il_status il_table_next(il_table *w, double *x, bool *any, il_error *err) {
    il_status status = IL_OK;
    if (w->in != NULL) {
        status = next_line(w, x, any, err);
    } else {
        *any = w->row < w->rows;
        for (size_t k = 0; *any && k < w->n; k++) {
            x[k] = w->arrays[k].x[w->row * w->arrays[k].stride];
        }
    }
    w->row += *any;
    return status;
}
