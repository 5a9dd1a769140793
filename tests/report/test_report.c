/*
 * test_report.c - the report shows what was stored, escapes it, and is the same when written again.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/json.h"
#include "harness/draw/publish.h"
#include "harness/io/file.h"
#include "harness/io/sealed.h"
#include "harness/io/store/journal.h"
#include "harness/lua/present.h"
#include "harness/report/report.h"
#include "tests/support/expect.h"
#include "tests/support/suite.h"

enum { PATH_ROOM = 512 };

typedef struct {
    char dir[PATH_ROOM]; /* fresh, removed at the end */
    char results[2 * PATH_ROOM], out[2 * PATH_ROOM];
    il_error err;
    il_report_summary shown;
} bench;

static void bench_open(bench *b) {
    const char *tmp = getenv("TMPDIR");
    memset(b, 0, sizeof *b);
    (void)snprintf(b->dir, sizeof b->dir, "%s/il-report-XXXXXX", tmp != NULL ? tmp : "/tmp");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(b->dir));
    (void)snprintf(b->results, sizeof b->results, "%s/results", b->dir);
    (void)snprintf(b->out, sizeof b->out, "%s/results/report", b->dir);
    CU_ASSERT_EQUAL_FATAL(il_folder_make(b->results, &b->err), IL_OK);
}

static void bench_close(bench *b) {
    char command[2 * PATH_ROOM];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", b->dir);
    CU_ASSERT_EQUAL(system(command), 0);
}

/* The text of results/... or report/..., to be freed; NULL if there is none. */
static char *slurp(const char *folder, const char *file) {
    return il_test_slurp(folder, file, NULL);
}

static void spill(const bench *b, const char *folder, const char *file, const char *text) {
    char path[3 * PATH_ROOM];
    il_error err;
    (void)snprintf(path, sizeof path, "%s/%s", b->results, folder);
    CU_ASSERT_EQUAL_FATAL(il_folder_make(path, &err), IL_OK);
    (void)snprintf(path, sizeof path, "%s/%s/%s", b->results, folder, file);
    FILE *out = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    (void)fputs(text, out);
    (void)fclose(out);
}

/* The same with a JSON object, sealed. */
static void spill_sealed(const bench *b, const char *folder, const char *file, const char *text) {
    json_t *object = json_loads(text, 0, NULL);
    char *sealed = il_sealed_text(object, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(sealed);
    spill(b, folder, file, sealed);
    free(sealed);
    json_decref(object);
}

/* A table of so many columns and rows; csv is its text, "" where it does not matter. */
static void store(bench *b, const il_publication *what, const char *caption, size_t columns,
                  size_t rows, const char *const *heads, const char *const *cells,
                  const char *csv) {
    static const char *const suffixes[] = {".txt", ".csv", ".tex"};
    const char *const texts[] = {"", csv, ""};
    char dir[3 * PATH_ROOM];
    il_publication placed = *what;
    json_t *lines = json_array();
    json_t *head = json_array();
    for (size_t k = 0; k < columns; k++) {
        il_json_append(head, json_string(heads[k]));
    }
    for (size_t i = 0; i < rows; i++) {
        json_t *line = json_array();
        for (size_t k = 0; k < columns; k++) {
            il_json_append(line, json_string(cells[i * columns + k]));
        }
        il_json_append(lines, line);
    }
    json_t *manifest = json_pack("{s:s, s:s, s:s, s:o, s:o}", "kind", "table", "name", what->name,
                                 "caption", caption, "heads", head, "cells", lines);
    (void)snprintf(dir, sizeof dir, "%s/tables", b->results);
    placed.dir = dir;
    CU_ASSERT_EQUAL_FATAL(
        il_publish_texts(&placed, suffixes, texts, 3, ".table.json", manifest, &b->err), IL_OK);
}

static void store_table(bench *b, const char *name, const char *caption, int order,
                        const char *const *cells) {
    static const char *const heads[] = {"<scheme>", "error"};
    store(b, &(const il_publication){.name = name, .order = order}, caption, 2, 2, heads, cells,
          "");
}

static void store_in_section(bench *b, const char *name, const char *caption,
                             const il_section *section) {
    static const char *const heads[] = {"head"};
    static const char *const cell[] = {"1"};
    store(b, &(const il_publication){.name = name, .section = section}, caption, 1, 1, heads, cell,
          "");
}

static void store_figure(bench *b, const char *name, const char *caption) {
    char path[3 * PATH_ROOM];
    json_t *figure = json_pack("{s:s, s:[{s:[i, i], s:[i, i]}]}", "caption", caption, "series", "x",
                               0, 1, "y", 0, 1);
    (void)snprintf(path, sizeof path, "%s/figures/%s", b->results, name);
    CU_ASSERT_EQUAL_FATAL(il_lua_present("draw", figure, path, NULL, NULL, &b->err), IL_OK);
    json_decref(figure);
}

static il_status write_report(bench *b) {
    return il_report_write(b->results, b->out, NULL, 0, &b->shown, NULL, NULL, &b->err);
}

static const char *const cells[] = {"a <b> & \"c\", 'd'", "1e-3", "two\nlines", "-2.5"};

static void shows_figures_and_tables(void) {
    static const char *const copied[] = {"figures/f.pdf", "figures/f.svg", "figures/f.png",
                                         "figures/f.gp",  "figures/f.dat", "tables/t.csv",
                                         "tables/t.txt",  "tables/t.tex"};
    bench b;
    bench_open(&b);
    store_figure(&b, "f", "A figure");
    store_table(&b, "t", "A table", 0, cells);
    CU_ASSERT_EQUAL_FATAL(write_report(&b), IL_OK);
    CU_ASSERT_EQUAL(b.shown.figures, 1);
    CU_ASSERT_EQUAL(b.shown.tables, 1);
    char *page = slurp(b.out, "index.html");
    CU_ASSERT_PTR_NOT_NULL_FATAL(page);
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<img src=\"figures/f.svg\" alt=\"y against x.\">"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<a href=\"#table-1\">A table</a>"));
    CU_ASSERT(strstr(page, "http:") == NULL && strstr(page, "https:") == NULL);
    for (size_t k = 0; k < sizeof copied / sizeof *copied; k++) {
        char *original = slurp(b.results, copied[k]);
        char *copy = slurp(b.out, copied[k]);
        CU_ASSERT(original != NULL && copy != NULL && strcmp(original, copy) == 0);
        CU_ASSERT_PTR_NOT_NULL(strstr(page, copied[k]));
        free(original);
        free(copy);
    }
    free(page);
    bench_close(&b);
}

