/*
 * man.c - impactlab(1).
 */
#include <string.h>

#include "build_id.h"
#include "harness/cli/manual.h"
#include "harness/cli/topics.h"
#include "harness/cli/verb.h"

/* Text as roff takes it: no line begins with a control character, no dash becomes a hyphen. */
static void put_text(FILE *out, const char *text) {
    bool fresh = true;
    for (; *text != '\0'; text++) {
        if (fresh && (*text == '.' || *text == '\'')) {
            (void)fputs("\\&", out);
        }
        fresh = *text == '\n';
        if (*text == '\\') {
            (void)fputs("\\e", out);
        } else if (*text == '-') {
            (void)fputs("\\-", out);
        } else if (*text == '`' || *text == '\'') {
            (void)fputs(*text == '`' ? "\\(ga" : "\\(aq", out);
        } else {
            (void)fputc(*text, out);
        }
    }
}

static void put_line(FILE *out, const char *before, const char *text, const char *after) {
    (void)fputs(before, out);
    put_text(out, text);
    (void)fputs(after, out);
}

static void put_option(FILE *out, const il_cli_option *o) {
    (void)fputs(".TP\n", out);
    if (o->name != NULL) {
        put_line(out, "\\fB\\-\\-", o->name, "\\fR");
    } else {
        (void)fprintf(out, "\\fB\\-%c\\fR", o->letter);
    }
    if (o->value != NULL) {
        put_line(out, " \\fI", o->value, "\\fR");
    }
    put_line(out, "\n", o->text, "\n");
}

static void put_verb(FILE *out, const il_cli_verb *verb) {
    il_cli_option options[IL_CLI_OPTIONS_MAX];
    size_t n = il_cli_verb_options(verb, options);
    put_line(out, ".SS impactlab ", verb->name, "\n");
    for (size_t k = 0; verb->usage[k] != NULL; k++) {
        put_line(out, k == 0 ? "\\fBimpactlab " : ".br\n\\fBimpactlab ", verb->name, "\\fR ");
        put_line(out, "", verb->usage[k], "\n");
    }
    (void)fprintf(out, ".PP\n%c", verb->text[0] & ~0x20);
    put_line(out, "", verb->text + 1, ".\n");
    for (size_t k = 0; k < n; k++) {
        put_option(out, &options[k]);
    }
    if (verb->notes != NULL) {
        put_line(out, ".PP\n.nf\n", verb->notes, ".fi\n");
    }
    (void)fputs(".PP\nExamples:\n.PP\n.nf\n.RS\n", out);
    for (size_t k = 0; verb->examples[k] != NULL; k++) {
        put_line(out, "impactlab ", verb->name, "");
        put_line(out, verb->examples[k][0] != '\0' ? " " : "", verb->examples[k], "\n");
    }
    (void)fputs(".RE\n.fi\n.PP\nExit status:\n", out);
    for (int k = 0; k < IL_CLI_ENDS; k++) {
        if (il_cli_verb_end(verb, k) != NULL) {
            (void)fprintf(out, ".TP 4\n%d\n", k);
            put_line(out, "", il_cli_verb_end(verb, k), "\n");
        }
    }
}

static void put_topics(FILE *out) {
    (void)fputs(".SH TOPICS\n\\fBimpactlab help\\fR \\fITOPIC\\fR prints a page of the manual on\n",
                out);
    for (size_t k = 0; il_cli_topic_at(k) != NULL; k++) {
        put_line(out, ".TP\n.B ", il_cli_topic_at(k)->name, "\n");
        put_line(out, "", il_cli_topic_at(k)->text, "\n");
    }
}

il_status il_cli_write_man(FILE *out, il_error *err) {
    (void)err;
    (void)fprintf(out, ".TH IMPACTLAB 1 \"\" \"impactlab %s\" \"User Commands\"\n", IL_VERSION);
    (void)fputs(
        ".SH NAME\nimpactlab \\- referees time\\-stepping schemes for contact with inelastic "
        "impacts\n.SH SYNOPSIS\n",
        out);
    for (size_t k = 0; il_cli_verb_at(k) != NULL; k++) {
        const il_cli_verb *verb = il_cli_verb_at(k);
        put_line(out, k == 0 ? "\\fBimpactlab " : ".br\n\\fBimpactlab ", verb->name, "\\fR ");
        put_line(out, "", verb->usage[0], "\n");
    }
    (void)fputs(
        ".SH DESCRIPTION\nRuns time\\-stepping schemes on problems of bodies that may touch, "
        "may not overlap and do not bounce,\nwhose exact solutions are known, and says how far "
        "each is from the truth, at which order it converges,\nand whether it keeps what its "
        "paper proves.\nResults go to standard output, messages and progress to standard "
        "error.\n.SH VERBS\n",
        out);
    for (size_t k = 0; il_cli_verb_at(k) != NULL; k++) {
        put_verb(out, il_cli_verb_at(k));
    }
    put_topics(out);
    (void)fputs(".SH EXIT STATUS\n", out);
    for (int k = 0; k < IL_CLI_ENDS; k++) {
        (void)fprintf(out, ".TP 4\n%d\n", k);
        put_line(out, "", il_cli_ends[k], "\n");
    }
    (void)fputs(
        ".SH FILES\n.TP\n.I results/\nwhat sweeps leave: cases, figures, tables, outcomes, the "
        "report\n.TP\n.I PREFIX/share/impactlab/scripts\nscripts that \\fBimpactlab "
        "sweep\\fR finds by their name\n.TP\n.I PREFIX/lib/impactlab\nthe module that writes "
        "HDF5 files\n.SH SEE ALSO\n.BR gnuplot (1),\nthe manual in "
        "\\fIPREFIX/share/doc/impactlab/html/index.html\\fR\n",
        out);
    return IL_OK;
}
