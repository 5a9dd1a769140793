/*
 * results.c - `impactlab results`: queries on stored cases.
 */
#include "harness/cli/results.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/text.h"
#include "harness/cli/verb.h"

typedef il_cli_results request;

static const il_cli_option known[] = {
    IL_CLI_OPTION(FOLDER, results, "results", "DIR", "the folder of results (default results)"),
    IL_CLI_OPTION(TEXT, where, "where", "EXPR",
                  "of list, export: cases that meet it, as in\n"
                  "'alpha > 1.7 and scheme = maury'"),
    IL_CLI_OPTION(TEXT, named, "columns", "NAME,...", "of list, export: these columns"),
    IL_CLI_OPTION(FLAG, names, "names", NULL,
                  "of list: what EXPR and NAME can be, with their ranges"),
    IL_CLI_OPTION(FLAG, references, "references", NULL,
                  "of list: the references that are kept, instead of cases"),
    IL_CLI_OPTION(FLAG, json, "json", NULL,
                  "of list, show, why, prune, from, compare: one JSON object"),
    IL_CLI_OPTION(FLAG, yes, "yes", NULL, "of prune: delete"),
    IL_CLI_OPTION(FLAG, trusted, "trust", NULL, "of why: the script is trusted (see sweep)"),
    IL_CLI_OPTION(TEXT, figure, "figure", "FOLDER/NAME",
                  "of compare: draw the errors of both against h"),
    IL_CLI_OPTION(FLAG, quiet, "quiet", NULL, "no progress")};

enum { WHERE, COLUMNS, NAMES, REFERENCES, JSON, YES, TRUST, FIGURE };

/* What an action takes: a word that it must have, and options besides --results and --quiet. */
typedef struct {
    const char *name, *word;
    il_cli_results_action *run;
    unsigned options; /* 1 << WHERE and so on */
} action;

static const action actions[] = {
    {"list", NULL, il_cli_results_list,
     1U << WHERE | 1U << COLUMNS | 1U << NAMES | 1U << REFERENCES | 1U << JSON},
    {"show", "KEY, the first letters of one", il_cli_results_show, 1U << JSON},
    {"why", "SCRIPT.lua", il_cli_results_why, 1U << JSON | 1U << TRUST},
    {"export", "FILE.csv, .tex, .sqlite or .h5", il_cli_results_export,
     1U << WHERE | 1U << COLUMNS},
    {"prune", NULL, il_cli_results_prune, 1U << JSON | 1U << YES},
    {"from", "a figure or table: its name, or one of its files", il_cli_results_from, 1U << JSON},
    {"compare", "two folders of results", il_cli_results_compare, 1U << JSON | 1U << FIGURE}};
enum { ACTIONS = sizeof actions / sizeof actions[0] };

/* ---- reading -------------------------------------------------------------------------------- */

static const action *find_action(const char *word) {
    const char *names[ACTIONS];
    for (size_t k = 0; k < ACTIONS; k++) {
        names[k] = actions[k].name;
        if (strcmp(word, names[k]) == 0) {
            return &actions[k];
        }
    }
    const char *near = il_text_nearest(word, names, ACTIONS);
    (void)il_cli_usage(
        "results", "'%s' is unknown%s%s%s; allowed: list, show, why, export, prune, from, compare",
        word, near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
        near != NULL ? "'?" : "");
    return NULL;
}

/* A name without the blanks around it. */
static const char *trim(char *name) {
    name += strspn(name, " ");
    size_t n = strlen(name);
    while (n > 0 && name[n - 1] == ' ') {
        name[--n] = '\0';
    }
    return name;
}