/* With the file there is a section, without it none. */
static void the_judge_of_trajectories_has_its_rates(void) {
    bench b;
    bench_open(&b);
    store_table(&b, "t", "A table", 0, cells);
    CU_ASSERT_EQUAL_FATAL(write_report(&b), IL_OK);
    char *page = slurp(b.out, "index.html");
    CU_ASSERT(page != NULL && strstr(page, "The judge of trajectories") == NULL);
    free(page);
    spill(&b, "reference", "judge.txt",
          "right motions     judged  accused\n17 digits   40   3\nall         70   4\n\n"
          "planted   in found named\na <b>      9 8 7\nall         9        8        7\n\nx\n");
    CU_ASSERT_EQUAL_FATAL(write_report(&b), IL_OK);
    page = slurp(b.out, "index.html");
    CU_ASSERT_PTR_NOT_NULL_FATAL(page);
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "Of 70 right motions"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "it accuses 4."));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(page, "Of 9 motions with a planted fault it finds 8, and names 7"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "a &lt;b&gt;"));
    free(page);
    bench_close(&b);
}

static void everything_is_escaped(void) {
    bench b;
    bench_open(&b);
    store_table(&b, "t", "<script>alert('x')</script> & \"more\"", 0, cells);
    CU_ASSERT_EQUAL_FATAL(write_report(&b), IL_OK);
    char *page = slurp(b.out, "index.html");
    CU_ASSERT_PTR_NOT_NULL_FATAL(page);
    CU_ASSERT_PTR_NULL(strstr(page, "<script>alert"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; "
                                        "&quot;more&quot;"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<th scope=\"col\">&lt;scheme&gt;</th>"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(page, "<tr><th scope=\"row\">a &lt;b&gt; &amp; &quot;c&quot;, &#39;d&#39;</th>"
                     "<td class=\"n\">1e-3</td></tr>"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(page, "<tr><th scope=\"row\">two\nlines</th><td class=\"n\">-2.5</td></tr>"));
    free(page);
    bench_close(&b);
}

/* On the page as readers see them; in the CSV, which the page links, with all digits. */
static void numbers_are_rounded_on_the_page(void) {
    static const char *const heads[] = {"0.12345678901"};
    static const char *const rounded[] = {"0.123457", "-"};
    bench b;
    bench_open(&b);
    store(&b, &(const il_publication){.name = "n"}, "Numbers", 1, 2, heads, rounded,
          "0.12345678901\r\n0.12345678901234567\r\n\r\n");
    CU_ASSERT_EQUAL_FATAL(write_report(&b), IL_OK);
    char *page = slurp(b.out, "index.html");
    char *csv = slurp(b.out, "tables/n.csv");
    CU_ASSERT_FATAL(page != NULL && csv != NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(page, ">0.12345678901</th>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<td class=\"n\">0.123457</td>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<td class=\"n\">-</td>"));
    CU_ASSERT_PTR_NULL(strstr(page, "0.12345678901234567"));
    CU_ASSERT_PTR_NOT_NULL(strstr(csv, "0.12345678901234567"));
    free(page);
    free(csv);
    bench_close(&b);
}

/* A section stands where the least of its orders puts it, whichever file says so; what belongs to
 * none comes last. */
static void sections_stand_in_their_order(void) {
    static const char *const sequence[] = {"<h2 id=\"section-1\">First</h2>",
                                           "<p class=\"statement\">About &lt;it&gt;.</p>",
                                           "<b>Table 1.</b> a one",
                                           "<b>Table 2.</b> c three",
                                           "<h2 id=\"section-2\">Second</h2>",
                                           "<b>Table 3.</b> b two",
                                           "<h2 id=\"section-3\">Further figures and tables</h2>",
                                           "<b>Table 4.</b> d four"};
    bench b;
    bench_open(&b);
    const il_section first = {"First", "About <it>.", 1};
    const il_section again = {"First", NULL, 0};
    const il_section second = {"Second", NULL, 2};
    store_in_section(&b, "a", "a one", &first);
    store_in_section(&b, "b", "b two", &second);
    store_in_section(&b, "c", "c three", &again);
    store_in_section(&b, "d", "d four", NULL);
    CU_ASSERT_EQUAL_FATAL(write_report(&b), IL_OK);
    char *page = slurp(b.out, "index.html");
    CU_ASSERT_PTR_NOT_NULL_FATAL(page);
    const char *at = page;
    for (size_t k = 0; k < sizeof sequence / sizeof *sequence && at != NULL; k++) {
        at = strstr(at, sequence[k]);
        CU_ASSERT_PTR_NOT_NULL(at);
    }
    free(page);
    bench_close(&b);
}

static void nothing_to_show_says_what_to_run(void) {
    bench b;
    bench_open(&b);
    CU_ASSERT_EQUAL(write_report(&b), IL_EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.err.message, "`make report`"));
    CU_ASSERT_PTR_NOT_NULL(strstr(b.err.message, "`impactlab sweep scripts/paper.lua`"));
    CU_ASSERT(rmdir(b.results) == 0); /* nothing was written */
    CU_ASSERT_EQUAL(write_report(&b), IL_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.err.message, b.results));
    bench_close(&b);
}

