/*
 * settings.c - parameters of a problem from the command line.
 */
#include "harness/cli/settings.h"

#include <stdio.h>
#include <string.h>

#include "harness/cli/cli.h"

int il_cli_settings_take(il_cli_settings *w, const char *verb, const char *text) {
    size_t k = w->n;
    size_t n = strcspn(text, "=");
    if (text[n] == '\0' || n == 0) {
        return il_cli_usage(verb, "--set is '%s'; allowed: key=value", text);
    }
    if (k == IL_CLI_SETTINGS_MAX) {
        return il_cli_usage(verb, "more than %d times --set", IL_CLI_SETTINGS_MAX);
    }
    for (size_t i = 0; i < k; i++) {
        if (strncmp(w->typed[i], text, n + 1) == 0) {
            return il_cli_usage(verb, "parameter '%.*s' is set twice: %s and %s", (int)n, text,
                                w->typed[i], text);
        }
    }
    (void)snprintf(w->keys[k], sizeof w->keys[k], "%.*s", (int)n, text);
    w->typed[k] = text;
    w->list[k] = (il_setting){.key = w->keys[k], .text = text + n + 1};
    w->n = k + 1;
    return IL_EXIT_OK;
}
