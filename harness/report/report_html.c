/*
 * report_html.c - one HTML page with all figures and tables, without external resources.
 *
 * Verdicts come first, then figures and tables section by section. Pictures are linked files,
 * tables are part of the page. Text from outside is escaped everywhere, and the page's content
 * security policy allows its own script only (page.js, by hash).
 */
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "build_id.h"
#include "harness/base/date.h"
#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/report/report_parts.h"
#include "page.inc"

enum { HEAVY_SVG = 1 << 21 }; /* bytes; above this the page shows the PNG, so that it scrolls */

/* ---- escaped text ---------------------------------------------------------------------------- */

void il_report_put_letters(FILE *page, const char *text, size_t n) {
    for (; n > 0 && *text != '\0'; text++, n--) {
        switch (*text) {
        case '&':
            (void)fputs("&amp;", page);
            break;
        case '<':
            (void)fputs("&lt;", page);
            break;
        case '>':
            (void)fputs("&gt;", page);
            break;
        case '"':
            (void)fputs("&quot;", page);
            break;
        case '\'':
            (void)fputs("&#39;", page);
            break;
        case '\n':
        case '\t':
            (void)fputc(*text, page);
            break;
        default: /* HTML has no other control characters */
            (void)fputc((unsigned char)*text < 0x20 || *text == 0x7f ? ' ' : *text, page);
        }
    }
}

void il_report_put(FILE *page, const char *html, ...) {
    va_list texts;
    va_start(texts, html);
    for (; *html != '\0'; html++) {
        if (*html == '%') {
            il_report_put_letters(page, va_arg(texts, const char *), SIZE_MAX);
        } else {
            (void)fputc(*html, page);
        }
    }
    va_end(texts);
}

/* ---- links ----------------------------------------------------------------------------------- */

static void put_links(FILE *page, const il_report_entry *e) {
    static const char *const what[][2] = {
        {".pdf", "PDF"},  {".svg", "SVG"},  {".png", "PNG"}, {".gp", "gnuplot script"},
        {".dat", "data"}, {".txt", "text"}, {".csv", "CSV"}, {".tex", "LaTeX"}};
    const char *glue = "<p class=\"files\">";
    for (size_t k = 0; k < sizeof what / sizeof *what; k++) {
        const char *file = il_report_file(e, what[k][0]);
        if (file != NULL) {
            (void)fputs(glue, page);
            il_report_put(page, "<a href=\"%/%\">%</a>", il_report_folder(e), file, what[k][1]);
            glue = " · ";
        }
    }
    (void)fputs(glue[0] == '<' ? "" : "</p>\n", page);
}

/* ---- tables ---------------------------------------------------------------------------------- */

enum {
    LINE = 40,   /* letters; a longer text may break over lines */
    LONG = 40,   /* rows; a longer table scrolls */
    COLUMNS = 64 /* of a table that are set to the right */
};

/* Numbers, also with an interval or a unit's sign: what must not break over lines. */
static bool is_number(const char *text) {
    return strpbrk(text, "0123456789") != NULL &&
           text[strspn(text, "0123456789+-.,eE[]() %")] == '\0';
}

/* Cell `column` of a row; "-" for null. */
static const char *cell(const json_t *row, size_t column) {
    const char *text = json_string_value(json_array_get(row, column));
    return text != NULL ? text : "-";
}

static bool is_numeric(const json_t *rows, size_t column) {
    size_t numbers = 0;
    size_t filled = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const char *text = cell(json_array_get(rows, i), column);
        bool counts = text[0] != '\0' && strcmp(text, "-") != 0;
        filled += counts;
        numbers += counts && is_number(text);
    }
    return numbers > 0 && 2 * numbers >= filled;
}

/* The first cell of a row names the row, unless it is a number. head: the row is that of heads.
 * columns: a bit for each of the first, set where it is numeric. */
static void put_row(FILE *page, const json_t *row, bool head, unsigned long long columns) {
    (void)fputs("<tr>", page);
    for (size_t j = 0; j < json_array_size(row); j++) {
        const char *text = cell(row, j);
        bool numeric = j < COLUMNS && (columns >> j & 1u) != 0;
        bool heads = head || (j == 0 && !numeric && text[0] != '\0');
        bool right = numeric || (!head && is_number(text));
        bool wraps = !head && il_text_letters(text, strlen(text)) > LINE;
        (void)fprintf(page, "<%s%s%s>", heads ? "th" : "td",
                      head    ? " scope=\"col\""
                      : heads ? " scope=\"row\""
                              : "",
                      right   ? " class=\"n\""
                      : wraps ? " class=\"t\""
                              : "");
        il_report_put(page, heads ? "%</th>" : "%</td>", text);
    }
    (void)fputs("</tr>\n", page);
}

