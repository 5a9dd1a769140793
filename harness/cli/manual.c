/*
 * manual.c - the manual for a browser, each page with a list of all pages and without scripts; and
 * impactlab(1).
 */
#include "harness/cli/manual.h"

#include <stdlib.h>
#include <string.h>

#include "build_id.h"
#include "harness/base/text.h"
#include "harness/io/file.h"
#include "harness/io/output_folder.h"
#include "harness/manual/markdown.h"

enum { NAME_ROOM = 128, PATH_ROOM = 1024 };

static const char SUFFIX[] = ".html";

/* from's folder and target, with "." and ".." worked out; the anchor is left off. */
static void join(const char *from, const char *target, char out[PATH_ROOM]) {
    const char *slash = strrchr(from, '/');
    char whole[PATH_ROOM];
    (void)snprintf(whole, sizeof whole, "%.*s/%.*s", slash != NULL ? (int)(slash - from) : 0, from,
                   (int)strcspn(target, "#"), target);
    out[0] = '\0';
    char *rest = NULL;
    for (char *part = strtok_r(whole, "/", &rest); part != NULL;
         part = strtok_r(NULL, "/", &rest)) {
        char *last = strrchr(out, '/');
        if (strcmp(part, "..") == 0) {
            *(last != NULL ? last : out) = '\0';
        } else if (strcmp(part, ".") != 0) {
            il_text_append(out, PATH_ROOM, "%s%s", out[0] != '\0' ? "/" : "", part);
        }
    }
}

/* Links between pages stay links; to files of the checkout they become words. */
static int resolve(const void *self, const char *target, char *room, size_t capacity) {
    const il_page *page = self;
    const char *anchor = strchr(target, '#');
    char path[PATH_ROOM];
    if (target[0] == '#' || strncmp(target, "https://", 8) == 0) {
        (void)snprintf(room, capacity, "%s", target);
        return true;
    }
    join(page->path, target, path);
    for (size_t k = 0; il_cli_page_at(k) != NULL; k++) {
        if (strcmp(path, il_cli_page_at(k)->path) == 0) {
            (void)snprintf(room, capacity, "%s%s", il_cli_page_at(k)->file,
                           anchor != NULL ? anchor : "");
            return true;
        }
    }
    return false;
}

static void put_head(FILE *out, const char *title) {
    (void)fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "style-src 'unsafe-inline'\">\n<title>",
                out);
    il_markdown_escape(out, title, strlen(title));
    (void)fprintf(out,
                  " - impactlab</title>\n<style>\n%s</style>\n</head>\n<body>\n"
                  "<a class=\"skip\" href=\"#main\">To the text</a>\n",
                  il_page_style());
}

static void put_pages(FILE *out, const il_cli_page *here) {
    (void)fputs(
        "<nav aria-label=\"pages\">\n<a class=\"home\" href=\"index.html\">impactlab</a>\n<ul>\n",
        out);
    for (size_t k = 0; il_cli_page_at(k) != NULL; k++) {
        const il_cli_page *page = il_cli_page_at(k);
        (void)fprintf(out, "<li><a href=\"%s\"%s>%s</a></li>\n", page->file,
                      page == here ? " aria-current=\"page\"" : "", page->title);
    }
    (void)fprintf(out, "</ul>\n<p>impactlab %s</p>\n</nav>\n", IL_VERSION);
}

/* The sections of a page, where it has more than a few. */
static void put_contents(FILE *out, const il_page *page) {
    il_section section;
    size_t n = 0;
    for (size_t k = 0; il_section_at(page, k, &section); k++) {
        n += section.level == 2;
    }
    if (n < 3) {
        return;
    }
    (void)fputs("<nav class=\"within\" aria-label=\"on this page\">\n<ul>\n", out);
    for (size_t k = 0; il_section_at(page, k, &section); k++) {
        char title[NAME_ROOM];
        char anchor[NAME_ROOM];
        if (section.level == 2) {
            il_section_title(&section, title, sizeof title);
            il_markdown_anchor(section.title, section.title_size, anchor, sizeof anchor);
            (void)fprintf(out, "<li><a href=\"#%s\">", anchor);
            il_markdown_escape(out, title, strlen(title));
            (void)fputs("</a></li>\n", out);
        }
    }
    (void)fputs("</ul>\n</nav>\n", out);
}

