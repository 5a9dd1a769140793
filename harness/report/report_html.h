/*
 * report_html.h - the page of a report. Between harness/report only.
 */
#ifndef IL_REPORT_HTML_H
#define IL_REPORT_HTML_H

#include <stdio.h>

#include "harness/base/status.h"
#include "harness/report/report_parts.h"

/* Write the page. Errors of page stay with the stream. IL_ENOMEM: the page is not whole. */
il_status il_report_put_page(FILE *page, const il_report *report, il_error *err);

#endif
