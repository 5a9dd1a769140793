/*
 * report_html.c - one HTML page over all figures and tables, without outside resources.
 *
 * Pictures are linked beside the page, tables stand in it. Text from outside is escaped wherever it
 * appears.
 */
#include "harness/report/report_html.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "build_id.h"
#include "harness/base/text.h"
#include "harness/io/file.h"
#include "harness/report/report_csv.h"
#include "harness/report/report_outcome.h"
#include "harness/report/report_text.h"

enum {
    HEAVY_SVG = 1 << 20, /* bytes; above this the page shows the PNG */
    DIGITS = 6,          /* of numbers in tables */
    ROUNDED_ROOM = 32,
    LINE = 40 /* letters; a longer text in a table may break over lines */
};

/* ---- links ----------------------------------------------------------------------------------- */

/* A path within the report as a URL: folders may have any name, file names are tame. */
static void put_url(FILE *page, const il_report_entry *e, const char *file) {
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-/";
    for (const char *c = e->folder; *c != '\0'; c++) {
        if (strchr(plain, *c) != NULL) {
            (void)fputc(*c, page);
        } else {
            (void)fprintf(page, "%%%02X", (unsigned)(unsigned char)*c);
        }
    }
    (void)fprintf(page, "/%s", file);
}

static void put_links(FILE *page, const il_report_entry *e) {
    static const char *const what[][2] = {
        {".pdf", "PDF"},  {".svg", "SVG"},  {".png", "PNG"}, {".gp", "gnuplot script"},
        {".dat", "data"}, {".txt", "text"}, {".csv", "CSV"}, {".tex", "LaTeX"}};
    const char *glue = "<p class=\"files\">";
    for (size_t k = 0; k < sizeof what / sizeof *what; k++) {
        const char *file = il_report_file(e, what[k][0]);
        if (file != NULL) {
            (void)fprintf(page, "%s<a href=\"", glue);
            put_url(page, e, file);
            (void)fprintf(page, "\">%s</a>", what[k][1]);
            glue = " · ";
        }
    }
    (void)fputs(glue[0] == '<' ? "" : "</p>\n", page);
}

/* ---- tables ---------------------------------------------------------------------------------- */

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

