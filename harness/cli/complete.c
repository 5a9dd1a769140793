/*
 * complete.c - completion for bash and zsh.
 *
 * Both have the same shape: what follows an option is told by the option's value as help writes it
 * (P is a problem, own|event_driven these two words, FILE.csv a file, ...), what follows --set by
 * the problem that --problem named before it, and everything else is a word of the verb or one of
 * its options. One writer makes both; what the shells do differently stands in a table.
 */
#include <stdbool.h>
#include <string.h>

#include "harness/cli/manual.h"
#include "harness/cli/topics.h"
#include "harness/cli/verb.h"
#include "harness/lua/verify.h"
#include "harness/measure/norm.h"
#include "harness/run/registry.h"

typedef struct {
    FILE *out;
    const char *offer, *end; /* around words, blanks between them, that are offered */
    const char *files, *folders;
    const char *bare; /* around words that are completed without a blank after them */
    const json_t *claims;
} shell;

static const char *const BASH_HEAD =
    "# impactlab(1) completion for bash: source it, or put it into\n"
    "# /usr/share/bash-completion/completions/impactlab. Made by `impactlab help --bash`.\n"
    "_impactlab() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    local verb=${COMP_WORDS[1]} problem= k\n"
    "    COMPREPLY=()\n"
    "    if [ \"$cur\" = = ]; then cur=; fi\n"
    "    if [ \"$prev\" = = ] && [ \"$COMP_CWORD\" -gt 2 ]; then prev=${COMP_WORDS[COMP_CWORD - "
    "2]}; fi\n"
    "    for ((k = 2; k < COMP_CWORD; k++)); do\n"
    "        if [ \"${COMP_WORDS[k]}\" = --problem ]; then\n"
    "            problem=${COMP_WORDS[k + 1]}\n"
    "            if [ \"$problem\" = = ]; then problem=${COMP_WORDS[k + 2]}; fi\n"
    "        fi\n"
    "        if [ \"${COMP_WORDS[k]}\" = -- ]; then COMPREPLY=($(compgen -f -- \"$cur\")); return; "
    "fi\n"
    "    done\n"
    "    if [ \"$COMP_CWORD\" -eq 1 ]; then verb=; prev=; fi\n";
static const char *const BASH_TAIL = "}\ncomplete -o filenames -F _impactlab impactlab\n";

static const char *const ZSH_HEAD =
    "#compdef impactlab\n"
    "# impactlab(1) completion for zsh: a file _impactlab in $fpath. Made by `impactlab help "
    "--zsh`.\n"
    "_impactlab() {\n"
    "    local prev=${words[CURRENT-1]} verb=${words[2]} problem= k\n"
    "    for ((k = 3; k < CURRENT; k++)); do\n"
    "        case ${words[k]} in\n"
    "        --problem) problem=${words[k+1]} ;;\n"
    "        --problem=*) problem=${words[k]#*=} ;;\n"
    "        esac\n"
    "        if [ \"${words[k]}\" = -- ]; then _files; return; fi\n"
    "    done\n"
    "    if [ \"$CURRENT\" -eq 2 ]; then verb=; prev=; fi\n";
static const char *const ZSH_TAIL = "}\n_impactlab \"$@\"\n";

/* ---- words ---------------------------------------------------------------------------------- */

static void put_problems(const shell *s) {
    for (size_t k = 0; il_problem_type_at(k) != NULL; k++) {
        (void)fprintf(s->out, " %s", il_problem_type_at(k)->name);
    }
}

static void put_schemes(const shell *s) {
    for (size_t k = 0; il_scheme_type_at(k) != NULL; k++) {
        (void)fprintf(s->out, " %s", il_scheme_type_at(k)->name);
    }
}

static void put_projectors(const shell *s) {
    for (size_t k = 0; il_projector_type_at(k) != NULL; k++) {
        (void)fprintf(s->out, " %s", il_projector_type_at(k)->name);
    }
}

static void put_norms(const shell *s) {
    for (size_t k = 0; il_norm_type_at(k) != NULL; k++) {
        (void)fprintf(s->out, " %s", il_norm_type_at(k)->name);
    }
    (void)fputs(" all none", s->out);
}

/* One word of a topic alone: completion does not quote. */
static void put_topics(const shell *s) {
    for (size_t k = 0; il_cli_topic_at(k) != NULL; k++) {
        if (strchr(il_cli_topic_at(k)->name, ' ') == NULL) {
            (void)fprintf(s->out, " %s", il_cli_topic_at(k)->name);
        }
    }
    (void)fputs(" topics", s->out);
    for (size_t k = 0; il_cli_verb_at(k) != NULL; k++) {
        (void)fprintf(s->out, " %s", il_cli_verb_at(k)->name);
    }
}

/* Without parentheses, which shells read and --claim does not. */
static void put_claims(const shell *s) {
    size_t k = 0;
    const json_t *claim = NULL;
    json_array_foreach(s->claims, k, claim) {
        (void)fputc(' ', s->out);
        for (const char *c = json_string_value(json_object_get(claim, "id")); *c != '\0'; c++) {
            (void)fputs(strchr("()", *c) == NULL ? (char[]){*c, '\0'} : "", s->out);
        }
    }
}

/* "full|final" as " full final". */
static void put_choices(FILE *out, const char *value) {
    (void)fputc(' ', out);
    for (; *value != '\0'; value++) {
        (void)fputc(*value == '|' ? ' ' : *value, out);
    }
}

