/*
 * complete.c - shell completion: the completion scripts of bash and zsh ask the program what may
 * come next.
 *
 * `impactlab help --complete -- WORD...` gets the words before the one to be completed. What may
 * follow an option is derived from the option's value as help prints it (P is a problem, own|all
 * one of these two words, FILE.csv a file, ...), what may follow --set from the problem that
 * --problem named; else a word of the verb or one of its options may follow. The output is a line
 * with a kind, then one candidate per line:
 *
 *     words      these
 *     bare       these, with no blank after them
 *     files      these and the names of files
 *     folders    names of folders
 */
#include <stdbool.h>
#include <string.h>

#include "harness/cli/manual.h"
#include "harness/cli/members.h"
#include "harness/cli/verb.h"
#include "harness/lua/verify.h"
#include "harness/measure/norm.h"

const char *const il_cli_bash =
    "# Completion of impactlab(1) for bash: source it, or put it into\n"
    "# /usr/share/bash-completion/completions/impactlab. Made by `impactlab help --bash`.\n"
    "_impactlab() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} found\n"
    "    mapfile -t found < <(impactlab help --complete -- "
    "\"${COMP_WORDS[@]:1:COMP_CWORD-1}\" 2>/dev/null)\n"
    "    if [ \"$cur\" = = ]; then cur=; fi\n"
    "    COMPREPLY=($(compgen -W \"${found[*]:1}\" -- \"$cur\"))\n"
    "    case ${found[0]} in\n"
    "    bare) compopt -o nospace 2>/dev/null ;;\n"
    "    files) COMPREPLY+=($(compgen -f -- \"$cur\")) ;;\n"
    "    folders) COMPREPLY+=($(compgen -d -- \"$cur\")) ;;\n"
    "    esac\n"
    "}\n"
    "complete -o filenames -F _impactlab impactlab\n";

const char *const il_cli_zsh =
    "#compdef impactlab\n"
    "# Completion of impactlab(1) for zsh: a file _impactlab in $fpath. Made by `impactlab help "
    "--zsh`.\n"
    "local -a found\n"
    "found=(${(f)\"$(impactlab help --complete -- ${words[2,CURRENT-1]} 2>/dev/null)\"})\n"
    "case ${found[1]} in\n"
    "bare) compadd -S '' -- ${found[2,-1]} ;;\n"
    "files) _files; compadd -- ${found[2,-1]} ;;\n"
    "folders) _files -/ ;;\n"
    "*) compadd -- ${found[2,-1]} ;;\n"
    "esac\n";

/* ---- words ---------------------------------------------------------------------------------- */

static void put_family(FILE *out, int family) {
    il_cli_member m;
    for (size_t k = 0; il_cli_member_at(family, k, &m); k++) {
        (void)fprintf(out, "%s\n", m.name);
    }
}

static void put_verbs(FILE *out) {
    for (size_t k = 0; il_cli_verb_at(k) != NULL; k++) {
        (void)fprintf(out, "%s\n", il_cli_verb_at(k)->name);
    }
}

/* Topics of one word alone: completion does not quote. */
static void put_topics(FILE *out) {
    for (size_t k = 0; il_cli_topic_at(k) != NULL; k++) {
        if (strchr(il_cli_topic_at(k)->name, ' ') == NULL) {
            (void)fprintf(out, "%s\n", il_cli_topic_at(k)->name);
        }
    }
    (void)fputs("topics\n", out);
    put_verbs(out);
}

static void put_norms(FILE *out) {
    for (size_t k = 0; il_norm_type_at(k) != NULL; k++) {
        (void)fprintf(out, "%s\n", il_norm_type_at(k)->name);
    }
    (void)fputs("all\nnone\n", out);
}

/* Without parentheses, which shells read and --claim does not. */
static il_status put_claims(FILE *out, il_error *err) {
    json_t *claims = NULL;
    il_status status = il_verify_list(&claims, err);
    size_t k = 0;
    const json_t *claim = NULL;
    json_array_foreach(claims, k, claim) {
        for (const char *c = json_string_value(json_object_get(claim, "id")); *c != '\0'; c++) {
            (void)fputs(strchr("()", *c) == NULL ? (char[]){*c, '\0'} : "", out);
        }
        (void)fputc('\n', out);
    }
    json_decref(claims);
    return status;
}

