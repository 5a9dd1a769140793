/*
 * prune.h - stored cases that nothing present can reach.
 *
 * A key holds the build of the program (harness/run/case.h), so a program finds what its own build
 * has stored and nothing else; and a script finds what it asks for, which its roster tells
 * (harness/io/store/roster.h). So a case is reached if
 *
 *   - a figure or a table of the folder was made from it (of whatever build: this says where it
 * came
 *     from), or
 *   - this build stored it, and it stands in the roster of a script that is where it was; of a
 *     roster from another machine nobody can tell whether its script is there, and it counts.
 *
 * All others go, also damaged files and those that were set aside, and the rosters of other builds
 * and of scripts that are gone. Beside the cases
 *
 *   - a reference (harness/run/references.h) stays if this build made it and such a roster names
 *     it,
 *   - the state of a run that has not ended (harness/run/checkpoint.h) likewise,
 *   - the text of a script if a roster or a case that stays names it.
 */
#ifndef IL_RESULTS_PRUNE_H
#define IL_RESULTS_PRUNE_H

#include <jansson.h>

#include "harness/results/index.h"

/* {"kept": {"files", "bytes"} of cases, "beside": {"files", "bytes"} of what else stays, "drop":
 * [{"reason": "another build" | "no script" | "damaged" | "roster" | "reference" | "checkpoint" |
 * "text of a script", "files", "bytes"}], "files", "bytes", "deleted": true or false}, the
 * caller's. With `erase` they are deleted. IL_EINVAL: a sweep is at work in the folder, here or
 * elsewhere, or a manifest or roster cannot be read, and with it what it reaches; nothing is
 * deleted then. IL_EIO names the rosters that cannot be read, or the first file that could not be
 * deleted; IL_EINTERRUPTED; IL_ENOMEM. */
il_status il_results_prune(il_index *index, bool erase, json_t **out, il_error *err);

#endif
