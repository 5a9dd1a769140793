/*
 * report.c - `impactlab report`: the figures and tables of a results folder on one page.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/cli/cli.h"
#include "harness/cli/manual.h"
#include "harness/cli/members.h"
#include "harness/cli/verb.h"
#include "harness/report/report.h"

typedef struct {
    const char *results, *out;
    bool quiet;
} request;

static const il_option known[] = {
    IL_CLI_OPTION(FOLDER, results, "results", "DIR",
                  "where the figures and tables are (default results)"),
    IL_CLI_OPTION(FOLDER, out, "out", "DIR", "where the page goes (default RESULTS/report)"),
    IL_CLI_OPTION(FLAG, quiet, "quiet", NULL, "no progress")};

/* Say what the page shows; what failed comes last. */
static int conclude(const char *out, const il_report_summary *o) {
    il_cli_say(stdout, "%s/index.html: %zu figures, %zu tables", out, o->figures, o->tables);
    (void)fflush(stdout);
    if (o->line[0] != '\0') {
        il_cli_say(stderr, "impactlab: %s; see %s/index.html", o->line, out);
    }
    return o->missing > 0 ? IL_EXIT_INCOMPLETE : o->failed > 0 ? IL_EXIT_FAILED : IL_EXIT_OK;
}

/* The facts that are not in the folder: the addresses of the manual and of the board, where that
 * was made beside the page, and the order of the catalogue. */
static json_t *about_new(const request *q) {
    json_t *about = json_object();
    il_cli_member m;
    il_json_put_text(about, "manual", "manual/index.html");
    char board[IL_PLACE_MAX];
    (void)snprintf(board, sizeof board, "%s/board/index.html", q->results);
    bool there = q->out == NULL && access(board, R_OK) == 0;
    il_json_put_text(about, "board", there ? "../board/index.html" : NULL);
    for (int f = 0; f < 2; f++) {
        json_t *names = json_array();
        for (size_t k = 0; il_cli_member_at(f, k, &m); k++) {
            il_json_append(names, json_string(m.name));
        }
        il_json_set(about, f == 0 ? "problems" : "schemes", names);
    }
    return about;
}

/* The page, and the manual that it links to: neither where there is no room for the manual. */
static il_status write_both(const request *q, const il_cli_words *words, const char *out,
                            il_report_summary *summary, il_progress *progress, il_error *err) {
    char *manual = il_alloc_format("%s/manual", out);
    json_t *about = about_new(q);
    il_status status = il_cli_check_html(manual, err);
    if (status == IL_OK) {
        status = il_report_write(q->results, out, (const char *const *)words->word, words->n,
                                 summary, about, progress, err);
    }
    if (status == IL_OK) {
        status = il_cli_write_html(manual, words->all, err);
    }
    free(manual);
    json_decref(about);
    return status;
}

static int report(void *self, const il_cli_words *words, il_error *err) {
    const request *q = self;
    il_report_summary summary = {0};
    il_progress progress;
    for (size_t k = 0; k < words->n; k++) {
        if (!il_text_ends_with(words->word[k], ".lua")) {
            return il_cli_usage("report", "'%s' is not allowed here; allowed: options, SCRIPT.lua",
                                words->word[k]);
        }
    }
    char *out = q->out != NULL ? il_alloc_text(q->out) : il_alloc_format("%s/report", q->results);
    il_progress_begin(&progress, q->quiet ? NULL : stderr, "report");
    il_status status = write_both(q, words, out, &summary, &progress, err);
    il_progress_clear(&progress);
    int code = status == IL_OK ? conclude(out, &summary) : IL_EXIT_ERROR;
    free(out);
    return code;
}

const il_cli_verb il_cli_report = {
    .name = "report",
    .text = "an HTML page of the figures and tables in a folder",
    .run = report,
    IL_CLI_REQUEST(.results = "results"),
    .usage = IL_CLI_LINES("[--results DIR] [--out DIR] [SCRIPT.lua]..."),
    IL_CLI_OPTIONS(known),
    .word = "script",
    .notes =
        "Nothing is run or drawn again: the page shows what is stored, and before it what\n"
        "failed in the scripts that stored it. A SCRIPT.lua is one that was to run: the page\n"
        "says so if it has not. The page is written in all cases but 2, the manual beside it,\n"
        "and the last line says what is wrong.\n",
    .examples = IL_CLI_LINES("--results out", "--results out --out page"),
    .ends = {NULL, "a script of these failed, or a figure or table cannot be shown", "bad input",
             "a script was interrupted, lacks cases or has not run"}};
