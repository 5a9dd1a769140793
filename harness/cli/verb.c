/*
 * verb.c - a verb, and its help text.
 */
#include "harness/cli/verb.h"

#include <stdio.h>
#include <string.h>

enum { COLUMN = 29 };

const char *const il_cli_ends[IL_CLI_ENDS] = {
    "all well", "a scientific check, an order or a run failed, or a figure could not be drawn",
    "usage or bad input: one line says what, and what is allowed; nothing is left behind",
    "incomplete: interrupted (Ctrl-C, kill, a closed terminal, --max-time), or cases are missing",
    "out of memory, or an error of the program"};

const char *il_cli_verb_end(const il_cli_verb *verb, int k) {
    bool always = k == 0 || k == IL_CLI_ENDS - 1;
    return verb->ends[k] != NULL || !always ? verb->ends[k] : il_cli_ends[k];
}

const il_cli_verb *il_cli_verb_find(const il_cli_verb *const *all, const char *name) {
    while (*all != NULL && strcmp(name, (*all)->name) != 0) {
        all++;
    }
    return *all;
}

size_t il_cli_verb_options(const il_cli_verb *verb, il_option room[IL_CLI_OPTIONS_MAX]) {
    if (verb->list != NULL) {
        return verb->list(room);
    }
    if (verb->noptions > 0) {
        memcpy(room, verb->options, verb->noptions * sizeof *room);
    }
    return verb->noptions;
}

static void print_option(FILE *out, const il_option *o) {
    char head[96];
    (void)snprintf(head, sizeof head, "  %s%s%s", il_option_name(o).text,
                   o->value != NULL ? " " : "", o->value != NULL ? o->value : "");
    if (strlen(head) < COLUMN) {
        (void)fprintf(out, "%-*s", COLUMN, head);
    } else { /* a line of its own */
        (void)fprintf(out, "%s\n%*s", head, COLUMN, "");
    }
    for (const char *at = o->text; *at != '\0'; at++) {
        (void)fputc(*at, out);
        if (*at == '\n') {
            (void)fprintf(out, "%*s", COLUMN, "");
        }
    }
    (void)fputc('\n', out);
}

void il_cli_print_help(FILE *out, const il_cli_verb *verb) {
    il_option options[IL_CLI_OPTIONS_MAX];
    size_t n = il_cli_verb_options(verb, options);
    for (size_t k = 0; verb->usage[k] != NULL; k++) {
        (void)fprintf(out, "%s impactlab %s %s\n", k == 0 ? "usage:" : "      ", verb->name,
                      verb->usage[k]);
    }
    (void)fprintf(out, "\n%c%s.\n", verb->text[0] & ~0x20, verb->text + 1);
    (void)fputs(n > 0 ? "\n" : "", out);
    for (size_t k = 0; k < n; k++) {
        print_option(out, &options[k]);
    }
    if (verb->notes != NULL) {
        (void)fprintf(out, "\n%s", verb->notes);
    }
    (void)fputs("\nExamples:\n", out);
    for (size_t k = 0; verb->examples[k] != NULL; k++) {
        (void)fprintf(out, "  impactlab %s%s%s\n", verb->name,
                      verb->examples[k][0] != '\0' ? " " : "", verb->examples[k]);
    }
    (void)fputs("\nExit status:\n", out);
    for (int k = 0; k < IL_CLI_ENDS; k++) {
        if (il_cli_verb_end(verb, k) != NULL) {
            (void)fprintf(out, "  %d  %s\n", k, il_cli_verb_end(verb, k));
        }
    }
}

void il_cli_print_overview(FILE *out, const il_cli_verb *const *all) {
    (void)fputs("impactlab - referees time-stepping schemes for contact with inelastic impacts\n\n"
                "usage: impactlab VERB [ARGUMENTS]\n\n",
                out);
    for (; *all != NULL; all++) {
        (void)fprintf(out, "  %-8s %s\n", (*all)->name, (*all)->text);
    }
    (void)fputs(
        "\n  impactlab help VERB, impactlab VERB -h, --help    the verb's arguments, with "
        "examples\n"
        "  impactlab help TOPIC                              tutorial, problems, lua, orders, "
        "...;\n"
        "                                                    `impactlab help topics` names all\n"
        "  impactlab -V, --version                           version and build\n\n"
        "Exit status:\n",
        out);
    for (int k = 0; k < IL_CLI_ENDS; k++) {
        (void)fprintf(out, "  %d  %s\n", k, il_cli_ends[k]);
    }
}