/* Rows and columns stand in the order of the catalogue by names that are just long enough; a
 * program behind exec: comes last, whenever it ran; a cell is a number, its title has verdict and
 * norm. */
static void orders_stand_at_a_glance(void) {
    static const struct {
        const char *problem, *scheme, *norm, *verdict;
        double order;
    } judged[] = {{"gluey(masses=1,3, press=2, scenario=spheres)", "exec:python3 a/ball.py", "u_L1",
                   "REPORTED", 0.97},
                  {"gluey(gamma=-1, gap=0)", "maury", "q_Linf", "FAIL", 0.41},
                  {"pile(N=2, seed=1)", "venel", "u_L1", "INCONCLUSIVE", NAN},
                  {"ball(e=0.5)", "venel:k=3", "u_L1", "PASS", 1.0},
                  {"ball(e=0)", "maury", "q_Linf", "PASS", 2.0},
                  {"ball(e=0)", "maury", "u_L1", "PASS", 0.996}};
    static const char *const sequence[] = {
        "<th scope=\"col\" title=\"maury\">maury</th>",
        "<th scope=\"col\" title=\"venel\">venel</th>",
        "<th scope=\"col\" title=\"venel:k=3\">venel k=3</th>",
        "<th scope=\"col\" title=\"exec:python3 a/ball.py\">ball.py</th></tr>",
        "title=\"pile(N=2, seed=1)\">pile</th>",
        ("<td class=\"INCONCLUSIVE\" title=\"INCONCLUSIVE, u_L1: said 2\">none<span "
         "class=\"word\"> INCONCLUSIVE</span></td>"),
        "title=\"ball(e=0.5)\">ball e=0.5</th>",
        "title=\"ball(e=0)\">ball e=0</th>",
        "<td class=\"PASS\" title=\"PASS, u_L1: said 5\">1.00<span",
        "press=2, scenario=spheres)\">gluey spheres</th>",
        "title=\"gluey(gamma=-1, gap=0)\">gluey gamma=-1</th>",
        "<td class=\"FAIL\" title=\"FAIL, q_Linf: said 1\">0.41<span",
        "<b>INCONCLUSIVE</b>: ",
        "<details>\n<summary>All 6 verdicts</summary>"};
    bench b;
    bench_open(&b);
    il_journal *journal = NULL;
    CU_ASSERT_EQUAL_FATAL(il_journal_open(&journal, b.results, "s.lua", NULL, 0, "build", &b.err),
                          IL_OK);
    for (size_t k = 0; k < sizeof judged / sizeof *judged; k++) {
        char text[16];
        (void)snprintf(text, sizeof text, "said %zu", k);
        const il_journal_order order = {"s", judged[k].problem, judged[k].scheme, judged[k].norm,
                                        judged[k].order};
        il_journal_judge_order(journal, &order, judged[k].verdict, text);
    }
    CU_ASSERT_EQUAL_FATAL(il_journal_close(journal, "ok", NULL, NULL, &b.err), IL_OK);
    json_t *about = json_pack("{s:[s, s, s], s:[s, s]}", "problems", "pile", "ball", "gluey",
                              "schemes", "maury", "venel");
    CU_ASSERT_EQUAL_FATAL(il_report_write(b.results, b.out, NULL, 0, &b.shown, about, NULL, &b.err),
                          IL_OK);
    json_decref(about);
    char *page = slurp(b.out, "index.html");
    CU_ASSERT_PTR_NOT_NULL_FATAL(page);
    const char *at = page;
    for (size_t k = 0; k < sizeof sequence / sizeof *sequence && at != NULL; k++) {
        const char *next = strstr(at, sequence[k]);
        if (next == NULL) {
            (void)printf("not there, or not there in order: %s\n", sequence[k]);
        }
        CU_ASSERT_PTR_NOT_NULL(next);
        at = next;
    }
    CU_ASSERT_PTR_NULL(strstr(page, "said 4\">2.00")); /* u_L1 is the main norm */
    free(page);
    bench_close(&b);
}

