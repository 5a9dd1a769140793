/*
 * reference.c - reference pages in Markdown, generated from the tables of verbs, options and
 * members.
 */
#include "harness/cli/manual.h"

#include <string.h>

#include "harness/base/params.h"
#include "harness/cli/members.h"
#include "harness/cli/verb.h"
#include "harness/io/formats/trajectory_file.h"
#include "harness/measure/norm.h"
#include "harness/run/options.h"
#include "harness/run/registry.h"

/* text in a cell of a table or in a list: bars have a backslash, lines become one. */
static void put_cell(FILE *out, const char *text) {
    for (; *text != '\0'; text++) {
        if (*text == '|') {
            (void)fputc('\\', out);
        }
        (void)fputc(*text == '\n' ? ' ' : *text, out);
    }
}

/* ---- the command line ----------------------------------------------------------------------- */

/* Lists, not tables: a terminal's man page has no room for wide cells. */
static void put_item(FILE *out, const char *name, const char *text) {
    (void)fprintf(out, "- %s: ", name);
    put_cell(out, text);
    (void)fputc('\n', out);
}

static void put_option(FILE *out, const il_option *o) {
    char shown[128];
    (void)snprintf(shown, sizeof shown, "`%s%s%s`", il_option_name(o).text,
                   o->value != NULL ? " " : "", o->value != NULL ? o->value : "");
    put_item(out, shown, o->text);
}

static void put_verb(FILE *out, const il_cli_verb *verb) {
    il_option options[IL_CLI_OPTIONS_MAX];
    size_t n = il_cli_verb_options(verb, options);
    (void)fprintf(out, "\n## impactlab %s\n\n%c%s.\n\n```\n", verb->name, verb->text[0] & ~0x20,
                  verb->text + 1);
    for (size_t k = 0; verb->usage[k] != NULL; k++) {
        (void)fprintf(out, "impactlab %s %s\n", verb->name, verb->usage[k]);
    }
    (void)fputs("```\n\n", out);
    for (size_t k = 0; k < n; k++) {
        put_option(out, &options[k]);
    }
    if (verb->notes != NULL) {
        (void)fprintf(out, "\n```\n%s```\n", verb->notes);
    }
    (void)fputs("\nFor example:\n\n```\n", out);
    for (size_t k = 0; verb->examples[k] != NULL; k++) {
        (void)fprintf(out, "impactlab %s%s%s\n", verb->name,
                      verb->examples[k][0] != '\0' ? " " : "", verb->examples[k]);
    }
    (void)fputs("```\n\nIts exit status:\n\n", out);
    for (int k = 0; k < IL_CLI_ENDS; k++) {
        if (il_cli_verb_end(verb, k) != NULL) {
            put_item(out, (const char[]){(char)('0' + k), '\0'}, il_cli_verb_end(verb, k));
        }
    }
}

void il_cli_write_commands(FILE *out, const il_cli_verb *const *all) {
    (void)fputs(
        "# The command line\n\n`impactlab VERB [ARGUMENTS]`. Options may stand anywhere, and "
        "`--name=value` is `--name value`. Results go to standard output, messages and "
        "progress to standard error.\n\n",
        out);
    for (size_t k = 0; all[k] != NULL; k++) {
        (void)fprintf(out, "- [`%s`](#impactlab-%s): %s\n", all[k]->name, all[k]->name,
                      all[k]->text);
    }
    (void)fputs("\n## Exit status\n\n", out);
    for (int k = 0; k < IL_CLI_ENDS; k++) {
        put_item(out, (const char[]){(char)('0' + k), '\0'}, il_cli_ends[k]);
    }
    for (size_t k = 0; all[k] != NULL; k++) {
        put_verb(out, all[k]);
    }
}

/* ---- members -------------------------------------------------------------------------------- */

static void put_params(FILE *out, const il_param_spec *specs) {
    if (specs == NULL || specs->key == NULL) {
        return;
    }
    (void)fputs("\n| parameter | default | allowed | unit | |\n|---|---|---|---|---|\n", out);
    for (; specs->key != NULL; specs++) {
        char allowed[256];
        bool plain = specs->unit == NULL || strcmp(specs->unit, "1") == 0;
        il_param_describe(specs, allowed, sizeof allowed);
        (void)fprintf(out, "| `%s` | %s | ", specs->key,
                      specs->fallback != NULL ? specs->fallback : "derived");
        put_cell(out, allowed);
        (void)fprintf(out, " | %s | ", plain ? "none" : specs->unit);
        put_cell(out, specs->text);
        (void)fputs(" |\n", out);
    }
}

