/*
 * spell.h - columns as a table of texts, and as JSON.
 */
#ifndef IL_RESULTS_SPELL_H
#define IL_RESULTS_SPELL_H

#include <jansson.h>
#include <stdio.h>

#include "harness/base/status.h"
#include "harness/io/formats/columns.h"

/* The columns to a stream as one of IL_TABLE_TXT, _CSV, _TEX of harness/draw/table.h: numbers with
 * all digits in csv, with six else; keys cut to `key` letters (0: whole). IL_ENOMEM. */
il_status il_columns_print(const il_columns *columns, FILE *out, unsigned format,
                           const char *caption, int key, il_error *err);

/* An array of {COLUMN: number, text or null}, a row each. The caller's; NULL without memory. */
json_t *il_columns_json(const il_columns *columns);

#endif
