/*
 * report_html.c - one HTML page over all figures and tables, without outside resources.
 *
 * What was found stands first, then section by section figures and tables. Pictures are linked
 * beside the page, tables stand in it. Text from outside is escaped wherever it appears, and the
 * page's policy lets no script run but its own (page.js, by its hash).
 */
#include "harness/report/report_html.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "build_id.h"
#include "harness/base/date.h"
#include "harness/report/report_judged.h"
#include "harness/report/report_outcome.h"
#include "harness/report/report_table.h"
#include "harness/report/report_text.h"
#include "page.inc"

enum { HEAVY_SVG = 1 << 21 }; /* bytes; above this the page shows the PNG, so that it scrolls */

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

static const char *word(const il_report_entry *e) {
    return e->table ? "Table" : "Figure";
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
        (void)fprintf(page,
                      "<p class=\"about\"><a href=\"%s\">The manual</a>: what each measure and "
                      "word means.</p>\n",
                      r->manual);
    }
    (void)fputs("<nav aria-label=\"Contents\">\n<ul>\n", page);
    size_t number = 0;
    for (size_t k = 0, end = 0; k < r->n; k = end) {
        end = section_end(r, k);
        (void)fprintf(page, "<li><a href=\"#section-%zu\">", ++number);
        il_report_put_text(page, heading(r, k));
        (void)fprintf(page, "</a> <span class=\"count\">%zu</span></li>\n", end - k);
    }
    (void)fputs("</ul>\n</nav>\n", page);
}

/* The heading, what the section says of itself, and a list of what is in it. */
static void put_section(FILE *page, const il_report *r, size_t k, size_t end, size_t number) {
    (void)fprintf(page, "<section aria-labelledby=\"section-%zu\">\n<h2 id=\"section-%zu\">",
                  number, number);
    il_report_put_text(page, heading(r, k));
    (void)fputs("</h2>\n", page);
    for (size_t i = k; i < end; i++) {
        const char *text = json_string_value(
            json_object_get(json_object_get(r->entries[i].root, "section"), "text"));
        if (text != NULL && text[0] != '\0') {
            (void)fputs("<p class=\"statement\">", page);
            il_report_put_text(page, text);
            (void)fputs("</p>\n", page);
            break;
        }
    }
    (void)fputs("<div class=\"within\"><ol>\n", page);
    for (size_t i = k; i < end; i++) {
        (void)fputs("<li><a href=\"#", page);
        il_report_put_anchor(page, &r->entries[i]);
        (void)fputs("\">", page);
        put_short(page, &r->entries[i]);
        (void)fputs("</a></li>\n", page);
    }
    (void)fputs("</ol></div>\n", page);
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

/* What a picture shows says it to who cannot see it; the caption stands beside it. */
static il_status put_picture(FILE *page, const il_report *r, const il_report_entry *e,
                             il_error *err) {
    const char *picture = NULL;
    const char *shows = json_string_value(json_object_get(e->root, "shows"));
    il_status status = picture_choose(r, e, &picture, err);
    if (picture != NULL) {
        (void)fputs("<img src=\"", page);
        put_url(page, e, picture);
        (void)fputs("\" alt=\"", page);
        il_report_put_text(page, shows != NULL           ? shows
                                 : e->caption[0] != '\0' ? e->caption
                                                         : e->name);
        (void)fputs("\">\n", page);
    }
    return status;
}

static il_status put_entry(FILE *page, const il_report *r, const il_report_entry *e,
                           il_error *err) {
    il_status status = IL_OK;
    (void)fputs("<figure id=\"", page);
    il_report_put_anchor(page, e);
    (void)fputs("\" aria-labelledby=\"", page);
    il_report_put_anchor(page, e);
    (void)fputs("-caption\">\n", page);
    if (!e->table) {
        status = put_picture(page, r, e, err);
    }
    (void)fputs("<figcaption id=\"", page);
    il_report_put_anchor(page, e);
    (void)fprintf(page, "-caption\"><b>%s %zu.</b> ", word(e), e->number);
    il_report_put_text(page, e->caption[0] != '\0' ? e->caption : e->name);
    (void)fputs("</figcaption>\n", page);
    if (e->table) {
        status = il_report_put_cells(page, r, e, err);
    }
    put_links(page, e);
    (void)fputs("</figure>\n", page);
    return status;
}

il_status il_report_put_page(FILE *page, const il_report *report, il_error *err) {
    il_status status = IL_OK;
    put_head(page, report);
    (void)fputs("<main id=\"content\">\n", page);
    il_report_put_outcome(page, report);
    il_report_put_judged(page, report);
    put_contents(page, report);
    size_t number = 0;
    for (size_t k = 0, end = 0; k < report->n; k = end) {
        end = section_end(report, k);
        put_section(page, report, k, end, ++number);
        for (size_t i = k; status == IL_OK && i < end; i++) {
            status = put_entry(page, report, &report->entries[i], err);
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
    return status;
}
