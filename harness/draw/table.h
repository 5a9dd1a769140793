/*
 * table.h - tables as text for people (txt), for programs (csv) and for papers (tex).
 */
#ifndef IL_TABLE_H
#define IL_TABLE_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/base/status.h"
#include "harness/draw/section.h"

typedef struct {
    const char *name;    /* file name without extension: [A-Za-z0-9._-]+ */
    const char *caption; /* one or two sentences */
    size_t columns, rows;
    const char *const *heads; /* [columns] */
    const char *const *cells; /* [rows * columns], row by row, UTF-8 text; NULL is printed as "-" */
    int order;                /* place in its section of the report; 0: by name */
    const il_section *section; /* NULL: none */
    const char *const *exact;  /* [rows * columns] the cells of csv, with all digits; NULL: cells */
    const json_t *origin;      /* what it was made from, for its manifest; NULL: unknown */
} il_table;

enum { IL_TABLE_TXT = 1, IL_TABLE_CSV = 2, IL_TABLE_TEX = 4, IL_TABLE_ALL = 7 };

/* Write DIR/NAME.txt, .csv, .tex as formats asks, and DIR/NAME.table.json (caption and formats,
 * sealed) for reports: all of them whole on the disk before the first is renamed into place. txt:
 * columns aligned, numbers to the right. csv: RFC 4180. tex: booktabs-free tabular that compiles in
 * any article, special characters escaped. */
il_status il_table_write(const il_table *table, const char *dir, unsigned formats, il_error *err);

/* The same in one format to a stream, texts being UTF-8; write errors are seen when the stream is
 * closed. */
void il_table_print(const il_table *table, FILE *out, unsigned format);

#endif
