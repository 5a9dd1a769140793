/*
 * program.c - the command line's first word.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "build_id.h"
#include "harness/base/text.h"
#include "harness/cli/cli.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *text;
} verbs[] = {
    {"list", il_cli_list, "what there is: problems, schemes, projectors"},
    {"show", il_cli_show, "one of them: statement, source, parameters with defaults and ranges"},
    {"run", il_cli_run, "one run and its record"},
    {"sweep", il_cli_sweep, "a Lua script: sweeps, tables, figures"},
    {"check", il_cli_check, "the problems of a Lua script: derivatives, exact solution, force"},
    {"verify", il_cli_verify, "the claims of the papers, each with what was measured"},
    {"report", il_cli_report, "an HTML page of the figures and tables in a folder"},
};
enum { VERBS = sizeof verbs / sizeof verbs[0] };

static int help(FILE *out) {
    (void)fputs("impactlab - referees time-stepping schemes for contact with inelastic impacts\n\n"
                "usage: impactlab VERB [ARGUMENTS]\n\n",
                out);
    for (size_t k = 0; k < VERBS; k++) {
        (void)fprintf(out, "  %-8s %s\n", verbs[k].name, verbs[k].text);
    }
    (void)fputs(
        "\n  impactlab help VERB, impactlab VERB -h, --help    the verb's arguments\n"
        "  impactlab -V, --version                           version and build\n\n"
        "Exit status: 0 all well; 1 a scientific check or run failed; 2 usage or bad input;\n"
        "3 incomplete; 4 internal.\n",
        out);
    return IL_EXIT_OK;
}

/* Run the verb that argv[0] names. */
static int run_verb(int argc, char **argv) {
    const char *names[VERBS];
    for (size_t k = 0; k < VERBS; k++) {
        names[k] = verbs[k].name;
        if (strcmp(argv[0], verbs[k].name) == 0) {
            return verbs[k].run(argc, argv);
        }
    }
    const char *near = il_text_nearest(argv[0], names, VERBS);
    il_text_make_printable(argv[0], false);
    (void)fprintf(stderr, "impactlab: unknown verb '%s'%s%s%s Known: ", argv[0],
                  near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                  near != NULL ? "'?" : ".");
    for (size_t k = 0; k < VERBS; k++) {
        (void)fprintf(stderr, "%s%s", k == 0 ? "" : ", ", verbs[k].name);
    }
    (void)fputc('\n', stderr);
    return IL_EXIT_USAGE;
}

static int run_words(int argc, char **argv) {
    if (argc < 2) {
        (void)help(stderr);
        return IL_EXIT_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "help") == 0 && argc > 2) {
        char ask[] = "--help";
        char *asked[] = {argv[2], ask, NULL};
        return run_verb(2, asked);
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        return help(stdout);
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        (void)printf("impactlab %s (build %s)\n", IL_VERSION, IL_BUILD_ID);
        return IL_EXIT_OK;
    }
    return run_verb(argc - 1, argv + 1);
}

int il_cli_program(int argc, char **argv) {
    int status = run_words(argc, argv);
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) { /* whatever was asked, it did not arrive */
        (void)fprintf(stderr, "impactlab: standard output could not be written%s%s\n",
                      errno != 0 ? ": " : "", errno != 0 ? strerror(errno) : "");
        return IL_EXIT_USAGE;
    }
    return status;
}