static void put_row(FILE *page, const il_csv *t, size_t row, const bool *numeric) {
    const char *tag = row == 0 ? "th" : "td";
    (void)fputs("<tr>", page);
    for (size_t j = 0; j < t->columns; j++) {
        const char *text = t->cell[row * t->columns + j];
        bool right = numeric[j] || (row > 0 && is_number(text));
        bool wraps = row > 0 && il_text_letters(text, strlen(text)) > LINE;
        (void)fprintf(page, "<%s%s%s>", tag, row == 0 ? " scope=\"col\"" : "",
                      right   ? " class=\"n\""
                      : wraps ? " class=\"t\""
                              : "");
        char short_text[ROUNDED_ROOM];
        il_report_put_text(page, row > 0 ? rounded(text, short_text) : text);
        (void)fprintf(page, "</%s>", tag);
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

static void put_csv(FILE *page, const il_csv *t, const bool *numeric, const char *name) {
    (void)fputs("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"", page);
    il_report_put_text(page, name);
    (void)fputs("\"><table>\n<thead>\n", page);
    put_row(page, t, 0, numeric);
    (void)fputs("</thead>\n<tbody>\n", page);
    for (size_t i = 1; i < t->rows; i++) {
        put_row(page, t, i, numeric);
    }
    (void)fputs("</tbody>\n</table></div>\n", page);
}

/* The cells from the CSV; without one, the text as it is. */
static il_status put_cells(FILE *page, const il_report *r, const il_report_entry *e,
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
            put_csv(page, &t, numeric, csv);
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

/* ---- the page ------------------------------------------------------------------------------- */

static const char STYLE[] =
    "html{font:16px/1.5 system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;"
    "color:#1c1c1c;background:#fff}\n"
    "body{max-width:58rem;margin:0 auto;padding:1.5rem 1.25rem 4rem}\n"
    "h1{font-size:1.7rem;line-height:1.2;margin:0 0 .2rem}\n"
    "h2{font-size:1.25rem;margin:2.8rem 0 1rem;padding-bottom:.25rem;border-bottom:1px solid "
    "#ccc}\n"
    "a{color:#00518a}\n"
    ".about,.files{color:#555;font-size:.875rem}\n"
    "nav{margin:1.5rem 0;padding:.2rem 1.2rem 1rem;background:#f5f6f7;border-radius:4px;"
    "font-size:.925rem}\n"
    "nav h3{font-size:.925rem;margin:.8rem 0 .2rem}\n"
    "nav ol{margin:0;padding-left:1.6rem}\n"
    "nav li{overflow-wrap:anywhere}\n"
    "figure{margin:0 0 3rem;scroll-margin-top:1rem}\n"
    "figure img{display:block;max-width:min(100%,44rem);height:auto;margin:0 auto .6rem}\n"
    "figcaption{margin:0 0 .5rem;overflow-wrap:anywhere}\n"
    ".files{margin:.4rem 0 0}\n"
    /* A table may be wider than the text. Where it is wider than the window too, it scrolls, and a
       shadow at its edge says that there is more. */
    ".wide{width:max-content;max-width:calc(100vw - 3.5rem);position:relative;left:50%;"
    "transform:translateX(-50%);overflow-x:auto;background:linear-gradient(90deg,#fff 40%,#fff0) 0 "
    "0/3rem 100% local,"
    "linear-gradient(270deg,#fff 40%,#fff0) 100% 0/3rem 100% local,"
    "linear-gradient(90deg,#0004,#0000) 0 0/1rem 100% scroll,"
    "linear-gradient(270deg,#0004,#0000) 100% 0/1rem 100% scroll;background-repeat:no-repeat}\n"
    "table{border-collapse:collapse;font-size:.8125rem;line-height:1.35;"
    "border-top:1.5px solid #333;border-bottom:1.5px solid #333}\n"
    "th,td{padding:.25rem .3rem;text-align:left;vertical-align:top}\n"
    "thead th{border-bottom:1px solid #333;vertical-align:bottom}\n"
    "tbody tr:nth-child(even){background:#0000000a}\n"
    "td{white-space:nowrap}\n"
    "td.t{white-space:normal;min-width:12rem;max-width:28rem}\n"
    ".n{text-align:right;font-variant-numeric:tabular-nums}\n"
    ".bad{margin:1.5rem 0;padding:.2rem 1.2rem;background:#fdf0ee;border-left:5px solid #b3261e;"
    "border-radius:4px;overflow-wrap:anywhere}\n"
    ".bad h2{margin:.6rem 0;border:0;color:#8c1d18}\n"
    ".bad li{margin:.3rem 0}\n"
    "pre{overflow-x:auto;font-size:.8125rem;line-height:1.35}\n"
    "@media print{html{font-size:10.5pt}body{max-width:none;padding:0}nav{background:none;"
    "padding:0}h2{break-after:avoid}figure{break-inside:avoid}.wide{overflow:visible;background:"
    "none;"
    "width:auto;max-width:none;left:0;transform:none}table{width:100%;font-size:6.5pt}th,td{"
    "padding:.15rem "
    ".2rem}.files{display:none}a{color:inherit;"
    "text-decoration:none}}\n";

static void put_head(FILE *page, const il_report *r) {
    size_t figures = r->n - r->tables;
    char date[32] = "";
    struct tm utc;
    if (r->n > 0 && gmtime_r(&r->newest, &utc) != NULL) {
        (void)strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc);
    }
    (void)fprintf(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>impactlab: figures and tables</title>\n<style>\n%s</style>\n</head>\n"
        "<body>\n<header>\n<h1>Figures and tables</h1>\n"
        "<p class=\"about\">impactlab %s · %zu figure%s, %zu table%s%s%s</p>\n</header>\n",
        STYLE, IL_VERSION, figures, figures == 1 ? "" : "s", r->tables, r->tables == 1 ? "" : "s",
        r->n > 0 ? " · newest result " : "", date);
}

static const char *word(const il_report_entry *e) {
    return e->table ? "Table" : "Figure";
}

/* What the list of contents says: the caption up to its first colon or full stop, or the name. */
static void put_short(FILE *page, const il_report_entry *e) {
    const char *text = e->caption[0] != '\0' ? e->caption : e->name;
    size_t n = 0;
    while (text[n] != '\0' &&
           !((text[n] == ':' || text[n] == '.') && (text[n + 1] == ' ' || text[n + 1] == '\0'))) {
        n++;
    }
    il_report_put_letters(page, text, n);
}

/* k counts from the first of its kind. */
static void put_anchor(FILE *page, const il_report_entry *e, size_t k) {
    (void)fprintf(page, "%s-%zu", e->table ? "table" : "figure", k);
}

static void put_contents(FILE *page, const il_report_entry *entries, size_t n) {
    if (n == 0) {
        return;
    }
    (void)fprintf(page, "<h3>%ss</h3>\n<ol>\n", word(entries));
    for (size_t k = 0; k < n; k++) {
        (void)fputs("<li><a href=\"#", page);
        put_anchor(page, &entries[k], k + 1);
        (void)fputs("\">", page);
        put_short(page, &entries[k]);
        (void)fputs("</a></li>\n", page);
    }
    (void)fputs("</ol>\n", page);
}

/* The SVG, sharp at every size, unless it is missing or so heavy that pages scroll badly; NULL
 * without a picture. */
static il_status picture_choose(const il_report *r, const il_report_entry *e, const char **picture,
                                il_error *err) {
    const char *svg = il_report_file(e, ".svg");
    const char *png = il_report_file(e, ".png");
    struct stat info;
    if (svg == NULL || png == NULL) {
        *picture = svg != NULL ? svg : png;
        return IL_OK;
    }
    char *path = il_report_path(r->results, e, svg);
    if (path == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for a file name");
    }
    *picture = stat(path, &info) == 0 && info.st_size <= HEAVY_SVG ? svg : png;
    free(path);
    return IL_OK;
}

static il_status put_picture(FILE *page, const il_report *r, const il_report_entry *e,
                             il_error *err) {
    const char *picture = NULL;
    il_status status = picture_choose(r, e, &picture, err);
    if (picture != NULL) {
        (void)fputs("<img src=\"", page);
        put_url(page, e, picture);
        (void)fputs("\" alt=\"", page);
        il_report_put_text(page, e->caption[0] != '\0' ? e->caption : e->name);
        (void)fputs("\">\n", page);
    }
    return status;
}

static il_status put_entry(FILE *page, const il_report *r, const il_report_entry *e, size_t k,
                           il_error *err) {
    il_status status = IL_OK;
    (void)fputs("<figure id=\"", page);
    put_anchor(page, e, k);
    (void)fputs("\">\n", page);
    if (!e->table) {
        status = put_picture(page, r, e, err);
    }
    (void)fprintf(page, "<figcaption><b>%s %zu.</b> ", word(e), k);
    il_report_put_text(page, e->caption[0] != '\0' ? e->caption : e->name);
    (void)fputs("</figcaption>\n", page);
    if (e->table) {
        status = put_cells(page, r, e, err);
    }
    put_links(page, e);
    (void)fputs("</figure>\n", page);
    return status;
}

il_status il_report_put_page(FILE *page, const il_report *report, il_error *err) {
    il_status status = IL_OK;
    size_t tables = report->tables;
    put_head(page, report);
    il_report_put_outcome(page, report);
    (void)fputs("<nav aria-label=\"Contents\">\n", page);
    put_contents(page, report->entries, tables);
    put_contents(page, report->entries + tables, report->n - tables);
    (void)fputs("</nav>\n<main>\n", page);
    for (size_t k = 0; status == IL_OK && k < report->n; k++) {
        const il_report_entry *e = &report->entries[k];
        if (k == 0 || k == tables) {
            (void)fprintf(page, "<h2>%ss</h2>\n", word(e));
        }
        status = put_entry(page, report, e, e->table ? k + 1 : k - tables + 1, err);
    }
    (void)fputs("</main>\n</body>\n</html>\n", page);
    return status;
}