/* As the manifest has it, rounded; the page links the CSV, which has all digits. */
static void put_table(FILE *page, const il_report_entry *e) {
    const json_t *rows = json_object_get(e->root, "cells");
    const json_t *heads = json_object_get(e->root, "heads");
    size_t n = json_array_size(rows);
    unsigned long long numeric = 0;
    for (size_t j = 0; j < json_array_size(heads) && j < COLUMNS; j++) {
        numeric |= (unsigned long long)is_numeric(rows, j) << j;
    }
    (void)fprintf(page,
                  "<div%s><div class=\"wide\" tabindex=\"0\" role=\"region\" "
                  "aria-label=\"Table %zu\"><table aria-labelledby=\"%s-caption\">\n<thead>\n",
                  n >= LONG ? " class=\"long\"" : "", e->number, e->anchor);
    put_row(page, heads, true, numeric);
    (void)fputs("</thead>\n<tbody>\n", page);
    for (size_t i = 0; i < n; i++) {
        put_row(page, json_array_get(rows, i), false, numeric);
    }
    (void)fputs("</tbody>\n</table></div></div>\n", page);
}

/* ---- the page ------------------------------------------------------------------------------- */

static void put_head(FILE *page, const il_report *r) {
    size_t figures = r->n - r->tables;
    char date[IL_DATE] = "";
    if (r->n > 0) {
        il_date_utc(r->newest, date);
    }
    (void)fputs(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src "
        "'self' file:; style-src 'unsafe-inline'; script-src 'sha256-" PAGE_JS_SHA256
        "'\">\n<title>impactlab: report</title>\n<style>\n",
        page);
    for (size_t k = 0; PAGE_CSS[k] != NULL; k++) {
        (void)fputs(PAGE_CSS[k], page);
    }
    (void)fprintf(page,
                  "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#%s\">Skip to the "
                  "figures</a>\n<header>\n<h1>Contact with inelastic impacts: report</h1>\n"
                  "<p class=\"about\">impactlab %s · %zu figure%s, %zu table%s%s%.10s</p>\n",
                  r->n > 0 ? "section-1" : "content", IL_VERSION, figures, figures == 1 ? "" : "s",
                  r->tables, r->tables == 1 ? "" : "s", r->n > 0 ? " · newest result " : "", date);
    (void)fputs(
        "<p class=\"statement\">Time-stepping schemes for frictionless contact with inelastic "
        "impacts run on problems with known solutions; errors, observed orders, feasibility, "
        "energy, momentum and limits are measured. An order stands with its 95&nbsp;% interval "
        "and a verdict: PASS and FAIL are claims shown and refuted, INCONCLUSIVE says what "
        "would decide, REPORTED is a number that no claim speaks of. Below every figure are the "
        "data and the script that draw it.</p>\n</header>\n",
        page);
}

/* Bytes of an entry in a list of contents, a line of the page; and of one that says something. */
enum { SHORT = 90, LEAST = 20 };

/* Where a sentence of n bytes is cut to at most SHORT: before its last comma or semicolon outside
 * parentheses, or its last parenthesis, or else (*hard) behind its last word. */
static size_t cut(const char *text, size_t n, bool *hard) {
    size_t clause = 0;
    size_t aside = 0;
    size_t word_end = 0;
    int depth = 0;
    for (size_t k = 1; k < n && k <= SHORT; k++) {
        if (depth == 0 && (text[k] == ',' || text[k] == ';') && text[k + 1] == ' ') {
            clause = k;
        } else if (depth == 0 && text[k] == '(' && text[k - 1] == ' ') {
            aside = k - 1;
        }
        word_end = text[k] == ' ' ? k : word_end;
        depth += (text[k] == '(') - (text[k] == ')');
    }
    size_t soft = clause >= LEAST ? clause : aside >= LEAST ? aside : 0;
    size_t kept = n <= SHORT ? n : soft > 0 ? soft : word_end > 0 ? word_end : n;
    *hard = kept < n && kept != soft;
    return kept;
}

/* What lists of contents say: the caption up to its first colon or full stop, and no more of that
 * than a line has, or the name. */
static void put_short(FILE *page, const il_report_entry *e) {
    const char *text = e->caption[0] != '\0' ? e->caption : e->name;
    bool hard = false;
    size_t n = 0;
    while (text[n] != '\0' &&
           !((text[n] == ':' || text[n] == '.') && (text[n + 1] == ' ' || text[n + 1] == '\0'))) {
        n++;
    }
    il_report_put_letters(page, text, cut(text, n, &hard));
    (void)fputs(hard ? " &hellip;" : "", page);
}

/* ---- sections ------------------------------------------------------------------------------- */

/* The first entry behind the section of entry k. */
static size_t section_end(const il_report *r, size_t k) {
    size_t end = k + 1;
    while (end < r->n && strcmp(r->entries[end].section, r->entries[k].section) == 0) {
        end++;
    }
    return end;
}

