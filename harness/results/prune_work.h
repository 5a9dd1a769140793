/*
 * prune_work.h - what is reached and what is to go. Not for use outside prune*.c.
 */
#ifndef IL_RESULTS_PRUNE_WORK_H
#define IL_RESULTS_PRUNE_WORK_H

#include "harness/base/json.h"
#include "harness/results/index.h"

/* Why a file goes. */
enum {
    IL_PRUNE_BUILD,
    IL_PRUNE_SCRIPT,
    IL_PRUNE_DAMAGED,
    IL_PRUNE_ROSTER,
    IL_PRUNE_REFERENCE,
    IL_PRUNE_CHECKPOINT,
    IL_PRUNE_TEXT,
    IL_PRUNE_REASONS
};

typedef struct {
    il_index *index;
    json_t *reached;                 /* names of cases and references */
    json_t *scripts;                 /* sums of the scripts that what stays names */
    json_t *paths[IL_PRUNE_REASONS]; /* of files that go */
    size_t files[IL_PRUNE_REASONS], kept, beside;
    long long bytes[IL_PRUNE_REASONS], kept_bytes, beside_bytes;
    il_json made;
    il_error *err;
} il_prune_work;

/* A file that goes; nothing happens for one that is gone. */
void il_prune_add(il_prune_work *w, int reason, const char *path);

/* What lies beside the cases, once reached and scripts are whole: references, checkpoints, texts of
 * scripts. IL_ENOMEM. */
il_status il_prune_beside(il_prune_work *w);

#endif
