/*
 * spell.c - what is no number, or not finite, is an empty cell.
 */
#include "harness/results/spell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/draw/table.h"

/* As few digits as reading it back takes, at most `digits`. */
static char *number_text(double x, int digits) {
    char text[40];
    for (int k = 1; k <= digits; k++) {
        (void)snprintf(text, sizeof text, "%.*g", k, x);
        if (strtod(text, NULL) == x) {
            break;
        }
    }
    return strdup(text);
}

static char *cell(const il_column *c, size_t row, int digits, int key) {
    if (c->number) {
        return isnan(c->x[row]) ? strdup("") : number_text(c->x[row], digits);
    }
    const char *text = c->text[row] != NULL ? c->text[row] : "";
    char *copy = key > 0 && strcmp(c->name, "key") == 0 ? strndup(text, (size_t)key) : strdup(text);
    if (copy != NULL) {
        il_text_make_printable(copy, false);
    }
    return copy;
}

il_status il_columns_print(const il_columns *columns, FILE *out, unsigned format,
                           const char *caption, int key, il_error *err) {
    size_t n = columns->rows * columns->n;
    char **cells = calloc(n + 1, sizeof *cells);
    const char **heads = calloc(columns->n + 1, sizeof *heads);
    int digits = format == IL_TABLE_CSV ? 17 : 6;
    bool good = cells != NULL && heads != NULL;
    for (size_t j = 0; good && j < columns->n; j++) {
        heads[j] = columns->list[j].name;
        for (size_t i = 0; good && i < columns->rows; i++) {
            cells[i * columns->n + j] = cell(&columns->list[j], i, digits, key);
            good = cells[i * columns->n + j] != NULL;
        }
    }
    il_table table = {.name = "cases",
                      .caption = caption,
                      .columns = columns->n,
                      .rows = columns->rows,
                      .heads = heads,
                      .cells = (const char *const *)cells};
    il_status status = good ? il_table_print(&table, out, format, err)
                            : il_fail(err, IL_ENOMEM, "no memory for a table of cases");
    for (size_t k = 0; cells != NULL && k < n; k++) {
        free(cells[k]);
    }
    free(cells);
    free(heads);
    return status;
}

json_t *il_columns_json(const il_columns *columns) {
    il_json w = {false};
    json_t *all = json_array();
    for (size_t i = 0; i < columns->rows; i++) {
        json_t *row = json_object();
        for (size_t j = 0; j < columns->n; j++) {
            const il_column *c = &columns->list[j];
            if (c->number && c->x[i] == floor(c->x[i]) && fabs(c->x[i]) < 1e15) {
                il_json_set(&w, row, c->name, json_integer((json_int_t)c->x[i]));
            } else if (c->number) {
                il_json_put(&w, row, c->name, c->x[i]);
            } else {
                il_json_put_text(&w, row, c->name, c->text[i]);
            }
        }
        il_json_append(&w, all, row);
    }
    return il_json_done(&w, all);
}