static const char *heading(const il_report *r, size_t k) {
    const char *title = r->entries[k].section;
    return title[0] != '\0' ? title : k == 0 ? "Figures and tables" : "Further figures and tables";
}

static void put_contents(FILE *page, const il_report *r) {
    if (r->n == 0) {
        return;
    }
    if (r->manual != NULL) {
        il_report_put(page,
                      "<p class=\"about\"><a href=\"%\">The manual</a>: what each measure and "
                      "word means.</p>\n",
                      r->manual);
    }
    (void)fputs("<nav aria-label=\"Contents\">\n<ul>\n", page);
    size_t number = 0;
    for (size_t k = 0, end = 0; k < r->n; k = end) {
        end = section_end(r, k);
        (void)fprintf(page, "<li><a href=\"#section-%zu\">", ++number);
        il_report_put(page, "%", heading(r, k));
        (void)fprintf(page, "</a> <span class=\"count\">%zu</span></li>\n", end - k);
    }
    (void)fputs("</ul>\n</nav>\n", page);
}

/* The heading, what the section says of itself, and a list of what is in it. */
static void put_section(FILE *page, const il_report *r, size_t k, size_t end, size_t number) {
    const char *text = "";
    (void)fprintf(page, "<section aria-labelledby=\"section-%zu\">\n<h2 id=\"section-%zu\">",
                  number, number);
    il_report_put(page, "%</h2>\n", heading(r, k));
    for (size_t i = k; i < end && text[0] == '\0'; i++) {
        text = il_json_get_text(json_object_get(r->entries[i].root, "section"), "text");
    }
    if (text[0] != '\0') {
        il_report_put(page, "<p class=\"statement\">%</p>\n", text);
    }
    (void)fputs("<div class=\"within\"><ol>\n", page);
    for (size_t i = k; i < end; i++) {
        il_report_put(page, "<li><a href=\"#%\">", r->entries[i].anchor);
        put_short(page, &r->entries[i]);
        (void)fputs("</a></li>\n", page);
    }
    (void)fputs("</ol></div>\n", page);
}

/* The SVG, sharp at every size, unless it is missing or so heavy that pages scroll badly; NULL
 * without a picture. */
static const char *picture_choose(const il_report *r, const il_report_entry *e) {
    const char *svg = il_report_file(e, ".svg");
    const char *png = il_report_file(e, ".png");
    char path[PATH_MAX];
    struct stat info;
    if (svg == NULL || png == NULL) {
        return svg != NULL ? svg : png;
    }
    (void)snprintf(path, sizeof path, "%s/%s/%s", r->results, il_report_folder(e), svg);
    return stat(path, &info) == 0 && info.st_size <= HEAVY_SVG ? svg : png;
}

/* What a picture shows says it to who cannot see it; the caption stands beside it. */
static void put_picture(FILE *page, const il_report *r, const il_report_entry *e,
                        const char *caption) {
    const char *picture = picture_choose(r, e);
    const char *shows = json_string_value(json_object_get(e->root, "shows"));
    if (picture != NULL) {
        il_report_put(page, "<img src=\"%/%\" alt=\"%\">\n", il_report_folder(e), picture,
                      shows != NULL ? shows : caption);
    }
}

static void put_entry(FILE *page, const il_report *r, const il_report_entry *e) {
    const char *caption = e->caption[0] != '\0' ? e->caption : e->name;
    il_report_put(page, "<figure id=\"%\" aria-labelledby=\"%-caption\">\n", e->anchor, e->anchor);
    if (!e->table) {
        put_picture(page, r, e, caption);
    }
    (void)fprintf(page, "<figcaption id=\"%s-caption\"><b>%s %zu.</b> ", e->anchor,
                  e->table ? "Table" : "Figure", e->number);
    il_report_put(page, "%</figcaption>\n", caption);
    if (e->table) {
        put_table(page, e);
    }
    put_links(page, e);
    (void)fputs("</figure>\n", page);
}

void il_report_put_page(FILE *page, const il_report *report) {
    put_head(page, report);
    (void)fputs("<main id=\"content\">\n", page);
    il_report_put_outcome(page, report);
    il_report_put_judged(page, report);
    put_contents(page, report);
    size_t number = 0;
    for (size_t k = 0, end = 0; k < report->n; k = end) {
        end = section_end(report, k);
        put_section(page, report, k, end, ++number);
        for (size_t i = k; i < end; i++) {
            put_entry(page, report, &report->entries[i]);
        }
        (void)fputs("</section>\n", page);
    }
    (void)fputs("</main>\n", page);
    il_report_put_provenance(page, report);
    (void)fputs("<script>", page);
    for (size_t k = 0; PAGE_JS[k] != NULL; k++) {
        (void)fputs(PAGE_JS[k], page);
    }
    (void)fputs("</script>\n</body>\n</html>\n", page);
}
