/*
 * report.h - one page for people: every figure and table that was stored, ready to be sent.
 *
 * The page is made from what lies in the results folder and from nothing else: no run is repeated,
 * no picture redrawn, no clock read. Written twice from the same results it is the same to the
 * byte.
 */
#ifndef IL_REPORT_H
#define IL_REPORT_H

#include <stddef.h>

#include "harness/base/status.h"

/* Collect the figures and tables whose manifests (harness/draw/plot.h, harness/draw/table.h) lie in
 * RESULTS/figures and RESULTS/tables and in the folders directly inside these, copy their files to
 * OUT/figures and OUT/tables, and write OUT/index.html. OUT needs nothing from elsewhere, neither a
 * network nor RESULTS. Entries with an order different from 0 come first, by that order, then by
 * name.
 *
 * figures and tables receive how many there are; either may be NULL. IL_EIO when the results folder
 * is missing, when a file that a manifest names cannot be read, or OUT cannot be written; IL_EINVAL
 * when there is nothing to show or a manifest does not say what it should. */
il_status il_report_write(const char *results, const char *out, size_t *figures, size_t *tables,
                          il_error *err);

#endif
