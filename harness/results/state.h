/*
 * state.h - how far the scripts of a results folder have come.
 */
#ifndef IL_RESULTS_STATE_H
#define IL_RESULTS_STATE_H

#include <jansson.h>

#include "harness/results/index.h"

/* {"results", "stored", "damaged", "set_aside", "troubles": [TEXT], "scripts": [{"script",
 * "arguments", "shard", "state", "host", "pid", "workers", "began", "saved", "cases", "done",
 * "failed", "at_work", "missing", "seconds_left", "expected_end", "ending", "reason"}]}, the
 * caller's.
 *
 * Cases are those of the sweeps that the script has begun. `state` is "at work", "ended", "stopped"
 * (by an error, a signal, other shards), "killed" (it said neither), or "elsewhere" (at work on
 * another machine when it last said so, at `saved`). At work are cases that are claimed
 * (harness/io/store/lease.h). What is left is what the
 * costs of missing cases are to those of cases that were run since it began; null where nobody
 * knows. `ending` and `reason` are those of the script's journal. IL_EUNSUPPORTED, IL_ENOMEM,
 * IL_EIO. */
il_status il_results_state(il_index *index, json_t **out, il_error *err);

#endif
