/*
 * report_table.h - tables on the page. Between harness/report only.
 */
#ifndef IL_REPORT_TABLE_H
#define IL_REPORT_TABLE_H

#include <stdio.h>

#include "harness/base/status.h"
#include "harness/report/report_parts.h"

/* Whether the cells of a table can be shown: IL_EIO when they cannot be read, IL_EINVAL when they
 * make no rectangle. */
il_status il_report_check_cells(const il_report *report, const il_report_entry *entry,
                                il_error *err);

/* Write them, read from the results folder; a table that has broken since it was checked stays
 * empty. Errors of page stay with the stream. IL_ENOMEM. */
il_status il_report_put_cells(FILE *page, const il_report *report, const il_report_entry *entry,
                              il_error *err);

#endif
