/*
 * table.c - columns of numbers from a text file, or from arrays in memory.
 */
#include "harness/outside/table.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/memory_limit.h"
#include "harness/base/text.h"
#include "harness/io/file.h"
#include "harness/io/formats/hdf5_file.h"

const char *il_number_table_place(const il_number_table *w, size_t row, size_t column, char *out,
                                  size_t capacity) {
    (void)snprintf(out, capacity, "'%.200s', %s %zu", w->path, w->lines != NULL ? "line" : "row",
                   w->lines != NULL ? w->lines[row] : row + 1);
    if (column < w->n) {
        il_text_append(out, capacity, ", column %zu (%.40s)", column + 1, w->columns[column].name);
    }
    return out;
}

/* A column like this one, called name[length] without blanks and quotes around it. */
static void add_column(il_number_table *w, const char *name, size_t length, il_column column) {
    while (length > 0 && strchr(" \t\r\n\"", name[length - 1]) != NULL) {
        length--;
    }
    while (length > 0 && strchr(" \t\"", name[0]) != NULL) {
        name++;
        length--;
    }
    char *copy = il_alloc_letters(name, length);
    il_memory_append(&w->columns, w->n, sizeof *w->columns);
    column.name = copy;
    w->columns[w->n++] = column;
}

static int by_name(const void *a, const void *b, void *columns) {
    const il_column *w = columns;
    return strcmp(w[*(const size_t *)a].name, w[*(const size_t *)b].name);
}

static il_status sort_names(il_number_table *w, il_error *err) {
    w->by_name = il_alloc(w->n, sizeof *w->by_name);
    for (size_t k = 0; k < w->n; k++) {
        w->by_name[k] = k;
    }
    qsort_r(w->by_name, w->n, sizeof *w->by_name, by_name, w->columns);
    for (size_t k = 1; k < w->n; k++) {
        const char *name = w->columns[w->by_name[k]].name;
        if (strcmp(w->columns[w->by_name[k - 1]].name, name) == 0) {
            return il_fail(err, IL_EINVAL, "'%s' has two columns '%.60s'; allowed: one of a name",
                           w->path, name);
        }
    }
    return IL_OK;
}

bool il_number_table_find(const il_number_table *w, const char *name, size_t *column) {
    size_t low = 0;
    size_t high = w->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(w->columns[w->by_name[middle]].name, name);
        *column = w->by_name[middle];
        if (order == 0) {
            return w->columns[*column].x != NULL;
        }
        *(order < 0 ? &low : &high) = order < 0 ? middle + 1 : middle;
    }
    return false;
}

/* ---- CSV ------------------------------------------------------------------------------------ */

typedef struct {
    FILE *in;
    char *line, *comment;              /* the last one before the names */
    size_t room, comment_room, number; /* lines read so far */
    char between;                      /* numbers; ' ' stands for any blanks */
} reader;

/* The next line that is neither empty nor a comment; *any is false at the end. */
static il_status read_line(const il_number_table *w, reader *r, bool *any, il_error *err) {
    for (;;) {
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
        if (*any && w->n == 0 && r->line[0] == '#') {
            char *line = r->comment;
            size_t room = r->comment_room;
            r->comment = r->line;
            r->comment_room = r->room;
            r->line = line;
            r->room = room;
        } else if (!*any || (r->line[0] != '#' && r->line[strspn(r->line, " \t\r\n")] != '\0')) {
            return IL_OK;
        }
    }
}

static size_t field_of(const reader *r, const char *at) {
    return r->between == ' ' ? strcspn(at, " \t\r\n")
                             : strcspn(at, (const char[]){r->between, '\r', '\n', '\0'});
}

/* Where the field behind this end of one begins; NULL: the line ends here. */
static const char *next_field(const reader *r, const char *end) {
    const char *at = end + strspn(end, r->between == '\t' ? " " : " \t");
    return *at == '\0' || *at == '\r' || *at == '\n' ? NULL : at + (r->between != ' ');
}

