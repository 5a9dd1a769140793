/*
 * results.c - `impactlab results`: queries on stored cases.
 */
#include "harness/cli/results.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/cli/verb.h"

typedef il_cli_results request;

static const il_option known[] = {
    IL_CLI_OPTION(FOLDER, results, "results", "DIR", "the folder of results (default results)"),
    IL_CLI_OPTION(TEXT, where, "where", "EXPR",
                  "of list, export: cases that meet it, as in\n"
                  "'alpha > 1.7 and scheme = maury'",
                  .of = "list export"),
    IL_CLI_OPTION(TEXT, named, "columns", "COLUMN,...", "of list, export: these columns",
                  .of = "list export"),
    IL_CLI_OPTION(FLAG, names, "names", NULL,
                  "of list: what EXPR and COLUMN can be, with their ranges", .of = "list"),
    IL_CLI_OPTION(FLAG, references, "references", NULL,
                  "of list: the references that are kept, instead of cases", .of = "list"),
    IL_CLI_OPTION(FLAG, json, "json", NULL, "of list, show, compare: one JSON object",
                  .of = "list show compare"),
    IL_CLI_OPTION(TEXT, figure, "figure", "FOLDER/NAME",
                  "of compare: draw the errors of both against h", .of = "compare"),
    IL_CLI_OPTION(CHOICE, norm, "norm", "q_Linf|u_L1",
                  "of compare: verdicts in this norm alone decide the status", .of = "compare"),
    IL_CLI_OPTION(FLAG, quiet, "quiet", NULL, "no progress")};

/* An action needs so many words behind it. */
typedef struct {
    const char *name;
    size_t words;
    const char *needs;
    il_cli_results_action *run; /* NULL: compare, which opens two folders */
} action;

static const action actions[] = {
    {"list", 0, NULL, il_cli_results_list},
    {"show", 1, "KEY, the first letters of one", il_cli_results_show},
    {"export", 1, "FILE.csv, .tex, .sqlite or .h5", il_cli_results_export},
    {"compare", 2, "two folders of results", NULL}};

enum { ACTIONS = sizeof actions / sizeof actions[0] };
#define ALLOWED "allowed: list, show, export, compare"

/* ---- reading -------------------------------------------------------------------------------- */

/* NULL after a complaint. */
static const action *find_action(const il_cli_words *words) {
    const char *names[ACTIONS];
    if (words->n == 0) {
        (void)il_cli_usage("results", "what to do is missing; " ALLOWED);
        return NULL;
    }
    for (size_t k = 0; k < ACTIONS; k++) {
        names[k] = actions[k].name;
        if (strcmp(words->word[0], names[k]) == 0) {
            return &actions[k];
        }
    }
    (void)il_cli_usage("results", "'%s' is unknown%s; " ALLOWED, words->word[0],
                       il_cli_nearest(words->word[0], names, ACTIONS, "").text);
    return NULL;
}

/* The names in q->named, which is cut into them. */
static int take_columns(il_cli_results *q) {
    char *rest = NULL;
    for (const char *name = strtok_r((char *)(uintptr_t)q->named, ", ", &rest); name != NULL;
         name = strtok_r(NULL, ", ", &rest)) {
        for (size_t k = 0; k < q->ncolumns; k++) {
            if (strcmp(q->columns[k], name) == 0) {
                return il_cli_usage("results", "--columns names '%s' twice; allowed: once", name);
            }
        }
        if (q->ncolumns == IL_CLI_RESULTS_NAMES) {
            return il_cli_usage("results", "--columns names more than %d", IL_CLI_RESULTS_NAMES);
        }
        q->columns[q->ncolumns++] = name;
    }
    return q->ncolumns > 0 ? IL_EXIT_OK
                           : il_cli_usage("results", "--columns is empty; allowed: NAME,...");
}

static int take_words(il_cli_results *q, const action *what, const il_cli_words *words) {
    if (words->n > 1 + what->words) {
        return il_cli_usage("results", "'%s' is not allowed here; allowed behind %s: %s",
                            words->word[1 + what->words], what->name,
                            what->words > 0 ? what->needs : "options alone");
    }
    if (words->n < 1 + what->words) {
        return il_cli_usage("results", "%s needs %s", what->name, what->needs);
    }
    if (q->references && (q->names || q->where != NULL || q->named != NULL)) {
        return il_cli_usage("results", "--references has no meaning beside --names, --where or "
                                       "--columns");
    }
    q->word = what->words > 0 ? words->word[1] : NULL;
    q->second = what->words > 1 ? words->word[2] : NULL;
    return q->named != NULL ? take_columns(q) : IL_EXIT_OK;
}

int il_cli_results_act(const il_cli_results *q, il_cli_results_action *act, il_error *err) {
    il_progress progress;
    il_index index;
    il_interrupt_watch();
    il_progress_begin(&progress, q->quiet ? NULL : stderr, "index");
    il_status status = il_index_open(&index, q->results, &progress, err);
    il_progress_clear(&progress);
    if (status == IL_OK && index.note[0] != '\0') {
        il_cli_say(stderr, "impactlab: %s", index.note);
    }
    status = status == IL_OK ? act(q, &index, err) : status;
    il_index_close(&index);
    return il_cli_ended(status);
}

static int results(void *self, const il_cli_words *words, il_error *err) {
    il_cli_results *q = self;
    const action *what = find_action(words);
    int code = what != NULL ? take_words(q, what, words) : IL_EXIT_USAGE;
    if (what == NULL || code != IL_EXIT_OK) {
        return code;
    }
    if (what->run == NULL) {
        il_interrupt_watch();
        return il_cli_results_compare(q, err);
    }
    return il_cli_results_act(q, what->run, err);
}

const il_cli_verb il_cli_results_verb = {
    .name = "results",
    .text = "stored cases: find, show, export, compare",
    .run = results,
    IL_CLI_REQUEST(.results = "results", .norm = -1),
    .usage =
        IL_CLI_LINES("list [--where EXPR] [--columns COLUMN,...] [--names | --references] [--json]",
                     "show KEY [--json]",
                     "export FILE.{csv,tex,sqlite,h5} [--where EXPR] [--columns COLUMN,...]",
                     "compare DIR DIR [--norm NORM] [--figure FOLDER/NAME] [--json]"),
    IL_CLI_OPTIONS(known),
    .word = "word",
    .notes =
        "list says which cases are stored, show all of one. export writes a file whose columns "
        "are\n"
        "parameters and measures.\n"
        "compare matches the cases of two folders, whatever program made them, and gives ratios\n"
        "of errors and both orders: what a change of a scheme changed. Verdicts that got worse,\n"
        "fitted and stored, are listed.\n"
        "EXPR compares names with values: = != < <= > >=, joined by and, or, not, ( ); a case\n"
        "that lacks a name does not meet the comparison. More: impactlab help finding.\n",
    .examples = IL_CLI_LINES("list --where 'status = ok and steps > 20' --results out",
                             "export cases.csv --results out", "compare out out"),
    .ends = {"all well", "of compare: a verdict got worse, or nothing is in common",
             "bad input, or a case that is damaged was asked for", "interrupted",
             "out of memory, or an error of the program"}};
