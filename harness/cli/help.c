/*
 * help.c - `impactlab help`: of a verb, of a member, of a topic; and the manual as a man page, as
 * completion and for a browser.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/text.h"
#include "harness/cli/cli.h"
#include "harness/cli/manual.h"
#include "harness/cli/topics.h"
#include "harness/cli/verb.h"
#include "harness/run/registry.h"

enum { WORD_MAX = 256, NAMES_MAX = 512 };

enum { MAN, BASH, ZSH, HTML };

static const il_cli_option known[] = {
    [MAN] = {.name = "man", .text = "the man page, for `man -l`"},
    [BASH] = {.name = "bash", .text = "completion for bash, to be sourced"},
    [ZSH] = {.name = "zsh", .text = "completion for zsh, a file _impactlab in $fpath"},
    [HTML] = {.name = "html",
              .value = "DIR",
              .text = "all pages of the manual for a browser, DIR/index.html first"}};

static bool is_member(const char *word) {
    const il_problem_type *problem = NULL;
    const il_scheme_type *scheme = NULL;
    const il_projector_type *projector = NULL;
    il_error none = {IL_OK, ""};
    return il_problem_type_find(word, &problem, &none) == IL_OK ||
           il_scheme_type_find(word, &scheme, &none) == IL_OK ||
           il_projector_type_find(word, &projector, &none) == IL_OK;
}

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
static int complain(const char *word) {
    const char *names[NAMES_MAX];
    size_t n = 0;
    for (size_t k = 0; il_cli_verb_at(k) != NULL && n < NAMES_MAX; k++) {
        names[n++] = il_cli_verb_at(k)->name;
    }
    for (size_t k = 0; il_cli_topic_at(k) != NULL && n < NAMES_MAX; k++) {
        names[n++] = il_cli_topic_at(k)->name;
    }
    for (size_t k = 0; il_problem_type_at(k) != NULL && n < NAMES_MAX; k++) {
        names[n++] = il_problem_type_at(k)->name;
    }
    for (size_t k = 0; il_scheme_type_at(k) != NULL && n < NAMES_MAX; k++) {
        names[n++] = il_scheme_type_at(k)->name;
    }
    for (size_t k = 0; il_projector_type_at(k) != NULL && n < NAMES_MAX; k++) {
        names[n++] = il_projector_type_at(k)->name;
    }
    const char *near = il_text_nearest(word, names, n);
    il_cli_say(stderr, "impactlab help: unknown topic '%s'%s%s%s `impactlab help topics` names all",
               word, near != NULL ? "; did you mean '" : ";", near != NULL ? near : "",
               near != NULL ? "'?" : "");
    return IL_EXIT_USAGE;
}

/* One word, or several that make one. */
static int explain(char *word) {
    il_error err = {IL_OK, ""};
    bool found = false;
    const il_cli_verb *verb = il_cli_verb_find(word);
    if (verb != NULL) {
        il_cli_print_help(stdout, verb);
        return IL_EXIT_OK;
    }
    if (strcmp(word, "topics") == 0) {
        return print_topics();
    }
    if (is_member(word)) {
        char show[] = "show";
        return il_cli_show.run(2, (char *[]){show, word, NULL});
    }
    il_status status = il_cli_topic_print(stdout, word, &found, &err);
    return status != IL_OK ? il_cli_fail(&err) : found ? IL_EXIT_OK : complain(word);
}

static int make(int option, const char *value) {
    il_error err = {IL_OK, ""};
    switch (option) {
    case MAN:
        il_cli_write_man(stdout);
        return IL_EXIT_OK;
    case BASH:
        return il_cli_write_bash(stdout, &err) == IL_OK ? IL_EXIT_OK : il_cli_fail(&err);
    case ZSH:
        return il_cli_write_zsh(stdout, &err) == IL_OK ? IL_EXIT_OK : il_cli_fail(&err);
    case HTML:
        if (value[0] == '\0') {
            return il_cli_usage("help", "--html is empty; allowed: a folder");
        }
        il_interrupt_watch();
        return il_cli_write_html(value, &err) == IL_OK ? IL_EXIT_OK : il_cli_fail(&err);
    default:
        return IL_EXIT_USAGE;
    }
}

static int help(int argc, char **argv) {
    char word[WORD_MAX] = "";
    il_cli_arguments arguments;
    il_cli_arguments_start(&arguments, "help", argc, argv, known, sizeof known / sizeof known[0]);
    for (int option = il_cli_next(&arguments); option != IL_CLI_END;
         option = il_cli_next(&arguments)) {
        if (option != IL_CLI_WORD) {
            return make(option, arguments.value);
        }
        il_text_append(word, sizeof word, "%s%s", word[0] != '\0' ? " " : "", arguments.value);
    }
    if (word[0] == '\0') {
        il_cli_print_overview(stdout);
        return IL_EXIT_OK;
    }
    return explain(word);
}

static const char *const usage[] = {"[VERB | NAME | TOPIC]", "--man | --bash | --zsh | --html DIR",
                                    NULL};
static const char *const examples[] = {"run",      "pendulum",    "orders",        "lab.sweep",
                                       "measures", "exit status", "--html manual", NULL};

const il_cli_verb il_cli_help = {
    .name = "help",
    .text = "of a verb, a problem, a scheme, a topic; the manual as pages",
    .run = help,
    .usage = usage,
    .options = known,
    .noptions = sizeof known / sizeof known[0],
    .words = "TOPIC",
    .notes = "`impactlab help topics` names the topics.\n",
    .examples = examples,
    .ends = {"all well", [2] = "an unknown topic: the nearest is named",
             [4] = "out of memory, or an error of the program"}};
