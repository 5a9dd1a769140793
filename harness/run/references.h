/*
 * references.h - stored references, which are expensive and needed by many runs, in
 * RESULTS/references.
 *
 * A reference is the file FOLDER/NAME, NAME being the hash of its key as for a stored case
 * (harness/io/store/store.h). The key holds all that it depends on, including the build; the file
 * is a sealed state (harness/io/store/state_file.h) that begins with the provenance of the run that
 * made it, and appears whole or not at all. A run (a sweep's own reference, or one that limits are
 * judged by) has the key of its case, and the file holds all its nodes; an event-driven reference
 * has the key
 *
 *     {"build", "format", "reference": "event_driven", "problem", "parameters", "horizon"}
 *
 * and the file holds its motion and events. A damaged file is set aside as NAME.damaged, reported,
 * and the reference made again; it is never read.
 */
#ifndef IL_REFERENCES_H
#define IL_REFERENCES_H

#include "harness/reference/event_driven.h"
#include "harness/run/case.h"

/* Keep run under key. provenance may be NULL. IL_EIO. */
il_status il_reference_put_run(const char *folder, const char *key, il_trajectory *run,
                               const json_t *provenance, il_error *err);

/* The run of key into *run, zeroed and the caller's; *found is false where there is no undamaged
 * one, and note (may be NULL) reports a damaged file that was set aside. IL_ENOMEM where the system
 * has none to read the file, also in note. */
il_status il_reference_get_run(const char *folder, const char *key, il_trajectory *run, bool *found,
                               il_error *note);

/* Can the event-driven reference of a case be stored: is there a folder, and is the problem
 * compiled? (The results of a script's functions may depend on more than their key.) */
bool il_reference_keeps(const il_case *c);

/* The key of a case's event-driven reference, the caller's. Refuses what il_case_params refuses. */
il_status il_reference_key(const il_case *c, char **key, il_error *err);

/* The event-driven reference of a case: read from c->references, or made, and stored there if
 * il_reference_keeps; `anew` does not read. A failure to store it is no error. *out is the
 * creator's to destroy. Other errors as for il_case_problem and il_event_driven_create. */
il_status il_reference_events(il_event_driven **out, const il_case *c, bool anew, il_error *err);

/* Is an undamaged event-driven reference of key stored? As il_reference_get_run. */
il_status il_reference_find_events(const char *folder, const char *key, il_event_driven **out,
                                   il_error *note);

/* All that lie in a folder, an array in the order of their names, the caller's: {"name", "kind":
 * "run" or "event_driven", "problem", "scheme", "steps", "horizon", "build", "date", "seconds",
 * "script", "bytes"}, null for what there is none of; or {"name", "bytes", "damaged": REASON}.
 * Empty without the folder. `whole`: checksums are looked at, which reads all files; else date,
 * seconds and script are null. */
json_t *il_references_list(const char *folder, bool whole);

#endif
