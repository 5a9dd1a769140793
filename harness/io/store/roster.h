/*
 * roster.h - which stored cases a script has asked for, and whether it still runs.
 *
 * RESULTS/rosters/NAME-HASH.json belongs to a script, its arguments and its shard. It is written
 * when the script begins, whenever a sweep has looked up its cases, every few seconds, and at the
 * end; so the cases of a sweep that was killed are known as its own:
 *
 *     {"format": 1, "sha256": SUM, "kind": "roster", "script": AS IT WAS CALLED,
 *      "path": FROM THE ROOT, "script_sha256": SUM, "arguments": [TEXT, ...],
 *      "shard": "i/n" or null, "build": HASH, "host": NAME, "pid": NUMBER, "born": TICKS,
 *      "workers": NUMBER, "began": DATE, "saved": DATE, "state": "at work" | "ended" | "stopped",
 *      "cases": {NAME: COST, ...}}
 *
 * Cases are named as their files (store.h), in the order in which they were first asked for; costs
 * are relative, 0 if unknown. The text of the script is kept once, as RESULTS/scripts/SUM.lua.
 */
#ifndef IL_ROSTER_H
#define IL_ROSTER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/base/status.h"

typedef struct il_roster il_roster;

typedef struct {
    const char *script;      /* its path, as it was called */
    const char *text;        /* what it says, or NULL where it could not be read */
    const char *sum;         /* the SHA-256 of that, or NULL */
    const char *build;       /* of the program */
    const char *const *args; /* [nargs] */
    size_t nargs, shard, shards, workers;
} il_roster_head;

/* Begin the roster of a script in the folder results, which exists, and keep the script's text. All
 * but the text is copied. IL_EIO. The creator closes. */
il_status il_roster_open(il_roster **out, const char *results, const il_roster_head *head,
                         il_error *err);

/* Record that the case of this name is asked for, once or again; cost > 0, or 0 if unknown.
 * NULL keeps nothing. */
void il_roster_note(il_roster *roster, const char *name, double cost);

/* Write if something was added since the last write. NULL is fine. */
il_status il_roster_save(il_roster *roster, il_error *err);

/* The script has ended (whole) or was stopped. Writes and frees. NULL is fine. */
il_status il_roster_close(il_roster *roster, bool whole, il_error *err);

/* All that was asked for so far: an object whose keys are the names, in order; borrowed. NULL for
 * NULL. */
const json_t *il_roster_cases(const il_roster *roster);

/* All rosters of a folder, an array in the order of their names, each with its file's "name"
 * besides; as il_journal_all has it. */
json_t *il_roster_all(const char *results, json_t *troubles);

/* Is the process that wrote it alive? Unknown for another machine: *known is false. */
bool il_roster_at_work(const json_t *roster, bool *known);

#endif
