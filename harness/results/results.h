/*
 * results.h - what is made of the index of stored cases: files, and the progress of scripts.
 */
#ifndef IL_RESULTS_H
#define IL_RESULTS_H

#include <jansson.h>
#include <stdbool.h>

#include "harness/base/frame.h"
#include "harness/base/status.h"
#include "harness/results/index.h"

/* ---- columns as files: export.c ------------------------------------------------------------- */

/* A dataset for each column in the group "cases", whole or not at all: texts where texts[k] is set
 * or a cell is one, which its cells become; numbers elsewhere, NaN for nothing. IL_EIO.
 */
il_status il_export_hdf5(il_frame *frame, const bool *texts, const char *path, il_error *err);

/* The rows of the statement select as the table "cases" of an SQLite database, whole or not at all.
 * IL_EIO, IL_EINTERRUPTED. */
il_status il_export_sqlite(const il_index *index, const char *select, const char *path,
                           il_error *err);

/* ---- how far scripts have come: state.c ------------------------------------------------------ */

/* {"results", "stored", "damaged", "set_aside", "troubles": [TEXT], "scripts": [{"script",
 * "arguments", "shard", "state", "host", "pid", "workers", "began", "saved", "cases", "done",
 * "failed", "at_work", "missing", "seconds_left", "expected_end", "ending", "reason"}]}, the
 * caller's.
 *
 * Cases are those of the sweeps that the script has begun. `state` is "at work", "ended", "stopped"
 * (by an error, a signal, other shards), "killed" (it said neither), or "elsewhere" (at work on
 * another machine when it last said so, at `saved`). At work are cases that are claimed
 * (harness/io/store/lease.h). The time that is left is what the costs of missing cases are to those
 * of cases that were run since it began; null if unknown. `ending` and `reason` are those
 * of the script's journal. IL_EIO. */
il_status il_results_state(const il_index *index, json_t **out, il_error *err);

#endif
