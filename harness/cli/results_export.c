/*
 * results_export.c - `impactlab results export`: cases as a file for other programs.
 */
#include <stdio.h>

#include "harness/cli/results.h"
#include "harness/results/results.h"

/* What a page has room for, and of the errors those that there are. */
static size_t choose_narrow(const il_index *index, const char **names) {
    static const char *const usual[] = {"key", "problem", "scheme", "steps", "h", "status"};
    static const char *const errors[] = {"error.q_Linf", "error.u_L1"};
    size_t n = 0;
    for (; n < sizeof usual / sizeof usual[0]; n++) {
        names[n] = usual[n];
    }
    for (size_t k = 0; k < sizeof errors / sizeof errors[0]; k++) {
        if (il_index_find(index, errors[k], NULL) != NULL) {
            names[n++] = errors[k];
        }
    }
    return n;
}

il_status il_cli_results_export(const il_cli_results *q, il_index *index, il_error *err) {
    const char *narrow[16];
    il_where where;
    il_export_format format = IL_EXPORT_CSV;
    il_columns rows = {.rows = 0};
    const char *const *names = q->columns;
    size_t n = q->ncolumns;
    il_status status = il_export_choose(q->word, &format, err);
    if (status != IL_OK) {
        return status;
    }
    if (n == 0 && format == IL_EXPORT_TEX) {
        n = choose_narrow(index, narrow);
        names = narrow;
    }
    status = il_where_parse(index, q->where, &where, err);
    if (status == IL_OK) {
        status = il_results_select(index, &where, true, names, n, &rows, err);
    }
    status = status == IL_OK ? il_export_write(&rows, format, q->word, err) : status;
    if (status == IL_OK) {
        il_cli_say(stdout, "wrote %s: %zu case%s, %zu columns", q->word, rows.rows,
                   rows.rows == 1 ? "" : "s", rows.n);
    }
    il_columns_free(&rows);
    il_where_free(&where);
    return status;
}
