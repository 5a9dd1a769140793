/*
 * topics.c - the pages of the manual, the topics of `help`, and the headings of all pages.
 */
#include "harness/cli/manual.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/manual/markdown.h"

static const char TUTORIAL[] = "harness/manual/tutorial.md";
static const char COMMANDS[] = "reference/command-line.md";
static const char JUDGE[] = "harness/judge/README.md";
static const char LIBRARY[] = "harness/library/README.md";
static const char SCRIPTS[] = "scripts/README.md";

static const il_cli_page pages[] = {
    {"tutorial.html", TUTORIAL, "Tutorial", NULL},
    {"about.html", "README.md", "What it is", NULL},
    {"reference-command-line.html", COMMANDS, "The command line", il_cli_write_commands},
    {"run.html", "harness/run/README.md", "A run and its record", NULL},
    {"judge.html", JUDGE, "Your program, judged", NULL},
    {"exec.html", "harness/manual/exec.md", "A program that makes the steps", NULL},
    {"board.html", "harness/manual/board.md", "The board: which scheme, at what price", NULL},
    {"library.html", LIBRARY, "From C and Python", NULL},
    {"scripts.html", SCRIPTS, "Scripts: the Lua reference", NULL},
    {"reference-keys.html", "reference/keys.md", "Keys of runs", il_cli_write_keys},
    {"measures.html", "harness/manual/measures.md", "The mathematics of every measure", NULL},
    {"problems.html", "problems/README.md", "Problems: notation, crowds, your own", NULL},
    {"reference-problems.html", "reference/problems.md", "Every problem", il_cli_write_problems},
    {"schemes.html", "schemes/README.md", "Schemes, and your own", NULL},
    {"reference-schemes.html", "reference/schemes.md", "Every scheme", il_cli_write_schemes},
    {"projection.html", "schemes/projection/README.md", "The convex problem inside a step", NULL},
    {"reference-projectors.html", "reference/projectors.md", "Every projector",
     il_cli_write_projectors},
    {"reference-norms.html", "reference/norms.md", "Norms and formats", il_cli_write_norms},
    {"claims.html", "scripts/claims/README.md", "The papers' claims", NULL},
    {"finding.html", "harness/manual/finding.md", "Finding results", NULL},
    {"results.html", "results/README.md", "Results: what lands where", NULL},
    {"tests.html", "tests/README.md", "Tests, benchmarks, second opinions", NULL},
};

static const il_cli_topic topics[] = {
    {"tutorial", "from the first run to a problem of your own", TUTORIAL, NULL, true},
    {"judging", "your program, judged", JUDGE, "Your program, judged", false},
    {"exec", "a program of yours makes the steps", "harness/manual/exec.md", NULL, true},
    {"boards", "schemes and programs, asked the same questions", "harness/manual/board.md", NULL,
     true},
    {"statuses", "status 1 of judge, sweep, verify, compare; --require", JUDGE,
     "Statuses: a machine asks", false},
    {"python", "impactlab from Python", LIBRARY, "From Python", false},
    {"library", "impactlab from C", LIBRARY, "From C", false},
    {"problems", "all problems", "reference/problems.md", NULL, false},
    {"schemes", "all schemes", "reference/schemes.md", NULL, false},
    {"projectors", "all projectors", "reference/projectors.md", NULL, false},
    {"norms", "distances of whole runs", "reference/norms.md", "Norms", false},
    {"formats", "of trajectories", "reference/norms.md", "Formats", false},
    {"measures", "the mathematics of every measure", "harness/manual/measures.md", NULL, true},
    {"record", "the fields of a run's record", "harness/run/README.md", "Reading the record",
     false},
    {"options", "options of a run, at length", "harness/run/README.md", "Options of a run", false},
    {"keys", "what lab.run and lab.sweep take", "reference/keys.md", NULL, false},
    {"lua", "what scripts can do", SCRIPTS, NULL, false},
    {"orders", "how orders of convergence are judged", SCRIPTS, "r:order", false},
    {"verdicts", "the words PASS, FAIL, ...", SCRIPTS, "r:order", false},
    {"figures", "r:figure draws sweeps, lab.figure anything", SCRIPTS, "lab.figure", false},
    {"limits", "which limit each step has", SCRIPTS, "Limits", false},
    {"store", "what is kept, resuming, shards", SCRIPTS, "The store, resuming, shards", false},
    {"finding", "stored cases: list, conditions, export, compare, status",
     "harness/manual/finding.md", NULL, true},
    {"provenance", "where a record comes from", "harness/manual/finding.md",
     "Where a record comes from", false},
    {"conditions", "what --where can say", "harness/manual/finding.md", "Conditions", false},
    {"own problem", "a problem in Lua", SCRIPTS, "lab.problem", false},
    {"own scheme", "a scheme in Lua", SCRIPTS, "lab.scheme", false},
    {"claims", "what the papers state, checked", "scripts/claims/README.md", NULL, true},
    {"files", "what lands where", "results/README.md", NULL, true},
    {"exit status", "what the program ends with", COMMANDS, "Exit status", false},
};

