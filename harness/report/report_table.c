/*
 * report_table.c - a stored table as one of HTML: from its CSV, numbers rounded; without one, its
 * text as it is.
 */
#include "harness/report/report_table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/base/text.h"
#include "harness/io/file.h"
#include "harness/report/report_csv.h"
#include "harness/report/report_text.h"

enum {
    DIGITS = 6, /* of numbers */
    ROUNDED_ROOM = 32,
    LINE = 40, /* letters; a longer text may break over lines */
    LONG = 40  /* rows; a longer table scrolls */
};

/* *text receives the file's bytes and a NUL, to be freed; NULL after a failure. */
static il_status text_read(const char *path, char **text, il_error *err) {
    struct stat info;
    il_error why = {IL_OK, ""};
    *text = NULL;
    FILE *in = il_file_read(path, &why);
    if (in == NULL) {
        return il_fail(err, why.code, "%s", why.message);
    }
    if (fstat(fileno(in), &info) != 0) {
        (void)fclose(in);
        return il_fail(err, IL_EIO, "cannot read '%s': %s", path, strerror(errno));
    }
    il_status status = IL_OK;
    size_t size = (size_t)info.st_size;
    *text = malloc(size + 1);
    if (*text == NULL) {
        status = il_fail(err, IL_ENOMEM, "no memory to read '%s'", path);
    } else if (fread(*text, 1, size, in) != size) {
        status = il_fail(err, IL_EIO, "cannot read '%s' to its end", path);
        free(*text);
        *text = NULL;
    } else {
        (*text)[size] = '\0';
    }
    (void)fclose(in);
    return status;
}

/* Numbers, also with an interval or a unit's sign: what must not break over lines. */
static bool is_number(const char *text) {
    return strpbrk(text, "0123456789") != NULL &&
           text[strspn(text, "0123456789+-.,eE[]() %")] == '\0';
}

/* A number with more digits than people read, rounded into out; else the text itself. Integers
 * stay: they may be counts. The page links the CSV, which has all digits. */
static const char *rounded(const char *text, char out[ROUNDED_ROOM]) {
    char *end = NULL;
    double x = strtod(text, &end);
    size_t digits = 0;
    for (const char *c = text; *c != '\0' && *c != 'e' && *c != 'E'; c++) {
        digits += *c >= '0' && *c <= '9';
    }
    bool decimal = strpbrk(text, ".eE") != NULL && strpbrk(text, "xX") == NULL;
    if (end == text || *end != '\0' || !decimal || digits <= DIGITS || !isfinite(x)) {
        return text;
    }
    (void)snprintf(out, ROUNDED_ROOM, "%.*g", DIGITS, x);
    return out;
}

static bool is_numeric(const il_csv *t, size_t column) {
    size_t numbers = 0;
    size_t filled = 0;
    for (size_t i = 1; i < t->rows; i++) {
        const char *text = t->cell[i * t->columns + column];
        bool counts = text[0] != '\0' && strcmp(text, "-") != 0;
        filled += counts;
        numbers += counts && is_number(text);
    }
    return numbers > 0 && 2 * numbers >= filled;
}

/* The first cell of a row names the row, unless it is a number. */
static void put_row(FILE *page, const il_csv *t, size_t row, const bool *numeric) {
    (void)fputs("<tr>", page);
    for (size_t j = 0; j < t->columns; j++) {
        const char *text = t->cell[row * t->columns + j];
        bool heads = row == 0 || (j == 0 && !numeric[0] && text[0] != '\0');
        bool right = numeric[j] || (row > 0 && is_number(text));
        bool wraps = row > 0 && il_text_letters(text, strlen(text)) > LINE;
        (void)fprintf(page, "<%s%s%s>", heads ? "th" : "td",
                      row == 0 ? " scope=\"col\""
                      : heads  ? " scope=\"row\""
                               : "",
                      right   ? " class=\"n\""
                      : wraps ? " class=\"t\""
                              : "");
        char short_text[ROUNDED_ROOM];
        il_report_put_text(page, row > 0 ? rounded(text, short_text) : text);
        (void)fprintf(page, "</%s>", heads ? "th" : "td");
    }
    (void)fputs("</tr>\n", page);
}

/* The text of a table into *text, the caller's, and the name of its CSV file into *csv; NULL there
 * for a table that has only its plain text. */
static il_status cells_read(const il_report *r, const il_report_entry *e, char **text,
                            const char **csv, il_error *err) {
    *csv = il_report_file(e, ".csv");
    *text = NULL;
    const char *file = *csv != NULL ? *csv : il_report_file(e, ".txt");
    if (file == NULL) {
        return IL_OK;
    }
    char *path = il_report_path(r->results, e, file);
    il_status status = path != NULL ? text_read(path, text, err)
                                    : il_fail(err, IL_ENOMEM, "no memory for a file name");
    free(path);
    return status;
}

il_status il_report_check_cells(const il_report *report, const il_report_entry *entry,
                                il_error *err) {
    char *text = NULL;
    const char *csv = NULL;
    il_csv t = {0};
    il_status status = cells_read(report, entry, &text, &csv, err);
    if (status == IL_OK && csv != NULL) {
        status = il_csv_parse(&t, text, csv, err);
    }
    il_csv_free(&t);
    free(text);
    return status;
}

static void put_csv(FILE *page, const il_csv *t, const bool *numeric, const il_report_entry *e) {
    (void)fprintf(page, "<div%s>", t->rows > LONG ? " class=\"long\"" : "");
    (void)fputs("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"", page);
    (void)fprintf(page, "Table %zu\"><table aria-labelledby=\"", e->number);
    il_report_put_anchor(page, e);
    (void)fputs("-caption\">\n<thead>\n", page);
    put_row(page, t, 0, numeric);
    (void)fputs("</thead>\n<tbody>\n", page);
    for (size_t i = 1; i < t->rows; i++) {
        put_row(page, t, i, numeric);
    }
    (void)fputs("</tbody>\n</table></div></div>\n", page);
}

il_status il_report_put_cells(FILE *page, const il_report *r, const il_report_entry *e,
                              il_error *err) {
    char *text = NULL;
    const char *csv = NULL;
    il_csv t = {0};
    il_status status = cells_read(r, e, &text, &csv, err);
    if (text != NULL && csv != NULL) {
        status = il_csv_parse(&t, text, csv, err);
    }
    if (status == IL_OK && csv != NULL) {
        bool *numeric = calloc(t.columns, sizeof *numeric);
        status = numeric != NULL ? IL_OK : il_fail(err, IL_ENOMEM, "no memory for '%s'", csv);
        if (numeric != NULL) {
            for (size_t j = 0; j < t.columns; j++) {
                numeric[j] = is_numeric(&t, j);
            }
            put_csv(page, &t, numeric, e);
        }
        free(numeric);
    } else if (status == IL_OK && text != NULL) {
        (void)fputs("<pre>", page);
        il_report_put_text(page, text);
        (void)fputs("</pre>\n", page);
    }
    il_csv_free(&t);
    free(text);
    return status == IL_ENOMEM ? status : IL_OK; /* what has broken since it was checked is empty */
}
