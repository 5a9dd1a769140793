/*
 * topics.h - the pages of the manual in their order, and the words under which `help` finds them.
 */
#ifndef IL_CLI_TOPICS_H
#define IL_CLI_TOPICS_H

#include <stdbool.h>
#include <stdio.h>

#include "harness/base/status.h"
#include "harness/manual/section.h"

typedef struct {
    const char *path;  /* as il_page has it; of pages that the program writes, as if of a file */
    const char *title; /* in lists of pages */
    void (*write)(FILE *out); /* NULL: the build took it from the checkout */
} il_cli_page;

/* Page k in the order of the manual, NULL past the end. */
const il_cli_page *il_cli_page_at(size_t k);

/* The page, made if need be: *made is freed by the caller. IL_ENOMEM. */
il_status il_cli_page_open(const il_cli_page *page, il_page *out, char **made, il_error *err);

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
 * pages. *found false: nothing, and nothing is printed. IL_ENOMEM. */
il_status il_cli_topic_print(FILE *out, const char *word, bool *found, il_error *err);

#endif