/* The names of columns; *first is a line of numbers that was read with them, or NULL. */
static il_status read_names(il_number_table *w, reader *r, const char **first, il_error *err) {
    static const char MARK[] = "\xef\xbb\xbf"; /* spreadsheets put it before UTF-8 */
    bool any = false;
    il_status status = read_line(w, r, &any, err);
    if (status != IL_OK) {
        return status;
    }
    if (!any) {
        return il_fail(err, IL_EINVAL, "'%s' is empty; allowed: names of columns, then numbers",
                       w->path);
    }
    const char *at = r->line + (strncmp(r->line, MARK, sizeof MARK - 1) == 0 ? sizeof MARK - 1 : 0);
    char *end = NULL;
    (void)strtod(at, &end);
    if (end != at && strchr(",; \t\r\n", *end) != NULL) {
        *first = at;
        at = r->comment != NULL ? r->comment + strspn(r->comment, "# ") : "\n";
        if (*at == '\n') {
            return il_fail(err, IL_EINVAL,
                           "'%s', line %zu has numbers; allowed: a line of names before them: "
                           "t,q0,...",
                           w->path, r->number);
        }
    }
    const char *found = strpbrk(at, ",;\t");
    r->between = strchr(at, ' ') != NULL ? ' ' : ',';
    if (found != NULL) {
        r->between = *found;
    }
    while (at != NULL) {
        size_t n = field_of(r, at);
        add_column(w, at, n, (il_column){.stride = 0, .why = ""});
        at = next_field(r, at + n);
    }
    return sort_names(w, err);
}

/* The numbers of a line become the last row. */
static il_status read_numbers(il_number_table *w, const reader *r, const char *line,
                              il_error *err) {
    char place[320];
    size_t row = w->rows - 1;
    const char *at = line;
    for (size_t k = 0; k < w->n; k++) {
        char *end = NULL;
        w->numbers[row * w->n + k] = strtod(at, &end);
        const char *next = next_field(r, end);
        bool parted = next == NULL || (r->between == ' ' ? next > end : next[-1] == r->between);
        if (end == at || !parted) {
            return il_fail(err, IL_EINVAL, "%s is '%.*s'; allowed: a number, as 1.5",
                           il_number_table_place(w, row, k, place, sizeof place),
                           (int)field_of(r, at), at);
        }
        if ((next == NULL) != (k + 1 == w->n)) {
            return il_fail(err, IL_EINVAL, "%s has %s; allowed: %zu, as the line of names has",
                           il_number_table_place(w, row, w->n, place, sizeof place),
                           next == NULL ? "fewer numbers" : "more numbers", w->n);
        }
        at = next;
    }
    return IL_OK;
}

/* Room for a row more. */
static il_status make_room(il_number_table *w, il_error *err) {
    bool full = (w->rows & (w->rows - 1)) == 0;
    size_t room = w->rows > 0 ? 2 * w->rows : 1;
    il_memory_append(&w->lines, w->rows, sizeof *w->lines);
    return full ? il_memory_ask(&w->numbers, room, w->n * sizeof *w->numbers, "rows", err) : IL_OK;
}

static il_status read_rows(il_number_table *w, reader *r, il_error *err) {
    const char *line = NULL;
    bool any = true;
    il_status status = read_names(w, r, &line, err);
    while (status == IL_OK) {
        status = line == NULL ? read_line(w, r, &any, err) : IL_OK;
        status = status == IL_OK && any ? make_room(w, err) : status;
        if (status != IL_OK || !any) {
            break;
        }
        w->lines[w->rows++] = r->number;
        status = read_numbers(w, r, line != NULL ? line : r->line, err);
        line = NULL;
    }
    return status;
}

