/*
 * report.h - one page with every stored figure and table, ready to be sent.
 *
 * The page is made from the results folder alone: no run is repeated, no picture redrawn, no clock
 * read. The same results give the same page to the byte.
 */
#ifndef IL_REPORT_H
#define IL_REPORT_H

#include <jansson.h>
#include <stddef.h>

#include "harness/base/progress.h"
#include "harness/base/status.h"

/* The contents of a report and the failures that it tells of, in a few numbers and one line. */
typedef struct il_report_summary {
    size_t figures, tables; /* that the page shows */
    size_t scripts;         /* whose outcome is known or was expected */
    size_t failed;          /* of these, that failed or were killed; and what could not be shown */
    size_t missing;         /* of these, that were interrupted, lack cases or have not run */
    char line[1024];        /* what failed and is missing, in one line; "" where nothing is */
} il_report_summary;

/* Collect the figures and tables whose manifests (harness/draw/publish.h) lie in
 * RESULTS/figures and RESULTS/tables, copy their files to OUT/figures and OUT/tables, and write
 * OUT/index.html. OUT needs nothing from elsewhere, neither a network nor RESULTS. Entries with an
 * order different from 0 come first, by that order, then by name.
 *
 * Before them the page says what failed: the outcomes of the scripts that ran in RESULTS
 * (harness/io/store/journal.h); which of scripts[0..nscripts) have not run; and which figures and
 * tables cannot be shown, because their manifest or a file that it names is missing or broken.
 *
 * about, or NULL: {"manual": where the manual is from OUT, which the page then leads to;
 * "problems", "schemes": the names of the catalogue, in whose order the page has them}. progress,
 * or NULL, is shown.
 *
 * IL_OK when the page is written, whatever it says: see summary (may be NULL). IL_EIO when the
 * results folder is missing or OUT cannot be written; IL_EINVAL when there is nothing to show. */
il_status il_report_write(const char *results, const char *out, const char *const *scripts,
                          size_t nscripts, il_report_summary *summary, const json_t *about,
                          il_progress *progress, il_error *err);

#endif