/* What a value, or a verb's words, can be; false if completion knows nothing of it. */
static bool put_values(const shell *s, const char *value) {
    static const struct {
        const char *value;
        void (*put[3])(const shell *s);
    } kinds[] = {{"P", {put_problems}},
                 {"S", {put_schemes}},
                 {"X", {put_projectors}},
                 {"ID", {put_claims}},
                 {"NAME,...", {put_norms}},
                 {"NAME", {put_problems, put_schemes, put_projectors}},
                 {"TOPIC", {put_topics, put_problems, put_schemes}}};
    if (strncmp(value, "FILE", 4) == 0) {
        (void)fputs(s->files, s->out);
        return true;
    }
    if (strcmp(value, "DIR") == 0) {
        (void)fputs(s->folders, s->out);
        return true;
    }
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if (strcmp(value, kinds[k].value) == 0) {
            (void)fputs(s->offer, s->out);
            for (size_t j = 0; j < 3 && kinds[k].put[j] != NULL; j++) {
                kinds[k].put[j](s);
            }
            (void)fputs(s->end, s->out);
            return true;
        }
    }
    bool words = strchr(value, '|') != NULL || strstr(value, "problems ") == value;
    if (words) {
        (void)fputs(s->offer, s->out);
        put_choices(s->out, value);
        (void)fputs(s->end, s->out);
    }
    return words;
}

/* ---- cases ---------------------------------------------------------------------------------- */

/* After --set: the parameters of the problem. */
static void put_parameters(const shell *s) {
    (void)fputs("        case $problem in\n", s->out);
    for (size_t k = 0; il_problem_type_at(k) != NULL; k++) {
        const il_problem_type *p = il_problem_type_at(k);
        (void)fprintf(s->out, "        %s) %s", p->name, s->bare);
        for (const il_param_spec *spec = p->params; spec != NULL && spec->key != NULL; spec++) {
            (void)fprintf(s->out, " %s=", spec->key);
        }
        (void)fprintf(s->out, "%s ;;\n", s->end);
    }
    (void)fputs("        esac\n        return ;;\n", s->out);
}

static void put_name(FILE *out, const il_cli_option *o) {
    if (o->name != NULL) {
        (void)fprintf(out, "--%s", o->name);
    } else {
        (void)fprintf(out, "-%c", o->letter);
    }
}

/* What comes after an option of the verb, then the verb's words and options. */
static void put_verb(const shell *s, const il_cli_verb *verb) {
    il_cli_option options[IL_CLI_OPTIONS_MAX];
    size_t n = il_cli_verb_options(verb, options);
    for (size_t k = 0; k < n; k++) {
        if (options[k].value == NULL) {
            continue;
        }
        (void)fprintf(s->out, "    %s:", verb->name);
        put_name(s->out, &options[k]);
        (void)fputs(")\n", s->out);
        if (strcmp(options[k].value, "key=value") == 0) {
            put_parameters(s);
            continue;
        }
        (void)fputs("        ", s->out);
        (void)fputs(put_values(s, options[k].value) ? "\n" : ":\n", s->out);
        (void)fputs("        return ;;\n", s->out);
    }
}

static void put_words(const shell *s, const il_cli_verb *verb) {
    il_cli_option options[IL_CLI_OPTIONS_MAX];
    size_t n = il_cli_verb_options(verb, options);
    (void)fprintf(s->out, "    %s)\n        ", verb->name);
    if (verb->words != NULL && put_values(s, verb->words)) {
        (void)fputs("\n        ", s->out);
    }
    (void)fputs(s->offer, s->out);
    for (size_t k = 0; k < n; k++) {
        (void)fputc(' ', s->out);
        put_name(s->out, &options[k]);
    }
    (void)fprintf(s->out, " --help%s ;;\n", s->end);
}

static void put_all(const shell *s) {
    (void)fputs("    case $verb:$prev in\n", s->out);
    for (size_t k = 0; il_cli_verb_at(k) != NULL; k++) {
        put_verb(s, il_cli_verb_at(k));
    }
    (void)fprintf(s->out, "    esac\n    case $verb in\n    '')\n        %s", s->offer);
    for (size_t k = 0; il_cli_verb_at(k) != NULL; k++) {
        (void)fprintf(s->out, " %s", il_cli_verb_at(k)->name);
    }
    (void)fprintf(s->out, " --help --version%s ;;\n", s->end);
    for (size_t k = 0; il_cli_verb_at(k) != NULL; k++) {
        put_words(s, il_cli_verb_at(k));
    }
    (void)fputs("    esac\n", s->out);
}

/* All or nothing: completion that lacks the claims for want of memory would be believed. */
static il_status write_all(shell *s, const char *head, const char *tail, il_error *err) {
    json_t *claims = NULL;
    il_status status = il_verify_list(&claims, err);
    if (status == IL_OK) {
        s->claims = claims;
        (void)fputs(head, s->out);
        put_all(s);
        (void)fputs(tail, s->out);
    }
    json_decref(claims);
    return status;
}

il_status il_cli_write_bash(FILE *out, il_error *err) {
    shell bash = {.out = out,
                  .offer = "COMPREPLY+=($(compgen -W '",
                  .end = "' -- \"$cur\"))",
                  .files = "COMPREPLY+=($(compgen -f -- \"$cur\"))",
                  .folders = "COMPREPLY+=($(compgen -d -- \"$cur\"))",
                  .bare = "compopt -o nospace 2>/dev/null; COMPREPLY+=($(compgen -W '"};
    return write_all(&bash, BASH_HEAD, BASH_TAIL, err);
}

il_status il_cli_write_zsh(FILE *out, il_error *err) {
    shell zsh = {.out = out,
                 .offer = "compadd --",
                 .end = "",
                 .files = "_files",
                 .folders = "_files -/",
                 .bare = "compadd -S '' --"};
    return write_all(&zsh, ZSH_HEAD, ZSH_TAIL, err);
}