static void put_options(FILE *out, const il_cli_option *options, size_t n) {
    char name[IL_CLI_NAME_ROOM];
    for (size_t k = 0; k < n; k++) {
        (void)fprintf(out, "%s\n", il_cli_option_name(&options[k], name));
    }
    (void)fputs("--help\n", out);
}

/* The family that a value stands for; -1: none. */
static int family_of(const char *value, size_t n) {
    static const char letters[] = "PSX";
    const char *at = n == 1 ? strchr(letters, value[0]) : NULL;
    return at != NULL && *at != '\0' ? (int)(at - letters) : -1;
}

/* "a|b" or "a b", a word a line; a letter stands for what can be in its place. */
static void put_choices(FILE *out, const char *value) {
    while (*value != '\0') {
        size_t n = strcspn(value, "| ");
        if (family_of(value, n) >= 0) {
            put_family(out, family_of(value, n));
        } else if (n != 1 || value[0] < 'A' || value[0] > 'Z') {
            (void)fprintf(out, "%.*s\n", (int)n, value);
        }
        value += n + (value[n] != '\0');
    }
}

/* The kind, then what a value, or a verb's words, can be. */
static il_status put_values(FILE *out, const char *value, il_error *err) {
    bool file = strncmp(value, "FILE", 4) == 0;
    (void)fputs(file ? "files\n" : strcmp(value, "DIR") == 0 ? "folders\n" : "words\n", out);
    if (strcmp(value, "ID") == 0) {
        return put_claims(out, err);
    }
    if (strcmp(value, "NAME,...") == 0) {
        put_norms(out);
    }
    if (strcmp(value, "TOPIC") == 0) {
        put_topics(out);
    }
    bool any = strcmp(value, "NAME") == 0 || strcmp(value, "TOPIC") == 0;
    for (int f = 0; any && f < IL_CLI_FAMILIES; f++) {
        put_family(out, f);
    }
    if (strpbrk(value, "| ") != NULL || family_of(value, strlen(value)) >= 0) {
        put_choices(out, value);
    }
    return IL_OK;
}

/* After --set: the parameters of the problem that --problem names before. */
static void put_parameters(FILE *out, char **word, size_t n) {
    il_cli_member m;
    const char *problem = "";
    for (size_t k = 0; k + 1 < n; k++) {
        if (strcmp(word[k], "--problem") == 0) { /* bash has "=" as a word */
            problem = word[k + (strcmp(word[k + 1], "=") == 0 && k + 2 < n ? 2 : 1)];
        } else if (strncmp(word[k], "--problem=", 10) == 0) {
            problem = word[k] + 10;
        }
    }
    (void)fputs("bare\n", out);
    if (il_cli_member_find(problem, &m) && m.params != NULL) {
        for (const il_param_spec *spec = m.params; spec->key != NULL; spec++) {
            (void)fprintf(out, "%s=\n", spec->key);
        }
    }
}

il_status il_cli_complete(FILE *out, char **word, size_t n, il_error *err) {
    il_cli_option options[IL_CLI_OPTIONS_MAX];
    const il_cli_verb *verb = n > 0 ? il_cli_verb_find(word[0]) : NULL;
    if (verb == NULL) {
        (void)fputs("words\n", out);
        if (n == 0) {
            put_verbs(out);
            (void)fputs("--help\n--version\n", out);
        }
        return IL_OK;
    }
    char name[IL_CLI_NAME_ROOM];
    size_t noptions = il_cli_verb_options(verb, options);
    const char *last = word[n - (n > 2 && strcmp(word[n - 1], "=") == 0 ? 2 : 1)];
    for (size_t k = 0; k < noptions; k++) {
        const il_cli_option *o = &options[k];
        bool named = strcmp(last, il_cli_option_name(o, name)) == 0;
        if (named && o->value != NULL) {
            if (o->kind == IL_CLI_SETTING) {
                put_parameters(out, word, n);
                return IL_OK;
            }
            return put_values(out, o->kind == IL_CLI_POSITIVE ? "" : o->value, err);
        }
    }
    il_status status = put_values(out, verb->words != NULL ? verb->words : "", err);
    put_options(out, options, noptions);
    return status;
}
