/*
 * report.c - `impactlab report`: the figures and tables of a results folder on one page.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/cli/cli.h"
#include "harness/report/report.h"

static const char usage[] =
    "usage: impactlab report [--results DIR] [--out DIR]\n\n"
    "  --results DIR     where the figures and tables are (default results)\n"
    "  --out DIR         where the page goes (default RESULTS/report)\n\n"
    "Nothing is run or drawn again: the page shows what is stored.\n";

static int parse(const char **results, const char **out, int argc, char **argv) {
    static const char *const names[] = {"--results", "--out", "--help"};
    for (int k = 0; k < argc; k++) {
        const char **target = il_cli_is(argv[k], "--results") ? results
                              : il_cli_is(argv[k], "--out")   ? out
                                                              : NULL;
        if (target == NULL) {
            const char *near = il_text_nearest(argv[k], names, 3);
            return il_cli_usage("report", "'%s' is not allowed here%s%s%s", argv[k],
                                near != NULL ? "; did you mean '" : "; allowed: --results, --out",
                                near != NULL ? near : "", near != NULL ? "'?" : "");
        }
        const char *option = argv[k];
        *target = il_cli_value("report", argc, argv, &k);
        if (*target == NULL) {
            return IL_EXIT_USAGE;
        }
        if ((*target)[0] == '\0') {
            return il_cli_usage("report", "%s is empty; allowed: a folder", option);
        }
    }
    return IL_EXIT_OK;
}

int il_cli_report(int argc, char **argv) {
    const char *results = "results";
    const char *out = NULL;
    for (int k = 0; k < argc; k++) {
        if (strcmp(argv[k], "--help") == 0) {
            (void)fputs(usage, stdout);
            return IL_EXIT_OK;
        }
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
