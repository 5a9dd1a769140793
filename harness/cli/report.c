/*
 * report.c - `impactlab report`: the figures and tables of a results folder on one page.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/arguments.h"
#include "harness/cli/cli.h"
#include "harness/report/report.h"

static const char usage[] =
    "usage: impactlab report [--results DIR] [--out DIR]\n\n"
    "  --results DIR     where the figures and tables are (default results)\n"
    "  --out DIR         where the page goes (default RESULTS/report)\n\n"
    "Nothing is run or drawn again: the page shows what is stored.\n";

enum { RESULTS, OUT };

static const il_cli_option known[] = {
    [RESULTS] = {.name = "results", .valued = true}, [OUT] = {.name = "out", .valued = true}};

static int parse(const char **results, const char **out, int argc, char **argv) {
    il_cli_arguments arguments;
    il_cli_arguments_start(&arguments, "report", argc, argv, known, sizeof known / sizeof known[0]);
    for (int option = il_cli_next(&arguments); option != IL_CLI_END;
         option = il_cli_next(&arguments)) {
        if (option == IL_CLI_BAD) {
            return IL_EXIT_USAGE;
        }
        if (option == IL_CLI_WORD) {
            return il_cli_usage("report", "'%s' is not allowed here; allowed: --results, --out",
                                arguments.value);
        }
        if (arguments.value[0] == '\0') {
            return il_cli_usage("report", "--%s is empty; allowed: a folder", known[option].name);
        }
        *(option == RESULTS ? results : out) = arguments.value;
    }
    return IL_EXIT_OK;
}

int il_cli_report(int argc, char **argv) {
    const char *results = "results";
    const char *out = NULL;
    if (il_cli_asks_help(argc, argv)) {
        (void)fputs(usage, stdout);
        return IL_EXIT_OK;
    }
    int code = parse(&results, &out, argc, argv);
    if (code != IL_EXIT_OK) {
        return code;
    }
    char *made = NULL;
    if (out == NULL) {
        size_t room = strlen(results) + 16;
        made = malloc(room);
        if (made == NULL) {
            il_error none = {IL_ENOMEM, "no memory for a path"};
            return il_cli_fail(&none);
        }
        (void)snprintf(made, room, "%s/report", results);
        out = made;
    }
    size_t figures = 0;
    size_t tables = 0;
    il_error err = {IL_OK, ""};
    il_status status = il_report_write(results, out, &figures, &tables, &err);
    if (status == IL_OK) {
        (void)printf("%s/index.html: %zu figures, %zu tables\n", out, figures, tables);
    }
    free(made);
    return status == IL_OK ? IL_EXIT_OK : il_cli_fail(&err);
}