static il_status read_csv(il_number_table *w, il_error *err) {
    il_error why = {IL_OK, ""};
    reader r = {.in = il_file_read(w->path, &why)};
    if (r.in == NULL) {
        return il_fail(err, why.code, "%s", why.message);
    }
    static const double none = 0.0;
    il_status status = read_rows(w, &r, err);
    for (size_t k = 0; k < w->n; k++) {
        w->columns[k].x = w->rows > 0 ? w->numbers + k : &none;
        w->columns[k].stride = w->n;
    }
    free(r.line);
    free(r.comment);
    (void)fclose(r.in);
    return status;
}

/* ---- in memory ------------------------------------------------------------------------------ */

/* Columns x0, x1, ... of an array of rows. */
static void add_columns(il_number_table *w, const char *name, const double *x, size_t columns,
                        int bits) {
    char own[96];
    for (size_t k = 0; k < columns; k++) {
        int n = snprintf(own, sizeof own, "%.60s%zu", name, k);
        add_column(w, own, (size_t)n, (il_column){NULL, x + k, columns, "", bits});
    }
}

static il_status add_samples(il_number_table *w, const il_samples_given *given, il_error *err) {
    w->rows = given->nodes;
    add_column(w, "t", 1, (il_column){NULL, given->t, 1, "", 0});
    add_columns(w, "q", given->q, given->d, 0);
    if (given->u != NULL) {
        add_columns(w, "u", given->u, given->d, 0);
    }
    return sort_names(w, err);
}

/* Every array has as many rows as that of times, or else as the first. */
static il_status add_arrays(il_number_table *w, il_error *err) {
    for (size_t k = w->arrays.n; k-- > 0;) {
        const il_npz_array *a = &w->arrays.arrays[k];
        bool times = strcmp(a->name, "t") == 0 || strcmp(a->name, "time") == 0;
        w->rows = a->x != NULL && (times || w->rows == 0) ? a->rows : w->rows;
    }
    for (size_t k = 0; k < w->arrays.n; k++) {
        il_npz_array *a = &w->arrays.arrays[k];
        if (a->x != NULL && a->rows != w->rows) {
            (void)snprintf(a->why, sizeof a->why, "of %zu rows, not %zu", a->rows, w->rows);
        }
        bool single = a->why[0] != '\0' || a->dimensions == 1;
        const il_column one = {NULL, a->why[0] != '\0' ? NULL : a->x, 1, a->why, a->bits};
        if (single) {
            add_column(w, a->name, strlen(a->name), one);
        } else {
            add_columns(w, a->name, a->x, a->columns, a->bits);
        }
    }
    return sort_names(w, err);
}

/* ---- HDF5 ----------------------------------------------------------------------------------- */

enum { STEP, ID, IMPULSE, ARRAYS = 19, OTHERS = ARRAYS };

static const char *const names[ARRAYS + 1] = {"contacts/step",
                                              "contacts/id",
                                              "contacts/impulse",
                                              "t",
                                              "time",
                                              "q",
                                              "u",
                                              "v",
                                              "impulse",
                                              "impulses",
                                              "step",
                                              "c0",
                                              "c1",
                                              "c2",
                                              "c3",
                                              "c4",
                                              "c5",
                                              "c6",
                                              "c7",
                                              "*"};

static int by_step(const void *a, const void *b) {
    const il_contact *x = a;
    const il_contact *y = b;
    return x->step != y->step ? (x->step > y->step) - (x->step < y->step)
                              : (x->id > y->id) - (x->id < y->id);
}

