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

/* Write a page in Markdown from the program's tables; `all` are its verbs, then NULL. */
typedef void il_cli_writer(FILE *out, const il_cli_verb *const *all);

typedef struct {
    const char *file;     /* for a browser: "tutorial.html" */
    const char *path;     /* as il_page has it; of pages that the program writes, as if of a file */
    const char *title;    /* in lists of pages */
    il_cli_writer *write; /* NULL: the build took it from the checkout */
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

/* In reference.c: verbs, options, examples and exit status; members with statements, sources and
 * parameters; norms of whole runs, and formats of trajectories; what lab.run and lab.sweep can be
 * asked for. */
il_cli_writer il_cli_write_commands, il_cli_write_problems, il_cli_write_schemes,
    il_cli_write_projectors, il_cli_write_norms, il_cli_write_keys;

/* ---- forms ---------------------------------------------------------------------------------- */

/* impactlab(1), in the macros of man(7). */
void il_cli_write_man(FILE *out, const il_cli_verb *const *all);

/* Every page as dir/NAME.html, and dir/index.html. The folder appears whole or is as it was. */
il_status il_cli_write_html(const char *dir, const il_cli_verb *const *all, il_error *err);

/* Could it be made there? As il_output_folder_check. */
il_status il_cli_check_html(const char *dir, il_error *err);

#endif