static void put_page(FILE *out, const il_cli_page *here, const il_page *page) {
    il_section first = {.own = 0};
    il_markdown_links links = {resolve, page};
    size_t opening = il_section_at(page, 0, &first) ? first.own : 0;
    put_head(out, here->title);
    put_pages(out, here);
    (void)fputs("<main id=\"main\">\n", out);
    il_markdown_html(out, page->text, opening, &links);
    put_contents(out, page);
    il_markdown_html(out, page->text + opening, page->size - opening, &links);
    (void)fputs("</main>\n</body>\n</html>\n", out);
}

/* The first page is index.html too: a folder is opened by that name. */
static il_status write_page(const il_output_folder *folder, const il_cli_page *here,
                            const char *name, const il_cli_verb *const *all, il_error *err) {
    il_page page = {.size = 0};
    char *made = NULL;
    il_file file;
    char *path = il_output_folder_file(folder, name);
    il_cli_page_open(here, all, &page, &made);
    il_status status = il_file_open(&file, path, err);
    if (status == IL_OK) {
        file.passing = true; /* the folder is flushed as a whole */
        put_page(file.stream, here, &page);
        status = il_file_commit(&file, err);
    }
    free(made);
    free(path);
    return status;
}

il_status il_cli_check_html(const char *dir, il_error *err) {
    return il_output_folder_check(dir, SUFFIX, err);
}

il_status il_cli_write_html(const char *dir, const il_cli_verb *const *all, il_error *err) {
    il_output_folder folder;
    il_status status = il_output_folder_open(&folder, dir, SUFFIX, err);
    if (status != IL_OK) {
        return status;
    }
    status = write_page(&folder, il_cli_page_at(0), "index.html", all, err);
    for (size_t k = 0; status == IL_OK && il_cli_page_at(k) != NULL; k++) {
        status = write_page(&folder, il_cli_page_at(k), il_cli_page_at(k)->file, all, err);
    }
    if (status == IL_OK) {
        status = il_output_folder_commit(&folder, err);
    }
    il_output_folder_abandon(&folder);
    return status;
}

/* ---- the man page --------------------------------------------------------------------------- */

static void put_man(FILE *out, const il_cli_verb *const *all) {
    (void)fputs(
        "# NAME\n\nimpactlab - referees time-stepping schemes for contact with inelastic "
        "impacts\n\n# DESCRIPTION\n\nRuns time-stepping schemes on problems of bodies that "
        "may touch, may not overlap and do not bounce, whose exact solutions are known, and "
        "reports their errors, their orders of convergence, and whether they satisfy what "
        "their papers prove.\n\n",
        out);
    il_cli_write_commands(out, all);
    (void)fputs("\n# TOPICS\n\n`impactlab help TOPIC` prints a page of the manual on\n\n", out);
    for (size_t k = 0; il_cli_topic_at(k) != NULL; k++) {
        (void)fprintf(out, "- %s: %s\n", il_cli_topic_at(k)->name, il_cli_topic_at(k)->text);
    }
    (void)fputs(
        "\n# FILES\n\n- `results/`: what sweeps leave: cases, figures, tables, outcomes, "
        "the report\n- `PREFIX/share/impactlab/scripts`: scripts that `impactlab sweep` finds "
        "by their name\n- `PREFIX/lib/impactlab`: the module that writes HDF5 files\n\n"
        "# SEE ALSO\n\ngnuplot(1), the manual in "
        "`PREFIX/share/doc/impactlab/html/index.html`\n",
        out);
}

void il_cli_write_man(FILE *out, const il_cli_verb *const *all) {
    char *text = NULL;
    size_t size = 0;
    FILE *page = open_memstream(&text, &size);
    put_man(page, all);
    (void)fclose(page);
    (void)fprintf(out, ".TH IMPACTLAB 1 \"\" \"impactlab %s\" \"User Commands\"\n", IL_VERSION);
    il_markdown_man(out, text, size);
    free(text);
}
