/*
 * report.c - `impactlab report`: the figures and tables of a results folder on one page.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/cli/arguments.h"
#include "harness/cli/cli.h"
#include "harness/report/report.h"

static const char usage[] =
    "usage: impactlab report [--results DIR] [--out DIR] [SCRIPT.lua]...\n\n"
    "  --results DIR     where the figures and tables are (default results)\n"
    "  --out DIR         where the page goes (default RESULTS/report)\n"
    "  SCRIPT.lua        a script that was to run: the page says so if it has not\n\n"
    "Nothing is run or drawn again: the page shows what is stored, and before it what failed in "
    "the\n"
    "scripts that stored it.\n"
    "Exit status: 0; 1 if a script of these failed, or a figure or table cannot be shown; 2 for "
    "bad\n"
    "input; 3 if a script was interrupted, lacks cases or has not run. The page is written in all\n"
    "cases but 2, and the last line says what is wrong.\n";

typedef struct {
    const char *results, *out;
    const char **scripts; /* [nscripts] within argv */
    size_t nscripts;
} request;

enum { RESULTS, OUT };

static const il_cli_option known[] = {
    [RESULTS] = {.name = "results", .valued = true}, [OUT] = {.name = "out", .valued = true}};

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
                "report", "'%s' is not allowed here; allowed: --results, --out, SCRIPT.lua", value);
        } else if (value[0] == '\0') {
            return il_cli_usage("report", "--%s is empty; allowed: a folder", known[option].name);
        } else {
            *(option == RESULTS ? &q->results : &q->out) = value;
        }
    }
    return IL_EXIT_OK;
}

/* Say what the page shows; what failed comes last. */
static int conclude(const char *out, const il_report_summary *o) {
    il_cli_say(stdout, "%s/index.html: %zu figures, %zu tables", out, o->figures, o->tables);
    (void)fflush(stdout);
    if (o->line[0] != '\0') {
        il_cli_say(stderr, "impactlab: %s; see %s/index.html", o->line, out);
    }
    return o->missing > 0 ? IL_EXIT_INCOMPLETE : o->failed > 0 ? IL_EXIT_FAILED : IL_EXIT_OK;
}

int il_cli_report(int argc, char **argv) {
    request q = {.results = "results"};
    if (il_cli_asks_help(argc, argv)) {
        (void)fputs(usage, stdout);
        return IL_EXIT_OK;
    }
    int code = parse(&q, argc, argv);
    if (code != IL_EXIT_OK) {
        return code;
    }
    char *made = NULL;
    if (q.out == NULL && asprintf(&made, "%s/report", q.results) < 0) {
        il_error none = {IL_ENOMEM, "no memory for a path"};
        return il_cli_fail(&none);
    }
    const char *out = q.out != NULL ? q.out : made;
    il_report_summary summary = {0};
    il_error err = {IL_OK, ""};
    il_status status = il_report_write(q.results, out, q.scripts, q.nscripts, &summary, &err);
    code = status == IL_OK ? conclude(out, &summary) : il_cli_fail(&err);
    free(made);
    return code;
}
