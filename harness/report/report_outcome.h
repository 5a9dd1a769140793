/*
 * report_outcome.h - what failed and what is missing, on top of a report's page and in one line.
 * Between harness/report only.
 */
#ifndef IL_REPORT_OUTCOME_H
#define IL_REPORT_OUTCOME_H

#include <stdio.h>

#include "harness/report/report_parts.h"
#include "harness/report/summary.h"

/* Look at the journals of the results folder, at the scripts that are expected, and at what is
 * broken in the folder itself: count what failed and what is missing, and make the line. */
void il_report_count_outcomes(const il_report *report, il_report_summary *summary);

/* The part of the page that says so, scripts that did not end well first. Nothing where nothing is
 * known of any script. */
void il_report_put_outcome(FILE *page, const il_report *report);

#endif
