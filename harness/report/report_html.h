/*
 * report_html.h - the page of a report. Between harness/report only.
 */
#ifndef IL_REPORT_HTML_H
#define IL_REPORT_HTML_H

#include <stdio.h>

#include "harness/base/status.h"
#include "harness/report/report_parts.h"

/* Whether the cells of a table can be shown: IL_EIO when they cannot be read, IL_EINVAL when they
 * make no rectangle. */
il_status il_report_check_cells(const il_report *report, const il_report_entry *entry,
                                il_error *err);

/* Write the page. Tables are read from the results folder; one that has broken since it was checked
 * stays empty. Errors of page stay with the stream. IL_ENOMEM: the page is not whole. */
il_status il_report_put_page(FILE *page, const il_report *report, il_error *err);

#endif
