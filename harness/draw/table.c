/*
 * table.c - one table in three formats: aligned text, CSV (RFC 4180) and LaTeX.
 *
 * A column of which at least half of the filled cells are numbers is right-aligned as a whole;
 * elsewhere single numbers are right-aligned.
 */
#include "harness/draw/table.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/draw/publish.h"

enum { CAPTION_WIDTH = 80 };

typedef struct {
    const il_table *table;
    bool *right;   /* [columns] the column is numeric */
    size_t *width; /* [columns] letters of its widest cell */
} layout;

/* ---- cells ---------------------------------------------------------------------------------- */

static const char *cell(const il_table *t, size_t row, size_t column) {
    const char *text = t->cells[row * t->columns + column];
    return text != NULL ? text : "-";
}

static bool is_number(const char *text) {
    double value = 0.0;
    return il_text_number(text, &value);
}

static bool is_filled(const char *text) {
    return text[0] != '\0' && strcmp(text, "-") != 0;
}

/* Letters, not bytes: continuation bytes of UTF-8 take no room. */
static size_t letters(const char *text) {
    return il_text_letters(text, strlen(text));
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

static void lay_out(const layout *l) {
    const il_table *t = l->table;
    for (size_t j = 0; j < t->columns; j++) {
        size_t numbers = 0;
        size_t filled = 0;
        l->width[j] = letters(t->heads[j]);
        for (size_t i = 0; i < t->rows; i++) {
            const char *text = cell(t, i, j);
            numbers += is_filled(text) && is_number(text);
            filled += is_filled(text);
            l->width[j] = larger(l->width[j], letters(text));
        }
        l->right[j] = numbers > 0 && 2 * numbers >= filled;
    }
}

/* ---- text ----------------------------------------------------------------------------------- */

static void put_blanks(FILE *out, size_t n) {
    for (; n > 0; n--) {
        (void)fputc(' ', out);
    }
}

/* One line: control characters become blanks. */
static void put_plain(FILE *out, const char *text, size_t bytes) {
    for (size_t k = 0; k < bytes; k++) {
        (void)fputc((unsigned char)text[k] < 0x20 || text[k] == 0x7f ? ' ' : text[k], out);
    }
}

/* No blanks at the end of a line: the last column is padded only on its left. */
static void put_padded(FILE *out, const char *text, size_t width, bool right, bool last) {
    size_t gap = width - letters(text);
    put_blanks(out, right ? gap : 0);
    put_plain(out, text, strlen(text));
    if (!last) {
        put_blanks(out, (right ? 0 : gap) + 2);
    }
}

/* Words of the caption, broken at CAPTION_WIDTH letters. */
static void put_wrapped(FILE *out, const char *text) {
    size_t at = 0;
    while (*text != '\0') {
        size_t bytes = strcspn(text, " \n\t\r");
        size_t n = il_text_letters(text, bytes);
        if (bytes > 0 && at > 0) {
            bool fits = at + 1 + n <= CAPTION_WIDTH;
            (void)fputc(fits ? ' ' : '\n', out);
            at = fits ? at + 1 : 0;
        }
        put_plain(out, text, bytes);
        at += n;
        text += bytes + strspn(text + bytes, " \n\t\r");
    }
    if (at > 0) {
        (void)fputs("\n\n", out);
    }
}

static void put_txt(FILE *out, const void *data) {
    const layout *l = data;
    const il_table *t = l->table;
    put_wrapped(out, t->caption != NULL ? t->caption : "");
    for (size_t j = 0; j < t->columns; j++) {
        put_padded(out, t->heads[j], l->width[j], l->right[j], j + 1 == t->columns);
    }
    (void)fputc('\n', out);
    for (size_t j = 0; j < t->columns; j++) {
        for (size_t k = 0; k < l->width[j]; k++) {
            (void)fputc('-', out);
        }
        (void)fputs(j + 1 < t->columns ? "  " : "\n", out);
    }
    for (size_t i = 0; i < t->rows; i++) {
        for (size_t j = 0; j < t->columns; j++) {
            const char *text = cell(t, i, j);
            put_padded(out, text, l->width[j], l->right[j] || is_number(text), j + 1 == t->columns);
        }
        (void)fputc('\n', out);
    }
}

/* ---- RFC 4180 ------------------------------------------------------------------------------- */

static void put_csv_cell(FILE *out, const char *text, bool last) {
    bool quoted = strpbrk(text, "\",\r\n") != NULL;
    (void)fputs(quoted ? "\"" : "", out);
    for (; *text != '\0'; text++) {
        (void)fputs(*text == '"' ? "\"" : "", out);
        bool control = ((unsigned char)*text < 0x20 && *text != '\r' && *text != '\n') ||
                       *text == 0x7f; /* no text of RFC 4180 */
        (void)fputc(control ? ' ' : *text, out);
    }
    (void)fputs(quoted ? "\"" : "", out);
    (void)fputs(last ? "\r\n" : ",", out);
}

static void put_csv(FILE *out, const void *data) {
    const layout *l = data;
    il_table exact = *l->table;
    const il_table *t = &exact;
    exact.cells = t->exact != NULL ? t->exact : t->cells;
    for (size_t j = 0; j < t->columns; j++) {
        put_csv_cell(out, t->heads[j], j + 1 == t->columns);
    }
    for (size_t i = 0; i < t->rows; i++) {
        for (size_t j = 0; j < t->columns; j++) {
            put_csv_cell(out, cell(t, i, j), j + 1 == t->columns);
        }
    }
}

/* ---- LaTeX ---------------------------------------------------------------------------------- */

static void put_tex(FILE *out, const char *text) {
    static const struct {
        char letter;
        const char *escape;
    } special[] = {{'#', "\\#"},
                   {'$', "\\$"},
                   {'%', "\\%"},
                   {'&', "\\&"},
                   {'_', "\\_"},
                   {'{', "\\{"},
                   {'}', "\\}"},
                   {'~', "\\textasciitilde{}"},
                   {'^', "\\textasciicircum{}"},
                   {'\\', "\\textbackslash{}"},
                   {'<', "\\textless{}"}, /* these three are other letters in the default fonts */
                   {'>', "\\textgreater{}"},
                   {'|', "\\textbar{}"},
                   {'[', "{[}"}, /* these two would be read as an argument of the \\ before */
                   {'*', "{*}"}};
    for (; *text != '\0'; text++) {
        const char *escape = NULL;
        for (size_t k = 0; k < sizeof special / sizeof *special; k++) {
            escape = special[k].letter == *text ? special[k].escape : escape;
        }
        if (escape != NULL) {
            (void)fputs(escape, out);
        } else {
            (void)fputc((unsigned char)*text < 0x20 ? ' ' : *text, out);
        }
    }
}

/* A decimal number as mathematics, so that its minus is one and 1e-3 reads 1 x 10^{-3}. */
static void put_tex_number(FILE *out, const char *text) {
    const char *e = strpbrk(text, "eE");
    if (strspn(text, "+-0123456789.eE") != strlen(text)) {
        put_tex(out, text);
    } else if (e == NULL) {
        (void)fprintf(out, "$%s$", text);
    } else {
        (void)fprintf(out, "$%.*s \\times 10^{%ld}$", (int)(e - text), text,
                      strtol(e + 1, NULL, 10));
    }
}

static void put_tex_cell(FILE *out, const char *text, bool right_column, bool last) {
    if (is_number(text)) {
        (void)fputs(right_column ? "" : "\\multicolumn{1}{r}{", out);
        put_tex_number(out, text);
        (void)fputs(right_column ? "" : "}", out);
    } else {
        put_tex(out, text);
    }
    (void)fputs(last ? " \\\\\n" : " & ", out);
}

static void put_latex(FILE *out, const void *data) {
    const layout *l = data;
    const il_table *t = l->table;
    (void)fputs("\\begin{table}[htbp]\n  \\centering\n  \\caption{", out);
    put_tex(out, t->caption != NULL ? t->caption : "");
    (void)fprintf(out, "}\n  \\label{tab:%s}\n  \\begin{tabular}{", t->name);
    for (size_t j = 0; j < t->columns; j++) {
        (void)fputc(l->right[j] ? 'r' : 'l', out);
    }
    (void)fputs("}\n    \\hline\n    ", out);
    for (size_t j = 0; j < t->columns; j++) {
        put_tex(out, t->heads[j]);
        (void)fputs(j + 1 == t->columns ? " \\\\\n    \\hline\n" : " & ", out);
    }
    for (size_t i = 0; i < t->rows; i++) {
        (void)fputs("    ", out);
        for (size_t j = 0; j < t->columns; j++) {
            put_tex_cell(out, cell(t, i, j), l->right[j], j + 1 == t->columns);
        }
    }
    (void)fputs("    \\hline\n  \\end{tabular}\n\\end{table}\n", out);
}

/* ---- files ----------------------------------------------------------------------------------- */

static const struct {
    unsigned flag;
    const char *suffix;
    void (*put)(FILE *out, const void *layout);
} spelling[] = {{IL_TABLE_TXT, ".txt", put_txt},
                {IL_TABLE_CSV, ".csv", put_csv},
                {IL_TABLE_TEX, ".tex", put_latex}};
enum { NSPELLING = sizeof spelling / sizeof *spelling };

static void open_layout(layout *l, const il_table *t) {
    *l = (layout){.table = t,
                  .right = il_alloc_zero(t->columns, sizeof *l->right),
                  .width = il_alloc_zero(t->columns, sizeof *l->width)};
    lay_out(l);
}

static void close_layout(layout *l) {
    free(l->right);
    free(l->width);
}

/* Heads, and row by row the cells as readers see them, so that the report's page need not read
 * them back. */
static json_t *manifest_make(const il_table *t) {
    json_t *heads = json_array();
    json_t *rows = json_array();
    for (size_t j = 0; j < t->columns; j++) {
        il_json_append(heads, json_string(t->heads[j]));
    }
    for (size_t i = 0; i < t->rows; i++) {
        json_t *row = json_array();
        for (size_t j = 0; j < t->columns; j++) {
            il_json_append(row, json_string(cell(t, i, j)));
        }
        il_json_append(rows, row);
    }
    return json_pack("{s:s, s:s, s:s, s:o, s:o}", "kind", "table", "name", t->name, "caption",
                     t->caption != NULL ? t->caption : "", "heads", heads, "cells", rows);
}

/* ---- what may be asked for ------------------------------------------------------------------ */

static il_status table_check(const il_table *t, unsigned formats, il_error *err) {
    if (!il_text_is_file_name(t->name)) {
        return il_fail(err, IL_EINVAL,
                       "the table's name is '%s'; allowed are letters, digits and ._- and it "
                       "starts with a letter, a digit or _",
                       t->name == NULL ? "" : t->name);
    }
    if (t->columns == 0 || t->rows > SIZE_MAX / sizeof(char *) / t->columns) {
        return il_fail(err, IL_EINVAL, "table '%s' has %zu columns and %zu rows; it needs a column",
                       t->name, t->columns, t->rows);
    }
    if (formats == 0 || (formats & ~(unsigned)IL_TABLE_ALL) != 0) {
        return il_fail(err, IL_EINVAL,
                       "table '%s': the formats are %#x; allowed are sums of txt (1), "
                       "csv (2) and tex (4)",
                       t->name, formats);
    }
    if (!il_text_is_utf8(t->caption)) {
        return il_fail(err, IL_EINVAL, "table '%s': the caption is not UTF-8", t->name);
    }
    for (size_t j = 0; j < t->columns; j++) {
        if (t->heads[j] == NULL || !il_text_is_utf8(t->heads[j])) {
            return il_fail(err, IL_EINVAL, "table '%s': the head of column %zu is %s", t->name,
                           j + 1, t->heads[j] == NULL ? "missing" : "not UTF-8");
        }
        for (size_t i = 0; i < t->rows; i++) {
            size_t k = i * t->columns + j;
            if (!il_text_is_utf8(t->cells[k]) ||
                (t->exact != NULL && !il_text_is_utf8(t->exact[k]))) {
                return il_fail(err, IL_EINVAL, "table '%s': row %zu, column %zu is not UTF-8",
                               t->name, i + 1, j + 1);
            }
        }
    }
    return IL_OK;
}

void il_table_print(const il_table *table, FILE *out, unsigned format) {
    layout l;
    open_layout(&l, table);
    for (int k = 0; k < NSPELLING; k++) {
        if (spelling[k].flag == format) {
            spelling[k].put(out, &l);
        }
    }
    close_layout(&l);
}

il_status il_table_write(const il_table *table, const char *dir, unsigned formats, il_error *err) {
    layout l;
    il_publication files = {.folder = NULL};
    const char *suffixes[NSPELLING];
    int n = 0;
    il_status status = table_check(table, formats, err);
    if (status != IL_OK) {
        return status;
    }
    open_layout(&l, table);
    status = il_publication_open(&files, dir, table->name, err);
    for (int k = 0; status == IL_OK && k < NSPELLING; k++) {
        if ((formats & spelling[k].flag) != 0) {
            status = il_publication_put(&files, spelling[k].suffix, spelling[k].put, &l, err);
            suffixes[n++] = spelling[k].suffix;
        }
    }
    files.order = table->order;
    files.section = table->section;
    files.origin = table->origin;
    if (status == IL_OK) {
        status =
            il_publication_commit(&files, suffixes, n, ".table.json", manifest_make(table), err);
    }
    il_publication_close(&files);
    close_layout(&l);
    return status;
}
