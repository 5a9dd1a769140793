/*
 * manual.h - the manual in the forms that other programs read, made from the tables that the
 * program uses.
 */
#ifndef IL_CLI_MANUAL_H
#define IL_CLI_MANUAL_H

#include <stdio.h>

#include "harness/base/status.h"

/* impactlab(1), in the macros of man(7). */
il_status il_cli_write_man(FILE *out, il_error *err);

/* Completion: the scripts of shells, which ask `help --complete` what may come next. */
extern const char *const il_cli_bash, *const il_cli_zsh;

/* What may come after word[n], all that stands behind "impactlab": complete.c has the form. What
 * il_verify_list returns. */
il_status il_cli_complete(FILE *out, char **word, size_t n, il_error *err);

/* Every page as dir/NAME.html, and dir/index.html. The folder appears whole or is as it was. */
il_status il_cli_write_html(const char *dir, il_error *err);

/* Could it be made there? As il_output_folder_check. */
il_status il_cli_check_html(const char *dir, il_error *err);

#endif