/* The names in q->named, which is cut into them. */
static int take_columns(il_cli_results *q) {
    char *rest = NULL;
    for (char *word = strtok_r((char *)(uintptr_t)q->named, ",", &rest); word != NULL;
         word = strtok_r(NULL, ",", &rest)) {
        const char *name = trim(word);
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

/* Words behind the action: one of its own, two folders of compare. */
static int take_words(il_cli_results *q, const action *what, const il_cli_words *words) {
    size_t most = what->word == NULL ? 0 : what->run == il_cli_results_compare ? 2 : 1;
    if (words->n > 1 + most) {
        return il_cli_usage("results", "'%s' is not allowed here; allowed behind %s: %s",
                            words->word[1 + most], what->name,
                            what->word != NULL ? what->word : "options alone");
    }
    if (words->n < 1 + most) {
        return il_cli_usage("results", "%s needs %s", what->name, what->word);
    }
    q->word = most > 0 ? words->word[1] : NULL;
    q->second = most > 1 ? words->word[2] : NULL;
    return IL_EXIT_OK;
}

/* Options that mean nothing to the action. */
static int check_options(const il_cli_results *q, const action *what) {
    const bool given[] = {[WHERE] = q->where != NULL, [COLUMNS] = q->named != NULL,
                          [NAMES] = q->names,         [REFERENCES] = q->references,
                          [JSON] = q->json,           [YES] = q->yes,
                          [TRUST] = q->trusted,       [FIGURE] = q->figure != NULL};
    for (size_t k = 0; k < sizeof given / sizeof given[0]; k++) {
        if (given[k] && (what->options >> k & 1U) == 0) {
            return il_cli_usage("results", "--%s has no meaning for %s", known[k + 1].name,
                                what->name);
        }
    }
    if (q->references && (q->names || q->where != NULL || q->named != NULL)) {
        return il_cli_usage("results", "--references has no meaning beside --names, --where or "
                                       "--columns");
    }
    return IL_EXIT_OK;
}

static int parse(il_cli_results *q, const action **what, int argc, char **argv) {
    il_cli_words words;
    int code = il_cli_read(&il_cli_results_verb, argc, argv, q, &words);
    if (code != IL_EXIT_OK) {
        return code;
    }
    if (words.n == 0) {
        return il_cli_usage(
            "results",
            "what to do is missing; allowed: list, show, why, export, prune, from, compare");
    }
    *what = find_action(words.word[0]);
    code = *what != NULL ? take_words(q, *what, &words) : IL_EXIT_USAGE;
    code = code == IL_EXIT_OK ? check_options(q, *what) : code;
    code = code == IL_EXIT_OK && q->named != NULL ? take_columns(q) : code;
    q->args = words.rest;
    q->nargs = words.nrest;
    if (code == IL_EXIT_OK && q->nargs > 0 && strcmp((*what)->name, "why") != 0) {
        code = il_cli_usage("results", "'%s' is not allowed behind --: %s runs no script",
                            q->args[0], (*what)->name);
    }
    return code;
}

int il_cli_results_act(const il_cli_results *q, il_cli_results_action *act) {
    il_progress progress;
    il_index index;
    il_error err = {IL_OK, ""};
    il_interrupt_watch();
    il_progress_begin(&progress, q->quiet ? NULL : stderr, "index");
    il_status status = il_index_open(&index, q->results, &progress, &err);
    il_progress_clear(&progress);
    if (status == IL_OK && index.note[0] != '\0') {
        il_cli_say(stderr, "impactlab: %s", index.note);
    }
    status = status == IL_OK ? act(q, &index, &err) : status;
    il_index_close(&index);
    return status == IL_OK ? IL_EXIT_OK : il_cli_fail(&err);
}

static int results(int argc, char **argv) {
    il_cli_results q = {.results = "results"};
    const action *what = NULL;
    il_error err = {IL_OK, ""};
    int code = parse(&q, &what, argc, argv);
    if (code != IL_EXIT_OK || what == NULL) {
        return code;
    }
    if (what->run == il_cli_results_compare) { /* of two folders, by their files */
        il_interrupt_watch();
        return what->run(&q, NULL, &err) == IL_OK ? IL_EXIT_OK : il_cli_fail(&err);
    }
    return il_cli_results_act(&q, what->run);
}

const il_cli_verb il_cli_results_verb = {
    .name = "results",
    .text = "stored cases: find, show, explain, export, prune, compare",
    .run = results,
    .usage =
        IL_CLI_LINES("list [--where EXPR] [--columns NAME,...] [--names | --references] [--json]",
                     "show KEY [--json]", "why SCRIPT.lua [--json] [-- ARG...]",
                     "export FILE.{csv,tex,sqlite,h5} [--where EXPR] [--columns NAME,...]",
                     "prune [--yes] [--json]", "from FIGURE [--json]",
                     "compare DIR DIR [--figure FOLDER/NAME] [--json]"),
    .options = known,
    .noptions = IL_CLI_COUNT_OF(known),
    .word = "word",
    .script = true,
    .words = "list show why export prune from compare",
    .notes =
        "list says which cases are stored, show all of one, why for each case of a script whether\n"
        "it would run and for what reason, from which cases a figure or table was made of. export\n"
        "writes a file whose columns are parameters and measures. prune says what no script that "
        "is\n"
        "here and no figure can reach with this build, and deletes it when told --yes.\n"
        "compare matches the cases of two folders, whatever program made them, and gives ratios\n"
        "of errors and both orders: what a change of a scheme changed.\n"
        "EXPR compares names with values: = != < <= > >=, joined by and, or, not, ( ); a case\n"
        "that lacks a name does not meet the comparison. More: impactlab help finding.\n",
    .examples = IL_CLI_LINES("list --where 'status = ok and steps > 20' --results out",
                             "why first.lua --results out", "export cases.csv --results out",
                             "compare out out"),
    .ends = {"all well", NULL, "bad input, or a case that is damaged was asked for", "interrupted",
             "out of memory, or an error of the program"}};
