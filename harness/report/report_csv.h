/*
 * report_csv.h - reading tables as RFC 4180 spells them.
 */
#ifndef IL_REPORT_CSV_H
#define IL_REPORT_CSV_H

#include <stddef.h>

#include "harness/base/status.h"

typedef struct {
    size_t rows, columns; /* both at least 1 */
    char **cell;          /* [rows * columns], row by row, pointers into the text */
    size_t capacity;
} il_csv;

/* Cut text, which is changed and has to outlive csv, into cells: quoted or not, rows ended by CR
 * LF, LF or CR, the last one also by the end of the text. IL_EINVAL, with name in the message, when
 * there is no row or a row has not as many cells as the first. csv owns its cell pointers until
 * il_csv_free, which is needed after a failure too. */
il_status il_csv_parse(il_csv *csv, char *text, const char *name, il_error *err);

/* Free what csv owns and leave it empty. */
void il_csv_free(il_csv *csv);

#endif
