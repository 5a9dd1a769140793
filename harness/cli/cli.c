/*
 * cli.c - functions shared by the verbs.
 */
#include "harness/cli/cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/lua/present.h"

void il_cli_say(FILE *out, const char *format, ...) {
    char line[2 * IL_MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(line, sizeof line, format, args);
    va_end(args);
    il_text_make_printable(line, false);
    (void)fprintf(out, "%s\n", line);
}

int il_cli_fail(const il_error *err) {
    il_error said = *err;
    (void)il_fail_with(&said, said.code != IL_OK ? said.code : IL_EINTERNAL);
    (void)fprintf(stderr, "impactlab: %s\n", said.message);
    switch (err->code) {
    case IL_EINVAL:
    case IL_EUNSUPPORTED:
    case IL_ETOOLONG:
    case IL_EIO:
    case IL_ESCRIPT:
        return IL_EXIT_USAGE;
    case IL_EINTERRUPTED:
        return IL_EXIT_INCOMPLETE;
    case IL_ENOMEM:
    case IL_EINTERNAL:
        return IL_EXIT_INTERNAL;
    default:
        return IL_EXIT_FAILED;
    }
}

int il_cli_usage(const char *verb, const char *format, ...) {
    char text[IL_MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    il_cli_say(stderr, "impactlab %s: %s (see impactlab %s --help)", verb, text, verb);
    return IL_EXIT_USAGE;
}

il_cli_hint il_cli_nearest(const char *word, const char *const *names, size_t n,
                           const char *otherwise) {
    il_cli_hint hint;
    const char *near = il_text_nearest(word, names, n);
    (void)snprintf(hint.text, sizeof hint.text, near != NULL ? "; did you mean '%s'?" : "%s",
                   near != NULL ? near : otherwise);
    return hint;
}

il_status il_cli_report_print(const json_t *report, const char *form, bool json, il_error *err) {
    if (json) {
        il_json_print(report, 0, stdout);
        return IL_OK;
    }
    return il_lua_present(form, report, NULL, stdout, NULL, err);
}

long long il_cli_count_of(const json_t *object, const char *key) {
    return (long long)json_integer_value(json_object_get(object, key));
}

const char *il_cli_script(const char *name, char path[IL_PLACE_MAX]) {
    il_error none = {IL_OK, ""};
    static const char checkout[] = "scripts/"; /* as the pages name them */
    bool elsewhere = name[0] != '/' && name[0] != '.' && access(name, F_OK) != 0;
    if (elsewhere && strncmp(name, checkout, sizeof checkout - 1) == 0 &&
        il_place_find(IL_PLACE_SCRIPT, name + sizeof checkout - 1, path, &none) == IL_OK) {
        return path;
    }
    return elsewhere && il_place_find(IL_PLACE_SCRIPT, name, path, &none) == IL_OK ? path : name;
}

int il_cli_ended(il_status status) {
    return status == IL_OK ? IL_EXIT_OK : IL_EXIT_ERROR;
}
