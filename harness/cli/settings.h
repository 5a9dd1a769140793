/*
 * settings.h - `--set key=value`, as often as it is given.
 */
#ifndef IL_CLI_SETTINGS_H
#define IL_CLI_SETTINGS_H

#include "harness/run/case.h"

enum { IL_CLI_SETTINGS_MAX = 64 };

typedef struct {
    size_t n;
    il_setting list[IL_CLI_SETTINGS_MAX];
    const char *typed[IL_CLI_SETTINGS_MAX];
    char keys[IL_CLI_SETTINGS_MAX][64];
} il_cli_settings;

/* Take "key=value"; a complaint and 2 for another text, a key that was set, or too many. */
int il_cli_settings_take(il_cli_settings *settings, const char *verb, const char *text);

#endif
