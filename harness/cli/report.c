/*
 * report.c - `impactlab report`: the figures and tables of a results folder on one page.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/text.h"
#include "harness/cli/cli.h"
#include "harness/cli/manual.h"
#include "harness/cli/verb.h"
#include "harness/report/report.h"
#include "harness/report/report_pdf.h"

typedef struct {
    const char *results, *out;
    const char **scripts; /* [nscripts] within argv */
    size_t nscripts;
    bool quiet, pdf;
} request;

enum { RESULTS, OUT, PDF, QUIET };

static const il_cli_option known[] = {
    [RESULTS] = {.name = "results",
                 .value = "DIR",
                 .text = "where the figures and tables are (default results)"},
    [OUT] = {.name = "out", .value = "DIR", .text = "where the page goes (default RESULTS/report)"},
    [PDF] = {.name = "pdf", .text = "also OUT/report.pdf, the page set by LuaLaTeX"},
    [QUIET] = {.name = "quiet", .text = "no progress"}};

static int parse(request *q, int argc, char **argv) {
    il_cli_arguments arguments;
    il_cli_arguments_start(&arguments, "report", argc, argv, known, sizeof known / sizeof known[0]);
    q->scripts = (const char **)argv; /* words that were read make room */
    for (int option = il_cli_next(&arguments); option != IL_CLI_END;
         option = il_cli_next(&arguments)) {
        const char *value = arguments.value;
        if (option == IL_CLI_BAD) {
            return IL_EXIT_USAGE;
        }
        if (option == IL_CLI_WORD && il_text_ends_with(value, ".lua")) {
            q->scripts[q->nscripts++] = value;
        } else if (option == IL_CLI_WORD) {
            return il_cli_usage(
                "report", "'%s' is not allowed here; allowed: --results, --out, --pdf, SCRIPT.lua",
                value);
        } else if (option == QUIET) {
            q->quiet = true;
        } else if (option == PDF) {
            q->pdf = true;
        } else if (value[0] == '\0') {
            return il_cli_usage("report", "--%s is empty; allowed: a folder", known[option].name);
        } else {
            *(option == RESULTS ? &q->results : &q->out) = value;
        }
    }
    return IL_EXIT_OK;
}

/* Say what the page shows; what failed comes last. */
static int conclude(const request *q, const char *out, const il_report_summary *o) {
    il_cli_say(stdout, "%s/index.html: %zu figures, %zu tables", out, o->figures, o->tables);
    if (q->pdf) {
        il_cli_say(stdout, "%s/report.pdf: the same on paper", out);
    }
    (void)fflush(stdout);
    if (o->line[0] != '\0') {
        il_cli_say(stderr, "impactlab: %s; see %s/index.html", o->line, out);
    }
    return o->missing > 0 ? IL_EXIT_INCOMPLETE : o->failed > 0 ? IL_EXIT_FAILED : IL_EXIT_OK;
}

static il_status write_manual(const char *out, il_error *err) {
    char *path = NULL;
    if (asprintf(&path, "%s/manual", out) < 0) {
        return il_fail(err, IL_ENOMEM, "no memory for a path");
    }
    il_status status = il_cli_write_html(path, err);
    free(path);
    return status;
}

static int report(int argc, char **argv) {
    request q = {.results = "results"};
    int code = parse(&q, argc, argv);
    if (code != IL_EXIT_OK) {
        return code;
    }
    il_error err = {IL_OK, ""};
    if (q.pdf && il_report_pdf_can(&err) != IL_OK) { /* before anything is written */
        return il_cli_usage("report", "%s", err.message);
    }
    char *made = NULL;
    if (q.out == NULL && asprintf(&made, "%s/report", q.results) < 0) {
        il_error none = {IL_ENOMEM, "no memory for a path"};
        return il_cli_fail(&none);
    }
    const char *out = q.out != NULL ? q.out : made;
    il_report_summary summary = {0};
    il_progress progress;
    il_progress_begin(&progress, q.quiet ? NULL : stderr, "report");
    il_status status = il_report_write(q.results, out, q.scripts, q.nscripts, &summary,
                                       "manual/index.html", &progress, &err);
    if (status == IL_OK) {
        status = write_manual(out, &err);
    }
    if (status == IL_OK && q.pdf) {
        il_interrupt_watch(); /* what writes the page takes a second */
        status = il_report_pdf_write(out, &err);
    }
    il_progress_clear(&progress);
    code = status == IL_OK ? conclude(&q, out, &summary) : il_cli_fail(&err);
    free(made);
    return code;
}

static const char *const usage[] = {"[--results DIR] [--out DIR] [--pdf] [SCRIPT.lua]...", NULL};
static const char *const examples[] = {"--results out", "--results out --out page", NULL};

const il_cli_verb il_cli_report = {
    .name = "report",
    .text = "an HTML page of the figures and tables in a folder",
    .run = report,
    .usage = usage,
    .options = known,
    .noptions = sizeof known / sizeof known[0],
    .words = "FILE.lua",
    .notes = "Nothing is run or drawn again: the page shows what is stored, and before it what\n"
             "failed in the scripts that stored it. A SCRIPT.lua is one that was to run: the page\n"
             "says so if it has not. The manual goes beside it. It is written in all cases but 2, "
             "and the last line says\n"
             "what is wrong.\n",
    .examples = examples,
    .ends = {"all well", "a script of these failed, or a figure or table cannot be shown",
             "bad input", "a script was interrupted, lacks cases or has not run",
             "out of memory, or an error of the program"}};
