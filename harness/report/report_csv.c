/*
 * report_csv.c - RFC 4180: cells parted by commas, rows by line ends; a cell in double quotes may
 * hold both, and double quotes doubled. A ' before a cell that spreadsheets would take for a
 * formula (put there by harness/draw/table.c) is dropped.
 */
#include "harness/report/report_csv.h"

#include <stdbool.h>
#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"

/* Unquote the cell at *at in place, move *at behind its end, and say what ended it: ',' or '\n', or
 * '\0' for the end of the text. */
static char cell_end(char **at) {
    char *from = *at;
    char *to = *at;
    if (*from == '"') {
        for (from++; *from != '\0' && (*from != '"' || from[1] == '"'); from++) {
            from += *from == '"';
            *to++ = *from;
        }
        from += *from == '"';
    }
    while (*from != '\0' && *from != ',' && *from != '\n' && *from != '\r') {
        *to++ = *from++;
    }
    from += from[0] == '\r' && from[1] == '\n';
    char end = *from;
    if (end == '\r') {
        end = '\n';
    }
    *at = end == '\0' ? from : from + 1;
    *to = '\0';
    return end;
}

static il_status push(il_csv *csv, size_t cells, char *cell, il_error *err) {
    if (cells == csv->capacity) {
        size_t capacity = 2 * csv->capacity + 64;
        if (!il_memory_grow(&csv->cell, capacity, sizeof *csv->cell)) {
            return il_fail(err, IL_ENOMEM, "no memory for a table of %zu cells", cells);
        }
        csv->capacity = capacity;
    }
    bool guarded = cell[0] == '\'' && il_text_is_formula(cell + 1);
    csv->cell[cells] = cell + guarded;
    return IL_OK;
}

il_status il_csv_parse(il_csv *csv, char *text, const char *name, il_error *err) {
    size_t cells = 0;
    size_t in_row = 0;
    *csv = (il_csv){0};
    while (*text != '\0') {
        char *start = text;
        char end = cell_end(&text);
        il_status status = push(csv, cells, start, err);
        if (status != IL_OK) {
            return status;
        }
        cells++;
        in_row++;
        if (end == ',') {
            continue;
        }
        csv->columns = csv->rows == 0 ? in_row : csv->columns;
        if (in_row != csv->columns) {
            return il_fail(err, IL_EINVAL, "'%s', row %zu has %zu cells; the first row has %zu",
                           name, csv->rows + 1, in_row, csv->columns);
        }
        csv->rows++;
        in_row = 0;
    }
    if (csv->rows == 0 || in_row != 0) {
        return il_fail(err, IL_EINVAL, "'%s' %s", name,
                       csv->rows == 0 ? "has no rows" : "ends in the middle of a row");
    }
    return IL_OK;
}

void il_csv_free(il_csv *csv) {
    free(csv->cell);
    *csv = (il_csv){0};
}