/* Each of these is told on the page, which shows all else. */
static void bad_manifests_are_told(void) {
    static const struct {
        const char *file, *manifest, *csv, *says;
    } bad[] = {
        {"t.table.json",
         "{\"kind\": \"table\", \"name\": \"t\", \"caption\": \"\", \"files\": [\"gone.csv\"], "
         "\"heads\": [], \"cells\": []}",
         "a\r\n", "gone.csv"},
        {"t.table.json",
         "{\"kind\": \"table\", \"name\": \"t\", \"caption\": \"\", \"files\": [\"../../etc/x\"]}",
         "a\r\n", "t.table.json"},
        {"t.table.json", "{\"kind\": \"table\", \"name\": \"t\", \"files\": [\"t.csv\"]}", "a\r\n",
         "t.table.json"},
        {"t.json",
         "{\"kind\": \"figure\", \"name\": \"t\", \"caption\": \"\", \"files\": [\"t.csv\"]}",
         "a\r\n", "t.json"},
        {"s.table.json",
         "{\"kind\": \"table\", \"name\": \"t\", \"caption\": \"\", \"files\": [\"t.csv\"], "
         "\"heads\": [], \"cells\": []}",
         "a\r\n", "that of"},
        {"t.table.json",
         "{\"kind\": \"table\", \"name\": \"t\", \"caption\": \"\", \"files\": [\"t.csv\"], "
         "\"heads\": [\"a\"], \"cells\": [[1]]}",
         "a\r\n", "missing or not allowed"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        bench b;
        bench_open(&b);
        store_table(&b, "sound", "A sound table", 0, cells);
        spill_sealed(&b, "tables", bad[k].file, bad[k].manifest);
        spill(&b, "tables", "t.csv", bad[k].csv);
        CU_ASSERT_EQUAL_FATAL(write_report(&b), IL_OK);
        CU_ASSERT(b.shown.tables == 1 && b.shown.figures == 0 && b.shown.failed == 1);
        CU_ASSERT_PTR_NOT_NULL(strstr(b.shown.line, "cannot be shown"));
        char *page = slurp(b.out, "index.html");
        CU_ASSERT_PTR_NOT_NULL_FATAL(page);
        const char *told = strstr(page, bad[k].says);
        const char *sound = strstr(page, "A sound table");
        CU_ASSERT(told != NULL && sound != NULL && told < sound);
        free(page);
        bench_close(&b);
    }
}

static const il_test tests[] = {
    {"figures and tables are shown, linked and copied", shows_figures_and_tables},
    {"the judge of trajectories has its rates", the_judge_of_trajectories_has_its_rates},
    {"everything is escaped, numbers are set to the right", everything_is_escaped},
    {"numbers are rounded on the page alone", numbers_are_rounded_on_the_page},
    {"sections stand in their order", sections_stand_in_their_order},
    {"orders stand at a glance, in the catalogue's order", orders_stand_at_a_glance},
    {"nothing to show says what to run", nothing_to_show_says_what_to_run},
    {"bad manifests are told, and all else is shown", bad_manifests_are_told},
    {.name = NULL}};

extern const il_suite il_suite_report;
const il_suite il_suite_report = {"report", tests};
