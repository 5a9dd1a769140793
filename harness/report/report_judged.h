/*
 * report_judged.h - what the judges said in all scripts, and where the page comes from. Between
 * harness/report only.
 */
#ifndef IL_REPORT_JUDGED_H
#define IL_REPORT_JUDGED_H

#include <stdio.h>

#include "harness/report/report_parts.h"

/* Findings in full, how often each verdict fell, and every verdict in a table that filters. Nothing
 * where nothing was judged. */
void il_report_put_judged(FILE *page, const il_report *report);

/* The scripts, the program that ran them and what they ran. */
void il_report_put_provenance(FILE *page, const il_report *report);

#endif