/* All of a family: a table of names, then each with statement, source and parameters. */
static void put_family(FILE *out, int family) {
    il_cli_member m;
    for (size_t k = 0; il_cli_member_at(family, k, &m); k++) {
        if (k == 0) {
            (void)fprintf(out, "\n| %s | |\n|---|---|\n", m.kind);
        }
        (void)fprintf(out, "| [`%s`](#%s) | ", m.name, m.name);
        put_cell(out, m.title);
        (void)fputs(" |\n", out);
    }
    for (size_t k = 0; il_cli_member_at(family, k, &m); k++) {
        (void)fprintf(out, "\n## %s\n\n%s\n\n```\n%s\n```\n\nSource: %s\n", m.name, m.title,
                      m.statement, m.source);
        put_params(out, m.params);
    }
}

void il_cli_write_problems(FILE *out, const il_cli_verb *const *all) {
    (void)all;
    (void)fputs("# Problems\n\n`impactlab show NAME` prints the statement, the source, which "
                "theorems apply, and every parameter of one; `--set key=value` sets a parameter.\n",
                out);
    put_family(out, 0);
}

void il_cli_write_schemes(FILE *out, const il_cli_verb *const *all) {
    (void)all;
    (void)fputs(
        "# Schemes\n\n`--scheme NAME`, with parameters `--scheme NAME:key=value,key=value`; "
        "`impactlab list --matrix` says which scheme runs on which problem.\n",
        out);
    put_family(out, 1);
}

void il_cli_write_projectors(FILE *out, const il_cli_verb *const *all) {
    (void)all;
    (void)fprintf(out,
                  "# Projectors\n\n`--projector NAME` says how the convex problem inside a step is "
                  "solved; `%s` is taken without it.\n",
                  il_projector_type_default()->name);
    put_family(out, 2);
}

void il_cli_write_norms(FILE *out, const il_cli_verb *const *all) {
    (void)all;
    (void)fputs("# Norms and formats\n\n## Norms\n\nDistances that need the whole run, `--norms "
                "NAME,...`; `help measures` has the mathematics of all measures.\n\n"
                "| norm | | values in `error` |\n|---|---|---|\n",
                out);
    for (size_t k = 0; il_norm_type_at(k) != NULL; k++) {
        const il_norm_type *norm = il_norm_type_at(k);
        (void)fprintf(out, "| `%s` | ", norm->name);
        put_cell(out, norm->text);
        (void)fputs(" | ", out);
        for (size_t v = 0; norm->values[v].path != NULL; v++) {
            (void)fprintf(out, "%s`%s%s%s`", v == 0 ? "" : ", ", norm->nested ? norm->name : "",
                          norm->nested ? "." : "", norm->values[v].path);
        }
        (void)fputs(" |\n", out);
    }
    (void)fputs("\n## Formats\n\nOf trajectories, `--trajectory FILE.NAME`.\n\n| format | "
                "|\n|---|---|\n",
                out);
    for (size_t k = 0; il_format_type_at(k) != NULL; k++) {
        (void)fprintf(out, "| `.%s` | %s |\n", il_format_type_at(k)->name,
                      il_format_type_at(k)->text);
    }
}

/* ---- keys of scripts ------------------------------------------------------------------------ */

void il_cli_write_keys(FILE *out, const il_cli_verb *const *all) {
    (void)all;
    static const struct {
        unsigned bit;
        const char *name;
    } places[] = {{IL_WHERE_RUN | IL_WHERE_CASE, "`lab.run`"}, {IL_WHERE_SWEEP, "`lab.sweep`"}};
    (void)fputs(
        "# Keys of runs\n\nWhat scripts can ask of runs: the same table that makes the options "
        "of `impactlab run`. Its page on Lua says what each function takes besides.\n\n"
        "| key | value | in | |\n|---|---|---|---|\n",
        out);
    for (size_t k = 0; il_option_at(k) != NULL; k++) {
        const il_option *o = il_option_at(k);
        if ((o->where & ~(unsigned)IL_WHERE_COMMAND) == 0) {
            continue;
        }
        (void)fprintf(out, "| `%s` | ", o->key);
        put_cell(out, o->value != NULL ? o->value : "true");
        (void)fputs(" | ", out);
        const char *gap = "";
        for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
            if ((o->where & places[p].bit) != 0) {
                (void)fprintf(out, "%s%s", gap, places[p].name);
                gap = ", ";
            }
        }
        (void)fputs(" | ", out);
        put_cell(out, o->text);
        (void)fputs(" |\n", out);
    }
}
