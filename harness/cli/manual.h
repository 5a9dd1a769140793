/*
 * manual.h - the manual: its pages in order, the words under which `help` finds them, and its
 * output formats.
 */
#ifndef IL_CLI_MANUAL_H
#define IL_CLI_MANUAL_H

#include <stdbool.h>
#include <stdio.h>

#include "harness/base/status.h"
#include "harness/cli/verb.h"
#include "harness/manual/pages.h"

/* ---- pages and topics (topics.c) ------------------------------------------------------------ */

typedef struct {
    const char *file;  /* for a browser: "tutorial.html" */
    const char *path;  /* as il_page has it; of pages that the program writes, as if of a file */
    const char *title; /* in lists of pages */
    void (*write)(FILE *out,
                  const il_cli_verb *const *all); /* NULL: the build took it from the checkout */
} il_cli_page;

/* Page k in the order of the manual, NULL past the end. */
const il_cli_page *il_cli_page_at(size_t k);

/* The page, made if need be: *made is freed by the caller. */
void il_cli_page_open(const il_cli_page *page, const il_cli_verb *const *all, il_page *out,
                      char **made);

/* A word of help: a page, or one section of it. */
typedef struct {
    const char *name, *text;
    const char *path;
    const char *section; /* NULL: the page, its first part and the names of the others */
    bool whole;          /* all of the page */
} il_cli_topic;

/* Topic k, NULL past the end. */
const il_cli_topic *il_cli_topic_at(size_t k);

/* Print what there is on a word that is no verb and no member: a topic, or any heading of the
 * pages. False: there is nothing, and nothing is printed. */
bool il_cli_topic_print(FILE *out, const char *word, const il_cli_verb *const *all);

/* Pages in Markdown that the program writes from its tables (reference.c). */
void il_cli_write_commands(
    FILE *out, const il_cli_verb *const *all); /* verbs, options, examples, exit status */
void il_cli_write_problems(FILE *out,
                           const il_cli_verb *const *all); /* statements, sources, parameters */
void il_cli_write_schemes(FILE *out, const il_cli_verb *const *all);    /* the same */
void il_cli_write_projectors(FILE *out, const il_cli_verb *const *all); /* the same */
void il_cli_write_norms(
    FILE *out,
    const il_cli_verb *const *all); /* norms of whole runs, and formats of trajectories */
void il_cli_write_keys(
    FILE *out, const il_cli_verb *const *all); /* what lab.run and lab.sweep can be asked for */

/* ---- forms ---------------------------------------------------------------------------------- */

/* impactlab(1), in the macros of man(7). */
void il_cli_write_man(FILE *out, const il_cli_verb *const *all);

/* Every page as dir/NAME.html, and dir/index.html. The folder appears whole or is as it was. */
il_status il_cli_write_html(const char *dir, const il_cli_verb *const *all, il_error *err);

/* Could it be made there? As il_output_folder_check. */
il_status il_cli_check_html(const char *dir, il_error *err);

#endif
