/*
 * summary.h - what a report shows and what failed, in a few numbers and one line.
 */
#ifndef IL_REPORT_SUMMARY_H
#define IL_REPORT_SUMMARY_H

#include <stddef.h>

typedef struct {
    size_t figures, tables; /* that the page shows */
    size_t scripts;         /* whose outcome is known or was expected */
    size_t failed;          /* of these, that failed or were killed; and what could not be shown */
    size_t missing;         /* of these, that were interrupted, lack cases or have not run */
    char line[1024];        /* what failed and is missing, in one line; "" where nothing is */
} il_report_summary;

#endif
