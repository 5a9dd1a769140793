/*
 * help.c - `impactlab help`: of a verb, of a member, of a topic; and the manual as a man page and
 * for a browser.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/text.h"
#include "harness/cli/cli.h"
#include "harness/cli/manual.h"
#include "harness/cli/members.h"
#include "harness/cli/verb.h"

enum { NAMES_MAX = 512 };

typedef struct {
    bool man;
    const char *html;
} request;

static const il_option known[] = {
    IL_CLI_OPTION(FLAG, man, "man", NULL, "the man page, for `man -l`"),
    IL_CLI_OPTION(FOLDER, html, "html", "DIR",
                  "all pages of the manual for a browser, DIR/index.html first")};

static int print_topics(void) {
    (void)puts("impactlab help WORD, where WORD is\n\n  one of these");
    for (size_t k = 0; il_cli_topic_at(k) != NULL; k++) {
        (void)printf("    %-12s %s\n", il_cli_topic_at(k)->name, il_cli_topic_at(k)->text);
    }
    (void)puts("  a verb, as run; a problem, a scheme or a projector, as pendulum\n"
               "  a function of scripts, as lab.sweep, or any other heading of the manual\n\n"
               "The same pages for a browser: impactlab help --html DIR");
    return IL_EXIT_OK;
}

/* The nearest of all that would have been found. */
static int complain(const char *word, const il_cli_verb *const *all) {
    const char *names[NAMES_MAX];
    size_t n = 0;
    for (; *all != NULL && n < NAMES_MAX; all++) {
        names[n++] = (*all)->name;
    }
    for (size_t k = 0; il_cli_topic_at(k) != NULL && n < NAMES_MAX; k++) {
        names[n++] = il_cli_topic_at(k)->name;
    }
    n = il_cli_member_names(names, n, NAMES_MAX);
    il_cli_say(stderr, "impactlab help: unknown topic '%s'%s `impactlab help topics` names all",
               word, il_cli_nearest(word, names, n, ";").text);
    return IL_EXIT_USAGE;
}

/* A verb, a member, a topic or a heading. */
static int explain(const il_cli_verb *const *all, char *word) {
    il_cli_member member;
    const il_cli_verb *verb = il_cli_verb_find(all, word);
    if (verb != NULL) {
        il_cli_print_help(stdout, verb);
        return IL_EXIT_OK;
    }
    if (strcmp(word, "topics") == 0) {
        return print_topics();
    }
    if (il_cli_member_find(word, &member)) {
        char show[] = "show";
        return il_cli_perform(&il_cli_show, all, 2, (char *[]){show, word, NULL});
    }
    return il_cli_topic_print(stdout, word, all) ? IL_EXIT_OK : complain(word, all);
}

static int help(void *self, const il_cli_words *words, il_error *err) {
    const request *r = self;
    char word[256] = "";
    if (r->man) {
        il_cli_write_man(stdout, words->all);
        return IL_EXIT_OK;
    }
    if (r->html != NULL) {
        il_interrupt_watch();
        return il_cli_ended(il_cli_write_html(r->html, words->all, err));
    }
    for (size_t k = 0; k < words->n; k++) { /* of several words one name */
        il_text_append(word, sizeof word, "%s%s", k > 0 ? " " : "", words->word[k]);
    }
    if (words->n > 0) {
        return explain(words->all, word);
    }
    il_cli_print_overview(stdout, words->all);
    return IL_EXIT_OK;
}

const il_cli_verb il_cli_help = {
    .name = "help",
    .text = "of a verb, a problem, a scheme, a topic; the manual as pages",
    .run = help,
    IL_CLI_REQUEST(.html = NULL),
    .usage = IL_CLI_LINES("[VERB | NAME | TOPIC]", "--man | --html DIR"),
    IL_CLI_OPTIONS(known),
    .word = "topic",
    .notes = "`impactlab help topics` names the topics.\n",
    .examples = IL_CLI_LINES("run", "pendulum", "orders", "lab.sweep", "measures", "exit status",
                             "--html manual"),
    .ends = {[2] = "an unknown topic: the nearest is named"}};
