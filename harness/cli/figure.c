/*
 * figure.c - `impactlab figure`: one figure of a paper, by the script that makes all of them.
 */
#include <stdio.h>
#include <string.h>

#include "harness/cli/cli.h"
#include "harness/cli/verb.h"

/* `SCRIPT -- figure NAME` draws it, and nothing else. */
typedef struct {
    const char *name, *script, *text;
} figure_of;

static const figure_of figures[] = {
    {"maury-2", "paper.lua", "the force of the non-uniqueness example"},
    {"maury-3", "paper.lua", "non-uniqueness, h = 2^-8: solution A"},
    {"maury-4", "paper.lua", "non-uniqueness, h = 2^-9: solution B"},
    {"maury-5", "paper.lua", "pathlines of sticky particles, h = 0.01"},
    {"maury-6", "paper.lua", "pathlines of sticky particles, h = 0.5"},
    {"maury-7", "paper.lua", "pathlines of sticky particles, h = 1.5"},
    {"maury-8", "many.lua", "impact of 2000 spheres at four times, by speed and load: 8 to 11"},
    {"venel-1", "sweeping.lua", "a ball that is rolled round, and how large for chains of discs"},
    {"venel-2", "sweeping.lua", "two projections: onto Q, and onto its linearisation"},
    {"venel-3", "sweeping.lua", "the labyrinth, with a board of our own"},
    {"venel-4", "sweeping.lua", "the chain, its multipliers and gamma"}};

enum { FIGURES = sizeof figures / sizeof figures[0] };

typedef struct {
    bool list;
    const char *results;
} request;

static const il_option known[] = {
    IL_CLI_OPTION(FLAG, list, "list", NULL, "the names, and what each shows"),
    IL_CLI_OPTION(FOLDER, results, "results", "DIR", "it goes to DIR/figures (default results)")};

static int draw(const char *name, const char *results, const il_cli_verb *const *all) {
    const char *names[FIGURES];
    for (size_t k = 0; k < FIGURES; k++) {
        names[k] = figures[k].name;
        if (strcmp(name, names[k]) == 0) {
            char *argv[] = {"sweep",      (char *)figures[k].script,
                            "--results",  (char *)results,
                            "--",         "figure",
                            (char *)name, NULL};
            return il_cli_perform(&il_cli_sweep, all, 7, argv);
        }
    }
    return il_cli_usage("figure", "unknown figure '%s'%s `impactlab figure --list` has all", name,
                        il_cli_nearest(name, names, FIGURES, ";").text);
}

static int figure(void *self, const il_cli_words *words, il_error *err) {
    const request *r = self;
    (void)err;
    for (size_t k = 0; r->list && k < FIGURES; k++) {
        (void)printf("%-8s  %s\n", figures[k].name, figures[k].text);
    }
    if (r->list || words->n > 0) {
        return r->list ? IL_EXIT_OK : draw(words->word[0], r->results, words->all);
    }
    return il_cli_usage("figure", "the name of a figure is needed, or --list");
}

const il_cli_verb il_cli_figure = {
    .name = "figure",
    .text = "one of the papers' figures",
    .run = figure,
    IL_CLI_REQUEST(.results = "results"),
    .usage = IL_CLI_LINES("NAME [--results DIR]", "--list"),
    IL_CLI_OPTIONS(known),
    .word = "figure",
    .most_words = 1,
    .examples = IL_CLI_LINES("maury-3 --results out", "--list"),
    .ends = {NULL, "a check failed, or it could not be drawn", "bad input", "it was interrupted"}};