const il_cli_page *il_cli_page_at(size_t k) {
    return k < sizeof pages / sizeof pages[0] ? &pages[k] : NULL;
}

const il_cli_topic *il_cli_topic_at(size_t k) {
    return k < sizeof topics / sizeof topics[0] ? &topics[k] : NULL;
}

void il_cli_page_open(const il_cli_page *page, const il_cli_verb *const *all, il_page *out,
                      char **made) {
    size_t size = 0;
    *made = NULL;
    if (page->write == NULL) {
        const il_page *embedded = il_page_embedded(page->path);
        *out = embedded != NULL ? *embedded : (il_page){page->path, "", 0};
        return;
    }
    FILE *stream = open_memstream(made, &size);
    page->write(stream, all);
    (void)fclose(stream);
    *out = (il_page){page->path, *made, size};
}

/* The first part of a page, and what else it has. */
static void print_opening(FILE *out, const il_page *page) {
    il_section section;
    char title[128];
    if (!il_section_at(page, 0, &section)) {
        return;
    }
    il_markdown_plain(out, section.text, section.own);
    for (size_t k = 1; il_section_at(page, k, &section); k++) {
        il_section_title(&section, title, sizeof title);
        (void)fprintf(out, "%simpactlab help %s\n", k == 1 ? "\nMore of it:\n  " : "  ", title);
    }
}

/* The section of the page that is called word; false if there is none. */
static bool print_section(FILE *out, const il_page *page, const char *word) {
    il_section section;
    for (size_t k = 0; il_section_at(page, k, &section); k++) {
        if (il_section_is(&section, word)) {
            il_markdown_plain(out, section.text, section.size);
            return true;
        }
    }
    return false;
}

static bool print_from(FILE *out, const il_page *page, const il_cli_topic *topic,
                       const char *word) {
    if (topic == NULL || topic->section != NULL) {
        return print_section(out, page, topic != NULL ? topic->section : word);
    }
    if (topic->whole) {
        il_markdown_plain(out, page->text, page->size);
    } else {
        print_opening(out, page);
    }
    return true;
}

bool il_cli_topic_print(FILE *out, const char *word, const il_cli_verb *const *all) {
    const il_cli_topic *topic = NULL;
    bool found = false;
    for (size_t k = 0; il_cli_topic_at(k) != NULL && topic == NULL; k++) {
        topic = strcasecmp(word, topics[k].name) == 0 ? &topics[k] : NULL;
    }
    for (size_t k = 0; il_cli_page_at(k) != NULL && !found; k++) {
        il_page page;
        char *made = NULL;
        if (topic != NULL && strcmp(topic->path, pages[k].path) != 0) {
            continue;
        }
        il_cli_page_open(&pages[k], all, &page, &made);
        found = print_from(out, &page, topic, word);
        free(made);
    }
    return found;
}