/* The list of contacts, sorted by step. */
static il_status take_contacts(il_number_table *w, const il_hdf5_numbers *read, il_error *err) {
    static const double MOST = 9007199254740992.0; /* 2^53 */
    size_t n = read[STEP].n;
    if (n != read[ID].n || n != read[IMPULSE].n) {
        return il_fail(err, IL_EINVAL,
                       "'%s': contacts are step, id and impulse, of the same length; %s", w->path,
                       read[STEP].head.why[0] != '\0' ? read[STEP].head.why
                       : read[ID].head.why[0] != '\0' ? read[ID].head.why
                                                      : read[IMPULSE].head.why);
    }
    w->listed = n != SIZE_MAX;
    w->ncontacts = w->listed ? n : 0;
    w->contacts = il_alloc(w->ncontacts, sizeof *w->contacts);
    bool sorted = true;
    for (size_t k = 0; k < w->ncontacts; k++) {
        double step = read[STEP].x[k];
        double id = read[ID].x[k];
        if (!(step >= 1.0 && step < (double)w->rows && step == floor(step) && id >= 0.0 &&
              id <= MOST && id == floor(id) && isfinite(read[IMPULSE].x[k]))) {
            return il_fail(err, IL_EINVAL,
                           "'%s': contact %zu is of step %g, constraint %g, impulse %g; allowed: "
                           "steps 1 to %zu, and finite impulses",
                           w->path, k + 1, step, id, read[IMPULSE].x[k], w->rows - 1);
        }
        w->contacts[k] = (il_contact){(size_t)step, (size_t)id, read[IMPULSE].x[k]};
        sorted = sorted && (k == 0 || w->contacts[k - 1].step <= w->contacts[k].step);
    }
    if (!sorted) {
        qsort(w->contacts, w->ncontacts, sizeof *w->contacts, by_step);
    }
    return IL_OK;
}

/* The datasets as arrays; their numbers are moved. */
static il_status take_datasets(il_number_table *w, il_hdf5_numbers *read, il_error *err) {
    w->arrays.arrays = il_alloc_zero(ARRAYS, sizeof *w->arrays.arrays);
    for (size_t k = IMPULSE + 1; k < ARRAYS; k++) {
        il_npz_array *a = &w->arrays.arrays[w->arrays.n];
        const il_hdf5_head *head = &read[k].head;
        if (head->rank >= 1 || head->why[0] != '\0') {
            *a = (il_npz_array){.rows = head->dims[0],
                                .columns = head->dims[1],
                                .dimensions = (size_t)(head->rank > 0 ? head->rank : 0),
                                .x = read[k].x};
            (void)snprintf(a->name, sizeof a->name, "%s", names[k]);
            (void)snprintf(a->why, sizeof a->why, "%s", head->why);
            read[k].x = NULL;
            w->arrays.n++;
        }
    }
    const il_column other = {.why = "another name than those that are read"};
    for (const char *at = read[OTHERS].head.why; *at != '\0'; at += *at == ',') {
        size_t n = strcspn(at, ",");
        add_column(w, at, n, other);
        at += n;
    }
    il_status status = add_arrays(w, err);
    return status == IL_OK && w->rows > 0 ? take_contacts(w, read, err) : status;
}

static il_status read_h5(il_number_table *w, il_error *err) {
    il_hdf5_numbers read[ARRAYS + 1];
    il_status status = il_hdf5_file_read(w->path, names, ARRAYS + 1, read, err);
    status = status == IL_OK ? take_datasets(w, read, err) : status;
    il_hdf5_numbers_free(read, ARRAYS + 1);
    return status;
}

static il_status read_npz(il_number_table *w, il_error *err) {
    il_status status = il_npz_read(&w->arrays, w->path, err);
    return status == IL_OK ? add_arrays(w, err) : status;
}

/* ---- all ------------------------------------------------------------------------------------ */

il_status il_number_table_read(il_number_table *w, const char *path, il_error *err) {
    const char *end = il_file_extension(path);
    w->path = path;
    return strcmp(end, ".csv") == 0   ? read_csv(w, err)
           : strcmp(end, ".npz") == 0 ? read_npz(w, err)
           : strcmp(end, ".h5") == 0
               ? read_h5(w, err)
               : il_fail(err, IL_EINVAL,
                         "the file is '%s'; allowed: NAME.csv, NAME.npz (numpy.savez of t, q, u), "
                         "NAME.h5, not packed",
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
    free(w->by_name);
    free(w->lines);
    free(w->contacts);
    free(w->numbers);
    il_npz_free(&w->arrays);
}
